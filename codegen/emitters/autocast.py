"""Autocast.cpp: THPP's table of casts."""

from ..autocast import policy
from .cpp import parameter

HEADER = """\
#include "autocast.h"

#include <THPP/Functions.h>

namespace thpp {

const Operators kAutocast = {
"""


def table(overloads, slots):
    """The rows of the operators that codegen/autocast.py lists, in the order of the slots."""
    return HEADER + "".join(_row(o, slots[o]) for o in overloads if policy(o.name)) + "};\n\n}  // namespace thpp\n"


def _row(o, slot):
    parameters = ", ".join(parameter(a, False) for a in o.cpp_parameters)
    names = [a.name for a in o.cpp_parameters]
    tensors = [a.name for a in o.cpp_parameters if "Tensor" in a.type.name]
    given = ", ".join(f"as({name})" if name in tensors else name for name in names)
    return (
        f"    .{slot} =\n        []({parameters}) {{\n"
        f"          const Casting as(Cast::{policy(o.name)}, {', '.join(tensors)});\n"
        f"          return thpp::{o.cpp_name}({given});\n        }},\n"
    )
