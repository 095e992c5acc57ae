"""Tensors from device to device, with gradients that go the other way."""

import itertools
import warnings

import torch
from torch._device_module import device_index
from torch.autograd import Function
from torch.nn.parallel import comm


def indices_of(devices):
    """The indices of devices that are given as numbers, names or torch.device. ValueError for the CPU."""
    indices = []
    for device in devices:
        if not isinstance(device, int) and torch.device(device).type == "cpu":
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        indices.append(device_index(device, "cuda"))
    return indices


def _require_devices(tensors, name):
    if any(tensor.device.type == "cpu" for tensor in tensors):
        raise AssertionError(f"{name} function not implemented for CPU tensors")


def _place(tensor):
    return tensor.get_device() if tensor.is_cuda else "cpu"


class Broadcast(Function):
    """apply(devices, *tensors): the copies of all tensors for the first device, then for the second, and so on."""

    @staticmethod
    def forward(ctx, target_gpus, *inputs):
        """The copies, in one tuple."""
        _require_devices(inputs, "Broadcast")
        target_gpus = indices_of(target_gpus)
        if not inputs:
            return ()
        ctx.count, ctx.home = len(inputs), inputs[0].get_device()
        outputs = comm.broadcast_coalesced(inputs, target_gpus)
        constant = [not needed for needed in ctx.needs_input_grad[1:]]
        ctx.mark_non_differentiable(*(t for row in outputs for t in itertools.compress(row, constant)))
        return tuple(itertools.chain.from_iterable(outputs))

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The sums over all devices."""
        return (None, *ReduceAddCoalesced.apply(ctx.home, ctx.count, *grad_outputs))


class ReduceAddCoalesced(Function):
    """apply(destination, count, *tensors): the tensors of each device, `count` of them, added up."""

    @staticmethod
    def forward(ctx, destination, num_inputs, *grads):
        """The sums, in one tuple."""
        ctx.targets = [grads[i].get_device() for i in range(0, len(grads), num_inputs)]
        rows = [grads[i : i + num_inputs] for i in range(0, len(grads), num_inputs)]
        return comm.reduce_add_coalesced(rows, destination)

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The copies for all devices."""
        return (None, None, *Broadcast.apply(ctx.targets, *grad_outputs))


class Gather(Function):
    """apply(device, dim, *tensors): tensors of several devices one behind the other; numbers become a vector, with a
    warning."""

    @staticmethod
    def forward(ctx, target_device, dim, *inputs):
        """The tensor on the target, a device or "cpu"."""
        _require_devices(inputs, "Gather")
        if not (target_device == "cpu" or target_device == torch.device("cpu")):
            (target_device,) = indices_of([target_device])
        ctx.dim, ctx.places = dim, tuple(t.get_device() for t in inputs)
        ctx.scalars = dim == 0 and all(t.dim() == 0 for t in inputs)
        if ctx.scalars:
            inputs = tuple(t.view(1) for t in inputs)
            warnings.warn(
                "Was asked to gather along dimension 0, but all input tensors were scalars; will instead unsqueeze and "
                "return a vector.",
                stacklevel=2,
            )
        ctx.sizes = [t.size(dim) for t in inputs]
        return comm.gather(inputs, dim, target_device)

    @staticmethod
    def backward(ctx, grad_output):
        """The parts, on their devices."""
        parts = Scatter.apply(ctx.places, ctx.sizes, ctx.dim, grad_output)
        return (None, None, *(part[0] if ctx.scalars else part for part in parts))


class Scatter(Function):
    """apply(devices, sizes, dim, tensor): the parts of a tensor of any device, one on each."""

    @staticmethod
    def forward(ctx, target_gpus, chunk_sizes, dim, input):
        """The parts, in a tuple."""
        ctx.dim, ctx.home = dim, _place(input)
        return comm.scatter(input, indices_of(target_gpus), chunk_sizes, dim)

    @staticmethod
    def backward(ctx, *grad_output):
        """The tensor, on its device."""
        return None, None, None, Gather.apply(ctx.home, ctx.dim, *grad_output)
