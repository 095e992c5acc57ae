"""Hearing of operators below autograd and autocast, and answering for them: TorchDispatchMode.

    class Logging(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            print(func)
            return func(*args, **(kwargs or {}))

Composites are heard by their parts; which parts these are differs from PyTorch's in places (docs/differences.md).
torch.overrides.TorchFunctionMode hears of functions and methods. Tensors of derived types have no __torch_dispatch__ of
their own here, but what takes them apart as they say (`__tensor_flatten__`) works.
"""

import contextlib
import warnings

import torch
from torch import _dispatch_modes

__all__ = [
    "BaseTorchDispatchMode",
    "TorchDispatchMode",
    "any_torch_dispatch_mode_on_stack",
    "is_in_any_mode_without_ignore_compile_internals",
    "is_in_torch_dispatch_mode",
    "is_traceable_wrapper_subclass",
    "is_traceable_wrapper_subclass_type",
    "return_and_correct_aliasing",
    "transform_subclass",
]


def is_in_torch_dispatch_mode(include_infra_modes=True):
    """Whether the calling thread has entered a mode; `include_infra_modes`: one that says is_infra_mode() counts, too."""
    return any(include_infra_modes or not mode.is_infra_mode() for mode in _dispatch_modes.thread.entered)


def is_in_any_mode_without_ignore_compile_internals():
    """Whether the calling thread has entered a mode that does not say ignore_compile_internals()."""
    return any(not mode.ignore_compile_internals() for mode in _dispatch_modes.thread.entered)


def any_torch_dispatch_mode_on_stack(*, include_infra_modes=True):
    """Whether operators that are called now ask a mode."""
    return any(include_infra_modes or not mode.is_infra_mode() for mode in _dispatch_modes.thread.modes)


class TorchDispatchMode:
    """A context in which the thread's operators are answered by its method `__torch_dispatch__(func, types, args,
    kwargs)`: below autograd and autocast, which see of a call what it returns. `func` is the operator, such as
    ``torch.ops.aten.add.Tensor``; args and kwargs are PyTorch's, arguments that have their default left out. What the
    method calls asks the mode that was entered before. Of an operator in place what is returned has no say."""

    supports_higher_order_operators = False

    def __init__(self, _dispatch_key=None):
        if _dispatch_key is not None:
            raise NotImplementedError(
                f"TorchDispatchMode(_dispatch_key={_dispatch_key!r}): modes here have no key; all are asked below autograd"
            )

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _dispatch_modes.enter(self)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        _dispatch_modes.leave()

    @classmethod
    def push(cls, *args, **kwargs):
        """An instance."""
        warnings.warn("`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`", stacklevel=2)
        return cls(*args, **kwargs)

    @classmethod
    def ignore_compile_internals(cls):
        return False

    @classmethod
    def is_infra_mode(cls):
        return False


class BaseTorchDispatchMode(TorchDispatchMode):
    """A mode that changes nothing."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_dispatch_mode():
    """The mode that is asked, or None."""
    modes = _dispatch_modes.thread.modes
    return modes[-1] if modes else None


def _get_current_dispatch_mode_stack():
    """The modes that are asked, the innermost one last."""
    return list(_dispatch_modes.thread.modes)


@contextlib.contextmanager
def _disable_current_modes():
    """A block in which no mode is asked, and what checkpoints and counters hear by is not either. Gives their list."""
    modes = _get_current_dispatch_mode_stack()
    with _dispatch_modes.only(()):
        yield modes


@contextlib.contextmanager
def _pop_mode_temporarily(k=None):
    """A block in which the innermost mode, which it gives, is not asked."""
    *below, mode = _get_current_dispatch_mode_stack()
    with _dispatch_modes.only(below):
        yield mode


def is_traceable_wrapper_subclass(t):
    """Whether it is a tensor of a derived type that says how it is taken apart and put together, by the methods
    __tensor_flatten__ and __tensor_unflatten__."""
    return isinstance(t, torch.Tensor) and is_traceable_wrapper_subclass_type(type(t))


def is_traceable_wrapper_subclass_type(t):
    """The same of a type."""
    return (
        issubclass(t, torch.Tensor)
        and t is not torch.Tensor
        and hasattr(t, "__tensor_flatten__")
        and hasattr(t, "__tensor_unflatten__")
    )


def transform_subclass(t, callback, outer_size=None, outer_stride=None):
    """The tensor with callback(name, inner) for each tensor in it."""
    outer_size = t.size() if outer_size is None else outer_size
    outer_stride = t.stride() if outer_stride is None else outer_stride
    names, context = t.__tensor_flatten__()
    inner = {name: callback(name, getattr(t, name)) for name in names}
    made = type(t).__tensor_unflatten__(inner, context, outer_size, outer_stride)
    if made.shape != outer_size or tuple(made.stride()) != tuple(outer_stride):
        raise AssertionError(
            f"__tensor_unflatten__ of {type(t).__name__} made a tensor of size {tuple(made.shape)} and stride "
            f"{tuple(made.stride())}; wanted are {tuple(outer_size)} and {tuple(outer_stride)}"
        )
    return made


def return_and_correct_aliasing(func, args, kwargs, out):
    """What `__torch_dispatch__` is to return where `out` is what it has made: of an operator that writes, the arguments that
    are written; of a view, `out` over the memory of the argument that it views."""
    schema = func._schema
    given = dict(zip((argument.name for argument in schema.arguments), args)) | kwargs
    owners = {}  # {alias set: argument}
    for argument in schema.arguments:
        if argument.alias_info is not None and argument.name in given:
            owners.update(dict.fromkeys(argument.alias_info.before_set, given[argument.name]))

    def corrected(result, made):
        owner = result.alias_info and next((owners[s] for s in result.alias_info.before_set if s in owners), None)
        if owner is None:
            return made
        if result.alias_info.is_write:
            return owner
        for tensor in made if isinstance(made, (list, tuple)) else (made,):
            _view(tensor, owner)
        return made

    if len(schema.returns) == 1:
        return corrected(schema.returns[0], out)
    if not schema.returns:
        return out
    return type(out)(map(corrected, schema.returns, out))


def _view(tensor, owner):
    """Puts the tensor over the owner's memory. Indices and values of a sparse one are in no memory of its own."""
    if owner.layout != torch.strided:
        return
    storage = owner.untyped_storage()
    if tensor.untyped_storage().data_ptr() != storage.data_ptr():
        with _dispatch_modes.only(()), torch.no_grad():
            tensor.set_(storage, tensor.storage_offset(), tensor.shape, tensor.stride())
