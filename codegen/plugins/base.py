"""What plugins share."""

import dataclasses


class ArgumentPlugin:
    """A plugin that changes arguments one by one, and may add statements before the call."""

    def applies(self, argument):
        raise NotImplementedError

    def argument(self, argument, overload):
        """The refined argument."""
        return argument

    def statements(self, argument, overload):
        """C++ lines to run before the call."""
        return ()

    def refine(self, overload):
        concerned = [a for a in overload.arguments if self.applies(a)]
        if not concerned or overload.composite:  # a body written by hand does its own checks
            return overload
        changed = {a.name: self.argument(a, overload) for a in concerned}
        lines = tuple(line for a in concerned for line in self.statements(a, overload))
        return overload.replace(
            arguments=tuple(changed.get(a.name, a) for a in overload.arguments), statements=overload.statements + lines
        )


def with_call(argument, expression):
    return dataclasses.replace(argument, call=expression)
