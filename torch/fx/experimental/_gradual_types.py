"""Types of tensors put together, and the rules that are registered for graph_gradual_typechecker."""

from torch.fx.experimental.unification import Var
from torch.fx.tensor_type import Dyn, TensorType, is_consistent, is_more_precise

# {function or type of module: rule}
_INFERENCE_RULES, _REFINEMENT_RULES, _RULES = {}, {}, {}


def _registering(rules, kind, call_target):
    def register(function):
        if call_target in rules:
            raise RuntimeError(f"{kind} already registered for {call_target}!")
        rules[call_target] = function
        return function

    return register


def register_inference_rule(call_target):
    """A decorator: the function finds the type of nodes that call the target, rule(node) or rule(node, module)."""
    return _registering(_INFERENCE_RULES, "Inference rule", call_target)


def register_refinement_rule(call_target):
    """A decorator: the function returns Equalities that hold for nodes that call the target, rule(node)."""
    return _registering(_REFINEMENT_RULES, "Refinement rule", call_target)


def register_algebraic_expressions_inference_rule(call_target):
    """A decorator: the function writes dimensions of nodes that call the target as expressions of others."""
    return _registering(_RULES, "Rule", call_target)


# ---- types ---------------------------------------------------------------------------------------------------
def expand_to_tensor_dim(t, n):
    """A TensorType of n dimensions. TypeError for a type that is no such one."""
    if t == Dyn:
        return TensorType((Dyn,) * n)
    if not isinstance(t, TensorType):
        raise TypeError(f"Cannot match the type {t}")
    if len(t.__args__) != n:
        raise TypeError(f"Cannot extend tensor. Tensor {t} has rank {len(t.__args__)}. It should have rank {n}")
    return t


def broadcast_types(t1, t2):
    """Both types with the dimensions that broadcasting gives them."""
    if t1 == Dyn or t2 == Dyn or isinstance(t1, Var) or isinstance(t2, Var):
        return t1, t2
    if not (isinstance(t1, TensorType) and isinstance(t2, TensorType)):
        raise TypeError(f"Cannot broadcast types {t1} and {t2}")
    rank = max(len(t1.__args__), len(t2.__args__))
    first, second = ([1] * (rank - len(t.__args__)) + list(t.__args__) for t in (t1, t2))
    pairs = [(y if x == 1 else x, x if y == 1 else y) for x, y in zip(first, second)]
    return TensorType(tuple(x for x, _ in pairs)), TensorType(tuple(y for _, y in pairs))


def get_greatest_upper_bound(type1, type2):
    """What both types say together. TypeError where they contradict each other."""
    if type1 == Dyn or type2 == Dyn:
        return type2 if type1 == Dyn else type1
    if not (isinstance(type1, TensorType) and isinstance(type2, TensorType)):
        return None
    if not is_consistent(type1, type2):
        raise TypeError(f"Inconsistent types {type1}, {type2}")
    pairs = zip(type1.__args__, type2.__args__)
    return TensorType(tuple(a if is_more_precise(a, b) else b for a, b in pairs))


def _is_size(d):
    """Whether it can be computed with: a number, or a symbol of SymPy."""
    return isinstance(d, int) or getattr(d, "is_Symbol", False)


def calculate_out_dimension(d_in, module_instance, index):
    """The length of a convolution's or pooling's result along one of its two dimensions."""
    if d_in == Dyn:
        return Dyn
    if not _is_size(d_in):
        raise TypeError(f"{d_in} in {module_instance} must be a number or Dyn. Received {type(d_in)}")
    padding, kernel, stride, dilation = (
        value if isinstance(value, int) else value[index]
        for value in (
            module_instance.padding,
            module_instance.kernel_size,
            module_instance.stride,
            module_instance.dilation,
        )
    )
    return (d_in + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
