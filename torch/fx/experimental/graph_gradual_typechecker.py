"""Shapes of a graph's values from those of its inputs, without running it; dimensions may be unknown (torch.fx.tensor_type).

GraphTypeChecker finds types and refuses those that do not fit; Refine has a variable for each dimension that is not known and
finds what they have to do with each other.
"""

import itertools
import operator
from math import prod

import torch
from torch._absent import rest_of
from torch.fx.experimental._gradual_types import (
    _INFERENCE_RULES,
    _REFINEMENT_RULES,
    _RULES,
    broadcast_types,
    calculate_out_dimension,
    expand_to_tensor_dim,
    get_greatest_upper_bound,
    register_algebraic_expressions_inference_rule,
    register_inference_rule,
    register_refinement_rule,
)
from torch.fx.experimental.refinement_types import Equality
from torch.fx.experimental.unification import Var
from torch.fx.node import Node, map_arg
from torch.fx.tensor_type import Dyn, TensorType, is_consistent, is_more_precise
from torch.nn import AdaptiveAvgPool2d, BatchNorm2d, Conv2d, Linear, MaxPool2d, ReLU

__all__ = [
    "Equality",
    "GraphTypeChecker",
    "Refine",
    "Var",
    "adaptiveavgpool2d_check",
    "adaptiveavgpool2d_inference_rule",
    "add_inference_rule",
    "all_eq",
    "bn2d_inference_rule",
    "broadcast_types",
    "calculate_out_dimension",
    "conv2d_inference_rule",
    "conv_refinement_rule",
    "conv_rule",
    "element_wise_eq",
    "expand_to_tensor_dim",
    "first_two_eq",
    "flatten_check",
    "flatten_inference_rule",
    "flatten_refinement_rule",
    "get_attr_inference_rule",
    "get_greatest_upper_bound",
    "get_parameter",
    "linear_check",
    "linear_inference_rule",
    "linear_refinement_rule",
    "maxpool2d_check",
    "maxpool2d_inference_rule",
    "register_algebraic_expressions_inference_rule",
    "register_inference_rule",
    "register_refinement_rule",
    "relu_inference_rule",
    "reshape_inference_rule",
    "transpose_inference_rule",
]


# ---- rules: functions ----------------------------------------------------------------------------------------
@register_inference_rule(torch.add)
@register_inference_rule(operator.add)
def add_inference_rule(n):
    """Both operands broadcast; of what they say, the less."""
    if not all(isinstance(arg, Node) for arg in n.args[:2]):
        raise AssertionError(f"the operands of {n} are {n.args}; values of nodes have types")
    t1, t2 = n.args[0].type, n.args[1].type
    if int in (t1, t2):  # a number
        others = [t for t in (t1, t2) if t is not int]
        if not others or isinstance(others[0], TensorType):
            n.type = others[0] if others else int
            return n.type
    new_t1, new_t2 = broadcast_types(t1, t2)
    n.meta["broadcast"] = new_t1 != t1 or new_t2 != t2
    if n.meta["broadcast"]:
        n.meta[str(n.args[0])], n.meta[str(n.args[1])] = new_t1, new_t2
    if not is_consistent(new_t1, new_t2):
        raise TypeError(
            f"Cannot add arguments {n.args[0]} ({t1}) and {n.args[1]} ({t2}) in node {n}. Types should match "
        )
    n.type = new_t2 if is_more_precise(new_t1, new_t2) else new_t1
    return n.type


@register_inference_rule(getattr)
def get_attr_inference_rule(n, traced):
    """Of a shape nothing is known. TypeError for other attributes."""
    if n.args[1] != "shape":
        raise TypeError(f"Nothing is known of the attribute {n.args[1]} in node {n}")
    n.type = Dyn
    return n.type


@register_inference_rule(torch.transpose)
def transpose_inference_rule(n):
    """Two dimensions exchanged."""
    t, (first, second) = n.args[0].type, n.args[1:3]
    if t == Dyn:
        n.type = Dyn
        return n.type
    if not isinstance(t, TensorType) or not (0 <= first < len(t.__args__) and 0 <= second < len(t.__args__)):
        raise TypeError(f"Cannot transpose {first} and {second} in type {t} for node {n}")
    dims = list(t.__args__)
    dims[first], dims[second] = dims[second], dims[first]
    n.type = get_greatest_upper_bound(n.type, TensorType(dims))
    return n.type


@register_inference_rule(torch.reshape)
def reshape_inference_rule(n):
    """The new shape, if so many elements can be in it."""
    t, sizes = n.args[0].type, n.args[1]
    made = TensorType([Dyn if size == -1 else size for size in sizes])
    if t != Dyn:
        known = prod(d for d in t.__args__ if d != Dyn) if isinstance(t, TensorType) else None
        wanted = prod(sizes)
        if known is None or (known % wanted and wanted % known):
            raise TypeError(f"Cannot reshape in node {n} from {t} to {made}")
    n.type = made
    return made


def flatten_check(tensor_type, start_dim, end_dim):
    """The type with these dimensions as one."""
    dims = list(tensor_type.dims)
    start = len(dims) if start_dim == -1 else abs(start_dim)
    end = len(dims) + end_dim + 1 if end_dim < 0 else end_dim + 1
    if not (0 <= start < len(dims) and 0 <= end <= len(dims) and start < end):
        raise TypeError(f"Incompatible dimensions {start}, {end - 1} in type {tensor_type}")
    middle = dims[start:end]
    return TensorType((*dims[:start], Dyn if Dyn in middle else prod(middle), *dims[end:]))


def _flattened_dims(n):
    """(first, last) of a call of flatten."""
    return (n.args[1] if len(n.args) > 1 else 1), (n.args[2] if len(n.args) > 2 else -1)


def _by_check(n, check, *parameters):
    """The type of a node by a function of its input's."""
    source = n.args[0]
    if source.type == Dyn and isinstance(n.type, TensorType):
        source.type = expand_to_tensor_dim(source.type, len(n.type.__args__))
    if isinstance(source.type, TensorType):
        n.type = get_greatest_upper_bound(check(source.type, *parameters), n.type)
    return n.type


@register_inference_rule(torch.flatten)
def flatten_inference_rule(n):
    """Some dimensions as one."""
    return _by_check(n, flatten_check, *_flattened_dims(n))


# ---- rules: modules ------------------------------------------------------------------------------------------
def _cannot_apply(module, arg_type, n):
    return TypeError(f"Cannot apply {module} with input type {arg_type} and existing type {n.type} on {n}")


@register_inference_rule(BatchNorm2d)
def bn2d_inference_rule(n, module_instance):
    """The same shape, with as many channels as the module has."""
    source = n.args[0]
    source.type = expand_to_tensor_dim(source.type, 4)
    n.type = expand_to_tensor_dim(n.type, 4)
    channels = module_instance.num_features
    fits = all(is_consistent(t.__args__[1], channels) for t in (source.type, n.type))
    if not fits or not is_consistent(source.type, n.type):
        raise _cannot_apply(module_instance, source.type, n)
    n.type = get_greatest_upper_bound(source.type, n.type)
    return n.type


@register_inference_rule(Conv2d)
def conv2d_inference_rule(n, module_instance):
    """The batch, the module's channels, and what the windows leave."""
    source = n.args[0]
    source.type = expand_to_tensor_dim(source.type, 4)
    batch, channels, height, width = source.type.__args__
    if not is_consistent(channels, module_instance.in_channels):
        raise _cannot_apply(module_instance, source.type, n)
    sizes = (calculate_out_dimension(d, module_instance, i) for i, d in enumerate((height, width)))
    made = TensorType((batch, module_instance.out_channels, *sizes))
    n.type = get_greatest_upper_bound(made, expand_to_tensor_dim(n.type, 4))
    return n.type


@register_inference_rule(ReLU)
def relu_inference_rule(n, module_instance):
    """The same shape."""
    return _by_check(n, lambda t: t)


def maxpool2d_check(typ, module_instance):
    """The type with what the windows leave of the last two dimensions."""
    dims = list(typ.dims)
    if len(dims) not in (3, 4):
        raise TypeError(f"Wrong size {typ} for {module_instance}")
    sizes = (calculate_out_dimension(d, module_instance, i) for i, d in enumerate(dims[-2:]))
    return TensorType((*dims[:-2], *sizes))


@register_inference_rule(MaxPool2d)
def maxpool2d_inference_rule(n, module_instance):
    """What the windows leave."""
    return _by_check(n, maxpool2d_check, module_instance)


def linear_check(tensor_type, module_instance):
    """The type with the module's last dimension."""
    dims = tensor_type.dims
    if len(dims) < 2:
        raise TypeError(f"Type {tensor_type} must have rank 2 or more.")
    if not is_consistent(module_instance.in_features, dims[-1]):
        raise TypeError(f"Inconsistent {module_instance.in_features} and {dims[-1]} in {module_instance}")
    return TensorType((*dims[:-1], module_instance.out_features))


@register_inference_rule(Linear)
def linear_inference_rule(n, module_instance):
    """The module's last dimension."""
    return _by_check(n, linear_check, module_instance)


def adaptiveavgpool2d_check(tensor_type, module_instance):
    """The type with the module's last two dimensions."""
    dims, size = tensor_type.dims, module_instance.output_size
    if len(dims) not in (3, 4):
        raise TypeError(f"Tensor ranks must be 3 or 4. Got {tensor_type}")
    height, width = (size, size) if isinstance(size, int) else size
    return TensorType((*dims[:-2], width if height is None else height, height if width is None else width))


@register_inference_rule(AdaptiveAvgPool2d)
def adaptiveavgpool2d_inference_rule(n, module_instance):
    """The module's last two dimensions."""
    return _by_check(n, adaptiveavgpool2d_check, module_instance)


# ---- checking ------------------------------------------------------------------------------------------------
def get_parameter(traced, target):
    """A parameter of the module by its dotted name."""
    return traced.get_parameter(target)


def _type_of(node):
    return node.type


class GraphTypeChecker:
    """Finds the types of a traced module's nodes from those of its placeholders (node.type). TypeError where they do not
    fit."""

    def __init__(self, env, traced):
        self.env, self.traced = env, traced

    def type_check(self):
        """True: all fit."""
        for node in self.traced.graph.nodes:
            self.type_check_node(node)
        return True

    def type_check_node(self, n):
        """The node's type."""
        if n.type is None:
            n.type = Dyn
        if n.op == "placeholder":
            return n.type
        if n.op == "get_attr":
            n.type = TensorType(get_parameter(self.traced, n.target).shape)
        elif n.op == "call_function":
            if n.target not in _INFERENCE_RULES:
                raise RuntimeError(f"No inference rule registered for target {n.target}!")
            return _INFERENCE_RULES[n.target](n, *((self.traced,) if n.target is getattr else ()))
        elif n.op == "call_module":
            module = self.traced.get_submodule(n.target)
            if type(module) not in _INFERENCE_RULES:
                raise RuntimeError(f"No inference rule registered for class {type(module)}!")
            return _INFERENCE_RULES[type(module)](n, module)
        elif n.op == "output":
            n.type = map_arg(n.args[0], _type_of)
        else:
            raise NotImplementedError(f"Method {n.op} not yet implemented")
        return n.type


# ---- what dimensions have to do with each other ----------------------------------------------------------------
def _equal_dims(n, first=None):
    """Equalities of the first dimensions of a node and of its input."""
    types = n.args[0].type, n.type
    if not all(isinstance(t, TensorType) for t in types):
        return []
    return [Equality(a, b) for a, b in itertools.islice(zip(*(t.__args__ for t in types)), first)]


@register_refinement_rule(Conv2d)
def conv_refinement_rule(n):
    """The batch stays."""
    return _equal_dims(n, 1)


@register_refinement_rule(Linear)
def linear_refinement_rule(n):
    """The batch stays."""
    return _equal_dims(n, 1)


@register_refinement_rule(BatchNorm2d)
@register_refinement_rule(ReLU)
def all_eq(n):
    """All dimensions stay."""
    return _equal_dims(n)


@register_refinement_rule(AdaptiveAvgPool2d)
@register_refinement_rule(MaxPool2d)
def first_two_eq(n):
    """The first two dimensions stay."""
    return _equal_dims(n, 2)


@register_refinement_rule(torch.add)
@register_refinement_rule(operator.add)
def element_wise_eq(n):
    """Dimensions that are equal in both operands are those of the result."""
    if not all(isinstance(arg, Node) for arg in n.args[:2]):
        return []
    types = [n.args[0].type, n.args[1].type, n.type]
    if not all(isinstance(t, TensorType) for t in types):
        return []
    first, second = broadcast_types(*types[:2])
    dims = zip(first.__args__, second.__args__, n.type.__args__)
    return [Equality(x, z) for x, y, z in dims if x == y]


@register_refinement_rule(torch.flatten)
def flatten_refinement_rule(n):
    """The dimensions before and after those that become one stay."""
    types = n.type, n.args[0].type
    if not all(isinstance(t, TensorType) for t in types):
        return []
    made, source = (t.__args__ for t in types)
    start, end = _flattened_dims(n)
    start = len(source) if start == -1 else start
    end = len(source) + end + 1 if end < 0 else end + 1
    pairs = [*zip(made[:start], source[:start]), *zip(made[end:], source[end:])]
    return [Equality(a, b) for a, b in pairs]


@register_algebraic_expressions_inference_rule(Conv2d)
def conv_rule(n, module_instance):
    """The last two dimensions by those of the input."""
    if not (isinstance(n.args[0].type, TensorType) and isinstance(n.type, TensorType)):
        return None
    sizes = (calculate_out_dimension(d, module_instance, i) for i, d in enumerate(n.args[0].type.__args__[2:4]))
    n.type = TensorType((*n.type.__args__[:2], *sizes))
    return n.type


def _mapped(function, typ):
    """The type with the function's results for its parts."""
    if isinstance(typ, TensorType):
        return TensorType(tuple(_mapped(function, t) for t in typ.__args__))
    if isinstance(typ, (list, tuple)):
        return type(typ)(_mapped(function, t) for t in typ)
    return function(typ)


def _symbol(variable):
    try:
        import sympy
    except ImportError as error:
        raise ImportError("unknown dimensions become expressions by SymPy, which is not installed") from error
    return sympy.symbols(str(variable))


class Refine:
    """Gives each unknown dimension of a module whose types were found a variable, and finds `constraints`."""

    def __init__(self, traced):
        self.constraints = []
        self.traced = traced
        self.symbol_iter = itertools.count(0, 1)

    def refine(self):
        """Finds variables and constraints of all nodes."""
        for node in self.traced.graph.nodes:
            self.refine_node(node)
        return True

    def symbolic_relations(self):
        """Writes dimensions as expressions of SymPy's. ImportError where that is not installed."""
        for node in self.traced.graph.nodes:
            self.infer_symbolic_relations(node)
        return True

    def replace_dyn_with_fresh_var(self, typ):
        """The type with variables for what is not known."""
        return _mapped(lambda t: Var(next(self.symbol_iter)) if t == Dyn else t, typ)

    def convert_to_sympy_symbols(self, typ):
        """The type with symbols for variables."""
        return _mapped(lambda t: _symbol(t) if isinstance(t, Var) else t, typ)

    def _rule(self, rules, n):
        """(rule, further arguments) for a node, or (None, ())."""
        if n.op == "call_function":
            return rules.get(n.target), ()
        if n.op == "call_module":
            module = self.traced.get_submodule(n.target)
            return rules.get(type(module)), (module,)
        return None, ()

    def refine_node(self, n):
        """Finds variables and constraints of a node."""
        n.type = self.replace_dyn_with_fresh_var(Dyn if n.type is None else n.type)
        rule, _ = self._rule(_REFINEMENT_RULES, n)
        if rule:
            self.constraints += rule(n)
        if n.op == "output":
            n.type = map_arg(n.args[0], _type_of)
        return n.type

    def infer_symbolic_relations(self, n):
        """Writes the node's dimensions as expressions."""
        n.type = self.convert_to_sympy_symbols(n.type)
        rule, further = self._rule(_RULES, n)
        if rule:
            rule(n, *further)
        if n.op == "output":
            n.type = map_arg(n.args[0], _type_of)
        return n.type


__getattr__, __dir__ = rest_of(__name__)  # other modules' names that PyTorch has here, too
