"""Functions of DTensors that are made of others, which have rules: those that declarations name by `sharding: parts NAME`, as
function(func, *args, **kwargs), which may answer NotImplemented; and what rules of other forms are run by."""

from __future__ import annotations

import torch
from torch.distributed.tensor import _api, _redistribute
from torch.distributed.tensor._rules import reduced_dims
from torch.distributed.tensor.placement_types import Replicate
from torch.nn import init


def linear(func, input, weight, bias=None):
    made = torch.matmul(input, weight.t() if weight.dim() == 2 else weight)
    return made if bias is None else made + bias


def addmm(func, input, *, beta=1, alpha=1, out=None, **factors):
    """addmv() and baddbmm(), too, whose factors have other names."""
    one, two = factors.values()
    made = torch.matmul(one, two)
    made = made if alpha == 1 else made * alpha
    return made if beta == 0 else made + (input if beta == 1 else input * beta)


def mean(func, input, dim=None, keepdim=False, *, dtype=None):
    if not (dtype or input.dtype).is_floating_point and not (dtype or input.dtype).is_complex:
        return NotImplemented
    count = 1
    for d in reduced_dims(dim, input.dim()):
        count *= input.shape[d]
    input = input if dtype is None else input.to(dtype)
    return (input.sum() if dim is None else input.sum(dim, keepdim)) / max(count, 1) if count else NotImplemented


def norm(func, input, p=2, dim=None, keepdim=False, dtype=None, **others):
    p = others.pop("ord", p)
    p = 2 if p in ("fro", None) else p
    if isinstance(p, str) or p in (0, float("-inf")) or (dtype or input.dtype).is_complex:
        return NotImplemented
    over = {"dim": tuple(range(input.dim())) if dim is None else dim, "keepdim": keepdim}
    size = (input if dtype is None else input.to(dtype)).abs()
    if p == float("inf"):
        return size.amax(**over)
    return size.sum(**over) if p == 1 else (size**p).sum(**over) ** (1 / p)


def linalg_norm(func, input, ord=None, dim=None, keepdim=False, dtype=None):
    """Of vectors; norms of matrices are computed on whole tensors."""
    if ord is not None and not isinstance(dim, int) and (dim is not None or input.dim() != 1):
        return NotImplemented
    return norm(func, input, 2 if ord is None else ord, dim, keepdim, dtype)


def var(func, input, dim=None, correction=1, keepdim=False, unbiased=None):
    """The variance, of dimensions that may be split."""
    if input.is_complex() or not input.numel():
        return NotImplemented
    correction = correction if unbiased is None else int(unbiased)
    dims = tuple(reduced_dims(dim, input.dim()))
    count = 1
    for d in dims:
        count *= input.shape[d]
    correction = 1 if correction is None else correction
    if count <= correction:
        return NotImplemented
    shift = input - input.mean(dims, True)
    return (shift * shift).sum(dims, keepdim) / (count - correction)


def std(func, input, **others):
    found = var(func, input, **others)
    return found if found is NotImplemented else found.sqrt()


def var_mean(func, input, dim=None, keepdim=False, **others):
    found = var(func, input, dim=dim, keepdim=keepdim, **others)
    return found if found is NotImplemented else (found, mean(func, input, dim, keepdim))


def std_mean(func, input, dim=None, keepdim=False, **others):
    found = std(func, input, dim=dim, keepdim=keepdim, **others)
    return found if found is NotImplemented else (found, mean(func, input, dim, keepdim))


def cross_entropy(func, input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                   label_smoothing=0.0):  # fmt: skip
    from torch.distributed.tensor.parallel import _loss

    if weight is not None or label_smoothing or size_average is not None or reduce is not None:
        return NotImplemented
    if target.is_floating_point() or input.dim() < 1:
        return NotImplemented
    logs = _loss.log_softmax(input, 1 if input.dim() > 1 else 0)
    return torch.nn.functional.nll_loss(logs, target, ignore_index=ignore_index, reduction=reduction)


def nll_loss(func, input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    from torch.distributed.tensor.parallel import _loss

    if weight is not None or size_average is not None or reduce is not None:
        return NotImplemented
    each, counted = _loss.chosen(input, target, 1 if input.dim() > 1 else 0, ignore_index)
    if reduction == "none":
        return each
    return each.sum() if reduction == "sum" else each.sum() / counted.sum()


def loss(func, rule, args, kwargs):
    """A loss of each pair of elements, and what the argument `reduction` makes of all."""
    how = rule.given.get("reduction", "mean")
    if how not in ("mean", "sum") or any(
        rule.given.get(name) is not None for name in ("size_average", "reduce", "weight")
    ):
        return NotImplemented
    given = rule.bind(args, kwargs)
    each = func(**given | {"reduction": "none"})
    return each.sum() if how == "sum" else each.mean()


def view_as(func, input, other):
    return input.view(other.shape)


def reshape_as(func, input, other):
    return input.reshape(other.shape)


def expand_as(func, input, other):
    return input.expand(other.shape)


def tensordot(func, a, b, dims=2, out=None):
    if out is not None or isinstance(dims, torch.Tensor):
        return NotImplemented
    if isinstance(dims, int):
        dims = list(range(a.dim() - dims, a.dim())), list(range(dims))
    left, right = ([d % t.dim() for d in ([own] if isinstance(own, int) else own)] for t, own in zip((a, b), dims))
    names = [chr(ord("a") + d) for d in range(a.dim() + b.dim())]
    one, two = names[: a.dim()], names[a.dim() :]
    for i, j in zip(left, right):
        two[j] = one[i]
    rest = [c for d, c in enumerate(one) if d not in left] + [c for d, c in enumerate(two) if d not in right]
    return torch.einsum(f"{''.join(one)},{''.join(two)}->{''.join(rest)}", a, b)


def drawn(like, draw):
    """draw(tensor of the whole size, generator), lying as `like` does: it does not depend on how that is."""
    mesh = like.device_mesh
    spec = like._spec.gradient()
    generator = torch.Generator().manual_seed(_api.shared_seed(mesh))
    local = draw(torch.empty(like.shape, dtype=like.dtype), generator)
    whole = spec._replace(placements=(Replicate(),) * mesh.ndim)
    return _api.DTensor(_redistribute.redistributed(local, whole, spec.placements), spec)


def dropout(func, input, p=0.5, training=True, inplace=False, train=None):
    training = training if train is None else train  # torch.dropout()'s name
    inplace = inplace or func.__name__ == "dropout_"
    if not training or p == 0:
        return input.clone() if not inplace else input
    kept = drawn(input, lambda t, generator: (torch.rand(t.shape, generator=generator) >= p).to(t.dtype))
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return input.mul_(kept * scale) if inplace else input * (kept * scale)


def filled(func, self, *args, generator=None, **kwargs):
    """Random numbers in place."""
    with torch.no_grad():
        return self.copy_(drawn(self, lambda t, own: getattr(t, func.__name__)(*args, generator=own, **kwargs)))


# Functions of torch.nn.init that ask types first whether they have one of their own; arguments come by name.
INITIALISERS = {
    "uniform_": lambda tensor, a, b, generator: init._random("uniform_", tensor, a, b, generator=generator),
    "normal_": lambda tensor, mean, std, generator: init._random("normal_", tensor, mean, std, generator=generator),
    "constant_": lambda tensor, val: tensor.detach().fill_(val),
    "kaiming_uniform_": init._kaiming_uniform,
}


def refused(func, *args, **kwargs):
    raise NotImplementedError(f"{func.__name__}() of DTensors: ranks would draw different numbers")
