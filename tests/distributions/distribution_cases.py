"""Lines of Python about distributions, which PyTorch has answered (generate_distributions.py)."""

import torch
import torch.distributions as D  # noqa: N812 - as everyone has it
from torch.distributions import constraints as C  # noqa: N812


def T(values, **options):  # noqa: N802
    return torch.tensor(values, **{"dtype": torch.float64, **options})


COV = T([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 1.5]])
TRIL = T([[1.0, 0.0, 0.0], [0.3, 0.7, 0.0], [-0.2, 0.4, 1.2]])
SPACE = {"D": D, "C": C, "T": T, "torch": torch, "COV": COV, "TRIL": TRIL, "inf": float("inf"), "nan": float("nan")}

# {constructor: values that it may have}
DISTRIBUTIONS = {
    "D.Normal(0.0, 1.0)": ["T(0.3)", "T([-2.0, 3.0])"],
    "D.Normal(T([0.0, 1.0]), T([[2.0], [0.5]]))": ["T([0.1, -4.0])"],
    "D.Normal(1, 2)": ["T(0.5)"],
    "D.Bernoulli(T([0.0, 0.3, 0.5, 1.0]))": ["T([0.0, 1.0, 1.0, 1.0])"],
    "D.Bernoulli(0.25)": ["T(1.0, dtype=torch.float32)"],
    "D.Bernoulli(logits=T([[-3.0], [0.0], [40.0]]))": ["T(1.0)", "T([0.0, 1.0])"],
    "D.Categorical(T([1.0, 2.0, 0.0, 5.0]))": ["torch.tensor(1)", "torch.tensor([0, 2, 3])"],
    "D.Categorical(logits=T([[1.0, 2.0, -inf], [0.1, 0.2, 0.3]]))": [
        "torch.tensor(1)",
        "torch.tensor([[0, 2], [1, 1]])",
    ],
    "D.Uniform(0.0, 2.0)": ["T(0.5)", "T([0.0, 1.9])"],
    "D.Uniform(T([0.0, -1.0]), T([1.0, 4.0]))": ["T([0.25, 3.0])"],
    "D.MultivariateNormal(T([1.0, 2.0, 3.0]), COV)": ["T([0.5, 1.5, 3.0])", "T([[0.5, 1.5, 3.0], [0.0, 0.0, 0.0]])"],
    "D.MultivariateNormal(T([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]), precision_matrix=COV)": ["T([0.5, 1.5, 3.0])"],
    "D.MultivariateNormal(T([1.0, 2.0, 3.0]), scale_tril=torch.stack([TRIL, 2 * TRIL]))": ["T([0.5, 1.5, 3.0])"],
    "D.Independent(D.Normal(T([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]), 1.5), 1)": ["T([0.5, 1.0, 1.5])"],
    "D.Independent(D.Bernoulli(T([[0.2, 0.4], [0.6, 0.8]])), 2)": ["T([[0.0, 1.0], [1.0, 1.0]])"],
    "D.Independent(D.Bernoulli(T([0.2, 0.4])), 0)": ["T([0.0, 1.0])"],
}
MEMBERS = [
    *(
        "d.batch_shape",
        "d.event_shape",
        "d.has_rsample",
        "d.has_enumerate_support",
        "d.support",
        "d.support.is_discrete",
    ),
    *("d.support.event_dim", "d.mean", "d.variance", "d.stddev", "d.mode", "d.entropy()", "d.perplexity()", "repr(d)"),
    *("d.enumerate_support()", "d.enumerate_support(expand=False)", "d.param_shape", "d.arg_constraints"),
    *("d.sample().shape", "d.sample((2,)).shape", "d.sample([2, 3]).dtype", "d.rsample((4,)).shape", "d.sample(3)"),
    *("d.expand((2, *d.batch_shape)).mean", "d.expand((2, *d.batch_shape)).entropy()", "d.expand((3,) + (7,) * 2)"),
    *("repr(d.expand((2, *d.batch_shape)))", "d.expand((2, *d.batch_shape)).sample((3,)).shape", "d.log_prob(1)"),
    *("d.icdf(T(0.3))", "d.probs", "d.logits", "d.covariance_matrix", "d.precision_matrix", "d.scale_tril"),
    *("d._natural_params", "D.ExponentialFamily.entropy(d)"),
]
VALUED = ["d.log_prob(v)", "d.cdf(v)", "d.support.check(v)", "d.expand((2, *d.batch_shape)).log_prob(v)"]

OTHERS = [
    # divergences
    "D.kl_divergence(D.Normal(T([0.0, 1.0]), 1.0), D.Normal(0.5, T([[2.0], [0.1]])))",
    "D.kl_divergence(D.Bernoulli(T([0.0, 0.3, 1.0, 0.5, 0.5])), D.Bernoulli(T([0.2, 0.6, 0.9, 0.0, 1.0])))",
    "D.kl_divergence(D.Bernoulli(logits=T([-50.0, 3.0])), D.Bernoulli(logits=T([50.0, 3.0])))",
    "D.kl_divergence(D.Categorical(T([[0.2, 0.8, 0.0]])), D.Categorical(T([[0.5, 0.5, 0.0], [0.1, 0.0, 0.9]])))",
    "D.kl_divergence(D.Uniform(T([0.0, 0.0]), T([1.0, 3.0])), D.Uniform(-1.0, 2.0))",
    "D.kl_divergence(D.Uniform(T([0.0, 1.0]), T([1.0, 3.0])), D.Normal(0.5, 2.0))",
    "D.kl_divergence(D.Normal(T([0.0, 1.0]), 1.0), D.Uniform(-1.0, 2.0))",
    "D.kl_divergence(D.MultivariateNormal(T([1.0, 2.0, 3.0]), COV), D.MultivariateNormal(T([0.0] * 3), scale_tril=TRIL))",
    "D.kl_divergence(D.MultivariateNormal(T([0.0] * 3), COV), D.MultivariateNormal(T([0.0] * 2), torch.eye(2).double()))",
    "D.kl_divergence(D.Independent(D.Normal(T([0.0, 1.0]), 1.0), 1), D.Independent(D.Normal(T([2.0, 1.0]), 3.0), 1))",
    "D.kl_divergence(D.Independent(D.Normal(T([0.0]), 1.0), 1), D.Independent(D.Normal(T([[0.0]]), 1.0), 2))",
    "D.kl_divergence(D.Categorical(T([0.5])), D.Normal(0.0, 1.0))",
    "D.kl.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5))",
    # what is refused
    "D.Normal(T([0.0, 1.0]), T([-1.0, 1.0]))",
    "D.Normal(T([nan]), 1.0)",
    "D.Normal(0.0, 1.0).log_prob(3)",
    "D.Normal(0.0, 1.0).log_prob(T(nan))",
    "D.Normal(T([0.0, 1.0]), 1.0).log_prob(T([1.0, 2.0, 3.0]))",
    "D.Normal(0.0, -1.0, validate_args=False).scale",
    "D.Normal(0.0, 1.0, validate_args=False).log_prob(3.0)",
    "D.Normal('a', 1.0)",
    "D.Bernoulli()",
    "D.Bernoulli(T(0.3), T(0.2))",
    "D.Bernoulli(T([0.2, 1.5]))",
    "D.Bernoulli(T(0.3)).log_prob(T(0.5))",
    "D.Bernoulli(T(0.3)).rsample()",
    "D.Categorical()",
    "D.Categorical(T(1.0))",
    "D.Categorical(logits=T(1.0))",
    "D.Categorical(T([-1.0, 2.0]))",
    "D.Categorical(logits=T([nan, 2.0]))",
    "D.Categorical(T([1.0, 2.0])).log_prob(torch.tensor(2))",
    "D.Categorical(T([1.0, 2.0])).log_prob(T(0.5))",
    "D.Categorical(T([[1.0, 2.0]])).cdf(T(0.5))",
    "D.Uniform(T(1.0), T(0.0))",
    "D.Uniform(T([0.0, 0.0]), T([1.0, 0.0]))",
    "D.Uniform(0.0, 1.0).log_prob(T(2.0))",
    "D.Uniform(0.0, 1.0, validate_args=False).log_prob(T([-1.0, 0.0, 0.5, 1.0]))",
    "D.Uniform(0.0, 1.0, validate_args=False).cdf(T([-1.0, 0.0, 0.5, 2.0]))",
    "D.MultivariateNormal(torch.zeros(2))",
    "D.MultivariateNormal(torch.zeros(2), torch.eye(2), torch.eye(2))",
    "D.MultivariateNormal(T(0.0), torch.eye(2))",
    "D.MultivariateNormal(torch.zeros(2), T(1.0))",
    "D.MultivariateNormal(torch.zeros(2), precision_matrix=T([1.0]))",
    "D.MultivariateNormal(torch.zeros(2), scale_tril=T([1.0]))",
    "D.MultivariateNormal(torch.zeros(2), -torch.eye(2))",
    "D.MultivariateNormal(torch.zeros(2), scale_tril=torch.ones(2, 2))",
    "D.MultivariateNormal(torch.zeros(3, 2), torch.eye(2)).log_prob(torch.zeros(3))",
    "D.MultivariateNormal(torch.zeros(3, 2), torch.eye(2)).log_prob(torch.zeros(4, 2))",
    "D.MultivariateNormal(torch.zeros(2), torch.eye(2)).log_prob(torch.tensor(1.0))",
    "D.Independent(D.Normal(0.0, 1.0), 1)",
    "D.Distribution.set_default_validate_args(3)",
    "D.Distribution(validate_args=False).mean",
    # types
    "D.Normal(T(0.0, dtype=torch.float16), 1.0).scale.dtype",
    "D.Normal(1, 2).loc.dtype",
    "D.Bernoulli(T([0.0, 1.0])).logits",
    "D.Categorical(T([0.0, 1.0])).logits",
    "D.Categorical(T([0.0, 1.0])).entropy()",
    # constraints
    "C.boolean.check(T([0.0, 0.5, 1.0]))",
    "C.one_hot.check(T([[0.0, 1.0], [1.0, 1.0], [0.5, 0.5]]))",
    "C.integer_interval(0, 2).check(T([-1.0, 0.0, 0.5, 2.0, 3.0])), C.integer_interval(0, 2)",
    "C.nonnegative_integer.check(T([-1.0, 0.0, 0.5])), C.positive_integer.check(T([0.0, 1.0])), C.positive_integer",
    "C.real.check(T([0.0, inf, nan])), C.real",
    "C.positive.check(T([0.0, 1.0])), C.nonnegative.check(T([0.0, -1.0])), C.positive, C.nonnegative",
    "C.greater_than_eq(1).check(T([1.0])), C.less_than(T(2.0)).check(T([2.0, 1.0])), C.less_than(2)",
    "C.half_open_interval(0, 1).check(T([0.0, 1.0])), C.half_open_interval(0, 1)",
    "C.simplex.check(T([[0.5, 0.5], [0.5, 0.6], [-0.5, 1.5]])), C.simplex.event_dim",
    "C.multinomial(3).check(T([[1.0, 2.0], [2.0, 2.0]]))",
    "C.lower_triangular.check(torch.stack([TRIL, COV])), C.lower_cholesky.check(torch.stack([TRIL, -TRIL]))",
    "C.corr_cholesky.check(torch.stack([TRIL, TRIL / TRIL.norm(dim=-1, keepdim=True)]))",
    "C.square.check(torch.ones(2, 3, 4)), C.symmetric.check(torch.stack([TRIL, COV]))",
    "C.positive_semidefinite.check(torch.stack([COV, -COV])), C.positive_definite.check(torch.stack([COV, COV * 0]))",
    "C.positive_definite.check(TRIL)",
    "C.cat([C.positive, C.real], 0, [1, 2]).check(T([-1.0, -1.0, 2.0])), C.cat([C.positive]).event_dim",
    "C.stack([C.positive, C.real], -1).check(T([[-1.0, -1.0]])), C.stack([C.positive], -1).event_dim",
    "C.independent(C.positive, 1).check(T([[1.0, -1.0], [1.0, 1.0]])), C.independent(C.positive, 1)",
    "C.independent(C.positive, 2).check(T([1.0]))",
    "C.real_vector, C.real_vector.event_dim, C.unit_interval, C.boolean.is_discrete, C.dependent",
    "C.dependent.event_dim",
    "C.dependent.check(T(1.0))",
    "C.is_dependent(D.Categorical.support), C.is_dependent(C.real), D.Categorical.support.event_dim",
]


def told(expression, **names):
    """The answer to a line, of plain types: numbers as lists with their dtype and shape."""
    try:
        return plain(eval(expression, {**SPACE, **names}))
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error)}


def plain(x):
    if isinstance(x, torch.Tensor):
        return {"dtype": str(x.dtype), "shape": list(x.shape), "values": x.double().flatten().tolist()}
    if isinstance(x, (list, tuple)) and not isinstance(x, torch.Size):
        return [plain(y) for y in x]
    return x if isinstance(x, (bool, int, float)) or x is None else str(x)


def rows():
    """{line: answer}; seeds do not matter: draws are told by shape and dtype alone."""
    found = {}
    for constructor, values in DISTRIBUTIONS.items():
        for member in MEMBERS:
            found[f"{constructor} | {member}"] = told(member, d=eval(constructor, dict(SPACE)))
        for value in values:
            for call in VALUED:
                names = {"d": eval(constructor, dict(SPACE)), "v": eval(value, dict(SPACE))}
                found[f"{constructor} | {value} | {call}"] = told(call, **names)
    for line in OTHERS:
        found[line] = told(line)
    return found
