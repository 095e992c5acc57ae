"""What torch._C has of the dispatcher in PyTorch: dispatch keys, guards, and questions about users' operators."""

from torch._library import keys, table
from torch._library.keys import (
    AutoDispatchBelowADInplaceOrView as _AutoDispatchBelowADInplaceOrView,
    AutoDispatchBelowAutograd as _AutoDispatchBelowAutograd,
    DispatchKey,
    DispatchKeySet,
    ExcludeDispatchKeyGuard,
    ExcludeDispatchKeyGuard as _ExcludeDispatchKeyGuard,
)
from torch._library.schema import Argument, FunctionSchema, parse as parse_schema

__all__ = [
    "Argument",
    "DispatchKey",
    "DispatchKeySet",
    "ExcludeDispatchKeyGuard",
    "FunctionSchema",
    "_AutoDispatchBelowADInplaceOrView",
    "_AutoDispatchBelowAutograd",
    "_ExcludeDispatchKeyGuard",
    "_dispatch_find_schema_or_throw",
    "_dispatch_get_all_op_names",
    "_dispatch_has_kernel",
    "_dispatch_has_kernel_for_any_dispatch_key",
    "_dispatch_has_kernel_for_dispatch_key",
    "_dispatch_key_for_device",
    "_dispatch_key_name",
    "_dispatch_key_parse",
    "_dispatch_keys",
    "_dispatch_tls_is_dispatch_key_excluded",
    "_dispatch_tls_local_exclude_set",
    "_parse_dispatch_key",
    "parse_schema",
]


def _dispatch_has_kernel(name):
    """Whether there is such an operator, with a kernel."""
    operator = table.find(name)
    return table.is_ours(name) or (operator is not None and bool(operator.kernels))


def _dispatch_has_kernel_for_dispatch_key(name, key):
    """Whether there is a kernel for this key. RuntimeError where there is no such operator."""
    key = keys.parse(key).name
    if table.is_ours(name):
        return keys.torch_computes(key)
    return key in table.found(name).kernels


def _dispatch_has_kernel_for_any_dispatch_key(name, keyset):
    """Whether something registered a kernel for one of these keys."""
    return any(key.name in table.found(name).kernels for key in keyset)


def _dispatch_get_all_op_names():
    """ "ns::name.overload" of every operator of users', and "aten::name" of torch's."""
    from torch._ops import _schemas

    return [f"aten::{name}" for name in _schemas()] + table.all_names()


def _dispatch_find_schema_or_throw(name, overload):
    """What stands for an operator, whose schema is then asked."""
    return table.found(f"{name}.{overload}" if overload else name)


def _dispatch_keys(tensor):
    """The DispatchKeySet that a tensor brings to a call."""
    return keys.of_tensor(tensor)


def _dispatch_key_for_device(device_type):
    """ "CPU" for "cpu"."""
    return keys.of_device(device_type)


def _dispatch_key_name(key):
    """ "CPU" for DispatchKey.CPU."""
    return keys.parse(key).name


def _dispatch_key_parse(name):
    """DispatchKey.CPU for "CPU"."""
    return keys.parse(name)


_parse_dispatch_key = _dispatch_key_parse


def _dispatch_tls_local_exclude_set():
    """The DispatchKeySet that this thread leaves out."""
    return keys.excluded()


def _dispatch_tls_is_dispatch_key_excluded(key):
    """Whether this thread leaves a key out."""
    return keys.excluded().has(keys.parse(key))
