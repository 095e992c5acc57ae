"""Recording programs operator by operator, below autograd: make_fx. This torch records functions and methods instead
(torch.fx.symbolic_trace): what asks whether something is being recorded hears no, the rest says what is missing."""

import contextlib

from torch._absent import rest_of

py_sym_types = ()  # sizes are numbers here


def get_proxy_mode():
    """None: nothing is being recorded by make_fx."""


def get_innermost_proxy_mode():
    """None: nothing is being recorded by make_fx."""


@contextlib.contextmanager
def maybe_disable_thunkify():
    """A context that changes nothing: no sizes are computed later."""
    yield


@contextlib.contextmanager
def maybe_enable_thunkify():
    """A context that changes nothing: no sizes are computed later."""
    yield


__getattr__, __dir__ = rest_of(__name__)
