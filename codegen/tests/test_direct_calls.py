"""Tensors are read and written through the guarded functions of thpp, which record and dispatch. Calls of TH beside them
are listed here with their reasons: a line too many is a failure as one too few."""

import re

from conftest import ROOT

# Look at a tensor's own numbers or hold it, never at elements.
QUESTIONS = frozenset(
    "bumpVersion checkDistinct checkIndex checkPointwise data denseStrides free isContiguous isSameSizeAs isSetTo overlaps overlapsItself retain size stride version".split()
)

ALLOCATES = "makes the tensor that it then fills"
WRAPS = "memory that is there already becomes a tensor, before anybody can record it"
READS = "one element for the host, which nothing can record"
MEMBERS = "members of sparse tensors, which are recorded as values are"
LEAF = "the kernel of this operator alone, called by its body"

LISTED = {
    "csrc/extension/torch/factories.h": {"newWithStorage": WRAPS},
    "csrc/extension/torch/tensor.h": {"item": READS},
    "csrc/python/storage/buffer.cpp": {"newWithStorage": WRAPS},
    "csrc/python/tensor/construct.cpp": {"newWithSizeOn": ALLOCATES},
    "csrc/python/storage/dlpack.cpp": {"newWithStorage": WRAPS},
    "csrc/python/values/generator.cpp": {"newContiguous": READS, "newWithSize": ALLOCATES},
    "csrc/python/storage/numpy_bridge.cpp": {"newWithStorage": WRAPS},
    "csrc/python/storage/storage.cpp": {"newWithStorage": WRAPS},
    "csrc/python/storage/functions.cpp": {"newWithStorage": WRAPS},
    "csrc/python/tensor/life.cpp": {"new": "an object for the collector to learn from"},
    "csrc/python/tensor/properties.cpp": {"setData": "x.data = y is no operator: nothing records it"},
    "csrc/python/tensor/type.cpp": {"newWithSizeOn": ALLOCATES},
    "lib/THPP/include/THPP/Tensor.h": {"item": READS},
    "lib/THPP/src/shape/assembling.cpp": {"newWithSize": ALLOCATES},
    "lib/THPP/src/creation/creation.cpp": {
        "newWithSizeOn": ALLOCATES,
        "newWithStorage": ALLOCATES,
        "resize": ALLOCATES,
    },
    "lib/THPP/src/kit/dispatch.cpp": {
        "newExpand": "an operand of a kernel, below the guard",
        "newWithSizeOn": "the result of a kernel, below the guard",
    },
    "lib/THPP/src/kit/dispatch.h": {"new": "the result of a kernel, below the guard"},
    "lib/THPP/src/elementwise/arithmetic.cpp": {"newWithScalar": ALLOCATES},
    "lib/THPP/src/nn/normalization.cpp": {"set": "a statistic of the call itself, below the guard"},
    "lib/THPP/src/kit/promote.cpp": {"newWithScalar": "a Python number, which is a value of the host"},
    "lib/THPP/src/shape/repeating.cpp": {"newWithSize": ALLOCATES, "newWithSizeOn": ALLOCATES},
    "lib/THPP/src/shape/scattering.cpp": {"newWithStorage": ALLOCATES},
    "lib/THPP/src/sparse/sparse_convert.cpp": dict.fromkeys("checkBounds checkCoordinates".split(), MEMBERS),
    "lib/THPP/src/sparse/sparse_members.cpp": dict.fromkeys(
        "checkCoordinates isChecking members newCompressed newWithTensorAndSize setChecking".split(), MEMBERS
    ),
    "lib/THPP/src/sparse/sparse_reduce.cpp": {"checkBounds": MEMBERS},
    "lib/THPP/src/sparse/sparse.h": dict.fromkeys("checkBounds members".split(), MEMBERS),
    "lib/THPP/src/shape/structure.cpp": dict.fromkeys("newAsStrided newSqueeze1d newUnsqueeze1d".split(), LEAF),
}


def calls(text):
    """The functions of TH's tensors in C++, without the questions."""
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', re.sub(r"//.*", "", text))
    return set(re.findall(r"\bTH(?:[A-Z]\w*|##Name##)?Tensor_(?:##)?(\w+)", text)) - QUESTIONS


def test_what_counts_as_a_call():
    text = """
        THTensor_copy(a, b); THFloatTensor_add(a, b);  // THTensor_fill
        THTensor_size(a, 0); f("THTensor_zero");
    """
    assert calls(text) == {"copy", "add"}


def test_direct_calls_have_a_reason():
    found = {}
    for folder in ("csrc", "lib/THPP/include", "lib/THPP/src"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".cpp", ".h", ".hpp") and (called := calls(path.read_text())):
                found[str(path.relative_to(ROOT))] = called
    listed = {path: set(names) for path, names in LISTED.items()}
    new = {path: names - listed.get(path, set()) for path, names in found.items() if names - listed.get(path, set())}
    gone = {path: names - found.get(path, set()) for path, names in listed.items() if names - found.get(path, set())}
    assert not new, f"call thpp instead, or give a reason: {new}"
    assert not gone, f"no longer called, so their lines go: {gone}"


def test_bodies_call_operators_by_qualified_names():
    """Within `T body::f(…)` a bare name that is a body's would be that body, and no guard would stand before it."""
    bodies, bare = set(), []
    texts = {path: path.read_text() for path in sorted((ROOT / "lib/THPP/src").rglob("*.cpp"))}
    for text in texts.values():
        bodies |= set(re.findall(r"^[A-Za-z].*?\bbody::(\w+)\(", text, re.MULTILINE))
    assert len(bodies) > 300
    for path, text in texts.items():
        code = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', re.sub(r"//.*", "", text))
        for name in re.findall(r"(?:return|=|\() ?(?<![\w.:>])(\w+_out|\w+_)\(", code):
            if name in bodies:
                bare.append(f"{path.name}: {name}")
    assert not bare, f"write thpp:: before: {bare}"
