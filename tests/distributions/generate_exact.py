"""Writes data/exact.json: how deviates of the gamma and Dirichlet distributions move with their parameters, by mpmath with 30
digits; and what SciPy says of distributions.

cd tests/distributions && PYTHON_WITH_SCIPY_AND_MPMATH generate_exact.py
"""

import json
import pathlib

import mpmath
from exact_cases import BETAS, GAMMAS, SCIPY, points
from scipy import stats

mpmath.mp.dps = 30


def slope(function, parameter, x, density):
    """-(∂F/∂a) / f"""
    return float(-mpmath.diff(function, parameter) / density(x))


def gamma(a, p):
    """(x, dx/da) where about the part p lies below."""
    a, x = mpmath.mpf(a), mpmath.mpf(float(stats.gamma.ppf(p, a)))
    density = mpmath.exp((a - 1) * mpmath.log(x) - x - mpmath.loggamma(a))
    return float(x), slope(lambda s: mpmath.gammainc(s, 0, x, regularized=True), a, x, lambda _: density)


def beta(a, b, p):
    """(x, dx/da / (1 - x))"""
    a, b = mpmath.mpf(a), mpmath.mpf(b)
    x = mpmath.mpf(float(stats.beta.ppf(p, float(a), float(b))))
    density = x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b)
    return float(x), slope(lambda s: mpmath.betainc(s, b, 0, x, regularized=True), a, x, lambda _: density) / float(
        1 - x
    )


def told(text, discrete):
    """log-density, distribution function, mean, variance and entropy."""
    d = eval(text, {"stats": stats})
    x = points(discrete)
    log = d.logpmf(x) if discrete else d.logpdf(x)
    return [list(log), list(d.cdf(x)), float(d.mean()), float(d.var()), float(d.entropy())]


found = {
    "gamma": [[a, *gamma(a, p)] for a in GAMMAS for p in (0.02, 0.3, 0.6, 0.99)],
    "beta": [[a, b, *beta(a, b, p)] for a, b in BETAS for p in (0.02, 0.3, 0.6, 0.99)],
    "scipy": {ours: told(theirs, discrete) for ours, (theirs, discrete) in SCIPY.items()},
}
path = pathlib.Path(__file__).parent / "data/exact.json"
path.write_text(json.dumps(found).replace("], [", "],\n[").replace(']], "', ']],\n"').replace('], "D', '],\n"D') + "\n")
