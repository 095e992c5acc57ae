from .base import ArgumentPlugin, with_call


class Dims(ArgumentPlugin):
    """A THDims list becomes the bit mask that TH's reductions take."""

    def applies(self, argument):
        return not argument.constant and argument.type.name == "THDims"

    def argument(self, argument, overload):
        return with_call(argument, f"dim_mask({argument.name}, {argument.wrap_dim or 'self'}.dim())")
