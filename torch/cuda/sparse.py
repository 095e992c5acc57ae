"""torch.cuda.sparse.FloatTensor and its like: the types of 2017 of sparse COO tensors on a GPU, as torch.sparse's on the CPU."""

import torch
from torch import _tensor_types


class _TensorType(_tensor_types._TensorType):
    layout = torch.sparse_coo
    is_cuda = is_sparse = True

    def __call__(cls, *args, device=None):
        if not torch.cuda._is_compiled():
            raise TypeError(
                f"type torch.cuda.sparse.{cls.__name__} not available: Torch not compiled with CUDA enabled"
            )
        from torch.sparse import _types

        return _types.make(cls.dtype, torch.device("cuda", torch.cuda.current_device()), args, device)

    def __instancecheck__(cls, instance):
        if not isinstance(instance, torch.Tensor) or not instance.is_cuda or instance.dtype != cls.dtype:
            return False
        return instance.layout == cls.layout


__all__ = []
for _name, _dtype in _tensor_types.NAMES.items():
    if _dtype != torch.bool and not _dtype.is_complex:
        _doc = f"{_name}(*sizes), {_name}(indices, values, size=None): a sparse COO tensor of {_dtype}, on the current GPU."
        globals()[_name] = _TensorType(_name, (), {"dtype": _dtype, "__module__": __name__, "__doc__": _doc})
        __all__.append(_name)
