"""A module whose batches are divided among several devices."""

import itertools
import warnings

import torch
from torch.nn.modules.module import Module
from torch.nn.parallel._functions import indices_of
from torch.nn.parallel.parallel_apply import parallel_apply
from torch.nn.parallel.replicate import replicate
from torch.nn.parallel.scatter_gather import gather, scatter_kwargs

__all__ = ["DataParallel", "data_parallel"]


def _check_balance(device_ids):
    """Warns where one device has less than three quarters of another's memory or multiprocessors: all wait for it."""
    properties = [torch.cuda.get_device_properties(index) for index in device_ids]
    for name in ("total_memory", "multi_processor_count"):
        values = [getattr(each, name) for each in properties]
        if min(values) / max(values) < 0.75:
            worst = device_ids[values.index(min(values))]
            warnings.warn(
                f"There is an imbalance between your GPUs. You may want to exclude GPU {worst} which has less than 75% of "
                f"the {name} of GPU {device_ids[values.index(max(values))]}, by the device_ids argument or the environment "
                "variable CUDA_VISIBLE_DEVICES.",
                stacklevel=3,
            )


def _require_on(module, device):
    for tensor in itertools.chain(module.parameters(), module.buffers()):
        if tensor.device != device:
            raise RuntimeError(
                f"module must have its parameters and buffers on device {device} (device_ids[0]) but found one of them "
                f"on device: {tensor.device}"
            )


class DataParallel(Module):
    """`module` on several GPUs: inputs are divided along `dim`, every GPU computes its part with a copy of the module, and the
    results are put together on one. Gradients of all copies are added up in the module's parameters.

    device_ids: the GPUs, all of them unless told; output_device: where results go, the first one unless told. The module
    has to be on the first one. Without a GPU it calls the module as it is. What forward() changes in the module is lost
    but on the first GPU. RuntimeError for a module that is elsewhere."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []
        if not torch.cuda.is_available():
            return
        device_ids = indices_of(range(torch.cuda.device_count()) if device_ids is None else device_ids)
        if not device_ids:
            raise RuntimeError("no available devices were found")
        self.dim = dim
        self.device_ids = device_ids
        (self.output_device,) = indices_of([device_ids[0] if output_device is None else output_device])
        self.src_device_obj = torch.device("cuda", device_ids[0])
        _check_balance(device_ids)
        if len(device_ids) == 1:
            self.module.to(self.src_device_obj)

    def forward(self, *inputs, **kwargs):
        """module(*inputs, **kwargs), computed on all devices."""
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        _require_on(self.module, self.src_device_obj)
        parts, named = self.scatter(inputs, kwargs, self.device_ids)
        if not parts:  # no tensor and no argument to divide
            parts, named = ((),), ({},)
        if len(self.device_ids) == 1:
            return self.module(*parts[0], **named[0])
        replicas = self.replicate(self.module, self.device_ids[: len(parts)])
        return self.gather(self.parallel_apply(replicas, parts, named), self.output_device)

    def replicate(self, module, device_ids):
        """Copies of the module: torch.nn.parallel.replicate."""
        return replicate(module, device_ids, not torch.is_grad_enabled())

    def scatter(self, inputs, kwargs, device_ids):
        """The arguments for each device."""
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def parallel_apply(self, replicas, inputs, kwargs):
        """The results of each device: torch.nn.parallel.parallel_apply."""
        return parallel_apply(replicas, inputs, kwargs, self.device_ids[: len(replicas)])

    def gather(self, outputs, output_device):
        """The results of all devices as one: torch.nn.parallel.gather."""
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """module(*inputs, **module_kwargs) once as DataParallel computes it. inputs: a tuple, one argument, or None for none.
    RuntimeError without a GPU."""
    if not isinstance(inputs, tuple):
        inputs = () if inputs is None else (inputs,)
    if not torch.cuda.is_available():
        raise RuntimeError("device type could not be determined: there is no GPU. Call the module itself")
    device_ids = indices_of(range(torch.cuda.device_count()) if device_ids is None else device_ids)
    if not device_ids:
        raise RuntimeError("no available devices were found")
    (output_device,) = indices_of([device_ids[0] if output_device is None else output_device])
    _require_on(module, torch.device("cuda", device_ids[0]))
    parts, named = scatter_kwargs(inputs, module_kwargs, device_ids, dim)
    if not parts:
        parts, named = ((),), ({},)
    used = device_ids[: len(parts)]
    if len(used) == 1:
        return module(*parts[0], **named[0])
    replicas = replicate(module, used, not torch.is_grad_enabled())
    return gather(parallel_apply(replicas, parts, named, used), output_device, dim)
