from .base import ArgumentPlugin, with_call


class Dims(ArgumentPlugin):
    """A Dims list becomes the bit mask that TH's reductions take."""

    def applies(self, argument):
        return not argument.constant and argument.type.name == "Dims"

    def argument(self, argument, overload):
        return with_call(argument, f"dim_mask({argument.name}, self.dim())")
