"""The operators of 2017, when each was a class: `Add.apply(a, b)` or, older still, `Transpose(0, 1)(a)`. The classes call today's
operators, whose gradients are theirs."""

from torch.autograd._functions import tensor
from torch.autograd._functions._made import submodules as _submodules

globals().update({name: value for name, value in vars(tensor).items() if hasattr(value, "after_first")})
__getattr__ = _submodules(
    __name__, "basic_ops blas compare initializers linalg pointwise reduce stochastic utils".split()
)
