"""torch.cuda.sparse.FloatTensor and its like, the types of 2017: of sparse tensors on a GPU, of which there are none here."""

import torch
from torch import _tensor_types


class _TensorType(_tensor_types._TensorType):
    layout = torch.sparse_coo
    is_cuda = is_sparse = True

    def __call__(cls, *data, **options):
        why = "this torch has no sparse tensors on a GPU"
        if not torch.cuda._is_compiled():
            why = "Torch not compiled with CUDA enabled"
        raise TypeError(f"type torch.cuda.sparse.{cls.__name__} not available: {why}")

    def __instancecheck__(cls, instance):
        return False


__all__ = []
for _name, _dtype in _tensor_types.NAMES.items():
    if _dtype != torch.bool and not _dtype.is_complex:
        _doc = f"Sparse tensors of {_dtype} on a GPU. TypeError here."
        globals()[_name] = _TensorType(_name, (), {"dtype": _dtype, "__module__": __name__, "__doc__": _doc})
        __all__.append(_name)
