"""The older names of what torch.amp has for every device."""

from torch.cpu.amp.autocast_mode import autocast
from torch.cpu.amp.grad_scaler import GradScaler
