"""Local response normalisation."""

from torch.nn._functions.normalization import CrossMapLRN2d

__all__ = ["CrossMapLRN2d"]
