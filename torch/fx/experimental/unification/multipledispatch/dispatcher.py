"""Functions of several bodies."""

import inspect
import itertools as itl
from warnings import warn

from torch.fx.experimental.unification.multipledispatch.conflict import (
    AmbiguityWarning,
    ambiguities,
    ordering,
    super_signature,
)
from torch.fx.experimental.unification.multipledispatch.utils import expand_tuples
from torch.fx.experimental.unification.multipledispatch.variadic import Variadic, isvariadic

__all__ = [
    "Dispatcher",
    "MDNotImplementedError",
    "MethodDispatcher",
    "ambiguity_warn",
    "halt_ordering",
    "restart_ordering",
    "source",
    "str_signature",
    "variadic_signature_matches",
    "variadic_signature_matches_iter",
    "warning_text",
]


class MDNotImplementedError(NotImplementedError):
    """Raised by a body: the next one that fits is tried."""


def ambiguity_warn(dispatcher, ambiguities):
    """Warns of signatures of which neither comes first."""
    warn(warning_text(dispatcher.name, ambiguities), AmbiguityWarning, stacklevel=2)


def halt_ordering():
    """Does nothing: orders are found when they are needed."""


def restart_ordering(on_ambiguity=ambiguity_warn):
    """Does nothing: orders are found when they are needed."""


def variadic_signature_matches_iter(types, full_signature):
    """For each type whether it fits."""
    if not full_signature:
        raise AssertionError("full_signature is empty")
    expected = iter(full_signature)
    current = next(expected)
    for kind in types:
        yield issubclass(kind, current)
        if not isvariadic(current):
            current = next(expected, None)
            if current is None:
                current = ()
    rest = [] if current == () or isvariadic(current) else [current]
    yield not rest and all(isvariadic(x) for x in expected)


def variadic_signature_matches(types, full_signature):
    """Whether the types fit a signature that ends in Variadic."""
    if not full_signature:
        raise AssertionError("full_signature is empty")
    return all(variadic_signature_matches_iter(types, full_signature))


class Dispatcher:
    """A function with a body for each combination of types:

    f = Dispatcher("f")
    f.add((int, int), lambda a, b: a + b)
    """

    __slots__ = ("__name__", "name", "funcs", "_ordering", "_cache", "doc")

    def __init__(self, name, doc=None):
        self.name = self.__name__ = name
        self.funcs, self.doc = {}, doc
        self._ordering, self._cache = None, {}

    def register(self, *types, **kwargs):
        """A decorator: the body for these types."""

        def note(func):
            self.add(types, func, **kwargs)
            return func

        return note

    @classmethod
    def get_func_params(cls, func):
        return inspect.signature(func).parameters.values()

    @classmethod
    def get_func_annotations(cls, func):
        """The types of a function's positional arguments by its annotations; None where one has none."""
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        found = [p.annotation for p in cls.get_func_params(func) if p.kind in kinds]
        return None if inspect.Parameter.empty in found else tuple(found)

    def add(self, signature, func):
        """The body for these types; a tuple, or a list with one tuple of types, stands for any of them."""
        signature = signature or self.get_func_annotations(func) or ()
        if any(isinstance(kind, tuple) for kind in signature):
            for expanded in expand_tuples(signature):
                self.add(expanded, func)
            return
        types = []
        for i, kind in enumerate(signature, 1):
            if isinstance(kind, list):
                if i != len(signature):
                    raise TypeError("Variadic signature must be the last element")
                if len(kind) != 1:
                    raise TypeError(
                        "Variadic signature must contain exactly one element. To use a variadic union type "
                        "place the desired types inside of a tuple, e.g., [(int, str)]"
                    )
                kind = Variadic[kind[0]]  # noqa: PLW2901
            elif not isinstance(kind, type):
                raise TypeError(f"Tried to dispatch on non-type: {kind} in signature {str_signature(signature)}")
            types.append(kind)
        self.funcs[tuple(types)] = func
        self._cache.clear()
        self._ordering = None

    @property
    def ordering(self):
        """The signatures in the order in which they are tried."""
        return self._ordering if self._ordering is not None else self.reorder()

    def reorder(self, on_ambiguity=ambiguity_warn):
        """Finds the order."""
        self._ordering = ordering(self.funcs)
        unclear = ambiguities(self.funcs)
        if unclear:
            on_ambiguity(self, unclear)
        return self._ordering

    def dispatch(self, *types):
        """The body for these types; None if there is none."""
        return self.funcs[types] if types in self.funcs else next(self.dispatch_iter(*types), None)

    def dispatch_iter(self, *types):
        """The bodies that fit, the first that counts first."""
        for signature in self.ordering:
            fits = len(signature) == len(types) and all(map(issubclass, types, signature))
            if not fits and signature and isvariadic(signature[-1]):
                fits = variadic_signature_matches(types, signature)
            if fits:
                yield self.funcs[signature]

    def resolve(self, types):
        """The same as dispatch(*types)."""
        return self.dispatch(*types)

    def _bodies(self, types):
        if types not in self._cache:
            self._cache[types] = self.dispatch(*types)
        return self._cache[types]

    def __call__(self, *args, **kwargs):
        types = tuple(type(arg) for arg in args)
        func = self._bodies(types)
        if func is None:
            raise NotImplementedError(f"Could not find signature for {self.name}: <{str_signature(types)}>")
        return self._first(func, types, args, kwargs)

    def _first(self, func, types, args, kwargs):
        try:
            return func(*args, **kwargs)
        except MDNotImplementedError:
            for other in itl.islice(self.dispatch_iter(*types), 1, None):
                try:
                    return other(*args, **kwargs)
                except MDNotImplementedError:
                    pass
            raise NotImplementedError(
                f"Matching functions for {self.name}: <{str_signature(types)}> found, but none completed successfully"
            ) from None

    def __str__(self):
        return f"<dispatched {self.name}>"

    __repr__ = __str__

    def __getstate__(self):
        return {"name": self.name, "funcs": self.funcs}

    def __setstate__(self, d):
        self.__init__(d["name"])
        self.funcs = d["funcs"]

    @property
    def __doc__(self):
        docs = [f"Multiply dispatched method: {self.name}", *([self.doc] if self.doc else [])]
        docs += [f"Inputs: <{str_signature(s)}>\n{f.__doc__}" for s, f in self.funcs.items() if f.__doc__]
        return "\n\n".join(docs)

    def help(self, *args, **kwargs):
        """Shows the documentation of the body for these arguments."""
        print(self.dispatch(*map(type, args)).__doc__)

    def source(self, *args, **kwargs):
        """Shows the source of the body for these arguments."""
        func = self.dispatch(*map(type, args))
        if func is None:
            raise TypeError("No function found")
        print(source(func))


class MethodDispatcher(Dispatcher):
    """The same for methods: the object itself does not count."""

    __slots__ = ("obj", "cls")

    @classmethod
    def get_func_params(cls, func):
        return itl.islice(inspect.signature(func).parameters.values(), 1, None)

    def __get__(self, instance, owner):
        self.obj, self.cls = instance, owner
        return self

    def __call__(self, *args, **kwargs):
        types = tuple(type(arg) for arg in args)
        func = self.dispatch(*types)
        if func is None:
            raise NotImplementedError(f"Could not find signature for {self.name}: <{str_signature(types)}>")
        return func(self.obj, *args, **kwargs)


def str_signature(sig):
    """The types' names."""
    return ", ".join(cls.__name__ for cls in sig)


def warning_text(name, amb):
    """What ambiguity_warn() says."""
    pairs = "\n".join(f"\t[{str_signature(a)}], [{str_signature(b)}]" for a, b in amb)
    wanted = "\n\n".join(f"@dispatch({str_signature(super_signature(pair))})\ndef {name}(...)" for pair in amb)
    return (
        f"\nAmbiguities exist in dispatched function {name}\n\nThe following signatures may result in ambiguous behavior:\n"
        f"{pairs}\n\nConsider making the following additions:\n\n{wanted}"
    )


def source(func):
    """The function's source, after the file's name."""
    return f"File: {inspect.getsourcefile(func)}\n\n{inspect.getsource(func)}"
