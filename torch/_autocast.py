"""What torch.autocast does to functions that are Python, and its settings for each thread and type of device.

The settings of the CPU and of CUDA devices are C++ (THPP/Autocast.h), which every operator asks; those of other devices
are told and kept here.
"""

from __future__ import annotations

import functools

from torch import _C


def cast(function, policies):
    """`function`, called inside of autocast with its floating-point tensors as its policy says (codegen/autocast.py).

    policies: for the CPU and for CUDA devices, the name of a policy, or None where the function is on no list.
    """
    converts, call = _C._autocast_converts, _C._autocast_call

    @functools.wraps(function)
    def casting(*args, **kwargs):
        if converts():
            return call(function, policies, args, kwargs)
        return function(*args, **kwargs)

    return casting


# Settings. The defaults of other devices are PyTorch's.
_NATIVE = ("cpu", "cuda")
_DEFAULTS = dict.fromkeys(("xpu", "mps", "mtia", "ipu", "privateuseone"), _C.float16)
_DEFAULTS |= dict.fromkeys(("hpu", "xla", "maia"), _C.bfloat16)
_TYPES = (
    *("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy"),
    *("vulkan", "mps", "meta", "hpu", "mtia", "privateuseone"),
)


@functools.cache
def _local():
    """{device type: (enabled, dtype)} that this thread has set, as the attribute `settings`, and `nesting`."""
    import _thread

    class Local(_thread._local):
        def __init__(self):
            self.settings = {}
            self.nesting = 0

    return Local()


def _type_of(device_type, function):
    if not isinstance(device_type, str):
        raise TypeError(
            f"{function}(): argument 'device_type' (position 1) must be str, not {type(device_type).__name__}"
        )
    name = device_type.partition(":")[0]
    if name not in _TYPES:
        raise RuntimeError(f"Expected one of {', '.join(_TYPES)} device type at start of device string: {device_type}")
    return name


def _check_known(name):
    if name not in _NATIVE and name not in _DEFAULTS:
        raise RuntimeError("unknown device type for autocast in get_autocast_dispatch_key_from_device_type")


def _setting(name):
    return _local().settings.get(name, (False, _DEFAULTS.get(name)))


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows the type of device: True for "cpu", "cuda" and the accelerators that PyTorch names."""
    name = _type_of(device_type, "is_autocast_available")
    return name in _NATIVE or name in _DEFAULTS


def is_autocast_enabled(device_type="cuda"):
    """Whether the calling thread is inside autocast for the type of device. RuntimeError for one without autocast."""
    name = _type_of(device_type, "is_autocast_enabled")
    _check_known(name)
    return _C._is_autocast_enabled(name) if name in _NATIVE else _setting(name)[0]


def is_any_autocast_enabled():
    """Whether the calling thread is inside autocast for some type of device."""
    return any(map(is_autocast_enabled, (*_NATIVE, *_DEFAULTS)))


def set_autocast_enabled(device_type, enabled=None):
    """set_autocast_enabled(device_type, enabled) or (enabled), which means "cuda": what autocast does on entry."""
    if enabled is None and isinstance(device_type, bool):
        device_type, enabled = "cuda", device_type
    name = _type_of(device_type, "set_autocast_enabled")
    if not isinstance(enabled, bool):
        raise TypeError(
            f"set_autocast_enabled(): argument 'enabled' (position 2) must be bool, not {type(enabled).__name__}"
        )
    _check_known(name)
    if name in _NATIVE:
        _C._set_autocast_enabled(name, enabled)
    else:
        _local().settings[name] = (enabled, _setting(name)[1])


def get_autocast_dtype(device_type):
    """The dtype that operators run in inside autocast: at first bfloat16 on the CPU and float16 on CUDA devices."""
    name = _type_of(device_type, "get_autocast_dtype")
    dtype = _C._get_autocast_dtype(name) if name in _NATIVE else _setting(name)[1]
    if dtype is None:
        raise RuntimeError("unsupported scalarType")
    return dtype


def set_autocast_dtype(device_type, dtype):
    """Set the dtype that operators run in inside autocast."""
    name = _type_of(device_type, "set_autocast_dtype")
    if not isinstance(dtype, _C.dtype):
        raise TypeError(
            f"set_autocast_dtype(): argument 'dtype' (position 2) must be torch.dtype, not {type(dtype).__name__}"
        )
    if name in _NATIVE:
        _C._set_autocast_dtype(name, dtype)
    else:
        _local().settings[name] = (_setting(name)[0], dtype)


def autocast_increment_nesting():
    """Count a context that begins in the calling thread, and return how many there are."""
    local = _local()
    local.nesting += 1
    return local.nesting


def autocast_decrement_nesting():
    """Count a context that ends in the calling thread, and return how many are left."""
    local = _local()
    local.nesting -= 1
    return local.nesting


def _of_device(name):
    """The older functions of one type of device, which warn."""

    def warn(function, instead):
        import warnings

        warnings.warn(
            f"torch.{function} is deprecated. Please use torch.{instead} instead.", DeprecationWarning, stacklevel=3
        )

    def is_enabled():
        warn(f"is_autocast_{name}_enabled()", f"is_autocast_enabled('{name}')")
        return is_autocast_enabled(name)

    def set_enabled(enabled):
        warn(f"set_autocast_{name}_enabled(enabled)", f"set_autocast_enabled('{name}', enabled)")
        set_autocast_enabled(name, enabled)

    def get_dtype():
        warn(f"get_autocast_{name}_dtype()", f"get_autocast_dtype('{device}')")
        return get_autocast_dtype(device)

    def set_dtype(dtype):
        warn(f"set_autocast_{name}_dtype(dtype)", f"set_autocast_dtype('{device}', dtype)")
        set_autocast_dtype(device, dtype)

    device = "cuda" if name == "gpu" else name
    made = {f"get_autocast_{name}_dtype": get_dtype, f"set_autocast_{name}_dtype": set_dtype}
    if name != "gpu":
        made |= {f"is_autocast_{name}_enabled": is_enabled, f"set_autocast_{name}_enabled": set_enabled}
    for function, made_here in made.items():
        made_here.__name__ = made_here.__qualname__ = function
        made_here.__doc__ = f"The older way to say what takes the type of device: {function.replace(name + '_', '')}."
    return made


OLDER = {function: made for name in ("cpu", "gpu", "ipu", "xla") for function, made in _of_device(name).items()}
