"""Tensors from one device to several and back: by NCCL where it is there and the tensors suit, otherwise by copies.

Copies are put into the current stream of each GPU, and nothing waits for them. Of complex tensors the functions take, and
give, the real view with a last dimension of 2, as PyTorch does. Sparse tensors travel one by one, as copies.
"""

from __future__ import annotations

import warnings

import torch
from torch._device_module import device_index
from torch.cuda import nccl

__all__ = ["broadcast", "broadcast_coalesced", "gather", "reduce_add", "reduce_add_coalesced", "scatter"]


# ---- arguments ---------------------------------------------------------------------------------------------
def _is_sparse(tensor):
    return tensor.layout != torch.strided


def _tensor(value, name):
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name}: expected Tensor, got {type(value).__name__}")
    return torch.view_as_real(value) if value.is_complex() and not _is_sparse(value) else value


def _tensors(values, name):
    return [_tensor(value, f"{name}[{i}]") for i, value in enumerate(values)]


def _index(device):
    """The index of a GPU that must be named by one."""
    return device.idx if isinstance(device, torch.cuda.device) else device_index(device, "cuda")


def _indices(devices):
    if devices is None:
        raise TypeError("devices: expected a sequence of devices, got None")
    indices = [_index(device) for device in devices]
    for index in indices:
        if index < 0:
            raise RuntimeError(f"Expected non-negative device index, but got {index}")
    return indices


def _destination(device):
    """The index of a GPU; the current one for None and "cuda"."""
    whole = isinstance(device, (str, torch.device)) and torch.device(device) == torch.device("cuda")
    return torch.cuda.current_device() if device is None or whole else _index(device)


def _check_outputs(outputs):
    for i, output in enumerate(outputs):
        if not output.is_cuda:
            raise RuntimeError(
                f"Expected all output tensors to be CUDA tensors, but output tensor at index {i} has device "
                f"'{output.device}'"
            )


def _by_nccl(tensors):
    if any(map(_is_sparse, tensors)):
        return False
    return nccl._is_compiled() and nccl._suits(tensors) and len({t.dtype for t in tensors}) == 1


# ---- from one to many --------------------------------------------------------------------------------------
def _copy_to(tensor, outputs):
    if outputs and _by_nccl([tensor, *outputs]) and tensor.dtype in nccl._TYPES:
        nccl.broadcast([tensor, *outputs])
        return
    for output in outputs:
        output.copy_(tensor, non_blocking=True)


def broadcast(tensor, devices=None, *, out=None) -> None:
    """Copies of a tensor of any device, a tuple: one on each GPU of `devices`, the tensor itself where it is there
    already; or `out`, tensors of its shape on GPUs, which become copies. RuntimeError unless exactly one of the two is
    given, and unless the outputs are such tensors."""
    tensor = _tensor(tensor, "tensor")
    if (devices is None) == (out is None):
        raise RuntimeError(
            f"Exactly one of 'devices' and 'out' must be specified, but got devices={devices} and out={out}"
        )
    if out is not None:
        outputs = tuple(out)
        targets = _tensors(outputs, "out")
        _check_outputs(targets)
        for i, target in enumerate(targets):
            if target.shape != tensor.shape:
                raise RuntimeError(
                    f"Expected all output tensors to have same shape as the source tensor {list(tensor.shape)}, "
                    f"but output tensor at index {i} has shape {list(target.shape)}"
                )
        _copy_to(tensor, targets)
        return outputs
    copies = [
        tensor if tensor.get_device() == index else torch.empty_like(tensor, device=torch.device("cuda", index))
        for index in _indices(devices)
    ]
    _copy_to(tensor, [copy for copy in copies if copy is not tensor])
    return tuple(copies)


def _chunks(tensors, buffer_size):
    """Lists of indices of tensors of one dtype that are at most `buffer_size` bytes together, or one tensor; of strided
    ones."""
    gathering = {}
    for i, tensor in enumerate(tensors):
        if _is_sparse(tensor):
            continue
        indices, size = gathering.get(tensor.dtype, ([], 0))
        if indices and size + tensor.nbytes > buffer_size:
            yield indices
            indices, size = [], 0
        gathering[tensor.dtype] = ([*indices, i], size + tensor.nbytes)
    yield from (indices for indices, _ in gathering.values())


def _flat(tensors):
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def _like(flat, tensors):
    """Parts of `flat` in the shapes of the tensors, each in memory of its own, for writes are counted by storage."""
    if len(tensors) == 1:
        return [flat.view(tensors[0].shape)]
    parts = flat.split([tensor.numel() for tensor in tensors])
    return [part.view(tensor.shape).clone() for part, tensor in zip(parts, tensors, strict=True)]


def broadcast_coalesced(tensors, devices, buffer_size=10485760):
    """A tuple for each GPU of `devices`, of copies of all tensors; for the first one, on which they must be, the tensors
    themselves. Small ones of one dtype travel together, at most `buffer_size` bytes. RuntimeError for a tensor that is
    elsewhere."""
    tensors, devices = _tensors(tensors, "tensors"), _indices(devices)
    for i, tensor in enumerate(tensors):
        if not devices or tensor.get_device() != devices[0]:
            raise RuntimeError(
                f"all tensors must be on devices[0], got tensor {i} on {tensor.device} and devices {devices}"
            )
    outputs = [list(tensors) for _ in devices]
    for indices in _chunks(tensors, buffer_size):
        chunk = [tensors[i] for i in indices]
        copies = broadcast(_flat(chunk), devices)
        for output, copy in zip(outputs[1:], copies[1:], strict=True):
            for i, part in zip(indices, _like(copy, chunk), strict=True):
                output[i] = part
    for i, tensor in enumerate(tensors):
        if _is_sparse(tensor):
            for output, copy in zip(outputs, broadcast(tensor, devices), strict=True):
                output[i] = copy
    return tuple(tuple(output) for output in outputs)


def _streams(streams, devices):
    """(stream or None) for each device; a stream must be of it."""
    given = [] if streams is None else list(streams)
    for i, (stream, index) in enumerate(zip(given, devices, strict=False)):
        if stream is not None and not isinstance(stream, torch.cuda.Stream):
            raise TypeError(f"streams[{i}]: expected torch.cuda.Stream or None, got {type(stream).__name__}")
        if stream is not None and stream.device_index != index:
            raise RuntimeError(
                f"Expected the device associated with the stream at index {i} (was {stream.device_index}) to match the "
                f"device supplied at that index (expected {index})"
            )
    return given[: len(devices)] + [None] * (len(devices) - len(given))


def scatter(tensor, devices=None, chunk_sizes=None, dim=0, streams=None, *, out=None):
    """The parts of a tensor of any device along `dim`, a tuple: one on each GPU of `devices`, as long as `chunk_sizes`
    says or, without, as `tensor.chunk` cuts; or `out`, tensors on GPUs that are filled with as much of it as they hold.
    streams: for each device the stream in which it is copied, or None. RuntimeError if devices, chunk sizes, outputs or
    streams do not fit together."""
    tensor = _tensor(tensor, "tensor")
    if out is not None:
        if devices is not None:
            raise RuntimeError(f"'devices' must not be specified when 'out' is specified, but got devices={devices}")
        if chunk_sizes is not None:
            raise RuntimeError(
                f"'chunk_sizes' must not be specified when 'out' is specified, but got chunk_sizes={chunk_sizes}"
            )
        return _scatter_out(tensor, tuple(out), dim, streams)
    indices = _indices(devices)
    if not indices:
        raise RuntimeError("Expected at least one device to scatter to")
    if chunk_sizes is None:
        chunks = tensor.chunk(len(indices), dim)
    else:
        chunk_sizes = list(chunk_sizes)
        if len(chunk_sizes) != len(indices):
            raise RuntimeError(
                f"Expected devices and chunk_sizes to be of same length, but got {len(indices)} devices and "
                f"chunk_sizes={chunk_sizes}"
            )
        chunks = tensor.split(chunk_sizes, dim)
    parts = []
    for chunk, index, stream in zip(chunks, indices, _streams(streams, indices), strict=False):
        with torch.cuda.stream(stream):
            parts.append(chunk.to(torch.device("cuda", index), non_blocking=True))
    return tuple(parts)


def _wrapped(dim, tensor):
    if not -tensor.dim() <= dim < tensor.dim():
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-tensor.dim()}, {tensor.dim() - 1}], but got {dim})"
        )
    return dim % tensor.dim()


def _scatter_out(tensor, outputs, dim, streams):
    if not outputs:
        raise RuntimeError("Expected at least one output tensor to scatter to")
    targets, dim, sizes = _tensors(outputs, "out"), _wrapped(dim, tensor), []
    _check_outputs(targets)
    for i, target in enumerate(targets):
        shape = list(target.shape)
        if target.dim() == tensor.dim():
            sizes.append(shape[dim])
            shape[dim] = tensor.shape[dim]
        if shape != list(tensor.shape):
            raise RuntimeError(
                f"Output tensor at index {i} has incorrect shape: {list(target.shape)}. Expected same shape except for "
                f"scatter dim {dim} as the source tensor: {list(tensor.shape)}"
            )
    if sum(sizes) != tensor.shape[dim]:
        raise RuntimeError(
            f"Total size for output tensors along scatter dim {dim} does not match the source tensor size at dim {dim}. "
            f"Expected {tensor.shape[dim]}, but got total size {sum(sizes)}"
        )
    given = _streams(streams, [target.get_device() for target in targets])
    for chunk, target, stream in zip(tensor.split(sizes, dim), targets, given, strict=True):
        with torch.cuda.stream(stream):
            target.copy_(chunk, non_blocking=True)
    return outputs


# ---- from many to one --------------------------------------------------------------------------------------
def reduce_add(inputs, destination=None):
    """The sum of tensors of one shape on GPUs, on `destination`, by default the current one, where one of them must be.
    A single tensor is returned as it is. AssertionError for one on the CPU, ValueError for one of another shape,
    RuntimeError if none is on the destination."""
    inputs, destination = list(inputs), _destination(destination)
    if not inputs:
        raise IndexError("reduce_add expects at least one input")
    root = None
    for i, tensor in enumerate(inputs):
        if tensor.device.type == "cpu":
            raise AssertionError(f"reduce_add expects all inputs to be on GPUs, but input {i} is on CPU")
        if tensor.get_device() == destination:
            root = i
        if tensor.shape != inputs[0].shape:
            got, expected = ("x".join(map(str, t.shape)) for t in (tensor, inputs[0]))
            raise ValueError(f"input {i} has invalid size: got {got}, but expected {expected}")
    if root is None:
        raise RuntimeError(
            f"reduce_add expects destination to be on the same GPU with one of the tensors, got cuda:{destination} and "
            f"{', '.join(str(tensor.device) for tensor in inputs)}"
        )
    if len(inputs) == 1:
        return inputs[0]
    if _by_nccl(inputs) and inputs[0].dtype in nccl._NUMBERS:
        result = torch.empty_like(inputs[root])
        nccl.reduce(inputs, output=result, root=root)
        return result
    others = [tensor.to(inputs[root].device, non_blocking=True) for i, tensor in enumerate(inputs) if i != root]
    result = inputs[root] + others[0]
    for other in others[1:]:
        result.add_(other)
    return result


def reduce_add_coalesced(inputs, destination=None, buffer_size=10485760):
    """A tuple of sums. inputs: for each GPU the same number of tensors; the i-th ones are added, on `destination`, as
    `reduce_add` does. Small ones of one dtype travel together, at most `buffer_size` bytes."""
    inputs = [list(tensors) for tensors in inputs]
    if len({len(tensors) for tensors in inputs}) > 1:
        raise ValueError(
            f"inputs: expected as many tensors of each device, got {', '.join(str(len(tensors)) for tensors in inputs)}"
        )
    first = inputs[0] if inputs else []
    for tensors in zip(*inputs, strict=True):
        if any(t.shape != tensors[0].shape or t.dtype != tensors[0].dtype for t in tensors):
            raise ValueError(
                f"tensors that are added must have one shape and dtype, got "
                f"{', '.join(f'{list(t.shape)} {t.dtype}' for t in tensors)}"
            )
    sums = list(first)
    for indices in _chunks(first, buffer_size):
        flat = reduce_add([_flat([tensors[i] for i in indices]) for tensors in inputs], destination)
        for i, part in zip(indices, _like(flat, [first[i] for i in indices]), strict=True):
            sums[i] = part
    for i, tensor in enumerate(first):
        if _is_sparse(tensor):
            sums[i] = reduce_add([tensors[i] for tensors in inputs], destination)
    return tuple(sums)


def gather(tensors, dim=0, destination=None, *, out=None):
    """Tensors on GPUs, one behind the other along `dim`: a new tensor on `destination`, a GPU, by default the current
    one, or the CPU; or `out`. RuntimeError for a tensor on the CPU and for shapes that do not fit."""
    tensors = _tensors(tensors, "tensors")
    if out is not None and destination is not None:
        raise RuntimeError(
            f"'destination' must not be specified when 'out' is specified, but got destination={destination}"
        )
    if destination == -1:
        warnings.warn('destination=-1 for the CPU is deprecated: use "cpu"', FutureWarning, stacklevel=2)
    if not tensors:
        raise RuntimeError("Expected at least one tensor to gather from")
    dim, expected = _wrapped(dim, tensors[0]), list(tensors[0].shape)
    for i, tensor in enumerate(tensors):
        if not tensor.is_cuda:
            raise RuntimeError(
                f"Expected all input tensors to be CUDA tensors, but tensor at index {i} has device '{tensor.device}'"
            )
        if tensor.dim() != len(expected):
            raise RuntimeError(
                f"Expected all input tensors to have the same number of dimensions, but tensor at index {i} has "
                f"{tensor.dim()} dimensions, (expected {len(expected)})"
            )
        expected[dim] = tensor.shape[dim]
        if list(tensor.shape) != expected:
            raise RuntimeError(
                f"Input tensor at index {i} has invalid shape {list(tensor.shape)}, but expected {expected}"
            )
    sizes = [tensor.shape[dim] for tensor in tensors]
    expected[dim] = sum(sizes)
    if out is None:
        target = result = _empty_for(tensors, expected, destination)
    else:
        result, target = out, _tensor(out, "out")
        if list(target.shape) != expected:
            raise RuntimeError(f"Expected out tensor to have shape {expected}, but got {list(target.shape)}")
    for part, tensor in zip(target.split(sizes, dim), tensors, strict=True):
        part.copy_(tensor, non_blocking=target.is_cuda)
    return result


def _empty_for(tensors, shape, destination):
    cpu = isinstance(destination, (str, torch.device)) and torch.device(destination).type == "cpu"
    device = torch.device("cpu") if cpu or destination == -1 else torch.device("cuda", _destination(destination))
    channels_last = all(
        t.dim() == 4 and t.is_contiguous(memory_format=torch.channels_last) and not t.is_contiguous() for t in tensors
    )
    format = torch.channels_last if channels_last else torch.contiguous_format
    return torch.empty(shape, dtype=tensors[0].dtype, device=device, memory_format=format)
