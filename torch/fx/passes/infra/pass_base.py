"""What a pass is."""

import abc
from collections import namedtuple

__all__ = ["PassBase", "PassResult"]


class PassResult(namedtuple("PassResult", ["graph_module", "modified"])):  # noqa: PYI024
    """The module, and whether it was changed."""

    __slots__ = ()


class PassBase(abc.ABC):
    """A pass: call(module) does it, requires(module) and ensures(module) check before and after it."""

    def __call__(self, graph_module):
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module):
        """Changes the module. Returns a PassResult, or None."""

    def requires(self, graph_module):  # noqa: B027 - may be left as it is
        """Raises where the module cannot be taken."""

    def ensures(self, graph_module):  # noqa: B027
        """Raises where the module is not what it should have become."""
