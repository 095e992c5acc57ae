"""Time per call of log_prob, sample, rsample and construction of every distribution: our library and PyTorch.

    python benchmarks/distributions.py --ours PYTHON --torch PYTHON [--only Gamma] [--rounds 3] [--sizes 10,1000]

Each library runs in processes of its own, one after the other, `--rounds` times; the least time of each case counts. A ratio
above 1 means that ours is faster. One thread.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import timeit

HERE = pathlib.Path(__file__).resolve()
OURS = HERE.parent.parent
SAMPLE = 0.002  # seconds that one sample lasts at least

# {name: constructor}; n is the batch's size, u(n) numbers from 0.2 to 0.8, p(n) positive ones.
CASES = {
    "Bernoulli": "D.Bernoulli(u(n))",
    "Beta": "D.Beta(p(n), p(n))",
    "Binomial": "D.Binomial(10, u(n))",
    "Categorical": "D.Categorical(u(n, 5))",
    "Cauchy": "D.Cauchy(u(n), p(n))",
    "Chi2": "D.Chi2(p(n))",
    "ContinuousBernoulli": "D.ContinuousBernoulli(u(n))",
    "Dirichlet": "D.Dirichlet(p(n, 5))",
    "Exponential": "D.Exponential(p(n))",
    "FisherSnedecor": "D.FisherSnedecor(p(n), p(n))",
    "Gamma": "D.Gamma(p(n), p(n))",
    "GeneralizedPareto": "D.GeneralizedPareto(u(n), p(n), u(n))",
    "Geometric": "D.Geometric(u(n))",
    "Gumbel": "D.Gumbel(u(n), p(n))",
    "HalfCauchy": "D.HalfCauchy(p(n))",
    "HalfNormal": "D.HalfNormal(p(n))",
    "Independent": "D.Independent(D.Normal(u(n, 5), p(n, 5)), 1)",
    "InverseGamma": "D.InverseGamma(p(n), p(n))",
    "Kumaraswamy": "D.Kumaraswamy(p(n), p(n))",
    "LKJCholesky": "D.LKJCholesky(3, p(n))",
    "Laplace": "D.Laplace(u(n), p(n))",
    "LogNormal": "D.LogNormal(u(n), p(n))",
    "LogisticNormal": "D.LogisticNormal(u(n, 5), p(n, 5))",
    "LowRankMultivariateNormal": "D.LowRankMultivariateNormal(u(n, 5), u(n, 5, 2), p(n, 5))",
    "MixtureSameFamily": "D.MixtureSameFamily(D.Categorical(u(n, 5)), D.Normal(u(n, 5), p(n, 5)))",
    "Multinomial": "D.Multinomial(10, u(n, 5))",
    "MultivariateNormal": "D.MultivariateNormal(u(n, 5), scale_tril=torch.eye(5))",
    "NegativeBinomial": "D.NegativeBinomial(p(n), u(n))",
    "Normal": "D.Normal(u(n), p(n))",
    "OneHotCategorical": "D.OneHotCategorical(u(n, 5))",
    "Pareto": "D.Pareto(p(n), p(n))",
    "Poisson": "D.Poisson(p(n))",
    "RelaxedBernoulli": "D.RelaxedBernoulli(torch.tensor(0.7), u(n))",
    "RelaxedOneHotCategorical": "D.RelaxedOneHotCategorical(torch.tensor(0.7), u(n, 5))",
    "StudentT": "D.StudentT(p(n), u(n), p(n))",
    "Uniform": "D.Uniform(u(n), 1 + u(n))",
    "VonMises": "D.VonMises(u(n), p(n))",
    "Weibull": "D.Weibull(p(n), p(n))",
    "Wishart": "D.Wishart(6 + p(n), torch.eye(3))",
}
CALLS = {"log_prob": "d.log_prob(x)", "sample": "d.sample()", "rsample": "d.rsample()", "make": None}


def least(statement, names):
    """Seconds for one call, the least of five samples."""
    timer = timeit.Timer(statement, globals=names)
    timer.timeit(1)
    count = 1
    while (took := min(timer.repeat(2, count))) < SAMPLE:
        count = int(max(2 * count, count * SAMPLE / max(took, 1e-9)))
    return min(timer.repeat(5, count)) / count


def worker(only, sizes):
    """Prints {case: microseconds}."""
    import warnings

    import torch
    import torch.distributions as D  # noqa: N812

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    names = {"D": D, "torch": torch, "u": lambda *n: torch.rand(n) * 0.6 + 0.2, "p": lambda *n: torch.rand(n) * 2 + 0.5}
    found = {}
    for n in sizes:
        for name, constructor in CASES.items():
            if only not in name:
                continue
            d = eval(constructor, {**names, "n": n})
            for call, statement in CALLS.items():
                if call == "rsample" and not d.has_rsample:
                    continue
                here = {**names, "n": n, "d": d, "x": d.sample()}
                # What a constructor is given is made before.
                if statement is None:
                    made = {}

                    def once(shape, kind, made=made, names=names):
                        return made.setdefault((kind, shape), names[kind](*shape))

                    here |= {"u": lambda *s, once=once: once(s, "u"), "p": lambda *s, once=once: once(s, "p")}
                    statement = constructor
                found[f"{name}({n}) {call}"] = least(statement, here) * 1e6
    print(json.dumps(found))


def measured(python, path, options):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    if path:
        environment["PYTHONPATH"] = str(path)
    run = [python, str(HERE), "--worker", *options]
    return json.loads(subprocess.run(run, env=environment, cwd="/", check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ours", metavar="PYTHON", default=sys.executable, help="interpreter that imports our torch")
    parser.add_argument("--torch", metavar="PYTHON", help="interpreter that imports PyTorch")
    parser.add_argument("--only", metavar="TEXT", default="", help="distributions whose name contains this")
    parser.add_argument("--sizes", default="10", help="sizes of a batch, by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    sizes = [int(n) for n in asked.sizes.split(",")]
    if asked.worker:
        return worker(asked.only, sizes)
    options = ["--only", asked.only, "--sizes", asked.sizes]
    best = {"ours": {}, "torch": {}}
    for _ in range(asked.rounds):
        for library, python, path in (("ours", asked.ours, OURS), ("torch", asked.torch, None)):
            if python:
                for case, time in measured(python, path, options).items():
                    best[library][case] = min(time, best[library].get(case, time))
    print(f"{'microseconds':45}{'ours':>8}{'torch':>8}{'ratio':>7}")
    for case, ours in best["ours"].items():
        theirs = best["torch"].get(case)
        print(f"{case:45}{ours:8.2f}" + (f"{theirs:8.2f}{theirs / ours:7.1f}" if theirs else ""))
    for call in CALLS:
        ratios = [
            best["torch"][c] / t for c, t in best["ours"].items() if c.endswith(f" {call}") and c in best["torch"]
        ]
        if ratios:
            mean = 1.0
            for ratio in ratios:
                mean *= ratio ** (1 / len(ratios))
            print(f"{call}: {mean:.1f} times as fast (geometric mean of {len(ratios)}), at least {min(ratios):.1f}")
    return None


if __name__ == "__main__":
    main()
