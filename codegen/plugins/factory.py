from ..model import Argument
from ..types import TYPES


class Factory:
    """`factory: True`: torch's keywords for a tensor made from nothing. C++ sees `device` alone, as its last parameter."""

    KEYWORDS = (
        ("Layout", "layout", "None"),
        ("Device", "device", "None"),
        ("PyBool", "pin_memory", "False"),
        ("RequiresGrad", "requires_grad", "False"),
    )

    def refine(self, overload):
        if not overload.factory:
            return overload
        extra = tuple(
            Argument(name, TYPES[type], default=default, kwarg_only=True, nullable=True)
            for type, name, default in self.KEYWORDS
        )
        return overload.replace(arguments=overload.arguments + extra, python=overload.python + extra)
