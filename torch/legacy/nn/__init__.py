"""Lua's modules of neural networks. A module computes with `forward(input)`; `backward(input, gradOutput)` gives the
gradient of its input and adds those of its parameters to `gradWeight`, `gradBias`. Dimensions count from 0, and inputs
that are tables in Lua are lists.

    net = nn.Sequential().add(nn.Linear(2, 10)).add(nn.Tanh()).add(nn.Linear(10, 1))
    criterion = nn.MSECriterion()
    loss = criterion.forward(net.forward(input), target)
    net.zeroGradParameters()
    net.backward(input, criterion.backward(net.output, target))
    net.updateParameters(0.1)
"""

from torch.legacy.nn import (
    _containers,
    _convolutions,
    _criteria,
    _linear,
    _module,
    _pointwise,
    _pooling,
    _shapes,
    utils as utils,
)
from torch.legacy.nn._module import Module as Module

__all__ = ["Module"]


def _gather():
    """All classes of the files here; their home is this module, whatever the file."""
    for file in (_containers, _pointwise, _shapes, _linear, _convolutions, _pooling, _criteria):
        for name, value in vars(file).items():
            if name[0].isupper() and isinstance(value, type) and name not in ("Computed", "Weighted", "Typed", "Tape"):
                globals()[name] = value
                value.__module__ = __name__
                __all__.append(name)
    Module.__module__ = __name__
    __all__[:] = sorted({*__all__} - {"Branches"})


_gather()
