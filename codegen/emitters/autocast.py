"""Autocast.cpp: THPP's tables of casts."""

from ..autocast import DEVICES

HEADER = """\
#include "autocast.h"

#include <THPP/Functions.h>

namespace thpp {

#define ROW(kind, policy, slot, name) \\
  .slot = Row<kind, Cast::policy, decltype(Operators::slot)>::call<thpp::name>,
"""


def tables(overloads, slots):
    """One for each kind of device: rows of the operators that declare a policy, in the order of the slots."""
    made = [_table(kind, [(o, o.autocast[i]) for o in overloads], slots) for i, kind in enumerate(DEVICES)]
    return HEADER + "".join(made) + "\n}  // namespace thpp\n"


def _table(kind, found, slots):
    rows = "".join(f"    ROW(TH_{kind}, {policy}, {slots[o]}, {o.cpp_name})\n" for o, policy in found if policy)
    return f"\nconst Operators kAutocastOn{kind} = {{\n{rows}}};\n"
