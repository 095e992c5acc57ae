"""What fuzzers of sparse tensors draw besides."""

from torch.utils.benchmark.op_fuzzers import _shapes
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter
from torch.utils.benchmark.utils.sparse_fuzzer import FuzzedSparseTensor


def parameters(*more):
    """Dimensions, and how many elements there are."""
    (_, *lengths) = _shapes.dimensions()
    return [
        FuzzedParameter("dim_parameter", distribution={1: 0.3, 2: 0.4, 3: 0.3}, strict=True),
        FuzzedParameter("sparse_dim", distribution={1: 0.4, 2: 0.4, 3: 0.2}, strict=True),
        *lengths,
        *more,
        FuzzedParameter("density", distribution={0.1: 0.4, 0.05: 0.3, 0.01: 0.3}),
        FuzzedParameter("coalesced", distribution={True: 0.5, False: 0.5}),
        _shapes.seed(),
    ]


def tensor(name, size, dtype, cuda):
    """Of these lengths."""
    return FuzzedSparseTensor(
        name=name,
        size=size,
        dim_parameter="dim_parameter",
        sparse_dim="sparse_dim",
        min_elements=4 * 1024,
        max_elements=32 * 1024**2,
        density="density",
        coalesced="coalesced",
        dtype=dtype,
        cuda=cuda,
    )
