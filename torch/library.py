"""Operators of one's own: with a schema, kernels for devices, a gradient, and a name in torch.ops.

    custom_op                a function in Python as an operator; what most programs want
    Library, define, impl    the parts: schemas, and kernels by dispatch key
    register_kernel, register_fake, register_autograd, register_autocast    more of an operator that is there
    opcheck                  whether an operator is what it says

In C++, TORCH_LIBRARY does what Library does: docs/extending.md.
"""

from __future__ import annotations

import contextlib
import weakref

import torch
import torch._library.native
from torch._library import fake_impl, keys, table, utils
from torch._library.checking import opcheck
from torch._library.custom_ops import (
    CustomOpDef,
    custom_op,
    register_autocast as _register_autocast,
    register_autograd as _register_autograd,
    register_torch_dispatch as _register_torch_dispatch,
)
from torch._library.fake_impl import get_ctx
from torch._library.infer_schema import infer_schema
from torch._library.table import fallthrough as fallthrough_kernel
from torch._library.triton import triton_op, wrap_triton

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


__all__ = [
    "Library",
    "custom_op",
    "define",
    "fallthrough_kernel",
    "get_ctx",
    "get_kernel",
    "impl",
    "impl_abstract",
    "infer_schema",
    "opcheck",
    "register_autocast",
    "register_autograd",
    "register_fake",
    "register_kernel",
    "register_torch_dispatch",
    "register_vmap",
    "triton_op",
    "wrap_triton",
]

_RESERVED = ("prim",)


class Library:
    """Operators of a namespace, and kernels. `kind`: "DEF" for the one library that owns the namespace, "FRAGMENT" for
    more operators in it, "IMPL" for kernels alone. They are there as long as this object."""

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}: it must be 'DEF', 'FRAGMENT' or 'IMPL'")
        if ns in _RESERVED and kind in ("DEF", "FRAGMENT"):
            raise ValueError(f"{ns} is a reserved namespace: operators of users need another")
        if dispatch_key:
            keys.parse(dispatch_key)
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._where = utils.get_source(2)
        self._undo = []
        self._op_impls = set()  # "ns/name/key"
        if kind == "DEF":
            table.own(ns, self._where)
            self._undo.append(lambda: table.disown(ns))
        self._alive = True
        self._finalizer = weakref.finalize(self, _taken_back, self._undo)
        self._finalizer.atexit = False

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def define(self, schema: str, alias_analysis: str = "", *, tags=()) -> str:
        """Defines an operator: lib.define("scale(Tensor x, float by) -> Tensor"). Returns its name."""
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        if self.kind not in ("DEF", "FRAGMENT"):
            raise RuntimeError(f"{self!r}.define({schema!r}): a library of the kind IMPL has kernels, no operators")
        tags = tags if isinstance(tags, (list, tuple)) else (tags,)
        return self._define(schema, tags, utils.get_source(2)).name

    def _define(self, schema, tags, where):
        self._living()
        operator = table.define(self.ns, schema, where, tags)
        self._undo.append(operator.undefine)
        return operator

    def impl(
        self, op_name, fn: Callable, dispatch_key: str = "", *, with_keyset: bool = False, allow_override: bool = True
    ) -> None:
        """Gives an operator a kernel: lib.impl("scale", function, "CPU"). Without a key, and without one of the
        library's, it is for CompositeImplicitAutograd: made of operators that are differentiated themselves."""
        self._living()
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found type {type(fn)}")
        key = keys.parse(dispatch_key or self.dispatch_key or "CompositeImplicitAutograd").name
        name = op_name if isinstance(op_name, str) else _qualified(op_name)
        if "::" in name:
            space, _, name = name.partition("::")
            if space != self.ns:
                raise RuntimeError(f"{self!r}.impl({op_name!r}): an operator of another namespace")
        name = name.removesuffix(".default")
        taken = f"{self.ns}/{name}/{key}"
        if not allow_override and taken in _TAKEN:
            raise RuntimeError(
                f"This is not allowed since there's already a kernel registered from python overriding {name}'s behavior for "
                f"{key} dispatch key and {self.ns} namespace."
            )
        undo = table.implement(self.ns, name, fn, key, utils.get_source(2), with_keyset)
        _TAKEN.add(taken)
        self._op_impls.add(taken)
        self._undo += [undo, lambda: _TAKEN.discard(taken)]

    def _implement(self, operator, kernel, key):
        """A kernel of an operator that is there: a function, or a table.Kernel."""
        self._living()
        name = operator.name + (f".{operator.overload}" if operator.overload else "")
        self._undo.append(table.implement(operator.namespace, name, kernel, key, self._where))

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=True):
        """What register_fake does, into this library."""
        _fake(table.found(op_name if "::" in op_name else f"{self.ns}::{op_name}"), fn, self, allow_override)

    def fallback(self, fn, dispatch_key="", *, with_keyset=False):
        """A kernel for every operator of a key. Operators of torch hear of none, so this is refused."""
        raise NotImplementedError(f"{self!r}.fallback(): torch's own operators take no kernels from outside")

    def _living(self):
        if not self._alive:
            raise AssertionError("Library object has been destroyed")

    def _destroy(self):
        """Takes all of it back."""
        self._alive = False
        self._op_impls = set()
        self._finalizer()


def _taken_back(undo):
    while undo:
        undo.pop()()


_TAKEN = set()  # "ns/name/key" that Library.impl has given a kernel
_KEPT = []  # libraries that nobody else holds


@contextlib.contextmanager
def _scoped_library(*args, **kwargs):
    """A Library until the block ends."""
    library = Library(*args, **kwargs)
    try:
        yield library
    finally:
        library._destroy()


def _keeping(namespace, lib):
    """The library that is given, or a new one that stays."""
    if lib is None:
        lib = Library(namespace, "FRAGMENT")
        _KEPT.append(lib)
    return lib


def _qualified(op):
    """ "ns::name.overload" of a name, an OpOverload or a CustomOpDef."""
    if isinstance(op, CustomOpDef):
        return op._qualname
    if isinstance(op, str):
        return op
    if hasattr(op, "_entry"):
        return op.name()
    raise ValueError(
        f"expected the name of an operator, an OpOverload or a CustomOpDef, got {type(op).__name__}: {op!r}"
    )


def _decorating(fn, register):
    if fn is None:
        return lambda function: (register(function), function)[1]
    register(fn)
    return fn


def define(qualname, schema, *, lib=None, tags=()):
    """Defines an operator: define("mylib::scale", "(Tensor x, float by) -> Tensor"). It stays as long as `lib`, or for
    good. The older form define(lib, "scale(Tensor x) -> Tensor") is a decorator for its CompositeImplicitAutograd."""
    if isinstance(qualname, Library):
        name = qualname.define(schema, tags=tags)
        return lambda function: (qualname.impl(name, function), function)[1]
    if not isinstance(qualname, str):
        raise ValueError(f"define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}")
    namespace, name, overload = table.split(qualname)
    if not isinstance(schema, str) or not schema.lstrip().startswith("("):
        raise ValueError(
            f'define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got {schema!r}'
        )
    library = _keeping(namespace, lib)
    return library.define(name + (f".{overload}" if overload else "") + schema, "", tags=tags) and None


def impl(qualname: str, types: str | Sequence[str], func=None, *, lib: Library | None = None) -> object:
    """Gives an operator a kernel for device types ("cpu", "cuda", "default" for all others) or dispatch keys. Also a
    decorator, and in the older form, impl(lib, "scale", "CPU"), only that."""
    if isinstance(qualname, Library):
        return _decorating(None, lambda function: qualname.impl(types, function, func or lib or ""))
    wanted = {types} if isinstance(types, str) else set(types)

    def register(function):
        name = _qualified(qualname)
        library = _keeping(table.split(name)[0], lib)
        for kind in sorted(wanted):
            library.impl(name, function, _key(kind))

    return _decorating(func, register)


def _key(kind):
    """A dispatch key's name, for it or for a device type."""
    if kind == "default":
        return "CompositeExplicitAutograd"
    if kind in keys.DispatchKey.__members__:
        return kind
    return keys.of_device(torch.device(kind).type)


def register_kernel(op, device_types, func: Callable | None = None, /, *, lib: Library | None = None):
    """A function that computes an operator on these device types; None: on all that have none. Also a decorator."""
    definition = _definition(op)
    if definition is not None:
        return definition.register_kernel(device_types, func)
    return impl(_qualified(op), "default" if device_types is None else device_types, func, lib=lib)


def _definition(op):
    """The CustomOpDef, or None for operators that are made otherwise."""
    from torch._library.custom_ops import _DEFINITIONS

    return _DEFINITIONS.get(_qualified(op).removesuffix(".default"))


def register_fake(
    op,
    func: Callable | None = None,
    /,
    *,
    lib: Library | None = None,
    _stacklevel: int = 1,
    allow_override: bool = True,
):
    """The function that says of an operator's result only its shape, strides and dtype. Calls with tensors on the meta
    device get that. Also a decorator. In a namespace that nobody has defined anything in, it is kept until somebody does:
    packages register fakes for their library in C++ whether that could be loaded or not."""
    definition = _definition(op)
    if definition is not None:
        return definition.register_fake if func is None else definition.register_fake(func)

    def register(function):
        operator = table.expected(_qualified(op))
        _fake(operator, function, _keeping(operator.namespace, lib), allow_override)

    return _decorating(func, register)


def _fake(operator, function, library, allow_override):
    if not callable(function):
        raise TypeError(f"register_fake({operator.qualified}): expected a function, got {type(function).__name__}")
    if not allow_override and "Meta" in operator.kernels:
        raise RuntimeError(f"register_fake(...): the operator {operator.qualified} already has a kernel for Meta")
    library._implement(operator, fake_impl.kernel_of(operator, function), "Meta")


def impl_abstract(qualname, func=None, *, lib=None, _stacklevel=1):
    """register_fake, under its older name."""
    return register_fake(qualname, func, lib=lib)


def register_autograd(
    op, backward: Callable, /, *, setup_context: Callable | None = None, lib: Library | None = None
) -> None:
    """How an operator is differentiated: backward(ctx, *grads) returns a gradient for each positional argument. It may
    call operators, and nothing that autograd does not see if it is to be differentiated itself. What it needs is saved by
    setup_context(ctx, inputs, output); `keyword_only_inputs`, a dict, comes before `output` where there are such."""
    definition = _definition(op)
    if definition is not None:
        return definition.register_autograd(backward, setup_context=setup_context)
    operator = table.found(_qualified(op))
    library = _keeping(operator.namespace, lib)
    return _register_autograd(operator, library, backward, setup_context, operator.qualified)


def register_autocast(op, device_type: str, cast_inputs, /, *, lib: Library | None = None):
    """Under autocast of a device type, the floating arguments of an operator are taken to the dtype `cast_inputs`."""
    return _register_autocast(table.found(_qualified(op)), device_type, cast_inputs)


def register_vmap(op, func: Callable | None = None, /, *, lib=None):
    """How an operator is mapped over a dimension by torch.func.vmap, which takes no operators of users here."""
    raise NotImplementedError(f"register_vmap({_qualified(op)!r}): torch.func.vmap does not take users' operators here")


def register_torch_dispatch(
    op, torch_dispatch_class: Any, func: Callable | None = None, /, *, lib: Library | None = None
):
    """What answers for an operator in the place of the __torch_dispatch__ of modes of this class: rule(mode, op, types, args,
    kwargs). Also a decorator. NotImplementedError for tensors of derived types."""
    return _register_torch_dispatch(table.found(_qualified(op)), torch_dispatch_class, func)


class _KernelOfKey:
    """What get_kernel() gives: the kernel that an operator has now, to be called past dispatch."""

    def __init__(self, operator, kernel):
        self._operator, self._kernel = operator, kernel

    def call_boxed(self, keyset, *args, **kwargs):
        """Calls it."""
        return self._kernel(self._operator, self._operator.binder.bind(args, kwargs))

    def __repr__(self):
        return f"SafeKernelFunction(debug='registered at {self._kernel.where}')"


def get_kernel(op, dispatch_key):
    """The kernel of an operator for a dispatch key, or the one that stands for it. RuntimeError where there is none."""
    operator = table.found(_qualified(op))
    key = keys.parse(dispatch_key).name
    kernel = operator.kernel(key, "CompositeExplicitAutograd", "CompositeImplicitAutograd")
    if kernel is None:
        raise RuntimeError(f"no kernel for {key} of {operator.qualified}: it has those of {sorted(operator.kernels)}")
    return _KernelOfKey(operator, kernel)
