from .base import ArgumentPlugin, with_call


class WrapDim(ArgumentPlugin):
    """`wrap_dim: dim`: the dimension counts from self's end if it is negative, and must exist."""

    def applies(self, argument):
        return argument.wrap_dim

    def argument(self, argument, overload):
        return with_call(argument, f"TH_wrapDim({argument.name}, self.dim())")
