"""The profiler's older name."""

import warnings

from torch.autograd import profiler

__all__ = ["profile"]


class profile(profiler.profile):  # noqa: N801 - torch's name
    """torch.autograd.profiler.profile, with a warning that says so."""

    def __init__(self, enabled=True, *, use_cuda=False, **options):
        warnings.warn(
            "`torch.autograd.profiler_legacy.profile` is deprecated and will be removed in a future release. Please use "
            "`torch.profiler` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(enabled, use_cuda=use_cuda, **options)
