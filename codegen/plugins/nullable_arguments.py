from .base import ArgumentPlugin, with_call


class NullableArguments(ArgumentPlugin):
    """What None stands for in the C call: the generator of the device that the call runs on. A tensor needs nothing here,
    since the handle of an undefined one is NULL."""

    def applies(self, argument):
        return argument.nullable and argument.type.name == "Generator"

    def argument(self, argument, overload):
        return with_call(argument, f"generator_of(on, {argument.name})")
