"""Contexts that are decorators, too."""

import functools
import inspect
import sys
import warnings
from collections.abc import Callable
from typing import Any, Self, TypeVar, overload

_F = TypeVar("_F", bound=Callable[..., Any])


def _decorated_generator(make, function):
    """The generator function, each step of which runs in a context of its own: between two steps the caller's holds."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        steps = function(*args, **kwargs)
        try:
            with make():
                value = steps.send(None)
            while True:
                try:
                    request = yield value
                except GeneratorExit:
                    with make():
                        steps.close()
                    raise
                except BaseException:  # noqa: BLE001 - whatever is thrown in belongs to the generator
                    with make():
                        value = steps.throw(sys.exc_info()[1])
                else:
                    with make():
                        value = steps.send(request)
        except StopIteration as end:
            return end.value

    return wrapper


def context_decorator(make, function):
    """The function, run in a context that `make` returns, a new one each time."""
    if inspect.isclass(function):
        warnings.warn(
            "Decorating classes is deprecated: the decorator belongs on the methods. Here it is applied to __init__.",
            FutureWarning,
            stacklevel=3,
        )
        function.__init__ = context_decorator(make, function.__init__)
        return function
    if inspect.isgeneratorfunction(function):
        return _decorated_generator(make, function)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with make():
            return function(*args, **kwargs)

    return wrapper


class _DecoratorContextManager:
    """A context whose object, called with a function, decorates it."""

    def __call__(self, orig_func: _F) -> _F:
        return context_decorator(self.clone, orig_func)

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        raise NotImplementedError

    def clone(self) -> Any:
        """Another context of the same settings."""
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """One without settings: `@no_grad` decorates as `@no_grad()` does."""

    @overload
    def __new__(cls, orig_func: _F) -> _F: ...

    @overload
    def __new__(cls, orig_func: None = None) -> Self: ...

    def __new__(cls, orig_func: Any = None) -> Any:
        if orig_func is None:
            return super().__new__(cls)
        return cls()(orig_func)
