"""Methods about layouts and quantisation. What is done with sparse tensors stands in torch.sparse, and is loaded by the first
call."""

import torch
from torch import _C


def to_dense(self, dtype=None, *, masked_grad=None):
    """The same elements as a strided tensor, which a strided one is itself; with `dtype`, converted. The gradient of a
    sparse tensor has its places alone, unless `masked_grad` is False."""
    if self.layout == torch.strided:
        return self if dtype is None or dtype == self.dtype else self.to(dtype)
    return torch._to_dense(self, dtype, masked_grad)


def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """The elements that are not 0, by coordinates of the first `sparse_dim` dimensions, all of them by default; or in one of
    the layouts torch.sparse_csr, sparse_csc, sparse_bsr and sparse_bsc, the latter two in blocks of `blocksize`, with
    `dense_dim` dense dimensions at the end."""
    from torch.sparse import _convert

    return _convert.to_sparse(self, sparse_dim, layout=layout, blocksize=blocksize, dense_dim=dense_dim)


def _compressed(name, what, blocked):
    def convert(self, blocksize, dense_dim):
        from torch.sparse import _convert

        return _convert.compressed(self, getattr(torch, f"sparse_{name}"), blocksize, dense_dim)

    if blocked:

        def method(self, blocksize, dense_dim=None):
            return convert(self, blocksize, dense_dim)
    else:

        def method(self, dense_dim=None):
            return convert(self, None, dense_dim)

    method.__name__ = f"to_sparse_{name}"
    method.__doc__ = f"The elements that are not 0 by {what}: the layout torch.sparse_{name}."
    return method


def dequantize(self):
    """The tensor itself as float32: it is not quantised."""
    return self.to(torch.float32)


def is_distributed(self):
    """Whether the tensor is spread over processes: no."""
    return False


def add_to(cls):
    """Makes them methods of torch.Tensor."""
    for method in (
        to_dense,
        to_sparse,
        _compressed("csr", "compressed rows", False),
        _compressed("csc", "compressed columns", False),
        _compressed("bsr", "compressed rows of blocks", True),
        _compressed("bsc", "compressed columns of blocks", True),
        dequantize,
        is_distributed,
    ):
        method.__qualname__ = f"Tensor.{method.__name__}"
        method.__module__ = "torch"
        setattr(cls, method.__name__, method)


add_to(_C.Tensor)
