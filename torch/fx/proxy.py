"""What stands for values while a program is recorded: a Proxy notes in a graph what is done with it."""

from __future__ import annotations

import collections
import contextlib
import copy
import dis
import inspect
import operator
import os
import sys
import traceback
from dataclasses import fields, is_dataclass

import torch
from torch.fx import traceback as fx_traceback
from torch.fx._codegen import magic_methods, reflectable_magic_methods
from torch.fx._functional import as_recorded
from torch.fx.immutable_collections import immutable_dict, immutable_list
from torch.fx.node import Node, base_types, map_aggregate

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from torch.fx.graph import Graph
    from torch.fx.node import Argument, Target


__all__ = [
    "Attribute",
    "GraphAppendingTracer",
    "MetaProxy",
    "ParameterProxy",
    "Proxy",
    "Scope",
    "ScopeContextManager",
    "TraceError",
    "TracerBase",
]

_COPY_META_FIELDS = [
    "nn_module_stack",
    "torch_fn",
    "source_fn_stack",
    "original_aten",
    "recompute",
    "from_node",
    "custom",
]


class TraceError(ValueError):
    """A program does what cannot be recorded."""


class Scope:
    """Which module is being recorded: its path and its type."""

    def __init__(self, module_path: str, module_type: Any) -> None:
        self.module_path, self.module_type = module_path, module_type


class ScopeContextManager:
    """A scope, inside a `with`."""

    def __init__(self, scope: Scope, current_scope: Scope) -> None:
        self._prev_scope = copy.copy(scope)
        scope.module_path, scope.module_type = current_scope.module_path, current_scope.module_type
        self._scope = scope

    def __enter__(self) -> Scope:
        return self._scope

    def __exit__(self, *args: object) -> None:
        self._scope.module_path, self._scope.module_type = self._prev_scope.module_path, self._prev_scope.module_type


def assert_fn(x):
    """assert x"""
    if not x:
        raise AssertionError


_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))
_NN_FOLDER = os.path.join(os.path.dirname(_OWN_FOLDER), "nn", "modules")


def _user_frame():
    """The innermost frame of a program that is being recorded: of no file here, nor of torch.nn's modules."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((_OWN_FOLDER, _NN_FOLDER)) and not file.endswith(("torch/overrides.py", "_protocol.py")):
            return frame
        frame = frame.f_back
    return None


def _place(frame):
    """(file, line 3, in f: `if x > 0:`), or nothing."""
    if frame is None:
        return ""
    import linecache

    code = frame.f_code
    line = linecache.getline(code.co_filename, frame.f_lineno, frame.f_globals).strip()
    shown = f": `{line}`" if line else ""
    return f' (File "{code.co_filename}", line {frame.f_lineno}, in {code.co_name}{shown})'


class TracerBase:
    """What tracers share: making nodes and proxies, and turning arguments into what nodes hold."""

    record_stack_traces = False  # whether nodes say where in the program they were recorded: Node.stack_trace
    _record_forward_stack_traces_only = False
    check_mutable_operations = False  # whether functions that write to an argument are refused
    trace_asserts = False  # whether `assert` of a proxy is recorded
    proxy_buffer_attributes = False  # whether buffers become proxies when they are looked up
    traced_func_name = "forward"

    def create_node(
        self,
        kind: str,
        target: Target,
        args: tuple[Argument, ...],
        kwargs: dict[str, Argument],
        name: str | None = None,
        type_expr: Any | None = None,
    ) -> Node:
        """Adds a node to the graph."""
        if kind == "call_function" and self.check_mutable_operations:
            from torch.fx.operator_schemas import check_for_mutable_operation

            check_for_mutable_operation(target, args, kwargs)
        node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        scope = getattr(self, "scope", None)
        if scope is not None:
            self.node_name_to_scope[node.name] = (scope.module_path, scope.module_type)
        if fx_traceback.has_preserved_node_meta():
            fx_traceback._annotate_node(node)
        elif getattr(self, "module_stack", None):
            node.meta["nn_module_stack"] = copy.copy(self.module_stack)
        return node

    def proxy(self, node: Node) -> Proxy:
        """What stands for the node's value."""
        return Proxy(node, self)

    def create_proxy(
        self,
        kind: str,
        target: Target,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any | None = None,
        proxy_factory_fn: Callable[[Node], Proxy] | None = None,
    ) -> Proxy:
        """Adds a node, of arguments with proxies in them, and returns its proxy."""
        args_ = self.create_arg(args)
        kwargs_ = self.create_arg(kwargs)
        if not isinstance(args_, tuple):
            raise AssertionError(f"args must be a tuple, not {type(args_).__name__}")
        if not isinstance(kwargs_, dict):
            raise AssertionError(f"kwargs must be a dict, not {type(kwargs_).__name__}")
        node = self.create_node(kind, target, args_, kwargs_, name, type_expr)
        proxy = proxy_factory_fn(node) if proxy_factory_fn else self.proxy(node)
        if self.record_stack_traces and not node.stack_trace:
            frames = self._filter_traceback_frames(traceback.extract_stack())
            node.stack_trace = "".join(traceback.StackSummary.from_list(frames).format())
        return proxy

    def _filter_traceback_frames(self, user_stack_summary):
        return [f for f in user_stack_summary if not f.filename.startswith((_OWN_FOLDER, _NN_FOLDER))]

    def _find_user_frame(self):
        return _user_frame()

    def create_arg(self, a: Any) -> Argument:
        """A value of the program as an argument of nodes: proxies become their nodes. NotImplementedError for what nodes
        cannot hold."""
        kind = type(a)
        if kind in _PLAIN or a is None:
            return a
        if isinstance(a, Proxy):
            return a.node
        if kind is tuple:
            return tuple([self.create_arg(x) for x in a])
        if kind is list or kind is immutable_list:
            return [self.create_arg(x) for x in a]
        if kind is dict or kind is immutable_dict:
            return {_key(k, self): self.create_arg(v) for k, v in a.items()}
        return self._create_other_arg(a)

    def _create_other_arg(self, a):
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            if hasattr(a, "_fields"):
                return type(a)(*[self.create_arg(x) for x in a])
            return a if isinstance(a, torch.Size) else tuple(self.create_arg(x) for x in a)
        if isinstance(a, list):
            return [self.create_arg(x) for x in a]
        if isinstance(a, dict):
            return {_key(k, self): self.create_arg(v) for k, v in a.items()}
        if isinstance(a, slice):
            return slice(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, range):
            return range(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        if isinstance(a, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
            return a
        if is_dataclass(a) and not isinstance(a, type):
            values = {field.name: self.create_arg(getattr(a, field.name)) for field in fields(a)}
            return self.create_node("call_function", type(a), (), values)
        if isinstance(a, base_types) or a is ... or _is_constant(a):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}: a node's arguments cannot hold {a!r}")

    def to_bool(self, obj: Proxy) -> bool:
        """What `if`, `while`, `and`, `or`, `not` and `assert` ask of a proxy: TraceError by default."""
        raise TraceError(
            "symbolically traced variables cannot be used as inputs to control flow"
            f"{_place(_user_frame())}: {obj} has no value while the program is recorded, so that the branch cannot be "
            "chosen by it. torch.where() chooses by values; concrete_args fixes arguments; torch.fx.wrap() makes a "
            "function with such branches one step"
        )

    def iter(self, obj: Proxy) -> Iterator:
        """What `for`, `*` and `in` ask of a proxy: TraceError by default. `a, b = proxy` works."""
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
            f"**kwargs function argument{_place(_user_frame())}: how many elements {obj} has is not known while the "
            "program is recorded. Elements by number, and `a, b = proxy`, work"
        )

    def keys(self, obj: Proxy) -> Proxy:
        """What `**proxy` asks: a call of the method."""
        return Attribute(obj, "keys")()


_PLAIN = frozenset(
    {
        int,
        float,
        bool,
        str,
        complex,
        torch.dtype,
        torch.device,
        torch.memory_format,
        torch.layout,
        type(None),
        type(...),
    }
)


def _key(key, tracer):
    """A key of a dict among arguments. RuntimeError if it holds a proxy."""
    if isinstance(key, str):
        return key
    made = tracer.create_arg(key)
    found = []
    map_aggregate(made, lambda x: found.append(x) if isinstance(x, Node) else None)
    if found:
        raise RuntimeError(f"Keys for dictionaries used as an argument cannot contain a Node. Got key: {key}")
    return made


def _is_constant(a):
    """Types, functions and enumerations are what they are."""
    import enum
    import types

    return isinstance(a, (enum.Enum, type, types.FunctionType, types.BuiltinFunctionType)) or inspect.ismodule(a)


class GraphAppendingTracer(TracerBase):
    """Adds to a graph what is done with Proxy(node)."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.node_name_to_scope = {}


class Proxy:
    """Stands for a value while a program is recorded. Whatever is done with it (operators, methods, attributes,
    functions of torch) becomes a node of the graph, and its result is another Proxy. What needs the value, such as `if`,
    raises TraceError."""

    def __init__(self, node: Node, tracer: TracerBase | None = None) -> None:
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, k: str) -> Attribute:
        if k.startswith("__") and k.endswith("__") and k in _NEVER:
            raise AttributeError(f"Proxy has no {k}")
        return Attribute(self, k)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__

    def __setstate__(self, state) -> None:
        self.__dict__.update(state)

    def __deepcopy__(self, memo: dict[int, Any]) -> Proxy:
        new = object.__new__(type(self))
        memo[id(self)] = new
        new.__dict__.update({k: copy.deepcopy(v, memo) for k, v in self.__dict__.items() if k != "tracer"})
        new.tracer = self.tracer
        return new

    def __call__(self, *args: Any, **kwargs: Any) -> Proxy:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Proxy]:
        frame = inspect.currentframe().f_back
        instruction = next((i for i in dis.get_instructions(frame.f_code) if i.offset == frame.f_lasti), None)
        if instruction is not None and instruction.opname == "UNPACK_SEQUENCE":
            return (self[i] for i in range(instruction.argval))
        return self.tracer.iter(self)

    def __abs__(self) -> Proxy:
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self) -> bool:
        if self.tracer.trace_asserts and _in_assert(sys._getframe(1)):
            self.tracer.create_proxy("call_function", assert_fn, (self,), {})
            return True
        return self.tracer.to_bool(self)

    def __len__(self) -> int:
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call "
            f"torch.fx.wrap('len') at module scope{_place(_user_frame())}"
        )

    def keys(self) -> Proxy:
        return self.tracer.keys(self)

    @classmethod
    def __torch_function__(
        cls,
        orig_method: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> Proxy:
        args, kwargs = args or (), kwargs or {}
        tracer = _tracer_of(args, kwargs)
        if orig_method in _CALLERS:
            # A control-flow operator runs the functions that it is given.
            raise TraceError(f"{orig_method} calls functions that it is given, which cannot be recorded")
        name = getattr(orig_method, "__name__", "")
        owner = getattr(orig_method, "__objclass__", None)
        if owner is not None and issubclass(torch.Tensor, owner):
            return tracer.create_proxy("call_method", name, args, kwargs)
        if getattr(torch.Tensor, name, None) is orig_method and name.startswith("__"):
            return tracer.create_proxy("call_method", name, args, kwargs)
        args, kwargs = as_recorded(orig_method, args, kwargs)
        return tracer.create_proxy(
            "call_function", orig_method, args, kwargs, name=tracer.graph._target_to_str(name) if name else None
        )


_CALLERS = ()
# Asked of any object by Python or libraries that look what it is.
_NEVER = frozenset(
    "__array__ __array_interface__ __array_struct__ __cuda_array_interface__ __dlpack__ __fx_create_arg__ __index__ "
    "__length_hint__ __setitem__ __delitem__ __fspath__ __wrapped__ __torch_dispatch__ __array_priority__".split()
)


def _find_proxies(value, found):
    if isinstance(value, Proxy):
        found.append(value)
    elif isinstance(value, (tuple, list)):
        for x in value:
            _find_proxies(x, found)
    elif isinstance(value, dict):
        for x in value.values():
            _find_proxies(x, found)
    elif isinstance(value, slice):
        _find_proxies((value.start, value.stop, value.step), found)


def _tracer_of(args, kwargs):
    """The tracer of the proxies among the arguments. ValueError where there are two."""
    found = []
    _find_proxies(args, found)
    _find_proxies(kwargs, found)
    tracers = {id(p.tracer): p.tracer for p in found}
    if len(tracers) == 1:
        return found[0].tracer
    if not tracers:
        raise RuntimeError("no Proxy is among the arguments")
    graphs = {id(t.graph): t.graph for t in tracers.values()}
    if len(graphs) == 1:
        return found[0].tracer
    raise ValueError(
        f"Found multiple different tracers {list(tracers.values())} while trying to trace operations {args} {kwargs}"
    )


def _in_assert(frame):
    """Whether the frame asks for a bool in an `assert`: Python jumps over the raising where it is true."""
    instructions = list(dis.get_instructions(frame.f_code))
    at = next((i for i, x in enumerate(instructions) if x.offset == frame.f_lasti), None)
    if at is None:
        return False
    current = instructions[at]
    if current.opname in ("TO_BOOL", "UNARY_NOT") or current.argrepr.startswith("bool("):  # from Python 3.13 on
        at += 1
        current = instructions[at]
    if "JUMP" not in current.opname or "IF_TRUE" not in current.opname:
        return False
    following = next((x for x in instructions[at + 1 :] if x.opname not in ("CACHE", "NOT_TAKEN")), None)
    return following is not None and (
        following.opname == "LOAD_ASSERTION_ERROR"
        or (following.opname == "LOAD_COMMON_CONSTANT" and "AssertionError" in following.argrepr)
    )


class Attribute(Proxy):
    """proxy.attr: becomes a node when it is used as a value; a call of it is a call of a method."""

    def __init__(self, root: Proxy, attr: str) -> None:
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node = None

    @property
    def node(self) -> Node:
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Proxy:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class ParameterProxy(Proxy):
    """Stands for a parameter, whose shape is known."""

    def __init__(self, tracer: TracerBase, node: Node, name: str, param) -> None:
        super().__init__(node, tracer)
        if not isinstance(param, torch.nn.Parameter):
            raise AssertionError(f"param must be a Parameter, not {type(param).__name__}")
        self.param, self.name = param, name

    def __repr__(self) -> str:
        return f"ParameterProxy({self.name})"

    shape = property(lambda self: self.param.shape)
    ndim = property(lambda self: self.param.ndim)

    def size(self) -> torch.Size:
        return self.param.size()

    def dim(self) -> int:
        return self.param.dim()

    def numel(self) -> int:
        return self.param.numel()

    def nelement(self) -> int:
        return self.param.nelement()


class MetaProxy(Proxy):
    """A proxy that knows, in ``node.meta["val"]``, a tensor like its value, and computes what functions make of it."""

    def __init__(self, node: Node, tracer: TracerBase | None = None, fake_mode: Any = None) -> None:
        super().__init__(node, tracer)
        self.fake_mode = fake_mode

    def __repr__(self) -> str:
        return f"MetaProxy({self.node.name})"

    @classmethod
    def __torch_function__(
        cls,
        orig_method: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> MetaProxy:
        args, kwargs = args or (), kwargs or {}
        found = []
        _find_proxies((args, kwargs), found)
        first = next((p for p in found if isinstance(p, MetaProxy)), None)
        if first is None:
            raise AssertionError("no MetaProxy is among the arguments")
        proxy = super().__torch_function__(orig_method, types, args, kwargs)
        known = map_aggregate((args, kwargs), lambda x: x.node.meta["val"] if isinstance(x, MetaProxy) else x)
        with first.fake_mode if first.fake_mode is not None else contextlib.nullcontext():
            proxy.node.meta["val"] = orig_method(*known[0], **known[1])
        return MetaProxy(proxy.node, proxy.tracer, first.fake_mode)


def _operator_method(name):
    target = getattr(operator, name)

    def method(self, *args, **kwargs):
        return self.tracer.create_proxy("call_function", target, (self, *args), kwargs)

    method.__name__ = f"__{name.strip('_')}__"
    return method


def _reflected_method(name):
    target = getattr(operator, name)

    def method(self, rhs):
        return self.tracer.create_proxy("call_function", target, (rhs, self), {})

    method.__name__ = f"__r{name.strip('_')}__"
    return method


for _name in magic_methods:
    if hasattr(operator, _name):
        setattr(Proxy, f"__{_name.strip('_')}__", _operator_method(_name))
for _name in reflectable_magic_methods:
    if hasattr(operator, _name) and _name != "getitem":
        setattr(Proxy, f"__r{_name.strip('_')}__", _reflected_method(_name))
Proxy.__hash__ = object.__hash__
