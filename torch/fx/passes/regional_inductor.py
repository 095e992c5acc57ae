"""Parts of a graph for the compiler Inductor."""

__all__ = ["regional_inductor"]


def regional_inductor(gm, *example_args):
    """NotImplementedError: there is no Inductor here."""
    raise NotImplementedError("regional_inductor: this torch has no compiler Inductor; the GraphModule runs as it is")
