"""Schedules made of schedules."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from torch.optim.lr_scheduler._base import (
    LRScheduler,
    _copied,
    _param_groups_val_list,
    _public_state,
    _update_param_group_val,
)
from torch.optim.lr_scheduler._plateau import ReduceLROnPlateau
from torch.optim.optimizer import Optimizer


class _OfSchedulers(LRScheduler):
    """What the schedules have in common that hold others."""

    def state_dict(self):
        """All attributes but the optimiser; in ``"_schedulers"`` the state dicts of the parts."""
        return {
            **_public_state(self, "_schedulers"),
            "_schedulers": [scheduler.state_dict() for scheduler in self._schedulers],
        }

    def load_state_dict(self, state_dict):
        """Take over what :meth:`state_dict` has given, parts included."""
        saved = state_dict["_schedulers"]
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for scheduler, state in zip(self._schedulers, saved):
            scheduler.load_state_dict(state)


def _check_same_optimizer(kind, schedulers, optimizer):
    for i, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{kind} at index {i} should have `optimizer` as its attribute.")
        if scheduler.optimizer is not optimizer:
            raise ValueError(
                f"{kind} expects all schedulers to belong to the same optimizer, but got scheduler "
                f"{type(scheduler).__name__} at index {i} has {scheduler.optimizer}, which is different from "
                f"{type(optimizer).__name__}."
            )


class SequentialLR(_OfSchedulers):
    """Schedules one after the other: the next takes over, from its epoch 0, at each milestone.

    Args:
        optimizer (Optimizer): that of all of them
        schedulers (list of LRScheduler)
        milestones (list of int): epochs, one less than schedulers
        last_epoch (int): default: -1

    Raises ValueError for no schedulers, a number of milestones that does not fit, ReduceLROnPlateau, and schedulers of
    another optimiser.
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError("SequentialLR expects at least one scheduler, but got no scheduler.")
        for i, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(f"SequentialLR at index {i} should have `optimizer` as its attribute.")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    "SequentialLR does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to "
                    f"be specified when calling `step`, but got one at index {i} in the given schedulers sequence."
                )
        _check_same_optimizer("SequentialLR", schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be "
                f"equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each scheduler has made a first step when it was made: take those back, and make that of the first one.
        for group in optimizer.param_groups:
            _update_param_group_val(group, "lr", _copied(group["initial_lr"]))
        self.recursive_undo()
        self._schedulers[0]._initial_step()
        self._last_lr = schedulers[0].get_last_lr()

    def recursive_undo(self, sched=None) -> None:
        """Let all schedulers in `sched` (in this one) start anew: the epoch before their first."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for part in scheduler._schedulers:
                self.recursive_undo(part)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self) -> None:
        """Set the rates of the next epoch."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_OfSchedulers):
    """Schedules all at once: each steps from the rates that the one before has left.

    Args:
        schedulers (sequence of LRScheduler)
        optimizer (Optimizer, optional): default: that of the first

    Raises ValueError for no schedulers, for :class:`ReduceLROnPlateau`, whose steps need a metric, and for schedulers
    of another optimiser.
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if len(schedulers) < 1:
            raise ValueError("ChainedScheduler expects at least one scheduler to be chained, but got no scheduler.")
        optimizer = optimizer or schedulers[0].optimizer
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        for i, scheduler in enumerate(schedulers):
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    "ChainedScheduler does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to "
                    f"be specified when calling `step`, but got one at index {i} in the given schedulers sequence."
                )
        _check_same_optimizer("ChainedScheduler", schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = _param_groups_val_list(optimizer, "lr")

    def step(self) -> None:
        """Set the rates of the next epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = _param_groups_val_list(self.optimizer, "lr")
