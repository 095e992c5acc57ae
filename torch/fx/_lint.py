"""What Graph.lint() checks."""

import warnings

import torch
from torch.fx.node import map_arg


def lint(graph):
    """Raises where the graph is not in order."""
    seen, names, owner = set(), set(), graph.owning_module

    def check_arg(node, arg):
        if arg.graph is not graph:
            raise RuntimeError(
                f"Argument '{arg}' of Node '{node}' does not belong to this Graph, but was used as an argument! "
                f"A node of another graph comes in by node_copy(), whose ``arg_transform`` maps its arguments\n{graph}"
            )
        if arg not in seen:
            raise RuntimeError(
                f"Argument '{arg}' of Node '{node}' was used before it has been defined! Please check that Nodes in the "
                f"graph are topologically ordered\n{graph}"
            )

    for node in graph.nodes:
        if node.graph is not graph:
            raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
        if node.op not in _OPS:
            raise RuntimeError(f"Node {node} had unknown opcode {node.op}!")
        map_arg((node.args, node.kwargs), lambda arg, node=node: check_arg(node, arg))
        seen.add(node)
        if node.name in names:
            raise RuntimeError(f"Node redefined name {node.name}!")
        names.add(node.name)
        if owner is not None and node.op in ("get_attr", "call_module"):
            _check_target(node, owner)


_OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output")


def _check_target(node, owner):
    found, path = owner, []
    for part in node.target.split("."):
        holder, found = found, getattr(found, part, None)
        if found is None and not hasattr(holder, part):
            raise RuntimeError(
                f"Node {node} target {node.target} references nonexistent attribute {part} of {'.'.join(path)}"
            )
        path.append(part)
    if node.op == "call_module" and not isinstance(found, torch.nn.Module):
        raise RuntimeError(
            f"Node {node} target {node.target} {'.'.join(path)} does not reference an nn.Module, but a "
            f"{type(found).__name__}"
        )
    if node.op == "get_attr" and not isinstance(found, (torch.nn.Module, torch.Tensor)):
        warnings.warn(
            f"Node {node} target {node.target} does not reference an nn.Module, nn.Parameter, or buffer, which is what "
            "'get_attr' Nodes typically target",
            stacklevel=4,
        )
