"""torch.distributions: numbers, texts and errors as PyTorch answered them; draws by their moments; gradients."""

import json
import math
import pathlib
import warnings

import pytest
import torch
import torch.distributions as D  # noqa: N812 - as everyone has it
from distribution_cases import DISTRIBUTIONS, SPACE, rows

TOLD = json.loads((pathlib.Path(__file__).resolve().parent / "data/distributions.json").read_text())
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    FOUND = rows()
# The same class of error, in other words.
OTHER_TEXTS = ("D.kl.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5))",)


def agree(found, told, where):
    if isinstance(told, dict) and "values" in told:
        assert (found["dtype"], found["shape"]) == (told["dtype"], told["shape"]), where
        near = 1e-12 if told["dtype"] == "torch.float64" else 2e-6
        for a, b in zip(found["values"], told["values"], strict=True):
            assert math.isclose(a, b, rel_tol=near, abs_tol=near) or (a != a and b != b), (where, found, told)
    elif isinstance(told, list):
        assert len(found) == len(told), where
        for a, b in zip(found, told, strict=True):
            agree(a, b, where)
    elif isinstance(told, dict) and "error" in told:
        assert found.get("error") == told["error"], (where, found, told)
        if where not in OTHER_TEXTS and told["error"] == "ValueError":
            assert found["text"].split() == told["text"].split(), where  # two of PyTorch's have spaces of their source
    else:
        assert found == told, where


@pytest.mark.parametrize("line", TOLD)
def test_line(line):
    agree(FOUND[line], TOLD[line], line)


@pytest.mark.parametrize("constructor", DISTRIBUTIONS)
def test_draws_have_the_moments(constructor):
    torch.manual_seed(3)
    d = eval(constructor, dict(SPACE))
    count = 20000
    drawn = d.sample((count,))
    assert not drawn.requires_grad and d.support.check(drawn).all()
    if isinstance(d, D.Categorical):
        shares = torch.nn.functional.one_hot(drawn, d.param_shape[-1]).double().mean(0)
        assert (shares - d.probs).abs().max() < 5 * 0.5 / count**0.5
        return
    error = (drawn.double().mean(0) - d.mean).abs() / (d.stddev / count**0.5 + 1e-9)
    assert error.max() < 5
    assert torch.allclose(drawn.double().var(0), d.variance.double(), rtol=0.1, atol=1e-9)


def test_draws_of_vectors_have_the_covariance():
    torch.manual_seed(4)
    covariance = SPACE["COV"]
    for options in ({"covariance_matrix": covariance}, {"precision_matrix": torch.linalg.inv(covariance)}):
        drawn = D.MultivariateNormal(torch.zeros(3, dtype=torch.float64), **options).sample((40000,))
        assert (torch.cov(drawn.T) - covariance).abs().max() < 0.06


def test_one_seed_one_draw():
    for constructor in DISTRIBUTIONS:
        d = eval(constructor, dict(SPACE))
        drawn = []
        for _ in range(2):
            torch.manual_seed(5)
            drawn.append(d.sample((7,)))
        assert torch.equal(*drawn), constructor


def double(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def test_gradients_of_densities():
    value = torch.tensor([0.3, -1.0], dtype=torch.float64)
    factor = SPACE["TRIL"].clone().requires_grad_()
    vector = torch.tensor([0.3, 0.1, -1.0], dtype=torch.float64)
    check = torch.autograd.gradcheck
    assert check(lambda m, s: D.Normal(m, s).log_prob(value), (double(0.0, 1.0), double(2.0, 0.5)))
    assert check(lambda m, s: D.Normal(m, s).entropy(), (double(0.0, 1.0), double(2.0, 0.5)))
    assert check(lambda p: D.Bernoulli(p).log_prob(torch.tensor([0.0, 1.0]).double()), (double(0.2, 0.7),))
    assert check(lambda z: D.Bernoulli(logits=z).entropy(), (double(0.2, -0.7),))
    assert check(lambda z: D.Categorical(logits=z).log_prob(torch.tensor([0, 2])), (double(0.2, -0.7, 1.0),))
    assert check(lambda p: D.Categorical(p, validate_args=False).entropy(), (double(0.2, 0.7, 1.0),))
    assert check(lambda a, b: D.Uniform(a, b).log_prob(value), (double(-3.0), double(2.0)))
    assert check(
        lambda m, f: D.MultivariateNormal(m, scale_tril=f.tril()).log_prob(vector), (double(0.0, 1.0, 2.0), factor)
    )


def test_gradients_of_draws():
    def drawn(make):
        def function(*parameters):
            torch.manual_seed(6)
            return make(*parameters).rsample((3,))

        return function

    check = torch.autograd.gradcheck
    assert check(drawn(D.Normal), (double(0.0, 1.0), double(2.0, 0.5)))
    assert check(drawn(D.Uniform), (double(0.0, 1.0), double(2.0, 1.5)))
    factor = SPACE["TRIL"].clone().requires_grad_()
    assert check(drawn(lambda m, f: D.MultivariateNormal(m, scale_tril=f.tril())), (double(0.0, 1.0, 2.0), factor))
    assert not D.Normal(double(0.0), double(1.0)).sample().requires_grad


def test_reinforce():
    """The way to learn from Categorical: rewards of what was drawn raise its probability."""
    torch.manual_seed(7)
    logits = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.Adam([logits], lr=0.1)
    for _ in range(60):
        policy = D.Categorical(logits=logits)
        action = policy.sample((16,))
        loss = -(policy.log_prob(action) * (action == 2)).mean() - 0.001 * policy.entropy()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert D.Categorical(logits=logits).probs[2] > 0.9


def test_divergences_of_own_types():
    class Own(D.Normal):
        pass

    p = Own(0.0, 1.0)
    assert D.kl_divergence(p, D.Normal(0.0, 1.0)) == 0

    @D.register_kl(Own, D.Normal)
    def _own(p, q):
        return "own"

    try:
        assert D.kl_divergence(p, D.Normal(0.0, 1.0)) == "own"
        assert D.kl_divergence(D.Normal(0.0, 1.0), p) == 0
    finally:
        del D.kl._REGISTRY[Own, D.Normal]
        D.kl._function_for.cache_clear()

    class Family(D.ExponentialFamily):
        """Exponential, by its natural parameter."""

        arg_constraints = {}  # noqa: RUF012
        _mean_carrier_measure = 0

        def __init__(self, rate):
            self.rate = rate
            super().__init__(rate.shape)

        @property
        def _natural_params(self):
            return (-self.rate,)

        def _log_normalizer(self, x):
            return -torch.log(-x)

    a, b = (Family(torch.tensor([rate], dtype=torch.float64)) for rate in (2.0, 3.0))
    assert math.isclose(D.kl_divergence(a, b).item(), math.log(2 / 3) + 3 / 2 - 1, rel_tol=1e-12)
    assert math.isclose(a.entropy().item(), 1 - math.log(2), rel_tol=1e-12)


def test_a_class_that_says_nothing():
    with pytest.warns(UserWarning, match="does not define `arg_constraints`"):
        d = D.Distribution()
    for ask in (lambda: d.mean, lambda: d.mode, d.sample, d.entropy, lambda: d.support, lambda: d.expand((2,))):
        with pytest.raises(NotImplementedError):
            ask()

    class Derived(D.Normal):
        def __init__(self):
            super().__init__(0.0, 1.0)

    with pytest.raises(NotImplementedError, match="must also define a custom .expand"):
        Derived().expand((2,))
    with pytest.warns(FutureWarning, match="sample_n"):
        assert Derived().sample_n(2).shape == (2,)


def test_validation_may_be_turned_off():
    before = D.Distribution._validate_args
    D.Distribution.set_default_validate_args(False)
    try:
        assert D.Normal(0.0, -1.0).scale == -1
        with pytest.raises(ValueError, match="Expected parameter scale"):
            D.Normal(0.0, -1.0, validate_args=True)
    finally:
        D.Distribution.set_default_validate_args(before)
