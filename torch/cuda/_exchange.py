"""Memory of other libraries on a GPU, by the protocol __cuda_array_interface__: tensors say what
its version 2 asks for, and of others version 3 is understood."""

import torch
from torch.storage import tensor_over

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
    torch.float16: "<f2",
    torch.float32: "<f4",
    torch.float64: "<f8",
    torch.complex64: "<c8",
    torch.complex128: "<c16",
}
_DTYPES = {code: dtype for dtype, code in _CODES.items()} | {"|V2": torch.bfloat16}


def array_interface(tensor):
    """What `tensor.__cuda_array_interface__` is. AttributeError for a tensor that is not on a GPU, TypeError for dtypes
    that NumPy has no code of."""
    if not tensor.is_cuda:
        raise AttributeError(
            f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {tensor.type()}: use tensor.cuda(…) first"
        )
    if tensor.dtype not in _CODES and tensor.dtype != torch.bfloat16:
        raise TypeError(f"__cuda_array_interface__ has no code for {tensor.dtype}")
    item = tensor.element_size()
    found = {
        "typestr": _CODES.get(tensor.dtype, "|V2"),
        "shape": tuple(tensor.shape),
        "strides": None if tensor.is_contiguous() else tuple(s * item for s in tensor.stride()),
        "data": (tensor.data_ptr() if tensor.numel() else 0, False),
        "version": 2,
    }
    return found


def from_array_interface(obj):
    """A tensor over the memory that an object with `__cuda_array_interface__` describes, and which it keeps. The current
    stream waits for the one that the object names."""
    found = obj.__cuda_array_interface__
    if not isinstance(found, dict):
        raise TypeError(f"__cuda_array_interface__ must be a dict, got {type(found).__name__}")
    native = torch.cuda._ready()
    dtype = _DTYPES.get(found["typestr"])
    if dtype is None:
        raise TypeError(f"torch has no dtype for the elements '{found['typestr']}' of a __cuda_array_interface__")
    if found.get("mask") is not None:
        raise TypeError("masked arrays cannot become tensors")
    item, shape = dtype.itemsize, tuple(found["shape"])
    address, _ = found["data"]
    strides = found.get("strides")
    if strides is not None:
        if any(s < 0 or s % item for s in strides):
            raise ValueError(f"strides must be multiples of {item} and not negative, got {tuple(strides)} bytes")
        strides = tuple(s // item for s in strides)
    if 0 in shape:
        return torch.empty(shape, dtype=dtype, device="cuda")
    dense, last = 1, 0
    for d in reversed(range(len(shape))):
        last += (shape[d] - 1) * (dense if strides is None else strides[d])
        dense *= shape[d]
    storage = torch._C._storage_at(address, (last + 1) * item, torch.device("cuda"), obj)
    stream = found.get("stream")
    if stream is not None:
        if stream == 0:
            raise ValueError("__cuda_array_interface__: stream must be None, 1, 2 or the address of a stream, got 0")
        _wait_for(native, stream)
    return tensor_over(storage, dtype, 0, shape, strides)


def _wait_for(native, stream):
    """The current stream waits for one that others name: 1 is the default one."""
    other = torch.cuda.ExternalStream(0 if stream == 1 else stream)
    current = torch.cuda.current_stream()
    if other != current:
        current.wait_stream(other)
