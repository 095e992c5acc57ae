"""Calls of functions of torch.nn.functional in one form: what has no default by position, everything else by keyword,
defaults included. So a pass finds an argument in one place, however the program has given it."""

import inspect
import types

_forms = {}


def _form(function):
    """(names of parameters by position, {name: default} of the others); None where a signature cannot say."""
    if getattr(function, "__module__", None) != "torch.nn.functional" or not isinstance(function, types.FunctionType):
        return None
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return None
    required = [p.name for p in parameters if p.default is p.empty]
    return [p.name for p in parameters], required, {p.name: p.default for p in parameters if p.default is not p.empty}


def as_recorded(function, args, kwargs):
    """(args, kwargs) of a call as a node holds them."""
    if function in _forms:
        form = _forms[function]
    else:
        form = _forms[function] = _form(function)
    if form is None:
        return args, kwargs
    names, required, defaults = form
    given = dict(zip(names, args))
    if len(args) > len(names) or not given.keys().isdisjoint(kwargs) or not kwargs.keys() <= set(names):
        return args, kwargs  # the function itself will say what is wrong
    given.update(kwargs)
    if any(name not in given for name in required):
        return args, kwargs
    return (
        tuple([given[name] for name in required]),
        {name: given.get(name, default) for name, default in defaults.items()},
    )
