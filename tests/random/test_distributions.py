"""Random distributions: their moments, that zero probabilities never come, the same numbers for any number of threads.

A statistic may be six standard deviations off: twice in 10^9 at random, and the seeds are fixed.
"""

import copy
import math
import os
import pathlib
import pickle
import subprocess
import sys

import pytest
import torch

N = 100_000
SIGMAS = 6
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
# Half types round their values: to 2^-12 and 2^-9 of themselves, on average to nothing.
ROUNDING = {torch.float16: 2e-3, torch.bfloat16: 1e-2, torch.float32: 0, torch.float64: 0}


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(2718)


def check_mean(sample, mean, deviation, slack=0.0):
    x = sample.double()
    assert abs(x.mean().item() - mean) <= SIGMAS * deviation / math.sqrt(x.numel()) + slack * abs(mean)


def check_moments(sample, mean, deviation, kurtosis, slack=0.0):
    """Mean and variance. The variance's own standard deviation is variance * sqrt((kurtosis - 1) / n)."""
    check_mean(sample, mean, deviation, slack)
    squares = (sample.double() - mean) ** 2
    check_mean(squares, deviation**2, deviation**2 * math.sqrt(kurtosis - 1), 4 * slack)


def check_chance(truth, p):
    check_mean(truth, p, math.sqrt(p * (1 - p)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_exponential(dtype):
    x = torch.empty(N, dtype=dtype).exponential_(4)
    assert x.dtype == dtype and (x > 0).all() and x.isfinite().all()
    check_moments(x, 1 / 4, 1 / 4, 9, ROUNDING[dtype])
    for t in (0.1, 0.5, 1.5):
        limit = torch.tensor(t, dtype=dtype).item()
        if dtype in (torch.float32, torch.float64):
            check_chance(x > limit, math.exp(-4 * limit))


@pytest.mark.parametrize("dtype", FLOATS)
def test_cauchy(dtype):
    x = torch.empty(N, dtype=dtype).cauchy_(2, 3).double()
    assert not x.isnan().any()
    for t in (-10.0, -1.0, 1.0, 2.5, 5.0, 100.0):
        p = 0.5 + math.atan((t - 2) / 3) / math.pi
        x_below = (x < t).double().mean().item()
        assert abs(x_below - p) <= SIGMAS * math.sqrt(p * (1 - p) / N) + ROUNDING[dtype]


@pytest.mark.parametrize("dtype", FLOATS)
def test_log_normal(dtype):
    x = torch.empty(N, dtype=dtype).log_normal_(0.5, 0.25)
    assert (x > 0).all()
    check_moments(x.double().log(), 0.5, 0.25, 3, ROUNDING[dtype])


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, *FLOATS])
def test_geometric(dtype):
    x = torch.empty(N, dtype=dtype).geometric_(0.4)
    assert x.dtype == dtype and (x >= 1).all()
    check_mean(x, 1 / 0.4, math.sqrt(0.6) / 0.4)
    for k in (1, 2, 3, 7):
        check_chance(x == k, 0.4 * 0.6 ** (k - 1))


def test_geometric_of_small_chances():
    check_mean(torch.empty(N, dtype=torch.float64).geometric_(1e-9) * 1e-9, 1, 1)
    assert torch.empty(100, dtype=torch.int8).geometric_(1e-9).eq(127).all()  # what it cannot hold


@pytest.mark.parametrize("rate", [0.01, 0.5, 3.0, 9.99, 10.0, 12.5, 40.0, 1000.0, 1e6, 1e12])
def test_poisson(rate):
    x = torch.poisson(torch.full((N,), rate, dtype=torch.float64))
    assert x.eq(x.floor()).all() and (x >= 0).all()
    check_moments(x, rate, math.sqrt(rate), 3 + 1 / rate)
    if rate < 100:
        for k in range(math.floor(rate) - 2, math.floor(rate) + 4):
            if k >= 0:
                check_chance(x == k, math.exp(k * math.log(rate) - rate - math.lgamma(k + 1)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_poisson_has_a_rate_for_each_element(dtype):
    rates = torch.tensor([0.0, 1.0, 20.0], dtype=dtype).expand(20_000, 3)
    x = torch.poisson(rates)
    assert x.dtype == dtype and x.shape == rates.shape and x[:, 0].eq(0).all()
    check_mean(x[:, 1], 1, 1)
    check_mean(x[:, 2], 20, math.sqrt(20))


@pytest.mark.parametrize("n", [1, 7, 50, 1000, 10**9])
@pytest.mark.parametrize("p", [0.001, 0.2, 0.5, 0.8, 0.995])
def test_binomial(n, p):
    count = torch.full((N,), float(n), dtype=torch.float64)
    x = torch.binomial(count, torch.full((N,), p, dtype=torch.float64))
    assert x.eq(x.floor()).all() and (x >= 0).all() and (x <= n).all()
    variance = n * p * (1 - p)
    check_moments(x, n * p, math.sqrt(variance), 3 + (1 - 6 * p * (1 - p)) / variance)
    if n <= 1000:
        for k in {max(0, round(n * p) - 1), round(n * p), min(n, round(n * p) + 2)}:
            check_chance(x == k, math.comb(n, k) * p**k * (1 - p) ** (n - k))


def test_normal_of_tensors():
    mean = torch.tensor([0.0, 10.0, -3.0]).expand(N, 3)
    std = torch.tensor([1.0, 0.5, 4.0])
    for sample in (torch.normal(mean, std), torch.normal(mean, std.double())):
        assert sample.dtype == torch.float32 and sample.shape == (N, 3)
        for column, (m, s) in enumerate(((0.0, 1.0), (10.0, 0.5), (-3.0, 4.0))):
            check_moments(sample[:, column], m, s, 3)
    check_moments(torch.normal(5, torch.full((N,), 2.0)), 5, 2, 3)
    check_moments(torch.normal(torch.full((N,), 5.0), 2), 5, 2, 3)
    check_moments(torch.normal(5, 2, (N,)), 5, 2, 3)


@pytest.mark.parametrize("dtype", FLOATS)
def test_multinomial_with_replacement(dtype):
    weights = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 3.0, 0.0, 1.0]], dtype=dtype)
    x = torch.multinomial(weights, N, replacement=True)
    assert x.shape == (2, N) and x.dtype == torch.int64
    for row, chances in enumerate(((1 / 8, 0, 2 / 8, 5 / 8), (0, 3 / 4, 0, 1 / 4))):
        for category, p in enumerate(chances):
            drawn = x[row] == category
            check_chance(drawn, p) if p else check_never(drawn)


def check_never(truth):
    assert not truth.any()


def test_multinomial_without_replacement():
    weights = torch.tensor([1.0, 0.0, 2.0, 5.0])
    x = torch.multinomial(weights.expand(N, 4), 3)
    assert x.sort()[0].eq(torch.tensor([0, 2, 3])).all()
    for i in (0, 2, 3):  # the first, then the second among what is left
        p = weights[i].item() / 8
        check_chance(x[:, 0] == i, p)
        for j in {0, 2, 3} - {i}:
            check_chance((x[:, 0] == i) & (x[:, 1] == j), p * weights[j].item() / (8 - weights[i].item()))


def test_multinomial_of_many_categories():
    x = torch.multinomial(torch.ones(3000), 3000)
    assert x.sort()[0].equal(torch.arange(3000)) and not x.equal(torch.arange(3000))
    check_mean(torch.multinomial(torch.arange(3001.0), N, True), 2000.333, 708)


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 1.0])
def test_bernoulli(p):
    for sample in (
        torch.zeros(N).bernoulli_(p),
        torch.zeros(N, dtype=torch.int8).bernoulli_(torch.tensor(p)),
        torch.bernoulli(torch.full((N,), p)),
        torch.bernoulli(torch.zeros(N), p),
    ):
        check_mean(sample, p, math.sqrt(p * (1 - p)))


def test_integers_of_all_64_bits():
    x = torch.zeros(N, dtype=torch.int64).random_(-(2**63), None)
    for bit in range(64):
        check_chance(((x >> bit) & 1).eq(1), 0.5)
    y = torch.zeros(N, dtype=torch.int64).random_(2**63 - 3, None)
    for k in (1, 2, 3):
        check_chance(y == 2**63 - k, 1 / 3)


SAMPLES = """
import torch
def samples(generator=None):
    n, g = 70001, generator
    e = lambda dtype=torch.float32: torch.empty(n, dtype=dtype)
    w = torch.arange(1.0, n + 1)
    return [
        e().cauchy_(generator=g), e(torch.float64).cauchy_(generator=g), e().exponential_(generator=g),
        e(torch.float64).exponential_(generator=g), e(torch.float16).log_normal_(generator=g),
        e(torch.float64).log_normal_(generator=g), e(torch.int16).geometric_(0.01, generator=g),
        torch.poisson(w % 30, g), torch.binomial(w % 50, (w % 7) / 7, g), torch.normal(w, w, generator=g),
        torch.multinomial(w, 100, generator=g), torch.multinomial(w, n, True, generator=g),
        torch.multinomial(w[:7000].view(-1, 7), 3, generator=g), torch.bernoulli((w % 3) / 3, generator=g),
        torch.zeros(n, dtype=torch.int64).random_(-(2**63), None, generator=g),
    ]
"""
scope = {}
exec(SAMPLES, scope)
samples = scope["samples"]


def test_the_seed_decides():
    torch.manual_seed(7)
    first = samples()
    torch.manual_seed(7)
    assert all(a.equal(b) for a, b in zip(first, samples()))
    again = samples(torch.Generator().manual_seed(7))
    assert all(a.equal(b) for a, b in zip(first, again))
    assert not any(a.equal(b) for a, b in zip(first, samples()))


def test_threads_do_not_matter():
    home = pathlib.Path(torch.__file__).parents[1]
    program = SAMPLES + "torch.manual_seed(1)\nfor x in samples():\n    print(hash(tuple(x.flatten().tolist())))\n"
    outputs = set()
    for threads in ("1", "3"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "PYTHONPATH": str(home)}
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1 and len(outputs.pop().split()) == len(samples())


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_a_copy_of_a_generator_goes_on_alone(copied):
    g = torch.Generator().manual_seed(11)
    torch.rand(7, generator=g)
    h = copied(g)
    a = torch.rand(5, generator=g)
    assert a.equal(torch.rand(5, generator=h)) and h.initial_seed() == 11
    k = g.clone_state()
    torch.rand(5, generator=k)
    assert torch.rand(5, generator=g).equal(torch.rand(5, generator=h))


def test_the_state_goes_back():
    g = torch.Generator().manual_seed(5)
    torch.rand(13, generator=g)
    state = g.get_state()
    kept = state.clone()
    first = samples(g)
    assert state.equal(kept) and not g.get_state().equal(state)  # a state is a copy
    g.set_state(state)
    assert all(a.equal(b) for a, b in zip(first, samples(g))) and g.initial_seed() == 5
    torch.manual_seed(6)
    torch.randn(3)
    state = torch.get_rng_state()
    first = samples()
    torch.set_rng_state(state)
    assert all(a.equal(b) for a, b in zip(first, samples())) and torch.initial_seed() == 6
    other = torch.Generator()
    other.set_state(state)
    assert all(a.equal(b) for a, b in zip(first, samples(other)))


@pytest.mark.parametrize("wrong", [torch.zeros(3, dtype=torch.uint8), torch.zeros(16), torch.zeros(0), 3, None, "x"])
def test_wrong_states_change_nothing(wrong):
    g = torch.Generator().manual_seed(1)
    state = g.get_state()
    for function in (g.set_state, torch.set_rng_state):
        with pytest.raises((TypeError, RuntimeError, AttributeError)):
            function(wrong)
    assert g.get_state().equal(state)


def test_fork_rng_leaves_no_trace():
    torch.manual_seed(3)
    with torch.random.fork_rng():
        torch.manual_seed(5)
        torch.rand(3)
    expected = torch.Generator().manual_seed(3)
    assert torch.rand(4).equal(torch.rand(4, generator=expected))
    with pytest.raises(KeyError), torch.random.fork_rng():
        torch.manual_seed(8)
        raise KeyError
    assert torch.rand(4).equal(torch.rand(4, generator=expected))


def test_errors_change_nothing():
    g = torch.Generator().manual_seed(1)
    state = g.get_state()
    x = torch.ones(3)
    for call in (
        lambda: x.cauchy_(0, -1, generator=g),
        lambda: x.exponential_(0, generator=g),
        lambda: x.geometric_(2, generator=g),
        lambda: x.log_normal_(0, 0, generator=g),
        lambda: x.bernoulli_(torch.tensor(3.0), generator=g),
        lambda: torch.multinomial(torch.tensor([-1.0, 2]), 1, generator=g),
        lambda: torch.poisson(torch.tensor([-1.0]), g),
        lambda: torch.normal(x, -x, generator=g, out=x),
    ):
        with pytest.raises(RuntimeError):
            call()
    assert x.eq(1).all() and g.get_state().equal(state)
