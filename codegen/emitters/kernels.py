"""THPP/Kernels.h: one typed slot per kernel, for libraries that bring another backend."""

HEADER = """\
// A slot for each kernel, by the type of the CPU's: TH's, one per dtype where there is one, THNN's and THS's (THPP/Backend.h).
#pragma once

#include <TH/TH.h>
#include <THNN/THNN.h>
#include <THS/THS.h>

#include <THPP/Tensor.h>

namespace thpp {

#define THPP_BY_DTYPE(name, function) decltype(function) *name[TH_NUM_DTYPES];
#define THPP_FOR_ALL(name) decltype(::name) *name;

struct Kernels {
"""


# Functions of TH that look at no element: they need no slot, and serve every backend. So do all that make views.
GEOMETRY = frozenset(f"THTensor_{name}" for name in ("isSameSizeAs", "isSetTo", "resize", "resizeAs", "set")) | {
    f"THSTensor_{name}" for name in ("isCoalesced", "nDimensionI", "nDimensionV", "nnz", "set", "setCoalesced")
}


# What no declaration calls: {a function of THNN over lists: its name on CUDA}. lib/THPP/src calls them.
OF_LISTS = {"THNNOptimizer_steps": "THNN_CudaOptimizer_steps"}


def has_slot(overload):
    """Whether its C function may look at elements."""
    name = overload.cname
    if overload.composite or overload.kernel or name in GEOMETRY:
        return False
    return not name.startswith(("THTensor_new", "THSTensor_new"))


def header(overloads):
    by_dtype = {o.row: o.types[0].join(o.symbol) for o in overloads if o.kernel}
    lines = [f"  THPP_BY_DTYPE({name}, {function})\n" for name, function in sorted(by_dtype.items())]
    lines += [f"  THPP_FOR_ALL({name})\n" for name in sorted({o.cname for o in overloads if has_slot(o)} | {*OF_LISTS})]
    return "".join([HEADER, *lines, "};\n\n#undef THPP_BY_DTYPE\n#undef THPP_FOR_ALL\n\n}  // namespace thpp\n"])
