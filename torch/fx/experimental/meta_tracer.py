"""Recording programs whose branches depend on shapes: tensors on the device "meta" stand beside the proxies."""

import builtins
import functools

import torch
from torch.fx._symbolic_trace import Tracer
from torch.fx.graph_module import GraphModule
from torch.fx.node import map_aggregate
from torch.fx.proxy import Proxy

__all__ = [
    "MetaAttribute",
    "MetaDeviceAttribute",
    "MetaProxy",
    "MetaTracer",
    "embedding_override",
    "functional_relu_override",
    "gen_constructor_wrapper",
    "manual_meta_overrides",
    "nn_layernorm_override",
    "proxys_to_metas",
    "symbolic_trace",
    "torch_abs_override",
    "torch_nn_relu_override",
    "torch_relu_override",
    "torch_where_override",
]


# What a function or module makes of tensors on "meta", where it is more than the function itself would say.
def embedding_override(self, input):  # noqa: A002
    """What nn.Embedding gives for a tensor on "meta": a tensor with a dimension more."""
    return torch.empty(*input.shape, self.weight.shape[-1], device="meta")


def nn_layernorm_override(self, input):  # noqa: A002
    """What nn.LayerNorm gives for a tensor on "meta": one like it."""
    return input


def torch_relu_override(x):
    """What torch.relu gives for a tensor on "meta": one like it."""
    return x


def torch_nn_relu_override(self, x):
    """What nn.ReLU gives for a tensor on "meta": one like it."""
    return x


def functional_relu_override(x, inplace=False):
    """What F.relu gives for a tensor on "meta": one like it. AssertionError in place."""
    if inplace:
        raise AssertionError("dont support inplace functional.relu for metatensor analysis")
    return x


def torch_where_override(condition, x, y):
    """What torch.where gives for tensors on "meta": one of the shape that they are broadcast to."""
    return condition.to(device="meta") + x.to(device="meta") + y.to(device="meta")


def torch_abs_override(input, *, out=None):  # noqa: A002
    """What torch.abs gives for a tensor on "meta": one like it. AssertionError with `out`."""
    if out is not None:
        raise AssertionError("Dont support in-place abs for MetaTensor analysis")
    return input


manual_meta_overrides = {
    torch.nn.Embedding: embedding_override,
    torch.nn.LayerNorm: nn_layernorm_override,
    torch.relu: torch_relu_override,
    torch.nn.functional.relu: functional_relu_override,
    torch.nn.ReLU: torch_nn_relu_override,
    torch.where: torch_where_override,
    torch.abs: torch_abs_override,
}


def gen_constructor_wrapper(target):
    """(a function that records a call of `target` where a proxy is among its arguments, `target`)"""

    @functools.wraps(target)
    def wrapper(*args, **kwargs):
        found = None

        def find(x):
            nonlocal found
            if isinstance(x, Proxy):
                found = x
            return x

        map_aggregate((args, kwargs), find)
        if found is None:
            return target(*args, **kwargs)
        return found.tracer.create_proxy("call_function", target, args, kwargs)

    return wrapper, target


class MetaProxy(Proxy):
    """A proxy with a tensor on "meta" like its value."""

    def install_tensor_meta(self, tensor_meta):
        """Notes the tensor."""
        self._tensor_meta = tensor_meta

    def _known(self):
        return self.__dict__.get("_tensor_meta")

    def size(self, dim=None):
        known = self._known()
        if known is not None:
            return known.size(*([] if dim is None else [dim]))
        return self.tracer.create_proxy("call_method", "size", (self,) if dim is None else (self, dim), {})

    def dim(self):
        known = self._known()
        return known.dim() if known is not None else self.tracer.create_proxy("call_method", "dim", (self,), {})

    @property
    def shape(self):
        known = self._known()
        if known is not None:
            return known.shape
        return self.tracer.create_proxy("call_function", builtins.getattr, (self, "shape"), {})

    @property
    def dtype(self):
        known = self._known()
        if known is not None:
            return known.dtype
        return self.tracer.create_proxy("call_function", builtins.getattr, (self, "dtype"), {})

    @property
    def device(self):
        return MetaDeviceAttribute(self, "device")

    def __getattr__(self, k):
        if k == "_tensor_meta":
            return self.__getattribute__(k)
        return MetaAttribute(self, k)


class MetaAttribute(MetaProxy):
    """proxy.attr"""

    def __init__(self, root, attr):
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class MetaDeviceAttribute(MetaAttribute):
    """proxy.device"""


def proxys_to_metas(v):
    """The tensor on "meta" for a proxy that has one."""
    if isinstance(v, MetaDeviceAttribute):
        return "meta"
    if isinstance(v, Proxy):
        if not isinstance(v, MetaProxy):
            raise AssertionError(f"Expected MetaProxy but got {type(v)}")
        known = v._known()
        if known is None:
            raise AssertionError("MetaProxy does not have an associated meta")
        return known
    return v


class MetaTracer(Tracer):
    """A Tracer for ``trace(module, {argument: tensor on "meta"})``."""

    allow_insert_stateless_mods = True
    _TORCH_METHODS_TO_PATCH = ["arange", "zeros", "ones", "full_like", "eye"]  # noqa: RUF012

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        proxy = super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
        if kind == "placeholder" and target in self.meta_args:
            proxy.install_tensor_meta(self.meta_args[target])
            return proxy
        try:
            result = self._meta_of(kind, target, args, kwargs)
        except Exception as error:  # noqa: BLE001 - then nothing is known of the value
            proxy.node.meta["meta_tracer_error"] = str(error)
            return proxy
        if isinstance(proxy, Proxy) and isinstance(result, torch.Tensor):
            proxy.install_tensor_meta(result)
        return proxy

    def _meta_of(self, kind, target, args, kwargs):
        args_, kwargs_ = map_aggregate((args, kwargs), proxys_to_metas)
        if kind == "call_function":
            return manual_meta_overrides.get(target, target)(*args_, **_on_meta(target, kwargs_))
        if kind == "call_method":
            return getattr(args_[0], target)(*args_[1:], **kwargs_)
        if kind == "call_module":
            module = self.root.get_submodule(target)
            override = manual_meta_overrides.get(type(module))
            if override is not None:
                return override(module, *args_, **kwargs_)
            state = {k: v.to("meta") for k, v in (*module.named_parameters(), *module.named_buffers())}
            self._inside = True
            try:
                return _called(module, state, args_, kwargs_)
            finally:
                self._inside = False
        if kind == "get_attr":
            found = self.root
            for part in target.split("."):
                found = getattr(found, part)
            return found.to("meta")
        return None

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        return attr_val if getattr(self, "_inside", False) else super().getattr(attr, attr_val, parameter_proxy_cache)

    def call_module(self, m, forward, args, kwargs):
        if getattr(self, "_inside", False):
            return forward(*args, **kwargs)
        self.orig_forward = forward
        return super().call_module(m, forward, args, kwargs)

    def _insert_module_as_submodule(self, mod):
        name = self.get_fresh_qualname(f"_{type(mod).__name__}_")
        setattr(self.root, name, mod)
        return name

    def path_of_module(self, mod):
        try:
            return super().path_of_module(mod)
        except NameError:
            if self.allow_insert_stateless_mods and not [*mod.parameters(), *mod.buffers()]:
                path = self._insert_module_as_submodule(mod)
                if self.submodule_paths is not None:
                    self.submodule_paths[mod] = path
                return path
            raise

    def proxy(self, node):
        return MetaProxy(node, self)

    def trace(self, root, meta_args, concrete_args=None):
        """The Graph. `meta_args`: {argument: tensor on "meta"}."""
        if not isinstance(meta_args, dict):
            raise AssertionError(f"expected dict for meta_args, got {type(meta_args)}")
        self.meta_args = meta_args
        graph = super().trace(root, concrete_args)
        graph._tracer_extras = {"meta_args": meta_args}
        return graph


def _called(module, state, args, kwargs):
    from torch.nn.utils.stateless import functional_call

    return functional_call(module, state, args, kwargs)


def _on_meta(target, kwargs):
    """Functions that make tensors make them on "meta"."""
    if getattr(target, "__name__", "") in MetaTracer._TORCH_METHODS_TO_PATCH or target is torch.empty:
        return {**kwargs, "device": "meta"}
    return kwargs


def symbolic_trace(root, meta_args=None, concrete_args=None):
    """A GraphModule, recorded with tensors on "meta" beside the proxies."""
    tracer = MetaTracer()
    graph = tracer.trace(root, meta_args or {}, concrete_args)
    name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
