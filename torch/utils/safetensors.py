"""Tensors in the files of the safetensors library, which must be installed: `load_file`, `save_file`, and the same with
bytes. The library's own safetensors.torch wants all of PyTorch; here it only reads and writes the format."""

import torch

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
        return torch.empty(shape, dtype=_DTYPES[dtype])
    return torch.frombuffer(bytearray(data), dtype=_DTYPES[dtype]).view(shape)


def load(data):
    """{name: tensor} out of bytes."""
    return {name: _tensor(one["dtype"], one["shape"], one["data"]) for name, one in _library().deserialize(data)}


def load_file(filename, device="cpu"):
    """{name: tensor} out of a file."""
    if torch.device(device).type != "cpu":
        raise RuntimeError(f"this build of torch knows only the CPU, got device {device}")
    with open(filename, "rb") as file:
        return load(file.read())


def _parts(tensors):
    parts = {}
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
        kind = str(tensor.dtype).removeprefix("torch.")
        if kind not in _NAMES:
            raise ValueError(f"safetensors has no name for {tensor.dtype} of {name!r}")
        dense = tensor.contiguous()
        first = dense.storage_offset() * dense.element_size()
        with memoryview(dense.untyped_storage()) as view:
            data = bytes(view[first : first + dense.nbytes])
        parts[name] = {"dtype": kind, "shape": list(tensor.shape), "data": data}
    return parts


def save(tensors, metadata=None):
    """Bytes that hold {name: tensor}. Tensors that share memory are written each on its own."""
    return _library().serialize(_parts(tensors), metadata=metadata)


def save_file(tensors, filename, metadata=None):
    """{name: tensor} into a file."""
    _library().serialize_file(_parts(tensors), filename, metadata=metadata)
