"""Schedules that follow half a cosine."""

from __future__ import annotations

import math

from torch.optim.lr_scheduler._base import (
    LRScheduler,
    _enable_get_lr_call,
    _is_positive_int,
    _update_param_group_val,
    _warn_get_lr_called_within_step,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import Optimizer


class CosineAnnealingLR(LRScheduler):
    """From the initial rate to `eta_min` in `T_max` epochs, along half a cosine; and up again after that.

    Args:
        optimizer (Optimizer)
        T_max (int): half the period
        eta_min (float): default: 0
        last_epoch (int): default: -1
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates of ``last_epoch``, from those of the epoch before."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial:
            return self._lrs()
        epoch, low = self.last_epoch, self.eta_min
        if self._step_count == 1 and epoch > 0:
            return self._get_closed_form_lr()
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            # The rate before was eta_min: no factor leads away from it.
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [lr + (base - low) * rise for base, lr in zip(self.base_lrs, self._lrs(), strict=True)]
        now, before = (1 + math.cos(math.pi * e / self.T_max) for e in (epoch, epoch - 1))
        return [now / before * (lr - low) + low for lr in self._lrs()]

    def _get_closed_form_lr(self) -> list[float | Tensor]:
        low = self.eta_min
        part = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [low + (base - low) * part / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half cosines from the initial rate to `eta_min`, one after the other; each is `T_mult` times as long.

    Args:
        optimizer (Optimizer)
        T_0 (int): epochs of the first
        T_mult (int): default: 1
        eta_min (float): default: 0
        last_epoch (int): default: -1

    Raises ValueError for a `T_0` or `T_mult` that is no positive integer.
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if not _is_positive_int(T_0):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if not _is_positive_int(T_mult):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """The rates ``T_cur`` epochs after a restart."""
        _warn_get_lr_called_within_step(self)
        part = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * part / 2 for base in self.base_lrs]

    def step(self, epoch=None) -> None:
        """Set the rates of the next epoch, or of `epoch`, which may be a fraction: ``step(epoch + batch / batches)``.

        Raises ValueError for a negative epoch.
        """
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._go_to(0 if epoch is None else epoch)
            epoch = 0 if epoch is None else epoch
        self.last_epoch = math.floor(epoch)
        with _enable_get_lr_call(self):
            values = self.get_lr()
        for group, value in zip(self.optimizer.param_groups, values, strict=True):
            _update_param_group_val(group, "lr", value)
        self._last_lr = self._lrs()

    def _go_to(self, epoch):
        """Find the period that `epoch` is in."""
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        if epoch < self.T_0:
            self.T_i = self.T_0
            self.T_cur = epoch
        elif self.T_mult == 1:
            self.T_i = self.T_0
            self.T_cur = epoch % self.T_0
        else:
            # n periods take T_0 · (T_mult^n - 1) / (T_mult - 1) epochs.
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n
