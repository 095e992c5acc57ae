"""Terms of classes of one's own."""

from torch.fx.experimental.unification.core import reify, unify

__all__ = ["reify_object", "unifiable", "unify_object"]


def unifiable(cls):
    """A decorator: instances are terms, by their attributes."""
    cls._unify_ = unify_object
    cls._reify_ = reify_object
    return cls


def _attributes(o):
    names = getattr(o, "__slots__", None)
    return o.__dict__ if names is None else {name: getattr(o, name) for name in names}


def reify_object(o, s):
    """The object with values for the variables in its attributes."""
    before = _attributes(o)
    after = reify(before, s)
    if before == after:
        return o
    made = object.__new__(type(o))
    for name, value in after.items():
        setattr(made, name, value)
    return made


def unify_object(u, v, s):
    """unify() of two objects, by their attributes."""
    return unify(_attributes(u), _attributes(v), s) if type(u) is type(v) else False


from torch._absent import rest_of  # noqa: E402 - what else PyTorch has here says so when it is used

__getattr__, __dir__ = rest_of(__name__)
