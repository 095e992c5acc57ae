"""Looking at graphs."""

from torch.fx._codegen import _parse_stack_trace


def _format_graph_code(name, filename, graph_str):
    return f"TRACED GRAPH\n {name} {filename} {graph_str}\n"


def first_call_function_nn_module_stack(graph):
    """The modules that the first call of a function belongs to; None if nothing is known."""
    for node in graph.nodes:
        if node.op == "call_function" and "nn_module_stack" in node.meta:
            return node.meta["nn_module_stack"]
    return None


def get_node_context(node, num_nodes=2):
    """Where in the program the node and those before it were recorded."""
    parts = []
    while len(parts) < num_nodes and node.op != "root":
        trace = node.stack_trace and _parse_stack_trace(node.stack_trace)
        parts.append(f"{node.format_node()}\n    {trace.get_summary_str()}" if trace else str(node.format_node()))
        node = node.prev
    return "\n".join(reversed(parts))


class _LazyText:
    def __init__(self, make):
        self._make = make

    def __str__(self):
        return self._make()


def lazy_format_graph_code(name, gm, maybe_id=None, **kwargs):
    """The code of a GraphModule, written when it is shown."""

    def text():
        label = name if maybe_id is None else f"{name} {maybe_id}"
        return _format_graph_code(
            f"===== {label} =====\n", gm.forward.__code__.co_filename, gm.print_readable(False, **kwargs)
        )

    return _LazyText(text)
