from ..errors import DeclarationError


class Kwargs:
    """Python's order: as in the C call, without outputs, keyword-only arguments last."""

    def refine(self, overload):
        inputs = overload.inputs
        python = tuple(a for a in inputs if not a.kwarg_only) + tuple(a for a in inputs if a.kwarg_only)
        optional = None
        for a in python:
            if a.optional:
                optional = a
            elif optional is not None and not a.kwarg_only:
                raise DeclarationError(
                    overload.where,
                    f"{overload.name}: '{a.name}' has no default but follows '{optional.name}', which has one",
                )
        return overload.replace(python=python)
