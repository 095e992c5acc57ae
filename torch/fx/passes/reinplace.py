"""Operators that write in place of those that make new tensors."""

__all__ = ["reinplace"]


def reinplace(gm, *sample_args):
    """NotImplementedError: graphs of this torch hold functions and methods, not the operators of a dispatcher whose
    schemas would say which of their results are views."""
    raise NotImplementedError(
        "torch.fx.passes.reinplace needs graphs of functional ATen operators, which make_fx records; this torch has no "
        "make_fx (torch.fx.symbolic_trace records functions and methods)"
    )
