"""A program as a list of nodes: torch.fx.Graph."""

from __future__ import annotations

import contextlib
import copy
import inspect
import warnings

import torch
from torch.fx import _pytree as fx_pytree
from torch.fx._codegen import (  # noqa: F401 - where programs look for them
    CodeGen,
    PythonCode,
    _BoxedCodeGen,
    _format_target,
    _is_from_torch,
    _parse_stack_trace,
    _ParsedStackTrace,
    _PyTreeCodeGen,
    _PyTreeInfo,
    inplace_methods,
    magic_methods,
    reflectable_magic_methods,
)
from torch.fx._namespace import (  # noqa: F401
    _custom_builtins,
    _CustomBuiltin,
    _illegal_names,
    _Namespace,
    _register_custom_builtin,
    _snake_case,
)
from torch.fx._naming import _get_qualified_name, _type_repr, dtype_abbrs  # noqa: F401
from torch.fx.node import Argument, Node, Target, _legal_ops, map_aggregate, map_arg  # noqa: F401

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from torch.fx._symbolic_trace import Tracer
    from torch.fx.graph_module import GraphModule


__all__ = ["CodeGen", "Graph", "PythonCode"]

_register_custom_builtin("fx_pytree", "import torch.fx._pytree as fx_pytree", fx_pytree)


def _is_magic(x):
    return x.startswith("__") and x.endswith("__")


class _Place:
    """Stands in a pickled graph for the node at this place."""

    def __init__(self, index):
        self.index = index


class _InsertPoint:
    """Where new nodes go, inside a `with`."""

    def __init__(self, graph, new_insert):
        self.graph = graph
        self.orig_insert, graph._insert = graph._insert, new_insert

    def __enter__(self):
        pass

    def __exit__(self, type, value, tb):
        self.graph._insert = self.orig_insert


class _node_list:
    """The nodes of a graph, one after the other. While one walks through them nodes may be added and erased."""

    def __init__(self, graph, direction="_next"):
        if direction not in ("_next", "_prev"):
            raise AssertionError(f"direction must be '_next' or '_prev', not {direction!r}")
        self.graph, self.direction = graph, direction

    def __len__(self):
        return self.graph._len

    def __iter__(self):
        root, link = self.graph._root, self.direction
        node = getattr(root, link)
        while node is not root:
            if not node._erased:
                yield node
            node = getattr(node, link)

    def __reversed__(self):
        return iter(_node_list(self.graph, "_next" if self.direction == "_prev" else "_prev"))


class Graph:
    """A list of nodes, each a step of a program:

    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    y = graph.call_function(torch.add, (x, 1))
    graph.output(y)
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    """

    def __init__(
        self,
        owning_module: GraphModule | None = None,
        tracer_cls: type[Tracer] | None = None,
        tracer_extras: dict[str, Any] | None = None,
    ) -> None:
        self._root = Node(self, "", "root", "", (), {})
        self._insert = self._root.prepend
        self._len = 0
        self._order = None  # {node: place}, made when asked for
        self._graph_namespace = _Namespace()
        self._owning_module = owning_module
        self._tracer_cls = tracer_cls
        self._tracer_extras = tracer_extras
        self._codegen = CodeGen()
        self._co_fields = {}

    @property
    def owning_module(self) -> GraphModule | None:
        """The GraphModule whose graph this is, if any."""
        return self._owning_module

    @owning_module.setter
    def owning_module(self, mod):
        self._owning_module = mod

    @property
    def nodes(self) -> _node_list:
        """All nodes, in the order in which they run."""
        return _node_list(self)

    @property
    def _used_names(self):
        return dict.fromkeys(self._graph_namespace._used_names)

    def _positions(self):
        if self._order is None:
            self._order = {node: i for i, node in enumerate(self.nodes)}
        return self._order

    def find_nodes(self, *, op: str, target: Target | None = None, sort: bool = True) -> list[Any]:
        """Nodes of this op, and of this target where one is given, in their order. Of calls a target must be given."""
        if op == "call_function" and target is None:
            raise AssertionError("target must not be None if op is call_function")
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    def output_node(self) -> Node:
        """The node that says what is returned. RuntimeError if there is none."""
        last = self._root._prev
        if last.op == "output":
            return last
        for node in reversed(self.nodes):
            if node.op == "output":
                return node
        raise RuntimeError("No output node found in graph")

    # ---- copies --------------------------------------------------------------------------------------------
    def graph_copy(self, g: Graph, val_map: dict[Node, Node], return_output_node: bool = False) -> Argument | None:
        """Adds the nodes of `g` here, except those in `val_map`, {node of g: node here}, to which the others are added.
        Returns what g returns, as nodes here; None where it has no output."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                value = map_arg(node.args[0], lambda n: val_map[n])
                return (value, node) if return_output_node else value
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Argument] = lambda x: x) -> Node:
        """Adds a node like `node`, of any graph, whose arguments are arg_transform(n) for each node n among them."""
        args = map_arg(node.args, arg_transform)
        kwargs = map_arg(node.kwargs, arg_transform)
        result = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        result.meta = copy.copy(node.meta)
        return result

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Graph:
        memo = {} if memo is None else memo
        g = Graph(tracer_cls=self._tracer_cls)
        output = g.graph_copy(self, val_map=memo, return_output_node=True)
        g._codegen = copy.deepcopy(self._codegen)
        if output is not None:
            value, old = output
            g.output(value, type_expr=old.type).meta = copy.copy(old.meta)
        return g

    def __getstate__(self):
        state = self.__dict__.copy()
        for name in ("_root", "_insert", "_order", "_owning_module", "_graph_namespace", "_len"):
            del state[name]
        if self._tracer_cls is not None and "<locals>" in self._tracer_cls.__qualname__:
            state["_tracer_cls"] = None
        # Nodes lead to their neighbours: here are rows without nodes, in which places stand for them.
        places = {node: _Place(i) for i, node in enumerate(self.nodes)}
        state["_rows"] = [
            {
                **{k: v for k, v in node.__dict__.items() if k not in Node._LINKS},
                "_args": map_arg(node._args, places.__getitem__),
                "_kwargs": map_arg(node._kwargs, places.__getitem__),
            }
            for node in self.nodes
        ]
        return state

    def __setstate__(self, state):
        rows = state.pop("_rows")
        self.__init__()
        self.__dict__.update(state)
        made = []

        def node_at(x):
            return made[x.index] if isinstance(x, _Place) else x

        for row in rows:
            node = Node.__new__(Node)
            node.__dict__.update(row, graph=self, users={}, _input_nodes={}, _repr_fn=None)
            node._prev = node._next = node
            node._update_args_kwargs(map_aggregate(row["_args"], node_at), map_aggregate(row["_kwargs"], node_at))
            self._graph_namespace._rename_object(node, node.name)
            self._root.prepend(node)
            made.append(node)
        self._len = len(made)

    # ---- making nodes --------------------------------------------------------------------------------------
    def create_node(
        self,
        op: str,
        target: Target,
        args: tuple[Argument, ...] | None = None,
        kwargs: dict[str, Argument] | None = None,
        name: str | None = None,
        type_expr: Any | None = None,
    ) -> Node:
        """A new node at the insert point, the graph's end by default."""
        if op not in _legal_ops:
            raise AssertionError(f"op '{op}' is not in _legal_ops")
        args = () if args is None else args
        kwargs = {} if kwargs is None else kwargs
        if not isinstance(args, tuple):
            raise AssertionError(f"args must be a tuple, not {type(args).__name__}: {args!r}")
        if not isinstance(kwargs, dict):
            raise AssertionError(f"kwargs must be a dict, not {type(kwargs).__name__}: {kwargs!r}")
        candidate = name if name is not None else self._target_to_str(target)
        name = self._graph_namespace.create_name(candidate, None)
        node = Node(self, name, op, target, args, kwargs, type_expr)
        self._graph_namespace.associate_name_with_obj(name, node)
        for hook in getattr(self._owning_module, "_create_node_hooks", None) or ():
            hook(node)
        self._insert(node)
        self._len += 1
        return node

    def _target_to_str(self, target):
        if callable(target):
            name = target.__name__
        else:
            name = target[2:-2] if _is_magic(target) else target
        return _snake_case(name)

    def placeholder(
        self, name: str, type_expr: Any | None = None, default_value: Any = inspect.Signature.empty
    ) -> Node:
        """An argument of the program, with a default if one is given."""
        absent = default_value is inspect.Signature.empty
        return self.create_node("placeholder", name, () if absent else (default_value,), type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any | None = None) -> Node:
        """An attribute of the module: a parameter or buffer, its submodules' by dotted names."""
        owner = self.owning_module
        if owner is not None and not _refers(owner, qualified_name):
            warnings.warn(
                f"Attempted to insert a get_attr Node with no underlying reference: the owning GraphModule has no "
                f"{qualified_name!r}. Add it first: GraphModule.add_submodule, register_parameter or register_buffer",
                stacklevel=2,
            )
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(
        self,
        module_name: str,
        args: tuple[Argument, ...] | None = None,
        kwargs: dict[str, Argument] | None = None,
        type_expr: Any | None = None,
    ) -> Node:
        """A call of the submodule of this dotted name."""
        if self.owning_module is not None:
            self.owning_module.get_submodule(module_name)  # or it raises
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(
        self,
        method_name: str,
        args: tuple[Argument, ...] | None = None,
        kwargs: dict[str, Argument] | None = None,
        type_expr: Any | None = None,
    ) -> Node:
        """args[0].method_name(*args[1:], **kwargs)"""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(
        self,
        the_function: Callable[..., Any],
        args: tuple[Argument, ...] | None = None,
        kwargs: dict[str, Argument] | None = None,
        type_expr: Any | None = None,
        name: str | None = None,
    ) -> Node:
        """the_function(*args, **kwargs)"""
        return self.create_node("call_function", the_function, args, kwargs, name=name, type_expr=type_expr)

    def create_size_node(self, tensor_node: Node, dim: int) -> Node:
        """A node of a tensor's size in one dimension."""
        return self.call_method("size", (tensor_node, dim))

    def create_stride_node(self, tensor_node: Node, dim: int) -> Node:
        """A node of a tensor's stride in one dimension."""
        return self.call_method("stride", (tensor_node, dim))

    def create_storage_offset_node(self, tensor_node: Node) -> Node:
        """A node of a tensor's offset in its storage."""
        return self.call_method("storage_offset", (tensor_node,))

    def materialize_symint(self, value: torch.SymInt | int) -> Node | int:
        """The number: there are no symbolic ones here, which would need a node."""
        return value

    def materialize_symints(self, values: Sequence[torch.SymInt | int]) -> list[Node | int]:
        """The numbers."""
        return list(values)

    def output(self, result: Argument, type_expr: Any | None = None):
        """What the program returns."""
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def erase_node(self, to_erase: Node) -> None:
        """Takes out a node that no other uses. RuntimeError if one does."""
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: "
                f"{to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            warnings.warn(f"erase_node({to_erase}) on an already erased node", stacklevel=2)
            return
        for hook in getattr(self._owning_module, "_erase_node_hooks", None) or ():
            hook(to_erase)
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._update_args_kwargs(map_arg(to_erase._args, lambda n: None), map_arg(to_erase._kwargs, lambda n: None))

    def _clear_nodes(self):
        for node in reversed(self.nodes):
            node.users.clear()
            self.erase_node(node)

    def inserting_before(self, n: Node | None = None) -> _InsertPoint:
        """A context in which new nodes go before `n`, or to the graph's beginning."""
        if n is None:
            return self.inserting_after(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert before is not in graph.")
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n: Node | None = None) -> _InsertPoint:
        """A context in which new nodes go right after `n`, the last one first; or to the graph's end."""
        if n is None:
            return self.inserting_before(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert after is not in graph.")
        return _InsertPoint(self, n.append)

    # ---- code ----------------------------------------------------------------------------------------------
    def set_codegen(self, codegen: CodeGen) -> None:
        """Code is generated by this CodeGen from now on."""
        self._codegen = codegen

    def process_inputs(self, *args: Any) -> Any:
        """The arguments as the placeholders take them."""
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out: Any) -> Any:
        """What the program returns, as its caller expects it."""
        return self._codegen.process_outputs(out)

    def python_code(
        self,
        root_module: str,
        *,
        verbose: bool = False,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
        expanded_def: bool = False,
        record_func: bool = False,
        additional_meta: list[str] | None = None,
    ) -> PythonCode:
        """The graph as a function in Python: a PythonCode. `root_module` is how the code calls the module: "self"."""
        namespace = _Namespace()
        before = [(node, node._repr_fn) for node in self.nodes]
        for node, _ in before:
            node._repr_fn = lambda n: namespace.create_name(n.name, n)
        try:
            return self._python_code(
                root_module,
                namespace,
                verbose=verbose,
                include_stride=include_stride,
                include_device=include_device,
                colored=colored,
                expanded_def=expanded_def,
                record_func=record_func,
                additional_meta=additional_meta,
            )
        finally:
            for node, form in before:
                node._repr_fn = form

    def _python_code(self, root_module, namespace, **options):
        return self._codegen._gen_python_code(self.nodes, root_module, namespace, **options)

    def on_generate_code(self, make_transformer) -> AbstractContextManager[None]:
        """Installs a function that changes generated code: make_transformer(the present one or None) returns it; it
        takes and returns a list of lines. Leaving the context, where it is used as one, takes it away again."""
        before = self._codegen._body_transformer
        self._codegen._body_transformer = make_transformer(before)

        @contextlib.contextmanager
        def restoring():
            try:
                yield
            finally:
                self._codegen._body_transformer = before

        return restoring()

    def __str__(self) -> str:
        return "graph():" + "".join(f"\n    {node.format_node()}" for node in self.nodes)

    def print_tabular(self) -> None:
        """Prints the nodes as a table. It needs the package tabulate."""
        try:
            from tabulate import tabulate
        except ImportError:
            print(
                "`print_tabular` relies on the library `tabulate`, which could not be found on this machine. Run `pip "
                "install tabulate` to install the library."
            )
            raise
        rows = [[n.op, n.name, n.target, n.args, n.kwargs] for n in self.nodes]
        print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    # ---- order ---------------------------------------------------------------------------------------------
    def lint(self) -> None:
        """Checks that nodes belong to this graph, come before their users, have names of their own, and that the module
        has what they refer to. RuntimeError, ValueError or AssertionError if not."""
        from torch.fx._lint import lint

        lint(self)

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        """Erases nodes without users, unless they do something beside returning a value: Node.is_impure() by default.
        Whether any was erased."""
        self.lint()
        impure = is_impure_node or (lambda node: node.is_impure())
        changed = False
        for node in reversed(self.nodes):
            if not node.users and node.op not in ("placeholder", "output") and not impure(node):
                self.erase_node(node)
                changed = True
        for name in {n.target for n in self.nodes if n.op == "get_attr"}:
            module = _attribute(self.owning_module, name)
            if isinstance(module, torch.fx.GraphModule):
                changed |= module.graph.eliminate_dead_code(is_impure_node)
        return changed


def _attribute(module, qualified_name):
    for part in qualified_name.split("."):
        module = getattr(module, part, None)
    return module


def _refers(module, qualified_name):
    """Whether the module has a submodule, parameter or buffer of this name."""
    path, _, name = qualified_name.rpartition(".")
    try:
        holder = module.get_submodule(path)
    except AttributeError:
        return False
    return hasattr(holder, name)
