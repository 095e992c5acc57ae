"""torch.cpu.amp.autocast."""

import warnings

import torch

__all__ = ["autocast"]


class autocast(torch.amp.autocast_mode.autocast):  # noqa: N801 - torch's name
    """``torch.amp.autocast("cpu", …)``, with a FutureWarning."""

    def __init__(self, enabled=True, dtype=torch.bfloat16, cache_enabled=True):
        warnings.warn(
            "`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', args...)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__("cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)
