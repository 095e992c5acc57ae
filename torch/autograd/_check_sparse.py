"""What gradcheck does with sparse inputs and gradients."""

import torch


def refuse_outputs(outputs):
    """Raise ValueError for a sparse output: nothing says which of its elements are its values."""
    if any(output.layout != torch.strided for output in outputs):
        raise ValueError(
            "Sparse output is not supported at gradcheck yet. Please call to_dense(masked_grad=...) on the output of fn for "
            "gradcheck."
        )


def _whole(tensor):
    """The same tensor with every element among its values, for differences in each of them."""
    with torch.no_grad():
        ones = torch.ones_like(tensor.to_dense())
        if tensor.layout == torch.sparse_coo:
            pattern = ones.to_sparse(tensor.sparse_dim())
        elif tensor.layout in (torch.sparse_bsr, torch.sparse_bsc):
            first = tensor.dim() - tensor.dense_dim() - 2
            block = tensor.values().shape[first + 1 : first + 3]
            pattern = ones.to_sparse(layout=tensor.layout, blocksize=tuple(block), dense_dim=tensor.dense_dim())
        else:
            pattern = ones.to_sparse(layout=tensor.layout, dense_dim=tensor.dense_dim())
        return tensor.to_dense().sparse_mask(pattern).requires_grad_(tensor.requires_grad)


def perturbed(inputs, masked):
    """The inputs of finite differences: each sparse one with all its elements, unless they are `masked`."""
    if masked:
        return inputs
    return tuple(
        _whole(value) if isinstance(value, torch.Tensor) and value.layout != torch.strided else value
        for value in inputs
    )


def places(tensor):
    """(a value's place among the values, its number among all elements of the tensor) of each."""
    with torch.no_grad():
        values = tensor._values()
        numbers = torch.arange(tensor.numel(), device=tensor.device).reshape(tensor.shape)
        if tensor.layout == torch.sparse_coo:
            found = numbers[tuple(tensor._indices())]
        else:
            found = numbers.sparse_mask(_with_values(tensor, torch.zeros_like(values, dtype=torch.int64)))._values()
    for number, place in zip(found.reshape(-1).tolist(), torch.ones_like(found).nonzero().tolist()):
        yield tuple(place), number


def _with_values(tensor, values):
    by_rows = tensor.layout in (torch.sparse_csr, torch.sparse_bsr)
    begins = tensor.crow_indices() if by_rows else tensor.ccol_indices()
    across = tensor.col_indices() if by_rows else tensor.row_indices()
    return torch.sparse_compressed_tensor(begins, across, values, tensor.shape, layout=tensor.layout)
