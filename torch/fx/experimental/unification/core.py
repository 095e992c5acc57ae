"""unify() and reify()."""

from collections.abc import Iterator

from torch.fx.experimental.unification.unification_tools import assoc
from torch.fx.experimental.unification.utils import transitive_get
from torch.fx.experimental.unification.variable import isvar

__all__ = ["reify", "unify"]


def reify(e, s):
    """The term with the values of `s`, {variable: value}, for its variables."""
    if isvar(e):
        return reify(s[e], s) if e in s else e
    if isinstance(e, (tuple, list)):
        return type(e)(reify(x, s) for x in e)
    if isinstance(e, dict):
        return {k: reify(v, s) for k, v in e.items()}
    if isinstance(e, slice):
        return slice(*reify((e.start, e.stop, e.step), s))
    if isinstance(e, Iterator):
        return (reify(x, s) for x in e)
    own = getattr(e, "_reify_", None)
    return own(s) if own else e


def unify(u, v, s=None):
    """{variable: value} with which the terms are equal, `s` and more; False where there is none."""
    s = {} if s is None else s
    u, v = transitive_get(u, s), transitive_get(v, s)
    try:
        if u == v:
            return s
    except (TypeError, ValueError, RuntimeError):
        pass
    if isvar(u):
        return assoc(s, u, v)
    if isvar(v):
        return assoc(s, v, u)
    if isinstance(u, slice) and isinstance(v, slice):
        return unify((u.start, u.stop, u.step), (v.start, v.stop, v.step), s)
    if type(u) is type(v) and isinstance(u, dict):
        if u.keys() != v.keys():
            return False
        return unify(tuple(u.values()), tuple(v[k] for k in u), s)
    if type(u) is type(v) and isinstance(u, (tuple, list, Iterator)):
        u, v = tuple(u), tuple(v)
        if len(u) != len(v):
            return False
        for a, b in zip(u, v):
            s = unify(a, b, s)
            if s is False:
                return False
        return s
    own = getattr(u, "_unify_", None)
    return own(v, s) if own and type(u) is type(v) else False


from torch._absent import rest_of  # noqa: E402 - what else PyTorch has here says so when it is used

__getattr__, __dir__ = rest_of(__name__)
