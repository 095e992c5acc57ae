"""Nodes by the module or function of the program that they came from."""

import logging
from dataclasses import dataclass, field
from typing import Any

from torch.fx.node import Node

__all__ = ["SourcePartition", "check_subgraphs_connected", "get_source_partitions"]


def _init_logger():
    return logging.getLogger(__name__)


@dataclass
class SourcePartition:
    """The nodes of one call of a module or function."""

    nodes: list
    source: Any
    input_nodes: list = field(default_factory=list)
    output_nodes: list = field(default_factory=list)
    params: list = field(default_factory=list)  # get_attr nodes


def _source_of(node):
    """(the name of the call, its module's type or function), or None."""
    stack = node.meta.get("source_fn_stack") or node.meta.get("torch_fn")
    if not stack:
        return None
    return stack[-1] if isinstance(stack, list) else stack


def get_source_partitions(graph, wanted_sources, filter_fn=None):
    """{source: [SourcePartition, …]} of the nodes whose ``meta["source_fn_stack"]`` names one of `wanted_sources`."""
    groups = {}
    for node in graph.nodes:
        found = _source_of(node)
        if found is None or found[1] not in wanted_sources:
            continue
        if filter_fn is not None and not filter_fn(node):
            continue
        groups.setdefault(found[1], {}).setdefault(found[0], []).append(node)
    return {source: [_partition(nodes, source) for nodes in calls.values()] for source, calls in groups.items()}


def _partition(nodes, source):
    inside = set(nodes)
    inputs, outputs, params = {}, {}, {}
    for node in nodes:
        for arg in node.all_input_nodes:
            if arg not in inside:
                (params if arg.op == "get_attr" else inputs)[arg] = None
        if node.op == "get_attr":
            params[node] = None
        if any(user not in inside for user in node.users):
            outputs[node] = None
    return SourcePartition(nodes, source, list(inputs), list(outputs), list(params))


def check_subgraphs_connected(subgraph1, subgraph2):
    """Whether what the first returns goes into the second."""
    return any(
        isinstance(arg, Node) and arg in subgraph1.nodes
        for node in reversed(subgraph2.nodes)
        for arg in node.all_input_nodes
    )
