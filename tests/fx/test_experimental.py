"""torch.fx.experimental: shapes beside proxies, unification, sizes that are numbers; and what takes graphs apart for
accelerators."""

import json
import pathlib

import pytest
import torch
from torch import fx, nn
from torch.fx.passes.net_min_base import FxNetMinimizerResultMismatchError, _MinimizerBase, _MinimizerSettingBase
from torch.fx.passes.operator_support import OperatorSupport
from torch.fx.passes.splitter_base import NodeEventTracker, _SplitterBase, _SplitterSettingBase

X = torch.tensor([[1.0, -2.0], [0.5, 3.0]])


class NotSin(OperatorSupport):
    def is_node_supported(self, submodules, node):
        return node.op == "call_function" and node.target is not torch.sin


def program(a, b):
    return ((a + b).relu() * 2 + torch.sin(a)).cos() + b


def test_split_for_an_accelerator(monkeypatch):
    monkeypatch.setattr("sys.argv", ["test"])
    traced = fx.symbolic_trace(program)
    splitter = _SplitterBase(traced, (X, X), NotSin(), _SplitterSettingBase())
    assert "Supported node types in the model:\noperator.add" in splitter.node_support_preview()
    assert "_run_on_acc_2: 2 node(s)" in splitter.split_preview()
    result = splitter.generate_split_results()
    names = ["_run_on_acc_0", "_run_on_cpu_1", "_run_on_acc_2", "_run_on_cpu_3", "_run_on_acc_4"]
    assert list(result.submodule_inputs) == names
    assert torch.equal(result.split_module(X, X), program(X, X))
    assert splitter.get_node_submodule_map()["sin"] == "_run_on_cpu_1"
    limited = _SplitterBase(fx.symbolic_trace(program), (X, X), NotSin(), _SplitterSettingBase(max_acc_splits=2))
    with pytest.raises(ValueError, match="needs 3 submodules for the accelerator, and max_acc_splits is 2"):
        limited()
    whole = _SplitterBase(fx.symbolic_trace(program), (X, X), NotSin(), _SplitterSettingBase(min_acc_module_size=2))
    assert [n for n, _ in whole().named_children()] == ["_run_on_cpu_0", "_run_on_acc_1", "_run_on_cpu_2"]


def test_events_are_tracked(tmp_path):
    graph = fx.symbolic_trace(program).graph
    first, second = list(graph.nodes)[2:4]
    tracker = NodeEventTracker(1, str(tmp_path / "t"))
    tracker.add(first, "init")
    tracker.add(second, "moved", first)
    lines = []
    tracker.print_node(second.name, recursive=True, writer=lines.append)
    assert lines == ["relu: moved -> add", "| add: init -> #"]
    tracker.dump()
    assert json.loads((tmp_path / "t_all.txt").read_text()) == tracker.to_dict()


class Minimizer(_MinimizerBase):
    def run_a(self, mod, inputs, report_idx=-1):
        return mod(*inputs)

    def run_b(self, mod, inputs, report_idx=-1):
        result = mod(*inputs)
        if torch.sin not in [n.target for n in mod.graph.nodes]:
            return result
        return tuple(t + 1 for t in result) if isinstance(result, tuple) else result + 1


def compared(a, b, names):
    a, b = (x if isinstance(x, tuple) else (x,) for x in (a, b))
    distance = max((x - y).abs().max().item() for x, y in zip(a, b))
    return distance, distance < 1e-3


@pytest.mark.parametrize("method", ["sequential", "binary", "block", "skip"])
def test_difference_is_found(method, capsys):
    minimizer = Minimizer(fx.symbolic_trace(program), (X, X), compared, _MinimizerSettingBase(traverse_method=method))
    found = minimizer.minimize(skip_nodes=["add", "relu", "mul"] if method == "skip" else None)
    assert "sin" in {n.name for n in found}
    assert len(found) == (4 if method == "skip" else 1)
    with pytest.raises(FxNetMinimizerResultMismatchError, match="Result mismatch"):
        minimizer.run_nodes("sin", "sin")
    with pytest.raises(RuntimeError, match="Unknown traverse method odd"):
        Minimizer(fx.symbolic_trace(program), (X, X), compared, _MinimizerSettingBase(traverse_method="odd")).minimize()
    with pytest.raises(ValueError, match="the module has 2 inputs, 1 are given"):
        Minimizer(fx.symbolic_trace(lambda a, b: a + b), (X,), compared, _MinimizerSettingBase())


class Shaped(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.conv = nn.Linear(2, 4), nn.Conv1d(4, 2, 1)

    def forward(self, x):
        y = self.linear(x)
        if y.shape[-1] == 4:
            y = torch.relu(y)
        for i in range(y.size(0)):
            y = y + i
        return self.conv(y.view(*y.shape, 1))


def test_branches_by_shape_are_recorded():
    from torch.fx.experimental.meta_tracer import symbolic_trace

    module = Shaped()
    with pytest.raises(fx.proxy.TraceError):
        fx.symbolic_trace(module)
    traced = symbolic_trace(module, {"x": torch.ones(2, 2, device="meta")})
    assert torch.equal(traced(X), module(X))
    assert torch.relu in [n.target for n in traced.graph.nodes]


def test_unification():
    from torch.fx.experimental.unification import Var, isvar, reify, unifiable, unify, variables

    x, y, z = Var("x"), Var("y"), Var("z")
    assert unify((1, x), (1, 2), {}) == {x: 2}
    assert unify((x, x), (1, 2), {}) is False
    assert unify({"a": x, "b": [y]}, {"a": 1, "b": [2]}, {}) == {x: 1, y: 2}
    assert reify((1, x, [y]), {x: 5, y: z, z: 7}) == (1, 5, [7])
    with variables(3):
        assert isvar(3)
        assert unify((3, 1), (2, 1), {}) == {3: 2}

    @unifiable
    class Pair:
        def __init__(self, a, b):
            self.a, self.b = a, b

    assert unify(Pair(1, x), Pair(1, 2), {}) == {x: 2}
    assert reify(Pair(1, x), {x: 4}).b == 4


def test_functions_of_several_bodies():
    from torch.fx.experimental.unification.match import VarDispatcher, match
    from torch.fx.experimental.unification.multipledispatch import dispatch
    from torch.fx.experimental.unification.variable import Var

    space = {}
    for types, name in (((int,), "int"), ((object,), "object"), (((float, str),), "text"), (([int],), "many")):
        function = dispatch(*types, namespace=space)(_named(name))
    assert [function(*args) for args in ((1,), ([],), (1.5,), ("a",), (1, 2, 3))] == [
        *("int", "object", "text", "text", "many")
    ]
    with pytest.raises(NotImplementedError, match="Could not find signature for f: <int, str>"):
        function(1, "a")

    space = {}
    n = Var("n")
    match(0, namespace=space, Dispatcher=VarDispatcher)(_factorial(lambda: 1))
    factorial = match(n, namespace=space, Dispatcher=VarDispatcher)(_factorial(lambda n: n * factorial(n - 1)))
    assert factorial(5) == 120


def _named(name):
    def f(*args):
        return name

    return f


def _factorial(function):
    function.__name__ = "factorial"
    return function


def test_sizes_are_numbers():
    from torch.fx.experimental import symbolic_shapes as shapes

    assert shapes.guard_int(3) == 3
    assert shapes.sym_eq((1, 2), (1, 2))
    assert not shapes.sym_and(True, False)
    assert shapes.statically_known_true(True)
    assert not shapes.guard_or_false(False)
    assert shapes.create_contiguous((2, 3, 4)) == [12, 4, 1]
    strided = [((2, 3), (3, 1)), ((2, 3), (4, 1)), ((1, 3), (99, 1)), ((2, 3), (1, 2))]
    assert [shapes.eval_is_non_overlapping_and_dense(*one) for one in strided] == [1, 0, 1, 1]
    for guard in (shapes.guard_or_false, shapes.guard_or_true, shapes.statically_known_true):
        with pytest.raises(AssertionError, match="Expected bool, got <class 'int'>"):
            guard(3)
    with pytest.raises(AssertionError, match="Expected 3 == 4"):
        shapes.constrain_unify(3, 4)
    keys = (shapes.ConvertIntKey(), shapes.CallMethodKey("size"), shapes.InnerTensorKey("ndim"), shapes.DivideByKey(2))
    assert [key.get(value) for key, value in zip(keys, (True, X, X, 5))] == [1, (2, 2), 2, 2]
    assert "".join(map(str, keys)) == ".cast_symbool_to_symint_guardless().size().ndim.__floordiv__(2)"
    assert {shapes.SymIntEqByExpr(3), shapes.SymIntEqByExpr(3)} == {shapes.SymIntEqByExpr(3)}
    with pytest.raises(AssertionError, match="Expected int, got 2.5"):
        shapes.guard_int(2.5)
    with pytest.raises(ValueError, match=r"Invalid value 3 for range \[1:2\]"):
        shapes.constrain_range(3, min=1, max=2)
    with pytest.raises(NotImplementedError, match="ShapeEnv: this torch's sizes are numbers"):
        shapes.ShapeEnv()
    with pytest.raises(NotImplementedError, match="there are no symbolic sizes"):
        shapes.StatelessSymbolicContext([])


def test_modules_that_pytorch_has_saved():
    saved = pathlib.Path(__file__).with_name("data") / "modules.pt"
    module, trees, x, expected, expected_trees = torch.load(saved, weights_only=False)
    assert isinstance(module, fx.GraphModule)
    torch.testing.assert_close(module(x), expected)
    torch.testing.assert_close(trees({"a": x})["r"], expected_trees["r"])
    assert [n.op for n in module.graph.nodes] == ["placeholder", *["call_module"] * 3, "output"]
