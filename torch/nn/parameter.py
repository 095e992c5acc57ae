"""Tensors that belong to a module: parameters, which are learned, and buffers, which are only stored with it."""

import collections
from typing import Any, Self

import torch
from torch import _C, _utils

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "UninitializedTensorMixin",
    "is_lazy",
]


class _ParameterMeta(type(torch.Tensor)):
    def __instancecheck__(cls, instance) -> bool:
        """A tensor of a type that makes its own results is a parameter if Parameter() has marked it as one."""
        if super().__instancecheck__(instance):
            return True
        return cls is Parameter and isinstance(instance, torch.Tensor) and getattr(instance, "_is_param", False)


class Parameter(torch.Tensor, metaclass=_ParameterMeta):
    """A tensor that a module registers among its parameters as soon as it is assigned to an attribute.

    It shares the elements of `data` (None: an empty tensor) and has no history; `requires_grad` says whether gradients
    are computed for it. A tensor of a derived type keeps its type and is marked as a parameter.
    """

    _prints_as_tensor = True

    def __new__(cls, data: torch.Tensor | None = None, requires_grad: bool = True) -> Self:
        if data is None:
            data = torch.empty(0)
        if type(data) is torch.Tensor or type(data) is Parameter:
            return torch.Tensor._make_subclass(cls, data, requires_grad)
        if not isinstance(data, torch.Tensor):
            raise TypeError(f"Parameter() takes a tensor, got {type(data).__name__}")
        derived = data.detach().requires_grad_(requires_grad)
        if type(derived) is not type(data):
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() returns an "
                f"instance of the same type, but it returned {type(derived).__name__}"
            )
        derived._is_param = True
        return derived

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            values = self.data.clone(memory_format=torch.preserve_format)
            memo[id(self)] = type(self)(values, self.requires_grad)
        return memo[id(self)]

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, protocol):
        hooks = collections.OrderedDict()  # hooks are not stored
        arguments = self.data, self.requires_grad, hooks
        if not self.__dict__:
            return _utils._rebuild_parameter, arguments
        return _utils._rebuild_parameter_with_state, (*arguments, self.__dict__)

    __torch_function__ = _C._disabled_torch_function_impl


class UninitializedTensorMixin:
    """What uninitialised parameters and buffers share: device and dtype, and no shape until `materialize(shape)`."""

    # What may be asked of them as they are.
    _allowed = [
        torch.Tensor.__hash__,
        torch.Tensor.size,
        torch.Tensor.copy_,
        torch.Tensor.is_complex,
        torch.Tensor.is_floating_point,
        torch.Tensor.half,
        torch.Tensor.float,
        torch.Tensor.double,
        torch.Tensor.char,
        torch.Tensor.short,
        torch.Tensor.int,
        torch.Tensor.long,
        torch.Tensor.cuda,
        torch.Tensor.cpu,
        torch.Tensor.to,
        torch.Tensor.get_device,
    ]

    def materialize(self, shape, device=None, dtype=None) -> None:
        """Becomes a parameter or buffer of that shape, in place; the elements are uninitialised. Device and dtype
        default to its own."""
        if device is None:
            device = self.data.device
        if dtype is None:
            dtype = self.data.dtype
        self.data = torch.empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer: a lazy module has none before its first "
            "forward(), and its state_dict() cannot be loaded into a module that has one"
        )

    def share_memory_(self):
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer: run the lazy module's forward() first"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol):
        # requires_grad, device and dtype are all there is
        return type(self), (self.requires_grad, self.device, self.dtype)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in cls._allowed or getattr(func, "__name__", "") in ("__get__", "__set__"):  # or a property
            return super().__torch_function__(func, types, args, kwargs or {})
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {func}: run the lazy module's forward() on some input first, "
            "or call materialize(shape)"
        )


def is_lazy(param: Any) -> bool:
    """Whether it is an uninitialised parameter or buffer."""
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape is not known yet."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device=None, dtype=None) -> Self:
        return torch.Tensor._make_subclass(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


class _BufferMeta(type(torch.Tensor)):
    def __instancecheck__(cls, instance) -> bool:
        if super().__instancecheck__(instance):
            return True
        return cls is Buffer and isinstance(instance, torch.Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(torch.Tensor, metaclass=_BufferMeta):
    """Marks a tensor as a buffer: a module registers it among its buffers as soon as it is assigned to an attribute.

    The result is the tensor itself (None: an empty one), without history. Buffers that are not `persistent` are left out of
    state_dict().
    """

    def __new__(cls, data: torch.Tensor | None = None, *, persistent: bool = True) -> Self:
        if data is None:
            data = torch.empty(0)
        result = data.detach().requires_grad_(data.requires_grad)
        result.persistent = persistent
        result._is_buffer = True
        return result

    __torch_function__ = _C._disabled_torch_function_impl


class UninitializedBuffer(UninitializedTensorMixin, torch.Tensor):
    """A buffer whose shape is not known yet."""

    cls_to_become = torch.Tensor

    def __new__(cls, requires_grad: bool = False, device=None, dtype=None, persistent: bool = True) -> Self:
        result = torch.Tensor._make_subclass(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)
        result.persistent = persistent
        result._is_buffer = True
        return result
