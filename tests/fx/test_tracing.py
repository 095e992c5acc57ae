"""What tracing refuses, and says; what it leaves as it was; wrap(), leaves, concrete_args."""

import inspect
import math
import operator
import pathlib
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F
from torch import fx, nn
from torch.fx.proxy import GraphAppendingTracer, TraceError

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from programs import asserting  # noqa: E402 - pytest rewrites asserts in this file

ONE = torch.ones(2)


def branches(x):
    if x.sum() > 0:
        return x
    return -x


def loops(x):
    for row in x:
        x = x + row
    return x


def with_tensor(x, y=ONE):
    return x + y


REFUSED = {
    "if": (branches, TraceError, "symbolically traced variables cannot be used as inputs to control flow"),
    "for": (loops, TraceError, "Proxy object cannot be iterated"),
    "star": (lambda x: torch.cat([*x]), TraceError, "Proxy object cannot be iterated"),
    "in": (lambda x: 3 in x, TraceError, "Proxy object cannot be iterated"),
    "and": (lambda x: x > 0 and x < 1, TraceError, "control flow"),
    "len": (lambda x: len(x), RuntimeError, "'len' is not supported in symbolic tracing by default"),  # noqa: PLW0108
    "int": (lambda x: int(x), TypeError, "'Proxy'"),  # noqa: PLW0108
    "range": (lambda x: list(range(x.size(0))), TypeError, "'Proxy'"),
    "key": (lambda x: {x: 1}, RuntimeError, "Keys for dictionaries used as an argument cannot contain a Node"),
    "default": (with_tensor, TraceError, "the argument y has a Tensor for its default"),
    "set": (lambda x: {x}, NotImplementedError, "argument of type: <class 'set'>"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_recorded_is_refused(name):
    function, error, phrase = REFUSED[name]
    call, getter = nn.Module.__call__, nn.Module.__getattr__
    with pytest.raises(error, match=phrase):
        fx.symbolic_trace(function)
    # Nothing is left of the attempt.
    assert nn.Module.__call__ is call
    assert nn.Module.__getattr__ is getter
    assert not torch.fx._symbolic_trace.is_fx_tracing()


@pytest.mark.parametrize(("function", "offset"), [(branches, 1), (loops, 1)])
def test_error_names_the_line(function, offset):
    line = inspect.getsourcelines(function)[1] + offset
    with pytest.raises(TraceError) as raised:
        fx.symbolic_trace(function)
    assert __file__ in str(raised.value)
    assert f"line {line}, in {function.__name__}" in str(raised.value)
    assert inspect.getsource(function).split("\n")[offset].strip() in str(raised.value)


def test_setitem_is_refused():
    def assigns(x):
        x[0] = 1
        return x

    with pytest.raises(TypeError, match="'Proxy' object does not support item assignment"):
        fx.symbolic_trace(assigns)


def test_asserts_can_be_recorded():
    class Tracer(fx.Tracer):
        trace_asserts = True

    traced = fx.GraphModule({}, Tracer().trace(asserting))
    assert traced(torch.ones(2)).tolist() == [2, 2]
    with pytest.raises(AssertionError):
        traced(-torch.ones(2))


def test_values_of_one_argument_are_checked():
    def chooses(x, flag=True, n=3):
        return x * n if flag else -x

    traced = fx.symbolic_trace(chooses, concrete_args={"flag": False, "n": 3})
    x = torch.ones(2)
    assert torch.equal(traced(x, False, 3), -x)
    with pytest.raises(AssertionError, match="flag has been specialized to have value False but got another value"):
        traced(x, True)
    traced = fx.symbolic_trace(chooses, concrete_args={"flag": None, "n": 3})
    with pytest.raises(AssertionError, match="flag has been specialized to have value None"):
        traced(x, True)


def test_containers_of_unknowns():
    def program(d, pair):
        return [d["x"] + pair[0], {"k": pair[1] * d["n"]}]

    concrete = {"d": {"x": fx.PH, "n": 2}, "pair": (fx.PH, fx.PH)}
    traced = fx.symbolic_trace(program, concrete_args=concrete)
    x = torch.ones(2)
    found = traced({"x": x, "n": 2}, (x, x))
    assert torch.equal(found[0], 2 * x)
    assert torch.equal(found[1]["k"], 2 * x)
    with pytest.raises(AssertionError, match="d has been specialized to have value 2"):
        traced({"x": x, "n": 3}, (x, x))
    with pytest.raises(IndexError, match="traced with 2"):
        traced({"x": x, "n": 2}, (x,))

    def with_defaults(d, flag=True, k=2.0):
        return d["a"] * k if flag else d["a"]

    traced = fx.symbolic_trace(with_defaults, concrete_args={"d": {"a": fx.PH}, "flag": True})
    assert torch.equal(traced({"a": x}), 2 * x)
    assert torch.equal(traced({"a": x}, k=3.0), 3 * x)


fx.wrap("doubled")


def doubled(x):
    return x * 2 if x.sum() > 0 else x


def test_wrapped_functions_are_one_step():
    traced = fx.symbolic_trace(lambda x: doubled(x) + math.sqrt(x.shape[0]))
    assert [n.target for n in traced.graph.nodes if n.op == "call_function"][0] is doubled
    assert math.sqrt in [n.target for n in traced.graph.nodes]
    x = torch.ones(4)
    assert torch.equal(traced(x), x * 2 + 2)
    again = fx.symbolic_trace(traced)  # the generated code knows what to record
    assert torch.equal(again(x), x * 2 + 2)
    assert math.sqrt(4) == 2


def test_wrap_belongs_to_the_top_level():
    with pytest.raises(NotImplementedError, match="wrap must be called at the top level of a module"):
        fx.wrap("doubled")
    with pytest.raises(RuntimeError, match="Unsupported type for global function"):
        fx.wrap(3)


class Mine(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.shared = self.linear

    def forward(self, x, *, times=1):
        for _ in range(3):
            x = self.shared(self.linear(x)) * times
        return x


def test_leaves_are_chosen_by_the_tracer():
    class Everything(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return False

    inside = Everything().trace(Mine())
    assert {n.op for n in inside.nodes} == {"placeholder", "get_attr", "call_function", "output"}
    outer = nn.Sequential(Mine())

    class Whole(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return isinstance(m, Mine)

    assert [n.target for n in Whole().trace(outer).nodes if n.op == "call_module"] == ["0"]


def test_module_that_is_none_of_the_roots():
    other = nn.Linear(2, 2)
    with pytest.raises(NameError, match="is not installed as a submodule"):
        fx.symbolic_trace(lambda x: other(x))


def test_module_stack_names_calls():
    graph = fx.symbolic_trace(nn.Sequential(Mine())).graph
    stacks = [list(n.meta["nn_module_stack"]) for n in graph.nodes if n.op == "call_module"]
    assert stacks[0] == ["0", "0.linear"]
    assert stacks[1] == ["0", "0.linear@1"]
    assert stacks[5] == ["0", "0.linear@5"]


def test_parameter_shapes_may_be_known():
    class Shaped(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(3, 4))

        def forward(self, x):
            return x * self.weight if self.weight.shape[0] == 3 and self.weight.dim() == 2 else x

    with pytest.raises(TraceError):
        fx.symbolic_trace(Shaped())
    graph = fx.Tracer(param_shapes_constant=True).trace(Shaped())
    assert [n.op for n in graph.nodes] == ["placeholder", "get_attr", "call_function", "output"]


def test_buffers_may_be_proxies():
    class Buffered(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("b", torch.ones(2))

        def forward(self, x):
            return self.b + 1 + x

    class Tracer(fx.Tracer):
        proxy_buffer_attributes = True

    assert "b" in [n.target for n in Tracer().trace(Buffered()).nodes if n.op == "get_attr"]
    traced = fx.symbolic_trace(Buffered())
    assert traced(torch.ones(2)).tolist() == [3, 3]


def test_stack_traces():
    def program(x):
        y = x + 1
        return y * 2

    tracer = fx.Tracer()
    tracer.record_stack_traces = True
    graph = tracer.trace(program)
    assert "y = x + 1" in graph.find_nodes(op="call_function", target=operator.add)[0].stack_trace
    text = fx.GraphModule({}, graph).print_readable(print_output=False)
    assert "in program, code: y = x + 1" in text
    assert "in program, code: return y * 2" in text


def test_mutable_operations_can_be_refused():
    class Tracer(fx.Tracer):
        check_mutable_operations = True

    with pytest.raises(RuntimeError, match="Tried to trace mutable operation"):
        Tracer().trace(lambda x: torch.relu_(x))
    with pytest.raises(RuntimeError, match="Tried to trace mutable operation"):
        Tracer().trace(lambda x: torch.add(x, 1, out=x))
    Tracer().trace(lambda x: torch.relu(x))


class Pair(metaclass=fx.ProxyableClassMeta):
    def __init__(self, left, right):
        self.left, self.right = left, right

    def add(self, other):
        return Pair(self.left + other.left, self.right + other.right)


def test_objects_of_proxyable_classes():
    def program(x, y):
        return Pair(x, y).add(Pair(y, y))

    found = fx.symbolic_trace(program)(1, 2)
    assert isinstance(found, Pair)
    assert (found.left, found.right) == (3, 4)


def test_proxies_of_a_graph_built_by_hand():
    graph = fx.Graph()
    x = fx.Proxy(graph.placeholder("x"))
    assert isinstance(x.tracer, GraphAppendingTracer)
    a, b = F.relu(x).chunk(2)
    graph.output((a.sum() + b.shape[0]).node)
    module = fx.GraphModule({}, graph)
    assert module(torch.tensor([1.0, -1.0, 2.0, 3.0])) == 3
    assert repr(x) == "Proxy(x)"


SIZES = {
    "zeros": lambda x: torch.zeros(x.size(0), 2),
    "list": lambda x: torch.ones([x.size(0), x.size(1)]),
    "arange": lambda x: torch.arange(x.size(1)),
    "full": lambda x: torch.full((x.shape[0],), 2.0),
    "view": lambda x: x.contiguous().view(x.size(1), -1),
    "constant view": lambda x: torch.ones(4, 1).expand(4, x.size(1)) + x.sum(),
    "constant matmul": lambda x: torch.ones(2, 2) @ x,
    "constant sum": lambda x: torch.ones(2, 3).sum(dim=x.dim() - 1) + x[:, 0],
    "einsum": lambda x: torch.einsum("ij->j", x),
    "tensordot": lambda x: torch.tensordot(x, x, dims=2),
    "topk": lambda x: x.topk(x.size(0) - 1, dim=0).values,
}


@pytest.mark.parametrize("name", SIZES)
def test_numbers_that_are_not_known_yet(name):
    x = torch.arange(6.0).reshape(2, 3)
    traced = fx.symbolic_trace(SIZES[name])
    assert torch.equal(traced(x), SIZES[name](x))


def test_extra_positional_arguments_stay_extra():
    def program(a, *args, b=3, **kwargs):
        return a + args[0] + b + kwargs["y"]

    assert fx.symbolic_trace(program)(1, 10, y=100) == program(1, 10, y=100) == 114
    assert fx.symbolic_trace(program)(1, 10, b=5, y=100) == 116


def test_import_is_lazy():
    code = "import sys, torch; print([m for m in sys.modules if m.startswith('torch.fx')]); print(torch.fx.Graph)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines() == ["[]", "<class 'torch.fx.graph.Graph'>"]
