"""Hooks that show what something costs."""

from __future__ import annotations

import torch

__all__ = ["noop_hook"]


def noop_hook(_, bucket):
    """Sends nothing: each rank keeps its own gradients."""
    future = torch.futures.Future()
    future.set_result(bucket.buffer())
    return future
