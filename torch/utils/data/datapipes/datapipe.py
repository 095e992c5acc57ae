"""What data pipes derive from, and what a batch of theirs is."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import TypeVar

from torch.utils.data.dataset import Dataset, IterableDataset

from ._iterators import watch

__all__ = ["DataChunk", "DFIterDataPipe", "IterDataPipe", "MapDataPipe"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


# What is made of frames by these is no pipe of frames.
_NO_FRAMES = ("batch", "groupby", "_dataframes_as_tuples", "trace_as_dataframe")


def _make(cls, traced, pipe, *args, **kwargs):
    made = cls(pipe, *args, **kwargs)
    return made.trace_as_dataframe() if isinstance(made, IterDataPipe) and traced(pipe) else made


class _Registry:
    """What pipes of both kinds have in common: functions by name, hooks for pickling, texts."""

    str_hook = None
    repr_hook = None
    getstate_hook = None
    reduce_ex_hook = None

    def __getattr__(self, attribute_name):
        function = type(self).functions.get(attribute_name)
        if function is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{attribute_name}'")
        bound = functools.partial(function, self)
        return functools.update_wrapper(bound, function, assigned=("__doc__",), updated=())

    @classmethod
    def register_function(cls, function_name, function):
        """Makes `pipe.function_name(…)` a call of function(pipe, …). Another one of that name is replaced."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(cls, function_name, cls_to_register, enable_df_api_tracing=False):
        """Makes `pipe.function_name(…)` a cls_to_register(pipe, …), of which, if enable_df_api_tracing or if the pipe is
        one of data frames, is recorded what is done to it. Raises Exception if the name is taken."""
        if function_name in cls.functions:
            raise Exception(f"Unable to add DataPipe function name {function_name} as it is already taken")

        def traced(pipe):
            return function_name not in _NO_FRAMES and (enable_df_api_tracing or isinstance(pipe, DFIterDataPipe))

        function = functools.partial(_make, cls_to_register, traced)
        cls.functions[function_name] = functools.update_wrapper(
            function, cls_to_register, assigned=("__doc__",), updated=()
        )

    def __getstate__(self):
        hook = type(self).getstate_hook
        return self.__dict__ if hook is None else hook(self.__dict__)

    def __reduce_ex__(self, *args, **kwargs):
        if type(self).reduce_ex_hook is not None:
            try:
                return type(self).reduce_ex_hook(self)
            except NotImplementedError:
                pass
        return super().__reduce_ex__(*args, **kwargs)

    @classmethod
    def set_getstate_hook(cls, hook_fn):
        """Pickling asks hook_fn(attributes) what to keep; None takes the hook away. RuntimeError if there is one."""
        if cls.getstate_hook is not None and hook_fn is not None:
            raise RuntimeError("Attempt to override existing getstate_hook")
        cls.getstate_hook = staticmethod(hook_fn) if hook_fn is not None else None

    @classmethod
    def set_reduce_ex_hook(cls, hook_fn):
        """Pickling asks hook_fn(pipe) instead, which may raise NotImplementedError; None takes the hook away.
        RuntimeError if there is one."""
        if cls.reduce_ex_hook is not None and hook_fn is not None:
            raise RuntimeError("Attempt to override existing reduce_ex_hook")
        cls.reduce_ex_hook = staticmethod(hook_fn) if hook_fn is not None else None

    def __repr__(self):
        return type(self).__qualname__ if self.repr_hook is None else self.repr_hook(self)

    def __str__(self):
        return type(self).__qualname__ if self.str_hook is None else self.str_hook(self)

    def __dir__(self):
        return [*super().__dir__(), *type(self).functions]


class IterDataPipe(_Registry, IterableDataset[_T_co]):
    """A dataset to walk through, made of another: subclasses define `__iter__`, and `__len__` where it is known.

    A pipe has one iterator at a time: the next one begins the pass anew, and the one before raises RuntimeError from
    then on. `reset()` is called when a pass begins. Pipes have methods for the registered functions; a call of one makes
    another pipe."""

    functions = {}
    _valid_iterator_id = None
    _number_of_samples_yielded = 0

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        watch(cls)

    def __iter__(self) -> Iterator[_T_co]:
        return self

    def reset(self) -> None:
        """Called when a pass begins: subclasses make ready there what a pass uses up."""


class DFIterDataPipe(IterDataPipe):
    """A pipe of data frames."""

    def _is_dfpipe(self):
        return True


class MapDataPipe(_Registry, Dataset[_T_co]):
    """A dataset with items by index, made of another: subclasses define `__getitem__`, and `__len__` where it is known."""

    functions = {}


class DataChunk(list[_T]):
    """A batch of a pipe: a list that keeps the items it was made of under `items`."""

    def __init__(self, items: Iterable[_T]) -> None:
        items = list(items)
        super().__init__(items)
        self.items = items

    def as_str(self, indent: str = "") -> str:
        """The items in brackets, after `indent`."""
        return f"{indent}[{', '.join(map(str, self))}]"

    def __iter__(self) -> Iterator[_T]:
        yield from super().__iter__()

    def raw_iterator(self) -> Iterator[_T]:
        """The items one after another."""
        yield from self.items
