class GILRelease:
    """Functions that only make a view of a tensor keep the interpreter's lock: giving it up costs more."""

    def refine(self, overload):
        view = overload.cname.startswith("THTensor_new") and overload.returns == "THTensor*"
        return overload.replace(with_gil=True) if view else overload
