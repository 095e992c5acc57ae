import pyro
import pyro.distributions as dist
import torch
from common import wave
from pyro.infer import SVI, Trace_ELBO
from pyro.infer.autoguide import AutoDelta

DATA = wave(20) + 1.5


def model(data):
    mean = pyro.sample("mean", dist.Normal(0.0, 10.0))
    scale = pyro.sample("scale", dist.LogNormal(0.0, 1.0))
    weights = pyro.sample("weights", dist.Dirichlet(torch.ones(3)))
    with pyro.plate("data", len(data)):
        pyro.sample("seen", dist.Normal(mean + weights[0], scale), obs=data)


def run():
    pyro.clear_param_store()
    guide = AutoDelta(model, init_loc_fn=lambda site: site["fn"].mean.detach())
    svi = SVI(model, guide, pyro.optim.Adam({"lr": 0.05}), Trace_ELBO())
    losses = [svi.step(DATA) for _ in range(20)]
    conditioned = pyro.condition(
        model, {"mean": torch.tensor(1.0), "scale": torch.tensor(0.5), "weights": torch.ones(3) / 3}
    )
    trace = pyro.poutine.trace(conditioned).get_trace(DATA)
    return {
        "losses": losses,
        "median": guide.median(),
        "log_prob": trace.log_prob_sum(),
        "sites": sorted(trace.nodes),
        "kl": torch.distributions.kl_divergence(dist.Gamma(2.0, 3.0), dist.Gamma(1.0, 1.5)),
    }
