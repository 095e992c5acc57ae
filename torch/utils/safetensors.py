"""Tensors in the files of the safetensors library, which must be installed: `load_file`, `save_file`, and the same with
bytes. The library's own safetensors.torch wants all of PyTorch; here it only reads and writes the format."""

import os

import torch
from torch._serialization.files import replaced

_NAMES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "int64": "I64",
    "int32": "I32",
    "int16": "I16",
    "int8": "I8",
    "uint8": "U8",
    "uint16": "U16",
    "uint32": "U32",
    "uint64": "U64",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "bool": "BOOL",
}
_DTYPES = {short: getattr(torch, name) for name, short in _NAMES.items()}


def _library():
    try:
        import safetensors
    except ImportError as error:
        raise RuntimeError(
            "Attempting to load a safetensors file but safetensors is not installed. Please install safetensors with: "
            "pip install safetensors"
        ) from error
    return safetensors


def _tensor(dtype, shape, data):
    if dtype not in _DTYPES:
        raise RuntimeError(f"torch has no dtype for safetensors' {dtype}")
    if not len(data):
        return torch.empty(shape, dtype=_DTYPES[dtype], device="cpu")
    return torch.frombuffer(bytearray(data), dtype=_DTYPES[dtype]).view(shape)


def load(data):
    """{name: tensor} out of bytes."""
    return {name: _tensor(one["dtype"], one["shape"], one["data"]) for name, one in _library().deserialize(data)}


def load_file(filename, device="cpu"):
    """{name: tensor} out of a file, on `device`."""
    torch.empty(0, device=device)  # raises where no tensor can be
    with open(filename, "rb") as file:
        return {name: tensor.to(device) for name, tensor in load(file.read()).items()}


def _parts(tensors):
    """The library's descriptions of tensors, and the dense tensors that must outlive their use."""
    specification = getattr(_library(), "TensorSpec", None)  # from 0.8 on it takes addresses, before that bytes
    parts, dense = {}, []
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
        kind = str(tensor.dtype).removeprefix("torch.")
        if kind not in _NAMES:
            raise ValueError(f"safetensors has no name for {tensor.dtype} of {name!r}")
        one = tensor.cpu().contiguous()
        dense.append(one)
        if specification is not None:
            place = {"data_ptr": one.data_ptr(), "data_len": one.nbytes}
            parts[name] = specification(dtype=kind, shape=list(one.shape), **place)
            continue
        first = one.storage_offset() * one.element_size()
        data = bytes(memoryview(one.untyped_storage())[first : first + one.nbytes])
        parts[name] = {"dtype": kind, "shape": list(one.shape), "data": data}
    return parts, dense


def save(tensors, metadata=None):
    """Bytes that hold {name: tensor}. Tensors that share memory are written each on its own."""
    parts, _dense = _parts(tensors)
    return bytes(_library().serialize(parts, metadata=metadata))


def save_file(tensors, filename, metadata=None):
    """{name: tensor} into a file."""
    with replaced(os.fspath(filename)) as file:
        file.write(save(tensors, metadata))
