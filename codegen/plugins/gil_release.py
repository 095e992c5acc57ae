class GILRelease:
    """Functions that only make a view of a tensor keep the interpreter's lock: giving it up costs more."""

    def refine(self, overload):
        return overload.replace(with_gil=True) if overload.view else overload
