"""New variables: each function is given the number of the last one, and gives that of its own."""

from torch._absent import rest_of
from torch.fx.experimental.migrate_gradual_types.constraint import BinConstraintD, BVar, DVar, TVar
from torch.fx.experimental.migrate_gradual_types.operation import op_leq

__all__ = ["gen_bvar", "gen_dvar", "gen_nat_constraints", "gen_tensor_dims", "gen_tvar"]


def gen_tvar(curr):
    """(a variable for a tensor, its number)"""
    return TVar(curr + 1), curr + 1


def gen_dvar(curr):
    """(a variable for a dimension, its number)"""
    return DVar(curr + 1), curr + 1


def gen_bvar(curr):
    """(a variable for a truth value, its number)"""
    return BVar(curr + 1), curr + 1


def gen_tensor_dims(n, curr):
    """(n variables for dimensions, the last one's number)"""
    return [DVar(curr + i + 1) for i in range(n)], curr + n


def gen_nat_constraints(list_of_dims):
    """None of the dimensions is negative."""
    return [BinConstraintD(0, dim, op_leq) for dim in list_of_dims]


__getattr__, __dir__ = rest_of(__name__)  # other modules' names that PyTorch has here, too
