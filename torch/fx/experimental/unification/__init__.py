"""Unification: values for variables with which two terms are equal."""

from torch.fx.experimental.unification.core import reify, unify  # noqa: F401
from torch.fx.experimental.unification.more import unifiable  # noqa: F401
from torch.fx.experimental.unification.variable import Var, isvar, var, variables, vars  # noqa: F401, A004
