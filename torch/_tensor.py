"""Methods of torch.Tensor that are written in Python."""

import copy
import copyreg
import functools
import math
import warnings

import torch
from torch import _C, _utils
from torch._C import Tensor
from torch._storage.typed import NAME_OF_DTYPE
from torch._storage.untyped import _is_pinned, tensor_over
from torch._tensor_str import tensor_text
from torch.overrides import get_default_nowrap_functions, handle_torch_function, has_torch_function_unary
from torch.storage import TYPES as storage_types, TypedStorage

_type = type  # Tensor.type is defined below


def _method(function, declared=None):
    """Makes it a method of Tensor. Types with a __torch_function__, and modes, come first.

    SystemError if Tensor has a method of that name, which it would hide: a declared one, of which a function that calls
    it says `declared`.
    """
    if vars(Tensor).get(function.__name__) is not declared:
        raise SystemError(f"torch.Tensor.{function.__name__} is bound already: {vars(Tensor).get(function.__name__)}")

    @functools.wraps(function)
    def method(self, *args, **kwargs):
        if has_torch_function_unary(self):
            return handle_torch_function(method, (self,), self, *args, **kwargs)
        return function(self, *args, **kwargs)

    method.__qualname__ = f"Tensor.{function.__name__}"
    setattr(Tensor, function.__name__, method)
    return method


# ---- derived types -----------------------------------------------------------------------------------------
def _converted(result, cls):
    """Tensors in a result as tensors of the type `cls`."""
    if isinstance(result, Tensor) and not isinstance(result, cls):
        return result.as_subclass(cls)
    if isinstance(result, (tuple, list)):
        return _type(result)(_converted(item, cls) for item in result)
    return result


def __torch_function__(cls, func, types, args=(), kwargs=None):
    """What runs instead of `func` where a tensor of a derived type takes part: `func`, with results of that type.
    Types that the class does not descend from have a say of their own: NotImplemented."""
    if not all(issubclass(cls, t) for t in types):
        return NotImplemented
    with _C.DisableTorchFunctionSubclass():
        result = func(*args, **(kwargs or {}))
        return result if func in get_default_nowrap_functions() or cls is Tensor else _converted(result, cls)


Tensor.__torch_function__ = classmethod(__torch_function__)
Tensor.__rdiv__ = Tensor.__rtruediv__


@_method
def __repr__(self, *, tensor_contents=None):
    """The text that torch.set_printoptions determines; `tensor_contents` stands in the elements' place."""
    return tensor_text(self, tensor_contents)


# ---- storages ----------------------------------------------------------------------------------------------
@_method
def storage(self):
    """The memory behind the tensor as elements of its dtype."""
    return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype)


@_method
def storage_type(self):
    """torch.FloatStorage and its like: the type of `storage()`; None for dtypes that have none."""
    return storage_types.get(NAME_OF_DTYPE.get(self.dtype))


@_method
def is_shared(self):
    """Whether its memory is one that other processes can be given; always so on a GPU."""
    return False if self.device.type == "meta" else self.untyped_storage().is_shared()


@_method
def share_memory_(self):
    """Moves its memory, and with it that of all views of it, into shared memory, so that other processes see it when it
    is sent to them; see UntypedStorage.share_memory_. Returns the tensor."""
    self.untyped_storage().share_memory_()
    return self


_set_to_tensor = Tensor.set_


@functools.partial(_method, declared=_set_to_tensor)
def set_(self, source=None, storage_offset=0, size=None, stride=None):
    """Makes this tensor a view of the elements of `source`, a tensor of the same dtype or a storage; with sizes and
    strides of its own if they are given. Without a source it becomes empty."""
    if isinstance(source, Tensor) and size is None and storage_offset == 0:
        return _set_to_tensor(self, source)
    if source is None:
        return _set_to_tensor(self, self.new_empty(0))
    if isinstance(source, TypedStorage):
        if source.dtype != self.dtype:
            wanted, got = (
                _NAME_OF_TYPE[dtype].removeprefix("torch.").removesuffix("Tensor")
                for dtype in (self.dtype, source.dtype)
            )
            raise RuntimeError(
                f"Expected a Storage of type {wanted.lower()} or an UntypedStorage, but got type {got} for argument 1 "
                "'storage'"
            )
    elif isinstance(source, Tensor):
        if source.dtype != self.dtype:
            raise RuntimeError(f"Could not set tensor of type {source.dtype} to a tensor of type {self.dtype}")
    elif not isinstance(source, torch.UntypedStorage):
        raise TypeError(f"set_(): argument 'source' must be Tensor or Storage, not {_type(source).__name__}")
    untyped = source.untyped_storage() if isinstance(source, Tensor) else source.untyped()
    return _set_to_tensor(self, tensor_over(untyped, self.dtype, storage_offset, size, stride))


def _resized(tensor, sizes, name):
    warnings.warn(f"non-inplace {name} is deprecated", stacklevel=4)
    count = math.prod(sizes)
    if count != tensor.numel():
        wanted, got = ("x".join(map(str, shape)) for shape in (sizes, tensor.shape))
        raise RuntimeError(
            f"requested resize to {wanted} ({count} elements in total), but the given tensor has a size of {got} "
            f"({tensor.numel()} elements): {name} gives the elements that there are another shape; resize_ changes "
            "their number"
        )
    return tensor.contiguous().view(sizes)


@_method
def resize(self, *sizes):
    """Deprecated: the tensor's elements in another shape, a view of them where they are contiguous: see `reshape`.
    RuntimeError for a shape of another number of elements."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = tuple(sizes[0])
    return _resized(self, sizes, "resize")


@_method
def resize_as(self, tensor):
    """Deprecated: `resize` to the shape of another tensor."""
    return _resized(self, tuple(tensor.size()), "resize_as")


def _get_volatile(self):
    warnings.warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
    return False


def _set_volatile(self, value=None):
    warnings.warn(
        "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
        stacklevel=2,
    )


Tensor.volatile = property(
    _get_volatile, _set_volatile, _set_volatile, "Always False, with a warning: torch.no_grad() took its place."
)


@_method
def dim_order(self, *, ambiguity_check=False):
    """The dimensions in the order in which they lie in memory, the outermost first. RuntimeError for a tensor that has
    several such orders, if `ambiguity_check` is True, or a list of memory formats of which not exactly one fits."""
    formats = ambiguity_check if isinstance(ambiguity_check, list) else []
    if not (isinstance(ambiguity_check, (bool, list)) and all(isinstance(f, torch.memory_format) for f in formats)):
        raise TypeError(
            f"The ambiguity_check argument must be a bool or a list of memory formats, not {ambiguity_check!r}"
        )
    if ambiguity_check is not False and not _has_one_order(self, ambiguity_check):
        raise RuntimeError(
            "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats: "
            f"shape {tuple(self.shape)}, strides {self.stride()}"
        )
    return tuple(sorted(range(self.dim()), key=lambda d: -self.stride(d)))


def _has_one_order(tensor, formats):
    strides = set(tensor.stride())
    if len(strides) == tensor.dim() and 0 not in strides and min(tensor.shape, default=2) > 1:
        return True
    return formats is not True and sum(tensor.is_contiguous(memory_format=one) for one in formats) == 1


# ---- copies and pickles ------------------------------------------------------------------------------------
def _get_layout(name):
    """The layout of that name; pickles call it torch.serialization._get_layout."""
    layout = getattr(torch, name.removeprefix("torch."), None)
    if not isinstance(layout, torch.layout):
        raise RuntimeError(f"torch has no layout {name!r}")
    return layout


_get_layout.__module__ = "torch.serialization"
copyreg.pickle(torch.layout, lambda layout: (_get_layout, (str(layout),)))


def _rebuild_from_type_v2(function, cls, args, state):
    """A tensor of a derived type, or one with attributes, from what __reduce_ex__ has written."""
    tensor = function(*args)
    return _utils._set_obj_state(tensor if _type(tensor) is cls else tensor.as_subclass(cls), state)


@_method
def __reduce_ex__(self, proto):
    if self._backward_hooks:
        from torch.utils.hooks import warn_if_has_hooks

        warn_if_has_hooks(self)
    function, args = _utils.reduce_tensor(self)
    if _type(self) is Tensor and not self.__dict__:
        return function, args
    return _rebuild_from_type_v2, (function, _type(self), args, self.__dict__)


def _with_attributes(tensor, cls, attributes):
    """A tensor of a class, with attributes. Its own history stays."""
    return _utils._set_obj_state(tensor if cls is Tensor else tensor.as_subclass(cls), attributes)


@_method
def __copy__(self):
    """Another tensor over the same elements, a leaf; on the device meta, where there are none, one of the same geometry."""
    if self.is_meta and self.layout == torch.strided:
        function, args = _utils.reduce_tensor(self)
        return _with_attributes(function(*args), _type(self), self.__dict__)
    return _with_attributes(self.data, _type(self), self.__dict__).requires_grad_(self.requires_grad)


@_method
def __deepcopy__(self, memo):
    """A copy with a storage of its own, and its gradient. Tensors that share a storage share one in the copy, too.
    RuntimeError for tensors that were computed: they have no history that could be copied."""
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment: "
            "detach() a computed one before it is copied."
        )
    if id(self) in memo:
        return memo[id(self)]
    if self.layout != torch.strided:
        from torch.sparse import _pickling

        plain = _pickling.deepcopy(self, memo)
    elif self.is_meta:
        plain = self.data.clone()
    else:
        untyped = copy.deepcopy(self.untyped_storage(), memo)
        plain = tensor_over(untyped, self.dtype, self.storage_offset(), self.shape, self.stride())
    result = _with_attributes(plain, _type(self), {}).requires_grad_(self.requires_grad)
    memo[id(self)] = result
    if self.grad is not None:
        result.grad = copy.deepcopy(self.grad, memo)
    if self.__dict__:
        result.__dict__.update(copy.deepcopy(self.__dict__, memo))
    return result


# ---- memory that devices read ------------------------------------------------------------------------------
def _sparse_members():
    from torch.sparse import _members

    return _members


@_method
def is_pinned(self, device=None):
    """Whether its elements are in memory of the host that a GPU reads by itself."""
    return _is_pinned(self) if self.layout == torch.strided else _sparse_members().is_pinned(self)


@_method
def pin_memory(self, device=None):
    """The tensor itself if it is in such memory, else a copy there, which GPUs read while the host goes on. RuntimeError
    without CUDA."""
    if not self.is_cpu:
        raise RuntimeError(f"cannot pin a tensor on {self.device}: only dense CPU tensors can be pinned")
    if device is not None and torch.device(device).type != "cuda":
        raise RuntimeError(f"{torch.device(device).type.upper()} device type not an accelerator.")
    if self.is_pinned():
        return self
    if not torch.cuda._is_compiled():
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if self.layout != torch.strided:
        return _sparse_members().pin_memory(self)
    return torch.cuda._ready().empty_pinned(self).copy_(self)


@_method
def record_stream(self, stream):
    """Says that the stream uses the tensor, too: when it is freed, its memory is not given to another one before the
    stream has done what it has to do so far. The stream may be another GPU's. NotImplementedError for a tensor that is
    on none."""
    if not isinstance(stream, torch.cuda.Stream):
        raise RuntimeError(
            f"record_stream: unknown parameter type {_type(stream).__name__}: it takes a torch.cuda.Stream"
        )
    if not self.is_cuda:
        raise NotImplementedError(f"Could not run 'aten::record_stream' with a tensor on {self.device}")
    if self.layout != torch.strided:
        return _sparse_members().record_stream(self, stream)
    torch.cuda._native().record_stream(self.untyped_storage().data_ptr(), stream.cuda_stream, stream.device_index)


def _array_interface(self):
    from torch.cuda._exchange import array_interface

    return array_interface(self)


Tensor.__cuda_array_interface__ = property(
    _array_interface, doc="Where the elements are on a GPU, for other libraries. AttributeError on the CPU."
)


@_method
def __dir__(self):
    """The names of its attributes, sorted; those of tensors on a GPU only for such."""
    names = {*dir(_type(self)), *self.__dict__}
    if not self.is_cuda:
        names.discard("__cuda_array_interface__")
    return sorted(names)


# ---- DLPack ------------------------------------------------------------------------------------------------
@_method
def __dlpack__(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    from torch.utils.dlpack import tensor_dlpack

    return tensor_dlpack(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


@_method
def __dlpack_device__(self):
    from torch.utils.dlpack import tensor_dlpack_device

    return tensor_dlpack_device(self)


# ---- the array API standard ---------------------------------------------------------------------------------
@_method
def __array_namespace__(self, *, api_version=None):
    """The module whose functions are those of the array API standard, for tensors."""
    from torch import _array_api

    return _array_api._of_version(api_version)


# ---- NumPy -------------------------------------------------------------------------------------------------
@_method
def __array__(self, dtype=None, copy=None):
    array = self.numpy()
    if dtype is None:
        return array.copy() if copy else array
    import numpy

    if copy is False and array.dtype != numpy.dtype(dtype):
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    return array.astype(dtype, copy=bool(copy))


@_method
def __array_wrap__(self, array, context=None, return_scalar=False):
    """What a NumPy function makes of a tensor is a tensor again; truth values come as uint8, as ever."""
    if array.dtype == bool:
        array = array.astype("uint8")
    return torch.from_numpy(array)


# ---- dtypes by name ----------------------------------------------------------------------------------------
_TYPE_NAMES = {f"torch.{name}Tensor": dtype for name, dtype in _C._dtypes_by_type.items()}
_NAME_OF_TYPE = {dtype: name for name, dtype in _TYPE_NAMES.items()}


@_method
def type(self, dtype=None, non_blocking=False, *, memory_format=None):  # noqa: A001 - torch's name
    """The type's name, "torch.FloatTensor" on the CPU and "torch.cuda.FloatTensor" on a GPU, or the tensor converted to a
    dtype, or to a type of that name, which is one of the CPU or of the current GPU."""
    if dtype is None and self.layout != torch.strided:
        from torch.sparse import _types

        return _types.name_of(self)
    if dtype is None:
        name = _NAME_OF_TYPE[self.dtype]
        return name if self.is_cpu else name.replace("torch", f"torch.{self.device.type}", 1)
    if isinstance(dtype, torch.dtype):
        return self.to(dtype, non_blocking, memory_format=memory_format)
    if dtype is torch.Tensor or dtype == "torch.Tensor":
        return self.to("cpu", torch.get_default_dtype(), memory_format=memory_format)
    if isinstance(dtype, str):
        name = dtype
    elif isinstance(dtype, _type):
        name = f"{dtype.__module__}.{dtype.__name__}" if dtype.__module__ != "builtins" else dtype.__name__
    else:
        raise TypeError("dtype must be a type, str, or dtype object")
    plain = name.replace(".sparse.", ".", 1)  # what is strided stays so, and what is sparse
    place = "cpu"
    if name.startswith("torch.cuda."):  # the GPU that it is on, if it is on one
        if not torch.cuda._is_compiled():
            raise RuntimeError(f"Cannot initialize CUDA for the type '{name}': Torch not compiled with CUDA enabled")
        place, plain = self.device if self.is_cuda else "cuda", plain.replace("cuda.", "", 1)
    if plain not in _TYPE_NAMES:
        raise ValueError(f"invalid type: '{name}'")
    return self.to(place, _TYPE_NAMES[plain], non_blocking, memory_format=memory_format)


@_method
def __reversed__(self):
    """The tensor with its rows in reverse order."""
    return self.flip(0) if self.dim() else self


# ---- factorisations ------------------------------------------------------------------------------------------
@_method
def lu(self, pivot=True, get_infos=False):
    """See torch.lu."""
    return torch.lu(self, pivot=pivot, get_infos=get_infos)


from torch import _tensor_layouts  # noqa: E402, F401 - more methods
