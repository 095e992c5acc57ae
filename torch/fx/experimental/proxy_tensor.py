"""Recording programs operator by operator, below autograd: make_fx. This torch records functions and methods instead
(torch.fx.symbolic_trace): what is here says so when it is used."""

__all__ = [
    "DecompositionInterpreter",
    "PythonKeyTracer",
    "dispatch_trace",
    "get_innermost_proxy_mode",
    "get_proxy_mode",
    "handle_sym_dispatch",
    "make_fx",
    "maybe_disable_thunkify",
    "maybe_enable_thunkify",
    "py_sym_types",
    "selective_decompose",
]

import contextlib

from torch.fx._symbolic_trace import Tracer
from torch.fx.interpreter import Interpreter

py_sym_types = ()  # sizes are numbers here

_WHY = (
    "this torch has no dispatcher that Python could record operators from (TorchDispatchMode); torch.fx.symbolic_trace "
    "records functions and methods"
)


def make_fx(f, *args, **kwargs):
    """NotImplementedError: see the module's note."""
    raise NotImplementedError(f"make_fx: {_WHY}")


def dispatch_trace(root, tracer, concrete_args=None):
    """NotImplementedError: see the module's note."""
    raise NotImplementedError(f"dispatch_trace: {_WHY}")


def selective_decompose(joint_gm, *args, **kwargs):
    """NotImplementedError: see the module's note."""
    raise NotImplementedError(f"selective_decompose: {_WHY}")


def handle_sym_dispatch(func, args, kwargs):
    """NotImplementedError: see the module's note."""
    raise NotImplementedError(f"handle_sym_dispatch: {_WHY}")


class PythonKeyTracer(Tracer):
    """NotImplementedError: see the module's note."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"PythonKeyTracer: {_WHY}")


class DecompositionInterpreter(Interpreter):
    """NotImplementedError: see the module's note."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"DecompositionInterpreter: {_WHY}")


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


from torch._absent import rest_of  # noqa: E402 - what else PyTorch has here says so when it is used

__getattr__, __dir__ = rest_of(__name__)
