"""Running a graph node by node."""

from __future__ import annotations

import inspect
from contextlib import contextmanager

from torch.fx import traceback as fx_traceback
from torch.fx._naming import _get_qualified_name, _type_repr  # noqa: F401
from torch.fx._symbolic_trace import Tracer
from torch.fx.graph import Graph
from torch.fx.node import map_aggregate, map_arg
from torch.fx.proxy import Proxy

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any

    from torch.fx.graph_module import GraphModule
    from torch.fx.node import Argument, Node, Target
    from torch.nn import Module


__all__ = ["Interpreter", "Transformer"]


def _format_fx_node(n):
    return n.format_node()


class Interpreter:
    """Runs a GraphModule node by node: ``Interpreter(module).run(*args)``. Subclasses override what an op does:
    call_function(target, args, kwargs), call_method, call_module, get_attr, placeholder, output, or run_node(node)."""

    def __init__(self, module: Module, garbage_collect_values: bool = True, graph: Graph | None = None) -> None:
        self.module = module
        self.submodules = dict(module.named_modules())
        self.graph = graph if graph is not None else module.graph
        self.env = {}
        self.name = "Interpreter"
        self.garbage_collect_values = garbage_collect_values
        self.extra_traceback = True
        self.user_to_last_uses = self._last_uses() if garbage_collect_values else {}

    def _last_uses(self):
        """{node: the nodes that nobody needs after it}"""
        result, seen = {}, set()
        for node in reversed(self.graph.nodes):
            for used in node.all_input_nodes:
                if used not in seen:
                    seen.add(used)
                    result.setdefault(node, []).append(used)
        return result

    def run(self, *args: Any, initial_env: dict[Node, Any] | None = None, enable_io_processing: bool = True) -> Any:
        """What the module returns for these arguments. `initial_env`, {node: value}, has what need not be computed."""
        self.env = initial_env if initial_env is not None else {}
        if enable_io_processing:
            args = self.graph.process_inputs(*args)
        self.args_iter = iter(args)
        for node in self.graph.nodes:
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as error:
                self._explain(node, error)
                raise
            for used in self.user_to_last_uses.get(node, ()):
                self.env.pop(used, None)
            if node.op == "output":
                value = self.env[node]
                return self.graph.process_outputs(value) if enable_io_processing else value
        return None

    def _explain(self, node, error):
        """The error says which node it came from."""
        if not self.extra_traceback or getattr(error, "_fx_explained", False):
            return
        text = f"While executing {node.format_node()}\nOriginal traceback:\n{node.stack_trace}"
        first = f"{error.args[0]}\n\n{text}" if error.args else text
        error.args = (first, *error.args[1:])
        try:
            error._fx_explained = True
        except AttributeError:
            pass
        if isinstance(error, KeyError):
            raise RuntimeError(*error.args) from error

    def boxed_run(self, args_list: list[Any]) -> Any:
        """run() of a list, which is emptied: nobody else keeps the arguments alive."""
        placeholders = self.graph.find_nodes(op="placeholder")
        if len(placeholders) != len(args_list):
            raise AssertionError(f"Interpreter expected {len(placeholders)} arguments, got {len(args_list)}")
        env = dict(zip(placeholders, args_list))
        args_list.clear()
        return self.run(initial_env=env)

    @contextmanager
    def _set_current_node(self, node):
        with fx_traceback.set_current_meta(node, f"Interpreter_{type(self).__name__}"):
            yield

    def run_node(self, n: Node) -> Any:
        """The value of one node, given those of its arguments."""
        if not fx_traceback.should_preserve_node_meta:
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return getattr(self, n.op)(n.target, args, kwargs)
        with self._set_current_node(n):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return getattr(self, n.op)(n.target, args, kwargs)

    # ---- what an op does -----------------------------------------------------------------------------------
    def placeholder(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """An argument of run()."""
        if target.startswith("**"):
            return {}
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError(
                f"Expected positional argument for parameter {target}, but one was not passed in!"
            ) from None

    def get_attr(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """An attribute of the module."""
        return self.fetch_attr(target)

    def call_function(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """target(*args, **kwargs)"""
        return target(*args, **kwargs)

    def call_method(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """args[0].target(*args[1:], **kwargs)"""
        self_obj, *rest = args
        return getattr(self_obj, target)(*rest, **kwargs)

    def call_module(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """submodule(*args, **kwargs)"""
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        """What is returned."""
        return args[0]

    # ---- values --------------------------------------------------------------------------------------------
    def fetch_attr(self, target: str) -> Any:
        """The module's attribute of this dotted name. RuntimeError if there is none."""
        found = self.module
        parts = target.split(".")
        for i, part in enumerate(parts):
            if not hasattr(found, part):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(parts[: i + 1])}")
            found = getattr(found, part)
        return found

    def fetch_args_kwargs_from_env(self, n: Node) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The values of a node's arguments."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args: Argument, n: Node) -> Argument:
        """`args` with values for nodes."""

        def value(x):
            if x not in self.env:
                raise RuntimeError(
                    f"Node {n} referenced nonexistent value {x}! Run Graph.lint() to diagnose such issues"
                )
            return self.env[x]

        return map_arg(args, value)


class Transformer(Interpreter):
    """Makes a graph of another one: ``Transformer(module).transform()``. Subclasses override what an op becomes."""

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)

        class TransformerTracer(Tracer):
            def __init__(self, graph):
                super().__init__()
                self.graph = graph
                self.tensor_attrs = {}
                self.root = module
                self._names = {}

            def is_leaf_module(self, m, module_qualified_name):
                return True

        self.tracer = TransformerTracer(self.new_graph)
        self.tracer.root = module

    def placeholder(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Proxy:
        default = args[0] if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Proxy:
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        if not isinstance(target, str):
            raise AssertionError(f"the target of call_module must be a string, not {target!r}")
        return self.tracer.call_module(self.fetch_attr(target), self.fetch_attr(target).forward, args, kwargs)

    def call_function(self, target: Target, args: tuple[Argument, ...], kwargs: dict[str, Any]) -> Any:
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def call_method(self, target, args, kwargs):
        return self.tracer.create_proxy("call_method", target, args, kwargs)

    def transform(self) -> GraphModule:
        """The new GraphModule."""
        with fx_traceback.preserve_node_meta():
            result = super().run(enable_io_processing=False)
        if result is not None:
            old_output = self.graph.output_node()

            def unwrapped(x):
                return x.node if isinstance(x, Proxy) else x

            output = self.new_graph.output(map_aggregate(result, unwrapped))
            output.type = old_output.type
            output.meta.update(old_output.meta)
        from torch.fx._lazy_graph_module import _make_graph_module

        return _make_graph_module(self.module, self.new_graph)
