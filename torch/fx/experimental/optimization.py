"""Making modules faster for inference."""

import copy

import torch
from torch import nn
from torch.fx import GraphModule, Tracer
from torch.fx.graph import Graph
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

__all__ = [
    "MklSubgraph",
    "UnionFind",
    "extract_subgraph",
    "fuse",
    "gen_mkl_autotuner",
    "matches_module_pattern",
    "modules_to_mkldnn",
    "optimize_for_inference",
    "remove_dropout",
    "replace_node_module",
    "reset_modules",
    "use_mkl_length",
]


def _parent_name(target):
    """("a.b", "c") of "a.b.c"."""
    parent, _, name = target.rpartition(".")
    return parent, name


def matches_module_pattern(pattern, node, modules):
    """Whether the node's first argument and the node call modules of these two types."""
    if not node.args:
        return False
    for expected, current in zip(pattern, (node.args[0], node)):
        if not isinstance(current, torch.fx.Node) or current.op != "call_module":
            return False
        if type(modules.get(current.target)) is not expected:
            return False
    return True


def replace_node_module(node, modules, new_module):
    """The node calls another module from now on."""
    parent, name = _parent_name(node.target)
    modules[node.target] = new_module
    setattr(modules[parent], name, new_module)


_FUSABLE = (
    (nn.Conv1d, nn.BatchNorm1d, fuse_conv_bn_eval),
    (nn.Conv2d, nn.BatchNorm2d, fuse_conv_bn_eval),
    (nn.Conv3d, nn.BatchNorm3d, fuse_conv_bn_eval),
    (nn.Linear, nn.BatchNorm1d, fuse_linear_bn_eval),
)


def fuse(model, inplace=False, no_trace=False):
    """The model with each batch normalisation, in evaluation mode, that follows a convolution or Linear made part of
    its weights."""
    if not inplace:
        model = copy.deepcopy(model)
    traced = model
    if not no_trace or not isinstance(model, GraphModule):
        traced = torch.fx.symbolic_trace(model)
    modules = dict(traced.named_modules())
    for first, second, fused in _FUSABLE:
        for node in traced.graph.nodes:
            if not matches_module_pattern((first, second), node, modules) or len(node.args[0].users) > 1:
                continue
            normalisation = modules[node.target]
            if not normalisation.track_running_stats or normalisation.training:
                continue
            replace_node_module(node.args[0], modules, fused(modules[node.args[0].target], normalisation))
            node.replace_all_uses_with(node.args[0])
            traced.graph.erase_node(node)
    return GraphModule(traced, traced.graph, type(model).__name__)


def remove_dropout(model):
    """The model without dropout modules."""

    class DropoutRemover(torch.fx.Transformer):
        def call_module(self, target, args, kwargs):
            if isinstance(self.submodules[target], (nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d)):
                return args[0]
            return super().call_module(target, args, kwargs)

    return DropoutRemover(torch.fx.symbolic_trace(model)).transform()


def extract_subgraph(orig_module, nodes, inputs, outputs):
    """These nodes as a GraphModule of its own."""
    graph, here = Graph(), {}
    for node in inputs:
        here[node] = graph.placeholder(node.name)
    for node in nodes:
        here[node] = graph.node_copy(node, here.__getitem__)
    graph.output([here[node] for node in outputs])
    graph.lint()
    return GraphModule(orig_module, graph)


class UnionFind:
    """Groups of numbers below n."""

    def __init__(self, n):
        self.parent = [None] * n
        self.size = [0] * n

    def make_set(self, v):
        """A group of one."""
        self.parent[v], self.size[v] = v, 1

    def find(self, v):
        """The group's representative."""
        while self.parent[v] != v:
            if self.parent[v] is None:
                raise AssertionError(f"{v} is in no group")
            self.parent[v] = self.parent[self.parent[v]]
            v = self.parent[v]
        return v

    def join(self, a, b):
        """Makes one group of two."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return a
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        return a


# ---- oneDNN ------------------------------------------------------------------------------------------------
# PyTorch keeps tensors in oneDNN's own layout between modules that it has made for it. Here convolutions call oneDNN
# with plain tensors and keep packed weights themselves: there is no such layout, and nothing to convert.
_NO_LAYOUT = (
    "this torch has no tensors in oneDNN's own layout (Tensor.to_mkldnn): its modules call oneDNN with plain tensors"
)


class MklSubgraph:
    """Nodes that would hand oneDNN's tensors to each other."""

    def __init__(self, fx_graph):
        self.fx_graph = fx_graph
        self.nodes, self.start_nodes, self.end_nodes = [], [], []


def gen_mkl_autotuner(example_inputs, iters=10, warmup=1):
    """NotImplementedError: see the module's note on oneDNN."""
    raise NotImplementedError(f"gen_mkl_autotuner: {_NO_LAYOUT}")


def use_mkl_length(graph):
    """Whether so many nodes would be worth the conversion."""
    return len(graph.nodes) > 2


def modules_to_mkldnn(nodes, modules):
    """NotImplementedError: see the module's note on oneDNN."""
    raise NotImplementedError(f"modules_to_mkldnn: {_NO_LAYOUT}")


def reset_modules(nodes, modules, old_modules):
    """Puts back the modules that were exchanged: {the present one: the one before}."""
    for node in nodes:
        if node.op == "call_module" and modules[node.target] in old_modules:
            replace_node_module(node, modules, old_modules[modules[node.target]])


def optimize_for_inference(model, pass_config=None, tracer=Tracer):
    """The model for inference: batch normalisation part of convolutions, no dropout. `pass_config`: {"conv_bn_fuse": bool,
    "remove_dropout": bool}. (The oneDNN layout that PyTorch would choose here has no counterpart.)"""
    config = {"conv_bn_fuse": True, "remove_dropout": True, "mkldnn_layout_optimize": False, **(pass_config or {})}
    if config["conv_bn_fuse"]:
        model = fuse(model)
    if config["remove_dropout"]:
        model = remove_dropout(model)
    wanted = config["mkldnn_layout_optimize"]
    if wanted and not isinstance(wanted, dict):
        raise RuntimeError("mkldnn_layout_optimize config is not a dict")
    if wanted and "heuristic" not in wanted:
        raise RuntimeError("Heuristic not found in mkldnn_layout_optimize config")
    traced = tracer()
    graph = traced.trace(copy.deepcopy(model))
    return GraphModule(traced.root, graph)
