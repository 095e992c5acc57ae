"""The older names of what torch.amp has for every device."""

from torch.cuda.amp.autocast_mode import autocast, custom_bwd, custom_fwd
from torch.cuda.amp.common import amp_definitely_not_available
from torch.cuda.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "amp_definitely_not_available", "autocast", "custom_bwd", "custom_fwd"]
