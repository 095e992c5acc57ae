"""Reductions, of all elements or along a dimension."""

from torch.autograd._functions._made import classes


def _reduced(name):
    def function(input, dim=None, keepdim=None):
        return getattr(input, name)() if dim is None else getattr(input, name)(dim, bool(keepdim))

    return function


def _last(name):
    """Of those that have always a dimension."""

    def function(input, *args, dim=None, keepdim=None):
        names = ("k",) if name == "kthvalue" else ()
        first, rest = args[: len(names)], args[len(names) :]
        dim = rest[0] if rest else dim
        keepdim = rest[1] if len(rest) > 1 else keepdim
        return getattr(input, name)(*first, -1 if dim is None else dim, bool(keepdim))

    return function


def _norm(input, p=2, dim=None, keepdim=None):
    return input.norm(p) if dim is None else input.norm(p, dim, bool(keepdim))


functions = {name: _reduced(name.lower()) for name in ("Sum", "Prod", "Mean", "Max", "Min", "Median")}
functions |= {"Mode": _last("mode"), "Kthvalue": _last("kthvalue"), "Norm": _norm}
globals().update(classes(__name__, functions, after_first=("Kthvalue",)))
