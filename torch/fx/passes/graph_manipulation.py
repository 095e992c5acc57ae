"""Exchanging what nodes call, and sizes of their values."""

from typing import NamedTuple

from torch.fx.node import map_arg
from torch.fx.passes.shape_prop import ShapeProp, TensorMetadata

__all__ = ["get_size_of_all_nodes", "get_size_of_node", "get_tensor_meta", "replace_target_nodes_with", "size_bytes"]


class size_bytes(NamedTuple):
    """Bytes of a node's value, and of it with the parameters and arguments that it needs."""

    output_size: int
    total_size: int


def replace_target_nodes_with(fx_module, old_op, old_target, new_op, new_target):
    """Exchanges the op and target of all nodes that have these."""
    graph, here = fx_module.graph.__class__(), {}
    for node in fx_module.graph.nodes:
        args, kwargs = map_arg(node.args, here.__getitem__), map_arg(node.kwargs, here.__getitem__)
        op, target = node.op, node.target
        if op == old_op and target == old_target:
            op, target = new_op, new_target
        here[node] = graph.create_node(op, target, args, kwargs, node.name, node.type)
        here[node].meta = dict(node.meta)
    fx_module.graph = graph


def get_size_of_all_nodes(fx_module, args=None):
    """Notes in node.size_bytes the sizes of all nodes, whose shapes are found by running the module, if `args` are
    given."""
    if args is not None:
        ShapeProp(fx_module).propagate(*args)
    for node in fx_module.graph.nodes:
        if node.op == "output":
            break
        node.size_bytes = get_size_of_node(fx_module, node)


def get_tensor_meta(node):
    """What shape propagation has found. RuntimeError if it has not run."""
    meta = node.meta.get("tensor_meta")
    if not isinstance(meta, TensorMetadata):
        raise RuntimeError(
            f"Node {node} has no tensor metadata associated with it! Check that shape propagation has run."
        )
    return meta


def _bytes(meta):
    return meta.shape.numel() * meta.dtype.itemsize


def get_size_of_node(fx_module, node):
    """The size_bytes of one node."""
    total = 0
    if node.op == "call_module":
        total += sum(p.numel() * p.element_size() for p in fx_module.get_submodule(node.target).parameters())
    output = _bytes(get_tensor_meta(node))
    total += output
    return size_bytes(output, total)
