"""Tensor.to_dense, to_sparse and its kin: what their arguments mean."""

import torch
from torch.sparse._construct import BLOCKED, NUMBERS
from torch.sparse._factories import _block_of

_NAMES = {2: "csr", 3: "csc", 4: "bsr", 5: "bsc"}


def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    if isinstance(sparse_dim, torch.layout):
        sparse_dim, layout = None, sparse_dim
    layout = torch.sparse_coo if layout is None else layout
    if layout == torch.sparse_coo:
        if blocksize is not None:
            raise RuntimeError(f"to_sparse: {layout} has no blocks, got blocksize={blocksize}")
        if sparse_dim is None:
            sparse_dim = -1 if dense_dim is None else self.dim() - dense_dim
        elif not 0 <= sparse_dim <= self.dim():
            raise RuntimeError(
                f"sparse_dim argument must be in >=0,<={self.dim()} range, but {sparse_dim} is given",
            )
        if self.layout == layout and sparse_dim in (-1, self.sparse_dim()):
            return self
        return torch._to_sparse(self, sparse_dim)
    if layout == torch.strided:
        return self.to_dense()
    if layout not in NUMBERS:
        raise RuntimeError(f"to_sparse: there is no conversion to {layout}")
    return compressed(self, layout, blocksize, dense_dim)


def compressed(self, layout, blocksize=None, dense_dim=None):
    """The tensor in one of the compressed layouts."""
    if (blocksize is not None) != (layout in BLOCKED):
        needs = "needs a blocksize of two sizes" if blocksize is None else f"has no blocks, got blocksize={blocksize}"
        raise RuntimeError(f"to_sparse_{_NAMES[NUMBERS[layout]]}: the layout {needs}")
    if self.layout == layout and (blocksize is None or tuple(blocksize) == _block_of(self)):
        return self
    blocks = () if blocksize is None else tuple(blocksize)
    return torch._to_sparse_compressed(self, NUMBERS[layout], blocks, -1 if dense_dim is None else dense_dim)
