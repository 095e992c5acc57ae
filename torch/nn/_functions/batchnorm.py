"""Batch normalisation: BatchNorm(running_mean, running_var, training, momentum, eps)(input, weight, bias)."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F


def _normalized(input, weight, bias, running_mean, running_var, training, momentum, eps):
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


BatchNorm = classes(__name__, {"BatchNorm": _normalized})["BatchNorm"]
BatchNorm.tensor_options = True
