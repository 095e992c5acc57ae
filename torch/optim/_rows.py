"""Sparse gradients, by coordinates: what a rule does with the rows that they name, and with no others."""

import torch


def any_sparse(grads):
    """Whether a gradient is sparse."""
    strided = torch.strided
    return any(grad.layout is not strided for grad in grads)


def named(grad):
    """`grad` with each of its places once."""
    return grad.coalesce()


def at(grad, table):
    """What `table` has at the places of `grad`, which has each once: a copy."""
    return table.sparse_mask(grad)._values()


def add(table, grad, values, alpha=1):
    """Adds alpha times `values` to `table` at the places of `grad`, in place."""
    size = (*grad.shape[: grad.sparse_dim()], *values.shape[1:])
    table.add_(torch._sparse_coo_tensor_unsafe(grad._indices(), values, size, True), alpha=alpha)


def split(grads, *lists):
    """(numbers of the sparse gradients, the lists without what belongs to these, the numbers of what is left)."""
    dense = [i for i, grad in enumerate(grads) if grad.layout == torch.strided]
    sparse = [i for i, grad in enumerate(grads) if grad.layout != torch.strided]
    return sparse, [kept and [kept[i] for i in dense] for kept in (grads, *lists)], dense
