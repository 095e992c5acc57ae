"""Exchanging parts of a graph: replace_pattern()."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch.fx._symbolic_trace import symbolic_trace
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule, _copy_attr, _has_attr
from torch.fx.node import Node

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__all__ = ["Match", "ReplacedPatterns", "replace_pattern", "replace_pattern_with_filters"]


class Match(NamedTuple):
    """Where a pattern was: the node of its result, and {node of the pattern: node of the graph}."""

    anchor: Node
    nodes_map: dict[Node, Node]


@dataclass
class ReplacedPatterns:
    """The same, with the nodes that are there now."""

    anchor: Node
    nodes_map: dict[Node, Node]
    replacements: list[Node]


def replace_pattern(
    gm: GraphModule, pattern: Callable[..., Any] | GraphModule, replacement: Callable[..., Any] | GraphModule
) -> list[Match]:
    """Exchanges what `pattern` does, wherever the module's graph does it, for what `replacement` does. Both are
    functions, or modules, of the same arguments. Places that overlap with an earlier one stay. Returns a list of Match.

        def pattern(x, y): return torch.add(x, y).relu()
        def replacement(x, y): return my_add_relu(x, y)
        torch.fx.replace_pattern(traced, pattern, replacement)
    """
    return [Match(anchor=m.anchor, nodes_map=m.nodes_map) for m in _replace_pattern(gm, pattern, replacement)]


def replace_pattern_with_filters(
    gm: GraphModule,
    pattern: Callable[..., Any] | Graph | GraphModule,
    replacement: Callable[..., Any] | Graph | GraphModule | None = None,
    match_filters=None,
    ignore_literals: bool = False,
    replacement_callback=None,
    node_name_match: str = "",
) -> list[ReplacedPatterns]:
    """replace_pattern() where all `match_filters`, functions of (match, graph, pattern's graph), are true; numbers in the
    pattern stand for any with `ignore_literals`; `replacement_callback`, of the same arguments, may make the replacement's
    graph for each match. Returns a list of ReplacedPatterns."""
    return _replace_pattern(
        gm, pattern, replacement, match_filters, ignore_literals, replacement_callback, node_name_match
    )


def _graph_of(program):
    if isinstance(program, GraphModule):
        return program.graph
    return program if isinstance(program, Graph) else symbolic_trace(program).graph


def _replace_pattern(
    gm,
    pattern,
    replacement=None,
    match_filters=None,
    ignore_literals=False,
    replacement_callback=None,
    node_name_match="",
):
    from torch.fx.passes.utils.matcher_utils import SubgraphMatcher

    graph, pattern_graph = gm.graph, _graph_of(pattern)
    matcher = SubgraphMatcher(pattern_graph, ignore_literals=ignore_literals)
    found = matcher.match(graph, node_name_match=node_name_match)
    found = [m for m in found if all(accept(m, graph, pattern_graph) for accept in match_filters or ())]
    fixed = None
    if replacement is not None:
        fixed = _graph_of(replacement)
    elif replacement_callback is None:
        raise AssertionError("Must provide either a replacement GraphModule or a replacement callback")
    done, changed = [], {}
    for match in found:
        new = fixed if fixed is not None else replacement_callback(match, graph, pattern_graph)
        done.append(_exchange(graph, pattern_graph, match, new, changed))
    gm.recompile()
    if isinstance(replacement, torch.nn.Module):
        _replace_attributes(gm, replacement)
    return done


def _exchange(graph, pattern_graph, match, new, changed):
    """Puts the graph `new` where the match is. `changed`: {node that has been exchanged before: the new one}."""
    placeholders = [n for n in new.nodes if n.op == "placeholder"]
    if len(placeholders) != len(match.placeholder_nodes):
        raise AssertionError(
            f"the replacement has {len(placeholders)} arguments, the pattern {len(match.placeholder_nodes)}"
        )
    values = {}
    for own, node in zip(placeholders, match.placeholder_nodes):
        values[own] = changed.get(node, node) if isinstance(node, Node) else node
    before = set(graph.nodes)
    with _insert_point(graph, match, values):
        results = graph.graph_copy(new, values)
    results = [results] if isinstance(results, Node) else list(_nodes_in(results))
    if len(results) != len(match.returning_nodes):
        raise AssertionError(f"the replacement returns {len(results)} values, the pattern {len(match.returning_nodes)}")
    for old, result in zip(match.returning_nodes, results):
        old.replace_all_uses_with(result)
        changed[old] = result
    for pn in reversed(pattern_graph.nodes):
        if pn.op not in ("placeholder", "output"):
            graph.erase_node(match.nodes_map[pn])
    made = [values[n] for n in new.nodes if n in values and n.op != "placeholder" and values[n] not in before]
    return ReplacedPatterns(anchor=match.anchors[0], nodes_map=match.nodes_map, replacements=made)


def _nodes_in(value):
    from torch.fx.node import map_arg

    found = []
    map_arg(value, found.append)
    return found


def _insert_point(graph, match, values):
    """Before the first user of what the pattern returns, and after its arguments."""
    inside = {gn for gn in match.nodes_map.values() if isinstance(gn, Node)}
    positions = graph._positions()
    users = [user for node in match.returning_nodes for user in node.users if user not in inside]
    own = [gn for pn, gn in match.nodes_map.items() if pn.op != "placeholder"]
    after = max((positions[n] for n in (*values.values(),) if isinstance(n, Node) and n in positions), default=-1)
    first = min(users, key=positions.__getitem__, default=None)
    if first is None:
        return graph.inserting_before(max(own, key=positions.__getitem__).next)
    if positions[first] <= after:
        raise AssertionError(
            f"a result of the pattern is used by {first} before all of the replacement's arguments are known"
        )
    return graph.inserting_before(first)


def _replace_attributes(gm, replacement):
    """What the replacement refers to comes with it; what nobody uses any more goes."""
    gm.delete_all_unused_submodules()
    if isinstance(replacement, GraphModule):
        replacement.graph.lint()
    for node in gm.graph.nodes:
        if node.op in ("call_module", "get_attr") and not _has_attr(gm, node.target):
            if not _has_attr(replacement, node.target):
                raise RuntimeError(
                    f'Attempted to create a "{node.op}" node during subgraph rewriting with target {node.target}, but '
                    "the referenced attribute does not exist in the replacement GraphModule"
                )
            _copy_attr(replacement, gm, node.target)
    gm.graph.lint()
