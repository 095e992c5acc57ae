"""Types of values in the middle of a program."""

from torch.fx.proxy import Proxy

__all__ = ["annotate"]


def annotate(val, type):  # noqa: A002 - torch's name
    """`val`; while a program is recorded, with this type on its node. RuntimeError if it has another one already."""
    if isinstance(val, Proxy):
        if val.node.type:
            raise RuntimeError(
                f"Tried to annotate a value that already had a type on it! Existing type is {val.node.type} and new type "
                f"is {type}. This could happen if you tried to annotate a function parameter value (in which case you "
                "should use the type slot on the function signature) or you called annotate on the same value twice"
            )
        val.node.type = type
    return val
