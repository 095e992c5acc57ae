"""dispatch(), a decorator."""

import inspect

from torch.fx.experimental.unification.multipledispatch.dispatcher import Dispatcher, MethodDispatcher

__all__ = ["dispatch", "ismethod"]

global_namespace = {}


def dispatch(*types, **kwargs):
    """A decorator: the function is the body, of the Dispatcher of its name, for these types.

    @dispatch(int)
    def f(x): ...
    """
    namespace = kwargs.get("namespace", global_namespace)

    def note(func):
        name = func.__name__
        if ismethod(func):
            dispatcher = inspect.currentframe().f_back.f_locals.get(name, MethodDispatcher(name))
        else:
            dispatcher = namespace.setdefault(name, Dispatcher(name))
        dispatcher.add(tuple(types), func)
        return dispatcher

    return note


def ismethod(func):
    """Whether the first parameter is called self."""
    return next(iter(inspect.signature(func).parameters), None) == "self"
