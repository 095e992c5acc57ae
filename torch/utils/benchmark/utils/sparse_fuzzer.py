"""FuzzedSparseTensor: sparse tensors to be drawn. They need torch.sparse_coo_tensor."""

from __future__ import annotations

from numbers import Number

import torch
from torch.utils.benchmark.utils.fuzzer import FuzzedTensor


class FuzzedSparseTensor(FuzzedTensor):
    """As FuzzedTensor. `sparse_dim`, `nnz`, `density`, `coalesced`: parameters, by name."""

    def __init__(
        self,
        name: str,
        size: tuple[str | int, ...],
        min_elements: int | None = None,
        max_elements: int | None = None,
        dim_parameter: str | None = None,
        sparse_dim: str | None = None,
        nnz: str | None = None,
        density: str | None = None,
        coalesced: str | None = None,
        dtype=torch.float32,
        cuda=False,
    ) -> None:
        super().__init__(
            name=name,
            size=size,
            min_elements=min_elements,
            max_elements=max_elements,
            dim_parameter=dim_parameter,
            dtype=dtype,
            cuda=cuda,
        )
        self._density, self._coalesced, self._sparse_dim, self._nnz = density, coalesced, sparse_dim, nnz

    @staticmethod
    def sparse_tensor_constructor(size, dtype, sparse_dim, nnz, is_coalesced):
        """A tensor with so many elements at random places."""
        make = getattr(torch, "sparse_coo_tensor", None)
        if make is None:
            raise NotImplementedError("FuzzedSparseTensor: this torch has no torch.sparse_coo_tensor")
        if isinstance(size, Number):
            size = [size] * sparse_dim
        if any(n == 0 for n in size[:sparse_dim]) and nnz > 0:
            raise AssertionError(f"invalid arguments: {nnz} elements in a tensor of size {tuple(size)}")
        values = FuzzedTensor.default_tensor_constructor((nnz, *size[sparse_dim:]), dtype)
        places = torch.rand(sparse_dim, nnz)
        places.mul_(torch.tensor(size[:sparse_dim]).unsqueeze(1).to(places))
        tensor = make(places.to(torch.long), values, torch.Size(size), dtype=dtype)
        return tensor.coalesce() if is_coalesced else tensor

    def _make_tensor(self, params, state):
        size, _, _ = self._get_size_and_steps(params)
        nnz = params.get(self._nnz)
        if nnz is None:
            nnz = int(_product(size) * params[self._density])
        coalesced, sparse_dim = params[self._coalesced], params[self._sparse_dim] if self._sparse_dim else len(size)
        sparse_dim = min(sparse_dim, len(size))
        tensor = self.sparse_tensor_constructor(size, self._dtype, sparse_dim, nnz, coalesced)
        if self._cuda:
            tensor = tensor.cuda()
        return tensor, {
            "numel": int(tensor.numel()),
            "shape": tensor.size(),
            "is_coalesced": coalesced,
            "density": params.get(self._density),
            "sparsity": 1.0 - params.get(self._density, 0.0),
            "sparse_dim": sparse_dim,
            "dense_dim": len(size) - sparse_dim,
            "is_hybrid": len(size) > sparse_dim,
            "dtype": str(self._dtype),
        }


def _product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result
