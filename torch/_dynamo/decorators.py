"""Directions for the compiler, which is not there: they check what PyTorch checks and have no effect."""

import contextlib

from torch.compiler import allow_in_graph, assume_constant_result, disable, set_stance, substitute_in_graph  # noqa: F401


def graph_break(msg=""):
    """The compiler is to give up here."""


def skip_frame(msg=""):
    """The compiler is to leave the caller out."""


def step_unsupported(msg=""):
    """The compiler is to leave the rest of the caller out."""


def disallow_in_graph(fn):
    """`fn` is not to be part of a graph: the function itself, or a list."""
    return list(fn) if isinstance(fn, (list, tuple)) else fn


def forbid_in_graph(fn):
    """`fn` must not be met by the compiler: the function itself, or a list. AssertionError for what cannot be called."""
    if isinstance(fn, (list, tuple)):
        return [forbid_in_graph(function) for function in fn]
    if not callable(fn):
        raise AssertionError("forbid_in_graph applies only to callables")
    return fn


def nonstrict_trace(traceable_fn):
    """`traceable_fn` is to be traced through without questions. The function itself."""
    return traceable_fn


def dont_skip_tracing(fn=None):
    """The compiler is not to leave `fn` out. The function itself; without one, a decorator."""
    return fn if fn is not None else lambda function: function


class _Direction(contextlib.ContextDecorator):
    """A context, or decorator, that changes nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def error_on_graph_break(error_on_graph_break):
    """Whether giving up is an error, for as long as a context or function lasts."""
    return _Direction()


def patch_dynamo_config(arg1=None, arg2=None, **kwargs):
    """Settings of `torch._dynamo.config` for as long as a context or function lasts."""
    from torch._dynamo import config

    return config.patch(arg1, arg2, **kwargs)


def mark_dynamic(t, index, *, hint_override=None, min=None, max=None, specialize_on=None):  # noqa: A002 - torch's names
    """The size of dimension `index` of a tensor, or of several, will change."""


def maybe_mark_dynamic(t, index):
    """The size of dimension `index` of a tensor, or of several, may change."""


def mark_static(t, index=None):
    """The size of dimension `index` of a tensor, or all sizes, will not change. A module class may be given, too."""
    return t if isinstance(t, type) else None


def mark_static_address(t, guard=False):
    """The tensor will stay where it is in memory. TypeError for what is no tensor."""
    import torch

    if not isinstance(t, torch.Tensor):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t).__name__}")
