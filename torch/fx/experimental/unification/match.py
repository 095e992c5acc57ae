"""Functions with a body for each pattern of arguments."""

from torch.fx.experimental.unification.core import reify, unify
from torch.fx.experimental.unification.unification_tools import first, groupby
from torch.fx.experimental.unification.utils import _toposort, freeze
from torch.fx.experimental.unification.variable import isvar


class Dispatcher:
    """A function: the body counts whose pattern the arguments fit, the narrowest first."""

    def __init__(self, name):
        self.name, self.funcs, self.ordering = name, {}, []

    def add(self, signature, func):
        """The body for arguments that unify with `signature`."""
        self.funcs[freeze(signature)] = func
        self.ordering = ordering(self.funcs)

    def resolve(self, args):
        """(the body, {variable: value}). NotImplementedError if none fits."""
        for signature in self.ordering:
            if len(signature) == len(args):
                found = unify(freeze(args), signature)
                if found is not False:
                    return self.funcs[signature], found
        raise NotImplementedError(f"No match found. \nKnown matches: {self.ordering}\nInput: {args}")

    def __call__(self, *args, **kwargs):
        func, _ = self.resolve(args)
        return func(*args, **kwargs)

    def register(self, *signature):
        """A decorator: the body for this pattern."""

        def note(func):
            self.add(signature, func)
            return self

        return note


class VarDispatcher(Dispatcher):
    """The same; bodies take the variables' values, by name."""

    def __call__(self, *args, **kwargs):
        func, found = self.resolve(args)
        return func(**{variable.token: value for variable, value in found.items()})


global_namespace = {}


def match(*signature, **kwargs):
    """A decorator: the function is the body, of the function of its name, for this pattern."""
    namespace = kwargs.get("namespace", global_namespace)
    kind = kwargs.get("Dispatcher", Dispatcher)

    def note(func):
        if func.__name__ not in namespace:
            namespace[func.__name__] = kind(func.__name__)
        namespace[func.__name__].add(signature, func)
        return namespace[func.__name__]

    return note


def supercedes(a, b):
    """Whether `a` is a narrower pattern than `b`."""
    if isvar(b) and not isvar(a):
        return True
    found = unify(a, b)
    if found is False:
        return False
    found = {k: v for k, v in found.items() if not isvar(k) or not isvar(v)}
    if reify(a, found) == a:
        return True
    if reify(b, found) == b:
        return False
    return None


def edge(a, b, tie_breaker=hash):
    """Whether `a` is to be tried before `b`."""
    if supercedes(a, b):
        return not supercedes(b, a) or tie_breaker(a) > tie_breaker(b)
    return False


def ordering(signatures):
    """The patterns in the order in which they are tried."""
    signatures = list(map(tuple, signatures))
    edges = groupby(first, [(a, b) for a in signatures for b in signatures if edge(a, b)])
    for signature in signatures:
        edges.setdefault(signature, [])
    return _toposort({k: [b for _, b in v] for k, v in edges.items()})
