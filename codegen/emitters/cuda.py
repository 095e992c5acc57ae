"""rows.cpp: fills the slots of THPP/Kernels.h with what THC.h, THCUNN.h and THCS.h declare; _THCUNN.cpp: the extension
module over the second; coverage-cuda.md: how many rows there are of each kernel.

Of their functions the names are known (THC_LIKE): the compiler compares their types with the slots'.
"""

from ..model import DTYPES
from ..output import write
from . import NOTE, kernels, nn as nn_emitter

# Of the libraries that have kernels.
HEADERS = ("THC/THC.h", "THCUNN/THCUNN.h", "THCS/THCS.h")
HEADER = """\
#include <THC/THC.h>
#include <THCS/THCS.h>
#include <THCUNN/THCUNN.h>

#include "rows.h"

// The rows of a kernel, by the end of its functions' names. Some dtypes are computed by the kernels of others.
"""


def name_of(before, dtype, after):
    """A kernel's C function: TH's float names have no dtype on CUDA, as ever; those of sparse tensors are THCS's."""
    if before == "THS":
        return f"THCS{dtype}{after}"
    return f"{before}Cuda{'' if dtype == 'Float' else dtype}{after}"


def slots(overloads):
    """{slot: (before, after, {dtype: that of the kernel that serves it})} of kernels; {slot: THC's name} of the rest."""
    by_dtype = {}
    for o in overloads:
        if o.kernel:
            by_dtype.setdefault(o.row, (*o.symbol, {}))[2].update(o.computed_as)
    whole = {o.cname: o.cname.replace("TH", "THC", 1) for o in overloads if kernels.has_slot(o)} | kernels.OF_LISTS
    return dict(sorted(by_dtype.items())), dict(sorted(whole.items()))


def rows(by_dtype, whole, declared):
    """What of them `declared`, the functions of those headers, has: {slot: (before, after, served)}, {slot: name}."""
    found = {}
    for slot, (before, after, served) in by_dtype.items():
        there = {d: served[d] for d in DTYPES if d in served and name_of(before, served[d], after) in declared}
        if there:
            found[slot] = (before, after, there)
    return found, {slot: name for slot, name in whole.items() if name in declared}


def unused(by_dtype, whole, nn, declared):
    """Kernels of those headers that no slot takes, nor torch._thnn: such as are called by other libraries alone."""
    wanted = {name_of(before, d, after) for before, after, served in by_dtype.values() for d in served.values()}
    wanted |= set(whole.values()) | _functions_of(nn)
    kernels_of = ("THCuda", "THCTensor_", "THNN_Cuda", "THCSTensor_", *(f"THCS{d}Tensor_" for d in DTYPES))
    return sorted(n for n in declared if n not in wanted and n.startswith(kernels_of))


def _functions_of(nn):
    """The names that THNN's functions have on CUDA."""
    return {name_of("THNN_", d, module) for module, dtypes in nn.items() for d in dtypes}


def source(found, whole):
    """The text of rows.cpp."""
    lists = {}
    for before, _, served in found.values():
        lists.setdefault((before, tuple(served.items())), f"ROWS_{len(lists)}")
    lines = [NOTE.format(target="cuda"), HEADER]
    for (before, served), macro in lists.items():
        entries = (f"  kernels.slot[TH_{d}] = {name_of(before, as_, '##name')};" for d, as_ in served)
        lines.append(f"#define {macro}(slot, name) \\\n" + " \\\n".join(entries) + "\n")
    lines.append("\nnamespace torch::cuda {\n\nvoid fill(thpp::Kernels &kernels) {\n")
    for slot, (before, after, served) in found.items():
        lines.append(f"  {lists[before, tuple(served.items())]}({slot}, {after})\n")
    lines += [f"  kernels.{slot} = {name};\n" for slot, name in whole.items()]
    return "".join([*lines, "}\n\n}  // namespace torch::cuda\n"])


def emit(overloads, nn, declared, out):
    """Writes rows.cpp and _THCUNN.cpp below `out`. `nn`: THNN's functions (nn.declarations); `declared`: the names of
    the headers' own functions."""
    write(out / "rows.cpp", source(*rows(*slots(overloads), declared)))
    there = {
        module: {d: o for d, o in dtypes.items() if name_of("THNN_", d, module) in declared}
        for module, dtypes in sorted(nn.items())
    }
    there = {module: dtypes for module, dtypes in there.items() if dtypes}
    nn_emitter.emit_cuda(there, lambda d, module: name_of("", d, module), out)


PAGE = """\
# Coverage on CUDA

Kernels of the declarations, and for how many of their dtypes `THC.h`, `THCUNN.h` or `THCS.h` declares one. Where there is none, the
declaration's fallback is called, a composition of operators; what has no fallback raises by name. All of torch.nn has them,
and so have both orders of its gradients (`tests/nn/test_nn_cuda.py`; exceptions stand in `tests/nn/cuda_differs.toml`).
Composites and views need no kernel. Written by `python -m codegen cuda-coverage --out docs`.

{count} rows of {all}. Of {kernels} kernels {full} have all of theirs, {some} some, {none} none. Of the {named} functions of
THNN that no operator calls, which torch._thnn has under their names of 2017, `THCUNN.h` has {bound}.

| kernel | operators | rows | missing |
|---|---|---|---|
"""


def coverage(overloads, nn, declared):
    """The text of coverage-cuda.md."""
    by_dtype, whole = slots(overloads)
    named = {module: dtypes for module, dtypes in nn.items() if module not in by_dtype}
    found, there = rows(by_dtype, whole, declared)
    operators = {}
    for o in overloads:
        operators.setdefault(o.row if o.kernel else o.cname, set()).add(o.name)
    operators |= {slot: {"torch.optim"} for slot in kernels.OF_LISTS}
    wanted = {slot: tuple(served) for slot, (*_, served) in by_dtype.items()} | dict.fromkeys(whole, ("all",))
    has = {slot: set(served) for slot, (*_, served) in found.items()} | {slot: {"all"} for slot in there}
    lines = []
    for slot, dtypes in sorted(wanted.items()):
        missing = [d for d in dtypes if d not in has.get(slot, ())]
        names = ", ".join(f"`{name}`" for name in sorted(operators.get(slot, ())))
        lacks = "all" if len(missing) == len(dtypes) else ", ".join(missing)
        lines.append(
            f"| `{slot}` | {names} | {len(dtypes) - len(missing)} of {len(dtypes)} | {lacks}{' ' * bool(lacks)}|\n"
        )
    full = sum(set(dtypes) <= has.get(slot, set()) for slot, dtypes in wanted.items())
    page = PAGE.format(
        count=sum(map(len, has.values())),
        all=sum(map(len, wanted.values())),
        kernels=len(wanted),
        full=full,
        some=len(has) - full,
        none=len(wanted) - len(has),
        named=len(_functions_of(named)),
        bound=len(_functions_of(named) & set(declared)),
    )
    idle = unused(by_dtype, whole, nn, declared)
    if idle:
        lines.append(f"\nDeclared, and called by no operator: {', '.join(f'`{name}`' for name in idle)}.\n")
    return "".join([page, *lines])


def emit_coverage(overloads, nn, declared, out):
    write(out / "coverage-cuda.md", coverage(overloads, nn, declared))
