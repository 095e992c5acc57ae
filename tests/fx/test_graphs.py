"""Graphs that are built and changed by hand; GraphModules: code, copies, pickles, folders."""

import copy
import gc
import importlib
import operator
import pickle
import sys

import pytest
import torch
from torch import fx, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        self.register_buffer("offset", torch.ones(3))

    def forward(self, x, scale=2.0):
        return self.body(self.linear(x)) * scale + self.offset


X = torch.arange(6.0).reshape(2, 3)


@pytest.fixture
def traced():
    torch.manual_seed(0)
    return fx.symbolic_trace(Net())


def names(graph):
    return [n.name for n in graph.nodes]


def test_insert_points():
    graph = fx.Graph()
    x = graph.placeholder("x")
    out = graph.output(x)
    with graph.inserting_before(out):
        graph.call_function(torch.relu, (x,))
        graph.call_function(torch.abs, (x,))
    with graph.inserting_after(x):
        graph.call_function(torch.sin, (x,))
        graph.call_function(torch.cos, (x,))
    with graph.inserting_before():
        graph.placeholder("first")
    assert names(graph) == ["first", "x", "cos", "sin", "relu", "abs_1", "output"]
    assert [n.name for n in reversed(graph.nodes)] == names(graph)[::-1]
    assert x < out
    assert graph.output_node() is out
    assert graph.find_nodes(op="call_function", target=torch.sin)[0].args == (x,)


def test_moving_and_replacing():
    graph = fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    a = graph.call_function(torch.add, (x, y), {"alpha": 2})
    b = graph.call_method("sum", (a,))
    graph.output([b, {"a": a}])
    a.replace_input_with(y, x)
    assert a.all_input_nodes == [x]
    assert not y.users
    changed = a.replace_all_uses_with(x, delete_user_cb=lambda user: user.op == "output")
    assert [n.op for n in changed] == ["output"]
    assert list(a.users) == [b]
    a.update_arg(1, 5)
    a.update_kwarg("alpha", 3)
    a.insert_arg(2, 7)
    assert a.args == (x, 5, 7)
    assert a.kwargs == {"alpha": 3}
    y.prepend(b)
    assert names(graph) == ["x", "sum_1", "y", "add", "output"]
    with pytest.raises(RuntimeError, match="was used before it has been defined"):
        graph.lint()


ERRORS = {
    "op": (lambda g, x: g.create_node("foo", "x"), AssertionError, "op 'foo' is not in _legal_ops"),
    "target": (lambda g, x: g.call_function("a"), ValueError, "but a Callable is expected"),
    "erase": (lambda g, x: g.erase_node(x), RuntimeError, "Tried to erase Node x but it still had 1 users"),
    "other": (
        lambda g, x: g.inserting_before(fx.Graph().placeholder("q")),
        AssertionError,
        "Node to insert before is not in graph",
    ),
    "move": (lambda g, x: x.append(fx.Graph().placeholder("q")), AssertionError, "into a different Graph"),
    "index": (lambda g, x: x.insert_arg(5, 1), AssertionError, "insert_args index must be between 0 and len"),
    "list": (lambda g, x: list(x.users)[0].args[1].append(1), TypeError, "does not support mutation"),
    "dict": (lambda g, x: list(x.users)[0].kwargs.update(a=1), TypeError, "does not support mutation"),
    "output": (lambda g, x: g.output_node(), RuntimeError, "No output node found"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_leave_the_graph_as_it_was(name):
    call, error, phrase = ERRORS[name]
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(torch.sum, (x, [0]))
    before = str(graph)
    with pytest.raises(error, match=phrase):
        call(graph, x)
    assert str(graph) == before


def test_lint(traced):
    traced.graph.lint()
    node = traced.graph.find_nodes(op="call_module", target="linear")[0]
    node.target = "absent"
    with pytest.raises(RuntimeError, match="references nonexistent attribute absent"):
        traced.graph.lint()
    node.target = "offset"
    with pytest.raises(RuntimeError, match="does not reference an nn.Module"):
        traced.graph.lint()
    node.target = "linear"
    node.args = (fx.Graph().placeholder("q"),)
    with pytest.raises(RuntimeError, match="Argument 'q' of Node 'linear' does not belong to this Graph"):
        traced.graph.lint()


def test_targets_are_checked(traced):
    with pytest.raises(AttributeError, match="absent"):
        traced.graph.call_module("absent", ())
    with pytest.warns(UserWarning, match="Attempted to insert a get_attr Node with no underlying reference"):
        traced.graph.get_attr("absent")


def test_dead_code_goes(traced):
    with traced.graph.inserting_before(traced.graph.output_node()):
        x = traced.graph.find_nodes(op="placeholder")[0]
        dead = traced.graph.call_function(torch.relu, (x,))
        traced.graph.call_function(torch.abs, (dead,))
        kept = traced.graph.call_function(operator.setitem, (x, 0, 1))
        drawn = traced.graph.call_function(torch.rand, (2,))
    assert traced.graph.eliminate_dead_code()
    assert "relu" not in names(traced.graph)
    assert kept.name in names(traced.graph)
    assert drawn.name in names(traced.graph)
    assert not traced.graph.eliminate_dead_code()
    traced.graph.eliminate_dead_code(is_impure_node=lambda n: False)
    assert kept.name not in names(traced.graph)


def test_has_side_effect():
    @fx.has_side_effect
    def logged(x):
        return x

    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(logged, (x,))
    graph.output(x)
    assert not graph.eliminate_dead_code()


def test_changed_graph_takes_effect(traced):
    expected = traced(X)
    for node in traced.graph.nodes:
        if node.target is operator.mul:
            node.target = operator.truediv
    assert torch.equal(traced(X), expected)  # until it is recompiled
    traced.recompile()
    assert "scale" in traced.code
    assert torch.allclose((traced(X) - 1) * 4, expected - 1)


def test_submodules_can_be_exchanged(traced):
    before = traced(X)
    traced.linear = nn.Identity()
    body = getattr(traced.body, "1")(getattr(traced.body, "0")(X))
    assert torch.equal(traced(X), body * 2 + 1)
    assert not torch.equal(traced(X), before)
    assert traced.add_submodule("new.inner", nn.ReLU())
    assert not traced.add_submodule("offset.inner", nn.ReLU())
    assert not traced.delete_submodule("absent.a")
    traced.delete_all_unused_submodules()
    assert not hasattr(traced, "new")
    del traced.linear
    with pytest.raises(AttributeError, match="has no attribute 'linear'"):
        traced(X)


def test_key_errors_of_modules_are_theirs():
    class Raises(nn.Module):
        def forward(self, x):
            return {}["mine"]

    class Leaf(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return True

    root = nn.Sequential(Raises())
    with pytest.raises(KeyError, match="mine"):
        fx.GraphModule(root, Leaf().trace(root))(X)


def test_traceback_shows_generated_lines(traced):
    import traceback

    with pytest.raises(RuntimeError) as raised:
        traced(torch.ones(2, 5))
    shown = "".join(traceback.format_exception(raised.value))
    assert "linear = self.linear(x);  x = None" in shown


def test_root_of_objects():
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.add, (graph.call_module("a.b", (x,)), graph.get_attr("w"))))
    module = fx.GraphModule({"a.b": nn.ReLU(), "w": torch.ones(3)}, graph, class_name="Mine")
    assert torch.equal(module(X), X + 1)
    assert type(module).__name__ == "Mine"
    assert "w" in dict(module.named_buffers())
    with pytest.raises(RuntimeError, match="referenced target w but that target was not provided"):
        fx.GraphModule({"a.b": nn.ReLU()}, graph)
    with pytest.raises(RuntimeError, match="Unsupported type 3 passed for root"):
        fx.GraphModule(3, graph)


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda m: pickle.loads(pickle.dumps(m)), "copy": copy.copy}


@pytest.mark.parametrize("way", COPIES)
def test_copies(traced, way):
    traced.meta["note"] = [1]
    traced.graph.find_nodes(op="placeholder")[0].meta["mark"] = 3
    made = COPIES[way](traced)
    assert made.code == traced.code
    assert torch.equal(made(X), traced(X))
    assert made.meta == {"note": [1]}
    assert made.state_dict().keys() == traced.state_dict().keys()
    if way == "deepcopy":
        assert made.graph.find_nodes(op="placeholder")[0].meta == {"mark": 3}
    if way != "copy":
        made.linear.weight.data.zero_()
        assert traced.linear.weight.abs().sum() > 0
        assert made.graph.owning_module is made
    made.graph.lint()


def test_pickles_of_containers_and_wrapped_functions():
    def program(d):
        return {"r": d["a"] + 1}

    traced = fx.symbolic_trace(program, concrete_args={"d": {"a": fx.PH}})
    made = pickle.loads(pickle.dumps(traced))
    assert made({"a": 1}) == {"r": 2} == copy.deepcopy(traced)({"a": 1})


def test_saved_with_torch(traced, tmp_path):
    torch.save(traced, tmp_path / "m.pt")
    made = torch.load(tmp_path / "m.pt", weights_only=False)
    assert torch.equal(made(X), traced(X))


def test_graphs_are_pickled(traced):
    traced.graph.output_node().meta["note"] = "x"
    made = pickle.loads(pickle.dumps(traced.graph))
    assert str(made) == str(traced.graph)
    assert made.output_node().meta == {"note": "x"}
    made.lint()
    node = pickle.loads(pickle.dumps(traced.graph.output_node()))
    assert node.op == "output"
    assert node.all_input_nodes[0].name == "add"


def test_deep_graphs_are_pickled():
    graph = fx.Graph()
    x = graph.placeholder("x")
    for _ in range(3000):
        x = graph.call_function(torch.relu, (x,))
    graph.output(x)
    assert len(pickle.loads(pickle.dumps(graph)).nodes) == 3002
    assert len(copy.deepcopy(graph).nodes) == 3002


def test_folder(traced, tmp_path, monkeypatch):
    traced.eval()
    with pytest.warns(UserWarning, match="saved as pickled files instead: \\['body'\\]"):
        traced.to_folder(tmp_path / "made_by_fx", "Saved")
    monkeypatch.syspath_prepend(tmp_path)
    made = importlib.import_module("made_by_fx").Saved().eval()
    sys.modules.pop("made_by_fx")
    assert torch.equal(made(X), traced(X))
    assert "self.linear(x)" in (tmp_path / "made_by_fx" / "module.py").read_text()


def test_codegen_can_be_changed(traced):
    def transformer(current):
        return lambda body: ["print('run')\n", *(current(body) if current else body)]

    with traced.graph.on_generate_code(transformer):
        traced.recompile()
        assert "print('run')" in traced.code
    traced.recompile()
    assert "print('run')" not in traced.code

    class ListCodeGen(fx.graph.CodeGen):
        def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
            return (
                f"def forward(self, args_list):\n    {', '.join(v.partition(' ')[0] for v in free_vars)}, = args_list"
            )

        def process_inputs(self, *inputs):
            return inputs[0]

    expected = traced(X)
    traced.graph.set_codegen(ListCodeGen())
    traced.recompile()
    assert torch.equal(traced([X, 2.0]), expected)
    assert torch.equal(fx.Interpreter(traced).run([X, 2.0]), expected)


def test_print_readable_and_tabular(traced, capsys):
    traced.inner = fx.symbolic_trace(lambda a: a + 1)
    text = traced.print_readable()
    assert capsys.readouterr().out == text + "\n"
    assert text.startswith("class Net(torch.nn.Module):\n    def forward(self, x, scale = 2.0):")
    assert "    class inner(torch.nn.Module):\n        def forward(self, a):" in text
    try:
        import tabulate  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError):
            traced.graph.print_tabular()
        assert "relies on the library `tabulate`" in capsys.readouterr().out


def test_retracing_a_graph_module(traced):
    again = fx.symbolic_trace(traced)
    assert again.code == traced.code
    assert torch.equal(fx.symbolic_trace(nn.Sequential(traced))(X), traced(X))


def test_hooks_hear_of_changes(traced):
    heard = []
    traced._register_create_node_hook(lambda node: heard.append(("made", node.name)))
    traced._register_erase_node_hook(lambda node: heard.append(("gone", node.name)))
    traced._register_replace_node_hook(lambda old, new, user: heard.append(("for", old.name, new, user.name)))
    last = traced.graph.output_node().args[0]
    with traced.graph.inserting_after(last):
        new = traced.graph.call_function(torch.relu, (last,))
    last.replace_all_uses_with(new, delete_user_cb=lambda user: user is not new)
    new.replace_all_uses_with(last)
    traced.graph.erase_node(new)
    assert heard == [
        ("made", "relu"),
        ("for", "add", "relu", "output"),
        ("for", "relu", "add", "output"),
        ("gone", "relu"),
    ]


def test_sources_go_with_their_modules(traced):
    from torch.fx.graph_module import _loader

    gc.collect()
    before = len(_loader.eval_cache)
    for _ in range(5):
        made = copy.deepcopy(traced)
        made.recompile()
    assert len(_loader.eval_cache) <= before + 5
    del made
    gc.collect()
    assert len(_loader.eval_cache) <= before


def test_speed_of_lookups_does_not_change_names():
    class Odd(nn.Module):
        def __init__(self):
            super().__init__()
            self.add_module("a-b", nn.Sequential(nn.ReLU()))

        def forward(self, x):
            return getattr(self, "a-b")(x)

    traced = fx.symbolic_trace(Odd())
    assert 'getattr(getattr(self, "a-b"), "0")(x)' in traced.code
    assert torch.equal(traced(-X), torch.zeros(2, 3))
