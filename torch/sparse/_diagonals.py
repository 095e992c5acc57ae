"""torch.sparse.spdiags."""

import torch
from torch.sparse._construct import NAMES


def spdiags(diagonals, offsets, shape, layout=None):
    """The sparse matrix of size `shape` that has row d of `diagonals` on its diagonal `offsets[d]`: the element in column j
    comes from column j of the row, and what lies outside of the matrix is left out. `layout`: torch.sparse_coo, where it is
    not coalesced, unless torch.sparse_csr or torch.sparse_csc is asked for."""
    if diagonals.dim() not in (1, 2):
        raise RuntimeError(f"Diagonals must be vector or matrix, got {diagonals.dim()} dimensions")
    if len(shape) != 2:
        raise RuntimeError(f"Output shape must be 2d, got {list(shape)}")
    if offsets.dim() > 1:
        raise RuntimeError(f"Offsets must be scalar or vector, got {offsets.dim()} dimensions")
    diagonals, offsets = diagonals.reshape(-1, diagonals.size(-1)), offsets.reshape(-1)
    if diagonals.size(0) != offsets.size(0):
        raise RuntimeError(
            f"Number of diagonals ({diagonals.size(0)}) does not match the number of offsets ({offsets.size(0)})"
        )
    if offsets.dtype != torch.int64:
        raise RuntimeError(
            f"Offset Tensor must have dtype Long but got {offsets.type().split('.')[-1].removesuffix('Tensor')}"
        )
    if offsets.unique().numel() != offsets.numel():
        raise RuntimeError(f"Offset tensor contains duplicate values: {offsets.tolist()}")
    if layout not in (None, torch.sparse_coo, torch.sparse_csr, torch.sparse_csc):
        raise RuntimeError(
            f"Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got {NAMES.get(layout, 'Strided')}"
        )
    height, width = shape
    columns = torch.arange(diagonals.size(1), device=offsets.device).expand(diagonals.shape)
    rows = columns - offsets[:, None]
    inside = (rows >= 0) & (rows < height) & (columns < width)
    indices = torch.stack((rows[inside], columns[inside]))
    made = torch._sparse_coo_tensor_unsafe(indices, diagonals[inside], (height, width), False)
    return made if layout in (None, torch.sparse_coo) else made.to_sparse(layout=layout)
