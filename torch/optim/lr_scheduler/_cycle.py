"""Schedules that go up and down, and the momentum against them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

from torch.optim.lr_scheduler._base import (
    LRScheduler,
    _format_param,
    _is_positive_int,
    _public_state,
    _state_of_function,
    _update_param_group_val,
    _warn_get_lr_called_within_step,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import Optimizer


def _uses_beta1(optimizer):
    """Whether momentum is the first of ``betas``. Raises ValueError for an optimiser without either."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
    return "betas" in optimizer.defaults


def _set_momentum(group, value, use_beta1):
    if use_beta1:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class CyclicLR(LRScheduler):
    """Up from `base_lr` to `max_lr` in `step_size_up` steps and down again, over and over.

    To be stepped after each batch.

    Args:
        optimizer (Optimizer)
        base_lr, max_lr (float, or a list of one for each group)
        step_size_up (int): default: 2000
        step_size_down (int, optional): default: `step_size_up`
        mode (str): how the height changes: "triangular" (not at all), "triangular2" (halved with each cycle),
            "exp_range" (times ``gamma ** step``)
        gamma (float): default: 1.0
        scale_fn (callable, optional): the height as a function, instead of `mode`
        scale_mode (str): what `scale_fn` is a function of: "cycle" (from 1) or "iterations"
        cycle_momentum (bool): move momentum (or beta1) between `max_momentum` and `base_momentum`, the other way
        base_momentum, max_momentum (float, or a list): default: 0.8 and 0.9
        last_epoch (int): default: -1

    Raises ValueError for an unknown mode, for lists of another length than groups, and for an optimiser without
    momentum where it is to move.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if not hasattr(optimizer, "param_groups"):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        base_lrs = _format_param("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups):
                _update_param_group_val(group, "lr", lr)
        self.max_lrs = _format_param("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (float(step_size_down) if step_size_down is not None else up)
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_beta1(optimizer)
            self.base_momentums = _format_param("base_momentum", optimizer, base_momentum)
            self.max_momentums = _format_param("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                for high, low, group in zip(self.max_momentums, self.base_momentums, optimizer.param_groups):
                    _set_momentum(group, high, self.use_beta1)
                    group["max_momentum"] = high
                    group["base_momentum"] = low
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x) -> float:
        """The height of the cycle (or at the step) `x`, relative to the first."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == "triangular2" else self.gamma**x

    def get_lr(self) -> list[float | Tensor]:
        """The rates of step ``last_epoch``. Sets the momentum too."""
        _warn_get_lr_called_within_step(self)
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        if place <= self.step_ratio:
            height = place / self.step_ratio
        else:
            height = (place - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for low, high, group in zip(self.base_momentums, self.max_momentums, self.optimizer.param_groups):
                _set_momentum(group, high - (high - low) * height * scale, self.use_beta1)
        return [low + (high - low) * height * scale for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimiser. A function is not saved; of a callable object its attributes are."""
        return {
            **_public_state(self, "_scale_fn_custom"),
            "_scale_fn_custom": _state_of_function(self._scale_fn_custom),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` has given; `scale_fn` stays, a callable object gets its attributes."""
        attributes = state_dict["_scale_fn_custom"]
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_scale_fn_custom"})
        if attributes is not None:
            self._scale_fn_custom.__dict__.update(attributes)


class OneCycleLR(LRScheduler):
    """Up to `max_lr`, then down far below where it started, within a fixed number of steps.

    To be stepped after each batch.

    Args:
        optimizer (Optimizer)
        max_lr (float, or a list of one for each group)
        total_steps (int, optional): or else
        epochs, steps_per_epoch (int, optional): the two factors of it
        pct_start (float): the part of the cycle that goes up (default: 0.3)
        anneal_strategy (str): "cos" or "linear"
        cycle_momentum (bool): move momentum (or beta1) between `max_momentum` and `base_momentum`, the other way
        base_momentum, max_momentum (float, or a list): default: 0.85 and 0.95
        div_factor (float): the initial rate is ``max_lr / div_factor`` (default: 25)
        final_div_factor (float): the last rate is the initial one divided by it (default: 1e4)
        three_phase (bool): first down to the initial rate, as fast as up, and then to the last
        last_epoch (int): default: -1

    Raises ValueError for options out of range, for an optimiser without momentum where it is to move, and for a step
    after the last.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        if not hasattr(optimizer, "param_groups"):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        self.total_steps = self._counted(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = self._phases(pct_start, three_phase)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        max_lrs = _format_param("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for high, group in zip(max_lrs, optimizer.param_groups):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_beta1(optimizer)
            highs = _format_param("max_momentum", optimizer, max_momentum)
            lows = _format_param("base_momentum", optimizer, base_momentum)
            if last_epoch == -1:
                for high, low, group in zip(highs, lows, optimizer.param_groups):
                    _set_momentum(group, high, self.use_beta1)
                    group["max_momentum"] = high
                    group["base_momentum"] = low
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def _counted(total_steps, epochs, steps_per_epoch):
        if total_steps is not None:
            if not _is_positive_int(total_steps):
                raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
            return total_steps
        if epochs is None or steps_per_epoch is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
            if not _is_positive_int(value):
                raise ValueError(f"Expected positive integer {name}, but got {value}")
        return epochs * steps_per_epoch

    def _phases(self, pct_start, three_phase):
        """Each phase names options of a group: from where to where the rate and the momentum go until its end."""
        up = float(pct_start * self.total_steps) - 1
        end = self.total_steps - 1
        if three_phase:
            rows = (
                (up, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                (float(2 * pct_start * self.total_steps) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
                (end, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
            )
        else:
            rows = (
                (up, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                (end, "max_lr", "min_lr", "base_momentum", "max_momentum"),
            )
        keys = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        return [dict(zip(keys, row)) for row in rows]

    def _anneal(self, start, end, part):
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of step ``last_epoch``. Sets the momentum too."""
        _warn_get_lr_called_within_step(self)
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        start = 0.0
        for phase in self._schedule_phases[:-1]:
            if step <= phase["end_step"]:
                break
            start = phase["end_step"]
        else:
            phase = self._schedule_phases[-1]
        part = (step - start) / (phase["end_step"] - start)
        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                value = self._anneal(group[phase["start_momentum"]], group[phase["end_momentum"]], part)
                _set_momentum(group, value, self.use_beta1)
        return [
            self._anneal(group[phase["start_lr"]], group[phase["end_lr"]], part)
            for group in self.optimizer.param_groups
        ]
