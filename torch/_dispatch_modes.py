"""The TorchDispatchModes that a thread has entered, and which of them its operators ask."""

import contextlib
import threading

from torch import _C


class _Thread(threading.local):
    modes = ()  # that are asked, the innermost one last: a mode that answers, and those after it, are not among them
    entered = ()  # all


thread = _Thread()


def enter(mode):
    """Until `leave`, the calling thread's operators ask the mode."""
    from torch._dispatch_calls import answer

    _C._enter_answering_mode(answer)
    thread.modes += (mode,)
    thread.entered += (mode,)


def leave():
    """Leaves the mode that was entered last."""
    if not thread.modes:
        raise RuntimeError("no TorchDispatchMode has been entered that could be left here")
    _C._leave_dispatch_mode()
    thread.modes, thread.entered = thread.modes[:-1], thread.entered[:-1]


@contextlib.contextmanager
def only(modes):
    """A block in which these modes are asked and no other ones."""
    from torch._dispatch_calls import answer

    before = thread.modes
    _C._leave_out_dispatch_modes()
    try:
        for _ in modes:
            _C._enter_answering_mode(answer)
        thread.modes = tuple(modes)
        yield
    finally:
        thread.modes = before
        _C._take_back_dispatch_modes()
