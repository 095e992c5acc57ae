"""BinaryOpSparseFuzzer: an operator's two sparse tensors of one shape."""

import torch
from torch.utils.benchmark.op_fuzzers import _sparse
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, Fuzzer, ParameterAlias
from torch.utils.benchmark.utils.sparse_fuzzer import FuzzedSparseTensor  # noqa: F401


class BinaryOpSparseFuzzer(Fuzzer):
    """Gives `x` and `y`."""

    def __init__(self, seed, dtype=torch.float32, cuda=False):
        same = [FuzzedParameter(f"y_k{i}", distribution={ParameterAlias(f"k{i}"): 1.0}, strict=True) for i in range(3)]
        super().__init__(
            parameters=_sparse.parameters(same),
            tensors=[
                _sparse.tensor("x", ("k0", "k1", "k2"), dtype, cuda),
                _sparse.tensor("y", ("y_k0", "y_k1", "y_k2"), dtype, cuda),
            ],
            seed=seed,
        )
