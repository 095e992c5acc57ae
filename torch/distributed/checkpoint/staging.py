"""What async_save() takes a copy by, so that training may go on while the copy is written."""

from __future__ import annotations

import concurrent.futures
import copy
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import torch
from torch._absent import rest_of

__all__ = ["AsyncStager", "BlockingAsyncStager", "DefaultStager", "StagingOptions"]


def copied(value):
    """The value as it is now; what was divided is divided alike."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(copied(each) for each in value)
    return copy.deepcopy(value)


def _into(kept, value):
    """copied(), into the tensors of an earlier copy where they fit."""
    if isinstance(value, torch.Tensor):
        if type(kept) is type(value) and kept.shape == value.shape and kept.dtype == value.dtype:
            with torch.no_grad():
                return kept.copy_(value.detach())
        return copied(value)
    if isinstance(value, dict):
        old = kept if isinstance(kept, dict) else {}
        return {key: _into(old.get(key), each) for key, each in value.items()}
    if type(value) in (list, tuple):
        old = kept if type(kept) is type(value) and len(kept) == len(value) else [None] * len(value)
        return type(value)(_into(a, b) for a, b in zip(old, value))
    return copied(value)


@runtime_checkable
class AsyncStager(Protocol):
    """Anything with these methods: async_save() calls stage(), and synchronize_staging() if should_synchronize_after_execute."""

    _synchronize_after_execute: bool = True

    @property
    def should_synchronize_after_execute(self) -> bool:
        """Whether async_save() waits for the copy."""
        return self._synchronize_after_execute

    def stage(self, state_dict: dict[str, Any]) -> concurrent.futures.Future | dict[str, Any]:
        """A copy of the state dict, or a Future of it."""
        raise NotImplementedError(f"{type(self).__name__} has no stage()")

    def synchronize_staging(self) -> None:
        """Returns when the copy is there."""

    def close(self) -> None:
        """Lets go of what copies were made in."""


class BlockingAsyncStager(AsyncStager):
    """Copies at once. cache_staged_state_dict: into the same tensors each time; type_check: accepted."""

    _synchronize_after_execute = False

    def __init__(self, cache_staged_state_dict: bool = False, type_check: bool = False):
        self.cache_staged_state_dict, self.type_check = cache_staged_state_dict, type_check
        self.state_dict_cache = None

    def stage(self, state_dict: dict[str, Any]) -> dict[str, Any]:
        """The copy."""
        if not self.cache_staged_state_dict:
            return copied(state_dict)
        self.state_dict_cache = _into(self.state_dict_cache, state_dict)
        return self.state_dict_cache

    def close(self) -> None:
        """Lets go of the copy."""
        self.state_dict_cache = None


@dataclass
class StagingOptions:
    """use_async_staging: DefaultStager copies by a thread. The other options are for memory of GPUs."""

    use_pinned_memory: bool = True
    use_shared_memory: bool = True
    use_async_staging: bool = True
    use_non_blocking_copy: bool = True


class DefaultStager(AsyncStager):
    """Copies by a thread, or at once: StagingOptions says. The state dict must stay as it is until the copy is there."""

    _synchronize_after_execute = False

    def __init__(self, config: StagingOptions = StagingOptions()):  # noqa: B008 - not changed
        self._config, self._last = config, None
        self._threads = concurrent.futures.ThreadPoolExecutor(1, "staging") if config.use_async_staging else None

    def stage(self, state_dict: dict[str, Any], **kwargs: Any) -> concurrent.futures.Future | dict[str, Any]:
        """The copy, or a Future of it."""
        if self._threads is None:
            return copied(state_dict)
        self._last = self._threads.submit(copied, state_dict)
        return self._last

    def synchronize_staging(self) -> None:
        """Returns when the copy is there."""
        if self._last is not None:
            self._last.result()

    def close(self) -> None:
        """Ends the thread."""
        if self._threads is not None:
            self._threads.shutdown()


__getattr__, __dir__ = rest_of(__name__)
