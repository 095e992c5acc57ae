"""Draws: equal in distribution to the density, of every type; their gradients; one seed, one draw."""

import math

import pytest
import torch
import torch.distributions as D  # noqa: N812 - as everyone has it
from distribution_cases import T
from family_cases import SPACE

N = 4000

# Of one number, with bounds outside of which hardly anything lies.
CONTINUOUS = {
    "D.Beta(T(0.7), T(2.5))": (0, 1),
    "D.Beta(T(30.0), T(1.5))": (0.4, 1),
    "D.Cauchy(T(0.5), T(2.0))": (-20000, 20000),
    "D.Chi2(T(3.0))": (0, 60),
    "D.ContinuousBernoulli(T(0.3))": (0, 1),
    "D.Exponential(T(1.5))": (0, 30),
    "D.FisherSnedecor(T(6.0), T(5.0))": (0, 400),
    "D.Gamma(T(0.3), T(1.0))": (0, 30),
    "D.Gamma(T(1.0), T(2.0))": (0, 30),
    "D.Gamma(T(20.0), T(3.0))": (0, 30),
    "D.GeneralizedPareto(T(0.0), T(2.0), T(0.3))": (0, 400),
    "D.GeneralizedPareto(T(0.0), T(2.0), T(-0.5))": (0, 4),
    "D.Gumbel(T(0.5), T(2.0))": (-15, 60),
    "D.HalfCauchy(T(2.0))": (0, 40000),
    "D.HalfNormal(T(2.0))": (0, 20),
    "D.InverseGamma(T(3.0), T(2.0))": (0, 200),
    "D.Kumaraswamy(T(0.7), T(2.0))": (0, 1),
    "D.Laplace(T(0.5), T(2.0))": (-60, 60),
    "D.LogNormal(T(0.5), T(0.6))": (0, 60),
    "D.MixtureSameFamily(D.Categorical(T([0.3, 0.7])), D.Normal(T([-2.0, 2.0]), T([1.0, 0.5])))": (-10, 10),
    "D.Normal(T(0.5), T(2.0))": (-20, 20),
    "D.Pareto(T(0.5), T(2.5))": (0.5, 200),
    "D.RelaxedBernoulli(T(1.5), T(0.3))": (0, 1),
    "D.StudentT(T(5.0), T(0.5), T(2.0))": (-100, 100),
    "D.TransformedDistribution(D.Normal(T(0.0), T(1.0)), [D.SigmoidTransform(), D.AffineTransform(1.0, -2.0)])": (
        -1,
        1,
    ),
    "D.Uniform(T(-1.0), T(2.0))": (-1, 2),
    "D.VonMises(T(0.5), T(0.3))": (-math.pi, math.pi),
    "D.VonMises(T(0.5), T(9.0))": (-math.pi, math.pi),
    "D.Weibull(T(2.0), T(1.5))": (0, 30),
}
DISCRETE = [
    *(
        "D.Bernoulli(T(0.3))",
        "D.Binomial(7, T(0.3))",
        "D.Binomial(60, T(0.4))",
        "D.Categorical(T([0.1, 0.0, 0.6, 0.3]))",
    ),
    *("D.Geometric(T(0.3))", "D.NegativeBinomial(T(4.5), T(0.4))", "D.Poisson(T(2.5))", "D.Poisson(T(30.0))"),
]
# Of vectors and matrices: by the moments.
VECTORS = [
    *(
        "D.Dirichlet(T([0.2, 1.5, 4.0]))",
        "D.Multinomial(6, T([0.2, 0.3, 0.5]))",
        "D.OneHotCategorical(T([0.2, 0.3, 0.5]))",
    ),
    *("D.LowRankMultivariateNormal(T([1.0, 2.0, 3.0]), FACTOR, T([0.5, 1.0, 2.0]))", "D.Wishart(T(5.5), COV)"),
    *("D.MultivariateNormal(T([0.0, 0.0, 1.0]), COV)", "D.OneHotCategoricalStraightThrough(T([0.2, 0.3, 0.5]))"),
    "D.MixtureSameFamily(D.Categorical(T([0.3, 0.7])), D.Independent(D.Gamma(T([[1.0, 2.0], [3.0, 0.5]]), T(2.0)), 1))",
]


def made(text):
    return eval(text, dict(SPACE))


def chances(d, low, high, cells=32):
    """Probabilities of intervals that each hold about as much: edges, and the integral of the density between them.

    The edges are quantiles of draws; a rule of Gauss and Legendre's integrates, in a variable in which a pole of the density
    at either end is none."""
    middle = d.sample((20000,)).sort().values[20000 // cells :: 20000 // cells][: cells - 1]
    edges = torch.cat([T([float(low)]), middle, T([float(high)])])
    t = (torch.arange(2000, dtype=torch.float64) + 0.5) / 2000
    power = 8
    bend = t**power / (t**power + (1 - t) ** power)
    slope = power * (t * (1 - t)) ** (power - 1) / (t**power + (1 - t) ** power) ** 2
    width = (edges[1:] - edges[:-1]).unsqueeze(-1)
    x = edges[:-1].unsqueeze(-1) + width * bend
    inside = (x > edges[:-1].unsqueeze(-1)) & (x < edges[1:].unsqueeze(-1))
    density = torch.where(inside, d.log_prob(torch.where(inside, x, edges[:-1].unsqueeze(-1) + width / 2)).exp(), 0)
    return edges, (density * width * slope).mean(-1)


def fits(counts, probabilities):
    """Whether chi-squared is below what one in 10,000 exceeds (Wilson and Hilferty's approximation)."""
    expected = probabilities * counts.sum()
    kept = expected > 5
    observed = torch.cat([counts[kept], counts[~kept].sum().reshape(1)])
    expected = torch.cat([expected[kept], expected[~kept].sum().reshape(1).clamp(min=1e-9)])
    statistic = ((observed - expected) ** 2 / expected.clamp(min=1)).sum().item()
    n = len(expected) - 1
    return statistic < n * (1 - 2 / (9 * n) + 3.72 * (2 / (9 * n)) ** 0.5) ** 3


@pytest.mark.parametrize("text", CONTINUOUS)
def test_continuous(text):
    torch.manual_seed(11)
    d = made(text)
    edges, probabilities = chances(d, *CONTINUOUS[text])
    assert abs(probabilities.sum() - 1) < 2e-3  # the density is one
    drawn = d.sample((N,))
    assert d.support.check(drawn).all()
    counts = torch.histogram(drawn.clamp(edges[0], edges[-1]), edges).hist
    assert fits(counts, probabilities / probabilities.sum())
    assert not fits(torch.histogram((drawn * 0.8).clamp(edges[0], edges[-1]), edges).hist, probabilities)


@pytest.mark.parametrize("text", DISCRETE)
def test_discrete(text):
    torch.manual_seed(12)
    d = made(text)
    values = d.enumerate_support() if d.has_enumerate_support else torch.arange(200, dtype=torch.float64)
    probabilities = d.log_prob(values).exp()
    assert abs(probabilities.sum() - 1) < 1e-6
    counts = torch.bincount(d.sample((N,)).long(), minlength=len(values)).double()
    assert fits(counts, probabilities)
    assert not fits(counts.roll(1), probabilities)


@pytest.mark.parametrize("text", VECTORS)
def test_moments_of_vectors(text):
    torch.manual_seed(13)
    d = made(text)
    drawn = d.sample((N,)).double()
    assert d.support.check(drawn).all()
    error = (drawn.mean(0) - d.mean).abs() / (d.variance.sqrt() / N**0.5)
    assert error.max() < 5
    assert torch.allclose(drawn.var(0), d.variance, rtol=0.25)


def test_correlations():
    """LKJ: an element is 2 beta - 1, of equal parameters concentration + (dim - 2) / 2."""
    torch.manual_seed(14)
    factor = D.LKJCholesky(4, T(1.5)).sample((N,))
    matrices = factor @ factor.mT
    assert torch.allclose(matrices.diagonal(dim1=-2, dim2=-1), torch.ones(4, dtype=torch.float64))
    marginal = D.TransformedDistribution(D.Beta(T(2.5), T(2.5)), D.AffineTransform(-1.0, 2.0))
    for i, j in ((1, 0), (3, 0), (3, 2)):
        edges, probabilities = chances(marginal, -1, 1)
        assert fits(torch.histogram(matrices[:, i, j].contiguous(), edges).hist, probabilities)


def test_concrete():
    """The logit of one of two coordinates is the relaxed Bernoulli's."""
    torch.manual_seed(15)
    drawn = D.RelaxedOneHotCategorical(T(1.5), T([0.3, 0.7])).sample((N,))
    edges, probabilities = chances(D.RelaxedBernoulli(T(1.5), T(0.3)), 0, 1)
    assert fits(torch.histogram(drawn[:, 0].contiguous(), edges).hist, probabilities)


def test_tiny_concentrations():
    """Coordinates that hardly ever are anything but 0 or 1."""
    torch.manual_seed(16)
    for dtype in (torch.float32, torch.float64):
        drawn = D.Dirichlet(torch.full((3,), 1e-3, dtype=dtype)).sample((3000,))
        assert torch.isfinite(drawn).all() and (drawn > 0).all()
        assert torch.allclose(drawn.sum(-1), torch.ones(3000, dtype=dtype))
        assert (drawn.max(-1).values > 0.99).double().mean() > 0.98
        assert abs((drawn[:, 0] > 0.5).double().mean() - 1 / 3) < 0.05
        assert (D.Gamma(torch.full((100,), 1e-3, dtype=dtype), 1.0).sample() > 0).all()


@pytest.mark.parametrize("text", [*CONTINUOUS, *DISCRETE, *VECTORS])
def test_one_seed_one_draw(text):
    drawn = []
    for _ in range(2):
        torch.manual_seed(17)
        drawn.append(made(text).sample((50,)))
    assert torch.equal(*drawn) and not torch.equal(drawn[0], made(text).sample((50,)))


# ---- gradients of draws ------------------------------------------------------------------------------------------

# Distributions whose mean is finite, as functions of one parameter.
MOVED = {
    "beta 1": (lambda a: D.Beta(a, 2.5), 0.7),
    "beta 0": (lambda b: D.Beta(1.5, b), 3.0),
    "chi2": (D.Chi2, 3.0),
    "continuous Bernoulli": (D.ContinuousBernoulli, 0.3),
    "dirichlet": (lambda a: D.Dirichlet(torch.stack([a, T(1.0), T(2.0)])), 1.5),
    "exponential": (D.Exponential, 1.5),
    "F": (lambda a: D.FisherSnedecor(5.0, a), 12.0),
    "gamma": (lambda a: D.Gamma(a, 2.0), 0.8),
    "gamma's rate": (lambda r: D.Gamma(3.0, r), 2.0),
    "generalized Pareto": (lambda c: D.GeneralizedPareto(0.0, 2.0, c), 0.1),
    "gumbel": (lambda s: D.Gumbel(0.5, s), 2.0),
    "half-normal": (D.HalfNormal, 2.0),
    "inverse gamma": (lambda a: D.InverseGamma(a, 2.0), 6.0),
    "kumaraswamy": (lambda a: D.Kumaraswamy(a, 2.0), 1.5),
    "laplace": (lambda s: D.Laplace(s, 2.0), 1.5),
    "log-normal": (lambda s: D.LogNormal(0.5, s), 0.4),
    "low rank": (lambda s: D.LowRankMultivariateNormal(s.expand(3), SPACE["FACTOR"], T([0.5, 1.0, 2.0])), 1.0),
    "one-hot": (lambda p: D.OneHotCategoricalStraightThrough(torch.stack([p, T(0.6)])), 0.4),
    "pareto": (lambda a: D.Pareto(0.5, a), 5.0),
    "student": (lambda m: D.StudentT(5.0, m, 2.0), 0.5),
    "weibull": (lambda c: D.Weibull(2.0, c), 1.5),
    "wishart": (lambda s: D.Wishart(T(5.5), s * SPACE["COV"]), 1.0),
}


@pytest.fixture
def _double():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("name", MOVED)
def test_means_move_as_draws_do(name, _double):
    """The mean's derivative by a parameter is the mean of the draws'."""
    make, at = MOVED[name]
    torch.manual_seed(18)
    parameter = torch.full((N,), at, dtype=torch.float64, requires_grad=True)
    if name in ("dirichlet", "low rank", "one-hot", "wishart"):
        drawn = torch.stack([make(p).rsample().flatten()[0] for p in parameter[:1500].unbind()])
    else:
        drawn = make(parameter).rsample()
    (moves,) = torch.autograd.grad(drawn.sum(), parameter)
    moves = moves[: len(drawn)]
    one = T(at, requires_grad=True)
    (expected,) = torch.autograd.grad(make(one).mean.flatten()[0], one)
    error = moves.std() / len(moves) ** 0.5
    assert (moves.mean() - expected).abs() < 5 * error + 1e-12


def test_draws_of_beta_keep_their_probability(_double):
    """A draw moves so that the part below it stays: by finite differences of the integrated density."""
    torch.manual_seed(19)
    a = T(1.7, requires_grad=True)
    x = D.Beta(a, 2.2).rsample()
    (slope,) = torch.autograd.grad(x, a)

    def below(shape):
        t = (torch.arange(200000) + 0.5) / 200000
        return (D.Beta(shape, 2.2).log_prob(t * x.detach()).exp() * x.detach()).mean()

    moved = (below(1.7 + 1e-4) - below(1.7 - 1e-4)) / 2e-4
    assert abs(slope + moved / D.Beta(1.7, 2.2).log_prob(x.detach()).exp()) < 1e-5


def test_gradient_of_a_dirichlet_draw_has_no_sum(_double):
    concentration = T([0.5, 1.5, 3.0], requires_grad=True)
    drawn = D.Dirichlet(concentration).rsample((5,))
    (slope,) = torch.autograd.grad(drawn.sum(), concentration)  # of a sum that is always 1
    assert slope.abs().max() < 1e-12


def test_draws_on_meta_and_of_nothing():
    assert torch._standard_gamma(torch.ones(2, 3, device="meta")).shape == (2, 3)
    assert torch._sample_dirichlet(torch.ones(2, 3, device="meta")).shape == (2, 3)
    assert D.Gamma(torch.ones(0), 1.0).sample((2,)).shape == (2, 0)
    assert torch._sample_dirichlet(torch.ones(4, 0)).shape == (4, 0)
    assert torch._standard_gamma(torch.tensor([-1.0, float("nan")])).isnan().all()
    turned = torch.rand(3, 4).add(0.5).T
    assert D.Dirichlet(turned).sample().sum(-1).sub(1).abs().max() < 1e-6
    for dtype in (torch.float16, torch.bfloat16):
        assert torch._standard_gamma(torch.ones(3, dtype=dtype)).dtype == dtype


def test_threads_do_not_matter():
    drawn = []
    threads = torch.get_num_threads()
    for n in (1, 4):
        torch.set_num_threads(n)
        torch.manual_seed(20)
        drawn.append(
            [torch._standard_gamma(torch.full((5000,), 0.7)), torch._sample_dirichlet(torch.full((900, 5), 0.7))]
        )
    torch.set_num_threads(threads)
    assert all(torch.equal(a, b) for a, b in zip(*drawn))
