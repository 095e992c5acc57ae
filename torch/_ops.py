"""torch.ops: operators by the names that PyTorch's dispatcher has for them, such as ``torch.ops.aten.mm.default``.

What torch.ops.aten has stands for operators that run (torch.utils.checkpoint asks a policy about them), and can be called.
Which overload a call is says the declaration of the function that runs: torch/_operators.py, which is generated. Parts of
operators that PyTorch has not are in a namespace of their own, torch.ops.torch. Every other namespace is users', made by
torch.library or by TORCH_LIBRARY in a library that load_library has loaded: torch/_library/table.py has these.
"""

import functools
import threading

import torch
from torch import _C
from torch._library import dispatch, keys, native, table
from torch._library.schema import FunctionSchema

__all__ = ["FunctionSchema", "OpOverload", "OpOverloadPacket", "aten_has", "ops"]

# Operators of PyTorch's that are functions made of others in Python here: {name: overload}.
_PYTHON = dict.fromkeys(
    (
        "alpha_dropout bilinear cosine_embedding_loss cosine_similarity dropout einsum feature_alpha_dropout "
        "hinge_embedding_loss lift_fresh lift_fresh_copy linear margin_ranking_loss nll_loss pad pairwise_distance pdist poisson_nll_loss "
        "triplet_margin_loss"
    ).split(),
    "default",
) | {"softmax": "int", "log_softmax": "int", "_pin_memory": "default"}

# What computes an operator whose name torch has not.
_RENAMED = {"_pin_memory": "pin_memory", "nll_loss": "nll_loss_nd"}


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


@functools.cache
def _place_of_mean(name):
    """The place of an operator's argument `reduction`, where its schema says that it is the mean unless it is given: the
    function in Python takes no reduction for that. None where there is no such argument."""
    for schema in filter(None, _schemas().get(_RENAMED.get(name, name), {}).values()):
        for place, argument in enumerate(FunctionSchema(schema).arguments):
            if argument.name == "reduction" and argument.default_value == 1:
                return place
    return None


def _function(name):
    """What computes it; NotImplementedError if it has no function in Python."""
    function, place = _function_in_python(name), _place_of_mean(name)
    return function if place is None else _with_mean(function, place)


@functools.cache
def _with_mean(function, place):
    """The function, called with the mean where it is given no reduction."""

    @functools.wraps(function)
    def with_mean(*args, **kwargs):
        return function(*args, **(kwargs if len(args) > place else {"reduction": 1} | kwargs))

    return with_mean


def _function_in_python(name):
    """What computes it, by its name in Python; NotImplementedError if it has none there."""
    from torch._aten_bodies import BODIES

    if name in BODIES:
        return BODIES[name]
    for place in (torch, _C._nn, torch.nn.functional, torch.Tensor):
        found = getattr(place, _RENAMED.get(name, name), None)
        if found is not None:
            return found
    space, _, rest = name.partition("_")
    if space in ("fft", "linalg", "special") and hasattr(getattr(torch, space), rest):
        return getattr(getattr(torch, space), rest)
    raise NotImplementedError(f"aten::{name} runs below other operators, and cannot be called by its name")


def aten_has(name):
    """Whether torch itself has the operator aten::`name`."""
    return name in _schemas()


class _Answered(threading.local):
    """The call that a TorchDispatchMode of this thread is answering (torch/_dispatch_modes.py)."""

    call = None


answered = _Answered()


class OpOverload:
    """One overload of an operator. Calling it computes the operator."""

    def __init__(self, packet, overload):
        self.overloadpacket = self._overloadpacket = packet
        self._overloadname = overload
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__module__ = f"torch._ops.{packet.namespace}"
        self.__qualname__ = self._name = self.name()

    @property
    def namespace(self):
        """ "aten"."""
        return self.overloadpacket.namespace

    @property
    def tags(self):
        """What its author says of it: a list of torch.Tag."""
        return []

    @property
    def is_view(self):
        """Whether its results are views of its arguments, as far as there is a schema that says so."""
        try:
            schema = self._schema
        except RuntimeError:
            return False
        return not schema.is_mutable and any(result.alias_info is not None for result in schema.returns)

    def has_kernel_for_dispatch_key(self, key):
        """Whether there is a kernel for this key."""
        return keys.torch_computes(keys.parse(key).name)

    @property
    def _schema(self):
        """The FunctionSchema. RuntimeError where nothing here has that overload's signature."""
        known = self.namespace == "aten" and _schemas()[self.overloadpacket.__name__][self._overloadname]
        if not known:
            raise RuntimeError(f"{self.name()} has no declaration here, and so no schema")
        return FunctionSchema(known)

    @functools.cached_property
    def op(self):
        """What is called."""
        return _function(self.overloadpacket.__name__)

    def name(self):
        """ "aten::mm", "aten::add.Tensor"."""
        suffix = "" if self._overloadname == "default" else f".{self._overloadname}"
        return f"{self.namespace}::{self.overloadpacket.__name__}{suffix}"

    def __call__(self, /, *args, **kwargs):
        call = answered.call
        if call is not None and call.is_this(self, args, kwargs):
            return call.results()
        return self.op(*args, **kwargs)

    def __reduce__(self):
        return _found, (self.namespace, self.overloadpacket.__name__, self._overloadname)

    def __deepcopy__(self, memo):
        return self

    def __str__(self):
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self):
        return f"<OpOverload(op='{self.namespace}.{self.overloadpacket.__name__}', overload='{self._overloadname}')>"


class _UsersOverload(OpOverload):
    """One overload of an operator in torch._library.table."""

    def __init__(self, packet, overload, entry):
        self._entry = entry
        super().__init__(packet, overload)

    @property
    def _schema(self):
        """The FunctionSchema."""
        return self._entry.schema

    @property
    def op(self):
        """What is called."""
        return self

    @property
    def tags(self):
        """What its author says of it: a list of torch.Tag."""
        return list(self._entry.tags)

    def has_kernel_for_dispatch_key(self, key):
        """Whether something registered a kernel for this key."""
        return keys.parse(key).name in self._entry.kernels

    def redispatch(self, keyset, /, *args, **kwargs):
        """Computes it below autograd."""
        with keys.AutoDispatchBelowAutograd():
            return dispatch.run(self._entry, self._entry.binder.bind(args, kwargs))

    def __call__(self, /, *args, **kwargs):
        call = answered.call
        if call is not None and call.is_this(self, args, kwargs):
            return call.results()
        return dispatch.call(self._entry, args, kwargs, self)


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


class _UsersPacket(OpOverloadPacket):
    """An operator in torch._library.table. Calling it calls the first overload that the arguments fit."""

    def overloads(self):
        """Names of its overloads."""
        return [overload or "default" for overload in self._entries()]

    def _entries(self):
        return table.overloads_of(self.namespace, self.__name__)

    def __getattr__(self, overload):
        # Not kept: a library that is destroyed takes its operators along.
        entry = None if overload.startswith("__") else self._entries().get("" if overload == "default" else overload)
        if entry is None:
            raise AttributeError(
                f"The underlying op of '{self.namespace}.{self.__name__}' has no overload name '{overload}'"
            )
        if entry.overload_object is None:
            entry.overload_object = _UsersOverload(self, overload, entry)
        return entry.overload_object

    def __call__(self, /, *args, **kwargs):
        entries = list(self._entries().values())
        if len(entries) == 1:
            return dispatch.call(entries[0], args, kwargs, self)
        wrong = []
        for entry in entries:
            try:
                entry.binder.bind(args, kwargs)
            except RuntimeError as error:
                wrong.append(str(error))
                continue
            return dispatch.call(entry, args, kwargs, self)
        raise RuntimeError(
            "\n\n".join(["Overloaded torch operator invoked from Python failed to match any schema:", *wrong])
        )


class _SparseProduct:
    """An operator of PyTorch's on sparse matrices that libraries have tables by. It calls the function of torch.sparse that it
    is part of; one that has more results than that raises NotImplementedError."""

    def __init__(self, name):
        self.__name__ = name
        self.default = self

    def __repr__(self):
        return f"<operator aten::{self.__name__}>"

    def __call__(self, *args, **kwargs):
        if self.__name__ == "_sparse_addmm":
            return torch.sparse.addmm(*args, **kwargs)
        raise NotImplementedError(
            f"aten::{self.__name__}: torch.sparse.mm has the product alone, and not where it comes from"
        )


_SPARSE_PRODUCTS = ("_sparse_addmm", "_sparse_mm_reduce_impl")


class _OpNamespace:
    """Operators of one library: PyTorch's of "aten", parts that are ours alone of "torch", and users'."""

    def __init__(self, name):
        self.name = name

    @property
    def __name__(self):
        return f"torch.ops.{self.name}"

    def _known(self):
        if self.name == "aten":
            return _schemas().keys()
        return {name for namespace, name, _, _ in _functions() if namespace == self.name}

    def __getattr__(self, name):
        if not name.startswith("__"):
            if table.overloads_of(self.name, name):
                return _UsersPacket(self.name, name)
            if name in self._known():
                made = OpOverloadPacket(self.name, name)
                setattr(self, name, made)
                return made
            if self.name == "aten" and name in _SPARSE_PRODUCTS:
                made = _SparseProduct(name)
                setattr(self, name, made)
                return made
        raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")

    def __dir__(self):
        return sorted({*vars(self), *self._known(), *table.operators_of(self.name)})


class _Ops:
    """Libraries of operators by name."""

    def __init__(self):
        self.loaded_libraries = set()  # paths

    def load_library(self, path):
        """Loads a shared library, compiled against torch's headers, whose TORCH_LIBRARY blocks define operators. They
        are in torch.ops afterwards. OSError for a file that cannot be loaded, and for one made for PyTorch's own binaries."""
        self.loaded_libraries.add(native.load(path))

    def import_module(self, module):
        """Imports a module of Python that defines operators."""
        import importlib

        importlib.import_module(module)

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
