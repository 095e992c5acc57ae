"""Several operations that are waited for as one: a Work of many, and what _coalescing_manager() gathers."""

from __future__ import annotations

import contextlib
import threading

import torch

_open = threading.local()


class Together:
    """The Work of several Works: done when they all are."""

    def __init__(self, works):
        self._works = list(works)

    def wait(self, *timeout) -> bool:
        """Waits for all; raises what the first of them that failed did."""
        for work in self._works:
            work.wait(*timeout)
        return True

    synchronize = wait

    def is_completed(self) -> bool:
        """Whether all are."""
        return all(work.is_completed() for work in self._works)

    def is_success(self) -> bool:
        """Whether all are done, and well."""
        return all(work.is_success() for work in self._works)

    def exception(self):
        """What the first one that failed did; None: none has."""
        return next((error for error in (work.exception() for work in self._works) if error is not None), None)

    def result(self):
        """The tensors of all."""
        return [tensor for work in self._works for tensor in work.result()]

    def get_future(self):
        """A torch.futures.Future of the tensors of all."""
        return torch.futures.collect_all([work.get_future() for work in self._works]).then(
            lambda done: [tensor for future in done.wait() for tensor in future.wait()]
        )


class _CoalescingManager:
    """What a `with _coalescing_manager()` gives: the Works of what was called within."""

    def __init__(self):
        self.works = []

    def append(self, work=None):
        """Adds one."""
        if work is not None:
            self.works.append(work)

    def wait(self):
        """Waits for all of them."""
        for work in self.works:
            work.wait()


def gathers():
    """The manager in whose `with` this thread is; None: in none."""
    return getattr(_open, "manager", None)


@contextlib.contextmanager
def begun_together(group, append):
    """Within it, backends of the group that can (NCCL) begin nothing of what is called; then all of it at once, and `append` gets
    the Work. The calls themselves return None."""
    backends = [each for each in group._different() if getattr(each, "supports_coalescing", False)]
    try:
        for backend in backends:
            backend._start_coalescing()
        yield
    except BaseException:
        for backend in backends:
            backend._drop_coalesced()
        raise
    for backend in backends:
        append(backend._end_coalescing())


@contextlib.contextmanager
def _coalescing_manager(group=None, device=None, async_ops: bool = False):
    """In a `with`, collective operations of this thread begin and are waited for at its end, or with async_ops when wait()
    of what it gives is called.

    with dist._coalescing_manager(async_ops=True) as manager:
        for tensor in tensors:
            dist.all_reduce(tensor)
    manager.wait()

    ValueError: there is another one around it.
    """
    if gathers() is not None:
        raise ValueError("_coalescing_manager() within another one: operations are gathered already")
    manager = _open.manager = _CoalescingManager()
    from torch.distributed._world import is_initialized, resolved

    here = group is not None or is_initialized()
    try:
        with begun_together(resolved(group), manager.append) if here else contextlib.nullcontext():
            yield manager
    finally:
        _open.manager = None
    if not async_ops:
        manager.wait()
