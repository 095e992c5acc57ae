"""Gradients kept from becoming too large."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
]


def _tensors(given):
    if isinstance(given, torch.Tensor):
        return [given]
    found = list(given)
    for tensor in found:
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"expected an iterable of Tensors, got one of {type(tensor).__name__}")
    return found


def _elements(tensor):
    """Those of a strided tensor, or those that a sparse one has, each once: all that its norm depends on."""
    if tensor.layout == torch.strided:
        return tensor
    values = (tensor.coalesce() if tensor.layout == torch.sparse_coo else tensor)._values()
    return values if values.numel() else values.new_zeros(1)


@torch.no_grad()
def get_total_norm(
    tensors, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of all tensors' elements as those of one vector. error_if_nonfinite: RuntimeError if it is nan or infinite.
    `foreach` changes nothing. Sparse tensors are not made dense."""
    tensors = _tensors(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return torch.tensor(0.0)
    device = tensors[0].device
    norms = [torch.linalg.vector_norm(_elements(tensor), norm_type).to(device) for tensor in tensors]
    total = torch.linalg.vector_norm(torch.stack(norms), norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped: "
            f"it is {float(total)}; error_if_nonfinite=False scales the gradients by it nevertheless"
        )
    return total


@torch.no_grad()
def clip_grads_with_norm_(parameters, max_norm: float, total_norm: Tensor, foreach: bool | None = None) -> None:
    """Multiplies the gradients of all parameters by max_norm / total_norm if that is less than 1, in place."""
    gradients = [p.grad for p in _tensors(parameters) if p.grad is not None]
    if not gradients:
        return
    # at most 1, without a look at the number, for which a GPU would have to be waited for
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor.to(gradient.device))


@torch.no_grad()
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scales the gradients of all parameters so that their norm, as that of one vector, is at most max_norm, in place.
    Returns the norm that they had. Warns of an exhausted generator."""
    is_generator = hasattr(parameters, "__next__")
    parameters = _tensors(parameters)
    if is_generator and not parameters:
        warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3)
    gradients = [p.grad for p in parameters if p.grad is not None]
    total = get_total_norm(gradients, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """clip_grad_norm_(), by its name of 2017."""
    warnings.warn(
        "torch.nn.utils.clip_grad_norm is now deprecated in favor of torch.nn.utils.clip_grad_norm_.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@torch.no_grad()
def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    """Clamps the gradients of all parameters to ±clip_value, in place; of a sparse one the elements that it has, for which it
    is coalesced."""
    clip_value = float(clip_value)
    for parameter in _tensors(parameters):
        gradient = parameter.grad
        if gradient is None:
            continue
        if gradient.layout == torch.sparse_coo and not gradient.is_coalesced():
            gradient.copy_(gradient.coalesce())
        (gradient if gradient.layout == torch.strided else gradient._values()).clamp_(-clip_value, clip_value)
