"""Records of what Apple's GPUs do, for Xcode's Instruments: none without such a GPU."""

import contextlib

from torch._no_device import Raises, functions

_refuse = Raises(
    RuntimeError, "cannot execute torch.mps.profiler.{name}() without MPS backend, which this torch does not have"
)
globals().update(functions(__name__, {"is_capturing_metal is_metal_capture_enabled start stop": _refuse}))


@contextlib.contextmanager
def profile(mode="interval", wait_until_completed=False):
    """The context in which is recorded. RuntimeError here."""
    _refuse("profile")
    yield


@contextlib.contextmanager
def metal_capture(fname):
    """The context in which Metal's commands are recorded into a file. RuntimeError here."""
    _refuse("metal_capture")
    yield
