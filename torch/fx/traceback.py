"""Notes that go with nodes from one graph to the next: stack traces, annotations, which node a node came from."""

import contextlib
import functools
import traceback
from enum import Enum

__all__ = [
    "NodeSource",
    "NodeSourceAction",
    "annotate",
    "annotate_fn",
    "format_stack",
    "get_current_meta",
    "get_current_replay_node",
    "get_graph_provenance_json",
    "has_preserved_node_meta",
    "preserve_node_meta",
    "reset_grad_fn_seq_nr",
    "set_current_meta",
    "set_current_replay_node",
    "set_grad_fn_seq_nr",
    "set_stack_trace",
]

current_meta = {}
current_replay_node = None
should_preserve_node_meta = False
_FX_METADATA_REGISTRY = {}


class NodeSourceAction(Enum):
    """What a pass did with a node."""

    CREATE = "create"
    REPLACE = "replace"


class NodeSource:
    """Which node a node came from, by which pass."""

    class NodeInfo:
        def __init__(self, name, target, graph_id):
            self.name, self.target, self.graph_id = name, target, graph_id

    def __init__(self, node, pass_name="", action=None):
        self.pass_name = pass_name
        self.action = [] if action is None else [action] if isinstance(action, NodeSourceAction) else list(action)
        self.node_info = None
        self.from_node = []
        if node is not None:
            target = node._pretty_print_target(node.target)
            self.node_info = self.NodeInfo(node.name, target, id(node.graph))
            self.from_node = list(node.meta.get("from_node", ()))

    name = property(lambda self: self.node_info.name if self.node_info else "")
    target = property(lambda self: self.node_info.target if self.node_info else "")
    graph_id = property(lambda self: self.node_info.graph_id if self.node_info else -1)

    def _get_action_string(self):
        return "+".join(action.name.lower() for action in self.action)

    def __repr__(self):
        return self.print_readable()

    def print_readable(self, indent=0):
        """The node and those before it, a line each."""
        if indent > 9:
            return ""
        text = f"{' ' * 4 * indent}(name={self.name}, pass_name={self.pass_name}, action={self._get_action_string()}, "
        text += f"graph_id={self.graph_id})\n"
        return text + "".join(source.print_readable(indent + 1) for source in self.from_node)

    def to_dict(self):
        """The same as a dict."""
        return {
            "name": self.name,
            "target": self.target,
            "graph_id": self.graph_id,
            "pass_name": self.pass_name,
            "action": self._get_action_string(),
            "from_node": [source.to_dict() for source in self.from_node],
        }

    @classmethod
    def _from_dict(cls, d):
        if d is None:
            return None
        source = cls(None, d.get("pass_name", ""))
        source.action = [NodeSourceAction[name.upper()] for name in d.get("action", "").split("+") if name]
        source.node_info = cls.NodeInfo(d.get("name", ""), d.get("target", ""), d.get("graph_id", -1))
        source.from_node = [cls._from_dict(inner) for inner in d.get("from_node", ())]
        return source

    def __eq__(self, other):
        return isinstance(other, NodeSource) and self.to_dict() == other.to_dict()

    def __hash__(self):
        return hash((self.name, self.target, self.graph_id, self.pass_name, tuple(self.action)))


@contextlib.contextmanager
def preserve_node_meta(enable=True):
    """A context in which notes set by set_current_meta() go to new nodes."""
    global should_preserve_node_meta, current_meta
    before, meta = should_preserve_node_meta, current_meta
    should_preserve_node_meta, current_meta = enable, dict(meta)
    try:
        yield
    finally:
        should_preserve_node_meta, current_meta = before, meta


def has_preserved_node_meta():
    """Whether that context is entered."""
    return should_preserve_node_meta


def get_current_meta():
    """The notes that new nodes get."""
    return current_meta


@contextlib.contextmanager
def set_current_meta(node, pass_name=""):
    """A context in which new nodes come from `node`."""
    global current_meta
    if not (should_preserve_node_meta and node.meta):
        yield
        return
    before = current_meta
    current_meta = {**node.meta, "from_node": [NodeSource(node, pass_name, NodeSourceAction.CREATE)]}
    try:
        yield
    finally:
        current_meta = before


def _annotate_node(node):
    from torch.fx.proxy import _COPY_META_FIELDS

    for field in (*_COPY_META_FIELDS, "stack_trace"):
        if field in current_meta:
            value = current_meta[field]
            node.meta[field] = value.copy() if hasattr(value, "copy") else value


@contextlib.contextmanager
def annotate(annotation_dict):
    """A context in which new nodes get these notes: node.meta["custom"]."""
    global current_meta
    before = current_meta
    current_meta = {**before, "custom": {**before.get("custom", {}), **annotation_dict}}
    try:
        yield
    finally:
        current_meta = before


def annotate_fn(annotation_dict):
    """annotate() for what a function does."""

    def decorator(function):
        @functools.wraps(function)
        def annotated(*args, **kwargs):
            with annotate(annotation_dict):
                return function(*args, **kwargs)

        return annotated

    return decorator


def set_stack_trace(stack):
    """The stack trace that new nodes get."""
    if should_preserve_node_meta and stack:
        current_meta["stack_trace"] = "".join(stack)


def format_stack():
    """The stack trace that new nodes get, or the present one."""
    if should_preserve_node_meta:
        return [current_meta.get("stack_trace", "")]
    return traceback.format_list(traceback.extract_stack()[:-1])


def set_grad_fn_seq_nr(seq_nr):
    """The number of the autograd node that new nodes belong to."""
    if should_preserve_node_meta:
        current_meta["grad_fn_seq_nr"] = [*current_meta.get("grad_fn_seq_nr", []), seq_nr]
        current_meta["in_grad_fn"] = current_meta.get("in_grad_fn", 0) + 1


def reset_grad_fn_seq_nr():
    """Takes the last of these numbers away."""
    if not should_preserve_node_meta or not current_meta.get("in_grad_fn"):
        return
    current_meta["in_grad_fn"] -= 1
    current_meta["grad_fn_seq_nr"] = current_meta["grad_fn_seq_nr"][:-1]


@contextlib.contextmanager
def set_current_replay_node(node):
    """A context in which an Interpreter runs `node`."""
    global current_replay_node
    before, current_replay_node = current_replay_node, node
    try:
        yield
    finally:
        current_replay_node = before


def get_current_replay_node():
    """The node that is run."""
    return current_replay_node


def _register_fx_metadata(module_name, metadata):
    _FX_METADATA_REGISTRY[module_name] = metadata


def get_graph_provenance_json(graph):
    """{node's name: what it came from}"""
    return {
        node.name: [source.to_dict() for source in node.meta["from_node"]]
        for node in graph.nodes
        if node.op == "call_function" and "from_node" in node.meta
    }
