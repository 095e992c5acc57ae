"""Products with one matrix, made one product."""

import itertools
import operator

import torch
from torch.fx import symbolic_trace
from torch.fx.node import Node


def split_result_tensors(result, inputs):
    """The rows of `result` that belong to each of the inputs."""
    if isinstance(result, torch.fx.Proxy):
        sizes = [0] * len(inputs)
    else:
        sizes = [x.shape[0] for x in inputs]
    return torch.split(result, sizes)


def may_depend_on(a, b, search_depth=6):
    """Whether `a` depends on `b`, or may: True where more than `search_depth` steps would have to be looked at."""
    if a == b:
        return True
    if not a.all_input_nodes:
        return False
    if search_depth == 0:
        return True
    return any(may_depend_on(x, b, search_depth - 1) for x in a.all_input_nodes)


def are_nodes_independent(nodes):
    """Whether none depends on another."""
    return not any(may_depend_on(i, j) or may_depend_on(j, i) for i, j in itertools.combinations(nodes, 2))


def merge_matmul(in_mod):
    """A GraphModule in which products of several matrices with the same right factor are one product, of the matrices
    one below the other."""
    gm = symbolic_trace(in_mod)
    products = {}
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target is torch.matmul and len(node.args) == 2:
            products.setdefault(node.args[1], []).append(node)
    for right, nodes in products.items():
        if isinstance(right, Node) and len(nodes) > 1 and are_nodes_independent(nodes):
            _merge(gm, right, nodes)
    gm.recompile()
    gm.graph.lint()
    return gm


def _merge(gm, right, nodes):
    from torch.fx.passes.tools_common import stable_topological_sort

    lefts = [node.args[0] for node in nodes]
    with gm.graph.inserting_before(nodes[0]):
        joined = gm.graph.call_function(torch.cat, (lefts,), {})
        product = gm.graph.call_function(torch.matmul, (joined, right), {})
        parts = gm.graph.call_function(split_result_tensors, (product, lefts), {})
        elements = [gm.graph.call_function(operator.getitem, (parts, i), {}) for i in range(len(nodes))]
    for node, element in zip(nodes, elements):
        node.replace_all_uses_with(element)
        gm.graph.erase_node(node)
    stable_topological_sort(gm)
