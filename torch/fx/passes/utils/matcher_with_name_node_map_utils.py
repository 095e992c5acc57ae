"""Finding a pattern whose nodes have names."""

from torch.fx.graph_module import GraphModule
from torch.fx.passes.utils.matcher_utils import InternalMatch, SubgraphMatcher  # noqa: F401

__all__ = ["SubgraphMatcherWithNameNodeMap"]


def _split_to_graph_and_name_node_map(gm):
    """(the pattern without its last result, that result: {name: node})"""
    gm = GraphModule(gm, gm.graph)
    output = gm.graph.output_node()
    result = output.args[0]
    if not isinstance(result, (tuple, list)) or not result or not isinstance(result[-1], dict):
        raise AssertionError(
            "a pattern with names returns a tuple whose last element is {name: value}, for instance "
            "`return relu, {'conv': conv, 'relu': relu}`"
        )
    *results, names = result
    output.args = (tuple(results),)
    return gm, names


class SubgraphMatcherWithNameNodeMap(SubgraphMatcher):
    """A SubgraphMatcher of a GraphModule that returns a tuple with {name: value} as its last element: matches have
    ``name_node_map``, {name: node of the graph}."""

    def __init__(
        self,
        pattern_gm,
        match_output=False,
        match_placeholder=False,
        remove_overlapping_matches=True,
        ignore_literals=False,
    ):
        pattern, self.name_node_map = _split_to_graph_and_name_node_map(pattern_gm)
        self.pattern_gm = pattern
        super().__init__(pattern.graph, match_output, match_placeholder, remove_overlapping_matches, ignore_literals)

    def match(self, graph, node_name_match=""):
        found = super().match(graph, node_name_match)
        for match in found:
            match.name_node_map.update({name: match.nodes_map[node] for name, node in self.name_node_map.items()})
        return found
