"""Programs over sparse tensors, by operator. sparse_inputs.py has the operands that they name.

`each("torch.{op}({x})", op=…, x=…)` is the program for every combination of words. `bad` are mistakes. `gradient` asks for
gradients with respect to the operands named. `instead` says what the program is of dense operands.
"""

from . import (
    arithmetic,
    construction,
    conversion,
    factories,
    gradients,
    larger,
    mistakes,
    pointwise,
    products,
    reductions,
    shapes,
    training,
)

GROUPS = {
    name: programs
    for module in (
        construction,
        conversion,
        shapes,
        arithmetic,
        pointwise,
        reductions,
        products,
        factories,
        mistakes,
        gradients,
        training,
        larger,
    )
    for name, programs in module.GROUPS.items()
}
