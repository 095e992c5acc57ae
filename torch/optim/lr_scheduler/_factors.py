"""Schedules that multiply the learning rate by a factor."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable

from torch.optim.lr_scheduler._base import (
    LRScheduler,
    _public_state,
    _state_of_function,
    _warn_get_lr_called_within_step,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import Optimizer


class _OfFunctions(LRScheduler):
    """What the schedules have in common that are functions of the epoch, one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.optimizer = optimizer
        groups = optimizer.param_groups
        if not isinstance(lr_lambda, (list, tuple)):
            self.lr_lambdas = [lr_lambda] * len(groups)
        else:
            if len(lr_lambda) != len(groups):
                raise ValueError(f"Expected {len(groups)} lr_lambdas, but got {len(lr_lambda)}")
            self.lr_lambdas = list(lr_lambda)
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        """All attributes but the optimiser. Functions are not saved; of callable objects their attributes are."""
        return {
            **_public_state(self, "lr_lambdas"),
            "lr_lambdas": [_state_of_function(function) for function in self.lr_lambdas],
        }

    def load_state_dict(self, state_dict):
        """Take over what :meth:`state_dict` has given; the functions stay, callable objects get their attributes."""
        saved = state_dict["lr_lambdas"]
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for function, attributes in zip(self.lr_lambdas, saved):
            if attributes is not None:
                function.__dict__.update(attributes)


class LambdaLR(_OfFunctions):
    """The initial rate times a function of the epoch.

    Args:
        optimizer (Optimizer)
        lr_lambda (callable, or a list of one for each group): from the epoch (int) to the factor
        last_epoch (int): default: -1
    """

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``."""
        _warn_get_lr_called_within_step(self)
        return [base * factor(self.last_epoch) for base, factor in zip(self.base_lrs, self.lr_lambdas, strict=True)]


class MultiplicativeLR(_OfFunctions):
    """The rate before times a function of the epoch.

    Args:
        optimizer (Optimizer)
        lr_lambda (callable, or a list of one for each group): from the epoch (int) to the factor
        last_epoch (int): default: -1

    Raises TypeError for what cannot be called, ValueError for a list of another length than there are groups.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        for function in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial:
            return self._lrs()
        return [lr * factor(self.last_epoch) for lr, factor in zip(self._lrs(), self.lr_lambdas, strict=True)]


class StepLR(LRScheduler):
    """Times `gamma` every `step_size` epochs.

    Args:
        optimizer (Optimizer)
        step_size (int)
        gamma (float): default: 0.1
        last_epoch (int): default: -1
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._lrs()
        return [lr * self.gamma for lr in self._lrs()]

    def _get_closed_form_lr(self) -> list[float | Tensor]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times `gamma` at each of the `milestones`.

    Args:
        optimizer (Optimizer)
        milestones (iterable of int): epochs; one that is there twice counts twice
        gamma (float): default: 0.1
        last_epoch (int): default: -1
    """

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self.last_epoch not in self.milestones:
            return self._lrs()
        return [lr * self.gamma ** self.milestones[self.last_epoch] for lr in self._lrs()]

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times `factor` until epoch `total_iters`.

    Args:
        optimizer (Optimizer)
        factor (float): in [0, 1] (default: 1/3)
        total_iters (int): default: 5
        last_epoch (int): default: -1

    Raises ValueError for a factor out of range.
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self.last_epoch == 0:
            return [lr * self.factor for lr in self._lrs()]
        if self.last_epoch != self.total_iters:
            return self._lrs()
        return [lr * (1.0 / self.factor) for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [
            base * (self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)) for base in self.base_lrs
        ]


class LinearLR(LRScheduler):
    """Times a factor that goes evenly from `start_factor` to `end_factor` until epoch `total_iters`.

    Args:
        optimizer (Optimizer)
        start_factor (float): in (0, 1] (default: 1/3)
        end_factor (float): in [0, 1] (default: 1.0)
        total_iters (int): default: 5
        last_epoch (int): default: -1

    Raises ValueError for a factor out of range.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self.last_epoch == 0:
            return [lr * self.start_factor for lr in self._lrs()]
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._lrs()
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return [lr * (1.0 + rise / before) for lr in self._lrs()]

    def _get_closed_form_lr(self):
        rise = self.end_factor - self.start_factor
        return [
            base * (self.start_factor + rise * min(self.total_iters, self.last_epoch) / self.total_iters)
            for base in self.base_lrs
        ]


class ExponentialLR(LRScheduler):
    """Times `gamma` every epoch.

    Args:
        optimizer (Optimizer)
        gamma (float)
        last_epoch (int): default: -1
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial:
            return self._lrs()
        return [lr * self.gamma for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """The initial rate times ``(1 - epoch / total_iters) ** power``, zero from `total_iters` on.

    Args:
        optimizer (Optimizer)
        total_iters (int): default: 5
        power (float): default: 1.0
        last_epoch (int): default: -1
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._lrs()
        left = 1.0 - self.last_epoch / self.total_iters
        left_before = 1.0 - (self.last_epoch - 1) / self.total_iters
        factor = (left / left_before) ** self.power
        return [lr * factor for lr in self._lrs()]

    def _get_closed_form_lr(self) -> list[float | Tensor]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]
