"""Checks that several pipes make."""

import functools
import inspect
import pickle
import warnings
from collections.abc import Sized


def warn_of_local(fn):
    """Warns of a function that cannot be pickled, so that no worker that is spawned can have it."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    if not callable(fn):
        raise TypeError(f"A callable function is expected, but {type(fn)} is provided.")
    if not inspect.isfunction(fn):
        return
    if fn.__name__ != "<lambda>" and fn.__qualname__ == fn.__name__:
        return
    try:
        pickle.dumps(fn)
    except (AttributeError, pickle.PicklingError):
        warnings.warn(
            "Local function is not supported by pickle, please use regular python function or functools.partial instead.",
            stacklevel=4,
        )


def require_parameters(fn, input_col):
    """Raises ValueError if fn cannot be called with one argument, or with as many as input_col, a list, has entries."""
    given = len(input_col) if isinstance(input_col, (list, tuple)) else 1
    try:
        parameters = inspect.signature(fn).parameters.values()
    except ValueError:  # a function of C's tells nothing
        return
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        most = float("inf")
    else:
        most = sum(p.kind in kinds for p in parameters)
    required = sum(p.kind in kinds and p.default is p.empty for p in parameters)
    name = getattr(fn, "__name__", repr(fn))
    lacking = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if lacking:
        raise ValueError(f"The function {name} takes keyword-only parameters without a default, {lacking}")
    if required > given:
        raise ValueError(f"The function {name} takes {required} positional parameters, but {given} are required.")
    if most < given:
        raise ValueError(f"The function {name} takes {most} parameters, but {given} are required.")


def length(pipe, of):
    """len() of a pipe that another one, `of`, has its length from. TypeError if it has none."""
    if isinstance(pipe, Sized):
        return len(pipe)
    raise TypeError(f"{type(of).__name__} instance doesn't have valid length")


def require_kind(pipes, kind, text):
    """TypeError if one of them is none of a kind."""
    if not all(isinstance(pipe, kind) for pipe in pipes):
        raise TypeError(text)


def told_length(pipe):
    """The length that a pipe was told. TypeError if it was told none."""
    if pipe.length == -1:
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")
    return pipe.length
