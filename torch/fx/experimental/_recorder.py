"""Recording a program operator by operator, below autograd: what make_fx does.

Operators are heard by a mode of torch._C. It has no objects of Python that would be the same tensor in two calls, so
tensors are known by the memory that they are views of. What it does not hear (functions without parts that a graph could
call) is recorded as one call of the function that the program made, which a TorchFunctionMode sees.
"""

import contextlib
import operator

import torch
from torch import _C
from torch._absent import is_absent
from torch._ops import _function, aten_has, ops, overload_of
from torch.fx.experimental import _calls
from torch.fx.node import map_aggregate
from torch.fx.passes.shape_prop import _extract_tensor_metadata
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils import _pytree as pytree

_stack = []  # recorders at work in this process, the innermost one last
_answers = 0  # how many answers are being made: what they compute is not recorded

_VALUE = (
    "trying to get value out of a tracing tensor with {}: what is recorded is one way through the program, and it cannot "
    "depend on elements of tensors"
)


def current():
    """The recorder at work, or None."""
    return _stack[-1] if _stack else None


def _storage(tensor):
    return tensor.untyped_storage()._cdata


def all_of_them():
    """The recorders at work."""
    return list(_stack)


def _version(tensor):
    return 0 if tensor.is_inference() else tensor._version


def key_of(tensor):
    """What two tensors have in common that are one to a graph."""
    return (
        _storage(tensor),
        tensor.storage_offset(),
        tuple(tensor.shape),
        tensor.stride(),
        tensor.dtype,
        tensor.is_conj(),
    )


# Operators whose results have no elements yet.
_EMPTY = frozenset("empty empty_like empty_strided new_empty new_empty_strided".split())


class _Unheard(NotImplementedError):
    """A part of a function that no graph could call."""


class _Frame:
    """A call of a function of torch's by the program."""

    def __init__(self, name, graph, tensors):
        self.name = name
        self.keys = {key_of(t) for t in tensors}  # of what it was given
        self.given = [(t, _version(t)) for t in tensors]
        self.journal = []  # (key, node before) of what became known since
        self.unfilled = set()  # storages that parts have made without elements
        self.begin = next(reversed(graph.nodes), None)
        self.why_whole = None


class Recorder:
    """Fills a tracer's graph while `recording()`."""

    def __init__(self, tracer):
        self.tracer = tracer
        self.known = {}  # {key: node}
        self.versions = {}  # {storage: its version when a recorded operator had written it}
        self.kept = []  # tensors, so that no other one gets their memory
        self.frames = []
        self.enabled = True

    # ---- tensors and nodes -----------------------------------------------------------------------------
    def know(self, tensor, node):
        """The tensor is what the node computes."""
        key = key_of(tensor)
        for frame in self.frames:
            frame.journal.append((key, self.known.get(key)))
        self.known[key] = node
        self.versions[key[0]] = _version(tensor)
        self.kept.append(tensor)

    def _have_written(self, tensors):
        """What they are now is what recorded operators have made of them."""
        for tensor in tensors:
            if isinstance(tensor, torch.Tensor) and _storage(tensor) in self.versions:
                self.versions[_storage(tensor)] = _version(tensor)

    def _is_changed(self, tensor, before=None):
        """Whether something that is not recorded has written the tensor."""
        return self.versions.get(_storage(tensor), before) not in (None, _version(tensor))

    def know_all(self, results, node):
        """Results, in their structure: a node for each element of a list or tuple."""
        if isinstance(results, torch.Tensor):
            self._note(node, results)
            self.know(results, node)
        elif isinstance(results, (list, tuple)):
            node.meta["val"] = tuple(_like(r) for r in results)
            for i, result in enumerate(results):
                self.know_all(result, self.node("call_function", operator.getitem, (node, i), {}))

    @staticmethod
    def _note(node, tensor):
        node.meta["val"] = _like(tensor)
        node.meta["tensor_meta"] = _extract_tensor_metadata(tensor)

    def is_known(self, tensor):
        return key_of(tensor) in self.known

    def is_known_of_program(self, tensor):
        """Whether the tensor is computed by a node: no constant."""
        with self._answering():
            node = self.known.get(key_of(tensor))
        return node is not None and node.op != "get_attr"

    def node_of(self, value):
        """The value as an argument of nodes: a tensor that nothing here computed is a constant of the graph."""
        if not isinstance(value, torch.Tensor):
            return value
        node = self.known.get(key_of(value))
        if self._is_changed(value):
            raise _Unheard("a part of it that writes a tensor is not heard")
        if node is None:
            self._must_be_from_outside(value)
            node = self.tracer.create_arg(value)
            self.know(value, node)
        return node

    def _must_be_from_outside(self, tensor):
        if self.frames:
            if key_of(tensor) not in self.frames[-1].keys:
                raise _Unheard("a part of it is not heard")
        elif _C._current_autograd_node() is not None:
            raise _Unheard(
                "a gradient is computed from a tensor that the recorded program has not made: its forward pass ran outside, "
                "or in a way that cannot be recorded"
            )

    def nodes_of(self, values):
        return map_aggregate(values, self.node_of)

    def start(self, tensor, node):
        """The tensor is an input."""
        with self._answering():
            self._note(node, tensor)
            self.know(tensor, node)

    def output_of(self, tensor):
        """The node of a tensor that the program returns."""
        with self._answering():
            return self.node_of(tensor)

    def node(self, kind, target, args, kwargs):
        """A new node, with the operator's name."""
        packet = getattr(target, "overloadpacket", None)
        return self.tracer.create_node(kind, target, args, kwargs, name=packet and packet.__name__)

    # ---- operators -------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def recording(self):
        _stack.append(self)
        _C._enter_dispatch_mode(self._asked)
        try:
            with _Functions(self):
                yield self
        finally:
            _C._leave_dispatch_mode()
            _stack.pop()

    @contextlib.contextmanager
    def _answering(self):
        global _answers
        _answers += 1
        try:
            with _C.DisableTorchFunction():
                yield
        finally:
            _answers -= 1

    def _asked(self, number, args):
        """Called before an operator is computed: returns what is called with its results."""
        if not self.enabled or _answers:
            return None
        if self.frames and self.frames[-1].why_whole:
            return None
        with self._answering():
            try:
                op = overload_of(number, args)
                _callable(op)
                self._must_be_filled(op, args)
                call, kwargs = _calls.call_of(op, args)
                nodes = self.nodes_of((list(call), kwargs))
            except NotImplementedError as error:
                self._unheard(error)
                return None

        def computed(results):
            with self._answering():
                self._computed(op, args, nodes, results)

        return computed

    def _must_be_filled(self, op, args):
        """Tensors that a function makes for its result are filled by parts that are not heard, or else by recorded ones."""
        unfilled = self.frames[-1].unfilled if self.frames else ()
        if not unfilled or op.overloadpacket.__name__ in _calls.FILLED or _calls.is_view(op):
            return
        if op.overloadpacket.__name__.endswith("_"):
            unfilled.discard(_storage(args[0]))
        for tensor in pytree.tree_leaves(args):
            if isinstance(tensor, torch.Tensor) and _storage(tensor) in unfilled:
                raise _Unheard("a part of it that fills a tensor is not heard")

    def _unheard(self, error):
        if not self.frames:
            raise NotImplementedError(f"make_fx: {error}") from error
        self.frames[-1].why_whole = str(error)

    def _computed(self, op, args, nodes, results):
        name = op.overloadpacket.__name__
        filled = _calls.FILLED.get(name, ())
        results = [*results, *(args[place] for place in filled)]
        self._have_written(args)
        of = results[0] if len(results) == 1 and not _calls.gives_list(op) else tuple(results)
        first = args[0] if args and isinstance(args[0], torch.Tensor) else None
        if name == "conj" and (first is None or not first.is_complex()):
            # Of a number: a constant.
            self.know(of, self.tracer.create_arg(of.clone()) if first is None else nodes[0][0])
        elif name == "detach" and not (self.frames and self.frames[-1].name == name):
            # The same to a graph: the node that was there is what stands for the tensor.
            self._note(self.node("call_function", op, tuple(nodes[0]), nodes[1]), of)
        elif name == "reshape":
            self._reshaped(nodes[0], first, of)
        else:
            node = self.node("call_function", op, tuple(nodes[0]), nodes[1])
            self.know_all(of, node)
            if self.frames and name in _EMPTY and not self.frames[-1].name.startswith(("empty", "new_empty")):
                self.frames[-1].unfilled.add(_storage(of))
            if name == "native_batch_norm" and not args[7]:
                self._statistics(args)

    def _statistics(self, args):
        """What normalisation by given statistics keeps for its gradient, and PyTorch's operator does not return."""
        mean, variance, save_mean, save_invstd = args[3:7]
        if not save_mean.numel():
            return
        kept = self.node("call_function", ops.aten.clone.default, (self.node_of(mean),), {})
        self.know_all(save_mean, kept)
        added = self.node("call_function", ops.aten.add.Tensor, (self.node_of(variance), args[-1]), {})
        self._note(added, variance)
        self.know_all(save_invstd, self.node("call_function", ops.aten.rsqrt.default, (added,), {}))

    def _reshaped(self, nodes, tensor, result):
        """A view, or one of a copy."""
        if _storage(result) == _storage(tensor):
            target, first = ops.aten.view.default, nodes[0]
        else:
            copied = {"memory_format": torch.contiguous_format}
            first = self.node("call_function", ops.aten.clone.default, (nodes[0],), copied)
            self._note(first, tensor.contiguous())
            target = ops.aten._unsafe_view.default
        node = self.node("call_function", target, (first, nodes[1]), {})
        self.know_all(result, node)

    # ---- functions -------------------------------------------------------------------------------------
    def whole(self, function, args, kwargs):
        """Calls a function of torch's whose parts are recorded; or, where one of them cannot be, itself is."""
        with self._answering():
            tensors = [t for t in pytree.tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
            frame = _Frame(getattr(function, "__name__", ""), self.tracer.graph, tensors)
        self.frames.append(frame)
        try:
            results = function(*args, **kwargs)
        finally:
            self.frames.pop()
        with self._answering():
            leaves = [t for t in pytree.tree_leaves(results) if isinstance(t, torch.Tensor)]
            outside = {id(t) for t in tensors}
            unknown = [t for t in leaves if id(t) not in outside and (not self.is_known(t) or self._is_changed(t))]
            unknown += [t for t in leaves if _storage(t) in frame.unfilled]
            changed = any(self._is_changed(t, version) for t, version in frame.given)
            if frame.why_whole or changed or (unknown and frame.name != "__get__"):
                self._undo(frame)
                self._have_written(tensors)
                self._record_function(function, args, kwargs, results)
        return results

    def _undo(self, frame):
        """Takes back what was recorded since the call began."""
        since = []
        for node in reversed(self.tracer.graph.nodes):
            if node is frame.begin:
                break
            since.append(node)
        for node in since:
            self.tracer.graph.erase_node(node)
        for key, node in reversed(frame.journal):
            if node is None:
                self.known.pop(key, None)
            else:
                self.known[key] = node

    def _record_function(self, function, args, kwargs, results):
        kind, target = _target_of(function)
        node = self.node(kind, target, self.nodes_of(tuple(args)), self.nodes_of(dict(kwargs)))
        if isinstance(results, (torch.Tensor, list, tuple)):
            self.know_all(results, node)

    def fresh(self, function, args, kwargs):
        """A tensor of numbers: a constant, of which each run has its own copy."""
        enabled, self.enabled = self.enabled, False
        try:
            made = function(*args, **kwargs)
        finally:
            self.enabled = enabled
        with self._answering():
            if not self.is_known(made):
                constant = made.detach().clone()
                node = self.tracer.create_arg(constant)
                self._note(node, constant)
                self.kept.append(constant)
                copy = self.node("call_function", ops.aten.lift_fresh_copy.default, (node,), {})
                self.know_all(made, copy)
        return made


def _callable(op):
    """NotImplementedError where a graph could not call the operator."""
    name = op.overloadpacket.__name__
    if is_absent(_function(name)) or name in _calls.OTHERWISE:
        raise _Unheard(f"{op} is a part of another operator here, and cannot be called by its name")


def drop_places(graph):
    """Takes out the empty tensors that normalisations are given to fill, which PyTorch's operators return."""
    for node in reversed(graph.nodes):
        if node.target is ops.aten.empty.memory_format and node.args == ([0],) and not node.users:
            graph.erase_node(node)


def _like(value):
    """A tensor without elements, on the device "meta"."""
    if not isinstance(value, torch.Tensor):
        return value
    return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")


def _target_of(function):
    """(kind of node, target) for a function or method of torch's."""
    name = getattr(function, "__name__", "")
    if name == "__setitem__":
        return "call_function", operator.setitem
    if getattr(torch.Tensor, name, None) is function:
        return "call_method", name
    if aten_has(name):
        packet = getattr(ops.aten, name)
        with contextlib.suppress(NotImplementedError):
            if _function(name) is function:
                found = packet.overloads()
                return "call_function", getattr(packet, "default" if "default" in found else found[0])
    if resolve_name(function) is None:
        raise NotImplementedError(f"make_fx: {function} cannot be recorded")
    return "call_function", function


# ---- what the program calls ----------------------------------------------------------------------------------
_VALUES = frozenset(
    "item tolist numpy __array__ __bool__ __float__ __int__ __index__ __complex__ __len__ __contains__".split()
) - {"__len__"}
_FRESH = frozenset("tensor as_tensor asarray from_numpy frombuffer".split())
# Their parts may use any tensor: what a graph of autograd's has kept.
_OPEN = frozenset("grad backward".split())


class _Functions(TorchFunctionMode):
    """Hears of the functions and methods that the program calls."""

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs, recorder = kwargs or {}, self.recorder
        name = getattr(func, "__name__", "")
        if _answers or not recorder.enabled or name in _OPEN:
            return func(*args, **kwargs)
        if name in _VALUES and recorder.is_known_of_program(args[0]):
            raise RuntimeError(_VALUE.format("aten._local_scalar_dense.default"))
        if name in _FRESH:
            return recorder.fresh(func, args, kwargs)
        if name == "one_hot" and kwargs.get("num_classes", -1 if len(args) < 2 else args[1]) == -1:
            raise RuntimeError(_VALUE.format("one_hot without num_classes"))
        if kwargs.get("out") is not None:
            return self._into(func, args, dict(kwargs))
        return recorder.whole(func, args, kwargs)

    def _into(self, func, args, kwargs):
        """A call that is given its result: recorded as one that is not, and a copy."""
        out = kwargs.pop("out")
        results = self.recorder.whole(func, args, kwargs)
        for into, made in zip(*((out, results) if isinstance(out, (tuple, list)) else ((out,), (results,)))):
            if into.shape != made.shape:
                raise NotImplementedError(
                    f"make_fx: {func.__name__}(out=…) with a tensor of shape {tuple(into.shape)} for a result of shape "
                    f"{tuple(made.shape)} cannot be recorded"
                )
            self.recorder.whole(torch.Tensor.copy_, (into, made), {})
        return out
