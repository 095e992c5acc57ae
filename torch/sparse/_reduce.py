"""torch.sparse.mm with `reduce`."""

import torch

REDUCTIONS = ("sum", "mean", "amax", "amin")


def mm(mat1, mat2, reduce):
    """Row i: the reduction of mat1[i, k] * mat2[k] over the entries of row i; 0 where there are none."""
    if reduce not in REDUCTIONS:
        raise RuntimeError(
            f"sparse_mm_reduce: reduce type of {reduce} has not been enabled: it is one of {', '.join(REDUCTIONS)}"
        )
    if mat1.layout == torch.strided or mat2.layout != torch.strided or mat1.dim() != 2 or mat2.dim() != 2:
        raise RuntimeError(
            f"torch.sparse.mm: with reduce it takes a sparse and a strided matrix, got layouts {mat1.layout} and {mat2.layout}, "
            f"sizes {list(mat1.shape)} and {list(mat2.shape)}"
        )
    if mat1.size(1) != mat2.size(0):
        raise RuntimeError(f"torch.sparse.mm: sizes {list(mat1.shape)} and {list(mat2.shape)} cannot be multiplied")
    if reduce == "sum":
        return torch.mm(mat1, mat2)
    rows = mat1.to_sparse_csr()
    columns, counts = rows.col_indices().long(), rows.crow_indices().diff()
    at = torch.arange(rows.size(0), device=rows.device).repeat_interleave(counts)
    products = rows.values()[:, None] * mat2[columns]
    # What a result begins with is not to be taken for one of the products, which share a gradient: NaN is none.
    begin = float("nan") if products.is_floating_point() else 0
    begins = products.new_full((rows.size(0), mat2.size(1)), begin)
    found = begins.scatter_reduce(0, at[:, None].expand_as(products), products, reduce, include_self=False)
    return found.masked_fill(counts[:, None] == 0, 0)
