"""What classes and functions of data pipes are decorated with."""

from __future__ import annotations

import functools
import inspect
import typing

from .datapipe import IterDataPipe, MapDataPipe

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = [
    "argument_validation",
    "functional_datapipe",
    "guaranteed_datapipes_determinism",
    "non_deterministic",
    "runtime_validation",
    "runtime_validation_disabled",
]


class functional_datapipe:
    """Registers a class of pipes as the method `name` of pipes of its kind. Exception if the name is taken, TypeError for
    what is no pipe."""

    def __init__(self, name: str, enable_df_api_tracing=False) -> None:
        self.name = name
        self.enable_df_api_tracing = enable_df_api_tracing

    def __call__(self, cls):
        if issubclass(cls, IterDataPipe):
            if not isinstance(cls, type):
                raise TypeError("`functional_datapipe` can only decorate IterDataPipe")
            IterDataPipe.register_datapipe_as_function(self.name, cls, self.enable_df_api_tracing)
        elif issubclass(cls, MapDataPipe):
            MapDataPipe.register_datapipe_as_function(self.name, cls)
        return cls


class _Switch:
    """A setting of the process that a context changes; it begins when the object is made."""

    _on: bool
    _inside: bool

    def __init__(self) -> None:
        self.prev = type(self)._on
        type(self)._on = self._inside

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        type(self)._on = self.prev


class guaranteed_datapipes_determinism(_Switch):
    """A context in which pipes that are non_deterministic refuse to be made."""

    _on, _inside = False, True


class non_deterministic:
    """Marks a class of iterable pipes, or those of its objects for whose arguments a function says so, as one whose order
    may differ from pass to pass: TypeError for making one under guaranteed_datapipes_determinism."""

    cls = None
    deterministic_wrapper_fn = None

    def __init__(self, arg: type[IterDataPipe] | Callable[..., bool]) -> None:
        if isinstance(arg, type):
            if not issubclass(arg, IterDataPipe):
                raise TypeError(
                    f"Only `IterDataPipe` can be decorated with `non_deterministic`, but {arg.__name__} is found"
                )
            self.cls = arg
        elif callable(arg):
            self.deterministic_wrapper_fn = arg
        else:
            raise TypeError(f"{arg} can not be decorated by non_deterministic")

    def __call__(self, *args, **kwargs):
        if self.cls is not None:
            if guaranteed_datapipes_determinism._on:
                self._refuse(self.cls)
            return self.cls(*args, **kwargs)
        if not (isinstance(args[0], type) and issubclass(args[0], IterDataPipe)):
            raise TypeError(f"Only `IterDataPipe` can be decorated, but {args[0].__name__} is found")
        self.cls = args[0]
        return self.deterministic_wrapper

    def deterministic_wrapper(self, *args, **kwargs):
        """An object of the class, if it may be made."""
        loose = self.deterministic_wrapper_fn(*args, **kwargs)
        if not isinstance(loose, bool):
            raise TypeError(
                "deterministic_wrapper_fn of `non_deterministic` decorator is required to return a boolean value, but "
                f"{type(loose)} is found"
            )
        if guaranteed_datapipes_determinism._on and loose:
            self._refuse(self.cls)
        return self.cls(*args, **kwargs)

    @staticmethod
    def _refuse(cls):
        raise TypeError(
            f"{cls.__name__} is non-deterministic, but you set 'guaranteed_datapipes_determinism'. You can turn off "
            "determinism for this DataPipe if that is acceptable for your application"
        )


def argument_validation(f):
    """Makes a function refuse, with TypeError, what is no pipe for a parameter that is annotated with a class of iterable
    pipes."""
    signature = inspect.signature(f)
    hints = typing.get_type_hints(f)

    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            hint = hints.get(name)
            if isinstance(hint, type) and issubclass(hint, IterDataPipe) and not isinstance(value, IterDataPipe):
                raise TypeError(f"Expected argument '{name}' as a IterDataPipe, but found {type(value)}")
        return f(*args, **kwargs)

    return wrapper


class runtime_validation_disabled(_Switch):
    """A context in which runtime_validation checks nothing."""

    _on, _inside = True, False


def runtime_validation(f):
    """Makes the `__iter__` of a pipe check every item by `self.type.issubtype_of_instance(item)`: RuntimeError where that is
    false. TypeError for another method."""
    if f.__name__ != "__iter__":
        raise TypeError(f"Can not decorate function {f.__name__} with 'runtime_validation'")

    @functools.wraps(f)
    def wrapper(self):
        if not runtime_validation_disabled._on:
            yield from f(self)
            return
        for item in f(self):
            if not self.type.issubtype_of_instance(item):
                raise RuntimeError(f"Expected an instance as subtype of {self.type}, but found {item}({type(item)})")
            yield item

    del wrapper.__wrapped__  # which marks what keeps the rule of one iterator already
    return wrapper
