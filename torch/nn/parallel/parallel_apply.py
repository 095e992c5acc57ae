"""Modules on several devices at once, each in a thread of its own."""

import threading

import torch
from torch._device_module import device_index
from torch._utils import ExceptionWrapper

__all__ = ["get_a_var", "parallel_apply"]


def get_a_var(obj):
    """The first tensor in a tree of lists, tuples and dicts, or None."""
    if isinstance(obj, torch.Tensor):
        return obj
    if isinstance(obj, (list, tuple, dict)):
        for part in obj.items() if isinstance(obj, dict) else obj:
            found = get_a_var(part)
            if found is not None:
                return found
    return None


def _require_length(modules, given, name):
    if len(given) != len(modules):
        raise AssertionError(f"The number of modules {len(modules)} is not equal to the number of {name} {len(given)}")


def parallel_apply(modules, inputs, kwargs_tup=None, devices=None):
    """A list of modules[i](*inputs[i], **kwargs_tup[i]), each computed on devices[i], or, without, where its first tensor is.

    inputs: tuples or lists of arguments, or single arguments. Each thread has the caller's grad mode, autocast and streams.
    An exception is raised here with the same type, and the thread's traceback in its text. AssertionError for lengths
    that differ, RuntimeError without a device."""
    _require_length(modules, inputs, "inputs")
    if kwargs_tup is None:
        kwargs_tup = [{}] * len(modules)
    _require_length(modules, kwargs_tup, "kwargs_tup")
    if devices is None:
        devices = [None] * len(modules)
    _require_length(modules, devices, "devices")
    if not torch.cuda.is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")
    indices = [None if device is None else device_index(device, "cuda") for device in devices]
    streams = [None if index is None else torch.cuda.current_stream(index) for index in indices]
    recording = torch.is_grad_enabled()
    casting = torch.is_autocast_enabled("cuda"), torch.get_autocast_dtype("cuda")
    results = [None] * len(modules)

    def compute(i):
        index, stream = indices[i], streams[i]
        try:
            if index is None:
                tensor = get_a_var(inputs[i])
                if tensor is None or not tensor.is_cuda:
                    raise RuntimeError("no device was given for it, and none of its inputs is a tensor on one")
                index = tensor.get_device()
                stream = torch.cuda.current_stream(index)
            arguments = inputs[i] if isinstance(inputs[i], (list, tuple)) else (inputs[i],)
            with (
                torch.set_grad_enabled(recording),
                torch.cuda.device(index),
                torch.cuda.stream(stream),
                torch.autocast("cuda", dtype=casting[1], enabled=casting[0]),
            ):
                results[i] = modules[i](*arguments, **kwargs_tup[i])
        except Exception:
            results[i] = ExceptionWrapper(where=f"in replica {i} on device {index}")

    if len(modules) == 1:
        compute(0)
    else:
        threads = [threading.Thread(target=compute, args=(i,)) for i in range(len(modules))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for result in results:
        if isinstance(result, ExceptionWrapper):
            result.reraise()
    return results
