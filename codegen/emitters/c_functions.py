"""The C functions that declarations name: whether the headers have them, with the parameters that a declaration hands over."""

from ..errors import DeclarationError
from ..headers import Parameter


def names(overload):
    """The C functions that the overload calls."""
    if overload.composite:
        return ()
    if not overload.kernel:
        return (overload.cname,)
    before, after = overload.symbol
    return tuple(before + dtype + after for dtype in dict.fromkeys((*overload.types, *overload.computed_as.values())))


def check(overloads, functions):
    """Every cname must exist for each dtype listed, and take what the declaration hands it."""
    for o in overloads:
        for name in names(o):
            _check_parameters(o, _declared(o, name, functions))


def _declared(overload, name, functions):
    if name not in functions:
        others = sorted(f for f in functions if f.endswith(name[name.rindex("_") :]))
        raise DeclarationError(
            overload.where,
            f"{overload.name}: no header declares '{name}'; declared: {', '.join(others) or 'no such name'}",
        )
    return functions[name]


def _check_parameters(overload, function):
    expected = ["THNNState*"] if overload.module else []
    for a in overload.arguments:
        if a.constant:
            expected.append(None)
        elif not a.left_out:
            expected.extend(a.type.c)
    found = [_bare(p) for p in function.parameters]
    fits = len(found) == len(expected) and all(
        e is None or _bare(Parameter(e, "")) == f for e, f in zip(expected, found, strict=True)
    )
    if not fits:
        shown = ", ".join(e or "CONSTANT" for e in expected)
        raise DeclarationError(
            overload.where,
            f"{overload.name}: {function.name} takes ({', '.join(found)}) at {function.where}, "
            f"the declaration hands it ({shown})",
        )


def _bare(parameter):
    type = parameter.type.replace("const ", "", 1) if parameter.type.count("*") == 1 else parameter.type
    return "THTensor*" if type in ("THIndexTensor*", "THNullableTensor*", "THSTensor*") else type
