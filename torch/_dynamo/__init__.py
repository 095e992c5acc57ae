"""torch._dynamo: PyTorch's compiler of Python's bytecode. This torch has none: functions are handed back as they are,
directions to it have no effect, and what would give a graph says that there is none."""

import importlib as _importlib

from torch._absent import refuse as _refuse, rest_of as _rest_of
from torch.compiler import (
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    list_backends,
    reset,
    set_stance,
    substitute_in_graph,
)

from . import config, eval_frame
from .decorators import (
    disallow_in_graph,
    dont_skip_tracing,
    error_on_graph_break,
    forbid_in_graph,
    graph_break,
    mark_dynamic,
    mark_static,
    mark_static_address,
    maybe_mark_dynamic,
    nonstrict_trace,
    patch_dynamo_config,
    skip_frame,
    step_unsupported,
)
from .eval_frame import OptimizedModule

__all__ = [
    "OptimizedModule",
    "allow_in_graph",
    "assume_constant_result",
    "config",
    "disable",
    "disallow_in_graph",
    "dont_skip_tracing",
    "error_on_graph_break",
    "eval_frame",
    "explain",
    "export",
    "forbid_in_graph",
    "graph_break",
    "is_compiling",
    "list_backends",
    "lookup_backend",
    "mark_dynamic",
    "mark_static",
    "mark_static_address",
    "maybe_mark_dynamic",
    "nonstrict_trace",
    "optimize",
    "optimize_assert",
    "patch_dynamo_config",
    "register_backend",
    "replay",
    "reset",
    "run",
    "set_recursion_limit",
    "set_stance",
    "skip_frame",
    "step_unsupported",
    "substitute_in_graph",
]


def optimize(backend="inductor", **options):
    """A decorator that compiles, as `torch.compile` does, which hands functions back."""
    import torch

    return lambda model: torch.compile(model, backend=backend)


def optimize_assert(backend, **options):
    """A decorator as `optimize`."""
    return optimize(backend)


def run(fn=None):
    """`fn`, to be called with what has been compiled so far: the function itself; without one, a decorator."""
    return fn if fn is not None else lambda function: function


def set_recursion_limit(limit):
    """How deep the compiler's own functions may call each other: an int of at least 1."""
    if limit < 1:
        raise ValueError(f"recursion limit must be greater or equal than 1, got {limit}")


def register_backend(compiler_fn=None, name=None, tags=()):
    """Makes `compiler_fn` known as a backend, which nothing here calls: the function itself; without one, a decorator."""
    return compiler_fn if compiler_fn is not None else lambda function: function


def lookup_backend(compiler_fn):
    """A backend by its name. NotImplementedError here; a function is its own backend."""
    return compiler_fn if callable(compiler_fn) else _refuse("torch._dynamo.lookup_backend")


def explain(f, *extra_args, **extra_kwargs):
    """Where the compiler would give up. NotImplementedError here."""
    _refuse("torch._dynamo.explain")


def export(f, *extra_args, **extra_kwargs):
    """A function as a graph. NotImplementedError here."""
    _refuse("torch._dynamo.export")


def replay(filename):
    """Compiles again what was recorded. NotImplementedError here."""
    _refuse("torch._dynamo.replay")


_rest, __dir__ = _rest_of(__name__)


def __getattr__(name):
    if name in ("backends", "comptime", "decorators", "exc", "external_utils", "testing", "utils"):
        return _importlib.import_module(f"torch._dynamo.{name}")
    return _rest(name)
