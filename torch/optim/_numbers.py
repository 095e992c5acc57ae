"""Numbers that may be tensors of one element, and what the options of optimisers mean on a device."""

import torch

# Where a step may read its own state without the host's knowing (a captured graph), and where a fused one exists.
CAPTURABLE_DEVICES = ["cuda", "xpu", "hpu", "privateuseone", "xla"]
FUSED_DEVICES = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def _get_value(x):
    """The number in a tensor of one element; a number itself is returned as it is."""
    return x.item() if isinstance(x, torch.Tensor) else x


def _to_scalar(x):
    """A tensor of one element without dimensions; a number itself is returned as it is."""
    return x.squeeze() if isinstance(x, torch.Tensor) and x.dim() else x


def kept(x):
    """A tensor of one element that gradients flow to, as it is; any other as its number."""
    return x if getattr(x, "requires_grad", False) else _get_value(x)


def _get_scalar_dtype(is_fused=None):
    """The dtype in which steps are counted."""
    return torch.float64 if not is_fused and torch.get_default_dtype() == torch.float64 else torch.float32


def _view_as_real(params, *states):
    """Replace complex tensors in lists by views of their real and imaginary parts, where the parameter is complex."""
    for i, param in enumerate(params):
        if torch.is_complex(param):
            params[i] = torch.view_as_real(param)
            for column in states:
                column[i] = torch.view_as_real(column[i])


def _default_to_fused_or_foreach(params, differentiable, use_fused=False):
    """``(fused, foreach)`` where the user says neither: one loop serves both here, so neither is preferred."""
    return False, False


def are_numbers(*values):
    """Whether none is a tensor: then one loop in C++ may take a step over whole lists (csrc/python/optimizers.cpp), with
    the bits of the rule that it stands for. It returns False, and has changed nothing, for lists that it does not take:
    of complex or half types, or of tensors with gaps, on other devices or with types of their own."""
    return all(isinstance(value, (int, float)) for value in values)


def real(param, *others):
    """`param` and `others` (None passes) as they are, or if `param` is complex as views of real and imaginary parts."""
    if not param.is_complex():
        return (param, *others)
    return tuple(x if x is None else torch.view_as_real(x) for x in (param, *others))


def direction(param, grad, weight_decay, maximize):
    """The gradient to descend along: turned round where the objective is maximised, with the decay of `param` added."""
    if maximize:
        grad = -grad
    if isinstance(weight_decay, torch.Tensor) or weight_decay != 0:
        if getattr(weight_decay, "requires_grad", False):
            return grad.addcmul(param.clone(), weight_decay)
        grad = grad.add(param, alpha=_get_value(weight_decay))
    return grad


def zeros_like(param):
    """State of the shape, dtype, device and strides of `param`, zero."""
    return torch.zeros_like(param, memory_format=torch.preserve_format)


def counter(param, value=0.0, on_device=False, fused=False):
    """A tensor that counts steps: on the host, where reading it waits for nobody, unless the update runs on the device."""
    device = param.device if on_device else None
    return torch.full((), value, dtype=_get_scalar_dtype(fused), device=device)


# Checks of options


def check_lr(lr):
    """Raise ValueError unless `lr` is a number of at least 0, or a tensor of one."""
    if isinstance(lr, torch.Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")


def check_not_negative(**options):
    """Raise ValueError for an option under 0. The name in the message is the keyword, with spaces for '__'."""
    for name, value in options.items():
        if not 0.0 <= value:
            raise ValueError(f"Invalid {name.replace('__', ' ')} value: {value}")


def check_betas(betas):
    """Raise ValueError for a coefficient of a running average that is not in [0, 1)."""
    for i in range(2):
        if not 0.0 <= betas[i] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")


def check_fused(fused, foreach, differentiable):
    """Raise RuntimeError where `fused` meets an option that it excludes."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_fused_param(param):
    """Raise RuntimeError for a parameter that no fused update serves."""
    if not (param.device.type in FUSED_DEVICES and param.is_floating_point()):
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of "
            f"supported devices: {FUSED_DEVICES} but {param.dtype} and {param.device.type}"
        )


def check_capturable(params, *states, names="params and state_steps", devices=CAPTURABLE_DEVICES):
    """Raise AssertionError unless each parameter and its `states` are together on a device that captures graphs."""
    for param, *others in zip(params, *states):
        if param.device.type not in devices or any(x.device.type != param.device.type for x in others):
            raise AssertionError(f"If capturable=True, {names} must be on supported devices: {devices}.")


def check_steps(state_steps):
    """Raise RuntimeError unless the steps are counted in tensors."""
    if not all(isinstance(step, torch.Tensor) for step in state_steps):
        raise RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors")


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
