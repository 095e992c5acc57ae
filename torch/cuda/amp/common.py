"""Whether torch.cuda.amp can do anything."""

import torch

__all__ = ["amp_definitely_not_available"]


def amp_definitely_not_available():
    """True where there is no CUDA device."""
    return not torch.cuda.is_available()
