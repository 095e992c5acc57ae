"""Ranks with different numbers of inputs: who is out of them goes along with the communication of the others."""

from __future__ import annotations

import abc
import dataclasses
import warnings

import torch
from torch.distributed import _collectives as collectives

__all__ = ["Join", "JoinHook", "Joinable"]
_MANY = 1000


class JoinHook:
    """What a rank without inputs does, for one Joinable."""

    def main_hook(self) -> None:
        """The communication of one step of the others; called until nobody has inputs."""

    def post_hook(self, is_last_joiner: bool) -> None:
        """Once nobody has inputs. is_last_joiner: this rank was among the last that had some."""


@dataclasses.dataclass
class _JoinConfig:
    enable: bool = False
    throw_on_early_termination: bool = False
    is_first_joinable: bool = False


class Joinable(abc.ABC):
    """What communicates in each step, and can go along with others: it defines join_hook(), join_device and
    join_process_group, and calls Join.notify_join_context(self) before it communicates."""

    @abc.abstractmethod
    def __init__(self) -> None:
        self._join_config = _JoinConfig()

    @abc.abstractmethod
    def join_hook(self, **kwargs) -> JoinHook:
        """A JoinHook, made of the keywords that Join was given."""

    @property
    @abc.abstractmethod
    def join_device(self) -> torch.device:
        """Where tensors of Join's own communication lie."""

    @property
    @abc.abstractmethod
    def join_process_group(self):
        """In which group it communicates."""


class Join:
    """A context in which ranks may have different numbers of inputs: ``with Join([ddp, optimizer]): …``.

    When it is left, this rank is out of inputs; it runs the hooks of all joinables until the others are, too.

    Args:
        joinables: of one group. The first one counts who has inputs.
        enable: False: nothing is done, and nothing is sent.
        throw_on_early_termination: RuntimeError on all ranks when one is out of inputs.
        kwargs: for each joinable's join_hook().

    ValueError: there is no joinable, or they have different groups.
    """

    def __init__(self, joinables, enable=True, throw_on_early_termination=False, **kwargs):
        if not joinables:
            raise ValueError("Join needs at least one joinable")
        groups = {id(joinable.join_process_group): joinable.join_process_group for joinable in joinables}
        if len(groups) > 1:
            raise ValueError(f"joinables of one Join have one process group, not {len(groups)}")
        self._joinables = list(joinables)
        self._join_hooks = [joinable.join_hook(**kwargs) for joinable in joinables]
        self._enable, self._throw_on_early_termination = enable, throw_on_early_termination
        self._process_group, self._device = next(iter(groups.values())), joinables[0].join_device
        self._rank = self._process_group.rank()
        for i, joinable in enumerate(joinables):
            joinable._join_config = _JoinConfig(enable, throw_on_early_termination, i == 0)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if not self._enable:
            return
        try:
            if kind is None:
                self._go_along()
        finally:
            for joinable in self._joinables:
                joinable._join_config = _JoinConfig()

    def _go_along(self):
        steps = 0
        while self._sum(0.0):  # how many have inputs
            if self._throw_on_early_termination:
                self._sum(1.0)
                raise RuntimeError(f"rank {self._rank} is out of inputs, and others are not")
            for hook in self._join_hooks:
                hook.main_hook()
            steps += 1
            if steps == _MANY:
                warnings.warn(f"rank {self._rank} was out of inputs {_MANY} steps before others", stacklevel=3)
        for hook in self._join_hooks:
            hook.post_hook(steps == 0)

    def _sum(self, number):
        tensor = torch.tensor([number], device=self._device)
        collectives.all_reduce(tensor, group=self._process_group)
        return tensor.item()

    @staticmethod
    def notify_join_context(joinable):
        """Says that this rank has inputs; a Work whose tensor becomes the number of those that have. None: not of the first
        joinable, or outside a Join. RuntimeError: a rank is out of inputs, and that is not wanted."""
        config = getattr(joinable, "_join_config", None)
        if config is None:
            raise AssertionError(f"{type(joinable).__name__}.__init__ must call Joinable.__init__")
        if not config.enable or not config.is_first_joinable:
            return None
        group, device = joinable.join_process_group, joinable.join_device
        work = collectives.all_reduce(torch.ones(1, device=device), group=group, async_op=True)
        if config.throw_on_early_termination:
            gone = torch.zeros(1, device=device)
            work.wait()
            if work.result()[0].item() < group.size():
                collectives.all_reduce(gone, group=group)
                raise RuntimeError("a rank is out of inputs, and others are not")
        return work
