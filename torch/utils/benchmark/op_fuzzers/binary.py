"""BinaryOpFuzzer: an operator's two tensors, the second of which may be broadcast."""

import torch
from torch.utils.benchmark.op_fuzzers import _shapes
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, FuzzedTensor, Fuzzer, ParameterAlias

_MIN_DIM_SIZE, _MAX_DIM_SIZE = _shapes.MIN_DIM_SIZE, _shapes.MAX_DIM_SIZE
_POW_TWO_SIZES = tuple(_shapes.powers_of_two(_MIN_DIM_SIZE, _MAX_DIM_SIZE))


class BinaryOpFuzzer(Fuzzer):
    """Gives `x` and `y`."""

    def __init__(self, seed, dtype=torch.float32, cuda=False):
        broadcast = [
            FuzzedParameter(f"y_k{i}", distribution={ParameterAlias(f"k{i}"): 0.8, 1: 0.2}, strict=True)
            for i in range(3)
        ]
        common = {"probability_contiguous": 0.75, "max_allocation_bytes": 2 * 1024**3, "dim_parameter": "dim"}
        common |= {"dtype": dtype, "cuda": cuda}
        super().__init__(
            parameters=[*_shapes.dimensions(), broadcast, _shapes.steps("x_step", "y_step"), _shapes.seed()],
            tensors=[
                FuzzedTensor(
                    name="x",
                    size=("k0", "k1", "k2"),
                    steps=("x_step_0", "x_step_1", "x_step_2"),
                    min_elements=4 * 1024,
                    max_elements=32 * 1024**2,
                    **common,
                ),
                FuzzedTensor(
                    name="y", size=("y_k0", "y_k1", "y_k2"), steps=("y_step_0", "y_step_1", "y_step_2"), **common
                ),
            ],
            seed=seed,
        )
