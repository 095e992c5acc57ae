"""Pictures of graphs. The package pydot draws them; the source text for Graphviz is made without it."""

from __future__ import annotations

import hashlib

import torch
from torch.fx._codegen import _parse_stack_trace
from torch.fx._naming import _get_qualified_name
from torch.fx.node import Node
from torch.fx.passes.shape_prop import TensorMetadata

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.fx.graph_module import GraphModule


try:
    import pydot

    HAS_PYDOT = True
except ImportError:
    pydot = None
    HAS_PYDOT = False

__all__ = ["FxGraphDrawer"]

_COLOR_MAP = {
    "placeholder": "AliceBlue",
    "call_module": "LemonChiffon1",
    "get_param": "Yellow2",
    "get_attr": "LightGrey",
    "output": "PowderBlue",
}
_HASH_COLOR_MAP = (
    "CadetBlue1 Coral DarkOliveGreen1 DarkSeaGreen1 GhostWhite Khaki1 LavenderBlush1 LightSkyBlue MistyRose1 "
    "MistyRose2 PaleTurquoise2 PeachPuff1 Salmon Thistle1 Thistle3 Wheat1"
).split()
_WEIGHT_TEMPLATE = {"fillcolor": "Salmon", "style": '"filled,rounded"', "fontcolor": "#000000"}


def _style(node):
    template = {"shape": "record", "fillcolor": "#CAFFE3", "style": '"filled,rounded"', "fontcolor": "#000000"}
    if node.op in _COLOR_MAP:
        template["fillcolor"] = _COLOR_MAP[node.op]
    else:
        target = node._pretty_print_target(node.target)
        number = int(hashlib.md5(target.encode(), usedforsecurity=False).hexdigest()[:8], 16)
        template["fillcolor"] = _HASH_COLOR_MAP[number % len(_HASH_COLOR_MAP)]
    return template


def _escaped(text):
    for char in "{}<>|":
        text = text.replace(char, f"\\{char}")
    return text.replace('"', '\\"')


def _tensor_label(meta):
    if isinstance(meta, TensorMetadata):
        rows = [f"dtype={meta.dtype}", f"shape={tuple(meta.shape)}", f"requires_grad={meta.requires_grad}"]
        rows += [f"stride={meta.stride}", f"memory_format={meta.memory_format}"]
        return "".join(f"{row}\\n" for row in rows)
    if isinstance(meta, dict):
        return "".join(f"{key}: {_tensor_label(value)}" for key, value in meta.items())
    if isinstance(meta, (list, tuple)):
        return "".join(_tensor_label(value) for value in meta)
    return ""


def _shown_args(values, skip_names):
    if skip_names:
        values = [f"Node" if isinstance(v, Node) else v for v in values]  # noqa: F541
    return ", ".join(map(str, values))


def _label(module, node, skip_names=True, with_trace=False):
    rows = [f"name=%{node.name}", f"op_code={node.op}"]
    if node.op == "call_module":
        leaf = module.get_submodule(node.target)
        constants = getattr(leaf, "__constants__", ())
        rows.append(f"{_type(leaf)}" + "".join(f"\\n{c}: {getattr(leaf, c)}" for c in constants if hasattr(leaf, c)))
    else:
        target = node.target if isinstance(node.target, str) else _get_qualified_name(node.target)
        rows.append(f"target={target}")
        if node.args:
            rows.append(f"args=({_shown_args(node.args, skip_names)},)")
        if node.kwargs:
            shown = _shown_args([f"{k}={'Node' if isinstance(v, Node) else v}" for k, v in node.kwargs.items()], False)
            rows.append(f"kwargs={{{shown}}}")
        rows.append(f"num_users={len(node.users)}")
    tensors = _tensor_label(node.meta.get("tensor_meta"))
    if tensors:
        rows.append(tensors)
    if with_trace and node.stack_trace:
        parsed = _parse_stack_trace(node.stack_trace)
        if parsed is not None:
            rows.append(f"file={parsed.file}:{parsed.lineno} {parsed.code}")
    return "{" + "|".join(_escaped(row).replace("\\\\n", "\\n") for row in rows) + "}"


def _type(module):
    return f"{type(module).__module__}.{type(module).__qualname__}"


def _nodes_and_edges(module, ignore_getattr, ignore_state, options):
    """([(node's name, label, style)], [(from, to)])"""
    nodes, edges = [], []
    for node in module.graph.nodes:
        if ignore_getattr and node.op == "get_attr":
            continue
        nodes.append((node.name, _label(module, node, **options), _style(node)))
        if node.op == "call_module" and not ignore_state:
            leaf = module.get_submodule(node.target)
            for kind, state in (("Parameter", leaf.named_parameters()), ("Buffer", leaf.named_buffers())):
                for name, value in state:
                    full = f"{node.target}.{name}"
                    label = "{" + _escaped(f"name={full}|op_code=get_{kind.lower()}|{tuple(value.shape)}") + "}"
                    nodes.append((full, label, {"shape": "record", **_WEIGHT_TEMPLATE}))
                    edges.append((full, node.name))
    known = {name for name, _, _ in nodes}
    for node in module.graph.nodes:
        edges += [(node.name, user.name) for user in node.users if node.name in known and user.name in known]
    return nodes, edges


def dot_source(module, name, ignore_getattr=False, ignore_state=True, marked=(), **options):
    """The graph as text for Graphviz."""
    nodes, edges = _nodes_and_edges(module, ignore_getattr, ignore_state, options)
    lines = [f'digraph "{name}" {{', "rankdir=TB;"]
    for node, label, style in nodes:
        style = {**style, "fillcolor": "yellow"} if node in marked else style  # noqa: PLW2901
        shown = ", ".join(f'{key}="{value.strip(chr(34))}"' for key, value in style.items())
        lines.append(f'"{node}" [label="{label}", {shown}];')
    lines += [f'"{a}" -> "{b}";' for a, b in edges]
    return "\n".join([*lines, "}", ""])


class FxGraphDrawer:
    """Pictures of a GraphModule: ``FxGraphDrawer(module, "name").get_dot_graph().write_svg("a.svg")``. They need the
    package pydot; get_dot_source() gives the text for Graphviz without it."""

    def __init__(
        self,
        graph_module: GraphModule,
        name: str,
        ignore_getattr: bool = False,
        ignore_parameters_and_buffers: bool = False,
        skip_node_names_in_args: bool = True,
        parse_stack_trace: bool = False,
        dot_graph_shape: str | None = None,
        normalize_args: bool = False,
    ) -> None:
        self._name = name
        self._options = {"skip_names": skip_node_names_in_args, "with_trace": parse_stack_trace}
        self._ignore = (ignore_getattr, ignore_parameters_and_buffers)
        self._shape = dot_graph_shape or "record"
        self._modules = {name: graph_module}
        for inner_name, inner in graph_module.named_children():
            if isinstance(inner, torch.fx.GraphModule):
                self._modules[f"{name}_{inner_name}"] = inner

    def get_dot_source(self, submod_name=None):
        """The text for Graphviz."""
        module = self._modules[submod_name or self._name]
        return dot_source(module, submod_name or self._name, *self._ignore, **self._options)

    def get_dot_graph(self, submod_name=None):
        """The picture of the module, or of one of its GraphModules: a pydot.Dot."""
        return self._drawn(submod_name or self._name)

    def get_main_dot_graph(self):
        """The picture of the module."""
        return self._drawn(self._name)

    def get_submod_dot_graph(self, submod_name):
        """The picture of a GraphModule in it, called "name_submodule"."""
        return self._drawn(f"{self._name}_{submod_name}")

    def get_all_dot_graphs(self):
        """{name: picture}"""
        return {name: self._drawn(name) for name in self._modules}

    def _drawn(self, name):
        if not HAS_PYDOT:
            raise RuntimeError(
                "FXGraphDrawer requires the pydot package to be installed. Please install pydot through your favorite "
                "Python package manager. (get_dot_source() gives Graphviz's text without it.)"
            )
        nodes, edges = _nodes_and_edges(self._modules[name], *self._ignore, self._options)
        graph = pydot.Dot(name, rankdir="TB")
        for node, label, style in nodes:
            graph.add_node(pydot.Node(f'"{node}"', label=f'"{label}"', **{**style, "shape": self._shape}))
        for a, b in edges:
            graph.add_edge(pydot.Edge(f'"{a}"', f'"{b}"'))
        return graph
