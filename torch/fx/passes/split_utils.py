"""Taking a graph apart by tags on its nodes."""

import operator
from dataclasses import dataclass, field

import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx.node import Node, map_arg
from torch.fx.passes.tools_common import is_node_output_tensor
from torch.fx.passes.utils.common import HolderModule, lift_subgraph_as_module

__all__ = [
    "Component",
    "getattr_recursive",
    "move_non_tensor_nodes_on_boundary",
    "setattr_recursive",
    "split_by_tags",
]

CALLABLE_NODE_OPS = {"call_module", "call_function", "call_method"}


def getattr_recursive(obj, name):
    """The attribute of a dotted name; None where the way ends."""
    for part in name.split("."):
        if isinstance(obj, torch.nn.ModuleList):
            obj = getattr(obj, part) if hasattr(obj, part) else obj[int(part)]
        elif hasattr(obj, part):
            obj = getattr(obj, part)
        else:
            return None
    return obj


def setattr_recursive(obj, attr, value):
    """Sets the attribute of a dotted name."""
    path, _, name = attr.rpartition(".")
    setattr(getattr_recursive(obj, path) if path else obj, name, value)


@dataclass
class Component:
    """Nodes of one tag, that become one submodule."""

    graph: Graph
    order: int
    name: str
    input_placeholders: list = field(default_factory=list)  # in its graph
    orig_inputs: list = field(default_factory=list)  # in the original graph
    orig_outputs: list = field(default_factory=list)
    getattr_maps: dict = field(default_factory=dict)  # {get_attr node of the original: its copy}
    constructor_args: list = field(default_factory=list)
    gm: GraphModule | None = None


def split_by_tags(gm, tags, return_fqn_mapping=False, return_tuple=False, GraphModuleCls=GraphModule):  # noqa: N803
    """A GraphModule of submodules, each of the nodes whose ``node.tag`` is its name, called in the order of `tags`. With
    `return_fqn_mapping` also {dotted name before: dotted name now}. AssertionError where a component needs what a later
    one computes."""
    components = {tag: Component(Graph(), i, tag) for i, tag in enumerate(tags)}
    owner, here = {}, {}  # {node: its component}, {node: its copy there}
    main, outer = Graph(), {}  # the graph that calls them, {node: node there}
    for node in gm.graph.nodes:
        if node.op in CALLABLE_NODE_OPS:
            if not hasattr(node, "tag"):
                raise AssertionError(f"Node {node} does not have tag")
            owner[node] = components[node.tag]
        elif node.op == "placeholder":
            outer[node] = main.placeholder(node.target, type_expr=node.type)
            outer[node].meta = node.meta.copy()

    def argument(component, x):
        if x.op == "get_attr":
            if x not in component.getattr_maps:
                component.getattr_maps[x] = component.graph.get_attr(x.target, type_expr=x.type)
            return component.getattr_maps[x]
        source = owner.get(x)
        if source is component:
            return here[x]
        if source is not None and source.order > component.order:
            raise AssertionError(f"component {component.name} needs {x}, which the later {source.name} computes")
        if x not in component.orig_inputs:
            component.orig_inputs.append(x)
            placeholder = component.graph.placeholder(x.name, type_expr=x.type)
            placeholder.meta = x.meta.copy()
            component.input_placeholders.append(placeholder)
            if source is not None and x not in source.orig_outputs:
                source.orig_outputs.append(x)
        return component.input_placeholders[component.orig_inputs.index(x)]

    for node in gm.graph.nodes:
        if node in owner:
            component = owner[node]
            here[node] = component.graph.node_copy(node, lambda x, component=component: argument(component, x))
            here[node].tag = node.tag
    output = gm.graph.output_node()
    for x in output.all_input_nodes:
        if x in owner and x not in owner[x].orig_outputs:
            owner[x].orig_outputs.append(x)
        elif x.op == "get_attr":
            outer[x] = main.get_attr(x.target, type_expr=x.type)
    return _assembled(gm, components, here, main, outer, output, return_fqn_mapping, return_tuple, GraphModuleCls)


def _assembled(gm, components, here, main, outer, output, return_fqn_mapping, return_tuple, cls):
    root, names = HolderModule({}), {}
    for component in components.values():
        results = tuple(here[x] for x in component.orig_outputs)
        single = len(results) == 1 and not return_tuple
        component.graph.output(results[0] if single else results)
        component.gm, mapping = lift_subgraph_as_module(gm, component.graph, comp_name=component.name)
        names.update(mapping)
        call = main.call_module(component.name, tuple(outer[x] for x in component.orig_inputs))
        root.add_module(component.name, component.gm)
        if single:
            outer[component.orig_outputs[0]] = call
            continue
        for i, x in enumerate(component.orig_outputs):
            outer[x] = main.call_function(operator.getitem, (call, i))
    main.output(map_arg(output.args[0], outer.__getitem__)).meta = output.meta.copy()
    for node in main.nodes:
        if node.op == "get_attr":
            setattr(root, node.target, getattr_recursive(gm, node.target))
    made = cls(root, main)
    return (made, names) if return_fqn_mapping else made


def move_non_tensor_nodes_on_boundary(subgraphs):
    """Nodes at a subgraph's end whose values are no tensors go to the subgraphs that use them, so that only tensors pass
    from one to the other."""
    owner = {node: subgraph for subgraph in subgraphs for node in subgraph.nodes}
    for subgraph in subgraphs:
        pending = [n for n in subgraph.nodes if isinstance(n, Node)]
        while pending:
            node = pending.pop()
            if owner.get(node) is not subgraph or is_node_output_tensor(node) or node.op not in CALLABLE_NODE_OPS:
                continue
            users = {id(owner.get(user)): owner.get(user) for user in node.users}
            if len(users) != 1 or subgraph in users.values() or None in users.values():
                continue
            (target,) = users.values()
            subgraph.nodes.remove(node)
            target.nodes.insert(0, node)
            owner[node] = target
            pending += node.all_input_nodes
