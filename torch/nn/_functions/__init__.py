"""The functions of torch.nn as classes, as they were in 2017: `linear.Linear.apply(input, weight, bias)`. They call
torch.nn.functional."""

from torch.autograd._functions._made import submodules as _submodules

__getattr__ = _submodules(
    __name__,
    "activation batchnorm bilinear conv dropout linear loss normalization packing padding rnn thnn vision".split(),
)
