"""Names of torch._C that are written in Python, loaded when somebody asks for one: {name: module that has it}."""

from torch import _C

_NAMES = dict.fromkeys(
    (
        "Argument DispatchKey DispatchKeySet ExcludeDispatchKeyGuard FunctionSchema _AutoDispatchBelowADInplaceOrView "
        "_AutoDispatchBelowAutograd _ExcludeDispatchKeyGuard _dispatch_find_schema_or_throw _dispatch_get_all_op_names "
        "_dispatch_has_kernel _dispatch_has_kernel_for_any_dispatch_key _dispatch_has_kernel_for_dispatch_key "
        "_dispatch_key_for_device _dispatch_key_name _dispatch_key_parse _dispatch_keys "
        "_dispatch_tls_is_dispatch_key_excluded _dispatch_tls_local_exclude_set _parse_dispatch_key parse_schema"
    ).split(),
    "torch._library.c_names",
)


def _later(name):
    if name not in _NAMES:
        raise AttributeError(f"module 'torch._C' has no attribute '{name}'")
    import importlib

    value = getattr(importlib.import_module(_NAMES[name]), name)
    setattr(_C, name, value)
    return value


_C.__getattr__ = _later
