"""UnaryOpFuzzer: an operator's one tensor."""

import torch
from torch.utils.benchmark.op_fuzzers import _shapes
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, FuzzedTensor, Fuzzer, ParameterAlias  # noqa: F401

_MIN_DIM_SIZE, _MAX_DIM_SIZE = _shapes.MIN_DIM_SIZE, _shapes.MAX_DIM_SIZE
_POW_TWO_SIZES = tuple(_shapes.powers_of_two(_MIN_DIM_SIZE, _MAX_DIM_SIZE))


class UnaryOpFuzzer(Fuzzer):
    """Gives `x`."""

    def __init__(self, seed, dtype=torch.float32, cuda=False):
        super().__init__(
            parameters=[*_shapes.dimensions(), _shapes.steps("x_step"), _shapes.seed()],
            tensors=[
                FuzzedTensor(
                    name="x",
                    size=("k0", "k1", "k2"),
                    steps=("x_step_0", "x_step_1", "x_step_2"),
                    probability_contiguous=0.75,
                    min_elements=4 * 1024,
                    max_elements=32 * 1024**2,
                    max_allocation_bytes=2 * 1024**3,
                    dim_parameter="dim",
                    dtype=dtype,
                    cuda=cuda,
                )
            ],
            seed=seed,
        )
