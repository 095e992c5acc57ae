"""Every distribution, transform, registry and divergence: numbers, texts and errors as PyTorch answered them."""

import json
import math
import pathlib
import warnings

import pytest
from family_cases import families

TOLD = json.loads((pathlib.Path(__file__).resolve().parent / "data/families.json").read_text())
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    FOUND = families()


# {line or its beginning: what of it differs, and why}
OTHERWISE = {
    "D.Beta(T(0.0), 1.0)": ({""}, "the error names Beta and the parameter that was given"),
    "D.GeneralizedPareto(": (
        {
            "d.log_survival_function(T(1.2))",
            "d.log_prob(v)",
            "d.cdf(v)",
            "d.expand((2, *d.batch_shape)).log_prob(v).shape",
        },
        "PyTorch compares float64 concentrations with a float32 zero, and raises",
    ),
    "D.Geometric(": ({"d.param_shape"}, "PyTorch has logits and probs there, and not this"),
    "D.Kumaraswamy(": ({"d.mode"}, "PyTorch takes log1p of -concentration: always NaN"),
    "D.MixtureSameFamily(D.Categorical(T([0.3, 0.7])), D.Normal(": (
        {"d.sample().shape", "d.sample((2,)).shape", "d.sample([2, 3]).dtype"},
        "weights that broadcast with the batch: PyTorch raises from gather",
    ),
    "D.Multinomial(": ({"d.expand((2, *d.batch_shape)).entropy().shape"}, "PyTorch's expand forgets a field"),
    "D.VonMises(": ({"d.variance", "d.stddev", "d.log_prob(v)"}, "PyTorch's Bessel functions have few digits"),
    "kl D.LowRankMultivariateNormal(T([0.0": (
        {"D.MultivariateNormal(T([0.0, 0.0, 1.0]), COV)"},
        "batches that broadcast: PyTorch raises from expand",
    ),
}


def otherwise(line):
    return set().union(*(members for start, (members, _) in OTHERWISE.items() if line.startswith(start)))


def near(a, b, digits):
    return math.isclose(a, b, rel_tol=digits, abs_tol=digits) or (a != a and b != b)


def agree(found, told, digits):
    """Whether two answers are equal: tensors to `digits`, of errors the type, and the text of PyTorch's own refusals."""
    if isinstance(told, list):
        return len(found) == len(told) and all(agree(a, b, digits) for a, b in zip(found, told))
    if not (isinstance(told, str) and isinstance(found, str)):
        return found == told
    if told.startswith("!"):
        kind = told.split(":")[0]
        return found == told if kind == "!ValueError" else found.split(":")[0] == kind
    head, _, numbers = told.partition(": ")
    found_head, _, found_numbers = found.partition(": ")
    if not head.startswith(("float", "int", "bool")) or head != found_head:
        return found == told
    digits = 1e-6 if head.startswith("float32") else digits
    pairs = zip(found_numbers.split(), numbers.split(), strict=True)
    return all(near(float(a), float(b), digits) for a, b in pairs)


@pytest.mark.parametrize("line", TOLD)
def test_answers(line):
    told, found, known = TOLD[line], FOUND[line], otherwise(line)
    differing = {m: (found.get(m), told[m]) for m in told if m not in found or not agree(found[m], told[m], 2e-11)}
    assert not {m: both for m, both in differing.items() if m not in known}
    assert set(found) - known == set(told) - known


@pytest.mark.parametrize("start", OTHERWISE)
def test_what_differs_does(start):
    """No entry of OTHERWISE outlives its reason."""
    lines = [line for line in TOLD if line.startswith(start)]
    for member in OTHERWISE[start][0]:
        assert any(m == member and not agree(FOUND[x].get(m), TOLD[x][m], 2e-11) for x in lines for m in TOLD[x]), (
            member
        )


def test_bessel_functions_are_near_enough():
    """Where PyTorch has few digits, they are the same."""
    lines = [line for line in TOLD if line.startswith("D.VonMises(")]
    assert all(agree(FOUND[x][m], TOLD[x][m], 1e-5) for x in lines for m in TOLD[x])
