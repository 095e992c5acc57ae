"""Signal processing: windows."""

from torch.signal import windows

__all__ = ["windows"]
