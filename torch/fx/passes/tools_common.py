"""Looking at nodes, and putting them in order."""

import collections
from dataclasses import dataclass

import torch
from torch.fx._naming import _get_qualified_name

__all__ = [
    "FxNetAccFusionsFinder",
    "get_acc_ops_name",
    "get_node_target",
    "is_node_output_tensor",
    "legalize_graph",
    "stable_topological_sort",
]

CALLABLE_NODE_OPS = {"call_module", "call_function", "call_method"}


def get_acc_ops_name(k):
    """How a function is called in a report."""
    if isinstance(k, str):
        return k
    if k.__module__ and "acc_ops" in k.__module__:
        return f"acc_ops.{k.__name__}"
    return f"{(k.__module__ or '').replace('torch._ops', 'torch.ops')}.{k.__name__}"


def get_node_target(submodules, node):
    """What a node calls, as text: a module's type, a function's name, a method's."""
    if node.op not in CALLABLE_NODE_OPS:
        raise AssertionError(f"Expect op types of {', '.join(sorted(CALLABLE_NODE_OPS))}, but found {node.op}")
    if node.op == "call_module":
        submodule = submodules[node.target]
        return _type_name(getattr(submodule, "_base_class_origin", type(submodule)))
    if node.op == "call_function":
        if "acc_ops" in (getattr(node.target, "__module__", None) or ""):
            return f"acc_ops.{node.target.__name__}"
        return _get_qualified_name(node.target)
    return node.target


def _type_name(cls):
    return f"{cls.__module__}.{cls.__qualname__}" if cls.__module__ != "builtins" else cls.__qualname__


def is_node_output_tensor(node):
    """Whether shape propagation has found that its value is a tensor."""
    type_ = node.meta.get("type")
    return type_ is not None and issubclass(type_, torch.Tensor)


class FxNetAccFusionsFinder:
    """Groups of nodes that hand values other than tensors to each other, and so belong together."""

    @dataclass
    class FusionGroup:
        top_node_idx: int  # of the first
        nodes: set
        inputs: set
        nodes_need_process: set

        def add_node(self, node):
            """Adds a node; its neighbours are looked at next."""
            if node in self.nodes:
                return
            self.nodes_need_process.add(node)
            self.nodes.add(node)
            self.inputs.discard(node)
            self.inputs.update(n for n in node.all_input_nodes if n.op in CALLABLE_NODE_OPS and n not in self.nodes)

    def __init__(self, module, acc_nodes):
        self.module = module
        self.nodes = list(module.graph.nodes)
        self.acc_nodes = acc_nodes

    def recursive_add_node(self, fusion_group, inputs, visited=None):
        """Adds what lies between the group and those of `inputs` that lead to it. Whether there was something."""
        visited = set() if visited is None else visited
        result = False
        for node in inputs:
            if node in visited:
                continue
            visited.add(node)
            if self.nodes.index(node) < fusion_group.top_node_idx:
                continue
            if node in fusion_group.nodes or self.recursive_add_node(fusion_group, node.all_input_nodes, visited):
                fusion_group.add_node(node)
                result = True
        return result

    def __call__(self):
        """{node: its group}"""
        result = {}
        for node in list(self.acc_nodes):
            if node in result or node.op not in CALLABLE_NODE_OPS or node not in self.acc_nodes:
                continue
            if "tensor_meta" in node.meta:
                continue
            group = self.FusionGroup(self.nodes.index(node), {node}, set(node.all_input_nodes), {node})
            self._grow(group)
            if group.nodes <= self.acc_nodes:
                result.update(dict.fromkeys(group.nodes, group.nodes))
            else:
                self.acc_nodes -= group.nodes
        return result

    def _grow(self, group):
        while group.nodes_need_process:
            node = group.nodes_need_process.pop()
            self.recursive_add_node(group, group.inputs)
            neighbours = [] if "tensor_meta" in node.meta else list(node.users)
            neighbours += [n for n in node.all_input_nodes if "tensor_meta" not in n.meta]
            for other in neighbours:
                if other.op in CALLABLE_NODE_OPS and other not in group.nodes:
                    group.add_node(other)
                    group.top_node_idx = min(group.top_node_idx, self.nodes.index(other))


def legalize_graph(gm):
    """Puts the nodes in an order in which each comes after those that it depends on. RuntimeError if there is none."""
    _reorder(gm, _by_levels(gm.graph))
    return gm


def stable_topological_sort(gm):
    """The same, leaving the order as far as it is one already."""
    pending, order, ready = list(gm.graph.nodes), [], set()
    while pending:
        waiting, moved = [], False
        for node in pending:
            if node.op == "output" and (waiting or len(order) + len(waiting) + 1 < len(gm.graph.nodes)):
                waiting.append(node)
            elif all(x in ready for x in node.all_input_nodes):
                order.append(node)
                ready.add(node)
                moved = True
            else:
                waiting.append(node)
        if not moved:
            raise _no_order(gm.graph, order)
        pending = waiting
    _reorder(gm, order)
    return gm


def _by_levels(graph):
    missing = {node: len(node.all_input_nodes) for node in graph.nodes}
    ready = collections.deque(n for n in graph.nodes if not missing[n] and n.op == "get_attr")
    ready.extend(n for n in graph.nodes if not missing[n] and n.op not in ("get_attr", "output"))
    placeholders = [n for n in ready if n.op == "placeholder"]
    ready = collections.deque([*placeholders, *(n for n in ready if n.op != "placeholder")])
    order, output = [], []
    output += [n for n in graph.nodes if n.op == "output" and not missing[n]]
    while ready:
        node = ready.popleft()
        order.append(node)
        for user in node.users:
            missing[user] -= 1
            if not missing[user]:
                (output if user.op == "output" else ready).append(user)
    order += output
    if len(order) != len(graph.nodes):
        raise _no_order(graph, order)
    return order


def _no_order(graph, order):
    left = [n for n in graph.nodes if n not in set(order)]
    return RuntimeError(f"Input graph has cycles, unable to add {left}")


def _reorder(gm, order):
    root = gm.graph._root
    for node in order:
        root.prepend(node)
    gm.recompile()
