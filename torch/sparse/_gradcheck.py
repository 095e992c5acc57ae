"""torch.sparse.as_sparse_gradcheck."""

import functools

import torch
from torch.sparse import _pickling


def _all_places(tensor):
    """The same tensor with every element among its entries."""
    from torch.sparse._factories import _block_of

    dense, plain = tensor.dense_dim(), tensor.detach()
    blocks = {"blocksize": _block_of(tensor)} if _block_of(tensor) != (1, 1) else {}
    whole = torch.ones(tensor.shape, dtype=torch.float64, device=tensor.device)
    pattern = whole.to_sparse(layout=tensor.layout, dense_dim=dense, **blocks)
    return plain.to_dense().sparse_mask(pattern)


class _Members:
    """Makes a sparse tensor of its values again, which have the gradients."""

    def __init__(self, tensor, masked):
        plain = tensor.detach() if masked else _all_places(tensor)
        if plain.layout == torch.sparse_coo:
            plain = plain.coalesce()
        *self.indices, values = _pickling._members(plain)
        self.like = plain
        self.values = values.clone().requires_grad_()

    def __call__(self, values):
        return _pickling.unchecked(*_pickling.reduced(self.like, (*self.indices, values)))


def as_sparse_gradcheck(gradcheck):
    """`gradcheck`, of torch.autograd or like it, for functions of sparse tensors: they are made of their values, which it
    gets in their place, and strided tensors of what is sparse in results. With `masked` the entries of an input alone are
    varied, else all of its elements, those that are 0 and no entries, too."""

    @functools.wraps(gradcheck)
    def gradcheck_with_sparse_support(func, inputs, **kwargs):
        masked = kwargs.pop("masked", False)
        inputs = (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs)
        made, given = {}, []
        for position, value in enumerate(inputs):
            is_sparse = isinstance(value, torch.Tensor) and value.layout != torch.strided
            if is_sparse and value.requires_grad:
                made[position] = _Members(value, masked)
                value = made[position].values
            given.append(value)

        def strided(result):
            if isinstance(result, (tuple, list)):
                return type(result)(map(strided, result))
            if isinstance(result, torch.Tensor) and result.layout != torch.strided:
                return result.to_dense(masked_grad=masked)
            return result

        def of_values(*args):
            return strided(func(*(made[i](value) if i in made else value for i, value in enumerate(args))))

        return gradcheck(of_values, tuple(given), **kwargs)

    return gradcheck_with_sparse_support
