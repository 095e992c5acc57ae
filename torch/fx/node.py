"""A node of a graph: one step of a program, and what its arguments are made of."""

from __future__ import annotations

import operator
import types
from collections.abc import Mapping, Sequence

import torch
from torch.fx._naming import (  # noqa: F401 - where programs look for them
    _find_module_of_method,
    _format_arg,
    _get_qualified_name,
    _pretty_print_target,
    _type_repr,
    dtype_abbrs,
)
from torch.fx.immutable_collections import immutable_dict, immutable_list

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.fx.graph import Graph


__all__ = ["Node", "has_side_effect", "map_aggregate", "map_arg"]

BaseArgumentTypes = (
    str | int | float | bool | complex | torch.dtype | torch.Tensor | torch.device | torch.memory_format | torch.layout
)
base_types = BaseArgumentTypes.__args__
if TYPE_CHECKING:
    Target = Callable[..., Any] | str
    Argument = (
        tuple["Argument", ...]
        | Sequence["Argument"]
        | Mapping[str, "Argument"]
        | slice
        | range
        | BaseArgumentTypes
        | "Node"
        | None
    )
else:
    Target = types.FunctionType | str
    Argument = (
        tuple["Argument", ...]
        | Sequence["Argument"]
        | Mapping[str, "Argument"]
        | slice
        | range
        | BaseArgumentTypes
        | None
    )  # or a Node

_legal_ops = dict.fromkeys(["placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root"])

# Functions that do something beside returning a value: eliminate_dead_code() leaves them.
_side_effectful_need_to_be_preserved_pre_dispatch = (
    [torch._C._set_grad_enabled] if hasattr(torch._C, "_set_grad_enabled") else []
)
_side_effectful_functions = {torch._assert, *_side_effectful_need_to_be_preserved_pre_dispatch}


def has_side_effect(fn):
    """Says that `fn` does something beside returning a value, so that eliminate_dead_code() leaves calls of it. A
    decorator, too."""
    _side_effectful_functions.add(fn)
    return fn


# ---- arguments ---------------------------------------------------------------------------------------------
def map_aggregate(a, fn: Callable[[Argument], Argument]):
    """`a` with fn(x) for each x in it that is no tuple, list, dict or slice. Lists and dicts become immutable."""
    kind = type(a)
    if kind is tuple:
        return tuple([map_aggregate(x, fn) for x in a])
    if kind is list or kind is immutable_list:
        return immutable_list([map_aggregate(x, fn) for x in a])
    if kind is dict or kind is immutable_dict:
        return immutable_dict([(k, map_aggregate(v, fn)) for k, v in a.items()])
    if kind is slice:
        return slice(map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn))
    if isinstance(a, tuple) and kind is not torch.Size:
        items = [map_aggregate(x, fn) for x in a]
        return kind(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return immutable_list([map_aggregate(x, fn) for x in a])
    if isinstance(a, dict):
        return immutable_dict([(k, map_aggregate(v, fn)) for k, v in a.items()])
    return fn(a)


def map_arg(a, fn: Callable[[Node], Argument]):
    """`a` with fn(n) for each node n in it. Lists and dicts become immutable."""
    if not callable(fn):
        raise AssertionError("torch.fx.map_arg(a, fn): fn must be a callable")
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


class Node:
    """A step of a program. Its `op` says of which kind, and what `target` means:

    - ``placeholder``: an argument of the function, `target` is its name, `args` its default, if any;
    - ``get_attr``: an attribute of the module, `target` is its dotted name;
    - ``call_function``: `target` is the function;
    - ``call_module``: a call of a submodule, `target` is its dotted name;
    - ``call_method``: `target` is the method's name, ``args[0]`` what it belongs to;
    - ``output``: ``args[0]`` is what the function returns.

    `name` is the value's name, `users` the nodes that take it for an argument, `meta` is for whoever wants to note
    something, `type` the annotation.
    """

    def __init__(
        self,
        graph: Graph,
        name: str,
        op: str,
        target: Target,
        args: tuple[Argument, ...],
        kwargs: dict[str, Argument],
        return_type: Any | None = None,
    ) -> None:
        if op not in _legal_ops:
            raise AssertionError(f"op {op!r} is not in _legal_ops: {', '.join(_legal_ops)}")
        if op == "call_function":
            if not callable(target):
                raise ValueError(
                    f"Node [graph = {graph}, name = {name!r}] target {target!r} has type {torch.typename(target)} "
                    "but a Callable is expected"
                )
        elif not isinstance(target, str):
            raise ValueError(
                f"Node [graph = {graph}, name = {name!r}] target {target!r} has type {torch.typename(target)} "
                "but a str is expected"
            )
        self.graph, self.name, self.op, self.target = graph, name, op, target
        self.type = return_type
        self.users = {}
        self.meta = {}
        self._prev = self._next = self
        self._erased = False
        self._repr_fn = None
        self._args, self._kwargs, self._input_nodes = (), {}, {}
        self._update_args_kwargs(args, kwargs)

    def __repr__(self) -> str:
        return self._repr_fn(self) if self._repr_fn else self.name

    # ---- the list of nodes ---------------------------------------------------------------------------------
    @property
    def next(self) -> Node:
        """The node after this one."""
        return self._next

    @property
    def prev(self) -> Node:
        """The node before this one."""
        return self._prev

    def prepend(self, x: Node) -> None:
        """Moves the node `x` before this one."""
        if self.graph is not x.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._remove_from_list()
        before = self._prev
        before._next, x._prev = x, before
        x._next, self._prev = self, x
        self.graph._order = None

    def append(self, x: Node) -> None:
        """Moves the node `x` after this one."""
        if x is not self._next:
            self._next.prepend(x)

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev
        self.graph._order = None

    @property
    def _sort_key(self):
        return (self.graph._positions()[self],)

    def __lt__(self, other):
        return self._sort_key < other._sort_key

    def __gt__(self, other):
        return self._sort_key > other._sort_key

    def __le__(self, other):
        return self is other or self < other

    def __ge__(self, other):
        return self is other or self > other

    # ---- arguments -----------------------------------------------------------------------------------------
    @property
    def args(self) -> tuple[Argument, ...]:
        """Positional arguments: nodes, numbers, and so on, and containers of them that cannot be changed."""
        return self._args

    @args.setter
    def args(self, a):
        self._update_args_kwargs(a, self._kwargs)

    @property
    def kwargs(self) -> dict[str, Argument]:
        """Arguments given by keyword."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, k):
        self._update_args_kwargs(self._args, k)

    @property
    def all_input_nodes(self) -> list[Node]:
        """The nodes among the arguments, each once."""
        return list(self._input_nodes)

    def _update_args_kwargs(self, new_args, new_kwargs):
        found = {}

        def note(x):
            if isinstance(x, Node):
                found[x] = None
            return x

        self._args = map_aggregate(tuple(new_args), note)
        self._kwargs = immutable_dict([(key, map_aggregate(value, note)) for key, value in new_kwargs.items()])
        for node in self._input_nodes:
            if node not in found:
                node.users.pop(self, None)
        self._input_nodes = found
        for node in found:
            node.users.setdefault(self)

    def update_arg(self, idx: int, arg: Argument) -> None:
        """Exchanges one positional argument."""
        args = list(self._args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx: int, arg: Argument) -> None:
        """A further positional argument, before the one that is there now."""
        if not 0 <= idx <= len(self._args):
            raise AssertionError(f"insert_args index must be between 0 and len(self.args), got {idx}")
        self.args = (*self._args[:idx], arg, *self._args[idx:])

    def update_kwarg(self, key: str, arg: Argument) -> None:
        """Exchanges one argument given by keyword, or adds it."""
        self.kwargs = {**self._kwargs, key: arg}

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        """`new_input` wherever the node `old_input` is among the arguments."""

        def exchanged(n):
            return new_input if n is old_input else n

        for hook in _replace_hooks(self.graph):
            hook(old=old_input, new=getattr(new_input, "name", None), user=self)
        self._update_args_kwargs(map_arg(self._args, exchanged), map_arg(self._kwargs, exchanged))

    _replace_input_with = replace_input_with

    def replace_all_uses_with(
        self, replace_with: Node, delete_user_cb: Callable[[Node], bool] | None = None, *, propagate_meta: bool = False
    ) -> list[Node]:
        """`replace_with` wherever this node is an argument; of its users only those that `delete_user_cb` wants. Returns
        those that have been changed."""
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError(
                    "Called node.replace_all_uses_with(replace_with, propagate_meta=True), but replace_with already has "
                    "meta: keys " + ", ".join(replace_with.meta)
                )
            replace_with.meta.update(self.meta)
        changed = [user for user in self.users if delete_user_cb is None or delete_user_cb(user)]

        def exchanged(n):
            return replace_with if n is self else n

        hooks = _replace_hooks(self.graph)
        for user in changed:
            for hook in hooks:
                hook(old=self, new=replace_with.name, user=user)
            user._update_args_kwargs(map_arg(user._args, exchanged), map_arg(user._kwargs, exchanged))
        return changed

    # ---- what it is ----------------------------------------------------------------------------------------
    @property
    def stack_trace(self) -> str | None:
        """Where in the program it was recorded, if the tracer has noted that."""
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace):
        self.meta["stack_trace"] = trace

    def is_impure(self, impure_random: bool = True) -> bool:
        """Whether it does something beside returning a value: dead code of this kind is not eliminated."""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            if self.target in _side_effectful_functions or self.target in _WRITING:
                return True
            if impure_random and self.target in _random_functions():
                return True
            schema = getattr(self.target, "_schema", None)
            if getattr(schema, "is_mutable", False):
                return True
            return isinstance(self.target, torch._ops.OpOverload) and self.target.__name__.partition(".")[0].endswith(
                "_"
            )
        if self.op == "call_module":
            owner = self.graph.owning_module
            if owner is None:
                raise AssertionError(
                    "self.graph.owning_module not set for purity check: a graph of no GraphModule cannot tell what "
                    f"the module {self.target!r} does"
                )
            module = owner.get_submodule(self.target)
            return getattr(module, "_is_impure", False)
        return False

    def normalized_arguments(
        self,
        root: torch.nn.Module,
        arg_types: tuple[Any] | None = None,
        kwarg_types: dict[str, Any] | None = None,
        normalize_to_only_use_kwargs: bool = False,
    ):
        """The arguments in one form, an ArgsKwargsPair; None where the signature is not known."""
        from torch.fx.operator_schemas import normalize_function, normalize_module

        if self.op == "call_function":
            return normalize_function(
                self.target, self.args, self.kwargs, arg_types, kwarg_types, normalize_to_only_use_kwargs
            )
        if self.op == "call_module":
            return normalize_module(root, self.target, self.args, self.kwargs, normalize_to_only_use_kwargs)
        return None

    _pretty_print_target = staticmethod(_pretty_print_target)

    def format_node(
        self,
        placeholder_names: list[str] | None = None,
        maybe_return_typename: list[str] | None = None,
        *,
        include_tensor_metadata: bool = False,
    ) -> str | None:
        """The node as the printed graph shows it."""
        type_text = f"{_type_repr(self.type)} " if self.type else ""
        tensor_text = self._tensor_text() if include_tensor_metadata else ""
        head = f"%{self.name} : {type_text}{tensor_text}[num_users={len(self.users)}] = {self.op}"
        if self.op == "placeholder":
            if placeholder_names is not None:
                placeholder_names.append(f"{self.target}{f' : {_type_repr(self.type)}' if self.type else ''}")
            default = f"(default={self.args[0]})" if self.args else ""
            return f"{head}[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"{head}[target={_pretty_print_target(self.target)}]"
        if self.op == "output":
            if self.type and maybe_return_typename is not None:
                maybe_return_typename[0] = f" -> {_type_repr(self.type)}"
            return f"return {self.args[0]}"
        target = _pretty_print_target(self.target)
        return f"{head}[target={target}](args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})"

    def _tensor_text(self):
        known = self.meta.get("tensor_meta", self.meta.get("val"))
        if not hasattr(known, "dtype") or not hasattr(known, "shape"):
            return ""
        return f"{dtype_abbrs.get(known.dtype, known.dtype)}[{', '.join(map(str, known.shape))}] "

    def _rename(self, candidate):
        """A name like `candidate` that no other node has."""
        if candidate == self.name:
            return
        self.name = self.graph._graph_namespace.create_name(candidate, None)
        self.graph._graph_namespace._rename_object(self, self.name)

    # ---- pickles -------------------------------------------------------------------------------------------
    # What Graph.__getstate__ leaves out: it leads through the whole graph.
    _LINKS = ("graph", "_prev", "_next", "users", "_input_nodes", "_repr_fn")

    def __reduce__(self):
        return _node_at, (self.graph, self.graph._positions()[self])


def _node_at(graph, place):
    return next(node for i, node in enumerate(graph.nodes) if i == place)


_WRITING = {operator.setitem, operator.delitem}
_random = set()


def _random_functions():
    """Functions that draw from the generator: a program without such a call draws other numbers afterwards."""
    if not _random:
        names = "rand randn randint randperm rand_like randn_like randint_like bernoulli multinomial normal poisson"
        _random.update(getattr(torch, name) for name in names.split())
    return _random


def _replace_hooks(graph):
    return getattr(graph.owning_module, "_replace_hooks", None) or ()
