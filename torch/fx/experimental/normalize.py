"""Calls in one form."""

import operator

import torch
from torch.fx.experimental.schema_type_annotation import AnnotateTypesWithSchema
from torch.fx.interpreter import Transformer
from torch.fx.node import Node
from torch.fx.operator_schemas import normalize_function, normalize_module
from torch.fx.proxy import Proxy


class NormalizeArgs(Transformer):
    """Arguments of functions and modules of torch by keyword, with their defaults: ``NormalizeArgs(module).transform()``.
    Where several signatures fit, shape propagation's types decide."""

    def __init__(self, module, normalize_to_only_use_kwargs=True):
        super().__init__(module)
        self.node_map = {}
        self.normalize_to_only_use_kwargs = normalize_to_only_use_kwargs

    def run_node(self, n):
        args, kwargs = self.fetch_args_kwargs_from_env(n)

        def known_type(arg):
            if isinstance(arg, Node):
                return arg.meta.get("type")
            return type(arg)

        if n.op == "call_function":
            types = tuple(map(known_type, n.args)), {k: known_type(v) for k, v in n.kwargs.items()}
            if None in types[0] or None in types[1].values():
                types = None, None
            out = self.call_function(n.target, args, kwargs, *types)
        else:
            out = super().run_node(n)
        if n.op != "output" and isinstance(out, Proxy):
            self.node_map[out] = n
            out.node.meta = n.meta
            out.node.type = n.type
        return out

    def call_function(self, target, args, kwargs, arg_types=None, kwarg_types=None):
        if not callable(target):
            raise AssertionError(f"the target of call_function must be callable, not {target!r}")
        try:
            pair = normalize_function(target, args, kwargs, arg_types, kwarg_types, self.normalize_to_only_use_kwargs)
        except RuntimeError:  # several signatures fit
            pair = None
        if pair is None:
            return super().call_function(target, args, kwargs)
        return self.tracer.create_proxy("call_function", target, pair.args, pair.kwargs)

    def call_module(self, target, args, kwargs):
        pair = normalize_module(self.module, target, args, kwargs, self.normalize_to_only_use_kwargs)
        if pair is None:
            return super().call_module(target, args, kwargs)
        return super().call_module(target, pair.args, pair.kwargs)


class NormalizeOperators(AnnotateTypesWithSchema):
    """Functions of torch that operators stand for, as these operators: torch.add(x, y) as x + y."""

    binary_magic_method_remap = {
        getattr(torch, name): getattr(operator, method)
        for name, method in (
            *(("add", "add"), ("mul", "mul"), ("sub", "sub"), ("div", "truediv"), ("floor_divide", "floordiv")),
            *(("remainder", "mod"), ("eq", "eq"), ("ne", "ne"), ("lt", "lt"), ("le", "le"), ("gt", "gt"), ("ge", "ge")),
        )
    }

    def call_function(self, target, args, kwargs):
        if target in self.binary_magic_method_remap and len(args) == 2 and not kwargs:
            left, right = args
            method = self.binary_magic_method_remap[target]
            return self.tracer.create_proxy("call_function", method, (left, right), {})
        return super().call_function(target, args, kwargs)
