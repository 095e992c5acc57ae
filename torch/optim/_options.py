"""What the options of optimisers may be, and which of them exclude each other."""

import torch

# Where a step may read its own state without the host's knowing (a captured graph), and where a fused one exists.
CAPTURABLE_DEVICES = ["cuda", "xpu", "hpu", "privateuseone", "xla"]
FUSED_DEVICES = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]

# What an option means that a state dict of an older version lacks.
LATER = {
    "amsgrad": False,
    "capturable": False,
    "centered": False,
    "decoupled_weight_decay": False,
    "differentiable": False,
    "foreach": None,
    "fused": None,
    "maximize": False,
    "nesterov": False,
}


def _check_lr(lr):
    check_one_element(lr=lr)
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")


def _check_betas(betas):
    for i in range(2):
        if not 0.0 <= betas[i] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")


def _check_rho(rho):
    if not 0.0 <= rho <= 1.0:
        raise ValueError(f"Invalid rho value: {rho}")


def _check_etas(etas):
    if not 0.0 < etas[0] < 1.0 < etas[1]:
        raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")


_CHECKS = {"lr": _check_lr, "betas": _check_betas, "rho": _check_rho, "etas": _check_etas}


def check_options(**options):
    """Raise ValueError for the first option out of range: under 0, but for those that have a check of their own."""
    for name, value in options.items():
        if name in _CHECKS:
            _CHECKS[name](value)
        elif not 0.0 <= value:
            raise ValueError(f"Invalid {'epsilon' if name == 'eps' else name} value: {value}")


def check_one_element(**options):
    """Raise ValueError for an option that is a tensor of more elements than one, or of none."""
    for name, value in options.items():
        if isinstance(value, torch.Tensor) and value.numel() != 1:
            raise ValueError(f"Tensor {name} must be 1-element")


def check_least(least, **options):
    """Raise ValueError for an option under `least`. The name in the message is the keyword, with spaces for "__"."""
    for name, value in options.items():
        if not least <= value:
            raise ValueError(f"{name.replace('__', ' ')} should be >= {least:g} but is: {value}")


def refuse_complex(optimizer, params):
    """Raise RuntimeError for a complex parameter."""
    if any(param.is_complex() for param in params):
        raise RuntimeError(f"{type(optimizer).__name__} does not support complex parameters")


def check_exclusive(options):
    """Raise RuntimeError where ``fused`` meets an option that it excludes."""
    if options.get("fused"):
        if options["differentiable"]:
            raise RuntimeError("`fused` does not support `differentiable`")
        if options["foreach"]:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_fused_param(param):
    """Raise RuntimeError for a parameter that no fused update serves."""
    if not (param.device.type in FUSED_DEVICES and param.is_floating_point()):
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of "
            f"supported devices: {FUSED_DEVICES} but {param.dtype} and {param.device.type}"
        )


def check_capturable(params, *states, names="params and state_steps", foreach=False):
    """Raise AssertionError unless each parameter and its `states` are together on a device that captures graphs.

    With `foreach` such that lists are captured on.
    """
    devices = CAPTURABLE_DEVICES[:-1] if foreach else CAPTURABLE_DEVICES
    for param, *others in zip(params, *states):
        if param.device.type not in devices or any(x.device.type != param.device.type for x in others):
            raise AssertionError(f"If capturable=True, {names} must be on supported devices: {devices}.")


def check_steps(params, state_steps, capturable=False, foreach=False):
    """Raise RuntimeError unless the steps are counted in tensors; of `capturable` ones, see :func:`check_capturable`."""
    if not all(isinstance(step, torch.Tensor) for step in state_steps):
        raise RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors")
    if capturable:
        check_capturable(params, state_steps, foreach=foreach)
