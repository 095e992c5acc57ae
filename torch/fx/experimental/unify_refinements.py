"""Dimensions of a graph's types that have to be equal, made equal."""

from torch._absent import rest_of
from torch.fx.experimental.graph_gradual_typechecker import Refine, _mapped
from torch.fx.experimental.unification import Var, unify

__all__ = [
    "check_for_type_equality",
    "convert_eq",
    "infer_symbolic_types",
    "infer_symbolic_types_single_pass",
    "substitute_all_types",
    "substitute_solution_one_type",
    "unify_eq",
]


def _pass(traced):
    refined = Refine(traced)
    refined.refine()
    substitute_all_types(traced.graph, unify_eq(refined.constraints))
    return refined


def infer_symbolic_types_single_pass(traced):
    """Gives unknown dimensions variables, the same where they have to be equal."""
    _pass(traced)


def infer_symbolic_types(traced):
    """The same twice, since operands whose dimensions have become equal say more; then writes dimensions as expressions, by
    SymPy. ImportError where that is not installed."""
    _pass(traced)
    _pass(traced).symbolic_relations()


def convert_eq(list_of_eq):
    """(left sides, right sides)"""
    return tuple(eq.lhs for eq in list_of_eq), tuple(eq.rhs for eq in list_of_eq)


def unify_eq(list_of_eq):
    """{variable: what it has to be}. TypeError where both sides cannot be equal."""
    solution = unify(*convert_eq(list_of_eq), {})
    if solution is False:
        raise TypeError(f"not all of these can be equal: {', '.join(map(str, list_of_eq))}")
    return solution


def substitute_solution_one_type(mapping, t):
    """The type with what its variables are."""
    return _mapped(lambda part: mapping.get(part, part) if isinstance(part, Var) else part, t)


def substitute_all_types(graph, mapping):
    """Writes in all types what their variables are."""
    changed = True
    while changed:
        changed = False
        for variable, value in mapping.items():
            mapping[variable] = substitute_solution_one_type(mapping, value)
            changed |= mapping[variable] != value
    for node in graph.nodes:
        node.type = substitute_solution_one_type(mapping, node.type)


def check_for_type_equality(g1, g2):
    """Whether two graphs have the same types, node by node."""
    return all(n.type == m.type for n, m in zip(g1.nodes, g2.nodes))


__getattr__, __dir__ = rest_of(__name__)  # other modules' names that PyTorch has here, too
