class Check:
    """`check: f`: f(t, arguments…) raises where the operator refuses its arguments; t is the dtype computed in."""

    def refine(self, overload):
        if overload.check is None:
            return overload
        call = f"{overload.check}({', '.join(['t', *(a.name for a in overload.cpp_parameters)])});"
        return overload.replace(statements=(*overload.statements, call))
