"""Common subexpressions: what is computed twice is computed once."""

import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx.node import Node
from torch.fx.passes.infra.pass_base import PassBase, PassResult
from torch.utils._pytree import tree_flatten


def _packets(names):
    aten = torch.ops.aten
    return {getattr(aten, name) for name in names.split() if hasattr(aten, name)}


rand_ops = _packets(
    "dropout bernoulli bernoulli_ multinomial normal normal_ poisson rand rand_like randint randint_like randn randn_like "
    "randperm uniform_ exponential_ geometric_ log_normal_ cauchy_ random_ rrelu"
)
inplace_ops = _packets(
    "add_ sub_ mul_ div_ pow_ lerp_ relu_ sigmoid_ tanh_ copy_ fill_ masked_fill_ scatter_ scatter_add_ index_add_ "
    "index_copy_ index_fill_ index_put_ zero_ clamp_ exp_ log_ sqrt_ neg_ abs_ addmm_ addcmul_ addcdiv_"
)


def get_CSE_banned_ops():  # noqa: N802 - torch's name
    """Operators that give another result each time, or write."""
    return rand_ops | inplace_ops


class CSEPass(PassBase):
    """Computes equal calls of operators once. `banned_ops`: those that are left as they are."""

    def __init__(self, banned_ops=None):
        self.banned_ops = set() if banned_ops is None else banned_ops
        super().__init__()

    def _key(self, node, here):
        """What calls that may be merged have in common; None for others."""
        target = node.target
        packet = getattr(target, "overloadpacket", target)
        if node.op in ("placeholder", "output", "get_attr") or packet in self.banned_ops or target in self.banned_ops:
            return None
        if node.op != "call_function" or node.is_impure() or str(getattr(target, "__name__", "")).endswith("_"):
            return None

        def part(value):
            leaves, spec = tree_flatten(value)
            return tuple(id(here[x]) if isinstance(x, Node) else (type(x), x) for x in leaves), repr(spec)

        key = (target, part(node.args), part(dict(node.kwargs)))
        try:
            hash(key)
        except TypeError:
            return None
        return key

    def call(self, graph_module):
        graph, here, known = Graph(), {}, {}
        for node in graph_module.graph.nodes:
            key = self._key(node, here)
            if key is not None and key in known:
                here[node] = known[key]
                continue
            here[node] = graph.node_copy(node, here.__getitem__)
            if key is not None:
                known[key] = here[node]
        modified = len(graph.nodes) < len(graph_module.graph.nodes)
        return PassResult(GraphModule(graph_module, graph), modified)
