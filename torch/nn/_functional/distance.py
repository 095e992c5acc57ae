"""Distances, norms and what is made of them."""

import torch
from torch.nn._functional._protocol import overridable


@overridable
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The p-norm of x1 - x2 + eps along the last dimension; the shapes broadcast."""
    return torch.norm(x1 - x2 + eps, p, -1, keepdim)


@overridable
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The product of x1 and x2 along `dim`, divided by their norms, which are taken as at least `eps`. The shapes
    broadcast. RuntimeError for integers."""
    for x in (x1, x2):
        if not (x.is_floating_point() or x.is_complex()):
            raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {x.dtype}")
    x1, x2 = torch.broadcast_tensors(x1, x2)
    # divided one by one: the product of two norms may overflow where the quotients do not
    return (_unit(x1, dim, eps) * _unit(x2, dim, eps)).sum(dim)


def _unit(x, dim, eps):
    norm = torch.linalg.vector_norm(x, 2, dim, True)
    # below eps the quotient is by a constant; the norm's own gradient at 0 is 0
    return x / torch.where(norm > eps, norm, eps)


@overridable
def pdist(input, p=2):
    """The p-norm distances of all pairs of rows of an N×M matrix: N(N - 1)/2 of them. RuntimeError for other shapes and
    a negative p."""
    if input.dim() != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.dim()}D")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    first, second = torch.triu_indices(input.size(0), input.size(0), 1, device=input.device)
    if input.is_cpu:  # its kernel computes all of them, and the others, sooner than differences are written down
        return torch.cdist(input, input, p)[first, second]
    return torch.linalg.vector_norm(input.index_select(0, first) - input.index_select(0, second), p, 1)


@overridable
def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """input divided by its p-norm along `dim`, which is taken as at least `eps`."""
    norm = torch.linalg.vector_norm(input, p, dim, True).clamp_min(eps).expand_as(input)
    return torch.div(input, norm) if out is None else torch.div(input, norm, out=out)


@overridable
def one_hot(tensor, num_classes=-1):
    """For every element a row of num_classes zeros (-1: as many as the largest one needs) and a one at its index.
    RuntimeError for other dtypes than int64, negative elements and elements that are too large."""
    if tensor.dtype != torch.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.numel() == 0:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return tensor.new_zeros([*tensor.shape, num_classes])
    if not tensor.is_meta:
        if int(tensor.min()) < 0:
            raise RuntimeError("Class values must be non-negative.")
        largest = int(tensor.max())
        if num_classes == -1:
            num_classes = largest + 1
        elif largest >= num_classes:
            raise RuntimeError("Class values must be smaller than num_classes.")
    elif num_classes == -1:
        raise NotImplementedError("one_hot(): a tensor on the device meta has no elements to count classes by")
    return tensor.new_zeros([*tensor.shape, num_classes]).scatter_(-1, tensor.unsqueeze(-1), 1)
