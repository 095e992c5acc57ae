"""torch.fx: programs as graphs that can be looked at, changed, and run again.

traced = torch.fx.symbolic_trace(module)   # records what forward() does
for node in traced.graph.nodes: ...        # its steps
print(traced.code)                         # the same as Python
"""

from torch.fx import immutable_collections, node, graph, graph_module, proxy, config, traceback  # noqa: I001 - in this order
from torch.fx import _symbolic_trace, interpreter, operator_schemas, subgraph_rewriter, tensor_type  # noqa: F401
from torch.fx._symbolic_trace import PH, ProxyableClassMeta, Tracer, symbolic_trace, wrap  # noqa: F401
from torch.fx.graph import CodeGen, Graph  # noqa: F401
from torch.fx.graph_module import GraphModule
from torch.fx.interpreter import Interpreter, Transformer
from torch.fx.node import Node, has_side_effect, map_arg
from torch.fx.proxy import Proxy
from torch.fx.subgraph_rewriter import replace_pattern

__all__ = [
    "Graph",
    "GraphModule",
    "Interpreter",
    "Node",
    "Proxy",
    "Tracer",
    "Transformer",
    "has_side_effect",
    "map_arg",
    "replace_pattern",
    "symbolic_trace",
    "wrap",
]

_LATER = ("annotate", "experimental", "passes", "_utils")


def __getattr__(name):
    if name in _LATER:
        import importlib

        return importlib.import_module(f"torch.fx.{name}")
    raise AttributeError(f"module 'torch.fx' has no attribute '{name}'")
