"""A module made of a graph: its forward() is generated code."""

from __future__ import annotations

import copy
import functools
import pathlib
import weakref

import torch
from torch.fx._compiled import quick_targets
from torch.fx._namespace import _custom_builtins, _register_custom_builtin  # noqa: F401
from torch.fx._sources import (  # noqa: F401 - where programs look for them
    _EvalCacheLoader,
    _exec_with_source,
    _forget_all,
    _format_import_block,
    _format_import_statement,
    _forward_from_src,
    _loader,
    _method_from_src,
)
from torch.fx.graph import Graph, PythonCode, _PyTreeCodeGen  # noqa: F401
from torch.nn import Module

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any, Self


__all__ = ["GraphModule", "reduce_graph_module", "reduce_package_graph_module"]

_USER_PRESERVED_ATTRIBUTES_KEY = "_user_preserved_attributes"
FX_GRAPH_MODULE_FILE_PREFIX = "fx_generated_"


# ---- attributes by dotted names ----------------------------------------------------------------------------
def _holder(module, target, make=False):
    *path, name = target.split(".")
    for part in path:
        inner = getattr(module, part, None)
        if inner is None:
            if not make:
                return None, name
            inner = Module()
            setattr(module, part, inner)
        module = inner
    return module, name


def _copy_attr(from_module, to_module, target):
    """The attribute of this dotted name of the one module is the other's, too."""
    holder, name = _holder(from_module, target)
    if holder is None or not hasattr(holder, name):
        raise AttributeError(f"{type(from_module).__name__} has no attribute {target}")
    destination, _ = _holder(to_module, target, make=True)
    value = getattr(holder, name)
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        destination.register_buffer(
            name, value, persistent=name not in getattr(holder, "_non_persistent_buffers_set", ())
        )
    else:
        setattr(destination, name, value)


def _assign_attr(from_obj, to_module, target):
    """The object becomes the module's attribute of this dotted name."""
    holder, name = _holder(to_module, target, make=True)
    if isinstance(from_obj, torch.Tensor) and not isinstance(from_obj, torch.nn.Parameter):
        holder.register_buffer(name, from_obj)
    else:
        setattr(holder, name, from_obj)


def _get_attr(model, attr_name):
    return _get_attr_via_attr_list(model, attr_name.split("."))


def _get_attr_via_attr_list(model, attr_list):
    return functools.reduce(getattr, attr_list, model)


def _has_attr(model, attr_name):
    holder, name = _holder(model, attr_name)
    return holder is not None and hasattr(holder, name)


def _del_attr(model, attr_name):
    holder, name = _holder(model, attr_name)
    delattr(holder, name)


# ---- pickles -----------------------------------------------------------------------------------------------
class _CodeOnlyModule(Module):
    """The attributes of a module, without its class."""

    def __init__(self, body):
        super().__init__()
        self.__dict__ = body


def reduce_graph_module(body: dict[str, Any], import_block: str) -> Module:
    """A GraphModule of its attributes, the code among them, which is recorded anew."""
    source = body.get("_code") or body["code"]  # "code": files of PyTorch 1.6
    return _deserialize_graph_module(_forward_from_src(f"{import_block}\n{source}", {}), body)


def reduce_package_graph_module(importer, body: dict[str, Any], generated_module_name: str) -> Module:
    """The same out of a torch.package."""
    return _deserialize_graph_module(importer.import_module(generated_module_name).forward, body)


def _deserialize_graph_module(forward, body, graph_module_cls=None):
    from torch.fx._symbolic_trace import Tracer

    body = dict(body)
    body.pop("_graph", None)
    tracer_cls = body.get("_tracer_cls") or Tracer
    class_name = body.pop("_graphmodule_cls_name", "GraphModule")
    kept = body.get(_USER_PRESERVED_ATTRIBUTES_KEY) or {}
    body["_in_spec"] = body.get("_in_spec")
    module = _CodeOnlyModule({k: v for k, v in body.items() if not (k == "_in_spec" and v is None)})
    type(module).forward = forward

    class KeepModules(tracer_cls):
        """Every module was a leaf, or it would not be called."""

        def is_leaf_module(self, m, module_qualified_name):
            return True

    graph = KeepModules().trace(module)
    graph._tracer_cls = body.get("_tracer_cls")
    made = (graph_module_cls or GraphModule)(module, graph, class_name=class_name)
    for name, value in module.__dict__.items():
        if name not in made.__dict__:
            made.__dict__[name] = value
    for name, value in kept.items():
        setattr(made, name, value)
    return made


class _WrappedCall:
    """How a GraphModule whose class has a __call__ of its own is called."""

    def __init__(self, cls, cls_call):
        self.cls, self.cls_call = cls, cls_call

    def __call__(self, obj, *args, **kwargs):
        if self.cls_call is not None:
            return self.cls_call(obj, *args, **kwargs)
        return super(self.cls, obj).__call__(*args, **kwargs)


class GraphModule(Module):
    """A module that does what a Graph says: ``GraphModule(root, graph)``. `root` is the module, or {dotted name: object},
    that what the graph refers to is taken from. After a change of the graph recompile() makes it count."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        # Each has a class of its own, whose forward() is its code.
        base = next(c for c in cls.__mro__ if c.__qualname__ != "GraphModule.__new__.<locals>.GraphModuleImpl")

        class GraphModuleImpl(base):
            _files = []  # noqa: RUF012 - of its code, forgotten with the class

        weakref.finalize(GraphModuleImpl, _forget_all, GraphModuleImpl._files)
        return super().__new__(GraphModuleImpl)

    def __init__(self, root: Module | dict[str, Any], graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        type(self).__name__ = class_name
        if isinstance(root, Module):
            if hasattr(root, "training"):
                self.training = root.training
            # The order of the graph decides the order of state_dict(); what is copied is in order of its names.
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module"):
                    _copy_attr(root, self, node.target)
            for name in ("_in_spec", "_out_spec"):
                if name in root.__dict__:
                    self.__dict__[name] = root.__dict__[name]
        elif isinstance(root, dict):
            wanted = [node for node in graph.nodes if node.op in ("get_attr", "call_module")]
            for node in wanted:
                if node.target not in root:
                    raise RuntimeError(
                        f"Node {node} referenced target {node.target} but that target was not provided in ``root``!"
                    )
            for target in sorted(dict.fromkeys(node.target for node in wanted), key=lambda t: t.count(".")):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.__dict__["_graph"] = None
        self.meta = dict(getattr(root, "meta", {}) or {}) if isinstance(root, Module) else {}
        self._tracer_cls = None
        tracer_cls = graph._tracer_cls
        if tracer_cls is not None and "<locals>" not in tracer_cls.__qualname__:
            self._tracer_cls = tracer_cls
        self._tracer_extras = dict(graph._tracer_extras) if graph._tracer_extras else {}
        self._replace_hooks, self._create_node_hooks, self._erase_node_hooks, self._deepcopy_hooks = [], [], [], []
        self.shape_env = None
        self.graph = graph

    # ---- graph and code ------------------------------------------------------------------------------------
    @property
    def graph(self) -> Graph:
        """The Graph. An assigned one takes effect at once."""
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self.__dict__["_graph"] = g
        g.owning_module = self
        self.recompile()

    def __setattr__(self, name, value):
        if name == "graph":  # a property, which Module knows nothing of
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)

    def recompile(self) -> PythonCode:
        """Generates the code of the graph as it is now. Returns the PythonCode."""
        codegen = self._graph._codegen
        if isinstance(codegen, _PyTreeCodeGen):
            self._in_spec = codegen.pytree_info.in_spec
            self._out_spec = codegen.pytree_info.out_spec
        python_code = self._graph.python_code(root_module="self")
        self._code = python_code.src
        self._lineno_map, self._prologue_start = python_code._lineno_map, python_code._prologue_start
        cls = type(self)
        targets = quick_targets(self, self._graph)
        cls.forward = _forward_from_src(self._code, python_code.globals, self._graph._co_fields, targets)
        _forget_all(cls._files)
        cls._files[:] = [cls.forward.__code__.co_filename]
        return python_code

    def _missing_module(self, error):
        """What a KeyError in forward() was: a submodule that is not there any more, or an error of what was called."""
        for node in self._graph.nodes:
            if node.op == "call_module" and not _has_attr(self, node.target):
                holder, name = _holder(self, node.target)
                name = name if holder is not None else node.target.partition(".")[0]
                return AttributeError(f"'{type(self).__name__}' object has no attribute '{name}' ({node.target})")
        return error

    @property
    def code(self) -> str:
        """The generated source."""
        if not hasattr(self, "_code"):
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
        return self._code

    def _recompile_submodules(self):
        return [module.recompile() for module in self.children() if isinstance(module, GraphModule)]

    def __str__(self) -> str:
        hint = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__str__(), self._code, hint])

    def print_readable(
        self,
        print_output: bool = True,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
        fast_sympy_print: bool = False,
        expanded_def: bool = False,
        additional_meta: list[str] | None = None,
    ) -> str:
        """The code of this module and of GraphModules in it, with where in the program each step was recorded. Returned,
        and printed unless `print_output` is False."""
        from torch.fx._readable import readable

        text = readable(
            self,
            self._get_name(),
            include_stride=include_stride,
            include_device=include_device,
            colored=colored,
            expanded_def=expanded_def,
            additional_meta=additional_meta,
        )
        if print_output:
            print(text)
        return text

    def to_folder(self, folder, module_name: str = "FxModule") -> None:
        """Writes a package with the module as source code, and its state."""
        from torch.fx._folder import to_folder

        to_folder(self, pathlib.Path(folder), module_name)

    # ---- submodules ----------------------------------------------------------------------------------------
    def add_submodule(self, target: str, m: Module) -> bool:
        """Adds a submodule by its dotted name; modules between that are missing are made. False, and nothing done, where
        something else is on the way."""
        *path, name = target.split(".")
        found = self
        for part in path:
            inner = getattr(found, part, None)
            if inner is None and not hasattr(found, part):
                break
            if not isinstance(inner, Module):
                return False
            found = inner
        holder, _ = _holder(self, target, make=True)
        holder.add_module(name, m)
        return True

    def delete_submodule(self, target: str) -> bool:
        """Takes out a submodule by its dotted name. False if there is none."""
        holder, name = _holder(self, target)
        if not isinstance(holder, Module) or not isinstance(getattr(holder, name, None), Module):
            return False
        delattr(holder, name)
        return True

    def delete_all_unused_submodules(self) -> None:
        """Takes out the submodules that the graph does not use."""
        used = set()
        for node in self.graph.nodes:
            if node.op not in ("call_module", "get_attr"):
                continue
            parts = node.target.split(".")
            used.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
            if node.op == "call_module" and _has_attr(self, node.target):
                used.update(
                    f"{node.target}.{name}" for name, _ in self.get_submodule(node.target).named_modules() if name
                )
        for name in [name for name, _ in self.named_modules() if name and name not in used]:
            self.delete_submodule(name)

    # ---- copies and pickles --------------------------------------------------------------------------------
    def _without_graph(self):
        state = self.__dict__.copy()
        del state["_graph"]
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        state = self._without_graph()
        for hooks in ("_replace_hooks", "_create_node_hooks", "_erase_node_hooks", "_deepcopy_hooks"):
            state[hooks] = []
        state.pop("_compiled_call_impl", None)
        state["_graphmodule_cls_name"] = type(self).__name__
        python_code = self._graph.python_code(root_module="self")
        return reduce_graph_module, (state, _format_import_block(python_code.globals))

    def __reduce_package__(self, exporter) -> tuple[Any, ...]:
        state = self._without_graph()
        state["_graphmodule_cls_name"] = type(self).__name__
        name = f"fx-generated._{exporter.get_unique_id()}"
        python_code = self._graph.python_code(root_module="self")
        exporter.save_source_string(name, _format_import_block(python_code.globals) + self.code)
        return reduce_package_graph_module, (state, name)

    def _deepcopy_init(self):
        return GraphModule.__init__

    def __deepcopy__(self, memo: dict[int, Any]) -> GraphModule:
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        holder = _CodeOnlyModule(copy.deepcopy(self._without_graph(), memo))
        self._deepcopy_init()(made, holder, copy.deepcopy(self._graph), class_name=type(self).__name__)
        for name, value in holder.__dict__.items():  # hooks, and what was set on the module
            if name not in ("_parameters", "_buffers", "_modules"):
                made.__dict__[name] = value
        for kind in ("_parameters", "_buffers", "_modules"):
            made.__dict__[kind].update(holder.__dict__[kind])
        for hook in getattr(self, "_deepcopy_hooks", ()):
            hook(made)
        return made

    def __copy__(self) -> GraphModule:
        from torch.fx._lazy_graph_module import _make_graph_module

        made = _make_graph_module(self, self.graph)
        made.meta = dict(getattr(self, "meta", {}))
        self.graph.owning_module = self
        return made

    def _replicate_for_data_parallel(self):
        made = self.__copy__()
        made._is_replica = True
        return made

    # ---- hooks ---------------------------------------------------------------------------------------------
    def _register_replace_node_hook(self, f):
        """Hears of every argument that is exchanged: f(old=node, new=name, user=node)."""
        self._replace_hooks.append(f)

    def _unregister_replace_node_hook(self, f):
        self._replace_hooks.remove(f)

    def _register_create_node_hook(self, f):
        self._create_node_hooks.append(f)

    def _unregister_create_node_hook(self, f):
        self._create_node_hooks.remove(f)

    def _register_erase_node_hook(self, f):
        self._erase_node_hooks.append(f)

    def _unregister_erase_node_hook(self, f):
        self._erase_node_hooks.remove(f)

    def _register_deepcopy_hook(self, f):
        self._deepcopy_hooks.append(f)

    def _unregister_deepcopy_hook(self, f):
        self._deepcopy_hooks.remove(f)

    def _set_replace_hook(self, f):
        """A context in which `f` hears of exchanges."""
        import contextlib

        @contextlib.contextmanager
        def registered():
            self._register_replace_node_hook(f)
            try:
                yield
            finally:
                self._unregister_replace_node_hook(f)

        return registered()


def _print_readable(module, module_name, print_output=True, **options):
    from torch.fx._readable import readable

    text = readable(module, module_name, **options)
    if print_output:
        print(text)
    return text
