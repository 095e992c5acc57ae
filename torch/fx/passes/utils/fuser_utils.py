"""Making submodules of groups of nodes."""

import copy

from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx.graph import Graph
from torch.fx.passes.tools_common import legalize_graph
from torch.fx.passes.utils.common import lift_subgraph_as_module  # noqa: F401


def topo_sort(nodes):
    """The nodes, each after those that it depends on. AssertionError where that cannot be."""
    wanted = dict.fromkeys(nodes)
    missing = {n: sum(x in wanted for x in n.all_input_nodes) for n in wanted}
    ready = [n for n in wanted if not missing[n]]
    result = []
    for node in ready:
        result.append(node)
        for user in node.users:
            if user in missing:
                missing[user] -= 1
                if not missing[user]:
                    ready.append(user)
    if len(result) != len(wanted):
        raise AssertionError("topological sorted nodes doesn't have same length as input nodes")
    return result


def validate_partition(partition):
    """Whether the nodes could be one: no path leads out of them and back."""
    inside = set(partition)
    outside = [user for node in inside for user in node.users if user not in inside]
    seen = set()
    while outside:
        node = outside.pop()
        if node in inside:
            return False
        if node not in seen:
            seen.add(node)
            outside += node.users
    return True


def fuse_as_graphmodule(gm, nodes, module_name, partition_lookup_table=None, *, always_return_tuple=False):
    """(the nodes as a GraphModule, the nodes that it takes for arguments, those that it returns)"""
    for node in nodes:
        if node.graph.owning_module is not gm:
            raise AssertionError(f"{node} doesn't belong to passed in graph module {gm._get_name()}")
        if node._erased:
            raise AssertionError(f"{node} has been removed from owning graph")
    table = dict.fromkeys(nodes) if partition_lookup_table is None else partition_lookup_table
    if not validate_partition(nodes):
        raise AssertionError("Invalid partition, found dependency cycles")
    graph, inputs, here = Graph(), {}, {}

    def argument(x):
        if x.op == "get_attr" and x not in here:
            here[x] = graph.node_copy(x, lambda n: n)
        elif x not in here:
            inputs[x] = graph.placeholder(x.name, type_expr=x.type)
            inputs[x].meta = copy.copy(x.meta)
            here[x] = inputs[x]
        return here[x]

    for node in nodes:  # first all placeholders
        for used in node.all_input_nodes:
            if used not in table and used.op != "get_attr":
                argument(used)
    for node in nodes:
        here[node] = graph.node_copy(node, argument)
    outputs = [node for node in nodes if any(user not in table for user in node.users)]
    made = tuple(here[node] for node in outputs)
    graph.output(made if always_return_tuple or len(made) != 1 else made[0])
    graph.lint()
    module = _make_graph_module(gm, graph, class_name=module_name)
    return module, tuple(inputs), tuple(outputs)


def insert_subgm(gm, sub_gm, orig_inputs, orig_outputs, insertion_point=None):
    """Calls `sub_gm` in the graph, whose results stand for `orig_outputs` from now on."""
    name = type(sub_gm).__name__
    gm.add_submodule(name, sub_gm)
    if insertion_point is None:
        positions = gm.graph._positions()
        insertion_point = max(orig_outputs, key=positions.__getitem__)
    with gm.graph.inserting_after(insertion_point):
        call = gm.graph.call_module(name, args=orig_inputs, kwargs=None)
    result = sub_gm.graph.output_node().args[0]
    if isinstance(result, tuple):
        last = call
        for i, old in enumerate(orig_outputs):
            with gm.graph.inserting_after(last):
                last = _getitem(gm.graph, call, i)
            old.replace_all_uses_with(last, propagate_meta=True)
        call.meta["val"] = tuple(old.meta.get("val") for old in orig_outputs)
    else:
        orig_outputs[0].replace_all_uses_with(call, propagate_meta=True)
    return gm


def _getitem(graph, node, index):
    import operator

    return graph.call_function(operator.getitem, (node, index))


def erase_nodes(gm, nodes):
    """Takes the nodes out, the last first."""
    for node in reversed(nodes):
        gm.graph.erase_node(node)


def fuse_by_partitions(gm, partitions, prefix="fused_", always_return_tuple=False):
    """Makes a submodule of each group of nodes, {node: anything}."""
    for number, group in enumerate(partitions):
        nodes = topo_sort(list(group))
        name = f"{prefix}{number}"
        module, inputs, outputs = fuse_as_graphmodule(gm, nodes, name, group, always_return_tuple=always_return_tuple)
        insert_subgm(gm, module, inputs, outputs)
        erase_nodes(gm, nodes)
    legalize_graph(gm)
    return gm
