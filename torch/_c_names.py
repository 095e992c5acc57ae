"""What torch._C has in PyTorch and not here: what programs and libraries ask of it.

Classes of TorchScript have no instances. Questions about what this torch has not are answered with what holds: nothing is
traced or transformed. Settings of a compiler are remembered and have no effect.
"""

import sys
import types

import torch
from torch import _C
from torch._absent import names_of, rest_of

# Of torch._C's, the classes that `torch` shows as well.
PUBLIC = frozenset(names_of("torch._C")) - {"DisableTorchFunction", "DisableTorchFunctionSubclass"}


# ---- answers -----------------------------------------------------------------------------------------------
def _are_functorch_transforms_active():
    """Whether a function is being transformed by torch.func: no."""
    return False


def _get_privateuse1_backend_name():
    """The name of the device that others may add."""
    return "privateuseone"


def _get_accelerator(check=None):
    """The device besides the CPU, or the CPU."""
    found = torch.accelerator.current_accelerator()
    return torch.device("cpu") if found is None else found


def _get_dispatch_mode(key=None):
    """The mode with this key: modes have none here."""
    return None


def _len_torch_dispatch_stack():
    """How many modes operators ask that are called now."""
    from torch._dispatch_modes import thread

    return len(thread.modes)


def _is_fwd_grad_enabled():
    """Whether there is forward differentiation: no."""
    return False


# ---- settings of a fuser -----------------------------------------------------------------------------------
_settings = {"profiling_mode": True, "profiling_executor": True, "cpu": False, "gpu": False}


def _setter(key, returns_old):
    def function(value):
        """Remembers a setting of a compiler that is not there."""
        old, _settings[key] = _settings.get(key), bool(value)
        return old if returns_old else None

    return function


_jit_set_profiling_mode = _setter("profiling_mode", True)
_jit_set_profiling_executor = _setter("profiling_executor", True)
_jit_override_can_fuse_on_cpu = _setter("cpu", False)
_jit_override_can_fuse_on_gpu = _setter("gpu", False)
_jit_set_texpr_fuser_enabled = _setter("texpr", False)
_jit_set_nvfuser_enabled = _setter("nvfuser", True)
_jit_set_nvfuser_guard_mode = _setter("nvfuser_guard", True)


def _jit_can_fuse_on_cpu():
    """Whether a compiler may merge operators on the CPU: what was set."""
    return _settings["cpu"]


def _jit_can_fuse_on_gpu():
    """Whether a compiler may merge operators on CUDA: what was set."""
    return _settings["gpu"]


# ---- classes -----------------------------------------------------------------------------------------------
class AcceleratorError(RuntimeError):
    """A device has reported an error."""


class FatalError(RuntimeError):
    """Something from which no program recovers."""


class JITException(Exception):  # noqa: N818 - torch's name
    """A script has raised."""


def _module(name, **content):
    made = types.ModuleType(f"torch._C.{name}", f"torch._C.{name}: what of it can be answered.")
    made.__dict__.update(content)
    sys.modules[made.__name__] = made
    return made


def _functorch():
    def no(tensor):
        """Whether a transform of torch.func has made the tensor: no."""
        return False

    def maybe_current_level():
        """How deep in transforms the caller is: in none."""
        return None

    questions = """is_batchedtensor is_functorch_wrapped_tensor is_functionaltensor is_gradtrackingtensor
        is_legacy_batchedtensor"""
    return _module("_functorch", maybe_current_level=maybe_current_level, **dict.fromkeys(questions.split(), no))


# {name: the module that has it}; those of the dispatcher, torch._library.c_names lists.
_ELSEWHERE = {
    "Event": "torch._streams",
    "Stream": "torch._streams",
    "Future": "torch.futures",
    "FileCheck": "torch.testing._file_check",
    "PyTorchFileReader": "torch._serialization.containers",
    "PyTorchFileWriter": "torch._serialization.containers",
    "SymBool": "torch._symbolic",
    "SymFloat": "torch._symbolic",
    "SymInt": "torch._symbolic",
}


def find(name):
    """The value of torch._C.`name`; AttributeError where there is none. It is kept."""
    import importlib

    from torch._library import c_names, types as types_of_schemas

    space = vars(_C)
    if name in space:  # torch asks for what it does not show itself
        return space[name]
    here = globals().get(name)
    if name in c_names.__all__:
        value = getattr(c_names, name)
    elif name in types_of_schemas.NAMES:
        value = getattr(types_of_schemas, name)
    elif name in _ELSEWHERE:
        value = getattr(importlib.import_module(_ELSEWHERE[name]), name)
    elif name == "_functorch":
        value = _functorch()
    elif getattr(here, "__module__", None) == __name__ and not name.startswith("_module"):
        here.__module__ = "torch._C"
        value = here
    elif name in PUBLIC:
        value = _rest(name)
    else:
        return _rest(name)
    space[name] = value
    return value


_rest, _ = rest_of("torch._C")


# What PyTorch's torch._C._nn has, and is elsewhere here.
_NN_ELSEWHERE = {
    "flatten_dense_tensors": "torch._utils._flatten_dense_tensors",
    "nll_loss": "torch._nn.nll_loss_nd",
    "nll_loss2d": "torch._nn.nll_loss_nd",
    "one_hot": "torch.nn.functional.one_hot",
    "pad_sequence": "torch.nn.utils.rnn.pad_sequence",
    "unflatten_dense_tensors": "torch._utils._unflatten_dense_tensors",
}


def find_nn(name):
    """The value of torch._C._nn.`name`. It is kept."""
    import importlib

    if name == "_parse_to":
        value = _parse_to
    elif name in _NN_ELSEWHERE:
        module, _, own = _NN_ELSEWHERE[name].rpartition(".")
        value = getattr(importlib.import_module(module), own)
    else:
        raise AttributeError(f"module 'torch._C._nn' has no attribute '{name}'")
    setattr(_C._nn, name, value)
    return value


def _parse_to(*args, **kwargs):
    """What the arguments of Tensor.to() mean: (device, dtype, non_blocking, memory_format)."""
    from torch.nn.modules._conversion import parse_to

    if kwargs.pop("copy", False):
        raise RuntimeError(".to() does not accept copy argument")
    return parse_to(args, kwargs)
