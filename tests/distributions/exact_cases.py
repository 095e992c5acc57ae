"""What generate_exact.py records and test_exact.py compares."""

GAMMAS = (0.01, 0.3, 1.0, 2.5, 10.0, 300.0, 9000.0)
BETAS = ((0.05, 0.5), (0.5, 0.5), (1.0, 1.0), (2.0, 30.0), (30.0, 2.0), (150.0, 200.0), (0.3, 1000.0), (1000.0, 0.7))

# {distribution: (SciPy's, whether it is discrete)}
SCIPY = {
    "D.Beta(2.0, 3.0)": ("stats.beta(2, 3)", False),
    "D.Binomial(7, T(0.3))": ("stats.binom(7, 0.3)", True),
    "D.Cauchy(0.5, 2.0)": ("stats.cauchy(0.5, 2)", False),
    "D.Chi2(3.0)": ("stats.chi2(3)", False),
    "D.Exponential(1.5)": ("stats.expon(scale=1 / 1.5)", False),
    "D.FisherSnedecor(6.0, 5.0)": ("stats.f(6, 5)", False),
    "D.Gamma(2.5, 1.5)": ("stats.gamma(2.5, scale=1 / 1.5)", False),
    "D.GeneralizedPareto(0.0, 2.0, 0.3)": ("stats.genpareto(0.3, 0, 2)", False),
    "D.Geometric(T(0.3))": ("stats.geom(0.3, loc=-1)", True),
    "D.Gumbel(0.5, 2.0)": ("stats.gumbel_r(0.5, 2)", False),
    "D.HalfCauchy(2.0)": ("stats.halfcauchy(scale=2)", False),
    "D.HalfNormal(2.0)": ("stats.halfnorm(scale=2)", False),
    "D.InverseGamma(3.0, 2.0)": ("stats.invgamma(3, scale=2)", False),
    "D.Laplace(0.5, 2.0)": ("stats.laplace(0.5, 2)", False),
    "D.LogNormal(0.5, 0.3)": ("stats.lognorm(0.3, scale=2.718281828459045**0.5)", False),
    "D.NegativeBinomial(4.0, T(0.3))": ("stats.nbinom(4, 0.7)", True),
    "D.Normal(0.5, 2.0)": ("stats.norm(0.5, 2)", False),
    "D.Pareto(0.1, 2.5)": ("stats.pareto(2.5, scale=0.1)", False),
    "D.Poisson(T(2.5))": ("stats.poisson(2.5)", True),
    "D.StudentT(5.0, 0.5, 2.0)": ("stats.t(5, 0.5, 2)", False),
    "D.Uniform(-1.0, 2.0)": ("stats.uniform(-1, 3)", False),
    "D.VonMises(0.0, 4.0)": ("stats.vonmises(4)", False),
    "D.Weibull(2.0, 1.5)": ("stats.weibull_min(1.5, scale=2)", False),
}


def points(discrete):
    """Where log-densities are asked."""
    return [0.0, 1.0, 2.0, 5.0] if discrete else [0.15, 0.35, 0.6, 0.9]
