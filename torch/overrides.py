"""The protocol __torch_function__: a class with such a class method hears of every function of torch, method, property
and operator of tensors that its objects take part in, and answers in its stead.

The calls themselves come from C++ (csrc/python/arguments/overrides.cpp); here is what classes and functions in Python use.
"""

from __future__ import annotations

import contextlib
import functools
import warnings

import torch
from torch import _C
from torch._C import (
    _has_torch_function as has_torch_function,
    _has_torch_function_unary as has_torch_function_unary,
    _has_torch_function_variadic as has_torch_function_variadic,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


__all__ = [
    "TorchFunctionMode",
    "enable_reentrant_dispatch",
    "get_default_nowrap_functions",
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "redispatch_function",
    "resolve_name",
    "wrap_torch_function",
]


def handle_torch_function(public_api, relevant_args: Iterable[Any], *args, **kwargs):
    """Asks the types of `relevant_args` what `public_api(*args, **kwargs)` is."""
    return _C._handle_torch_function(public_api, relevant_args, args, kwargs)


def wrap_torch_function(dispatcher):
    """A decorator: __torch_function__ of the arguments that `dispatcher(*args, **kwargs)` returns may take the call."""

    def wrap(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return wrapped

    return wrap


def _get_overloaded_args(relevant_args, get_type_fn=type):
    """Those of the arguments that are asked, one of each type: derived types before their bases."""
    found = []
    for arg in relevant_args:
        kind = get_type_fn(arg)
        asked = getattr(kind, "__torch_function__", _C._disabled_torch_function_impl)
        if asked is _C._disabled_torch_function_impl or kind in map(get_type_fn, found):
            continue
        at = next((i for i, other in enumerate(found) if issubclass(kind, get_type_fn(other))), len(found))
        found.insert(at, arg)
    return found


def redispatch_function(func, types, args, kwargs):
    """What func(*args, **kwargs) computes without asking, for a __torch_function__ that has only looked at the call: of a
    function in Python its body, which asks for each function that it calls."""
    body = getattr(func, "__wrapped__", None)
    if body is not None and getattr(func, "__module__", "").startswith("torch"):
        return body(*args, **(kwargs or {}))
    with _C.DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def is_tensor_like(inp):
    """Whether it is a tensor or has a __torch_function__."""
    return type(inp) is torch.Tensor or hasattr(inp, "__torch_function__")


# ---- which functions there are -----------------------------------------------------------------------------
_PROPERTY = type(_C.Tensor.shape)


@functools.cache
def get_default_nowrap_functions():
    """Those whose results Tensor.__torch_function__ leaves as they are."""
    return {torch.Tensor.grad.__get__}


@functools.cache
def get_ignored_functions():
    """Functions of torch that never ask, since no tensor is among their arguments or they are about types."""
    names = """
        arange as_tensor asarray bartlett_window blackman_window broadcast_shapes can_cast compiled_with_cxx11_abi
        empty empty_strided eye from_dlpack from_file from_numpy frombuffer full get_default_dtype get_device
        get_num_interop_threads get_num_threads get_rng_state hamming_window hann_window initial_seed is_storage
        is_tensor kaiser_window linspace load logspace manual_seed normal_ ones promote_types rand randint randn randperm range result_type_
        save scalar_tensor seed set_default_device set_default_dtype set_default_tensor_type set_flush_denormal
        set_num_interop_threads set_num_threads set_printoptions set_rng_state tensor tril_indices triu_indices zeros
        finfo iinfo
    """
    F = torch.nn.functional
    others = {handle_torch_function, has_torch_function, has_torch_function_unary, has_torch_function_variadic}
    others |= {F.upsample, F.upsample_bilinear, F.upsample_nearest}  # interpolate() asks
    methods = """
        __class__ __delattr__ __dir__ __getattribute__ __getstate__ __init__ __init_subclass__ __new__ __setattr__
        __sizeof__ __subclasshook__ __hash__ __torch_function__ _make_subclass as_subclass
    """
    found = {getattr(torch, name, None) for name in names.split()}
    return (found | {getattr(torch.Tensor, name, None) for name in methods.split()} | others) - {None}


def _namespaces():
    yield torch, "torch"
    yield torch.Tensor, "torch.Tensor"
    yield torch.linalg, "torch.linalg"
    yield torch.special, "torch.special"
    yield torch.functional, "torch.functional"
    yield torch.nn.functional, "torch.nn.functional"


@functools.cache
def _overridable():
    """({namespace: its functions}, {function: its name})"""
    functions, names = {}, {}
    ignored = get_ignored_functions()
    for space, prefix in _namespaces():
        functions[space] = []
        for name in dir(space):
            if name.startswith("_") and not (name.startswith("__") and space is torch.Tensor):
                continue
            found = getattr(space, name)
            if isinstance(found, _PROPERTY):
                found, name = found.__get__, f"{name}.__get__"  # noqa: PLW2901
            if not callable(found) or isinstance(found, type) or found in ignored:
                continue
            functions[space].append(found)
            names.setdefault(found, f"{prefix}.{name}")
    return functions, names


def get_overridable_functions() -> dict[Any, list[Callable]]:
    """{namespace: [functions]} of all that ask."""
    return {space: list(functions) for space, functions in _overridable()[0].items()}


def resolve_name(f):
    """Where a function is found: "torch.Tensor.add". None if it is not torch's."""
    return _overridable()[1].get(f)


@functools.cache
def _tensor_functions():
    return set(_overridable()[0][torch.Tensor])


def is_tensor_method_or_property(func: Callable) -> bool:
    """Whether it belongs to torch.Tensor."""
    return func in _tensor_functions() or getattr(func, "__name__", None) == "__get__"


def _get_overridable_functions():
    return _overridable()


def _get_tensor_methods():
    return _tensor_functions()


@functools.cache
def get_testing_overrides():
    """{function that asks: a function of the same parameters that returns -1}: for tests of types that overload all."""
    import inspect

    found = {}
    for functions in get_overridable_functions().values():
        for function in functions:
            try:
                signature = inspect.signature(function)
            except (TypeError, ValueError):
                signature = None
            found[function] = _stub_of(signature)
    return found


def _stub_of(signature):
    def stub(*args, **kwargs):
        return -1

    if signature is not None:
        stub.__signature__ = signature
    return stub


def _disable_user_warnings(func, regex=".*is deprecated, please use.*", module="torch"):
    """A decorator: no such warnings of torch's come from the function."""

    @functools.wraps(func)
    def silent(*args, **kwargs):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=UserWarning, message=regex, module=module)
            return func(*args, **kwargs)

    return silent


# ---- modes -------------------------------------------------------------------------------------------------
class TorchFunctionMode:
    """A context in which an object hears of every function of torch, whatever the arguments are:

        class Logging(TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(func)
                return func(*args, **(kwargs or {}))

        with Logging(): ...

    What it calls itself it does not hear of.
    """

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _C._push_on_torch_function_stack(self)
        return self

    def __exit__(self, *error):
        _C._pop_torch_function_stack()

    @classmethod
    def push(cls, *args, **kwargs):
        """An instance."""
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_function_mode():
    """The innermost mode; None if there is none."""
    count = _C._len_torch_function_stack()
    return _C._get_function_stack_at(count - 1) if count else None


def _get_current_function_mode_stack():
    """All modes, the innermost last."""
    return [_C._get_function_stack_at(i) for i in range(_C._len_torch_function_stack())]


def _push_mode(mode):
    _C._push_on_torch_function_stack(mode)


def _pop_mode():
    return _C._pop_torch_function_stack()


@contextlib.contextmanager
def _pop_mode_temporarily():
    """A context without the innermost mode."""
    mode = _pop_mode()
    try:
        yield mode
    finally:
        _push_mode(mode)


@contextlib.contextmanager
def enable_reentrant_dispatch():
    """A context that changes nothing: __torch_function__ may call what asks again, at any depth."""
    yield
