"""Subgraphs for the compiler Inductor."""

__all__ = ["regional_inductor_invoke_subgraph"]


def regional_inductor_invoke_subgraph(gm, *example_args):
    """NotImplementedError: there is no Inductor here."""
    raise NotImplementedError(
        "regional_inductor_invoke_subgraph: this torch has no compiler Inductor; the GraphModule runs as it is"
    )
