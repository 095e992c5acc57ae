"""The chi-squared distribution."""

from __future__ import annotations

from torch.distributions import constraints
from torch.distributions.gamma import Gamma

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor
    from torch.types import _size


__all__ = ["Chi2"]


class Chi2(Gamma):
    """Sums of `df` squares of normal deviates: Gamma(df / 2, 1 / 2).

    Args:
        df (Tensor or number): degrees of freedom, positive
    """

    arg_constraints = {"df": constraints.positive}  # noqa: RUF012

    def __init__(self, df: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    def expand(self, batch_shape: _size, _instance=None) -> Self:
        new = self._get_checked_instance(Chi2, _instance)
        return super().expand(batch_shape, new)

    @property
    def df(self) -> Tensor:
        """Degrees of freedom."""
        return self.concentration * 2
