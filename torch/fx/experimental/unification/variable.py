"""Variables of terms."""

import itertools
from contextlib import contextmanager

_global_logic_variables = set()
_glv = _global_logic_variables


class Var:
    """A variable, equal to others of its name: var("x")."""

    _numbers = itertools.count(1)

    def __new__(cls, *token):
        made = object.__new__(cls)
        made.token = token[0] if token else f"_{next(Var._numbers)}"
        return made

    def __str__(self):
        return f"~{self.token}"

    __repr__ = __str__

    def __eq__(self, other):
        return type(self) is type(other) and self.token == other.token

    def __hash__(self):
        return hash((type(self), self.token))


def var(*token):
    """A variable."""
    return Var(*token)


def vars(n):  # noqa: A001 - torch's name
    """n variables."""
    return [var() for _ in range(n)]


def isvar(x):
    """Whether it is a variable, or stands for one inside variables()."""
    if isinstance(x, Var):
        return True
    try:
        return x in _global_logic_variables
    except TypeError:
        return False


@contextmanager
def variables(*values):
    """A context in which these values are variables."""
    before = _global_logic_variables.copy()
    _global_logic_variables.update(values)
    try:
        yield
    finally:
        _global_logic_variables.clear()
        _global_logic_variables.update(before)


from torch._absent import rest_of  # noqa: E402 - what else PyTorch has here says so when it is used

__getattr__, __dir__ = rest_of(__name__)
