"""Finding a pattern in a graph."""

import itertools
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch.fx.node import Node

__all__ = ["InternalMatch", "SubgraphMatcher"]


@dataclass
class InternalMatch:
    """A place in a graph where a pattern is."""

    anchors: list  # nodes of the pattern that the search began with: those that it returns
    nodes_map: dict = field(default_factory=dict)  # {node of the pattern: node of the graph}
    placeholder_nodes: list = field(default_factory=list)  # what stands there for the pattern's arguments
    returning_nodes: list = field(default_factory=list)  # the nodes for what the pattern returns
    name_node_map: dict = field(default_factory=dict)  # {name that the pattern gives: node}

    def __copy__(self):
        return InternalMatch(
            anchors=self.anchors,
            nodes_map=self.nodes_map.copy(),
            placeholder_nodes=self.placeholder_nodes.copy(),
            returning_nodes=self.returning_nodes.copy(),
        )


class SubgraphMatcher:
    """Finds where a graph does what `pattern` does. The pattern's placeholders stand for anything, unless
    `match_placeholder`; numbers must be the same, unless `ignore_literals`."""

    def __init__(
        self,
        pattern,
        match_output=False,
        match_placeholder=False,
        remove_overlapping_matches=True,
        ignore_literals=False,
    ):
        self.pattern = pattern
        self.match_output, self.match_placeholder = match_output, match_placeholder
        self.remove_overlapping_matches, self.ignore_literals = remove_overlapping_matches, ignore_literals
        if len(pattern.nodes) == 0:
            raise ValueError("SubgraphMatcher cannot be initialized with an empty pattern")
        for node in pattern.nodes:
            if node.op not in ("output", "placeholder") and not node.users:
                raise AssertionError(f"SubgraphMatcher cannot be initialized with a pattern with dead code: {node}")
        self.pattern_placeholder_nodes = [n for n in pattern.nodes if n.op == "placeholder"]
        output = pattern.output_node()
        self.pattern_returning_nodes = output.all_input_nodes
        self.pattern_anchors = [output] if match_output else [n for n in output.all_input_nodes if len(n.users) == 1]

    # ---- one node ------------------------------------------------------------------------------------------
    def _match_attributes(self, pn, gn):
        if not isinstance(pn.target, str) or not isinstance(gn.target, str):
            raise AssertionError(f"targets of get_attr must be strings: {pn.target!r}, {gn.target!r}")

        def value(node):
            found = node.graph.owning_module
            for part in node.target.split("."):
                found = getattr(found, part, None)
            return found

        wanted, found = value(pn), value(gn)
        if pn.target == gn.target and wanted is None:
            return True
        if isinstance(wanted, torch.Tensor):
            return isinstance(found, torch.Tensor)
        return type(wanted) is type(found) and found is not None

    def _nodes_are_equal(self, pn, gn, node_name_match=""):
        if not self.match_placeholder and pn.op == "placeholder":
            return True
        if node_name_match and node_name_match in gn.name:
            return True
        if pn.op != gn.op:
            return False
        if pn.op in ("placeholder", "output"):
            return True
        if pn.op == "get_attr":
            return self._match_attributes(pn, gn)
        return pn.target == gn.target

    def _match_literals(self, pn, gn, match):
        """Where one of two arguments is no node."""
        if isinstance(pn, Node) and isinstance(gn, Node):
            raise AssertionError("pn and gn cannot both be Node")
        if isinstance(pn, Node):
            if pn.op != "placeholder":
                return False
            if pn in match.nodes_map:
                return match.nodes_map[pn] == gn
            match.nodes_map[pn] = gn
            return True
        if isinstance(gn, Node):
            return False
        return self.ignore_literals or (type(gn) is type(pn) and gn == pn)

    def _match_args(self, a, b, match):
        if isinstance(a, Node) and isinstance(b, Node):
            return self._match_nodes(a, b, match)
        if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
            return len(a) == len(b) and all(self._match_args(x, y, match) for x, y in zip(a, b))
        if isinstance(a, dict) and isinstance(b, dict):
            return a.keys() == b.keys() and all(self._match_args(a[k], b[k], match) for k in a)
        if isinstance(a, slice) and isinstance(b, slice):
            return self._match_args((a.start, a.stop, a.step), (b.start, b.stop, b.step), match)
        return self._match_literals(a, b, match)

    def _arguments(self, pn, gn):
        """The arguments of both in forms that compare."""
        if len(pn.args) == len(gn.args) and pn.kwargs.keys() == gn.kwargs.keys():
            return (pn.args, pn.kwargs), (gn.args, gn.kwargs)
        if pn.op == "call_function":
            try:
                pair = pn.normalized_arguments(None, normalize_to_only_use_kwargs=True)
                other = gn.normalized_arguments(None, normalize_to_only_use_kwargs=True)
            except RuntimeError:
                return None
            if pair is not None and other is not None:
                return pair, other
        return None

    def _match_nodes(self, pn, gn, match, node_name_match=""):
        """Whether the node of the graph, and what it depends on, is as the pattern says: noted in `match`."""
        if pn in match.nodes_map:
            return match.nodes_map[pn] is gn
        if any(found is gn for found in match.nodes_map.values()):
            return False
        if not self._nodes_are_equal(pn, gn, node_name_match):
            return False
        before = match.nodes_map.copy()
        match.nodes_map[pn] = gn
        if pn.op == "placeholder":
            return True
        both = self._arguments(pn, gn)
        if both is None or not all(self._match_args(a, b, match) for a, b in zip(*both)):
            match.nodes_map = before
            return False
        return True

    # ---- all -----------------------------------------------------------------------------------------------
    def _is_contained(self, nodes_map):
        """Whether nobody outside uses what the pattern does not return."""
        inside = {
            gn: pn
            for pn, gn in nodes_map.items()
            if pn.op != "placeholder" and pn not in self.pattern_returning_nodes and isinstance(gn, Node)
        }
        found = {id(gn) for gn in nodes_map.values()}
        return all(id(user) in found for gn in inside for user in gn.users)

    def _remove_overlapping_matches(self, matches):
        kept, taken = [], set()
        for match in matches:
            own = {gn for pn, gn in match.nodes_map.items() if pn.op not in ("placeholder", "output")}
            if own.isdisjoint(taken):
                kept.append(match)
                taken |= own
        return kept

    def match(self, graph, node_name_match=""):
        """The InternalMatches in a graph, in its order."""
        from torch.fx.passes.utils.fuser_utils import validate_partition

        candidates = defaultdict(list)
        for anchor in self.pattern_anchors:
            candidates[anchor] = [n for n in graph.nodes if self._nodes_are_equal(anchor, n, node_name_match)]
        matches = []
        for chosen in itertools.product(*(candidates[a] for a in self.pattern_anchors)):
            match = InternalMatch(anchors=self.pattern_anchors)
            if not all(
                self._match_nodes(anchor, node, match, node_name_match)
                for anchor, node in zip(self.pattern_anchors, chosen)
            ):
                continue
            if self._is_contained(match.nodes_map):
                matches.append(match)
        valid = []
        for match in matches:
            match.placeholder_nodes = [match.nodes_map.get(n) for n in self.pattern_placeholder_nodes]
            match.returning_nodes = [match.nodes_map[n] for n in self.pattern_returning_nodes]
            own = [gn for pn, gn in match.nodes_map.items() if pn.op not in ("placeholder", "get_attr", "output")]
            if validate_partition(own):
                valid.append(match)
        return self._remove_overlapping_matches(valid) if self.remove_overlapping_matches else valid


def _init_logger():
    import logging

    return logging.getLogger(__name__)
