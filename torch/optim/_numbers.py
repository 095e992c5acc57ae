"""Numbers that may be tensors of one element, and parts that the rules of optimisers share."""

from __future__ import annotations

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


def _get_value(x):
    """The number in a tensor of one element; a number itself is returned as it is."""
    return x.item() if isinstance(x, torch.Tensor) else x


def _to_scalar(x: float | Tensor):
    """A tensor of one element without dimensions; a number itself is returned as it is."""
    return x.squeeze() if isinstance(x, torch.Tensor) and x.dim() else x


def kept(x):
    """A tensor of one element that gradients flow to, as it is; any other as its number."""
    return x if getattr(x, "requires_grad", False) else _get_value(x)


def _get_scalar_dtype(is_fused=None):
    """The dtype in which steps are counted."""
    return torch.float64 if not is_fused and torch.get_default_dtype() == torch.float64 else torch.float32


def _view_as_real(params, *states) -> None:
    """Replace complex tensors in lists by views of their real and imaginary parts, where the parameter is complex."""
    for i, param in enumerate(params):
        if torch.is_complex(param):
            params[i] = torch.view_as_real(param)
            for column in states:
                column[i] = torch.view_as_real(column[i])


def _default_to_fused_or_foreach(
    params: list[Tensor], differentiable: bool, use_fused: bool = False
) -> tuple[bool, bool]:
    """``(fused, foreach)`` where the user says neither: one loop serves both here, so neither is preferred."""
    return False, False


def real(param, *others):
    """`param` and `others` (None passes) as they are, or if `param` is complex as views of real and imaginary parts."""
    if not param.is_complex():
        return (param, *others)
    return tuple(x if x is None else torch.view_as_real(x) for x in (param, *others))


def addend(x, tensor):
    """The number `x` as the dtype of `tensor` has it. PyTorch's ``add`` takes its numbers so; it is seen in half types."""
    if tensor.dtype in (torch.float16, torch.bfloat16):
        return torch.tensor(_get_value(x), dtype=tensor.dtype).item()
    return _get_value(x)


def direction(param, grad, weight_decay, maximize):
    """The gradient to descend along: turned round where the objective is maximised, with the decay of `param` added."""
    if maximize:
        grad = -grad
    if isinstance(weight_decay, torch.Tensor) or weight_decay != 0:
        if getattr(weight_decay, "requires_grad", False):
            return grad.addcmul(param.clone(), weight_decay)
        grad = grad.add(param, alpha=addend(weight_decay, param))
    return grad


def decayed(param, grad, lr, weight_decay, maximize, decoupled):
    """:func:`direction`, or where the decay is decoupled: `param` shrunk in place, and the gradient without decay."""
    if not decoupled:
        return direction(param, grad, weight_decay, maximize)
    if weight_decay != 0:
        param.mul_(1 - lr * weight_decay)
    return -grad if maximize else grad


def zeros_like(param):
    """State of the shape, dtype, device and strides of `param`, zero."""
    return torch.zeros_like(param, memory_format=torch.preserve_format)


def counter(param, value=0.0, on_device=False, fused=False):
    """A tensor that counts steps: on the host, where reading it waits for nobody, unless the update runs on the device."""
    device = param.device if on_device else None
    return torch.full((), value, dtype=_get_scalar_dtype(fused), device=device)


def scaled_down(grads, grad_scale, found_inf):
    """Divide gradients by the loss scale, in place, as a fused step under :class:`torch.amp.GradScaler` does.

    Returns False where the scaler has found an infinity, in which case nothing is changed and there is nothing to do.
    """
    if found_inf is not None and found_inf.item():
        return False
    if grad_scale is not None:
        for grad in grads:
            grad.div_(grad_scale.to(grad.device))
    return True
