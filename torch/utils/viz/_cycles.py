"""Cycles of Python objects that keep tensors alive until the collector comes: found, and drawn as a graph.

torch.utils.viz._cycles.observe_tensor_cycles(lambda html: open("cycle.html", "w").write(html))
"""

import gc
import html as _html
import json
import logging
import sys
import types
import weakref
from tempfile import NamedTemporaryFile
from typing import NamedTuple

import torch

logger = logging.getLogger(__name__)

FRAME_FILENAME_LIMIT = 32
BASE_TYPES = (int, float, complex, type(None), str, bytes)
CellType = types.CellType


class Node(NamedTuple):
    """An object of a graph: what it is, where it was made, whether one searched from it, what it refers to by which name."""

    label: str
    context: str | None
    root: bool
    referrents: list  # of (name, place of the node)


def is_cuda_tensor(obj):
    """Whether it is a tensor in a GPU's memory."""
    return isinstance(obj, torch.Tensor) and obj.device.type == "cuda"


def cuda_allocation_context():
    """A function that says where a tensor on a GPU was allocated; here it knows of none."""
    return lambda obj: None


def _with_tensors(garbage):
    """And the tensors that it refers to: one without attributes can be in no cycle, and the collector does not list it."""
    found = list(garbage)
    known = set(map(id, found))
    for obj in garbage:
        for other in gc.get_referents(obj):
            if isinstance(other, torch.Tensor) and id(other) not in known:
                known.add(id(other))
                found.append(other)
    return found


def observe_garbage(observer):
    """`observer(objects)` is called with the cycles that each collection of the oldest generation finds. A function that ends
    it."""
    enabled = True

    def stop():
        nonlocal enabled
        enabled = False
        if callback in gc.callbacks:
            gc.callbacks.remove(callback)
        gc.set_debug(before)

    def callback(phase, info):
        if not enabled or info["generation"] != 2:  # noqa: PLR2004 - the oldest
            return
        if phase == "start":
            gc.set_debug(gc.DEBUG_SAVEALL)
        else:
            gc.set_debug(before)
            found = _with_tensors(gc.garbage)
            gc.garbage.clear()
            if found:
                observer(found)
                found.clear()

    before = gc.get_debug()
    gc.callbacks.append(callback)
    weakref.finalize(sys.modules[__name__], stop)
    return stop


# ---- what refers to what -------------------------------------------------------------------------------------
def _named(obj):
    """(name, referred object) as far as there are names."""
    if isinstance(obj, dict):
        for key, value in obj.items():
            yield f"[{_short(key)}]", value
    elif isinstance(obj, (list, tuple)):
        for number, value in enumerate(obj):
            yield f"[{number}]", value
    elif isinstance(obj, types.FunctionType):
        yield "__globals__", obj.__globals__
        for name, cell in zip(obj.__code__.co_freevars, obj.__closure__ or ()):
            yield name, cell
    elif isinstance(obj, types.MethodType):
        yield "__self__", obj.__self__
        yield "__func__", obj.__func__
    elif isinstance(obj, types.FrameType):
        for name, value in obj.f_locals.items():
            yield name, value
    if not isinstance(obj, type) and isinstance(getattr(obj, "__dict__", None), dict):
        yield "__dict__", obj.__dict__
        for name, value in obj.__dict__.items():  # which the collector may list as the object's own
            yield f".{name}", value


def annotated_references(obj):
    """{id of a referred object: [names by which it is referred to]}"""
    names = {}
    try:
        for name, value in _named(obj):
            names.setdefault(id(value), []).append(name)
    except Exception:  # noqa: BLE001 - an object's own attributes may raise anything
        logger.debug("the references of a %s have no names", type(obj), exc_info=True)
    return names


def _short(value):
    text = repr(value) if isinstance(value, BASE_TYPES) else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "..."  # noqa: PLR2004


def object_annotation(obj):
    """What an object is, in a few words."""
    if isinstance(obj, BASE_TYPES):
        return _short(obj)
    if isinstance(obj, torch.Tensor):
        return f"tensor\n{tuple(obj.shape)} {obj.dtype} {obj.device}"
    if isinstance(obj, types.FunctionType):
        return f"function\n{obj.__name__}"
    if isinstance(obj, types.FrameType):
        file = obj.f_code.co_filename
        file = file if len(file) <= FRAME_FILENAME_LIMIT else "..." + file[-FRAME_FILENAME_LIMIT:]
        return f"frame\n{file}:{obj.f_lineno}"
    if isinstance(obj, (dict, list, tuple, set)):
        return f"{type(obj).__name__}\n{len(obj)} elements"
    return f"{type(obj).__module__}.{type(obj).__name__}"


def create_graph(objects, *, context=None, filter=None):  # noqa: A002 - torch's name
    """The objects that refer, in some steps, to one that `filter` takes (a tensor on a GPU, if it is not given), as a list of
    Node."""
    wanted = is_cuda_tensor if filter is None else filter
    context = cuda_allocation_context() if context is None else context
    everything = list(objects)
    places = {id(obj): number for number, obj in enumerate(everything)}
    # Before names are looked up, which gives some objects a __dict__ that they had not.
    referred = [[other for other in gc.get_referents(obj) if id(other) in places] for obj in everything]
    refers = []
    for obj, found in zip(everything, referred):
        names = annotated_references(obj)
        refers.append([(", ".join(names.get(id(other), [""])), places[id(other)]) for other in found])
    referrers = [[] for _ in everything]
    for number, edges in enumerate(refers):
        for _, other in edges:
            referrers[other].append(number)
    kept, search = set(), [number for number, obj in enumerate(everything) if wanted(obj)]
    roots = set(search)
    while search:
        number = search.pop()
        if number not in kept:
            kept.add(number)
            search += referrers[number]
    order = {number: place for place, number in enumerate(sorted(kept))}
    return [
        Node(
            object_annotation(everything[number]),
            context(everything[number]),
            number in roots,
            [(name, order[other]) for name, other in refers[number] if other in order],
        )
        for number in sorted(kept)
    ]


# ---- drawn ---------------------------------------------------------------------------------------------------
def escape(n):
    """Text in a string of JSON and of Graphviz."""
    return json.dumps(n)


def to_dot(nodes):
    """The graph in Graphviz's language."""
    lines = ["digraph GraphName {", "node [shape=rect];", "rankdir=LR;"]
    for number, node in enumerate(nodes):
        color = ' style="filled" fillcolor="lightgray"' if node.root else ""
        lines.append(f"n{number} [label={escape(node.label)}{color}];")
        lines += [f"n{number} -> n{other} [label={escape(name)}];" for name, other in node.referrents]
    return "\n".join([*lines, "}", ""])


def to_html(nodes):
    """A page with the objects, what they refer to, and the graph in Graphviz's language."""
    rows = []
    for number, node in enumerate(nodes):
        edges = ", ".join(
            f'{_html.escape(name)} &rarr; <a href="#n{other}">n{other}</a>' for name, other in node.referrents
        )
        label = _html.escape(node.label)
        label = f"<b>{label}</b>" if node.root else label
        context = f"<pre>{_html.escape(node.context)}</pre>" if node.context else ""
        rows.append(
            f'<tr id="n{number}"><td>n{number}</td><td><pre>{label}</pre></td><td>{edges}</td><td>{context}</td></tr>'
        )
    return (
        "<!DOCTYPE html><html><head><meta charset='utf-8'><title>Reference cycles</title></head><body>"
        "<table border='1'><tr><th></th><th>object</th><th>refers to</th><th>made</th></tr>"
        + "".join(rows)
        + f"</table><h2>Graphviz</h2><pre>{_html.escape(to_dot(nodes))}</pre></body></html>"
    )


def observe_tensor_cycles(callback):
    """`callback(html)` is called for cycles with tensors on a GPU. A function that ends it."""

    def observer(garbage):
        if any(is_cuda_tensor(obj) for obj in garbage):
            callback(to_html(create_graph(garbage)))

    return observe_garbage(observer)


def warn_tensor_cycles():
    """Logs a warning with the name of a page for cycles that hold memory of a GPU. A function that ends it."""
    logger.info("Watching Python reference cycles for CUDA Tensors.")

    def write(page):
        with NamedTemporaryFile("w", suffix=".html", delete=False) as file:
            file.write(page)
        logger.warning("Reference cycle includes a CUDA Tensor see visualization of cycle %s", file.name)

    return observe_tensor_cycles(write)
