"""torch.ops.aten: operators by the names that PyTorch's dispatcher has for them, such as ``torch.ops.aten.mm.default``.

What is there stands for operators that run (torch.utils.checkpoint asks a policy about them), and can be called. Which
overload a call is says the declaration of the function that runs: torch/_operators.py, which is generated. Parts of
operators that PyTorch has not are in a namespace of their own, torch.ops.torch.
"""

import functools

import torch
from torch import _C

__all__ = ["OpOverload", "OpOverloadPacket", "ops"]

# Operators of PyTorch's that are functions made of others in Python here: {name: overload}.
_PYTHON = dict.fromkeys(
    (
        "alpha_dropout bilinear cosine_embedding_loss cosine_similarity dropout einsum feature_alpha_dropout "
        "hinge_embedding_loss linear margin_ranking_loss nll_loss pad pairwise_distance pdist poisson_nll_loss "
        "triplet_margin_loss"
    ).split(),
    "default",
) | {"softmax": "int", "log_softmax": "int"}


@functools.cache
def _schemas():
    """{name: {overload: schema, or None}} of what aten has."""
    from torch._operators import SCHEMAS

    python = {name: {overload: None} for name, overload in _PYTHON.items() if name not in SCHEMAS}
    return SCHEMAS | python


@functools.cache
def _functions():
    """A row for each of thpp::operators(): (namespace, name, overload, conditions)."""
    from torch._operators import ROWS

    rows = []
    for ours, aten, forms, overload, conditions in ROWS:
        for form in forms:
            # What is written and what is not there keep the names that they have here.
            name = aten or ours.removeprefix("nn_")
            name += "_" * (form == "i" and not name.endswith("_"))
            rows.append(("aten" if aten else "torch", name, overload, conditions))
    return rows


def _fits(kind, arg):
    if kind == "number":
        return arg is not None and not isinstance(arg, torch.Tensor)
    if kind == "one":
        return len(arg) == 1
    return arg is not None and arg != []


def _function(name):
    """What computes it, by its name in Python; NotImplementedError if it has none there."""
    for place in (torch, _C._nn, torch.nn.functional, torch.Tensor):
        found = getattr(place, name, None)
        if found is not None:
            return found
    raise NotImplementedError(f"aten::{name} runs below other operators, and cannot be called by its name")


class FunctionSchema:
    """A signature as PyTorch writes it: "aten::mm(Tensor self, Tensor mat2) -> Tensor"."""

    def __init__(self, text):
        self._text = text
        self.name, _, self.overload_name = text.partition("(")[0].partition(".")

    def __eq__(self, other):
        return isinstance(other, FunctionSchema) and self._text == other._text

    def __hash__(self):
        return hash(self._text)

    def __str__(self):
        return self._text

    __repr__ = __str__


class OpOverload:
    """One overload of an operator. Calling it computes the operator."""

    def __init__(self, packet, overload):
        self.overloadpacket = self._overloadpacket = packet
        self._overloadname = overload
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__module__ = f"torch._ops.{packet.namespace}"

    @property
    def namespace(self):
        """ "aten"."""
        return self.overloadpacket.namespace

    @property
    def _schema(self):
        """The FunctionSchema. RuntimeError where nothing here has that overload's signature."""
        known = self.namespace == "aten" and _schemas()[self.overloadpacket.__name__][self._overloadname]
        if not known:
            raise RuntimeError(f"{self.name()} has no declaration here, and so no schema")
        return FunctionSchema(known)

    @property
    def op(self):
        """What is called."""
        return _function(self.overloadpacket.__name__)

    def name(self):
        """ "aten::mm", "aten::add.Tensor"."""
        suffix = "" if self._overloadname == "default" else f".{self._overloadname}"
        return f"{self.namespace}::{self.overloadpacket.__name__}{suffix}"

    def __call__(self, /, *args, **kwargs):
        return self.op(*args, **kwargs)

    def __reduce__(self):
        return _found, (self.namespace, self.overloadpacket.__name__, self._overloadname)

    def __deepcopy__(self, memo):
        return self

    def __str__(self):
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self):
        return f"<OpOverload(op='{self.namespace}.{self.overloadpacket.__name__}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """An operator: its overloads are attributes. Calling it computes the operator."""

    def __init__(self, namespace, name):
        self.namespace = namespace
        self.__name__ = name
        self.__module__ = f"torch._ops.{namespace}"

    def overloads(self):
        """Names of its overloads."""
        return list(_schemas()[self.__name__]) if self.namespace == "aten" else ["default"]

    def __getattr__(self, overload):
        if overload.startswith("__") or overload not in self.overloads():
            raise AttributeError(
                f"The underlying op of '{self.namespace}.{self.__name__}' has no overload name '{overload}'"
            )
        made = OpOverload(self, overload)
        setattr(self, overload, made)
        return made

    def __call__(self, /, *args, **kwargs):
        return _function(self.__name__)(*args, **kwargs)

    def __reduce__(self):
        return _found, (self.namespace, self.__name__)

    def __deepcopy__(self, memo):
        return self

    def __str__(self):
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self.namespace}.{self.__name__}')>"


class _OpNamespace:
    """Operators of one library: PyTorch's of "aten", and parts that are ours alone of "torch"."""

    def __init__(self, name):
        self.name = name

    def _known(self):
        if self.name == "aten":
            return _schemas().keys()
        return {name for namespace, name, _, _ in _functions() if namespace == self.name}

    def __getattr__(self, name):
        if name.startswith("__") or name not in self._known():
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        made = OpOverloadPacket(self.name, name)
        setattr(self, name, made)
        return made

    def __dir__(self):
        return sorted({*vars(self), *self._known()})


class _Ops:
    """Libraries of operators by name."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = _OpNamespace(name)
        setattr(self, name, made)
        return made


ops = _Ops()


def _found(namespace, name, overload=None):
    packet = getattr(getattr(ops, namespace), name)
    return getattr(packet, overload) if overload else packet


def overload_of(number, args):
    """The OpOverload for a call of the function at this place of thpp::operators()."""
    namespace, name, overload, conditions = _functions()[number]
    for place, kind, other in conditions:
        if _fits(kind, args[place]):
            overload = other
            break
    return _found(namespace, name, overload if namespace == "aten" else "default")
