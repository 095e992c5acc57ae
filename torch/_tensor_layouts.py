"""Methods about layouts and quantisation, on tensors that are all dense and plain: what asks for a dense tensor gives the
tensor itself, what is about parts of sparse or quantised ones raises."""

import torch
from torch import _C

_NOT_SPARSE = "{} expected sparse {} layout but got Strided"


def to_dense(self, dtype=None, *, masked_grad=True):
    """The tensor itself, since it is dense; with `dtype`, converted."""
    return self if dtype is None or dtype == self.dtype else self.to(dtype)


def sparse_dim(self):
    """How many dimensions are sparse: none."""
    return 0


def dense_dim(self):
    """How many dimensions are dense: all."""
    return self.dim()


def coalesce(self):
    """RuntimeError: the tensor is not sparse."""
    raise RuntimeError(_NOT_SPARSE.format("coalesce", "coordinate tensor"))


def is_coalesced(self):
    """RuntimeError: the tensor is not sparse."""
    raise RuntimeError(_NOT_SPARSE.format("is_coalesced", "coordinate tensor"))


def indices(self):
    """RuntimeError: the tensor is not sparse."""
    raise RuntimeError(_NOT_SPARSE.format("indices", "coordinate tensor"))


def values(self):
    """RuntimeError: the tensor is not sparse."""
    raise RuntimeError(_NOT_SPARSE.format("values", "tensor"))


def dequantize(self):
    """The tensor itself as float32: it is not quantised."""
    return self.to(torch.float32)


def is_distributed(self):
    """Whether the tensor is spread over processes: no."""
    return False


def _absent(name):
    def method(self, *args, **kwargs):
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'CPU' backend: the tensor is dense"
        )

    method.__name__ = method.__qualname__ = name
    method.__doc__ = "NotImplementedError: the tensor is not sparse."
    return method


def add_to(cls):
    """Makes them methods of torch.Tensor."""
    for method in (
        to_dense,
        sparse_dim,
        dense_dim,
        coalesce,
        is_coalesced,
        indices,
        values,
        dequantize,
        is_distributed,
    ):
        method.__qualname__ = f"Tensor.{method.__name__}"
        method.__module__ = "torch"
        setattr(cls, method.__name__, method)
    for name in ("_indices", "_values", "_nnz"):
        setattr(cls, name, _absent(name))


add_to(_C.Tensor)
