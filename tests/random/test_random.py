"""Random numbers: the right distributions, the same for the same seed, whatever the number of threads.

The stream itself is our own; nothing here expects PyTorch's.
"""

import math
import os
import pathlib
import subprocess
import sys

import pytest
import torch

N = 200_000
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(12345)


def moments(sample):
    """Mean, variance, skewness and kurtosis."""
    x = sample.double()
    mean = x.mean()
    centred = x - mean
    variance = (centred**2).mean()
    return (
        mean.item(),
        variance.item(),
        ((centred**3).mean() / variance**1.5).item(),
        ((centred**4).mean() / variance**2).item(),
    )


def everything(generator=None):
    """One sample from each function."""
    return [
        torch.rand(1000, generator=generator),
        torch.randn(1000, generator=generator),
        torch.rand(7, 9, dtype=torch.float64, generator=generator),
        torch.randint(0, 1000, (500,), generator=generator),
        torch.randperm(300, generator=generator),
        torch.randn(3, dtype=torch.float16, generator=generator),
    ]


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform(dtype):
    x = torch.rand(N, dtype=dtype)
    assert x.dtype == dtype and x.min() >= 0 and x.max() < 1
    mean, variance, skewness, kurtosis = moments(x)
    assert abs(mean - 0.5) < 0.006 and abs(variance - 1 / 12) < 0.002
    assert abs(skewness) < 0.03 and abs(kurtosis - 1.8) < 0.03


@pytest.mark.parametrize("dtype", FLOATS)
def test_normal(dtype):
    x = torch.randn(N, dtype=dtype)
    mean, variance, skewness, kurtosis = moments(x)
    assert abs(mean) < 0.012 and abs(variance - 1) < 0.02
    assert abs(skewness) < 0.04 and abs(kurtosis - 3) < 0.1
    within = [((x.double().abs() < limit).double().mean().item()) for limit in (1, 2, 3)]
    assert within == pytest.approx([math.erf(limit / math.sqrt(2)) for limit in (1, 2, 3)], abs=0.01)
    assert torch.isfinite(x).all()


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float32])
def test_integers(dtype):
    x = torch.randint(3, 13, (N,), dtype=dtype)
    assert x.dtype == dtype
    counts = [(x == value).sum().item() for value in range(3, 13)]
    assert sum(counts) == N
    chi_square = sum((count - N / 10) ** 2 / (N / 10) for count in counts)
    assert chi_square < 33  # nine degrees of freedom: once in ten thousand


def test_integers_of_any_range():
    assert torch.randint(2**40, (1000,)).max() > 2**39
    assert torch.randint(-(2**62), 2**62, (1000,)).min() < -(2**60)
    assert torch.randint(-5, -4, (10,)).tolist() == [-5] * 10
    assert set(torch.randint(2, (100,)).tolist()) == {0, 1}


def test_neighbours_are_independent():
    x = torch.rand(N, dtype=torch.float64) - 0.5
    for lag in (1, 2, 4, 8, 16, 100):
        assert abs((x[lag:] * x[:-lag]).mean().item() * 12) < 0.015


@pytest.mark.parametrize("n", [0, 1, 2, 10, 1000, 70_000])
def test_permutation(n):
    p = torch.randperm(n)
    assert p.dtype == torch.int64 and p.sort().values.equal(torch.arange(n))
    if n >= 1000:
        assert not p.equal(torch.arange(n)) and not p.equal(torch.randperm(n))


def test_permutations_are_all_alike():
    seen = {}
    for _ in range(6000):
        key = tuple(torch.randperm(3).tolist())
        seen[key] = seen.get(key, 0) + 1
    assert len(seen) == 6 and all(850 < count < 1150 for count in seen.values())


def test_the_seed_decides():
    torch.manual_seed(7)
    first = everything()
    torch.manual_seed(7)
    second = everything()
    torch.manual_seed(8)
    third = everything()
    assert all(a.equal(b) for a, b in zip(first, second))
    assert not any(a.equal(b) for a, b in zip(first[:5], third[:5]))
    assert torch.initial_seed() == 8


def test_the_stream_goes_on():
    a, b = torch.rand(10), torch.rand(10)
    assert not a.equal(b)


@pytest.mark.parametrize("seed", [0, 1, -1, 2**31, 2**63 - 1, -(2**63)])
def test_any_seed(seed):
    torch.manual_seed(seed)
    a = torch.rand(5)
    assert a.equal((torch.manual_seed(seed), torch.rand(5))[1])


def test_generators_are_independent():
    mine, other = torch.Generator().manual_seed(1), torch.Generator().manual_seed(1)
    before = torch.Generator().manual_seed(1)
    torch.manual_seed(5)
    expected = torch.rand(4)
    torch.manual_seed(5)
    sample = everything(mine)
    assert torch.rand(4).equal(expected)  # the default generator has not moved
    assert all(a.equal(b) for a, b in zip(sample, everything(other)))
    assert torch.rand(1000, generator=before).equal(sample[0])
    assert mine.initial_seed() == 1


def test_default_generator_follows_the_seed():
    g = torch.Generator()
    g.manual_seed(99)
    torch.manual_seed(99)
    assert torch.rand(20).equal(torch.rand(20, generator=g))


def test_like_functions():
    base = torch.zeros(3, 4, dtype=torch.float64)
    assert torch.rand_like(base).dtype == torch.float64 and torch.randn_like(base).shape == (3, 4)
    torch.manual_seed(3)
    a = torch.rand_like(base)
    torch.manual_seed(3)
    assert a.equal(torch.rand(3, 4, dtype=torch.float64))


def test_out():
    target = torch.zeros(2, 5)
    torch.manual_seed(3)
    assert torch.rand(2, 5, out=target) is target
    torch.manual_seed(3)
    assert target.equal(torch.rand(2, 5))


PROGRAM = """
import torch
torch.manual_seed(1)
n = 100003
for sample in (torch.rand(n), torch.randn(n), torch.randint(0, 9999, (n,)), torch.randperm(n), torch.rand(3).double()):
    print(hash(tuple(sample.tolist())))
"""


def test_threads_do_not_matter():
    home = pathlib.Path(torch.__file__).parents[1]
    outputs = set()
    for threads in ("1", "3"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "PYTHONPATH": str(home)}
        outputs.add(
            subprocess.run(
                [sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True
            ).stdout
        )
    assert len(outputs) == 1 and len(outputs.pop().split()) == 5


@pytest.mark.parametrize("draw", ["torch.randn(2, dtype=torch.int64)", "torch.ones(2, dtype=torch.int64).normal_()"])
def test_normal_numbers_are_no_integers(draw):
    with pytest.raises(NotImplementedError, match="\"normal_kernel_cpu\" not implemented for 'Long'"):
        eval(draw)
