"""SparseRows.cpp: what operators are of sparse tensors, by the key `sparse`. sparse_bodies.h: the functions that it names."""

from . import table
from .cpp import glued, parameter, result_type

HEADER = """\
// What operators are of sparse tensors: functions of lib/THPP/src/sparse, made of operators that are recorded.
#pragma once

#include <THPP/Functions.h>

namespace thpp::sparse {

"""
ROWS = """\
#include "sparse_rows.h"

#include "sparse_bodies.h"

namespace thpp {

#define TYPE(slot) decltype(Operators::slot)
// An operator of values; LINEAR: before those of one place are added up.
#define VALUES(slot, name) .slot = sparse::Values<static_cast<TYPE(slot)>(&thpp::name), false>::call,
#define LINEAR(slot, name) .slot = sparse::Values<static_cast<TYPE(slot)>(&thpp::name), true>::call,
#define VALUES_(slot, name) .slot = sparse::ValuesInPlace<static_cast<TYPE(slot)>(&thpp::name), false>::call,
#define LINEAR_(slot, name) .slot = sparse::ValuesInPlace<static_cast<TYPE(slot)>(&thpp::name), true>::call,
// A function, and the other forms of an operator by it.
#define OWN(slot, name) .slot = static_cast<TYPE(slot)>(&sparse::name),
#define IN_PLACE(slot, of, name) .slot = sparse::InPlace<static_cast<TYPE(of)>(&sparse::name)>::call,
#define INTO(slot, of, name) .slot = sparse::Into<static_cast<TYPE(of)>(&sparse::name)>::call,
// The same, where it gives 0 of 0; an operator of two tensors.
#define ZERO(slot, name) .slot = sparse::Zero<static_cast<TYPE(slot)>(&thpp::name), #name>::call,
#define PAIR(slot, name) .slot = sparse::Pair<static_cast<TYPE(slot)>(&thpp::name), #name>::call,
#define ZERO_(slot, of, name) .slot = sparse::InPlace<sparse::Zero<static_cast<TYPE(of)>(&thpp::name), #name>::call>::call,
#define PAIR_(slot, of, name) .slot = sparse::InPlace<sparse::Pair<static_cast<TYPE(of)>(&thpp::name), #name>::call>::call,
#define ZERO_INTO(slot, of, name) .slot = sparse::Into<sparse::Zero<static_cast<TYPE(of)>(&thpp::name), #name>::call>::call,
#define PAIR_INTO(slot, of, name) .slot = sparse::Into<sparse::Pair<static_cast<TYPE(of)>(&thpp::name), #name>::call>::call,
#define VALUES_INTO(slot, of, name) .slot = sparse::Into<sparse::Values<static_cast<TYPE(of)>(&thpp::name), false>::call>::call,
#define LINEAR_INTO(slot, of, name) .slot = sparse::Into<sparse::Values<static_cast<TYPE(of)>(&thpp::name), true>::call>::call,

const Operators kSparse = {
"""
PARTS = """\
};

// Whose bodies run.
#define PARTS(slot) offsetof(Operators, slot) / sizeof(void *),
const SlotSet kSparseParts({
"""
WORDS = {"values": "VALUES", "linear": "LINEAR", "zero": "ZERO", "pair": "PAIR"}


def _is_body(o):
    return o.sparse == "parts" or (o.of_sparse and o.sparse is None)


def _is_named(o):
    return o.sparse is not None and o.sparse not in (*WORDS, "parts")


def header(overloads):
    found = {}
    for o in overloads:
        if _is_named(o):
            parameters = ", ".join(parameter(a, False) for a in o.cpp_parameters)
            found[f"{glued(result_type(o), o.sparse)}({parameters});\n"] = o
            if o.sparse_inplace:
                found[f"const Tensor &{o.sparse_inplace}({parameters});\n"] = o
    return "".join([HEADER, *sorted(found), "\n}  // namespace thpp::sparse\n"])


def table_of(overloads, slots):
    """The text of SparseRows.cpp."""
    rows, parts = [], []
    for o in overloads:
        forms = list(table.forms(o, slots[o]))
        if _is_body(o):
            parts += [f"    PARTS({slot})\n" for slot, *_ in forms]
        elif o.sparse:
            rows += _rows(o, forms)
    return "".join([ROWS, *rows, PARTS, *parts, "});\n\n}  // namespace thpp\n"])


def _rows(o, forms):
    word, first = WORDS.get(o.sparse), forms[0][0]
    for slot, form, *_ in forms:
        in_place = form == "InPlace"
        if word and form == "Out":
            yield f"    {word}_INTO({slot}, {first}, {o.cpp_name})\n"
        elif word in ("ZERO", "PAIR") and in_place:
            yield f"    {word}_({slot}, {first}, {o.cpp_name})\n"
        elif word:
            name = f"{o.cpp_name}_" if in_place and o.outputs else o.cpp_name
            yield f"    {word}{'_' * in_place}({slot}, {name})\n"
        elif slot == first:
            yield f"    OWN({slot}, {o.sparse})\n"
        elif form == "InPlace" and o.sparse_inplace:
            yield f"    OWN({slot}, {o.sparse_inplace})\n"
        else:
            yield f"    {'IN_PLACE' if in_place else 'INTO'}({slot}, {first}, {o.sparse})\n"
