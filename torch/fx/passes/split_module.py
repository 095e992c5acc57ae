"""Taking a graph apart into submodules that are called one after the other."""

from __future__ import annotations

import operator

from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule, _get_attr
from torch.fx.node import map_arg

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable

    from torch.fx.node import Node
    from torch.nn import Module


__all__ = ["Partition", "split_module", "split_module_simple"]


class Partition:
    """Nodes that become one submodule."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.submod_name = f"submod_{name}"
        self.node_names = []
        self.nodes = []
        self.inputs = {}  # {name: node outside}
        self.outputs = {}  # {name: node in here}
        self.dependencies = {}
        self.dependents = {}
        self.graph = Graph()
        self.environment = {}  # {node: the node in its graph}
        self.targets = {}  # {dotted name here: what is called}

    def __repr__(self) -> str:
        return (
            f"name: {self.name},\n nodes: {self.node_names},\n inputs: {list(self.inputs)},\n outputs: "
            f"{list(self.outputs)},\n partitions depended on: {list(self.dependencies)},\n partition dependents: "
            f"{list(self.dependents)}"
        )


class _Splitter:
    def __init__(self, m, names, affix):
        self.m = m
        self.names = names  # {node: name of its partition}
        self.partitions = {}
        for node, name in names.items():
            if name not in self.partitions:
                self.partitions[name] = Partition(name)
                if affix is not None:
                    self.partitions[name].submod_name = f"submod_{affix}_{name}"
            self.partitions[name].nodes.append(node)
            self.partitions[name].node_names.append(node.name)

    def find_uses(self):
        """What the partitions hand to each other."""
        for node in self.m.graph.nodes:
            if node.op in ("placeholder", "get_attr"):
                continue
            for used in node.all_input_nodes:
                source, target = self.names.get(used), self.names.get(node)
                if source == target:
                    continue
                if source is not None:
                    self.partitions[source].outputs.setdefault(used.name, used)
                if target is not None:
                    self.partitions[target].inputs.setdefault(used.name, used)
                    if source is not None:
                        self.partitions[target].dependencies.setdefault(source)
                        self.partitions[source].dependents.setdefault(target)

    def ordered(self):
        """The partitions, each after those that it depends on. RuntimeError where there is a cycle."""
        missing = {name: len(p.dependencies) for name, p in self.partitions.items()}
        ready = [name for name, count in missing.items() if not count]
        order = []
        while ready:
            name = ready.pop(0)
            order.append(self.partitions[name])
            for dependent in self.partitions[name].dependents:
                missing[dependent] -= 1
                if not missing[dependent]:
                    ready.append(dependent)
        if len(order) != len(self.partitions):
            raise RuntimeError("cycle exists between partitions!")
        return order

    def fill(self, partition, keep_names):
        """The partition's graph."""
        here, graph = partition.environment, partition.graph
        for node in partition.inputs.values():
            here[node] = graph.placeholder(node.name, type_expr=node.type)
            here[node].meta = node.meta.copy()
        for node in partition.nodes:
            target = node.target
            if node.op == "call_module":
                target = "_".join(target.split("."))
                partition.targets[target] = node.target
            here[node] = graph.create_node(
                node.op,
                target,
                map_arg(node.args, here.__getitem__),
                map_arg(node.kwargs, here.__getitem__),
                node.name if keep_names else None,
                node.type,
            )
            here[node].meta = node.meta.copy()

    def module_of(self, partition, always_tuple):
        """The partition as a GraphModule."""
        results = tuple(partition.environment[node] for node in partition.outputs.values())
        single = len(results) == 1 and not always_tuple
        partition.graph.output(results[0] if single else results)
        attributes = {target: _get_attr(self.m, called) for target, called in partition.targets.items()}
        return _make_graph_module(attributes, partition.graph)


def split_module(
    m: GraphModule,
    root_m: Module,
    split_callback: Callable[[Node], int],
    qualname_map: dict[str, str] | None = None,
    keep_original_order: bool | None = False,
    keep_original_node_name: bool | None = False,
    keep_original_input_name: bool = True,
    *,
    partition_affix: str | None = None,
    tuple_return: bool = False,
) -> GraphModule:
    """A GraphModule of submodules submod_0, submod_1 …, each of the nodes for which ``split_callback(node)`` returns its
    name. What nodes refer to by get_attr stays with the outer module. `qualname_map` becomes {dotted name in the new
    module: dotted name in `m`}. RuntimeError where partitions depend on each other."""
    calls = [node for node in m.graph.nodes if node.op.startswith("call_")]
    names = {node: str(split_callback(node)) for node in calls}
    splitter = _Splitter(m, names, partition_affix)
    splitter.find_uses()
    order = splitter.ordered()
    if keep_original_order:
        by_name = {p.name: p for p in order}
        order = [by_name[name] for name in dict.fromkeys(names.values())]
        done = set()
        for partition in order:
            if not done >= partition.dependencies.keys():
                raise RuntimeError(
                    f"partition {partition.name} depends on {sorted(partition.dependencies.keys() - done)}, which comes "
                    "after it in the original order"
                )
            done.add(partition.name)
    for partition in order:
        splitter.fill(partition, keep_original_node_name)
        if not keep_original_input_name:
            _number_inputs(partition)
    return _assembled(m, splitter, order, qualname_map, keep_original_order, tuple_return)


def _number_inputs(partition):
    for i, node in enumerate(partition.graph.find_nodes(op="placeholder")):
        node._rename(f"arg_{i}")
        node.target = node.name


def _assembled(m, splitter, order, qualname_map, keep_order, tuple_return):
    """The outer module."""
    base, here, attributes = Graph(), {}, {}
    attribute_nodes = [node for node in m.graph.nodes if node.op == "get_attr"]
    for node in m.graph.nodes:
        if node.op == "placeholder":
            here[node] = base.create_node("placeholder", node.target, node.args, {}, node.name, node.type)
            here[node].meta = node.meta.copy()

    def add_attribute(node):
        here[node] = base.get_attr(node.target)
        here[node].meta = node.meta.copy()
        attributes[node.target] = _get_attr(m, node.target)

    if not keep_order:
        for node in attribute_nodes:
            add_attribute(node)
    for partition in order:
        for node in partition.inputs.values():
            if node.op == "get_attr" and node not in here:
                add_attribute(node)
        attributes[partition.submod_name] = splitter.module_of(partition, tuple_return)
        if qualname_map is not None:
            for target, called in partition.targets.items():
                qualname_map[f"{partition.submod_name}.{target}"] = called
        call = base.call_module(partition.submod_name, tuple(here[node] for node in partition.inputs.values()))
        outputs = list(partition.outputs.values())
        if len(outputs) == 1 and not tuple_return:
            here[outputs[0]] = call
            continue
        for i, node in enumerate(outputs):
            here[node] = base.call_function(operator.getitem, (call, i))
            here[node].meta = node.meta.copy()
    for node in m.graph.nodes:
        if node.op == "output":
            for used in node.all_input_nodes:
                if used not in here:
                    add_attribute(used)
            base.output(map_arg(node.args[0], here.__getitem__), type_expr=node.type).meta = node.meta.copy()
    return _make_graph_module(attributes, base)


def split_module_simple(
    m: GraphModule, node_to_partition: dict[Node, int], *, partition_affix: str | None = None
) -> GraphModule:
    """split_module() of {node: number}, in the order of the numbers' first nodes."""
    return split_module(
        m, None, lambda node: node_to_partition[node], keep_original_order=True, partition_affix=partition_affix
    )


def _get_attr_from_qualname(mod, qualname):
    return _get_attr(mod, qualname)


def _make_lite_graph_module(graph, modules=None):
    return GraphModule(modules or {}, graph)
