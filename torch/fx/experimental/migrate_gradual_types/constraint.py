"""Constraints on shapes of tensors: variables, relations between them, and what operators make of shapes. They are compared
by what they hold."""

from dataclasses import InitVar, dataclass, field
from typing import Any

from torch._absent import rest_of
from torch.fx.experimental.migrate_gradual_types import operation
from torch.fx.tensor_type import _DynType

__all__ = [
    "ApplyBroadcasting",
    "BVar",
    "BinConstraintD",
    "BinConstraintT",
    "BinaryConstraint",
    "CalcConv",
    "CalcMaxPool",
    "CalcProduct",
    "CanReshape",
    "Conj",
    "Constraint",
    "DGreatestUpperBound",
    "DVar",
    "Disj",
    "F",
    "GetItem",
    "GetItemTensor",
    "IndexSelect",
    "Prod",
    "T",
    "TGreatestUpperBound",
    "TVar",
    "Transpose",
    "is_algebraic_expression",
    "is_bool_expr",
    "is_dim",
]


def _written(form):
    """A decorator: how instances are written, a pattern of their fields."""

    def decorate(cls):
        cls.__repr__ = lambda self: form.format(**vars(self))
        return dataclass(repr=False)(cls)

    return decorate


class Constraint:
    """Something that has to hold."""


@_written("And({conjucts})")
class Conj(Constraint):
    """All of these."""

    conjucts: list  # PyTorch's name of it

    def __init__(self, conjuncts):
        iter(conjuncts)
        self.conjucts = conjuncts


@_written("Or({disjuncts})")
class Disj(Constraint):
    """One of these."""

    disjuncts: list


@_written("Product({products})")
class Prod(Constraint):
    """The product of dimensions."""

    products: list


@_written("True")
class T(Constraint):
    """What always holds."""


@_written("False")
class F(Constraint):
    """What never holds."""


# ---- variables -------------------------------------------------------------------------------------------------
@_written("TV({tvar})")
class TVar:
    """A tensor's shape."""

    tvar: int


@_written("DV({c})")
class DVar:
    """A dimension."""

    c: int


@_written("BV({c})")
class BVar:
    """A truth value."""

    c: int


# ---- relations -------------------------------------------------------------------------------------------------
@_written("({lhs} {op} {rhs})")
class BinaryConstraint(Constraint):
    """Two things and a sign between them."""

    lhs: Any
    rhs: Any
    op: str | None


@_written("({lhs} {op} {rhs})")
class BinConstraintT(BinaryConstraint):
    """Of shapes."""


@_written("({lhs} {op} {rhs})")
class BinConstraintD(BinaryConstraint):
    """Of dimensions, expressions of them, and truth values. AssertionError for other things."""

    def __post_init__(self):
        for side in ("lhs", "rhs"):
            value = getattr(self, side)
            if not (is_algebraic_expression(value) or is_dim(value) or is_bool_expr(value)):
                raise AssertionError(f"Invalid {side} type: {type(value)}")


@_written("{res} = {rhs1}\u2294*{rhs2}")
class TGreatestUpperBound(Constraint):
    """A shape is what two say together."""

    res: TVar
    rhs1: TVar
    rhs2: TVar


@_written("{res} = {rhs1}\u2294{rhs2}")
class DGreatestUpperBound(Constraint):
    """A dimension is what two say together."""

    res: Any
    rhs1: Any
    rhs2: Any


# ---- operators -------------------------------------------------------------------------------------------------
@_written("can-reshape({src}, {target})")
class CanReshape(Constraint):
    """A shape has as many elements as a type."""

    src: TVar
    target: Any


def _must_be(kind, value):
    if not isinstance(value, kind):
        raise AssertionError(f"Expected {kind.__name__}, got {type(value)}")


@_written(" {output} = IndexSelect({input_var}, tensor_size: {tensor_size}, {dim_replace}, {index})")
class IndexSelect(Constraint):
    """One dimension of a shape replaced."""

    tensor_size: int
    input_var: TVar
    dim_replace: Any
    index: int
    output: TVar

    def __post_init__(self):
        _must_be(TVar, self.input_var)
        _must_be(TVar, self.output)


@_written(" {output} = Transpose({input_var}, tensor_size: {tensor_size}, {index1}, {index2})")
class Transpose(Constraint):
    """Two dimensions of a shape exchanged."""

    tensor_size: int
    input_var: TVar
    index1: int
    index2: int
    output: TVar

    def __post_init__(self):
        _must_be(TVar, self.input_var)
        _must_be(TVar, self.output)


@_written(" {res} = GetItem({input_var}, tensor_size: {tensor_size}, {index})")
class GetItem(Constraint):
    """A dimension of a shape."""

    tensor_size: int
    index: int
    res: DVar
    input_var: TVar

    def __post_init__(self):
        _must_be(DVar, self.res)


@_written(" {res} = GetItemT({input_var}, tensor_size: {tensor_size}, {index_tuple})")
class GetItemTensor(Constraint):
    """The shape of an indexed tensor."""

    tensor_size: int
    index_tuple: tuple
    res: TVar
    input_var: TVar

    def __post_init__(self):
        _must_be(TVar, self.res)


@_written("{conv_result} = calc-conv({input_var}, {c_out}, {kernel}, {padding}, {stride}, {dilation})")
class CalcConv(Constraint):
    """The shape of a convolution's result."""

    conv_result: TVar
    input_var: TVar
    c_out: int
    kernel: Any
    padding: Any
    stride: Any
    dilation: Any
    matching_constraint_vars: InitVar[list]
    matching_constraint: list = field(init=False)

    def __post_init__(self, matching_constraint_vars):
        self.matching_constraint = matching_constraint_vars


@_written("{maxpool_result} = calc-maxpool({input_var},  {kernel}, {padding}, {stride}, {dilation})")
class CalcMaxPool(Constraint):
    """The shape of a pooling's result."""

    maxpool_result: TVar
    input_var: TVar
    kernel: Any
    padding: Any
    stride: Any
    dilation: Any
    matching_constraint_vars: InitVar[list]
    matching_constraint: list = field(init=False)

    def __post_init__(self, matching_constraint_vars):
        self.matching_constraint = matching_constraint_vars


@_written("{res1}, {res2} = apply-broadcasting({input1}, {input2})")
class ApplyBroadcasting(Constraint):
    """Two shapes made the same."""

    res1: TVar
    res2: TVar
    input1: TVar
    input2: TVar


@_written("{flattened} = CalcProduct({start}, {end}, {dims_to_flatten})")
class CalcProduct(Constraint):
    """A shape with some dimensions as one."""

    start: int
    end: int
    flattened: TVar
    dims_to_flatten: list


# ---- what is what ----------------------------------------------------------------------------------------------
def is_algebraic_expression(constraint):
    """Whether it is a sum, a product or the like."""
    signs = (operation.op_add, operation.op_sub, operation.op_div, operation.op_mul, operation.op_mod)
    return isinstance(constraint, Prod) or (isinstance(constraint, BinConstraintD) and constraint.op in signs)


def is_bool_expr(constraint):
    """Whether it is true or false: a comparison, a variable, all or one of others."""
    signs = (operation.op_gt, operation.op_lt, operation.op_neq, operation.op_eq)
    return isinstance(constraint, (BVar, Conj, Disj)) or (
        isinstance(constraint, BinConstraintD) and constraint.op in signs
    )


def is_dim(d):
    """Whether it is a dimension: a variable, a number, or unknown."""
    return isinstance(d, (DVar, int, _DynType))


__getattr__, __dir__ = rest_of(__name__)  # other modules' names that PyTorch has here, too
