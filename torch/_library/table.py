"""Operators by name, their kernels by dispatch key, and the libraries that own both."""

from torch import _C
from torch._library import keys
from torch._library.binding import Binder
from torch._library.schema import parse


def synchronise():
    """Takes over what C++ has registered: torch._library.native replaces this."""


_OPERATORS = {}  # {(namespace, name): {overload: Operator}}
_OWNERS = {}  # {namespace: where its one Library(…, "DEF") was made}


class Operator:
    """One overload of an operator: its schema, once defined, and its kernels."""

    def __init__(self, namespace, name, overload):
        self.namespace, self.name, self.overload = namespace, name, overload
        self.schema = self.binder = None
        self.where = ""  # it was defined
        self.overload_object = None  # what torch.ops shows for it
        self.tags = ()
        self.kernels = {}  # {key's name: Kernel}
        self.autocast = {}  # {device's type: dtype}
        self.torch_dispatch = {}  # {class of TorchDispatchModes: what answers in the place of its __torch_dispatch__}
        self.chooses_device = False  # without tensors, the argument `device` says which backend is called
        self.counts_versions = False  # a call bumps the versions of what its schema says is written

    @property
    def qualified(self):
        """ "ns::name", "ns::name.overload"."""
        return f"{self.namespace}::{self.name}" + (f".{self.overload}" if self.overload else "")

    def define(self, schema, where, tags):
        """Gives it its schema. RuntimeError where it has one."""
        if self.schema is not None:
            raise RuntimeError(
                f"Tried to register an operator ({schema}) with the same name and overload name multiple times: {self.where} "
                f"has defined {self.schema}, and {where} would define it again"
            )
        self.binder = Binder(schema)
        self.schema, self.where, self.tags = schema, where, tuple(tags)
        arguments = schema.arguments
        self.tensor_places = [place for place, argument in enumerate(arguments) if argument.real_type.base == "Tensor"]
        self.written_places = [place for place, argument in enumerate(arguments) if argument.is_write]
        self.device_place = next((i for i, a in enumerate(arguments) if a.name == "device"), None)

    def undefine(self):
        """Takes its schema away."""
        self.schema = self.binder = self.overload_object = None

    def kernel(self, *names):
        """The first Kernel of these keys, or None."""
        kernels = self.kernels
        for name in names:
            if name in kernels:
                return kernels[name]
        return None

    def tensors(self, values):
        """The tensors among the values of all arguments."""
        found = []
        for place in self.tensor_places:
            value = values[place]
            if type(value) is list:
                found += [each for each in value if each is not None]
            elif value is not None:
                found.append(value)
        return found


class Kernel:
    """What computes an operator for a key: a function in Python, called as its schema says."""

    of_python = True  # so that a call from C++ has to come here

    def __init__(self, function, with_keyset=False, key="", where=""):
        self.function, self.where = function, where
        self._keyset = (keys.DispatchKeySet(*([key] if key else ())),) if with_keyset else ()

    @property
    def falls_through(self):
        """Whether it stands for having none here."""
        return self.function is fallthrough

    def __call__(self, operator, values):
        positional, keywords = operator.binder.shortened(values)
        return operator.binder.results(self.function(*self._keyset, *positional, **keywords))


def fallthrough(*args, **kwargs):
    """Stands for a key whose kernel is to be passed by."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


# ---- names ------------------------------------------------------------------------------------------------------
def split(qualified):
    """(namespace, name, overload) of "ns::name.overload"."""
    namespace, colons, rest = qualified.partition("::")
    if not colons or "::" in rest or not namespace or not rest:
        raise ValueError(
            f'Expected `qualname` to be of the form "namespace::name", but got {qualified}, which '
            f"{'has no namespace' if not colons else 'names no operator'}"
        )
    name, _, overload = rest.partition(".")
    return namespace, name, "" if overload == "default" else overload


def operators_of(namespace):
    """The names of the operators that are defined there."""
    synchronise()
    return {
        name
        for (space, name), overloads in _OPERATORS.items()
        if space == namespace and any(operator.schema for operator in overloads.values())
    }


def overloads_of(namespace, name):
    """{overload: Operator} of those that are defined."""
    synchronise()
    overloads = _OPERATORS.get((namespace, name), {})
    return {overload: operator for overload, operator in overloads.items() if operator.schema is not None}


def find(qualified):
    """The defined Operator of this name, or None."""
    namespace, name, overload = split(qualified)
    return overloads_of(namespace, name).get(overload)


def found(qualified):
    """The defined Operator of this name. RuntimeError where there is none."""
    operator = find(qualified)
    if operator is None:
        _refuse_ours(*split(qualified), "register anything more")
        raise RuntimeError(f"operator {qualified} does not exist")
    return operator


def expected(qualified):
    """The same, or one that is to be defined later, where its namespace has no operators at all."""
    namespace, name, overload = split(qualified)
    return found(qualified) if namespace == "aten" or operators_of(namespace) else entry(namespace, name, overload)


def entry(namespace, name, overload):
    """The Operator of this name, which is made where it is not there."""
    overloads = _OPERATORS.setdefault((namespace, name), {})
    if overload not in overloads:
        overloads[overload] = Operator(namespace, name, overload)
    return overloads[overload]


def all_names():
    """Every defined operator's "ns::name.overload"."""
    synchronise()
    return [
        operator.qualified for overloads in _OPERATORS.values() for operator in overloads.values() if operator.schema
    ]


# ---- libraries --------------------------------------------------------------------------------------------------
def own(namespace, where):
    """Makes `where` the one place that defines the namespace. RuntimeError if there is one."""
    if namespace in _OWNERS:
        raise RuntimeError(
            f"Only a single TORCH_LIBRARY can be used to register the namespace {namespace}: {_OWNERS[namespace]} has it, and "
            f"{where} wants it. A library of the kind FRAGMENT adds operators to a namespace of somebody else's, one of the "
            "kind IMPL kernels"
        )
    _OWNERS[namespace] = where


def disown(namespace):
    """Lets another place define the namespace."""
    _OWNERS.pop(namespace, None)


def define(namespace, text, where, tags=()):
    """Defines an operator by its schema, with or without the namespace in it. Returns the Operator."""
    space, colons, rest = text.partition("(")[0].partition("::")
    if colons and space.strip() != namespace:
        raise RuntimeError(
            f"Explicitly provided namespace ({space.strip()}) in schema string does not match namespace of enclosing "
            f"TORCH_LIBRARY block ({namespace}), at {where}: {text}"
        )
    schema = parse(text.strip() if colons else f"{namespace}::{text.strip()}")
    name = schema.name.partition("::")[2]
    _refuse_ours(namespace, name, schema.overload_name, f"define {schema}")
    operator = entry(namespace, name, schema.overload_name)
    operator.define(schema, where, tags)
    return operator


def implement(namespace, name, function, key, where, with_keyset=False):
    """Gives an operator, defined or not yet, the kernel of a key. Returns how to take it away again."""
    name, _, overload = name.partition(".")
    _refuse_ours(namespace, name, overload, f"register a kernel for {key}")
    operator = entry(namespace, name, "" if overload == "default" else overload)
    kernel = function if isinstance(function, Kernel) else Kernel(function, with_keyset, key, where)
    if kernel.of_python:
        _C._operator_in_python(operator.qualified)
    before, operator.kernels[key] = operator.kernels.get(key), kernel

    def undo():
        if operator.kernels.get(key) is kernel:
            operator.kernels.pop(key)
            if before is not None:
                operator.kernels[key] = before

    return undo


def is_ours(qualified):
    """Whether it is one of torch's own, "aten::mm"."""
    namespace, name, _ = split(qualified)
    if namespace != "aten" or overloads_of(namespace, name):
        return False
    from torch._ops import aten_has

    return aten_has(name)


def _refuse_ours(namespace, name, overload, wish):
    """The functions of torch itself are bound in C++, and hear of no kernel that comes later."""
    if is_ours(f"{namespace}::{name}"):
        raise NotImplementedError(
            f"cannot {wish}: aten::{name}{'.' * bool(overload)}{overload} is an operator of torch's own, which calls its own "
            "kernels; a subclass of Tensor with __torch_function__, or a TorchFunctionMode, can take such calls over"
        )
