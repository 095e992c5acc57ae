"""Methods about layouts and quantisation. What is done with sparse tensors stands in torch.sparse, and is loaded by the first
call."""

import torch
from torch._tensor import _method


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


def to_sparse_coo(self):
    """The elements that are not 0, by coordinates."""
    return self.to_sparse()


def _of_coo(name):
    def count(self):
        if self.layout != torch.sparse_coo:
            backend = "CPU" if self.layout == torch.strided else "SparseCsrCPU"
            raise NotImplementedError(f"Could not run 'aten::{name}' with arguments from the '{backend}' backend")
        return self.sparse_dim() if name == "_dimI" else self.dense_dim()

    count.__name__ = name
    count.__doc__ = f"How many {'sparse' if name == '_dimI' else 'dense'} dimensions a sparse COO tensor has."
    return count


def sparse_resize_(self, size, sparse_dim, dense_dim):
    """Makes a sparse COO tensor of another size; what it has stays where it is. With entries no size may shrink, and the
    numbers of sparse and of dense dimensions stay: RuntimeError."""
    from torch.sparse import _members

    return _members.sparse_resize_(self, size, sparse_dim, dense_dim)


def sparse_resize_and_clear_(self, size, sparse_dim, dense_dim):
    """Makes a sparse COO tensor of another size, and of other numbers of sparse and dense dimensions, without entries."""
    from torch.sparse import _members

    return _members.sparse_resize_and_clear_(self, size, sparse_dim, dense_dim)


def resize_as_sparse_(self, other):
    """Makes a sparse COO tensor of the size of another one; see `Tensor.sparse_resize_`."""
    return torch.resize_as_sparse_(self, other)


def dequantize(self):
    """The tensor itself as float32: it is not quantised."""
    return self.to(torch.float32)


def is_distributed(self):
    """Whether the tensor is spread over processes: no."""
    return False


for _function in (
    to_dense,
    to_sparse,
    to_sparse_coo,
    sparse_resize_,
    sparse_resize_and_clear_,
    resize_as_sparse_,
    _of_coo("_dimI"),
    _of_coo("_dimV"),
    _compressed("csr", "compressed rows", False),
    _compressed("csc", "compressed columns", False),
    _compressed("bsr", "compressed rows of blocks", True),
    _compressed("bsc", "compressed columns of blocks", True),
    dequantize,
    is_distributed,
):
    _function.__module__ = "torch"
    _method(_function)
