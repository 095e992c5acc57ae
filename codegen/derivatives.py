"""Whether every operator that can give a floating result says how it is differentiated."""

from .emitters.cpp import once
from .errors import DeclarationError


def check(operators):
    """Raises at the first function that does not say. A key without formulas, which nix/ has cut off, says enough."""
    for o in once([o for name in sorted(operators) for o in operators[name] if not o.in_python]):
        if not o.says_derivative and o.derivative_kind != "none":
            raise DeclarationError(
                o.where,
                f"{o.name}: key 'derivative' is missing: a formula per input, `composite`, `inner`, or `none (why)`",
            )
