"""Tensors and what is computed with them, the way PyTorch's users know it.

The types and functions come from torch._C, the compiled part; Python files here add what is easier said in Python.
"""

# ruff: noqa: A001 - torch.float, torch.int and torch.bool are dtypes
try:
    from torch._spin import bounded_spin as _bounded_spin

    with _bounded_spin():
        import torch._C as _C
    from torch._C import (
        Generator,
        OutOfMemoryError,
        Size,
        Tensor,
        UntypedStorage,
        clear_autocast_cache,
        channels_last,
        channels_last_3d,
        contiguous_format,
        default_generator,
        device,
        dtype,
        is_anomaly_check_nan_enabled,
        is_anomaly_enabled,
        is_autocast_cache_enabled,
        is_grad_enabled,
        is_inference_mode_enabled,
        jagged,
        layout,
        memory_format,
        preserve_format,
        set_anomaly_enabled,
        set_autocast_cache_enabled,
        sparse_bsc,
        sparse_bsr,
        sparse_coo,
        sparse_csc,
        sparse_csr,
        strided,
    )
    from torch._C import (
        bfloat16,
        bool,
        cdouble,
        cfloat,
        chalf,
        complex32,
        complex64,
        complex128,
        double,
        float,
        float8_e4m3fn,
        float8_e4m3fnuz,
        float8_e5m2,
        float8_e5m2fnuz,
        float16,
        float32,
        float64,
        half,
        int,
        int8,
        int16,
        int32,
        int64,
        long,
        short,
        uint8,
        uint16,
        uint32,
        uint64,
    )
    import torch.version as version  # generated
    from torch.torch_version import __version__

    # Every operator and function that is made in C++.
    from torch._namespaces import functions_of as _functions_of

    globals().update(_functions_of(""))

    from torch._storage.typed import is_storage
    from torch.storage import TypedStorage, from_file
    from torch import _autocast, _nn, _tensor, _tensor_types, fft, linalg, return_types, special, storage
    from torch._limits import finfo, iinfo
    from torch._settings import (
        are_deterministic_algorithms_enabled,
        broadcast_shapes,
        compiled_with_cxx11_abi,
        get_default_device,
        get_deterministic_debug_mode,
        get_device_module,
        is_deterministic_algorithms_warn_only_enabled,
        is_nonzero,
        set_default_device,
        set_default_tensor_type,
        set_deterministic_debug_mode,
        typename,
        use_deterministic_algorithms,
    )
    from torch._tensor_str import set_printoptions
    from torch import autograd
    from torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
    from torch._autocast import (
        autocast_decrement_nesting,
        autocast_increment_nesting,
        get_autocast_dtype,
        is_autocast_enabled,
        set_autocast_dtype,
        set_autocast_enabled,
    )
    from torch.random import get_rng_state, initial_seed, manual_seed, seed, set_rng_state
    import torch._python_bodies as _python_bodies  # generated: operators whose bodies are Python
    import torch._torch_docs as _torch_docs  # generated: docstrings
    from torch import _tensor_docs
except ImportError as _error:
    from torch._import_error import explained

    raise explained(_error) from None

globals().update(_tensor_types.TYPES)  # FloatTensor, …
globals().update(storage.TYPES)  # FloatStorage, …
globals().update(_autocast.OLDER)  # get_autocast_cpu_dtype, …
_tensor_classes = set(_tensor_types.TYPES.values())
_storage_classes = {UntypedStorage, TypedStorage, *storage.TYPES.values()}

from math import e, inf, nan, pi  # noqa: F401

newaxis = None

import torch  # noqa: E402 - torch.torch, which programs have come upon
import torch._finder as _finder  # noqa: E402 - modules that torch._absent stands for


# Imported at first use: few programs need them.
_MODULES = {
    *("__config__", "__future__", "accelerator", "amp", "backends", "compiler", "cpu", "cuda", "distributed"),
    *("distributions", "fx", "jit", "mps", "multiprocessing", "nn", "optim", "serialization", "testing"),
    *("_VF", "_custom_ops", "_dynamo", "_library", "library", "monitor", "nested", "profiler", "quasirandom", "signal"),
    *("types", "utils", "xpu"),
}
_LATER = {
    "_assert": "functional",
    "_amp_foreach_non_finite_check_and_unscale_": "amp._unscale",
    "_amp_update_scale_": "amp._unscale",
    "autocast": "amp.autocast_mode",
    "compile": "compiler",
    "from_dlpack": "utils.dlpack",
    "get_float32_matmul_precision": "backends._precision",
    "load": "serialization",
    "ops": "_ops",
    "parse_schema": "_library.c_names",
    "unify_type_list": "_library.types",
    "Argument": "_library.schema",
    "DispatchKey": "_library.keys",
    "DispatchKeySet": "_library.keys",
    "FunctionSchema": "_library.schema",
    "Tag": "_library.tags",
    "save": "serialization",
    "set_float32_matmul_precision": "backends._precision",
    "to_dlpack": "utils.dlpack",
}


def __getattr__(name):
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"torch.{name}")
    if name in _LATER:
        value = globals()[name] = getattr(importlib.import_module(f"torch.{_LATER[name]}"), name)
        return value
    if name == "Storage":
        return storage.default_type()
    if name.startswith("__"):
        raise AttributeError(f"module 'torch' has no attribute '{name}'")
    from torch._further import find

    return find(name)


def __dir__():
    from torch._further import names

    return sorted({*globals(), *_MODULES, *_LATER, *names(), "Storage"})
