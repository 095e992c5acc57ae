"""A call of an operator: which of its kernels computes it, and what autograd and autocast see of it.

First autocast, if the operator takes part in it; then the kernel for autograd; then the one that counts versions, and
last the one of the backend that the tensors are on. A key without a kernel is passed by.
"""

import sys

import torch
from torch import _C
from torch._library import keys


def call(operator, args, kwargs, seen=None):
    """What the operator gives for these arguments. `seen`: what __torch_function__ is told was called."""
    if _overridden(args, kwargs):
        relevant = [each for value in (*args, *kwargs.values()) for each in _each(value)]
        return _C._handle_torch_function(seen, relevant, args, kwargs)
    return run(operator, operator.binder.bind(args, kwargs))


def _each(value):
    return value if isinstance(value, (list, tuple)) else (value,)


def _overridden(args, kwargs):
    if _C._has_torch_function(args) or (kwargs and _C._has_torch_function(tuple(kwargs.values()))):
        return True
    return any(
        _C._has_torch_function(tuple(value))
        for value in (*args, *kwargs.values())
        if isinstance(value, (list, tuple)) and value
    )


def run(operator, values):
    """The same, of checked values for every argument."""
    tensors = operator.tensors(values)
    backend = _backend(operator, values, tensors)
    if operator.autocast:
        cast = _casting(operator, values, backend)
        if cast is not None:
            with torch.autocast(backend.lower(), enabled=False):
                return run(operator, cast)
    kernel = operator.kernel(f"Autocast{backend}")
    if kernel is not None and _autocast_is_on(backend):
        return kernel(operator, values)
    if not keys.autograd_is_excluded():
        kernel = operator.kernel(f"Autograd{backend}", "Autograd")
        if kernel is None and _computed(operator, backend) is None:
            kernel = operator.kernel("CompositeImplicitAutograd")
            if kernel is not None:
                return kernel(operator, values)
        if kernel is None:
            if _C.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
                return _unrecorded(operator, values, tensors, backend)
        elif not kernel.falls_through:
            return kernel(operator, values)
    return below(operator, values, backend)


def below(operator, values, backend=None):
    """What the operator gives, computed: below autograd. A TorchDispatchMode is asked first."""
    modes = sys.modules.get("torch._dispatch_modes")
    if modes is not None and modes.thread.modes:
        from torch._dispatch_calls import ask_about

        return ask_about(operator, values, lambda: below(operator, values, backend))
    backend = backend or _backend(operator, values, operator.tensors(values))
    views = operator.kernel("ADInplaceOrView")
    if views is not None and not keys.excluded().has(keys.DispatchKey.ADInplaceOrView) and not views.falls_through:
        return views(operator, values)
    kernel = _computed(operator, backend) or operator.kernel("CompositeImplicitAutograd")
    if kernel is None or kernel.falls_through:
        raise _missing(operator, backend)
    result = kernel(operator, values)
    if operator.counts_versions:
        for place in operator.written_places:
            for tensor in _each(values[place]):
                if tensor is not None and not tensor.is_inference():
                    _C._increment_version(tensor)
    return result


def _computed(operator, backend):
    return operator.kernel(backend, "CompositeExplicitAutograd")


def _unrecorded(operator, values, tensors, backend):
    """Nothing says how it is differentiated: a pass backward through it warns."""
    from torch._library.autograd import warn_when_differentiated

    return warn_when_differentiated(operator, tensors, below(operator, values, backend))


def _backend(operator, values, tensors):
    """The backend that a call is for: of several the last in keys.BACKENDS."""
    if not tensors:
        if operator.chooses_device and operator.device_place is not None:
            device = values[operator.device_place]
            return keys.of_device((device or torch.get_default_device()).type)
        return "Undefined"
    if len(tensors) == 1:
        return keys.backend_of(tensors[0])
    found = {keys.backend_of(tensor) for tensor in tensors}
    return found.pop() if len(found) == 1 else max(found, key=keys.BACKENDS.index)


def _missing(operator, backend):
    there = sorted(operator.kernels)
    if backend == "Undefined":
        return NotImplementedError(
            f"There were no tensor arguments to this function, {operator.qualified}, and so nothing says which of its kernels "
            f"is meant: those of {there}. One for CompositeExplicitAutograd serves such calls"
        )
    return NotImplementedError(
        f"Could not run '{operator.qualified}' with arguments from the '{backend}' backend: nothing registered a kernel "
        f"for it there. '{operator.qualified}' is only available for these backends: {there}.{_hint(operator)}"
    )


def _hint(operator):
    """The module that C++ names, which registers the rest in Python."""
    from torch._library.native import MODULES

    module = MODULES.get(operator.namespace)
    return f" Importing {module} may register more." if module and module not in sys.modules else ""


def _autocast_is_on(backend):
    key = keys.DispatchKey.__members__.get(f"Autocast{backend}")
    return key is not None and not keys.excluded().has(key) and torch.is_autocast_enabled(backend.lower())


def _casting(operator, values, backend):
    """The values with floating tensors in autocast's dtype, or None if autocast is off."""
    device = backend.lower()
    if device not in operator.autocast or not torch.is_autocast_enabled(device):
        return None
    wanted = operator.autocast[device]

    def cast(value):
        if isinstance(value, list):
            return [cast(each) for each in value]
        eligible = (
            isinstance(value, torch.Tensor)
            and value.is_floating_point()
            and value.device.type == device
            and value.dtype != torch.float64
        )
        return value.to(wanted) if eligible else value

    return [cast(value) for value in values]
