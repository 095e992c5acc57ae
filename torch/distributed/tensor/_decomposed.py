"""Functions of DTensors that are made of others, which have rules (_rules.py): name -> function(func, *args, **kwargs), which
may answer NotImplemented."""

from __future__ import annotations

import torch
from torch.distributed.tensor import _api, _redistribute
from torch.distributed.tensor._rules import reduced_dims
from torch.distributed.tensor.placement_types import Replicate
from torch.nn import init


def _linear(func, input, weight, bias=None):
    made = torch.matmul(input, weight.t() if weight.dim() == 2 else weight)
    return made if bias is None else made + bias


def _addmm(func, input, mat1, mat2, *, beta=1, alpha=1, out=None):
    made = torch.matmul(mat1, mat2)
    made = made if alpha == 1 else made * alpha
    made = made if beta == 0 else made + (input if beta == 1 else input * beta)
    return made if out is None else out.copy_(made)


def _mean(func, input, dim=None, keepdim=False, *, dtype=None):
    if not (dtype or input.dtype).is_floating_point:
        return NotImplemented
    count = 1
    for d in reduced_dims(dim, input.dim()):
        count *= input.shape[d]
    input = input if dtype is None else input.to(dtype)
    return (input.sum() if dim is None else input.sum(dim, keepdim)) / max(count, 1) if count else NotImplemented


def _norm(func, input, p=2, dim=None, keepdim=False, dtype=None, **others):
    p = others.pop("ord", p)
    if isinstance(p, str) or p in (0, None, float("-inf")) or others.get("out") is not None:
        return NotImplemented
    over = {} if dim is None else {"dim": dim, "keepdim": keepdim}
    size = input.abs()
    if p == float("inf"):
        return size.amax(**over)
    return size.sum(**over) if p == 1 else (size**p).sum(**over) ** (1 / p)


def _cross_entropy(func, input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                   label_smoothing=0.0):  # fmt: skip
    from torch.distributed.tensor.parallel import _loss

    if weight is not None or label_smoothing or size_average is not None or reduce is not None:
        return NotImplemented
    if target.is_floating_point() or input.dim() < 1:
        return NotImplemented
    logs = _loss.log_softmax(input, 1 if input.dim() > 1 else 0)
    return torch.nn.functional.nll_loss(logs, target, ignore_index=ignore_index, reduction=reduction)


def _nll_loss(func, input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    from torch.distributed.tensor.parallel import _loss

    if weight is not None or size_average is not None or reduce is not None:
        return NotImplemented
    each, counted = _loss.chosen(input, target, 1 if input.dim() > 1 else 0, ignore_index)
    if reduction == "none":
        return each
    return each.sum() if reduction == "sum" else each.sum() / counted.sum()


def _mse_loss(func, input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if weight is not None or size_average is not None or reduce is not None:
        return NotImplemented
    each = (input - target) ** 2
    return each if reduction == "none" else each.sum() if reduction == "sum" else each.mean()


def drawn(like, draw):
    """draw(tensor of the whole size, generator), lying as `like` does: it does not depend on how that is."""
    mesh = like.device_mesh
    spec = like._spec.gradient()
    generator = torch.Generator().manual_seed(_api.shared_seed(mesh))
    local = draw(torch.empty(like.shape, dtype=like.dtype), generator)
    whole = spec._replace(placements=(Replicate(),) * mesh.ndim)
    return _api.DTensor(_redistribute.redistributed(local, whole, spec.placements), spec)


def _dropout(func, input, p=0.5, training=True, inplace=False):
    if not training or p == 0:
        return input.clone() if not inplace else input
    kept = drawn(input, lambda t, generator: (torch.rand(t.shape, generator=generator) >= p).to(t.dtype))
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return input.mul_(kept * scale) if inplace else input * (kept * scale)


def _drawn_in_place(name):
    def function(func, self, *args, generator=None, **kwargs):
        with torch.no_grad():
            return self.copy_(drawn(self, lambda t, own: getattr(t, name)(*args, generator=own, **kwargs)))

    return function


# Functions of torch.nn.init that ask types first whether they have one of their own; arguments come by name.
INITIALISERS = {
    "uniform_": lambda tensor, a, b, generator: init._random("uniform_", tensor, a, b, generator=generator),
    "normal_": lambda tensor, mean, std, generator: init._random("normal_", tensor, mean, std, generator=generator),
    "constant_": lambda tensor, val: tensor.detach().fill_(val),
    "kaiming_uniform_": init._kaiming_uniform,
}


def _refused(func, *args, **kwargs):
    raise NotImplementedError(f"{func.__name__}() of DTensors: ranks would draw different numbers")


DECOMPOSED = {
    "view_as": lambda func, input, other: input.view(other.shape),
    "reshape_as": lambda func, input, other: input.reshape(other.shape),
    "expand_as": lambda func, input, other: input.expand(other.shape),
    "linear": _linear,
    "addmm": _addmm,
    "mean": _mean,
    "norm": _norm,
    "vector_norm": _norm,
    "linalg_vector_norm": _norm,
    "cross_entropy": _cross_entropy,
    "nll_loss": _nll_loss,
    "mse_loss": _mse_loss,
    "dropout": _dropout,
} | {n: _drawn_in_place(n) for n in ("uniform_", "normal_", "bernoulli_", "exponential_", "random_", "log_normal_")}
DECOMPOSED |= dict.fromkeys(
    (
        "rand_like randn_like randint_like bernoulli multinomial feature_dropout dropout1d dropout2d dropout3d "
        "alpha_dropout poisson normal"
    ).split(),
    _refused,
)
