import torch
from torch import distributions as D
from torch.distributions import constraints, kl_divergence, register_kl, transforms

normal = D.Normal(torch.zeros(3), 1.0)
reveal_type(normal)
reveal_type(normal.mean)
reveal_type(normal.stddev)
reveal_type(normal.sample())
reveal_type(normal.rsample((2,)))
reveal_type(normal.log_prob(torch.ones(3)))
reveal_type(normal.entropy())
reveal_type(normal.batch_shape)
reveal_type(normal.expand((2, 3)))
reveal_type(D.Categorical(logits=torch.zeros(4)).probs)
reveal_type(D.Categorical(torch.ones(4)).param_shape)
reveal_type(D.Bernoulli(0.5).logits)
reveal_type(D.MultivariateNormal(torch.zeros(2), torch.eye(2)).covariance_matrix)
reveal_type(D.Independent(normal, 1).base_dist)
reveal_type(kl_divergence(normal, D.Normal(0.0, 2.0)))
reveal_type(transforms.ExpTransform()(torch.ones(2)))
reveal_type(transforms.ExpTransform().inv)
reveal_type(transforms.AffineTransform(0.0, 2.0).log_abs_det_jacobian(torch.ones(2), torch.ones(2)))
reveal_type(D.transform_to(constraints.positive))
reveal_type(constraints.positive.check(torch.ones(2)))
reveal_type(D.TransformedDistribution(normal, [transforms.ExpTransform()]).rsample())
reveal_type(D.Gamma(1.0, 2.0).mean)


class Always(D.Distribution):
    def sample(self, sample_shape=torch.Size()):
        return torch.ones(sample_shape)


@register_kl(Always, D.Normal)
def divergence(p, q):
    return torch.tensor(0.0)


D.Normal("0", 1.0)  # an error
D.Normal(0.0)  # an error
D.Normal(0.0, 1.0, validate=True)  # an error
D.Bernoulli(0.5).sample_n("3")  # an error
D.Gamma(1.0, 2.0).concentrate  # an error
normal.log_prob()  # an error
kl_divergence(normal, 1.0)  # an error
