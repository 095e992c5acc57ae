"""Warnings for programs that were written for PyTorch 0.1, where two things were otherwise:

broadcast_warning  operands of different shapes and equally many elements were taken as if both had one dimension;
                   now they are broadcast
keepdim_warning    reductions along a dimension kept it, of size 1, unless keepdim=False was said; now they drop it

    torch.utils.backcompat.broadcast_warning.enabled = True

says so, with a UserWarning, wherever this thread calls a function whose answer has changed by it. As long as both are
off, which they are at first, nothing is slower for them.
"""

from ._watch import Warning, broadcast_warning, keepdim_warning

__all__ = ["Warning", "broadcast_warning", "keepdim_warning"]
