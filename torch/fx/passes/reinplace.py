"""Operators that write in place of those that make new tensors."""

__all__ = ["reinplace"]


def reinplace(gm, *sample_args):
    """NotImplementedError: this torch has no such pass."""
    raise NotImplementedError(
        "torch.fx.passes.reinplace: nothing here finds out which tensors of a graph may be written; it runs as it is"
    )
