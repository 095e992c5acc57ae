"""Rows.h: a row for each function of an operator, in the order of the slots; and the tables that are made of it,
DispatchMode.cpp (calls through modes) and Observed.cpp (calls that an observer is told of)."""

from . import table

ROWS = """\
// A row for each overload, by the forms that it has: ONE of them, WITH_OUT, ALL. AT: a slot that is not called as its
// function. UNASKED: those that modes are not asked about.
"""

DISPATCH = """\
#include "dispatch_mode.h"

#include <THPP/Functions.h>

namespace thpp {

// Modes are not asked about functions with out=.
#define ROW(slot, name) \\
  .slot = Through<offsetof(Operators, slot) / sizeof(void *), static_cast<decltype(Operators::slot)>(&thpp::name)>::call,
#define ONE_AT(slot, name) ROW(slot, name)
#define WITH_OUT_AT(slot, name) ROW(slot, name)
#define ALL_AT(slot, name) ROW(slot, name) ROW(slot##_, name##_)
#define UNASKED_ONE_AT(slot, name)
#define UNASKED_WITH_OUT_AT(slot, name)
#define UNASKED_ALL_AT(slot, name)
"""
OBSERVED = """\
#include "observer.h"

#include <THPP/Functions.h>

namespace thpp {

#define ROW(slot, name) \\
  .slot = Observed<offsetof(Operators, slot) / sizeof(void *), static_cast<decltype(Operators::slot)>(&thpp::name)>::call,
#define ONE_AT(slot, name) ROW(slot, name)
#define WITH_OUT_AT(slot, name) ROW(slot, name) ROW(slot##_out, name##_out)
#define ALL_AT(slot, name) ROW(slot, name) ROW(slot##_, name##_) ROW(slot##_out, name##_out)
#define UNASKED_ONE_AT ONE_AT
#define UNASKED_WITH_OUT_AT WITH_OUT_AT
#define UNASKED_ALL_AT ALL_AT
"""
SHORT = "".join(
    f"#define {kind}(name) {kind}_AT(name, name)\n"
    for kind in ("ONE", "WITH_OUT", "ALL", "UNASKED_ONE", "UNASKED_WITH_OUT", "UNASKED_ALL")
)
TABLE = """\

const Operators {name} = {{
#include "Rows.h"
}};

}}  // namespace thpp
"""


def files(overloads, slots):
    """{name: text}"""
    return {
        "Rows.h": ROWS + "".join(_row(o, slots[o]) for o in overloads),
        "DispatchMode.cpp": DISPATCH + SHORT + TABLE.format(name="kDispatch"),
        "Observed.cpp": OBSERVED + SHORT + TABLE.format(name="kObserved"),
    }


def _row(o, slot):
    forms = list(table.forms(o, slot))
    kind = {1: "ONE", 2: "WITH_OUT", 3: "ALL"}[len(forms)]
    if not _is_asked(o, forms[0][2]):
        kind = f"UNASKED_{kind}"
    return f"{kind}({slot})\n" if slot == o.cpp_name else f"{kind}_AT({slot}, {o.cpp_name})\n"


def _is_asked(o, result):
    """Whether modes are asked: about what computes tensors, but for composites, whose parts they see."""
    return o.derivative_kind not in ("composite", "inner") and "Tensor" in result and "variant" not in result
