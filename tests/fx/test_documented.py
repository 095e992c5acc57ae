"""What PyTorch's documentation of fx shows, and what torchvision builds on it, in programs of our own."""

import copy
import operator
import time

import pytest
import torch
import torch.nn.functional as F
from torch import fx, nn
from torch.fx.graph_module import _copy_attr


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def test_replace_one_operator():
    class M(nn.Module):
        def forward(self, x, y):
            return torch.add(x, y).relu()

    traced = fx.symbolic_trace(M())
    for node in traced.graph.nodes:
        if node.op == "call_function" and node.target is torch.add:
            node.target = torch.mul
    traced.graph.lint()
    traced.recompile()
    x = torch.tensor([2.0, -3.0])
    assert torch.equal(traced(x, x + 1), (x * (x + 1)).relu())


def test_replace_by_insertion():
    traced = fx.symbolic_trace(lambda x, y: torch.add(x, y) + 1)
    for node in traced.graph.nodes:
        if node.target is torch.add:
            with traced.graph.inserting_after(node):
                new = traced.graph.call_function(torch.bitwise_and, args=node.args)
                node.replace_all_uses_with(new)
            traced.graph.erase_node(node)
    traced.recompile()
    assert traced(torch.tensor(6), torch.tensor(3)) == 3


def test_decompose_by_proxies():
    def relu(x):
        return (x > 0) * x

    traced = fx.symbolic_trace(lambda x: F.relu(x) + F.relu(-x))
    graph, env = fx.Graph(), {}
    tracer = fx.proxy.GraphAppendingTracer(graph)
    for node in traced.graph.nodes:
        if node.target is F.relu:
            arguments = [fx.Proxy(env[x], tracer) if isinstance(x, fx.Node) else x for x in node.args]
            env[node] = relu(*arguments).node
        else:
            env[node] = graph.node_copy(node, env.__getitem__)
    made = fx.GraphModule(traced, graph)
    x = torch.tensor([1.0, -2.0])
    assert torch.equal(made(x), x.abs())
    assert F.relu not in [n.target for n in graph.nodes]


def test_inverted_transformer():
    class Negate(fx.Transformer):
        def call_function(self, target, args, kwargs):
            if target is torch.sigmoid:
                target = torch.neg
            return super().call_function(target, args, kwargs)

        def call_method(self, target, args, kwargs):
            if target == "neg":
                return args[0].relu()
            return super().call_method(target, args, kwargs)

    traced = fx.symbolic_trace(lambda x: torch.sigmoid(x).neg())
    made = Negate(traced).transform()
    x = torch.randn(3)
    assert torch.equal(made(x), (-x).relu())
    assert torch.equal(traced(x), -torch.sigmoid(x))


def test_profiling_interpreter():
    class Profiler(fx.Interpreter):
        def __init__(self, module):
            super().__init__(module)
            self.seconds = {}

        def run_node(self, n):
            start = time.perf_counter()
            result = super().run_node(n)
            self.seconds.setdefault(n.name, []).append(time.perf_counter() - start)
            return result

    module = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    profiler = Profiler(fx.symbolic_trace(module))
    x = torch.randn(2, 3)
    for _ in range(2):
        assert torch.equal(profiler.run(x), module(x))
    assert {name: len(found) for name, found in profiler.seconds.items()} == dict.fromkeys(
        ["input_1", "_0", "_1", "output"], 2
    )


def test_interpreter_names_the_node_that_failed():
    traced = fx.symbolic_trace(lambda x: (x + 1).view(7))
    with pytest.raises(RuntimeError, match=r"(?s)While executing %view : \[num_users=1\] = call_method\[target=view\]"):
        fx.Interpreter(traced).run(torch.ones(3))
    with pytest.raises(RuntimeError, match="Expected positional argument for parameter x, but one was not passed in"):
        fx.Interpreter(traced).run()
    box = [torch.ones(7)]
    assert fx.Interpreter(traced).boxed_run(box).shape == (7,)
    assert box == []


def test_convolution_and_normalisation_become_one():
    from torch.fx.experimental.optimization import fuse, optimize_for_inference, remove_dropout

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout())
            self.kept = nn.Conv2d(4, 4, 1)
            self.norm = nn.BatchNorm2d(4)

        def forward(self, x):
            y = self.kept(self.layers(x))
            return self.norm(y) + y  # y is used twice

    model = Block().eval()
    for norm in (model.layers[1], model.norm):
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.5, 2)
    x = torch.randn(2, 3, 6, 6)
    fused = fuse(model)
    kinds = [type(m).__name__ for m in fused.modules()]
    assert kinds.count("BatchNorm2d") == 1
    torch.testing.assert_close(fused(x), model(x))
    assert "Dropout" not in [type(m).__name__ for m in remove_dropout(fused).modules()]
    torch.testing.assert_close(optimize_for_inference(model)(x), model(x))
    assert any(isinstance(m, nn.BatchNorm2d) for m in model.layers)  # as it was


REWRITES = {
    "chain": (
        lambda x: torch.relu(torch.relu(torch.relu(x))),
        lambda x: torch.relu(torch.relu(x)),
        lambda x: torch.sigmoid(x),
        1,
        lambda x: torch.sigmoid(x).relu(),
    ),
    "different arguments": (
        lambda x, y: torch.cat([x, y]).sum() + torch.cat([x, x]).sum(),
        lambda a, b: torch.cat([a, b]).sum(),
        lambda a, b: torch.stack([a, b]).max(),
        1,
        lambda x, y: torch.stack([x, y]).max() + torch.cat([x, x]).sum(),
    ),
    "twice": (
        lambda x, w: x.relu() + w * 2 + (x.relu() + 3),
        lambda x: x.relu(),
        lambda x: x.neg() * 2,
        2,
        lambda x, w: -x * 2 + w * 2 + (-x * 2 + 3),
    ),
    "literals": (
        lambda x: torch.add(x, 1) * torch.add(x, 2),
        lambda x: torch.add(x, 1),
        lambda x: torch.sub(x, 1),
        1,
        lambda x: (x - 1) * (x + 2),
    ),
    "two results": (
        lambda x: (x.relu() * 2, 1)[0] + 0,
        lambda x: x.relu() * 2,
        lambda x: x.abs() * 4,
        1,
        lambda x: x.abs() * 4,
    ),
    "used outside": (
        lambda x: (lambda y: (y, y.abs()))(x.neg()),
        lambda x: x.neg().abs(),
        lambda x: x.sign(),
        0,
        lambda x: (-x, x.abs()),
    ),
    "nothing instead": (lambda x: x + 1, lambda x: x + 1, lambda x: x, 1, lambda x: x),
    "one after the other": (
        lambda x, y: (x + y) * (y + x),
        lambda a, b: a + b,
        lambda a, b: a - b,
        2,
        lambda x, y: (x - y) * (y - x),
    ),
}


@pytest.mark.parametrize("name", REWRITES)
def test_patterns_are_replaced(name):
    program, pattern, replacement, count, expected = REWRITES[name]
    traced = fx.symbolic_trace(program)
    matches = fx.replace_pattern(traced, pattern, replacement)
    assert len(matches) == count
    traced.graph.lint()
    arguments = [torch.tensor([1.0, -2.0]), torch.tensor([3.0, 0.5])][: len(traced.graph.find_nodes(op="placeholder"))]
    torch.testing.assert_close(traced(*arguments), expected(*arguments))
    for match in matches:
        assert match.nodes_map[match.anchor] is not None


def test_pattern_with_filters_and_callback():
    from torch.fx.subgraph_rewriter import replace_pattern_with_filters

    traced = fx.symbolic_trace(lambda x: torch.add(x, 1) * torch.add(x, 2))
    seen = []

    def made(match, graph, pattern):
        seen.append(match)
        return fx.symbolic_trace(lambda x: torch.mul(x, 10)).graph

    done = replace_pattern_with_filters(
        traced,
        lambda x: torch.add(x, 5),
        replacement_callback=made,
        match_filters=[lambda match, graph, pattern: match.returning_nodes[0].args[1] == 2],
        ignore_literals=True,
    )
    assert len(done) == len(seen) == 1
    assert [n.name for n in done[0].replacements] == ["mul_1"]
    assert traced(torch.tensor(3.0)) == 4 * 30
    with pytest.raises(AssertionError, match="the replacement returns 2 values, the pattern 1"):
        fx.replace_pattern(traced, lambda x: torch.add(x, 1), lambda x: (x, x.abs()))


def test_replacement_with_parameters():
    class Pattern(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(2, 2)

        def forward(self, x):
            return self.linear(x)

    class Replacement(nn.Module):
        def __init__(self):
            super().__init__()
            self.other = nn.Linear(2, 2)

        def forward(self, x):
            return self.other(x)

    module = fx.symbolic_trace(Pattern())
    new = fx.symbolic_trace(Replacement())
    fx.replace_pattern(module, fx.symbolic_trace(Pattern()), new)
    x = torch.randn(1, 2)
    assert torch.equal(module(x), new(x))
    assert [name for name, _ in module.named_children()] == ["other"]


# ---- features of models, as torchvision extracts them ---------------------------------------------------------
class PathTracer(fx.Tracer):
    """Gives every node the dotted name of the module that it is of."""

    def __init__(self):
        super().__init__()
        self.current, self.names = "", {}

    def call_module(self, m, forward, args, kwargs):
        before = self.current
        try:
            self.current = self.path_of_module(m)
            if not self.is_leaf_module(m, self.current):
                return forward(*args, **kwargs)
            return self.create_proxy("call_module", self.current, args, kwargs)
        finally:
            self.current = before

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, *_):
        proxy = super().create_proxy(kind, target, args, kwargs, name, type_expr)
        self.names[proxy.node] = self.current or str(proxy.node.name)
        return proxy


class DualModule(fx.GraphModule):
    """One graph for training, another for evaluation."""

    def __init__(self, root, train_graph, eval_graph, class_name="GraphModule"):
        super(fx.GraphModule, self).__init__()
        self.__class__.__name__ = class_name
        self.train_graph, self.eval_graph = train_graph, eval_graph
        for graph in (train_graph, eval_graph):
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module"):
                    _copy_attr(root, self, node.target)
        self.train()
        self.graph = train_graph

    def train(self, mode=True):
        if mode != self.training:
            self.graph = self.train_graph if mode else self.eval_graph
        return super().train(mode=mode)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())
        self.stages = nn.ModuleList([nn.Sequential(nn.Conv2d(4, 4, 1), nn.ReLU()) for _ in range(2)])
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x) + x
        if self.training:
            x = self.drop(x)
        return self.head(x.mean(dim=(2, 3)))


def extractor(model, wanted):
    graphs = {}
    for mode in (True, False):
        model.train(mode)
        tracer = PathTracer()
        graph = tracer.trace(model)
        module = fx.GraphModule(tracer.root, graph, type(model).__name__)
        old = module.graph.output_node()
        last = {name: node for node, name in tracer.names.items() if node.op != "placeholder"}
        module.graph.erase_node(old)
        with module.graph.inserting_after(list(module.graph.nodes)[-1]):
            module.graph.output({name: last[name] for name in wanted})
        module.graph.eliminate_dead_code()
        module.recompile()
        graphs[mode] = fx.GraphModule(module, module.graph, type(model).__name__)
    return DualModule(model, graphs[True].graph, graphs[False].graph, type(model).__name__)


def test_features_are_extracted():
    model = Backbone()
    features = extractor(model, ["stem.1", "stages.1.1"]).eval()
    model.eval()
    x = torch.randn(1, 3, 5, 5)
    found = features(x)
    assert found.keys() == {"stem.1", "stages.1.1"}
    assert torch.equal(found["stem.1"], model.stem(x))
    y = model.stem(x)
    y = model.stages[0](y) + y
    assert torch.equal(found["stages.1.1"], model.stages[1](y))
    assert not hasattr(features, "head")
    made = copy.deepcopy(features.eval_graph)
    assert str(made) == str(features.eval_graph)
    features.train()
    assert features(x).keys() == found.keys()
    assert operator.add in [n.target for n in features.graph.nodes]
