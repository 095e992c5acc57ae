"""UnaryOpSparseFuzzer: an operator's one sparse tensor."""

import torch
from torch.utils.benchmark.op_fuzzers import _sparse
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, Fuzzer, ParameterAlias  # noqa: F401
from torch.utils.benchmark.utils.sparse_fuzzer import FuzzedSparseTensor  # noqa: F401


class UnaryOpSparseFuzzer(Fuzzer):
    """Gives `x`."""

    def __init__(self, seed, dtype=None, cuda=False):
        tensor = _sparse.tensor("x", ("k0", "k1", "k2"), dtype or torch.float32, cuda)
        super().__init__(parameters=_sparse.parameters(), tensors=[tensor], seed=seed)
