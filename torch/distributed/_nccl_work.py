"""What groups over NCCL are made of: works, options, communicators."""

from __future__ import annotations

import contextlib
import datetime

import torch
from torch import _distributed as _thd
from torch.distributed._groups import _UNSET
from torch.distributed.constants import default_pg_nccl_timeout

DistBackendError = _thd.DistBackendError
_BEGUN, _DONE, _FAILED = range(3)


@contextlib.contextmanager
def failing():
    """What NCCL and CUDA raise is a DistBackendError."""
    try:
        yield
    except DistBackendError:
        raise
    except RuntimeError as error:
        raise DistBackendError(str(error)) from None


def ms(timeout):
    return max(1, int(timeout / datetime.timedelta(milliseconds=1)))


def shown(tensors):
    words = [f"{str(t.dtype).removeprefix('torch.')}{list(t.shape)}" for t in tensors[:4]]
    return ", ".join(words) + (f" and {len(tensors) - 4} more" if len(tensors) > 4 else "")


class NCCLWork:
    """Operations that have begun, as torch.distributed.Work has them: wait() makes the current stream wait."""

    def __init__(self, native, work, name, tensors, device, blocking, source=None):
        self._native, self._work, self._name, self._results = native, work, name, tensors
        self._device, self._blocking, self._source = device, blocking, source

    def is_completed(self):
        """Whether the device has done it, or it has failed."""
        return self._native.state(self._work) != _BEGUN

    def is_success(self):
        """Whether the device has done it, without an error."""
        return self._native.state(self._work) == _DONE

    def exception(self):
        """What it has failed with (so far), or None."""
        self._native.state(self._work)
        error = self._native.error(self._work)
        return None if error is None else DistBackendError(error)

    def wait(self, timeout=_UNSET):
        """The current stream goes on when it is done; with a timeout, for a barrier, and with TORCH_NCCL_BLOCKING_WAIT=1
        the host waits, too. DistBackendError: it has failed."""
        with failing():
            self._native.wait(self._work)
            if timeout > _UNSET or self._blocking:
                self._native.synchronize(self._work, ms(timeout) if timeout > _UNSET else 0)
        return True

    def synchronize(self):
        """As wait()."""
        self.wait()

    def block_current_stream(self):
        """The current stream goes on when it is done."""
        with failing():
            self._native.wait(self._work)

    def result(self):
        """The tensors that it fills."""
        return self._results

    _tensors = result

    def source_rank(self):
        """Of a received message: who sent it."""
        if self._source is None:
            raise RuntimeError(f"{self._name}: no message was received, so there is none who sent it")
        return self._source

    _source_rank = source_rank

    def get_future(self):
        """A torch.futures.Future of the tensors. It is done at once, and the current stream waits for them."""
        future = torch.futures.Future()
        try:
            self.block_current_stream()
            future.set_result(self._results)
        except DistBackendError as error:
            future.set_exception(error)
        return future


class _Config:
    """What NCCL's communicators are made by. They never block the host."""

    def __init__(self):
        self.blocking = 0


class Options:
    """How a group is made: `is_high_priority_stream`, `_timeout`; `config` for NCCL's own options."""

    def __init__(self, is_high_priority_stream=False):
        self.backend = "nccl"
        self.is_high_priority_stream = is_high_priority_stream
        self._timeout = default_pg_nccl_timeout
        self.config = _Config()
        self.split_from, self.split_color = None, 0
        self.global_ranks_in_group, self.group_name = [], ""


class Communicator:
    """A communicator of this rank's device, its stream, and the places that its ranks have in the group."""

    def __init__(self, native, handle, device, priority, places):
        self.native, self.handle, self.device, self.places = native, handle, device, places
        self.stream = torch.cuda.Stream(device, priority=priority)
