from .base import ArgumentPlugin, with_call


class NullableArguments(ArgumentPlugin):
    """What None stands for in the C call: the process's own generator. A tensor needs nothing here,
    since the handle of an undefined one is NULL."""

    def applies(self, argument):
        return argument.nullable and argument.type.name == "THGenerator*"

    def argument(self, argument, overload):
        return with_call(argument, f"{argument.name} ? {argument.name} : THGenerator_default()")
