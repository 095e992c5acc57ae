"""A loss of logits whose classes are on several ranks."""

from __future__ import annotations

import contextlib

from torch._absent import rest_of

__all__ = ["loss_parallel"]


@contextlib.contextmanager
def loss_parallel():
    """A block whose cross_entropy() of a DTensor that is split along its classes does not gather it. So it is here outside
    of such a block, too: this is PyTorch's name."""
    yield


__getattr__, __dir__ = rest_of(__name__)
