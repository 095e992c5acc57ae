"""DispatchMode.cpp: THPP's table of calls through modes."""

from . import table

HEADER = """\
#include "dispatch_mode.h"

#include <THPP/Functions.h>

namespace thpp {

#define THROUGH(slot, name) \\
  .slot = Through<offsetof(Operators, slot) / sizeof(void *), static_cast<decltype(Operators::slot)>(&thpp::name)>::call,

const Operators kDispatch = {
"""


def rows(overloads, slots):
    """A row for each function that modes are asked about, in the order of the slots."""
    lines = [HEADER]
    for o in overloads:
        if o.derivative_kind in ("composite", "inner"):
            continue
        for slot, form, result, _ in table.forms(o, slots[o]):
            if form != "Out" and "Tensor" in result and "variant" not in result:
                name = o.cpp_name + ("_" if form == "InPlace" and o.outputs else "")
                lines.append(f"    THROUGH({slot}, {name})\n")
    lines.append("};\n\n}  // namespace thpp\n")
    return "".join(lines)
