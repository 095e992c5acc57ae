from .base import ArgumentPlugin, with_call


class Broadcast(ArgumentPlugin):
    """`broadcast: {t: [mat1.0, mat2.1]}`: the tensor t is expanded to (mat1.size(0), mat2.size(1)).

    Only for kernels that do not broadcast by themselves, as pointwise ones do.
    """

    def applies(self, argument):
        return argument.broadcast is not None

    def argument(self, argument, overload):
        return with_call(argument, f"{argument.name}_expanded.get()")

    def statements(self, argument, overload):
        sizes = ", ".join("{}.size({})".format(*part.split(".")) for part in argument.broadcast)
        return (
            f"const Tensor {argument.name}_expanded = expand_to({argument.name}, {{{sizes}}}, {overload.outputs[0].name});",
        )
