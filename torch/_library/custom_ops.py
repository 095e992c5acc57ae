"""torch.library.custom_op: an operator made of a function in Python."""

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
from typing import overload

import torch
from torch._library import fake_impl, keys, utils
from torch._library.autograd import AutogradKernel
from torch._library.infer_schema import infer_schema

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


_log = logging.getLogger(__name__)
_DEFINITIONS = {}  # {"ns::name": CustomOpDef}


@overload
def custom_op(
    name: str,
    fn: None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types=None,
    schema: str | None = None,
    tags=None,
) -> Callable[[Callable[..., object]], CustomOpDef]: ...


@overload
def custom_op(
    name: str,
    fn: Callable[..., object],
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types=None,
    schema: str | None = None,
    tags=None,
) -> CustomOpDef: ...


def custom_op(
    name: str,
    fn: Callable | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types=None,
    schema: str | None = None,
    tags=None,
) -> Callable[[Callable[..., object]], CustomOpDef] | CustomOpDef:
    """Makes an operator "ns::name" of a function, as a decorator or by a call. Returns the CustomOpDef, to be called.

    The schema is what infer_schema says of the annotations, unless it is given. `mutates_args`: the names of the
    arguments that the function writes. `device_types`: where it can compute ("cpu", "cuda"); None: anywhere. The
    function must not return one of its arguments, or a view of one; autograd sees nothing of what it does: that is
    register_autograd's.

        >>> @torch.library.custom_op("mylib::double", mutates_args=())
        ... def double(x: torch.Tensor) -> torch.Tensor:
        ...     return torch.from_numpy(x.numpy() * 2)
        >>> double(torch.ones(2))
        tensor([2., 2.])
    """

    def make(function):
        text = infer_schema(function, mutates_args=mutates_args) if schema is None else schema
        namespace, opname = utils.parse_namespace(name)
        made = CustomOpDef(namespace, opname, text, function, tags)
        if schema is not None:
            _agree(made, mutates_args)
        made.register_kernel(device_types)(function)
        return made

    return make if fn is None else make(fn)


def _agree(made, mutates_args):
    """A schema that is given says itself what is written; `mutates_args` must say the same."""
    if mutates_args == "unknown":
        return
    written = {argument.name for argument in made._operator.schema.arguments if argument.is_write}
    if written != set(mutates_args):
        text = made._operator.schema
        made._destroy()
        raise ValueError(
            f"Attempted to create a custom op with `mutates_args={mutates_args}` and `schema={text}`. The schema suggests that "
            f"the op mutates {sorted(written)}, which is something else: one of them is wrong"
        )


class CustomOpDef:
    """An operator that custom_op made. Calling it calls torch.ops.ns.name."""

    def __init__(self, namespace, name, schema, fn, tags=None):
        self._namespace, self._name, self._init_fn = namespace, name, fn
        self._schema = schema
        tags = list(tags) if isinstance(tags, (list, tuple)) else [] if tags is None else [tags]
        self._tags = (*tags, *({torch.Tag.pt2_compliant_tag} - set(tags)))
        self._disabled = set()  # device types
        self._kernels = {}  # {device type, or None for all others: function}
        self._fake = None
        earlier = _DEFINITIONS.pop(self._qualname, None)
        if earlier is not None:
            earlier._destroy()
        self._lib = torch.library.Library(namespace, "FRAGMENT")
        try:
            self._operator = self._lib._define(f"{name}{schema}", self._tags, utils.get_source(4))
            self._check()
        except BaseException:
            self._lib._destroy()
            raise
        operator = self._operator
        operator.chooses_device = operator.device_place is not None
        operator.counts_versions = bool(operator.written_places)
        self._lib._implement(operator, self._meta, "Meta")
        self._lib._implement(operator, AutogradKernel(operator), "Autograd")
        _DEFINITIONS[self._qualname] = self

    def _check(self):
        operator = self._operator
        if any(result.alias_info is not None for result in operator.schema.returns):
            raise ValueError(
                f"custom_op with results that are aliases of its arguments: {operator.schema}. Results must be tensors of "
                "their own; an argument that is written is not returned"
            )
        for argument in operator.schema.arguments:
            if argument.kwarg_only and argument.real_type.base == "Tensor":
                raise NotImplementedError(
                    f"custom_op with kwarg-only Tensor args: '{argument.name}' of {operator.schema}. Tensors must come first"
                )

    def _destroy(self):
        self._lib._destroy()
        if _DEFINITIONS.get(self._qualname) is self:
            del _DEFINITIONS[self._qualname]

    @property
    def _qualname(self):
        return f"{self._namespace}::{self._name}"

    @property
    def _opoverload(self):
        return self._operator.overload_object or utils.lookup_op(self._qualname)

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, /, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    # ---- kernels --------------------------------------------------------------------------------------------
    def register_kernel(self, device_types, fn=None, /):
        """Another function for these device types; None: for all that have none of their own. Also a decorator."""

        def register(function):
            wanted = [device_types] if device_types is None or isinstance(device_types, str) else list(device_types)
            for device in wanted:
                key = "CompositeExplicitAutograd" if device is None else keys.of_device(_device(device))
                new = device not in self._kernels
                self._kernels[device] = function
                if new:
                    self._lib._implement(self._operator, self._computing(device), key)
            return function

        return register if fn is None else register(fn)

    def _computing(self, device):
        def compute(*args, **kwargs):
            function = self._init_fn if device in self._disabled else self._kernels[device]
            result = function(*args, **kwargs)
            _refuse_aliases(self, function, args, kwargs, result)
            return result

        return compute

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        """Until the block ends, the device type's own kernel is used or not; without it, the function that the operator
        was made of is."""
        before = device_type in self._disabled
        if device_type not in self._kernels:
            state = "enable" if enabled else "disable"
            _log.warning(
                "Attempted to %s kernel for %s but no kernel was registered for this device type.", state, device_type
            )
        (self._disabled.discard if enabled else self._disabled.add)(device_type)
        try:
            yield
        finally:
            (self._disabled.add if before else self._disabled.discard)(device_type)

    def register_fake(self, fn: Callable, /) -> Callable:
        """The function that says of the result only its shape, strides and dtype: what calls with tensors on the meta
        device get. It may make tensors by torch.empty and its like, on the device of its arguments."""
        if not callable(fn):
            raise TypeError(f"{self}.register_fake() takes a function, not {type(fn).__name__}")
        self._fake = fn
        return fn

    def _meta(self, *args, **kwargs):
        if self._fake is None:
            if not self._operator.schema.returns:
                return None  # nothing to say
            raise RuntimeError(
                f"There was no fake impl registered for {self}: tensors on the meta device have no elements to compute with. "
                f"`{getattr(self._init_fn, '__name__', self._name)}.register_fake` takes a function that makes the result's shape"
            )
        with fake_impl.running(self._operator):
            return self._fake(*args, **kwargs)

    def register_autograd(self, backward: Callable, /, *, setup_context: Callable | None = None) -> None:
        """How it is differentiated: backward(ctx, *grads) returns a gradient for each positional argument; what it needs
        is saved by setup_context(ctx, inputs, output), after the call."""
        register_autograd(self._operator, self._lib, backward, setup_context, self)

    def register_autocast(self, device_type, cast_inputs):
        """Under autocast of this device type, floating arguments are taken to the dtype `cast_inputs` first."""
        register_autocast(self._operator, device_type, cast_inputs)

    def register_vmap(self, func=None):
        """How it is mapped over a dimension: torch.func, which has no operators of users here."""
        raise NotImplementedError(f"{self}.register_vmap(): torch.func.vmap does not take users' operators here")

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        """What answers for modes of this class: rule(mode, op, types, args, kwargs). Also a decorator."""
        return register_torch_dispatch(self._operator, torch_dispatch_class, fn)

    def register_effect(self, effect):
        """In which order torch.compile must leave its calls. Calls are run as they come here, so none is refused."""
        if effect is not None:
            raise NotImplementedError(
                f"{self}.register_effect(): there is no compiler here that would reorder its calls"
            )


def register_autograd(operator, library, backward, setup_context, shown):
    """The formula of an operator, into its library."""
    schema = operator.schema
    if not utils.is_functional_schema(schema):
        raise RuntimeError(
            f"Cannot register autograd formula for non-functional operator {shown} with schema {schema}: it writes its "
            "arguments or returns aliases of them. An operator that returns new tensors can have one"
        )
    keyword = next((a.name for a in schema.arguments if a.kwarg_only and a.real_type.base == "Tensor"), None)
    if keyword is not None:
        raise NotImplementedError(
            f"register_autograd with kwarg-only Tensor args: '{keyword}' of {schema}. Tensors with gradients must come first"
        )
    if not callable(backward) or not (setup_context is None or callable(setup_context)):
        raise TypeError(f"register_autograd({shown}): backward and setup_context must be functions")
    if setup_context is not None:
        wanted = ["ctx", "inputs", "output"]
        if any(argument.kwarg_only for argument in schema.arguments):
            wanted.insert(2, "keyword_only_inputs")
        parameters = inspect.signature(setup_context).parameters
        open_ended = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters.values())
        if not open_ended and set(parameters) != set(wanted):
            raise ValueError(
                f"register_autograd({shown}): setup_context must take the arguments ({', '.join(wanted)}), by these names; "
                f"it takes ({', '.join(parameters)})"
            )
    library._implement(operator, AutogradKernel(operator, backward, setup_context), "Autograd")


def register_autocast(operator, device_type, cast_inputs):
    """Under autocast, what an operator's floating arguments are taken to."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type).__name__}`")
    if torch.device(device_type).type not in ("cpu", "cuda"):
        raise ValueError(f"Unknown device type: {device_type}: autocast is for 'cpu' and 'cuda'")
    if not isinstance(cast_inputs, torch.dtype):
        raise TypeError(f"register_autocast(): cast_inputs must be a torch.dtype, not {cast_inputs!r}")
    operator.autocast[device_type] = cast_inputs


def register_torch_dispatch(operator, kind, rule=None):
    """In the place of the __torch_dispatch__ of TorchDispatchModes of class `kind`, rule(mode, op, types, args, kwargs) answers for
    the operator. Without a rule it is a decorator. Gives the rule."""
    from torch.utils._python_dispatch import TorchDispatchMode

    name = operator.qualified
    if not (isinstance(kind, type) and issubclass(kind, TorchDispatchMode)):
        raise NotImplementedError(
            f"register_torch_dispatch({name!r}): nothing here calls the __torch_dispatch__ of {getattr(kind, '__name__', kind)}, "
            "which is no TorchDispatchMode"
        )
    if rule is None:
        return functools.partial(register_torch_dispatch, operator, kind)
    if kind in operator.torch_dispatch:
        raise RuntimeError(f"{kind} already has a `__torch_dispatch__` rule registered for {name}")
    operator.torch_dispatch[kind] = rule
    return rule


def _device(device):
    return torch.device(device).type


def _memory(value):
    """What two tensors must not share: the address of the storage's own block; None for one without elements."""
    return value.untyped_storage()._cdata


def _tensors(values):
    return [
        each
        for value in values
        for each in (value if isinstance(value, (list, tuple)) else (value,))
        if isinstance(each, torch.Tensor)
    ]


def _refuse_aliases(definition, function, args, kwargs, result):
    """A result must not be an argument, a view of one, or share memory with another result: the schema says so."""
    results = _tensors(result if isinstance(result, (list, tuple)) else (result,))
    if not results:
        return
    seen = {_memory(tensor): "an argument" for tensor in _tensors((*args, *kwargs.values()))}
    for place, tensor in enumerate(results):
        other = seen.get(_memory(tensor))
        if other:
            raise RuntimeError(
                f"{definition._qualname} (with implementation in {inspect.getmodule(function)}): The output of this custom "
                f"operator (number {place} of {len(results)}) is {other} or a view of it, or shares its memory. Its schema, "
                f"{definition._operator.schema}, says that it may not alias any inputs or other outputs: return a copy, "
                "x.clone()"
            )
        seen[_memory(tensor)] = "another of its outputs"
