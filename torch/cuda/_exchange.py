"""Memory of other libraries on a GPU, by the protocol __cuda_array_interface__: tensors say what
its version 2 asks for, and of others version 3 is understood."""

import operator

import torch
from torch._storage.untyped import tensor_over

# The codes of NumPy's type strings, little-endian.
_CODES = {
    torch.bool: "|b1",
    torch.uint8: "|u1",
    torch.int8: "|i1",
    torch.uint16: "<u2",
    torch.int16: "<i2",
    torch.uint32: "<u4",
    torch.int32: "<i4",
    torch.uint64: "<u8",
    torch.int64: "<i8",
    torch.bfloat16: "<V2",
    torch.float16: "<f2",
    torch.float32: "<f4",
    torch.float64: "<f8",
    torch.complex64: "<c8",
    torch.complex128: "<c16",
}
_DTYPES = {code: dtype for dtype, code in _CODES.items()}


def array_interface(tensor):
    """What `tensor.__cuda_array_interface__` is. AttributeError for a tensor that is not on a GPU, RuntimeError for one
    that requires gradient, TypeError for dtypes that have no code."""
    if not tensor.is_cuda:
        raise AttributeError(
            f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {tensor.type()}: use tensor.cuda(…) first"
        )
    if tensor.requires_grad:
        raise RuntimeError("Can't get __cuda_array_interface__ on Variable that requires grad: use tensor.detach()")
    if tensor.dtype not in _CODES:
        raise TypeError(f"__cuda_array_interface__ has no code for {tensor.dtype}")
    item = tensor.element_size()
    return {
        "typestr": _CODES[tensor.dtype],
        "shape": tuple(tensor.shape),
        "strides": None if tensor.is_contiguous() else tuple(s * item for s in tensor.stride()),
        "data": (tensor.data_ptr() if tensor.numel() else 0, False),
        "version": 2,
    }


def from_array_interface(obj):
    """A tensor over the memory that an object with `__cuda_array_interface__` describes, on the device where that lies,
    and which keeps the object. That device's current stream waits for the one that the object names. TypeError for what
    the protocol does not have, and for memory that may not be written; ValueError for strides and streams that there
    cannot be."""
    found = obj.__cuda_array_interface__
    if not isinstance(found, dict):
        raise TypeError(f"`__cuda_array_interface__` must be a dict, got {type(found).__name__}")
    for key in ("shape", "typestr", "data"):
        if key not in found:
            raise TypeError(f"__cuda_array_interface__: attribute `{key}` must exist")
    native = torch.cuda._ready()
    dtype = _DTYPES.get(found["typestr"])
    if dtype is None:
        raise TypeError(f"torch has no dtype for the elements '{found['typestr']}' of a __cuda_array_interface__")
    if found.get("mask") is not None:
        raise TypeError("masked arrays cannot become tensors")
    shape = tuple(map(operator.index, found["shape"]))
    if any(n < 0 for n in shape):
        raise ValueError(f"__cuda_array_interface__: sizes cannot be negative, got shape {shape}")
    address = _address(found["data"])
    strides, last = _strides(found.get("strides"), shape, dtype.itemsize)
    stream = found.get("stream")
    if stream is not None and (not isinstance(stream, int) or stream < 1):
        raise ValueError(
            f"__cuda_array_interface__: stream must be None, 1, 2 or the address of a stream, got {stream}"
        )
    if 0 in shape:
        return tensor_over(torch._C._storage_at(0, 0, torch.device("cuda"), obj), dtype, 0, shape, strides)
    if not address:
        raise ValueError(
            f"__cuda_array_interface__: an array of shape {shape} has elements, and data has the address 0"
        )
    device = torch.device("cuda", native.pointer_device(address))
    storage = torch._C._storage_at(address, (last + 1) * dtype.itemsize, device, obj)
    if stream is not None:
        _wait_for(stream, device)
    return tensor_over(storage, dtype, 0, shape, strides)


def _address(data):
    if not isinstance(data, tuple) or len(data) != 2 or not isinstance(data[0], int):
        raise TypeError(f"`data` must be a 2-tuple of (int, bool), got {data!r}")
    if data[1]:
        raise TypeError("the read only flag is not supported, should always be False: a tensor's memory may be written")
    return data[0]


def _strides(strides, shape, item):
    """The strides in elements, None for a dense array, and the place of the last element. `strides` are in bytes."""
    if strides is not None:
        if len(strides) != len(shape):
            raise TypeError(f"strides must be a sequence of the same length as shape: {tuple(strides)} and {shape}")
        strides = tuple(map(operator.index, strides))
        if any(s % item for s in strides):
            raise ValueError(f"given array strides not a multiple of the element byte size {item}: {strides}")
        if any(s < 0 for s in strides):
            raise ValueError(f"strides of a tensor are not negative, got {strides} bytes")
        strides = tuple(s // item for s in strides)
    dense, last = 1, 0
    for d in reversed(range(len(shape))):
        last += (shape[d] - 1) * (dense if strides is None else strides[d])
        dense *= shape[d]
    return strides, last


def _wait_for(stream, device):
    """The device's current stream waits for one that others name: 1 is the default one."""
    other = torch.cuda.ExternalStream(0 if stream == 1 else stream, device)
    current = torch.cuda.current_stream(device)
    if other != current:
        current.wait_stream(other)
