"""torch.sparse.FloatTensor and its like: the types of 2017 of sparse COO tensors on the CPU, one for each dtype. They make
tensors, every one of their dtype is an instance, and Tensor.type() has their names."""

import torch
from torch import _tensor_types
from torch.sparse._construct import sparse_coo_tensor


def name_of(tensor):
    """What Tensor.type() says of a sparse tensor: "torch.sparse.FloatTensor"."""
    if tensor.layout != torch.sparse_coo:
        raise RuntimeError(f"Unimplemented backend: a tensor of layout {tensor.layout} has no type of that kind")
    place = "" if tensor.is_cpu else f".{tensor.device.type}"
    return f"torch{place}.sparse.{_name_of_dtype(tensor.dtype)}Tensor"


def _name_of_dtype(dtype):
    return next(name for name, own in _tensor_types.NAMES.items() if own == dtype).removesuffix("Tensor")


def _is_sizes(args):
    return all(isinstance(size, int) for size in args)


def make(dtype, here, args, device=None):
    """The tensor of such a type: without arguments of size (0,), of sizes one without entries, or of indices, values and a
    size. `here`: the device that it is on."""
    if device is not None and torch.device(device).type != here.type:
        raise RuntimeError(f"legacy constructor expects device type: {here.type} but device type: {device} was passed")
    if not args or _is_sizes(args) or (len(args) == 1 and isinstance(args[0], torch.Size)):
        sizes = (0,) if not args else args[0] if isinstance(args[0], torch.Size) else args
        return sparse_coo_tensor(tuple(sizes), dtype=dtype, device=here)
    if len(args) == 1 and isinstance(args[0], (tuple, list)):
        raise TypeError(
            "torch.sparse.SparseTensor(sequence) only accepts sizes, given one by one: torch.sparse_coo_tensor() takes "
            "elements, and Tensor.to_sparse() is for a strided tensor's"
        )
    if len(args) not in (2, 3) or not all(isinstance(member, torch.Tensor) for member in args[:2]):
        given = ", ".join(type(arg).__name__ for arg in args)
        raise TypeError(
            f"new() received an invalid combination of arguments - got ({given}), but expected one of:\n * (int... size)\n"
            " * (Tensor indices, Tensor values)\n * (Tensor indices, Tensor values, tuple of ints size)"
        )
    if args[0].dtype != torch.int64:
        raise RuntimeError(f"expected scalar type Long but found {_name_of_dtype(args[0].dtype)}")
    return sparse_coo_tensor(*args, device=here)


def like(tensor, *args, device=None):
    """Tensor.new of a sparse tensor."""
    if tensor.layout != torch.sparse_coo:
        raise RuntimeError(f"new(): a tensor of layout {tensor.layout} has no type of 2017 that could make another one")
    return make(tensor.dtype, tensor.device, args, device)


class _SparseType(_tensor_types._TensorType):
    layout = torch.sparse_coo
    is_sparse = True

    def __call__(cls, *args, device=None):
        return make(cls.dtype, torch.device("cpu"), args, device)


TYPES = {}
for _name, _dtype in _tensor_types.NAMES.items():
    if _dtype != torch.bool and not _dtype.is_complex:
        _doc = f"{_name}(*sizes), {_name}(indices, values, size=None): a sparse COO tensor of {_dtype}, on the CPU."
        TYPES[_name] = _SparseType(_name, (), {"dtype": _dtype, "__module__": "torch.sparse", "__doc__": _doc})
