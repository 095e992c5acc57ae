"""torch.cuda.FloatTensor and its like, the types of 2017: they make tensors of their dtype on the current GPU, and every
tensor of that dtype on a GPU is an instance of them. torch.cuda.FloatStorage makes memory there."""

import torch
from torch import _tensor_types, storage


class _TensorType(_tensor_types._TensorType):
    is_cuda = True

    def __call__(cls, *data, **options):
        if not torch.cuda._is_compiled():
            raise TypeError(f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled.")
        return torch.Tensor._construct((cls.dtype, "cuda"), *data, **options)

    def __instancecheck__(cls, instance):
        return isinstance(instance, torch.Tensor) and instance.is_cuda and instance.dtype == cls.dtype


class _StorageType(type):
    def __call__(cls, *data):
        return storage.TypedStorage(*data, dtype=cls.dtype, device="cuda")

    def __instancecheck__(cls, instance):
        return isinstance(instance, storage.TypedStorage) and instance.is_cuda and instance.dtype == cls.dtype


def _made(metaclass, name, dtype, doc):
    return metaclass(name, (), {"dtype": dtype, "__module__": "torch.cuda", "__doc__": doc})


TENSORS = {
    name: _made(_TensorType, name, dtype, f"Tensors of {dtype} on a GPU. TypeError in a build without CUDA.")
    for name, dtype in _tensor_types.NAMES.items()
    if not dtype.is_complex
}
STORAGES = {
    name: _made(_StorageType, name, dtype, f"Memory on a GPU as elements of {dtype}.")
    for name, dtype in storage.DTYPES.items()
}
