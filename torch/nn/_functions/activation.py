"""Softmax over the planes of images, and its logarithm."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F

globals().update(classes(__name__, {"Softmax": F.softmax, "LogSoftmax": F.log_softmax}))
