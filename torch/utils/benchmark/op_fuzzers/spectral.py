"""SpectralOpFuzzer: tensors for Fourier transforms, whose lengths are products of small primes."""

import math

import torch
from torch.utils import benchmark
from torch.utils.benchmark.op_fuzzers import _shapes
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, FuzzedTensor, ParameterAlias

__all__ = ["SpectralOpFuzzer"]

MIN_DIM_SIZE = 16
MAX_DIM_SIZE = 16 * 1024


def power_range(upper_bound, base):
    """1, base, base squared … up to the bound."""
    return (base**i for i in range(int(math.log(upper_bound, base)) + 1))


REGULAR_SIZES = sorted(
    i * j * k
    for i in power_range(MAX_DIM_SIZE, 2)
    for j in power_range(MAX_DIM_SIZE // i, 3)
    for k in power_range(MAX_DIM_SIZE // (i * j), 5)
    if i * j * k > MIN_DIM_SIZE
)


class SpectralOpFuzzer(benchmark.Fuzzer):
    """Gives `x`. `probability_regular`: of lengths that are products of 2, 3 and 5."""

    def __init__(self, *, seed, dtype=torch.float64, cuda=False, probability_regular=1.0):
        regular = dict.fromkeys(REGULAR_SIZES, 1.0 / len(REGULAR_SIZES))
        super().__init__(
            parameters=[
                FuzzedParameter("ndim", distribution={1: 0.3, 2: 0.4, 3: 0.3}, strict=True),
                [FuzzedParameter(f"k_any_{i}", MIN_DIM_SIZE, MAX_DIM_SIZE, "loguniform") for i in range(3)],
                [FuzzedParameter(f"k_regular_{i}", distribution=regular) for i in range(3)],
                [
                    FuzzedParameter(
                        f"k{i}",
                        distribution={
                            ParameterAlias(f"k_regular_{i}"): probability_regular,
                            ParameterAlias(f"k_any_{i}"): 1 - probability_regular,
                        },
                        strict=True,
                    )
                    for i in range(3)
                ],
                _shapes.steps("step"),
            ],
            tensors=[
                FuzzedTensor(
                    name="x",
                    size=("k0", "k1", "k2"),
                    steps=("step_0", "step_1", "step_2"),
                    probability_contiguous=0.75,
                    min_elements=4 * 1024,
                    max_elements=32 * 1024**2,
                    max_allocation_bytes=2 * 1024**3,
                    dim_parameter="ndim",
                    dtype=dtype,
                    cuda=cuda,
                )
            ],
            seed=seed,
        )
