"""Which part of a program NVIDIA's profilers look at. RuntimeError in a build with CUDA, which has no such switch; marks
are in torch.cuda.nvtx."""

import contextlib

from torch.cuda._absent import Lacks

__all__ = ["profile", "start", "stop"]
_lacks = Lacks("profiler", "switches of profilers; torch.cuda.nvtx marks ranges")


def start():
    """The profiler looks from here. AssertionError here."""
    _lacks("start")


def stop():
    """The profiler looks away. AssertionError here."""
    _lacks("stop")


@contextlib.contextmanager
def profile():
    """The context at which the profiler looks. AssertionError here."""
    _lacks("profile")
    yield
