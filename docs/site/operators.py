"""What the declarations know of an operator: its forms with their signatures, the dtypes, the C++ function."""

import re

from codegen.emitters.docs import signature
from codegen.emitters.python import is_function, is_method, operator_names
from codegen.model import place


def dtype_names(header):
    """{"Float": "float32", …} out of the text of TH/THDtype.h."""
    return dict(re.findall(r'^ *X\((\w+), [^,]+, \w+, \w+, "(\w+)"', header, re.MULTILINE))


def public_name(name):
    """Where users find it, without "torch."; None for what is no part of the interface."""
    path = place(name)
    return None if path.startswith("_") and not path.startswith("__") else path


def forms(overloads):
    """{name as users write it: [(overload, in place?, method?)]}, the operator's own name before its aliases."""
    found = {}
    for name, entries in operator_names({"": overloads}).items():
        if public_name(name) is None:
            continue
        for o, inplace in entries:
            if is_function(o, inplace):
                found.setdefault(f"torch.{public_name(name)}", []).append((o, inplace, False))
            if is_method(o, inplace):
                found.setdefault(f"torch.Tensor.{name}", []).append((o, inplace, True))
    return found


def signatures(path, entries):
    """One for each overload, the same text once."""
    word = path.rpartition(".")[2]
    return list(dict.fromkeys(signature(o, word, method, inplace) for o, inplace, method in entries))


def facts(overloads, dtypes):
    """(what, text) for the list below an operator's description."""
    kinds = sorted({dtype for o in overloads for dtype in o.computed_as}, key=list(dtypes).index)
    if kinds:
        yield "dtypes", ", ".join(dtypes[kind] for kind in kinds)
    if any("out" in o.variants for o in overloads):
        yield "out=", "the result may be given"
    tensors = [a for a in overloads[0].arguments if a.type.python == "Tensor" and not a.output]
    if len(tensors) > 1 and overloads[0].kernel and (overloads[0].dtype or "").startswith(("promote", "bool")):
        yield "shapes", "the operands are broadcast"
    if any(o.view for o in overloads):
        yield "memory", "the result is a view of the argument's"
    yield "gradient", gradient(overloads)
    if not overloads[0].in_python and not overloads[0].name.startswith("_"):
        variants = {v for o in overloads for v in o.variants}
        places = [p for variant, p in (("function", "torch::"), ("method", "torch::Tensor::")) if variant in variants]
        yield "C++", ", ".join(f"``{p}{overloads[0].name}``" for p in places)


def gradient(overloads):
    """In a word or two; "" for what gives nothing that could be differentiated."""
    for o in overloads:
        if o.derivative:
            return (
                "none" + f": {o.derivative.reason}" * bool(o.derivative.reason)
                if o.derivative.kind == "none"
                else "yes"
            )
    return ""
