"""Types of values by the signatures of what computes them."""

import inspect
from typing import Any

import torch
from torch.fx.interpreter import Transformer
from torch.fx.operator_schemas import get_signature_for_torch_op

__all__ = ["AnnotateTypesWithSchema"]


class AnnotateTypesWithSchema(Transformer):
    """A GraphModule whose nodes have the types that signatures say: ``AnnotateTypesWithSchema(module).transform()``."""

    def __init__(self, module, annotate_functionals=True, annotate_modules=True, annotate_get_attrs=True):
        super().__init__(module)
        self.annotate_functionals = annotate_functionals
        self.annotate_modules = annotate_modules
        self.annotate_get_attrs = annotate_get_attrs

    def call_function(self, target, args, kwargs):
        found = self._extract_python_return_type(target) if self.annotate_functionals else None
        proxy = super().call_function(target, args, kwargs)
        proxy.node.type = found or proxy.node.type
        return proxy

    def call_module(self, target, args, kwargs):
        proxy = super().call_module(target, args, kwargs)
        if self.annotate_modules:
            module = self.fetch_attr(target)
            if hasattr(torch.nn, type(module).__name__):
                annotation = inspect.signature(module.forward).return_annotation
                if annotation is not inspect.Signature.empty:
                    proxy.node.type = annotation
        return proxy

    def get_attr(self, target, args, kwargs):
        proxy = super().get_attr(target, args, kwargs)
        value = self.fetch_attr(target)
        if self.annotate_get_attrs and isinstance(value, torch.Tensor):
            proxy.node.type = torch.nn.Parameter if isinstance(value, torch.nn.Parameter) else torch.Tensor
        return proxy

    def _extract_python_return_type(self, target):
        """The type that all overloads return; None where they differ, or nothing is known."""
        signatures = get_signature_for_torch_op(target) if callable(target) else None
        types = {s.return_annotation for s in signatures or () if not isinstance(s.return_annotation, tuple)}
        types.discard(Any)
        return types.pop() if len(types) == 1 else None
