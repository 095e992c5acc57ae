"""Parameters and values that are out of range: the error names the parameter, its constraint and the values; nothing else
happens."""

import copy
import pickle

import pytest
import torch
import torch.distributions as D  # noqa: N812 - as everyone has it

GOOD = {
    "Beta": {"concentration1": 1.0, "concentration0": 2.0},
    "Cauchy": {"loc": 0.0, "scale": 1.0},
    "Chi2": {"df": 2.0},
    "Exponential": {"rate": 2.0},
    "FisherSnedecor": {"df1": 2.0, "df2": 3.0},
    "Gamma": {"concentration": 2.0, "rate": 3.0},
    "GeneralizedPareto": {"loc": 0.0, "scale": 1.0, "concentration": 0.1},
    "Gumbel": {"loc": 0.0, "scale": 1.0},
    "HalfCauchy": {"scale": 1.0},
    "HalfNormal": {"scale": 1.0},
    "InverseGamma": {"concentration": 2.0, "rate": 3.0},
    "Kumaraswamy": {"concentration1": 1.0, "concentration0": 2.0},
    "LKJCholesky": {"dim": 3, "concentration": 2.0},
    "Laplace": {"loc": 0.0, "scale": 1.0},
    "LogNormal": {"loc": 0.0, "scale": 1.0},
    "Normal": {"loc": 0.0, "scale": 1.0},
    "Pareto": {"scale": 1.0, "alpha": 2.0},
    "StudentT": {"df": 3.0, "loc": 0.0, "scale": 1.0},
    "VonMises": {"loc": 0.0, "concentration": 1.0},
    "Weibull": {"scale": 1.0, "concentration": 2.0},
}
POSITIVE = [
    (name, parameter)
    for name, good in GOOD.items()
    for parameter in good
    if getattr(D, name).arg_constraints.get(parameter) is D.constraints.positive
]


@pytest.mark.parametrize("name, parameter", POSITIVE)
@pytest.mark.parametrize("bad", [-1.5, 0.0, float("nan")])
def test_positive_parameters(name, parameter, bad):
    of = getattr(D, name)
    values = torch.tensor([2.0, bad])
    before = values.clone()
    with pytest.raises(ValueError, match=r"Expected parameter \w+ \(Tensor of shape \(2,\)\) of distribution") as error:
        of(**{**GOOD[name], parameter: values})
    text = str(error.value)
    assert "GreaterThan(lower_bound=0.0)" in text and str(values) in text
    assert torch.equal(values, before) or bad != bad
    if name in ("HalfCauchy", "HalfNormal"):  # bases are not asked
        assert f"of distribution {name}(" in text
    d = of(**{**GOOD[name], parameter: values}, validate_args=False)  # who does not want to be asked is not
    assert d.batch_shape == (2,)


@pytest.mark.parametrize("name", GOOD)
def test_values_and_shapes(name):
    d = getattr(D, name)(**GOOD[name])
    with pytest.raises(TypeError if name in ("Gamma", "Chi2") else ValueError):  # Gamma takes numbers
        d.log_prob("a")
    if d.event_shape == ():
        with pytest.raises(ValueError, match="to be within the support"):
            d.log_prob(torch.tensor(float("nan")))
    shape = (3, *d.event_shape)
    with pytest.raises(ValueError, match="not broadcastable"):
        d.expand((2,)).log_prob(torch.ones(shape) * 0.5)


@pytest.mark.parametrize("name", GOOD)
def test_copies_and_pickles(name):
    d = getattr(D, name)(**GOOD[name])
    value = d.sample((3,))
    expected = d.log_prob(value)
    for other in (copy.deepcopy(d), pickle.loads(pickle.dumps(d)), d.expand((1,)).expand((1,))):
        assert torch.allclose(other.log_prob(value.unsqueeze(1) if other.batch_shape else value).flatten(), expected)
        assert type(other) is type(d) and repr(other)


def test_subclasses_say_how_they_are_expanded():
    class Own(D.LogNormal):
        def __init__(self):
            super().__init__(0.0, 1.0)

    with pytest.raises(NotImplementedError, match="must also define a custom .expand"):
        Own().expand((2,))

    class Plain(D.LogNormal):
        pass

    assert type(Plain(0.0, 1.0).expand((2,))) is Plain


def test_registries_refuse():
    with pytest.raises(NotImplementedError, match="Cannot transform _OneHot constraints"):
        D.biject_to(D.constraints.one_hot)
    with pytest.raises(TypeError, match="Expected constraint to be either a Constraint subclass or instance"):
        D.biject_to.register(3, lambda c: None)

    class Even(D.constraints.Constraint):
        pass

    @D.constraint_registry.transform_to.register(Even())
    def _to_even(constraint):
        return D.AffineTransform(0.0, 2.0)

    assert D.transform_to(Even())(torch.tensor(3.0)) == 6


def test_vectors_of_triangles():
    for diag in (-2, -1, 0, 1):
        matrix = torch.arange(16.0).reshape(4, 4) + 1
        vector = D.utils.tril_matrix_to_vec(matrix, diag)
        rows, columns = torch.tril_indices(4, 4, diag)
        assert torch.equal(vector, matrix[rows, columns])
        if diag <= 0:
            assert torch.equal(D.utils.vec_to_tril_matrix(vector, diag), matrix.tril(diag))
    with pytest.raises(ValueError, match="cannot be expressed as the lower triangular part"):
        D.utils.vec_to_tril_matrix(torch.ones(5))
    with pytest.raises(ValueError, match=r"diag \(4\) provided is outside \[-4, 3\]"):
        D.utils.tril_matrix_to_vec(torch.ones(4, 4), 4)
