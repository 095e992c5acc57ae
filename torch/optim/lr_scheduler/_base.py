"""LRScheduler, and how learning rates are read and written.

A schedule is said in one of two ways, and most are said in both. ``get_lr()`` gives the next rates from the ones that
the groups have now: so schedules can be chained, each multiplying what the others have left. ``_get_closed_form_lr()``
gives the rates of an epoch from the initial ones; ``step(epoch)`` and :class:`SequentialLR` use it to jump.
"""

from __future__ import annotations

import functools
import warnings
import weakref
from typing import Any

import torch
from torch.optim._numbers import _to_scalar
from torch.optim.optimizer import Optimizer

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. A given epoch is computed by the closed form of the schedule, where it "
    "has one, and not from the rate before."
)


def _update_param_group_val(group, key: str, value) -> None:
    """Set an option of a group; a tensor keeps its identity and takes the value."""
    if isinstance(group[key], torch.Tensor):
        group[key].fill_(_to_scalar(value))
    else:
        group[key] = value


def _copied(value):
    return value.clone() if isinstance(value, torch.Tensor) else value


def _param_groups_val_list(optimizer: Optimizer, key: str) -> list[Any]:
    """An option of all groups, tensors copied."""
    return [_copied(group[key]) for group in optimizer.param_groups]


def _format_param(name: str, optimizer: Optimizer, param):
    """One value for each group: `param` itself if it is a list or tuple of as many, else `param` for all of them."""
    groups = optimizer.param_groups
    if not isinstance(param, (list, tuple)):
        return [_copied(param) for _ in groups]
    if len(param) != len(groups):
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(param)} values, "
            f"param_groups has {len(groups)}."
        )
    return [_copied(value) for value in param]


def _is_positive_int(value):
    return isinstance(value, int) and value > 0


def _public_state(scheduler, *left_out):
    """The attributes of a scheduler but for the optimiser and those named."""
    return {key: value for key, value in scheduler.__dict__.items() if key != "optimizer" and key not in left_out}


def _state_of_function(function):
    """What is saved of a function that a schedule was given: the attributes of a callable object, of others nothing."""
    return (
        None
        if not hasattr(function, "__dict__") or callable(getattr(function, "__get__", None))
        else dict(function.__dict__)
    )


class _enable_get_lr_call:  # noqa: N801 - schedulers written elsewhere know it by this name
    """Within it ``get_lr()`` is the scheduler's own call, and nothing to warn about."""

    def __init__(self, scheduler) -> None:
        self.scheduler = scheduler

    def __enter__(self) -> Self:
        self.scheduler._get_lr_called_within_step = True
        return self

    def __exit__(self, *error) -> None:
        self.scheduler._get_lr_called_within_step = False


def _warn_get_lr_called_within_step(scheduler) -> None:
    if not scheduler._get_lr_called_within_step:
        warnings.warn(
            "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
            UserWarning,
            stacklevel=3,
        )


def _watch_steps(optimizer):
    """Have ``optimizer._opt_called`` say whether it has stepped since: schedulers are to step after it."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    function = optimizer.step.__func__
    reference = weakref.ref(optimizer)  # a method stored in its own object would be a cycle

    @functools.wraps(function)
    def step(*args, **kwargs):
        optimizer = reference()
        optimizer._opt_called = True
        return function.__get__(optimizer, type(optimizer))(*args, **kwargs)

    step._wrapped_by_lr_sched = True
    optimizer.step = step


class LRScheduler:
    """Base of the schedules of learning rates.

    Args:
        optimizer (Optimizer): its groups get ``initial_lr``, unless they have it
        last_epoch (int): -1 to start; else the epoch after which to go on, with groups that have ``initial_lr``

    A class gives ``get_lr()``. Raises TypeError for what is no optimiser, KeyError where a schedule goes on with a group
    that has no ``initial_lr``.
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with "
                    "last_epoch >= 0. Load the optimizer's state dict before, or leave last_epoch out to start anew."
                )
        self.base_lrs = _param_groups_val_list(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _watch_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        """Count from zero, and set the rates of the first epoch."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimiser, as a dictionary."""
        return _public_state(self)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` has given, here or in PyTorch."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[float | Tensor]:
        """The rates that the last step set, one for each group."""
        return self._last_lr

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, one for each group, from those that the groups have now."""
        raise NotImplementedError

    def _lrs(self):
        return _param_groups_val_list(self.optimizer, "lr")

    def _closed_form(self):
        """The closed form where the schedule has one."""
        closed = getattr(self, "_get_closed_form_lr", None)
        return self.get_lr() if closed is None else closed()

    def step(self, epoch: int | None = None) -> None:
        """Set the rates of the next epoch. To be called after the optimiser's step; warns where it is not.

        Args:
            epoch (int, optional): deprecated: the epoch to go to
        """
        if self._step_count == 1:
            self._warn_of_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _warn_of_order(self):
        if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. "
                "Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`.",
                UserWarning,
                stacklevel=3,
            )
        elif not getattr(self.optimizer, "_opt_called", False):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. The first value of the learning "
                "rate schedule is skipped so: call `optimizer.step()` first.",
                UserWarning,
                stacklevel=3,
            )

    def _update_lr(self, epoch: int | None = None) -> None:
        with _enable_get_lr_call(self):
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                values = self._closed_form()
        for group, value in zip(self.optimizer.param_groups, values, strict=True):
            _update_param_group_val(group, "lr", value)
        self._last_lr = self._lrs()


class _LRScheduler(LRScheduler):
    """The name of :class:`LRScheduler` in scripts of before 2.0."""
