"""Random choices whose gradients came from rewards (REINFORCE). They have been gone since 2018."""

from torch.autograd._functions._made import refused

globals().update(
    refused(
        __name__,
        ("Multinomial", "Bernoulli", "Normal"),
        "stochastic functions and reinforce() have been gone since PyTorch 0.4; torch.distributions has log_prob, whose "
        "gradient times a reward is the same",
    )
)
