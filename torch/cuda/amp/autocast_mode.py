"""torch.cuda.amp.autocast."""

import warnings

import torch

__all__ = ["autocast", "custom_bwd", "custom_fwd"]


class autocast(torch.amp.autocast_mode.autocast):  # noqa: N801 - torch's name
    """``torch.amp.autocast("cuda", …)``, with a FutureWarning."""

    def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
        warnings.warn(
            "`torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


def _warn(name):
    warnings.warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}(args..., device_type='cuda')` "
        "instead.",
        FutureWarning,
        stacklevel=3,
    )


def custom_fwd(fwd=None, *, cast_inputs=None):
    """``torch.amp.custom_fwd(fwd, device_type="cuda", …)``, with a FutureWarning."""
    _warn("custom_fwd")
    return torch.amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """``torch.amp.custom_bwd(bwd, device_type="cuda")``, with a FutureWarning."""
    _warn("custom_bwd")
    return torch.amp.custom_bwd(bwd, device_type="cuda")
