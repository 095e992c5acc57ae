"""What several fuzzers draw."""

from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, ParameterAlias

MIN_DIM_SIZE = 16
MAX_DIM_SIZE = 16 * 1024**2
_STEPS = {1: 0.8, 2: 0.06, 4: 0.06, 8: 0.04, 16: 0.04}


def powers_of_two(low, high):
    """From low to high, with the same probability each."""
    sizes, size = [], low
    while size <= high:
        sizes.append(size)
        size *= 2
    return {size: 1.0 / len(sizes) for size in sizes}


def dimensions():
    """How many dimensions, and how long: any length, or a power of two."""
    powers = powers_of_two(MIN_DIM_SIZE, MAX_DIM_SIZE)
    return [
        FuzzedParameter("dim", distribution={1: 0.3, 2: 0.4, 3: 0.3}, strict=True),
        [FuzzedParameter(f"k_any_{i}", MIN_DIM_SIZE, MAX_DIM_SIZE, "loguniform") for i in range(3)],
        [FuzzedParameter(f"k_pow2_{i}", distribution=powers) for i in range(3)],
        [
            FuzzedParameter(
                f"k{i}",
                distribution={ParameterAlias(f"k_any_{i}"): 0.8, ParameterAlias(f"k_pow2_{i}"): 0.2},
                strict=True,
            )
            for i in range(3)
        ],
    ]


def steps(*names):
    """Of the strides: mostly 1."""
    return [FuzzedParameter(f"{name}_{i}", distribution=_STEPS) for i in range(3) for name in names]


def seed():
    """A number for whoever wants to draw more."""
    return FuzzedParameter("random_value", 0, 2**32 - 1, "uniform")
