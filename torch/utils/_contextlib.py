"""Contexts that are decorators, too: where other programs look for them."""

from torch._contextlib import _DecoratorContextManager, _NoParamDecoratorContextManager, context_decorator

__all__ = ["_DecoratorContextManager", "_NoParamDecoratorContextManager", "context_decorator"]
