"""slots-<backend>.json: the C functions in the rows of THPP/Kernels.h, for what counts their calls (tests/slots)."""

import json

from ..output import write
from . import cuda

ALL = "all"  # in the place of a dtype: of a function that serves them all


def of_cpu(overloads):
    """{slot: {C function: the dtype that it computes in}}"""
    by_dtype, whole = cuda.slots(overloads)
    rows = {
        slot: {before + d + after: d for d in served.values()} for slot, (before, after, served) in by_dtype.items()
    }
    return rows | {slot: {slot: ALL} for slot in whole}


def of_cuda(overloads, declared):
    """The same of the rows that THC, THCUNN and THCS fill, whose headers have `declared`."""
    found, whole = cuda.rows(*cuda.slots(overloads), declared)
    rows = {
        slot: {cuda.name_of(before, d, after): d for d in served.values()}
        for slot, (before, after, served) in found.items()
    }
    return rows | {slot: {name: ALL} for slot, name in whole.items()}


def emit(backend, library, slots, out):
    """`library`: whose memory holds the rows."""
    lines = ",\n".join(f"    {json.dumps(slot)}: {json.dumps(slots[slot])}" for slot in sorted(slots))
    head = f'{{\n  "backend": {json.dumps(backend)},\n  "library": {json.dumps(library)},\n  "slots": {{\n'
    write(out / f"slots-{backend}.json", f"{head}{lines}\n  }}\n}}\n")
