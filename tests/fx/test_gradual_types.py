"""Shapes of a graph's values by types: what PyTorch 2.13's checker finds and refuses."""

import pytest
import torch
from torch import fx, nn
from torch.fx.experimental import graph_gradual_typechecker as typing, unify_refinements as unify
from torch.fx.experimental.refinement_types import Equality
from torch.fx.experimental.unification import Var
from torch.fx.tensor_type import Dyn, TensorType

CONV = nn.Conv2d(3, 5, 3, stride=2, padding=1)
KNOWN, UNKNOWN = TensorType((1, 3, 8, 8)), TensorType((Dyn, 3, Dyn, Dyn))


def traced(program, *types, **modules):
    class Program(nn.Module):
        def __init__(self):
            super().__init__()
            for name, module in modules.items():
                setattr(self, name, module)

        forward = program

    found = fx.symbolic_trace(Program())
    for node, given in zip(found.graph.find_nodes(op="placeholder"), types):
        node.type = given
    return found


def add(self, x, y):
    return x + y


def layer(self, x):
    return self.m(x)


def network(self, x):
    return torch.flatten(self.p(self.r(self.n(self.c(x)))), 1)


FOUND = [
    ((add, TensorType((1, 2)), TensorType((3, 2))), {}, "TensorType[(3, 2)]"),
    ((add, Dyn, TensorType((3, 2))), {}, "Dyn"),
    ((add, int, TensorType((3, 2))), {}, "TensorType[(3, 2)]"),
    ((lambda self, x: torch.reshape(x, [1, -1]), TensorType((2, 3))), {}, "TensorType[[1, Dyn]]"),
    ((lambda self, x: torch.transpose(x, 0, 1), TensorType((2, 3, 4))), {}, "TensorType[[3, 2, 4]]"),
    ((lambda self, x: torch.flatten(x, 1), KNOWN), {}, "TensorType[(1, 192)]"),
    ((lambda self, x: torch.flatten(x, 1), UNKNOWN), {}, "TensorType[(Dyn, Dyn)]"),
    ((lambda self, x: x.shape, UNKNOWN), {}, "Dyn"),
    ((layer, KNOWN), {"m": CONV}, "TensorType[(1, 5, 4, 4)]"),
    ((layer, Dyn), {"m": CONV}, "TensorType[(Dyn, 5, Dyn, Dyn)]"),
    ((layer, UNKNOWN), {"m": nn.MaxPool2d(2)}, "TensorType[(Dyn, 3, Dyn, Dyn)]"),
    ((layer, KNOWN), {"m": nn.AdaptiveAvgPool2d((3, None))}, "TensorType[(1, 3, 3, 3)]"),
    ((layer, UNKNOWN), {"m": nn.Linear(3, 5)}, "TensorType[(Dyn, 3, Dyn, 5)]"),
    ((layer, Dyn), {"m": nn.BatchNorm2d(3)}, "TensorType[(Dyn, Dyn, Dyn, Dyn)]"),
    ((lambda self, x: x + self.w, TensorType((1, 2))), {"w": nn.Parameter(torch.ones(3, 2))}, "TensorType[(3, 2)]"),
]


@pytest.mark.parametrize(("arguments", "modules", "expected"), FOUND)
def test_types_are_found(arguments, modules, expected):
    module = traced(*arguments, **modules)
    assert typing.GraphTypeChecker({}, module).type_check() is True
    assert str(module.graph.output_node().type) == expected


REFUSED = [
    (
        (add, TensorType((4, 2)), TensorType((3, 2))),
        {},
        TypeError,
        r"Cannot add arguments x \(TensorType\[\(4, 2\)\]\)",
    ),
    (
        (lambda self, x: torch.reshape(x, [4, -1]), TensorType((2, 3))),
        {},
        TypeError,
        "Cannot reshape in node reshape from",
    ),
    ((lambda self, x: torch.transpose(x, 0, 5), TensorType((2, 3))), {}, TypeError, "Cannot transpose 0 and 5 in type"),
    (
        (lambda self, x: torch.flatten(x, 1, 2), TensorType((2, 3))),
        {},
        TypeError,
        "Incompatible dimensions 1, 2 in type",
    ),
    ((layer, TensorType((1, 4, 8, 8))), {"m": CONV}, TypeError, r"Cannot apply Conv2d\(.* with input type TensorType"),
    ((layer, TensorType((1, 4, 8, 8))), {"m": nn.BatchNorm2d(3)}, TypeError, r"Cannot apply BatchNorm2d\("),
    ((layer, KNOWN), {"m": nn.Linear(3, 5)}, TypeError, r"Inconsistent 3 and 8 in Linear\("),
    (
        (layer, TensorType((2, 3))),
        {"m": nn.MaxPool2d(2)},
        TypeError,
        r"Wrong size TensorType\[\(2, 3\)\] for MaxPool2d",
    ),
    ((lambda self, x: torch.sin(x), Dyn), {}, RuntimeError, "No inference rule registered for target"),
    (
        (layer, Dyn),
        {"m": nn.GELU()},
        RuntimeError,
        "No inference rule registered for class <class 'torch.nn.modules.act",
    ),
    ((lambda self, x: x.relu(), Dyn), {}, NotImplementedError, "Method call_method not yet implemented"),
]


@pytest.mark.parametrize(("arguments", "modules", "error", "message"), REFUSED)
def test_what_does_not_fit_is_refused(arguments, modules, error, message):
    with pytest.raises(error, match=message):
        typing.GraphTypeChecker({}, traced(*arguments, **modules)).type_check()


def test_unknown_dimensions_get_variables():
    module = traced(network, UNKNOWN, c=CONV, n=nn.BatchNorm2d(5), r=nn.ReLU(), p=nn.MaxPool2d(2))
    typing.GraphTypeChecker({}, module).type_check()
    refined = typing.Refine(module)
    refined.refine()
    assert ", ".join(map(str, refined.constraints)) == (
        "~0 = ~3, ~3 = ~6, 5 = 5, ~4 = ~7, ~5 = ~8, ~6 = ~9, 5 = 5, ~7 = ~10, ~8 = ~11, ~9 = ~12, 5 = 5, ~15 = ~12"
    )
    before = [node.type for node in module.graph.nodes]
    unify.substitute_all_types(module.graph, unify.unify_eq(refined.constraints))
    assert [str(node.type) for node in module.graph.nodes] == [
        "TensorType[(~12, 3, ~1, ~2)]",
        *["TensorType[(~12, 5, ~10, ~11)]"] * 3,
        "TensorType[(~12, 5, ~13, ~14)]",
        *["TensorType[(~12, ~16)]"] * 2,
    ]
    assert unify.check_for_type_equality(module.graph, module.graph)
    assert before != [node.type for node in module.graph.nodes]


def test_expressions_of_dimensions():
    known = traced(layer, KNOWN, m=CONV)
    typing.GraphTypeChecker({}, known).type_check()
    unify.infer_symbolic_types(known)
    assert str(known.graph.output_node().type) == "TensorType[(1, 5, 4, 4)]"
    module = traced(layer, UNKNOWN, m=CONV)
    typing.GraphTypeChecker({}, module).type_check()
    try:
        import sympy  # noqa: F401 - asks whether it is there
    except ImportError:
        with pytest.raises(ImportError, match="SymPy, which is not installed"):
            unify.infer_symbolic_types(module)
    else:
        unify.infer_symbolic_types(module)
        size = "TensorType[(~3, 5, floor(~1/2 - 1/2) + 1, floor(~2/2 - 1/2) + 1)]"
        assert str(module.graph.output_node().type) == size


def test_rules_and_equations():
    a = Var("a")
    assert unify.unify_eq([Equality(1, 1), Equality(a, 3)]) == {a: 3}
    assert unify.substitute_solution_one_type({a: 3}, TensorType((a, 2))) == TensorType((3, 2))
    assert unify.substitute_solution_one_type({a: 3}, [a, 2]) == [3, 2]
    with pytest.raises(TypeError, match="not all of these can be equal: 1 = 2"):
        unify.unify_eq([Equality(1, 2)])
    with pytest.raises(RuntimeError, match="Inference rule already registered for"):
        typing.register_inference_rule(torch.add)(lambda n: None)
    with pytest.raises(RuntimeError, match="Refinement rule already registered for"):
        typing.register_refinement_rule(torch.add)(lambda n: None)
    assert typing.get_greatest_upper_bound(TensorType((Dyn, 2)), TensorType((1, 2))) == TensorType((1, 2))
    with pytest.raises(TypeError, match="must be a number or Dyn. Received"):
        typing.calculate_out_dimension(a, CONV, 0)


def test_constraints_are_written_and_compared():
    from torch.fx.experimental.migrate_gradual_types import constraint as c, util

    a, b, d, e = c.TVar(1), c.TVar(2), c.DVar(3), c.DVar(4)
    conv = {"padding": 1, "stride": 1, "dilation": 1, "matching_constraint_vars": [d]}
    written = {
        "And([True, (DV(3) = DV(4))])": lambda: c.Conj([c.T(), c.BinConstraintD(d, e, "=")]),
        "Or([False, BV(2)])": lambda: c.Disj([c.F(), c.BVar(2)]),
        "(TV(1) ~ TV(2))": lambda: c.BinConstraintT(a, b, "~"),
        "DV(3) = 1\u22942": lambda: c.DGreatestUpperBound(d, 1, 2),
        "TV(1) = TV(1)\u2294*TV(2)": lambda: c.TGreatestUpperBound(a, a, b),
        "can-reshape(TV(1), TensorType[(1, 2)])": lambda: c.CanReshape(a, TensorType((1, 2))),
        " TV(2) = Transpose(TV(1), tensor_size: 2, 0, 1)": lambda: c.Transpose(2, a, 0, 1, b),
        " DV(3) = GetItem(TV(1), tensor_size: 2, 0)": lambda: c.GetItem(2, 0, d, a),
        "TV(1) = calc-conv(TV(2), 5, 3, 1, 1, 1)": lambda: c.CalcConv(a, b, 5, 3, **conv),
        "TV(1), TV(2) = apply-broadcasting(TV(1), TV(2))": lambda: c.ApplyBroadcasting(a, b, a, b),
    }
    for text, made in written.items():
        assert str(made()) == text
        assert made() == made()
    assert c.TVar(1) != c.DVar(1)
    assert c.CalcConv(a, b, 5, 3, **conv) != c.CalcConv(a, b, 5, 3, **conv | {"matching_constraint_vars": [e]})
    with pytest.raises(AssertionError, match="Invalid lhs type: <class 'str'>"):
        c.BinConstraintD("a", e, "=")
    with pytest.raises(AssertionError, match="Expected DVar, got"):
        c.GetItem(2, 0, a, a)
    kinds = [
        (c.is_dim(x), c.is_bool_expr(x), c.is_algebraic_expression(x)) for x in (d, c.BVar(1), c.Prod([1]), Dyn, a)
    ]
    assert kinds == [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 0, 0)]
    assert util.gen_tensor_dims(2, 4) == ([c.DVar(5), c.DVar(6)], 6)
    assert str(util.gen_nat_constraints([d])) == "[(0 \u2264 DV(3))]"
    from torch.fx.experimental.migrate_gradual_types.constraint_generator import ConstraintGenerator

    with pytest.raises(NotImplementedError, match="ConstraintGenerator"):
        ConstraintGenerator(None)
