"""Dispatch keys: which kernel of an operator a call is for. Here are those that something of ours asks for: a backend's
("CPU"), its gradients' ("AutogradCPU"), and the aliases that stand for several of them."""

import enum
import threading

import torch
from torch import _C

BACKENDS = ("CPU", "CUDA", "Meta")
_ALIASES = ("Autograd", "CompositeExplicitAutograd", "CompositeImplicitAutograd")
_DEVICES = {"cpu": "CPU", "cuda": "CUDA", "meta": "Meta"}

# By priority: the first of a set is called first. The names are PyTorch's; of functorch's layers and most vendors'
# devices there are none, so that asking for one is an AttributeError that names it. The last row has no kernels either:
# libraries register theirs for it without asking what there is.
_NAMES = (
    *("Undefined", *BACKENDS, "SparseCPU", "SparseCUDA", "BackendSelect", "ADInplaceOrView"),
    *("AutogradOther", *(f"Autograd{backend}" for backend in BACKENDS), "AutocastCPU", "AutocastCUDA"),
    *(*_ALIASES, "CompositeExplicitAutogradNonFunctional"),
    *("XPU", "MPS", "PrivateUse1", "AutocastXPU", "AutocastMPS", "AutocastPrivateUse1"),
)
DispatchKey = enum.Enum("DispatchKey", {name: place for place, name in enumerate(_NAMES)}, module="torch")
DispatchKey.__doc__ = "Which kernel of an operator a call is for."


def parse(name):
    """The DispatchKey of this name, or itself. RuntimeError for what is none."""
    if isinstance(name, DispatchKey):
        return name
    found = DispatchKey.__members__.get(name)
    if found is None:
        raise RuntimeError(f"could not parse dispatch key: {name} (there are {', '.join(_NAMES[1:])})")
    return found


class DispatchKeySet:
    """A set of dispatch keys."""

    def __init__(self, *keys):
        self._keys = frozenset(parse(key) for key in keys)

    def has(self, key):
        """Whether the key is in it."""
        return key in self._keys

    def add(self, key):
        """The set and this key."""
        return DispatchKeySet(*self._keys, key)

    def remove(self, key):
        """The set without this key."""
        return DispatchKeySet(*(self._keys - {key}))

    def highestPriorityTypeId(self):  # noqa: N802 - PyTorch's name
        """The key whose kernel is called first."""
        return max(self._keys, key=lambda key: key.value, default=DispatchKey.Undefined)

    def __or__(self, other):
        return DispatchKeySet(*self._keys, *other._keys)

    def __and__(self, other):
        return DispatchKeySet(*(self._keys & other._keys))

    def __sub__(self, other):
        return DispatchKeySet(*(self._keys - other._keys))

    def __eq__(self, other):
        return isinstance(other, DispatchKeySet) and self._keys == other._keys

    def __hash__(self):
        return hash(self._keys)

    def __iter__(self):
        return iter(sorted(self._keys, key=lambda key: key.value))

    def __repr__(self):
        return f"DispatchKeySet({', '.join(key.name for key in self)})"


def backend_of(tensor):
    """ "CPU", "CUDA" or "Meta", of the tensor's device."""
    return _DEVICES.get(tensor.device.type) or tensor.device.type


def of_device(type):
    """The key of a device's name."""
    found = _DEVICES.get(str(type))
    if found is None:
        raise RuntimeError(f"there is no dispatch key for device {type!r} here: it must be one of {list(_DEVICES)}")
    return found


def of_tensor(tensor):
    """The DispatchKeySet that a tensor brings to a call."""
    backend = backend_of(tensor)
    cast = [f"Autocast{backend}"] if f"Autocast{backend}" in DispatchKey.__members__ else []
    gradients = [] if tensor.is_inference() else ["ADInplaceOrView", f"Autograd{backend}"]
    return DispatchKeySet(backend, *gradients, *cast)


def torch_computes(key):
    """Whether torch's own operators have kernels for this key's name: on the CPU, on devices that are built in, and their
    shapes on the meta device."""
    if key in ("CPU", "Meta") or key.startswith("Autograd"):
        return True
    return key == "CUDA" and torch.cuda._is_compiled()


# ---- what this thread leaves out --------------------------------------------------------------------------------
class _Thread(threading.local):
    excluded = frozenset()


_thread = _Thread()
_GRADIENTS = frozenset(key for key in DispatchKey if key.name.startswith("Autograd"))


def autograd_is_excluded():
    """Whether a kernel for autograd has been called already, and what it calls is meant for the backends."""
    return DispatchKey.Autograd in _thread.excluded


def excluded():
    """The DispatchKeySet that this thread leaves out."""
    return DispatchKeySet(*_thread.excluded)


class _Excluding:
    """Until the block ends, calls leave these keys out; without those of autograd nothing is recorded either."""

    _keys = frozenset()

    def __enter__(self):
        self._before = _thread.excluded, _C.is_grad_enabled()
        _thread.excluded = self._before[0] | self._keys
        if _GRADIENTS <= self._keys:
            _C._set_grad_enabled(False)
        return self

    def __exit__(self, *error):
        _thread.excluded, recorded = self._before
        _C._set_grad_enabled(recorded)


class AutoDispatchBelowAutograd(_Excluding):
    """Until the block ends: what a kernel for autograd calls to have the result computed."""

    _keys = _GRADIENTS


class AutoDispatchBelowADInplaceOrView(_Excluding):
    """The same, below the counting of versions too."""

    _keys = _GRADIENTS | {DispatchKey.ADInplaceOrView}


class ExcludeDispatchKeyGuard(_Excluding):
    """Until the block ends, calls leave these keys out."""

    def __init__(self, keys):
        keys = set(keys)
        if DispatchKey.Autograd in keys or DispatchKey.AutogradCPU in keys:
            keys |= _GRADIENTS
        self._keys = frozenset(keys)


# ---- the same in C++: autograd/library.h ------------------------------------------------------------------------
_BITS = {DispatchKey.Autograd: 1, DispatchKey.ADInplaceOrView: 2, DispatchKey.AutocastCPU: 4}
_OF_BITS = {
    1: _GRADIENTS,
    2: {DispatchKey.ADInplaceOrView},
    4: {DispatchKey.AutocastCPU, DispatchKey.AutocastCUDA},
}


def mask():
    """What this thread leaves out, as C++ has it."""
    left_out = _thread.excluded
    return sum(bit for key, bit in _BITS.items() if key in left_out) if left_out else 0


class from_mask(_Excluding):  # noqa: N801 - a block, as torch.no_grad is
    """Until the block ends, calls leave out what C++ does."""

    def __init__(self, bits):
        self._keys = frozenset(key for bit, keys in _OF_BITS.items() if bits & bit for key in keys)
