"""Records programs: runs them with proxies for arguments."""

from __future__ import annotations

import collections
import copy
import inspect
import math
import warnings
from types import FunctionType

import torch
from torch.fx import _pytree as fx_pytree  # noqa: F401 - registers what generated code takes apart
from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx._patching import (  # noqa: F401 - where programs look for them
    CURRENT_PATCHER,
    _autowrap_check,
    _create_wrapped_func,
    _create_wrapped_method,
    _find_proxy,
    _maybe_revert_all_patches,
    _new_patcher,
    _patch_generated,
    _patch_wrapped_functions,
    _Patcher,
    _wrapped_fns_to_patch,
    _wrapped_methods_to_patch,
    wrap,
)
from torch.fx.graph import Graph, _PyTreeCodeGen, _PyTreeInfo
from torch.fx.node import Argument, base_types  # noqa: F401
from torch.fx.proxy import ParameterProxy, Scope, ScopeContextManager, TraceError, TracerBase
from torch.utils import _pytree as pytree

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from torch.fx.graph_module import GraphModule
    from torch.fx.proxy import Proxy


HAS_VARSTUFF = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_orig_module_call = torch.nn.Module.__call__
_orig_module_getattr = torch.nn.Module.__getattr__
_constant_attribute_types = (
    (torch.Tensor, torch._C.ScriptObject) if hasattr(torch._C, "ScriptObject") else (torch.Tensor,)
)

_proxyable_classes = {}
_is_fx_tracing_flag = False


def is_fx_tracing():
    """Whether a program is being recorded."""
    return _is_fx_tracing_flag


is_fx_symbolic_tracing = is_fx_tracing


def is_fx_tracing_warning():
    """Warns that a program is being recorded."""
    if _is_fx_tracing_flag:
        warnings.warn("this is called while torch.fx records the program", stacklevel=2)


class ProxyableClassMeta(type):
    """The metaclass of classes whose instances can be made while a program is recorded: their construction becomes a
    step of it where a proxy is among the arguments."""

    def __init__(cls, name, bases, attrs):
        _proxyable_classes.setdefault(cls)
        super().__init__(name, bases, attrs)

    def __call__(cls, *args, **kwargs):
        instance = cls.__new__(cls)
        if is_fx_tracing():
            proxy = _find_proxy(args, kwargs)
            if proxy is not None:
                return proxy.tracer.create_proxy("call_function", cls, args, kwargs)
        cls.__init__(instance, *args, **kwargs)
        return instance


class PHBase:
    """What stands in concrete_args for a value that is not known."""

    def __repr__(self):
        return "PH"


PH = PHBase()


class PHWithMeta(PHBase):
    """A PH that is called `ph_key`, and whose attributes go to the placeholder."""

    def __init__(self, ph_key=None):
        super().__init__()
        self.ph_key = ph_key


def _transfer_attrs(fr, to):
    for name in dir(fr):
        if not name.startswith("__") and not callable(getattr(fr, name)) and not hasattr(to, name):
            setattr(to, name, getattr(fr, name))


def _assert_is_none(value, msg):
    if value is not None:
        raise AssertionError(msg)


def _patch_function(fn, nargs):
    """The function with all parameters by position, *args and **kwargs as one each: so that proxies stand for them."""
    code = fn.__code__.replace(
        co_argcount=nargs,
        co_posonlyargcount=0,
        co_kwonlyargcount=0,
        co_flags=fn.__code__.co_flags & ~HAS_VARSTUFF,
    )
    patched = FunctionType(code, fn.__globals__, fn.__name__, None, fn.__closure__)
    patched.__dict__.update(fn.__dict__)
    return patched


def _default_of(parameter):
    """(default,) of a parameter, or (). TraceError for a tensor, which generated code could not write down."""
    if parameter.default is inspect.Parameter.empty:
        return ()
    if any(isinstance(leaf, (torch.Tensor, torch.nn.Module)) for leaf in pytree.tree_leaves(parameter.default)):
        raise TraceError(
            f"the argument {parameter.name} has a {type(parameter.default).__name__} for its default, which generated code "
            "cannot write down: let its default be None"
        )
    return (parameter.default,)


class Tracer(TracerBase):
    """Records a module's forward(), or a function, as a Graph: ``Tracer().trace(module)``. Subclasses change what is
    looked into (is_leaf_module), what attributes become (getattr), what arguments may be (create_arg)."""

    _qualname_counter = collections.defaultdict(int)

    def __init__(
        self,
        autowrap_modules: tuple[ModuleType] = (math,),
        autowrap_functions: tuple[Callable[..., Any], ...] = (),
        param_shapes_constant: bool = False,
    ) -> None:
        super().__init__()
        # Functions that are recorded wherever a module has a name for them.
        self._autowrap_function_ids = {
            id(value)
            for module in autowrap_modules
            for name, value in vars(module).items()
            if not name.startswith("_") and callable(value)
        }
        self._autowrap_function_ids.update(id(f) for f in autowrap_functions)
        self._autowrap_search = list(autowrap_modules)
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths = None
        self.root_module_name = ""
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.num_calls = {}
        self.node_name_to_scope = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Tracer:
        new = type(self).__new__(type(self))
        memo[id(self)] = new
        for name, value in self.__dict__.items():
            new.__dict__[name] = list(value) if name == "_autowrap_search" else copy.deepcopy(value, memo)
        return new

    # ---- arguments -----------------------------------------------------------------------------------------
    def create_arg(self, a: Any) -> Argument:
        """A value of the program as an argument of nodes: parameters, buffers and submodules of the root become get_attr
        nodes, other tensors constants of it."""
        if isinstance(a, torch.Tensor) or isinstance(a, torch.nn.Module):
            return self._create_state_arg(a)
        if type(type(a)) is ProxyableClassMeta or type(a) in _proxyable_classes:
            return self._constant(a)
        return super().create_arg(a)

    def _create_state_arg(self, a):
        name = self._state_name(a)
        if name is not None:
            return self.create_node("get_attr", name, (), {})
        if isinstance(a, torch.nn.Module):
            for name, module in self.root.named_modules():
                if module is a:
                    return self.create_node("get_attr", name, (), {})
        if isinstance(a, torch.nn.Parameter):
            raise NameError("parameter is not a member of this module")
        if isinstance(a, torch.nn.Module):
            raise NameError(
                f"module of type {type(a).__name__} is not a submodule of the root, but is used as an argument"
            )
        name = self.tensor_attrs.get(a)
        if name is None:
            name = self.get_fresh_qualname("_tensor_constant")
            self.tensor_attrs[a] = name
            setattr(self.root, name, a)
        return self.create_node("get_attr", name, (), {})

    def _state_name(self, value):
        """The name of a parameter or buffer; None if it is none of the root's."""
        if value not in self._names and not isinstance(value, torch.nn.Module):
            # Some modules exchange their parameters while they run.
            for named in (self.root.named_buffers, self.root.named_parameters):
                self._names.update((tensor, name) for name, tensor in named())
        return self._names.get(value)

    def _constant(self, a):
        name = self.get_fresh_qualname("_" + type(a).__name__ + "_constant_")
        setattr(self.root, name, a)
        return self.create_node("get_attr", name, (), {})

    def get_fresh_qualname(self, prefix: str) -> str:
        """A name that the root has not got yet."""
        i = 0
        while hasattr(self.root, f"{prefix}{i}"):
            i += 1
        return f"{prefix}{i}"

    # ---- modules -------------------------------------------------------------------------------------------
    def is_leaf_module(self, m: torch.nn.Module, module_qualified_name: str) -> bool:
        """Whether a call of this module is one step: by default of those of torch.nn, except Sequential."""
        return (m.__module__.startswith("torch.nn") or m.__module__.startswith("torch.ao.nn")) and not isinstance(
            m, torch.nn.Sequential
        )

    def path_of_module(self, mod: torch.nn.Module) -> str:
        """The submodule's dotted name. NameError if the root has no such module."""
        if self.submodule_paths:
            path = self.submodule_paths.get(mod)
            if path is None:
                raise NameError(f"{type(mod).__name__} is not installed as a submodule: {mod}")
            return path
        for name, module in self.root.named_modules():
            if module is mod:
                return name
        raise NameError(f"{type(mod).__name__} is not installed as a submodule: {mod}")

    def call_module(
        self, m: torch.nn.Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """What a call of a submodule becomes: a node if it is a leaf, else what forward() does."""
        path = self.path_of_module(m)
        with ScopeContextManager(self.scope, Scope(path, type(m))) as scope:
            calls = self.num_calls.get(path, 0)
            self.num_calls[path] = calls + 1
            key = f"{scope.module_path}@{calls}" if calls > 0 else scope.module_path
            self.module_stack[key] = (path, scope.module_type)
            try:
                if self.is_leaf_module(m, path):
                    return self.create_proxy("call_module", path, args, kwargs)
                return forward(*args, **kwargs)
            finally:
                self.module_stack.popitem()

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Proxy]) -> Any:
        """What an attribute of a module becomes: a proxy if it is a parameter (or, by `proxy_buffer_attributes`, a
        buffer), else what it is."""
        if isinstance(attr_val, torch.nn.Parameter):
            return self._state_proxy(attr_val, parameter_proxy_cache)
        if self.proxy_buffer_attributes and isinstance(attr_val, torch.Tensor):
            return self._state_proxy(attr_val, parameter_proxy_cache)
        return attr_val

    def _state_proxy(self, value, cache):
        name = self._state_name(value)
        if name is None:
            return value
        if name not in cache:
            options = {}  # a tracer whose create_proxy() knows of no factory need not hear of one
            if self.param_shapes_constant and isinstance(value, torch.nn.Parameter):
                options["proxy_factory_fn"] = lambda node: ParameterProxy(self, node, name, value)
            cache[name] = self.create_proxy("get_attr", name, (), {}, **options)
        return cache[name]

    # ---- arguments of the root -----------------------------------------------------------------------------
    def create_args_for_root(
        self,
        root_fn: Callable[..., Any],
        is_module: bool,
        concrete_args: dict[str, Any] | tuple[Any, ...] | None = None,
    ) -> tuple[Any, list[Any]]:
        """(the function to call, its arguments): placeholders for what is not in `concrete_args`."""
        analysed = inspect.unwrap(root_fn)
        code = analysed.__code__
        count = code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames[:count])
        args = []
        if is_module:
            if not count:
                raise RuntimeError("``self`` argument cannot be part of *args expansion!")
            args.append(self.root)
            names = names[1:]
        signature = inspect.signature(analysed)
        if isinstance(concrete_args, tuple):
            if len(names) != len(concrete_args):
                raise RuntimeError(
                    f"Tracing expected {len(names)} arguments but got {len(concrete_args)} concrete arguments"
                )
            concrete_args = dict(zip(names, concrete_args))
        args += self._placeholders(names, code, concrete_args, signature, analysed)
        if code.co_kwonlyargcount or code.co_flags & HAS_VARSTUFF:
            if analysed is not root_fn:
                raise TraceError(
                    f"{root_fn.__qualname__} is a decorated function with keyword-only arguments, *args or **kwargs, "
                    "which cannot be recorded; trace the function beneath, function.__wrapped__"
                )
            root_fn = _patch_function(analysed, len(args))
        flat, spec = pytree.tree_flatten(tuple(args))
        if not all(child.is_leaf() for child in spec.children_specs):
            root_fn, flat = self._flattened(root_fn, flat, spec, list(signature.parameters), is_module)
            return root_fn, flat
        return root_fn, args

    def _placeholders(self, names, code, concrete_args, signature, analysed):
        """In the order of the function's variables, nodes in the order of its parameters."""
        positional = len(names) - code.co_kwonlyargcount
        made = [self._proxy_placeholder(name, concrete_args, signature, analysed) for name in names[:positional]]
        at = code.co_argcount + code.co_kwonlyargcount
        variable = {}
        if code.co_flags & inspect.CO_VARARGS:
            variable["args"] = self.create_proxy("placeholder", "*" + code.co_varnames[at], (), {})
            at += 1
        made += [self._proxy_placeholder(name, concrete_args, signature, analysed) for name in names[positional:]]
        if code.co_flags & inspect.CO_VARKEYWORDS:
            variable["kwargs"] = self.create_proxy("placeholder", "**" + code.co_varnames[at], (), {})
        return [*made, *variable.values()]

    def _proxy_placeholder(self, name, concrete_args, sig, fn_for_analysis):
        if concrete_args is not None and name in concrete_args:
            count = 0

            def replace(x):
                nonlocal count
                count += 1
                default = _default_of(sig.parameters[name])
                key = getattr(x, "ph_key", None) or f"{name}_{count}"
                out = self.create_proxy("placeholder", key, default, {})
                if isinstance(x, PHBase):
                    if x is not PH:
                        _transfer_attrs(fr=x, to=out.node)
                    return out
                self._specialise(name, x, out)
                return x

            return pytree.tree_map(replace, concrete_args[name])
        default = _default_of(sig.parameters[name])
        annotation = fn_for_analysis.__annotations__.get(name)
        return self.create_proxy("placeholder", name, default, {}, type_expr=annotation)

    def _specialise(self, name, value, proxy):
        """The program is recorded for this value: others are refused when it runs."""
        message = f"{name} has been specialized to have value {value} but got another value"
        if value is None:
            self.create_proxy("call_function", _assert_is_none, (proxy, message), {})
        elif type(value) in (bool, int, float) or isinstance(value, (str, torch.dtype, torch.device)):
            torch._assert(proxy == value, message)
        else:
            warnings.warn(
                f"Was not able to add assertion to guarantee correct input {name} to specialized function. It is up to "
                "the user to make sure that your inputs match the inputs you specialized the function with.",
                stacklevel=6,
            )

    def _flattened(self, root_fn, flat, spec, names, is_module):
        """A function of the leaves of containers, and code that takes the containers apart."""

        def flatten_fn(*args):
            args = list(args)
            result = root_fn(*pytree.tree_unflatten(args, spec))
            out, out_spec = pytree.tree_flatten(result)
            self.graph._codegen.pytree_info = self.graph._codegen.pytree_info._replace(out_spec=out_spec)
            return out

        inner = pytree.TreeSpec(tuple, None, spec.children_specs[1:]) if is_module else spec
        self.graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(names, inner, None)))
        return flatten_fn, flat

    # ---- recording -----------------------------------------------------------------------------------------
    def trace(self, root: torch.nn.Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None) -> Graph:
        """The Graph of a module's forward() or of a function. `concrete_args`, {name: value}, fixes arguments: the value
        stands for itself, and torch.fx.PH in it for what is not known."""
        global _is_fx_tracing_flag
        before, _is_fx_tracing_flag = _is_fx_tracing_flag, True
        try:
            fn = self._start(root)
            fn, args = self.create_args_for_root(fn, isinstance(root, torch.nn.Module), concrete_args)
            with _new_patcher() as patcher:
                self._patch(patcher, fn)
                result = fn(*args)
            self.create_node(
                "output",
                "output",
                (self.create_arg(result),),
                {},
                type_expr=getattr(fn, "__annotations__", {}).get("return"),
            )
        finally:
            _is_fx_tracing_flag = before
        return self.graph

    def _start(self, root):
        if isinstance(root, torch.nn.Module):
            if not hasattr(type(root), self.traced_func_name):
                raise AssertionError(f"traced_func_name={self.traced_func_name} doesn't exist in {type(root).__name__}")
            self.root = root
            self.root_module_name = root._get_name()
            self.submodule_paths = {module: name for name, module in root.named_modules()}
            fn = getattr(type(root), self.traced_func_name)
        else:
            self.root, self.submodule_paths, fn = torch.nn.Module(), {}, root
        if not isinstance(fn, FunctionType):
            raise AssertionError(f"Expected FunctionType, got {type(fn)}: what is traced is a module or a function")
        self.graph = Graph(tracer_cls=getattr(self, "__class__", None))
        self.graph._co_fields = {
            "co_name": fn.__code__.co_name,
            "co_filename": fn.__code__.co_filename,
            "co_firstlineno": fn.__code__.co_firstlineno,
        }
        self._names = {}  # parameters and buffers by identity
        # Tensors that are attributes, but neither parameters nor buffers, by identity.
        self.tensor_attrs = {}
        for prefix, module in self.root.named_modules():
            for name, value in module.__dict__.items():
                if isinstance(value, _constant_attribute_types):
                    self.tensor_attrs[value] = f"{prefix}.{name}" if prefix else name
        return fn

    def _patch(self, patcher, fn):
        cache = {}

        def module_getattr(mod, attr):
            return self.getattr(attr, _orig_module_getattr(mod, attr), cache)

        def module_call(mod, *args, **kwargs):
            def forward(*args, **kwargs):
                return _orig_module_call(mod, *args, **kwargs)

            function = getattr(getattr(mod, "forward", None), "__globals__", None)
            _autowrap_check(patcher, function if function is not None else {}, self._autowrap_function_ids)
            if function is not None:
                _patch_generated(patcher, function)
            return self.call_module(mod, forward, args, kwargs)

        Module = torch.nn.Module
        patcher.patch_method(Module, "__getattr__", module_getattr, deduplicate=False)
        patcher.patch_method(Module, "__call__", module_call, deduplicate=False)
        _patch_wrapped_functions(patcher)
        analysed = inspect.unwrap(fn)
        _patch_generated(patcher, analysed.__globals__)
        for module in getattr(self, "root", torch.nn.Module()).modules():
            function = getattr(type(module), "forward", None)
            if isinstance(function, FunctionType):
                _patch_generated(patcher, function.__globals__)
        _autowrap_check(patcher, analysed.__globals__, self._autowrap_function_ids)
        for module in self._autowrap_search:
            _autowrap_check(patcher, module.__dict__, self._autowrap_function_ids)


def symbolic_trace(
    root: torch.nn.Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None
) -> GraphModule:
    """A GraphModule that does what a module or function does, with the graph of its steps.

    `concrete_args`, {name: value}, fixes arguments, so that branches that depend on them can be recorded.
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return _make_graph_module(tracer.root, graph, name)
