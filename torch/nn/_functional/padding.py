"""Padding: a border of a constant, or of the input's own elements."""

from __future__ import annotations

from collections.abc import Sequence

from torch import _nn
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


@overridable
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Adds elements at both ends of dimensions.

    pad: (before, after) of the last dimension, then of the one before, …; negative ones take elements away. mode: "constant"
    (`value`, 0), "reflect", "replicate" (the last element) or "circular"; other modes than "constant" pad the last 1, 2 or 3
    dimensions of an input that has one or two more. RuntimeError and NotImplementedError for others.
    """
    return _nn.pad(input, pad, mode, value)
