"""torch.FloatTensor and its like: the types of 2017, one for each dtype. They make tensors of their dtype on the
CPU, and every tensor of that dtype there is an instance of them."""

import torch
from torch._C import Tensor

NAMES = {
    "BoolTensor": torch.bool,
    "ByteTensor": torch.uint8,
    "CharTensor": torch.int8,
    "ShortTensor": torch.int16,
    "IntTensor": torch.int32,
    "LongTensor": torch.int64,
    "HalfTensor": torch.float16,
    "BFloat16Tensor": torch.bfloat16,
    "FloatTensor": torch.float32,
    "DoubleTensor": torch.float64,
    "ComplexFloatTensor": torch.complex64,
    "ComplexDoubleTensor": torch.complex128,
}


def scalar_type(tensor):
    """What messages call its dtype: "Float"."""
    return tensor.type().removeprefix("torch.").removesuffix("Tensor")


class _TensorType(type):
    """The type of these types."""

    layout = torch.strided
    is_cuda = is_sparse = False

    def __call__(cls, *data, **options):
        return Tensor._construct(cls.dtype, *data, **options)

    def __getattr__(cls, name):
        """torch.ByteTensor.all: what every tensor has."""
        return getattr(Tensor, name)

    def __instancecheck__(cls, instance):
        if not isinstance(instance, Tensor) or not instance.is_cpu or instance.dtype != cls.dtype:
            return False
        return instance.layout == cls.layout


def _made(name, dtype):
    doc = (
        f"{name}(*sizes), {name}(sequence): a tensor of {dtype}. Every tensor of that dtype on the CPU is an instance."
    )
    return _TensorType(name, (), {"dtype": dtype, "__module__": "torch", "__doc__": doc})


TYPES = {name: _made(name, dtype) for name, dtype in NAMES.items()}
