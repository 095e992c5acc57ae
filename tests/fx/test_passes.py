"""Passes over graphs."""

import inspect
import operator
import pathlib
import sys

import pytest
import torch
import torch.nn.functional as F
from torch import fx, nn
from torch.fx.passes.infra.pass_base import PassBase, PassResult
from torch.fx.passes.operator_support import OperatorSupport, OpSupports, any_chain, chain, create_op_support
from torch.fx.passes.shape_prop import ShapeProp, TensorMetadata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2)
        self.p = nn.Parameter(torch.ones(2))
        self.register_buffer("buf", torch.ones(2))

    def forward(self, x, y=1.0, *, z=None):
        h = self.a(x) + self.p
        u = self.b(h) * y
        v = self.c(u) + h + self.buf
        return v, u.sum(), self.p * 2


X = torch.tensor([[1.0, -2.0], [0.5, 3.0]])


@pytest.fixture
def traced():
    torch.manual_seed(0)
    return fx.symbolic_trace(Net())


def same(found, expected):
    return len(found) == len(expected) and all(torch.equal(a, b) for a, b in zip(found, expected))


def test_shapes(traced):
    ShapeProp(traced).propagate(X)
    metas = {n.name: n.meta.get("tensor_meta") for n in traced.graph.nodes}
    assert metas["add"] == TensorMetadata(
        torch.Size([2, 2]), torch.float32, True, (2, 1), torch.contiguous_format, False, {}
    )
    assert metas["y"] is None
    assert metas["sum_1"].shape == ()
    assert metas["output"][2].shape == (2,)
    assert traced.graph.find_nodes(op="call_module", target="a")[0].meta["type"] is torch.Tensor
    assert '"f32[2, 2]"' in traced.print_readable(print_output=False)
    with pytest.raises(RuntimeError, match="ShapeProp error for: node=%a"):
        ShapeProp(traced).propagate(torch.ones(2, 5))
    with pytest.raises(NotImplementedError, match="no fake tensors"):
        ShapeProp(traced, fake_mode=object())


def test_shapes_of_images_know_the_memory_format():
    traced = fx.symbolic_trace(lambda x: F.relu(x))
    ShapeProp(traced).propagate(torch.ones(1, 3, 4, 4).to(memory_format=torch.channels_last))
    assert traced.graph.output_node().args[0].meta["tensor_meta"].memory_format is torch.channels_last


def test_values_without_memory(traced):
    from torch.fx.passes.fake_tensor_prop import FakeTensorProp

    result = FakeTensorProp(traced).propagate(X)
    assert result[0].device.type == "meta"
    assert traced.graph.find_nodes(op="call_module", target="c")[0].meta["val"].shape == (2, 2)
    assert traced.a.weight.device.type == "cpu"


@pytest.mark.parametrize("options", [{}, {"keep_original_order": True, "keep_original_node_name": True}])
def test_split_module(traced, options):
    from torch.fx.passes.split_module import split_module

    calls = iter(range(20))
    names = {}
    made = split_module(traced, traced, lambda node: next(calls) // 3, names, **options)
    assert [name for name, _ in made.named_children()] == ["submod_0", "submod_1", "submod_2"]
    assert names == {"submod_0.a": "a", "submod_0.b": "b", "submod_1.c": "c"}
    assert same(made(X), traced(X))
    assert same(made(X, 3.0), traced(X, 3.0))
    assert ("add_2" in made.submod_2.code) is bool(options)
    made.graph.lint()


def test_split_module_keeps_an_order_that_works(traced):
    from torch.fx.passes.split_module import split_module, split_module_simple

    order = {"a": 1, "add": 1, "b": 0, "mul": 0}
    made = split_module(traced, traced, lambda node: order.get(node.name, 2), partition_affix="x")
    assert [n.target for n in made.graph.find_nodes(op="call_module")] == ["submod_x_1", "submod_x_0", "submod_x_2"]
    assert same(made(X), traced(X))
    with pytest.raises(RuntimeError, match="cycle exists between partitions!"):
        split_module(traced, traced, lambda node: 0 if node.name in ("a", "c") else 1)
    calls = [n for n in traced.graph.nodes if n.op.startswith("call")]
    made = split_module_simple(traced, {n: i // 4 for i, n in enumerate(calls)})
    assert same(made(X), traced(X))


def test_split_by_tags(traced):
    from torch.fx.passes.split_utils import split_by_tags

    for node in traced.graph.nodes:
        if node.op.startswith("call"):
            node.tag = "red" if node.name in ("a", "add") else "blue"
    made, names = split_by_tags(traced, ["red", "blue"], return_fqn_mapping=True)
    assert [name for name, _ in made.named_children()] == ["red", "blue"]
    assert names["a"] == "red.a"
    assert same(made(X, 1.0, None), traced(X))
    with pytest.raises(AssertionError, match="needs add, which the later red computes"):
        split_by_tags(traced, ["blue", "red"])


class Functions(OperatorSupport):
    def is_node_supported(self, submodules, node):
        return node.op == "call_function"


def test_partitions():
    from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner

    def program(a, b):
        return ((a + b).relu() + (a * b).sin()).cos() + a + (a - b).relu()

    traced = fx.symbolic_trace(program)
    partitioner = CapabilityBasedPartitioner(traced, Functions(), allows_single_node_partition=True)
    partitions = partitioner.propose_partitions()
    assert [[n.name for n in p.nodes] for p in partitions] == [["add_2", "add_3"], ["add_1", "sub"], ["add", "mul"]]
    fused = partitioner.fuse_partitions(partitions)
    assert [n.target for n in fused.graph.find_nodes(op="call_module")] == ["fused_2", "fused_1", "fused_0"]
    assert torch.equal(fused(X, X + 1), program(X, X + 1))
    fused.graph.lint()


def test_small_partitions_are_left():
    from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner

    traced = fx.symbolic_trace(lambda a: (a + 1).relu())
    assert CapabilityBasedPartitioner(traced, Functions()).propose_partitions() == []


def test_operator_support(traced):
    ShapeProp(traced).propagate(X)
    nodes = {n.name: n for n in traced.graph.nodes}
    modules = dict(traced.named_modules())
    table = OperatorSupport(
        {"torch.nn.modules.linear.Linear": None, "_operator.add": (((torch.float32,), (torch.float64,)), {})}
    )
    assert table.is_node_supported(modules, nodes["a"])
    assert not table.is_node_supported(modules, nodes["b"])
    assert not table.is_node_supported(modules, nodes["add"])
    by_name = OpSupports.decline_if_node_in_names({"a"})
    by_dtype = OpSupports.decline_if_input_dtype(torch.float32)
    always = create_op_support(lambda submodules, node: True)
    assert not chain(always, by_name).is_node_supported(modules, nodes["a"])
    assert any_chain(always, by_name).is_node_supported(modules, nodes["a"])
    assert not by_dtype.is_node_supported(modules, nodes["add"])


def test_matcher_with_names():
    from torch.fx.passes.utils.matcher_with_name_node_map_utils import SubgraphMatcherWithNameNodeMap

    def pattern(x, weight):
        conv = F.linear(x, weight)
        relu = F.relu(conv)
        return relu, {"conv": conv, "relu": relu}

    program = fx.symbolic_trace(lambda x, w: F.relu(F.linear(x.neg(), w)).sum())
    (match,) = SubgraphMatcherWithNameNodeMap(fx.symbolic_trace(pattern)).match(program.graph)
    assert {name: node.name for name, node in match.name_node_map.items()} == {"conv": "linear", "relu": "relu"}
    with pytest.raises(AssertionError, match="returns a tuple whose last element"):
        SubgraphMatcherWithNameNodeMap(program)


def test_graphs_are_compared():
    from torch.fx.passes.utils.common import compare_graphs

    one = fx.symbolic_trace(lambda x: torch.relu(x) + 1).graph
    assert compare_graphs(one, fx.symbolic_trace(lambda y: torch.relu(y) + 1).graph)
    assert not compare_graphs(one, fx.symbolic_trace(lambda y: torch.relu(y) + 2).graph)


def test_common_subexpressions():
    from torch.fx.passes.dialect.common.cse_pass import CSEPass, get_CSE_banned_ops

    traced = fx.symbolic_trace(
        lambda x: torch.sin(x) + torch.sin(x) * torch.cos(x) + torch.rand_like(x) + torch.rand_like(x)
    )
    result = CSEPass(get_CSE_banned_ops())(traced)
    assert result.modified
    targets = [n.target for n in result.graph_module.graph.nodes]
    assert targets.count(torch.sin) == 1
    assert targets.count(torch.rand_like) == 2
    torch.manual_seed(0)
    expected = traced(X)
    torch.manual_seed(0)
    assert torch.equal(result.graph_module(X), expected)


def test_sorting():
    from torch.fx.passes.tools_common import legalize_graph, stable_topological_sort

    for sort in (legalize_graph, stable_topological_sort):
        traced = fx.symbolic_trace(lambda x: torch.relu(torch.sin(x)) + 1)
        expected = traced(X)
        nodes = {n.name: n for n in traced.graph.nodes}
        nodes["relu"].append(nodes["sin"])
        with pytest.raises(RuntimeError):
            traced.graph.lint()
        sort(traced).graph.lint()
        assert torch.equal(traced(X), expected)
        nodes["sin"].args = (nodes["relu"],)
        with pytest.raises(RuntimeError, match="Input graph has cycles"):
            sort(traced)


def test_managers():
    from torch.fx.passes import pass_manager as plain
    from torch.fx.passes.infra import pass_manager as infra

    class Relu(PassBase):
        def call(self, graph_module):
            changed = False
            for node in graph_module.graph.nodes:
                if node.target is torch.sin:
                    node.target, changed = torch.relu, True
            graph_module.recompile()
            return PassResult(graph_module, changed)

    def again(module):
        return module

    relu = Relu()
    wrapped = infra.pass_result_wrapper(again)
    manager = infra.PassManager([wrapped, relu], [infra.this_before_that_pass_constraint(relu, wrapped)], steps=3)
    traced = fx.symbolic_trace(lambda x: torch.sin(x))
    result = manager(traced)
    assert result.modified
    assert torch.equal(result.graph_module(X), X.relu())
    assert manager.passes == [relu, wrapped]
    with pytest.raises(TypeError, match="should only take in one variable"):
        manager.add_checks(lambda a, b: None)
    manager.add_constraint(infra.this_before_that_pass_constraint(wrapped, relu))
    with pytest.raises(RuntimeError, match="pass schedule constraint violated"):
        manager.validate_constraints()
    with pytest.raises(RuntimeError, match="Circular dependency"):
        manager.solve_constraints()

    add = plain.loop_pass(lambda x: x + 1, n_iter=3)
    double = plain.loop_pass(lambda x: x * 2, predicate=lambda x: x < 20)
    assert plain.PassManager([add, double])(1) == 32
    with pytest.raises(RuntimeError, match="pass schedule constraint violated"):
        plain.PassManager([add, double], [plain.this_before_that_pass_constraint(double, add)])(1)


def test_sizes_and_attributes(traced):
    from torch.fx.passes.graph_manipulation import get_size_of_all_nodes, replace_target_nodes_with
    from torch.fx.passes.param_fetch import lift_lowering_attrs_to_nodes

    simple = fx.symbolic_trace(nn.Sequential(nn.Linear(2, 3)))
    get_size_of_all_nodes(simple, [X])
    node = simple.graph.find_nodes(op="call_module", target="0")[0]
    assert node.size_bytes == (24, 24 + 36)
    lift_lowering_attrs_to_nodes(simple)
    assert node.attrs_for_lowering["weight"] is getattr(simple, "0").weight
    program = fx.symbolic_trace(lambda x: torch.add(x, 1))
    replace_target_nodes_with(program, "call_function", torch.add, "call_function", torch.sub)
    assert torch.equal(program(X), X - 1)


def test_pictures(traced):
    from torch.fx.passes.graph_drawer import HAS_PYDOT, FxGraphDrawer

    ShapeProp(traced).propagate(X)
    drawer = FxGraphDrawer(traced, "net")
    text = drawer.get_dot_source()
    assert text.startswith('digraph "net" {')
    assert '"a" -> "add";' in text
    assert "shape=(2, 2)" in text
    assert '"a.weight" -> "a";' in text
    if not HAS_PYDOT:
        with pytest.raises(RuntimeError, match="requires the pydot package"):
            drawer.get_dot_graph()


def test_observer(traced, tmp_path):
    from torch.fx.passes.graph_transform_observer import GraphTransformObserver

    with GraphTransformObserver(traced, "changes", log_url=tmp_path) as seen:
        last = traced.graph.output_node()
        with traced.graph.inserting_before(last):
            node = traced.graph.call_function(torch.relu, (traced.graph.find_nodes(op="placeholder")[0],))
        traced.graph.erase_node(node)
        assert seen.created_nodes == seen.erased_nodes == {"relu"}
    assert len(list(tmp_path.iterdir())) == 2
    assert traced._create_node_hooks == []


def test_types_of_elements():
    from torch.fx.passes.annotate_getitem_nodes import annotate_getitem_nodes

    def program(x: tuple[int, str], y: list[float]):
        return x[0], x[1], y[3]

    graph = fx.symbolic_trace(program).graph
    annotate_getitem_nodes(graph)
    assert [n.type for n in graph.find_nodes(op="call_function", target=operator.getitem)] == [int, str, float]


def test_constants_are_folded():
    from torch.fx.experimental.const_fold import split_const_subgraphs

    class Constants(nn.Module):
        def __init__(self):
            super().__init__()
            self.w, self.v = nn.Parameter(torch.ones(2, 2)), nn.Parameter(torch.full((2, 2), 2.0))
            self.linear = nn.Linear(2, 2)

        def forward(self, x):
            return self.linear(x @ (self.w + self.v).relu()), torch.matmul(x, self.v)

    module = Constants()
    folded = split_const_subgraphs(module)
    assert same(folded(X), module(X))
    assert [n.target for n in folded.graph.nodes if n.op == "call_function"] == [operator.matmul, torch.matmul]
    plain = split_const_subgraphs(nn.Sequential(nn.ReLU()))
    assert torch.equal(plain(X), X.relu())


def test_products_are_merged():
    from torch.fx.experimental.merge_matmul import merge_matmul

    class Products(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.randn(2, 3))

        def forward(self, x, y):
            return torch.matmul(x, self.w), torch.matmul(y, self.w)

    module = Products()
    merged = merge_matmul(module)
    assert [n.target for n in merged.graph.nodes].count(torch.matmul) == 1
    for a, b in zip(merged(X, X[:1]), module(X, X[:1])):
        torch.testing.assert_close(a, b)


def test_normalized_arguments():
    from torch.fx.experimental.normalize import NormalizeArgs, NormalizeOperators
    from torch.fx.operator_schemas import normalize_function, normalize_module

    pair = normalize_function(torch.flatten, (X,), {"end_dim": 1}, normalize_to_only_use_kwargs=True)
    assert pair.args == ()
    assert list(pair.kwargs) == ["input", "start_dim", "end_dim"]
    assert pair.kwargs["input"] is X
    pair = normalize_function(F.relu, (1,), {}, normalize_to_only_use_kwargs=True)
    assert pair == ((), {"input": 1, "inplace": False})
    assert normalize_function(torch.flatten, (1, 1)) == ((1, 1), {"end_dim": -1})
    assert normalize_function(len, (X,)) is None
    assert normalize_module(nn.Sequential(nn.Linear(2, 2)), "0", (1,), {}, True) == ((), {"input": 1})
    made = NormalizeArgs(fx.symbolic_trace(lambda x: torch.flatten(x, 0))).transform()
    (node,) = made.graph.find_nodes(op="call_function", target=torch.flatten)
    assert node.kwargs == {"input": node.all_input_nodes[0], "start_dim": 0, "end_dim": -1}
    assert torch.equal(made(X), X.flatten())
    made = NormalizeOperators(fx.symbolic_trace(lambda x: torch.add(x, 1))).transform()
    assert made.graph.output_node().args[0].target is operator.add


def test_signatures_of_operators():
    from torch.fx.operator_schemas import get_signature_for_torch_op

    plain, out = get_signature_for_torch_op(torch.matmul)
    assert list(plain.parameters) == ["input", "other"]
    assert plain.return_annotation is out.return_annotation is torch.Tensor
    assert out.parameters["out"].kind is inspect.Parameter.KEYWORD_ONLY
    values = get_signature_for_torch_op(torch.sort)[0].return_annotation
    assert values == (torch.Tensor, torch.Tensor)
    assert get_signature_for_torch_op(torch.split)[0].return_annotation == list[torch.Tensor]


def test_asserts_are_rewritten():
    from programs import asserting
    from torch.fx.experimental.rewriter import RewritingTracer

    module = fx.GraphModule({}, RewritingTracer().trace(asserting))
    assert torch.equal(module(X), X + 1)
    with pytest.raises(AssertionError, match="not positive"):
        module(-X)

    def plain(x):
        y: torch.Tensor = x * 2
        return y

    graph = RewritingTracer().trace(plain)
    assert graph.output_node().args[0].type is torch.Tensor


def test_what_is_not_there_says_so():
    from torch.fx.experimental.proxy_tensor import handle_sym_dispatch
    from torch.fx.passes.reinplace import reinplace

    with pytest.raises(NotImplementedError, match="handle_sym_dispatch: sizes are numbers in this torch"):
        handle_sym_dispatch(lambda x: x, (), {})
    with pytest.raises(NotImplementedError, match="reinplace: "):
        reinplace(fx.symbolic_trace(lambda x: x))


def test_annotations_and_stops():
    from torch.fx.annotate import annotate
    from torch.fx.experimental.debug import set_trace
    from torch.fx.tensor_type import Dyn, TensorType, is_consistent, is_more_precise

    graph = fx.symbolic_trace(lambda x: annotate(x + 1, int)).graph
    assert graph.output_node().args[0].type is int
    assert annotate(3, int) == 3
    assert "pdb.set_trace()" in set_trace(fx.symbolic_trace(lambda x: x)).code
    assert is_consistent(TensorType((1, Dyn)), TensorType((1, 2)))
    assert not is_consistent(TensorType((1, 3)), TensorType((1, 2)))
    assert is_more_precise(TensorType((1, 2)), TensorType((1, Dyn)))
    assert str(TensorType[1, Dyn]) == "TensorType[(1, Dyn)]"


def test_notes_go_with_nodes():
    from torch.fx import traceback

    with traceback.annotate({"stage": 1}), traceback.preserve_node_meta():
        traced = fx.symbolic_trace(lambda x: x + 1)
    assert traced.graph.output_node().args[0].meta["custom"] == {"stage": 1}
    made = fx.Transformer(traced).transform()
    node = made.graph.output_node().args[0]
    assert node.meta["custom"] == {"stage": 1}
    assert node.meta["from_node"][0].name == "add"


@pytest.mark.parametrize("modified", [True, False])
def test_a_manager_compiles_what_a_pass_has_changed(modified):
    from torch.fx.passes.infra.pass_manager import PassManager

    class Times(PassBase):
        def call(self, graph_module):
            for node in graph_module.graph.find_nodes(op="call_function", target=torch.add):
                node.target = torch.mul
            return PassResult(graph_module, modified)

    traced = fx.symbolic_trace(lambda x: torch.add(x, 3))
    assert PassManager([Times()])(traced).graph_module(torch.tensor(2.0)) == 6
