"""torch.compiler: there is no compiler in this torch. `compile` hands functions back as they are, and wraps modules, so
that their states have PyTorch's names; directions for a compiler are accepted and have no effect, which is what they
mean to functions that are not compiled."""

from __future__ import annotations

import functools
import sys

from torch._note import note_once

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "get_default_backend",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "list_backends",
    "nested_compile_region",
    "reset",
    "set_default_backend",
    "set_stance",
    "substitute_in_graph",
    "wrap_numpy",
]


# ---- compile -----------------------------------------------------------------------------------------------
def compile(  # noqa: A001 - torch's name
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend=None,
    mode=None,
    options=None,
    name=None,
    disable=False,
    recompile_limit=None,
    isolate_recompiles=False,
    shapes_spec=None,
):
    """`model`, a function, as it is; a module in an OptimizedModule, whose state_dict() has the prefix "_orig_mod.". They
    run uncompiled, with the same results. The first call says so in a UserWarning. Without a model, a decorator: `@torch.compile(mode="max-autotune")`. RuntimeError where both `mode` and
    `options` are given; TypeError for what cannot be called."""
    if mode is not None and options is not None:
        raise RuntimeError(f"Either mode or options can be specified, not both: mode={mode!r}, options={options!r}")
    if model is None:
        return lambda function: _handed_back(function, disable)
    return _handed_back(model, disable)


class _NotCallable(AssertionError, TypeError):
    """PyTorch raises AssertionError; it is a TypeError."""


def _handed_back(model, disable):
    if not callable(model):
        raise _NotCallable(f"torch.compile: a callable is expected, got {type(model).__name__}")
    if disable:
        return model
    note_once("torch.compile: this torch has no compiler; functions are handed back as they are", depth=3)
    nn = sys.modules.get("torch.nn")
    if nn is None or not isinstance(model, nn.Module):
        return model
    from torch._dynamo import OptimizedModule

    return model if isinstance(model, OptimizedModule) else OptimizedModule(model)


_default_backend = "inductor"


def get_default_backend() -> str | Callable[..., Any]:
    """What `set_default_backend` has set, "inductor" at first."""
    return _default_backend


def set_default_backend(backend: str | Callable[..., Any] | None) -> None:
    """Which compiler's backend is to be used where none is named, a str or callable; None: "inductor"."""
    global _default_backend
    _default_backend = "inductor" if backend is None else backend


def list_backends(exclude_tags=("debug", "experimental")) -> list[str]:
    """The names of the compiler's backends: none."""
    return []


# ---- questions ---------------------------------------------------------------------------------------------
def is_compiling() -> bool:
    """Whether the caller is being compiled or exported."""
    return False


def is_dynamo_compiling() -> bool:
    """Whether the caller is being compiled."""
    return False


def is_exporting() -> bool:
    """Whether the caller is being exported."""
    return False


# ---- directions for a compiler -----------------------------------------------------------------------------
def _callable(function, who):
    if not callable(function):
        raise _NotCallable(f"torch.compiler.{who}: a callable is expected, got {type(function).__name__}")
    return function


def reset() -> None:
    """Forgets what was compiled."""


def cudagraph_mark_step_begin():
    """Says that a new step of training or inference begins."""


def disable(fn=None, recursive=True, *, reason=None):
    """`fn` is not to be compiled: the function itself; without one, a decorator."""
    return (lambda function: _callable(function, "disable")) if fn is None else _callable(fn, "disable")


def allow_in_graph(fn):
    """`fn`, one function or several, is to be called from compiled code as it is. The function itself, or a list."""
    if isinstance(fn, (list, tuple)):
        return [_callable(function, "allow_in_graph") for function in fn]
    return _callable(fn, "allow_in_graph")


def assume_constant_result(fn):
    """`fn` always returns the same. The function itself."""
    return fn


def nested_compile_region(fn=None, *, options=None, max_reuse_entries: int = 8, reuse_hash_fn=None):
    """`fn` is to be compiled once for all its callers. The function itself; without one, a decorator."""
    return fn if fn is not None else lambda function: function


def substitute_in_graph(original_fn, *, can_constant_fold_through: bool = False, skip_signature_check: bool = False):
    """A decorator: the function that it is given stands for `original_fn` in compiled code. The function itself."""
    return lambda function: _callable(function, "substitute_in_graph")


class set_stance:  # noqa: N801 - torch's name
    """How strictly to compile, for now; as a context or decorator for that long: "default", "force_eager",
    "eager_on_recompile", "fail_on_recompile", "eager_then_compile", "aot_eager_then_compile"."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        if force_backend is not None and stance != "default":
            raise RuntimeError(f"set_stance({stance!r}): a non-default stance cannot have force_backend set")
        self.stance = stance

    def __call__(self, function):
        return function

    def __enter__(self):
        pass

    def __exit__(self, *error):
        return False


def wrap_numpy(fn):
    """A function on tensors that calls `fn` with NumPy arrays, and returns tensors for the arrays that `fn` returns."""
    import numpy
    import torch
    from torch.utils import _pytree

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        args, kwargs = _pytree.tree_map_only(torch.Tensor, lambda tensor: tensor.numpy(), (args, kwargs))
        return _pytree.tree_map_only(numpy.ndarray, torch.as_tensor, fn(*args, **kwargs))

    return wrapped


# ---- guards and caches: none of them -----------------------------------------------------------------------
_collectives = False


def set_enable_guard_collectives(enabled):
    """Whether processes agree on what is compiled anew: remembered; returns what was set before."""
    global _collectives
    before, _collectives = _collectives, bool(enabled)
    return before


def keep_portable_guards_unsafe(guard_entries):
    """A filter of guards: kept are those that need no Python, on the state of the process, on sizes, and on tensors that
    are no global variables."""
    return [
        entry.guard_type in ("GLOBAL_STATE", "SHAPE_ENV")
        or (entry.guard_type == "TENSOR_MATCH" and not entry.is_global)
        for entry in guard_entries
    ]


def keep_tensor_guards_unsafe(guard_entries, keep_parameters=False):
    """A filter of guards: kept are those on tensors; of those on parameters only with `keep_parameters`."""
    from torch.nn import Parameter

    return [
        entry.guard_type == "TENSOR_MATCH" and (keep_parameters or not isinstance(entry.value, Parameter))
        for entry in guard_entries
    ]


def skip_guard_on_all_nn_modules_unsafe(guard_entries):
    """A filter of guards: those that are not on modules are kept."""
    return [not entry.orig_guard.source.is_unspecialized_nn_module() for entry in guard_entries]


def skip_guard_on_inbuilt_nn_modules_unsafe(guard_entries):
    """A filter of guards: those that are not on modules of torch.nn are kept."""
    return [not entry.orig_guard.source.is_unspecialized_builtin_nn_module() for entry in guard_entries]


def skip_all_guards_unsafe(guard_entries):
    """A filter of guards: none of them is kept."""
    return [False for _ in guard_entries]


def skip_guard_on_globals_unsafe(guard_entries):
    """A filter of guards: those that are not on global variables are kept."""
    return [not entry.is_global for entry in guard_entries]


def save_cache_artifacts():
    """What has been compiled, as bytes: None, since nothing has."""


def load_cache_artifacts(serialized_artifacts):
    """Takes what `save_cache_artifacts` has given: None, nothing was taken, since there is no compiler that it would serve."""


def load_compiled_function(file, *, f_globals=None, external_data=None):
    """A function that was compiled and saved. EOFError for an empty file; NotImplementedError else: there is no compiler
    in this torch that could have written one."""
    if not file.read(1):
        raise EOFError("load_compiled_function: the file is empty")
    raise NotImplementedError("torch.compiler.load_compiled_function: there is no compiler in this torch")


def __getattr__(name):
    if name == "config":
        import importlib

        return importlib.import_module("torch.compiler.config")
    raise AttributeError(f"torch.compiler has no '{name}': there is no compiler in this torch")
