"""Comparing graphs, and making modules of them."""

from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx.graph_module import _get_attr
from torch.nn import Module

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


class HolderModule(Module):
    """A module with these submodules: {name: module}."""

    def __init__(self, d):
        super().__init__()
        for name, module in d.items():
            self.add_module(name, module)


def lift_subgraph_as_module(gm, subgraph, comp_name="", class_name="GraphModule"):
    """(a GraphModule of the graph with what it refers to in `gm`, {dotted name there: dotted name here})"""
    submodule, names = HolderModule({}), {}
    for node in subgraph.nodes:
        if node.op not in ("call_module", "get_attr"):
            continue
        target = node.target
        *path, last = target.split(".")
        holder = submodule
        for part in path:
            if not hasattr(holder, part):
                holder.add_module(part, HolderModule({}))
            holder = getattr(holder, part)
        names[target] = f"{comp_name}.{target}" if comp_name else target
        setattr(holder, last, _get_attr(gm, target))
    return _make_graph_module(submodule, subgraph, class_name), names


def compare_graphs(left, right):
    """Whether two graphs do the same."""
    from torch.fx.passes.utils.matcher_utils import SubgraphMatcher

    return len(left.nodes) == len(right.nodes) and bool(
        SubgraphMatcher(left, match_output=True, match_placeholder=True).match(right)
    )
