"""Each plugin is one small class that refines declarations in one respect.

`refine` gets an Overload and gives one back. The order matters only where a comment says so.
"""

from .argcount_sort import ArgcountSort
from .assert_ndim import AssertNDim
from .broadcast import Broadcast
from .check import Check
from .dims import Dims
from .factory import Factory
from .gil_release import GILRelease
from .nullable_arguments import NullableArguments
from .wrap_dim import WrapDim

PLUGINS = (
    Factory(),
    NullableArguments(),
    AssertNDim(),
    Check(),  # may rely on what AssertNDim asserts
    Broadcast(),  # may rely on what was checked
    WrapDim(),
    Dims(),
    GILRelease(),
)


def refine(blocks):
    """{operator name: its overloads, refined, in the order in which they are tried}"""
    operators = {}
    for block in blocks:
        for overload in block.overloads:
            if block.doc and overload is block.overloads[0]:
                overload = overload.replace(doc=block.doc)
            for plugin in PLUGINS:
                overload = plugin.refine(overload)
            operators.setdefault(block.name, []).append(overload)
    return {name: ArgcountSort().sort(overloads) for name, overloads in operators.items()}
