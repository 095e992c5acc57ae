"""Densities as SciPy has them, and the slopes of deviates as mpmath finds them with 30 digits (generate_exact.py)."""

import json
import math
import pathlib

import pytest
import torch
import torch.distributions as D  # noqa: N812 - as everyone has it
from distribution_cases import T
from exact_cases import SCIPY, points

TOLD = json.loads((pathlib.Path(__file__).resolve().parent / "data/exact.json").read_text())


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def near(found, told, digits=1e-9):
    return math.isclose(found, told, rel_tol=digits, abs_tol=digits) or (found != found and told != told)


@pytest.mark.parametrize("constructor", SCIPY)
def test_scipy_agrees(constructor):
    d = eval(constructor, {"D": D, "T": T})
    log_prob, cdf, mean, variance, entropy = TOLD["scipy"][constructor]
    x = T(points(SCIPY[constructor][1]))
    assert all(map(near, d.log_prob(x).tolist(), log_prob))
    try:
        assert all(map(near, d.cdf(x).tolist(), cdf))
    except NotImplementedError:
        pass
    if math.isfinite(mean):
        assert near(d.mean.item(), mean)
    if math.isfinite(variance) and not isinstance(d, D.VonMises):  # of angles: another definition
        assert near(d.variance.item(), variance)
    try:
        assert near(d.entropy().item(), entropy, 1e-6)
    except NotImplementedError:
        pass


@pytest.mark.parametrize("a, x, slope", TOLD["gamma"])
def test_slope_of_gamma_deviates(a, x, slope):
    found = torch._standard_gamma_grad(T(a), T(x)).item()
    assert near(found, slope, 1e-9)
    single = torch._standard_gamma_grad(T(a, dtype=torch.float32), T(x, dtype=torch.float32)).item()
    assert math.isclose(single, slope, rel_tol=1e-4, abs_tol=1e-30)


@pytest.mark.parametrize("a, b, x, slope", TOLD["beta"])
def test_slope_of_dirichlet_deviates(a, b, x, slope):
    assert near(torch._dirichlet_grad(T(x), T(a), T(a + b)).item(), slope, 1e-8)


def test_slopes_beyond():
    """Of large shapes a normal approximation stands in; there is no step where it begins."""
    for a in (9999.0, 10001.0, 1e8):
        for z in (-3.0, 0.0, 3.0):
            expected = 1 + z / (2 * a**0.5) - (z**3 - 7 * z) / (72 * a**1.5)  # Cornish and Fisher
            x = a + z * a**0.5 + (z**2 - 1) / 3 + (z**3 - 7 * z) / (36 * a**0.5)
            assert near(torch._standard_gamma_grad(T(a), T(x)).item(), expected, 1e-6)
    assert torch._standard_gamma_grad(T([-1.0, math.nan, 2.0]), T([1.0, 1.0, math.nan])).isnan().all()
    assert torch._standard_gamma_grad(T(2.0), T(0.0)) == 0
