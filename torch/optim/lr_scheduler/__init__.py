"""Schedules of learning rates: ``scheduler.step()`` after each epoch (or batch) sets the rates of the next.

Each reads and writes ``lr`` of its optimiser's groups, so several may work on one optimiser (:class:`ChainedScheduler`)
or follow one another (:class:`SequentialLR`). A rate that is a tensor is written in place.
"""

from torch.optim.lr_scheduler._base import (
    EPOCH_DEPRECATION_WARNING,
    LRScheduler,
    _enable_get_lr_call,
    _format_param,
    _LRScheduler,
    _param_groups_val_list,
    _update_param_group_val,
    _warn_get_lr_called_within_step,
)
from torch.optim.lr_scheduler._compose import ChainedScheduler, SequentialLR
from torch.optim.lr_scheduler._cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from torch.optim.lr_scheduler._cycle import CyclicLR, OneCycleLR
from torch.optim.lr_scheduler._factors import (
    ConstantLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from torch.optim.lr_scheduler._plateau import ReduceLROnPlateau

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

# A pickled scheduler names the module that PyTorch has.
for _class in (*(globals()[_name] for _name in __all__), _LRScheduler):
    _class.__module__ = __name__
del _class
