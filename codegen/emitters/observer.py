"""Observed.cpp: THPP's table of calls that an observer is told of."""

from . import table

HEADER = """\
#include "observer.h"

#include <THPP/Functions.h>

namespace thpp {

#define OBSERVED(slot, name) \\
  .slot = Observed<offsetof(Operators, slot) / sizeof(void *), static_cast<decltype(Operators::slot)>(&thpp::name)>::call,

const Operators kObserved = {
"""


def rows(overloads, slots):
    """A row for each function, in the order of the slots."""
    lines = [HEADER]
    for o in overloads:
        for slot, form, _, _ in table.forms(o, slots[o]):
            suffix = {"InPlace": "_" if o.outputs else "", "Out": "_out", "Functional": ""}[form]
            lines.append(f"    OBSERVED({slot}, {o.cpp_name}{suffix})\n")
    lines.append("};\n\n}  // namespace thpp\n")
    return "".join(lines)
