"""Constraints between types."""


class Equality:
    """lhs and rhs are the same."""

    def __init__(self, lhs, rhs):
        self.lhs, self.rhs = lhs, rhs

    def __str__(self):
        return f"{self.lhs} = {self.rhs}"

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, Equality) and (self.lhs, self.rhs) == (other.lhs, other.rhs)

    __hash__ = None
