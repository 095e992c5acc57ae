"""Every distribution with several parameters, every transform, the registries of constraints, all pairs of divergences:
lines that PyTorch has answered (generate_distributions.py)."""

import torch
import torch.distributions as D  # noqa: N812 - as everyone has it
from distribution_cases import SPACE, told
from torch.distributions import transforms

# {constructor: values that it may have}
FAMILIES = {
    "D.Beta(T([0.5, 2.0]), T([[3.0], [1.0]]))": ["T([0.2, 0.7])"],
    "D.Beta(2.0, 5.0)": ["torch.tensor(0.25)"],
    "D.Beta(T(0.0), 1.0)": [],
    "D.Binomial(5, T([0.0, 0.3, 1.0]))": ["T([0.0, 2.0, 5.0])", "T([1.0, 7.0, 2.0])"],
    "D.Binomial(T([3.0, 8.0]), logits=T([-1.0, 30.0]))": ["T([1.0, 8.0])"],
    "D.Binomial(T(2.5), T(0.5))": [],
    "D.Cauchy(T([0.0, 1.0]), T([[2.0], [0.5]]))": ["T([0.1, -4.0])"],
    "D.Chi2(T([1.0, 3.5]))": ["T([0.5, 2.0])", "T([-0.5, 2.0])"],
    "D.ContinuousBernoulli(T([0.0, 0.2, 0.4995, 0.5, 0.9]))": ["T([0.0, 0.3, 0.6, 0.9, 1.0])"],
    "D.ContinuousBernoulli(logits=T([-3.0, 0.0005]))": ["T(0.4)"],
    "D.Dirichlet(T([[0.5, 1.5, 2.0], [0.3, 0.9, 0.2]]))": ["T([0.2, 0.3, 0.5])", "T([0.2, 0.3, 0.6])"],
    "D.Dirichlet(T(1.0))": [],
    "D.Exponential(T([0.5, 3.0]))": ["T([0.0, 2.0])", "T([-1.0, 2.0])"],
    "D.Exponential(2.0)": ["torch.tensor(0.5)"],
    "D.FisherSnedecor(T([1.0, 3.0, 8.0]), T([1.5, 5.0, 3.0]))": ["T([0.1, 1.0, 4.0])", "T([0.0, 1.0, 4.0])"],
    "D.Gamma(T([0.2, 1.0, 9.0]), T([0.5, 2.0, 3.0]))": ["T([0.1, 1.0, 4.0])", "T([0.0, 1.0, -1.0])"],
    "D.Gamma(2, 3)": ["torch.tensor(0.7)"],
    "D.GeneralizedPareto(T([0.0, 1.0, 0.0, 0.0, 0.0]), 2.0, T([0.0, 0.3, -0.5, 0.7, -1.0]))": [
        "T([0.5, 1.5, 3.0, 4.0, 1.0])",
        "T([0.5, 0.5, 5.0, 4.0, 1.0])",
    ],
    "D.Geometric(T([0.2, 1.0]))": ["T([0.0, 0.0])", "T([3.0, 1.0])"],
    "D.Geometric(T([0.0, 1.0]))": [],
    "D.Geometric(logits=T([[-2.0], [1.0]]))": ["T([0.0, 4.0])"],
    "D.Gumbel(T([0.0, 1.0]), T([1.0, 0.3]))": ["T([0.5, 2.0])"],
    "D.HalfCauchy(T([1.0, 0.3]))": ["T([0.5, 2.0])", "T([-0.5, 2.0])"],
    "D.HalfCauchy(1.0, validate_args=False)": ["T([-0.5, 2.0])"],
    "D.HalfNormal(T([1.0, 0.3]))": ["T([0.5, 2.0])", "T([-0.5, 2.0])"],
    "D.HalfNormal(2.0, validate_args=False)": ["T([-0.5, 2.0])"],
    "D.InverseGamma(T([0.5, 1.5, 5.0]), T([1.0, 2.0, 0.1]))": ["T([0.5, 2.0, 0.1])"],
    "D.Kumaraswamy(T([0.5, 2.0, 1.0]), T([0.7, 3.0, 1.0]))": ["T([0.2, 0.7, 0.5])"],
    "D.Laplace(T([0.0, 1.0]), T([[2.0], [0.5]]))": ["T([0.1, -4.0])"],
    "D.LKJCholesky(3, T([0.5, 1.0, 4.0]))": ["LKJ"],
    "D.LKJCholesky(3)": ["LKJ", "TRIL"],
    "D.LKJCholesky(1)": [],
    "D.LogNormal(T([0.0, 1.0]), T([1.0, 0.3]))": ["T([0.5, 2.0])", "T([-0.5, 2.0])"],
    "D.LogisticNormal(T([[0.0, 1.0], [0.5, -2.0]]), T([1.0, 0.3]))": ["T([0.2, 0.3, 0.5])"],
    "D.LogisticNormal(T(0.0), T(1.0))": ["T([0.2, 0.8])"],
    "D.LowRankMultivariateNormal(T([1.0, 2.0, 3.0]), FACTOR, T([0.5, 1.0, 2.0]))": ["T([0.5, 1.5, 3.0])"],
    "D.LowRankMultivariateNormal(T([[1.0, 2.0, 3.0]] * 2), torch.stack([FACTOR, 2 * FACTOR]), T([0.5, 1.0, 2.0]))": [
        "T([0.5, 1.5, 3.0])"
    ],
    "D.LowRankMultivariateNormal(T([1.0, 2.0]), FACTOR, T([0.5, 1.0, 2.0]))": [],
    "D.LowRankMultivariateNormal(T([1.0, 2.0, 3.0]), FACTOR, T([0.5, 1.0]))": [],
    "D.LowRankMultivariateNormal(T([1.0, 2.0, 3.0]), T([0.5, 1.0, 1.0]), T([0.5, 1.0]))": [],
    "D.LowRankMultivariateNormal(T([1.0, 2.0, 3.0]), FACTOR, T([0.5, -1.0, 2.0]))": [],
    "D.MixtureSameFamily(D.Categorical(T([0.3, 0.7])), D.Normal(T([[0.0, 2.0], [1.0, -1.0]]), T([1.0, 0.5])))": [
        "T([0.5, 2.0])",
        "T(nan)",
    ],
    "D.MixtureSameFamily(D.Categorical(T([[0.3, 0.7]])), D.Independent(D.Normal(T([[[0.0, 2.0], [1.0, 3.0]]]), 1.0), 1))": [
        "T([[0.5, 2.0]])"
    ],
    "D.MixtureSameFamily(D.Categorical(T([0.3, 0.7])), D.Poisson(T([1.0, 9.0])))": ["T([0.0, 3.0])", "T([0.5])"],
    "D.MixtureSameFamily(D.Categorical(T([0.3, 0.7])), D.Normal(T([0.0, 1.0, 2.0]), 1.0))": [],
    "D.MixtureSameFamily(D.Categorical(T([[0.3, 0.7]] * 3)), D.Normal(torch.zeros(2, 2), 1.0))": [],
    "D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(T([0.0, 1.0, 2.0]), 1.0))": [],
    "D.MixtureSameFamily(D.Categorical(T([0.3, 0.7])), 3)": [],
    "D.Multinomial(5, T([[0.2, 0.3, 0.5], [0.0, 1.0, 1.0]]))": ["T([0.0, 2.0, 3.0])", "T([3.0, 2.0, 3.0])"],
    "D.Multinomial(3, logits=T([0.2, -0.3, -inf]))": ["T([1.0, 2.0, 0.0])"],
    "D.Multinomial(T(3), T([1.0]))": [],
    "D.NegativeBinomial(T([0.5, 4.0, 0.0]), T([0.3, 0.8, 0.5]))": ["T([0.0, 3.0, 0.0])", "T([0.5, 3.0, 0.0])"],
    "D.NegativeBinomial(3, logits=T([[-2.0], [1.0]]))": ["T([0.0, 4.0])"],
    "D.NegativeBinomial(3, T([1.0]))": [],
    "D.OneHotCategorical(T([[1.0, 2.0, 5.0], [0.0, 1.0, 1.0]]))": ["T([0.0, 1.0, 0.0])", "T([0.0, 1.0, 1.0])"],
    "D.OneHotCategorical(logits=T([0.1, 0.2, -inf]))": ["T([0.0, 1.0, 0.0])"],
    "D.OneHotCategoricalStraightThrough(T([1.0, 2.0, 5.0]))": ["T([0.0, 1.0, 0.0])"],
    "D.Pareto(T([1.0, 0.3]), T([[0.5], [1.5], [4.0]]))": ["T([1.5, 2.0])", "T([0.5, 2.0])"],
    "D.Poisson(T([0.0, 0.7, 20.0]))": ["T([0.0, 2.0, 17.0])", "T([0.0, 2.5, 17.0])"],
    "D.Poisson(T([-1.0]))": [],
    "D.RelaxedBernoulli(T(0.7), T([0.2, 0.9]))": ["T([0.3, 0.99])", "T([1.3, 0.99])"],
    "D.RelaxedBernoulli(T([0.7, 2.0]), logits=T([[0.2], [-0.9]]))": ["T([0.3, 0.99])"],
    "D.relaxed_bernoulli.LogitRelaxedBernoulli(T(0.7), T([0.2, 0.9]))": ["T([0.3, -0.99])"],
    "D.RelaxedOneHotCategorical(T(0.7), T([[0.2, 0.3, 0.5], [1.0, 1.0, 1.0]]))": ["T([0.1, 0.2, 0.7])"],
    "D.RelaxedOneHotCategorical(T(0.7), logits=T([0.2, 0.3]))": ["T([0.3, 0.7])", "T([0.3, 0.8])"],
    "D.relaxed_categorical.ExpRelaxedCategorical(T(0.7), T([0.2, 0.3, 0.5]))": ["T([0.1, 0.2, 0.7]).log()"],
    "D.StudentT(T([0.5, 1.5, 3.0, 30.0]), 1.0, T([2.0, 1.0, 0.3, 1.0]))": ["T([0.1, -4.0, 2.0, 0.0])"],
    "D.StudentT(3.0)": ["torch.tensor(0.5)"],
    "D.VonMises(T([0.0, 1.0, 2.0]), T([0.1, 4.0, 300.0]))": ["T([3.0, 0.5, 2.1])"],
    "D.Weibull(T([1.0, 0.3]), T([[0.5], [1.5], [4.0]]))": ["T([1.5, 0.2])", "T([-0.5, 2.0])"],
    "D.Wishart(T([4.0, 5.5]), COV)": ["COV", "-COV"],
    "D.Wishart(4, scale_tril=TRIL)": ["COV"],
    "D.Wishart(T(7.0), precision_matrix=torch.stack([COV, 2 * COV]))": ["COV"],
    "D.Wishart(2, COV)": [],
    "D.Wishart(4)": [],
    "D.Wishart(4, T([1.0]))": [],
    "D.TransformedDistribution(D.Normal(T([0.0, 1.0]), 1.0), [])": ["T([0.5, 1.0])"],
    "D.TransformedDistribution(D.Normal(T([0.0, 1.0]), 1.0), [D.ExpTransform(), D.AffineTransform(1.0, -2.0)])": [
        "T([-0.5, -1.0])"
    ],
    "D.TransformedDistribution(D.Normal(T(0.0), 1.0), D.AffineTransform(T([1.0, 2.0]), T([[2.0], [-1.0]])))": [
        "T([-0.5, -1.0])"
    ],
    "D.TransformedDistribution(D.Uniform(T([0.0, 0.0]), 1.0), [D.SigmoidTransform().inv, D.AffineTransform(T(1.0), T(0.5))])": [
        "T([0.3, 2.0])"
    ],
    "D.TransformedDistribution(D.Normal(T([[0.0, 1.0, 2.0]]), 1.0), D.StickBreakingTransform())": [
        "T([0.1, 0.2, 0.3, 0.4])"
    ],
    "D.TransformedDistribution(D.Normal(T([[0.0, 1.0, 2.0, 3.0]]), 1.0), D.ReshapeTransform((4,), (2, 2)))": [
        "T([[0.1, 0.2], [0.3, 0.4]])"
    ],
    "D.TransformedDistribution(D.Normal(T(0.0), 1.0), D.StickBreakingTransform())": [],
    "D.TransformedDistribution(D.Normal(T(0.0), 1.0), 3)": [],
    "D.TransformedDistribution(D.Normal(T(0.0), 1.0), [3])": [],
    "D.Independent(D.Gamma(T([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]), 1.5), 1)": ["T([0.5, 1.0, 1.5])"],
}
MEMBERS = [
    *("d.batch_shape, d.event_shape, d.has_rsample, d.has_enumerate_support", "d.support, d.support.is_discrete"),
    *("d.support.event_dim", "d.mean", "d.variance", "d.stddev", "d.mode", "d.entropy()", "repr(d)"),
    *("d.enumerate_support()", "d.enumerate_support(expand=False).shape", "d.param_shape", "d.icdf(T(0.3))"),
    *("d.sample().shape", "d.sample((2,)).shape", "d.sample([2, 3]).dtype", "d.rsample((4,)).shape"),
    *("d.expand((2, *d.batch_shape)).mean.shape", "d.expand((2, *d.batch_shape)).entropy().shape"),
    *("repr(d.expand((2, *d.batch_shape)))", "d.expand((2, *d.batch_shape)).sample((3,)).shape", "d.probs", "d.logits"),
    *("d.covariance_matrix", "d.precision_matrix", "d.scale_tril", "D.ExponentialFamily.entropy(d)", "d.df"),
    *("d.concentration1", "d.concentration0", "d.log_survival_function(T(1.2))"),
]
VALUED = ["d.log_prob(v)", "d.cdf(v)", "d.expand((2, *d.batch_shape)).log_prob(v).shape", "d.support.check(v)"]

# {transform: a value}
TRANSFORMS = {
    "D.AbsTransform()": "T([-1.0, 2.0])",
    "D.AffineTransform(1.0, -2.0)": "T([-1.0, 2.0])",
    "D.AffineTransform(T([1.0, 2.0]), T([[3.0], [-1.0]]), event_dim=1)": "T([-1.0, 2.0])",
    "D.CatTransform([D.ExpTransform(), D.AffineTransform(0.0, 2.0)], 0, [1, 2])": "T([-1.0, 2.0, 3.0])",
    "D.CatTransform([D.ExpTransform(), D.SoftplusTransform()], -1)": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.CatTransform([D.StickBreakingTransform(), D.AffineTransform(1.0, 2.0, event_dim=1)], 0, [1, 1])": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.ComposeTransform([D.ExpTransform(), D.AffineTransform(1.0, 2.0)])": "T([-1.0, 2.0])",
    "D.ComposeTransform([D.AffineTransform(1.0, 2.0), D.StickBreakingTransform(), D.ExpTransform().inv])": "T([-1.0, 2.0])",
    "D.ComposeTransform([])": "T([-1.0, 2.0])",
    "D.CorrCholeskyTransform()": "T([[-1.0, 2.0, 0.3], [0.0, 0.1, 0.2]])",
    "D.CumulativeDistributionTransform(D.Normal(T(0.5), 2.0))": "T([-1.0, 2.0])",
    "D.ExpTransform()": "T([-1.0, 2.0])",
    "D.ExpTransform().inv": "T([1.0, 2.0])",
    "D.IndependentTransform(D.ExpTransform(), 1)": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.IndependentTransform(D.ExpTransform(), 2)": "T([-1.0, 2.0])",
    "D.LowerCholeskyTransform()": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.PositiveDefiniteTransform()": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.PowerTransform(2.0)": "T([0.5, 2.0])",
    "D.PowerTransform(T([-1.0, 0.5]))": "T([0.5, 2.0])",
    "D.ReshapeTransform((2, 3), (6,))": "T([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]])",
    "D.ReshapeTransform((2, 3), (5,))": "T([1.0])",
    "D.SigmoidTransform()": "T([-1.0, 2.0, 800.0, -800.0])",
    "D.SoftmaxTransform()": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.SoftplusTransform()": "T([-1.0, 2.0, 30.0])",
    "D.StackTransform([D.ExpTransform(), D.SigmoidTransform()], 1)": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.StickBreakingTransform()": "T([[-1.0, 2.0], [0.5, 0.1]])",
    "D.TanhTransform()": "T([-1.0, 2.0, 10.0])",
    "D.TanhTransform(cache_size=1)": "T([-1.0, 2.0, 10.0])",
    "D.ExpTransform(cache_size=2)": "T([-1.0])",
    "D.transforms.identity_transform": "T([-1.0, 2.0])",
}
OF_TRANSFORMS = [
    *("t(x)", "t.inv(t(x))", "t.log_abs_det_jacobian(x, t(x))", "t.inv.log_abs_det_jacobian(t(x), x)", "t.event_dim"),
    *(
        "t.domain, t.codomain, t.bijective",
        "t.domain.event_dim, t.codomain.event_dim",
        "t.sign",
        "repr(t), repr(t.inv)",
    ),
    *("t.forward_shape(x.shape)", "t.inverse_shape(t(x).shape)", "t.forward_shape(torch.Size([]))", "t.inv.inv is t"),
    *("t == t.with_cache(1)", "t == t.inv.inv", "t == D.ExpTransform()", "t.with_cache(1)(x)"),
]

CONSTRAINTS = [
    *("C.real", "C.boolean", "C.positive", "C.nonnegative", "C.greater_than(T(2.0))", "C.greater_than_eq(3.0)"),
    *("C.less_than(4.0)", "C.interval(-2.0, T(5.0))", "C.half_open_interval(1.0, 3.0)", "C.unit_interval"),
    *("C.interval(0, 1)", "C.simplex", "C.lower_cholesky", "C.positive_definite", "C.positive_semidefinite"),
    *("C.corr_cholesky", "C.real_vector", "C.independent(C.positive, 1)", "C.cat([C.positive, C.simplex], -1, [1, 2])"),
    *("C.stack([C.positive, C.unit_interval, C.real], -1)", "C.dependent", "C.lower_triangular", "C.one_hot"),
]
OF_CONSTRAINTS = ["{}(c)", "{}(c)(x)", "{}(c).inv({}(c)(x))", "c.check({}(c)(x))", "{}(c).bijective"]

# One of each type, for the divergences between all of them.
PAIRED = [
    *("D.Bernoulli(T([0.3, 0.6]))", "D.Beta(T([0.5, 2.0]), T([3.0, 1.0]))", "D.Binomial(5, T([0.3, 0.6]))"),
    *(
        "D.Binomial(3, T([0.2, 0.7]))",
        "D.Categorical(T([[0.3, 0.7], [0.5, 0.5]]))",
        "D.Cauchy(T([0.0, 1.0]), T([2.0, 0.5]))",
    ),
    *("D.Chi2(T([1.0, 3.5]))", "D.ContinuousBernoulli(T([0.3, 0.6]))", "D.Dirichlet(T([[0.5, 2.0], [1.0, 3.0]]))"),
    *("D.Exponential(T([0.5, 3.0]))", "D.Gamma(T([0.7, 4.0]), T([2.0, 0.5]))", "D.Geometric(T([0.3, 0.6]))"),
    *(
        "D.Gumbel(T([0.0, 1.0]), T([2.0, 0.5]))",
        "D.Gumbel(T([1.0, 1.0]), T([1.5, 3.0]))",
        "D.HalfNormal(T([2.0, 0.5]))",
    ),
    *("D.Independent(D.Gamma(T([[0.7, 4.0]]), T([2.0, 0.5])), 1)", "D.Laplace(T([0.0, 1.0]), T([2.0, 0.5]))"),
    "D.Laplace(T([0.5, 2.0]), T([1.0, 3.0]))",
    *("D.LogNormal(T([0.0, 1.0]), T([2.0, 0.5]))", "D.LogNormal(T([0.5, 2.0]), T([1.0, 3.0]))"),
    "D.LowRankMultivariateNormal(T([1.0, 2.0, 3.0]), FACTOR, T([0.5, 1.0, 2.0]))",
    "D.LowRankMultivariateNormal(T([0.0, 2.0, 3.0]), 2 * FACTOR, T([[0.5, 1.0, 2.0], [1.0, 1.0, 1.0]]))",
    *("D.MultivariateNormal(T([0.0, 0.0, 1.0]), COV)", "D.Normal(T([0.0, 1.0]), T([2.0, 0.5]))"),
    *("D.OneHotCategorical(T([[0.3, 0.7], [0.5, 0.5]]))", "D.Pareto(T([0.5, 1.5]), T([3.0, 2.5]))"),
    *("D.Pareto(T([1.5, 0.5]), T([0.8, 1.5]))", "D.Poisson(T([0.7, 4.0]))", "D.Poisson(T([1.7, 2.0]))"),
    *(
        "D.Uniform(T([0.2, 0.1]), T([0.9, 0.8]))",
        "D.Uniform(T([1.0, -1.0]), T([3.0, 4.0]))",
        "D.Weibull(T([1.0]), T([2.0]))",
    ),
    *("D.Wishart(T([4.0, 5.0]), COV)", "D.StudentT(3.0)", "D.InverseGamma(T([0.7, 4.0]), T([2.0, 0.5]))"),
]

SPACE = {
    **SPACE,
    "FACTOR": torch.tensor([[1.0, 0.2], [-0.4, 1.0], [0.3, 0.3]], dtype=torch.float64),
    "LKJ": D.CorrCholeskyTransform()(torch.tensor([0.3, -0.2, 0.9], dtype=torch.float64)),
}


def _short(answer):
    """Numbers to 13 digits; of an error, its type and the beginning of its text."""
    if isinstance(answer, dict) and "error" in answer:
        return f"!{answer['error']}: {' '.join(answer['text'].split())[:160]}"
    if isinstance(answer, dict):
        numbers = " ".join(f"{x:.13g}" for x in answer["values"])
        return f"{answer['dtype'][6:]} {'x'.join(map(str, answer['shape'])) or '-'}: {numbers}"
    return [_short(a) for a in answer] if isinstance(answer, list) else answer


def answered(expression, **names):
    return _short(told(expression, **{**SPACE, **names}))


def _made(constructor, members, **names):
    """{member: answer} of a constructor; of one that raises, the error."""
    failed = answered(constructor)
    if isinstance(failed, str) and failed.startswith("!"):
        return {"": failed}
    return {m: answered(m.format("f", "f"), **{k: v() for k, v in names.items()}) for m in members}


def families():
    """{constructor or line: answers}"""
    found = {}

    def value(text):
        return lambda: eval(text, dict(SPACE))

    for constructor, values in FAMILIES.items():
        found[constructor] = _made(constructor, MEMBERS, d=value(constructor))
        for v in values:
            found[f"{constructor} | {v}"] = _made(constructor, VALUED, d=value(constructor), v=value(v))
    for constructor, x in TRANSFORMS.items():
        found[constructor] = _made(constructor, OF_TRANSFORMS, t=value(constructor), x=value(x))
    x = torch.tensor([[0.3, -0.2, 0.9], [1.0, 2.0, -1.0], [0.1, 0.2, 0.3]], dtype=torch.float64)
    for name in ("biject_to", "transform_to"):
        for c in CONSTRAINTS:
            names = {"c": value(c), "x": lambda: x, "f": lambda name=name: getattr(D, name)}
            found[f"{name} {c}"] = _made(c, OF_CONSTRAINTS, **names)
    for p in PAIRED:
        answers = {q: answered(f"D.kl_divergence({p}, {q})") for q in PAIRED}
        found[f"kl {p}"] = {q: a for q, a in answers.items() if not a.startswith("!NotImplementedError")}
    return found


assert len(transforms.__all__) == len({t.split("(")[0].removeprefix("D.").split(".")[-1] for t in TRANSFORMS}) + 1
