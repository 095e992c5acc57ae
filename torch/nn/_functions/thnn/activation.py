"""Activations."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F

globals().update(
    classes(
        __name__,
        {
            "PReLU": F.prelu,
            "RReLU": F.rrelu,
            "SELU": F.selu,
            "Softmin": F.softmin,
            "Softmax": F.softmax,
            "LogSoftmax": F.log_softmax,
            "Threshold": F.threshold,
            "LeakyReLU": F.leaky_relu,
            "ELU": F.elu,
            "Hardtanh": F.hardtanh,
            "Hardshrink": F.hardshrink,
            "LogSigmoid": F.logsigmoid,
            "Softplus": F.softplus,
            "Softshrink": F.softshrink,
            "GatedLinear": F.glu,
        },
    )
)
