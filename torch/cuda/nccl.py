"""Collectives of NCCL: one call for tensors that lie on distinct devices, which NCCL calls ranks, in the order of the list.

The work goes into the current stream of each device, or into `streams`; nothing waits for it. Communicators are made for
each list of devices at its first use, and kept (the last eight lists); `comms` takes their place, for processes or threads
that have a rank each. `op` is 0 for the sum, 1 product, 2 maximum, 3 minimum, 4 mean: NCCL's numbers.

A build without NCCL has this module, too: `is_available` is False there and the others raise RuntimeError.
"""

from __future__ import annotations

import atexit
import collections.abc
import functools
import importlib
import importlib.util
import warnings
from collections.abc import Sequence

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["all_gather", "all_reduce", "broadcast", "reduce", "reduce_scatter"]

SUM = 0
_OPERATIONS = range(5)

# What NCCL calls an element that it reduces,
_NUMBERS = {
    torch.bool: "Uint8",
    torch.uint8: "Uint8",
    torch.int8: "Int8",
    torch.int32: "Int32",
    torch.int64: "Int64",
    torch.float16: "Float16",
    torch.bfloat16: "Bfloat16",
    torch.float32: "Float32",
    torch.float64: "Float64",
}
# and one that it only moves.
_TYPES = _NUMBERS | {
    torch.float8_e4m3fn: "Uint8",
    torch.float8_e5m2: "Uint8",
    torch.float8_e4m3fnuz: "Uint8",
    torch.float8_e5m2fnuz: "Uint8",
}
# Truth values stay such: the sum of them is their maximum, the product their minimum; a mean is none.
_OPERATIONS_OF_BOOL = {0: 2, 1: 3, 2: 2, 3: 3}


@functools.cache
def _is_compiled() -> bool:
    """Whether this torch was built with NCCL: answered here alone."""
    return importlib.util.find_spec("torch._nccl") is not None


@functools.cache
def _library():
    native = importlib.import_module("torch._nccl")
    atexit.register(_close, native)
    return native


def _close(native):
    if not torch.cuda._is_in_bad_fork():  # a child has none of its parent's communicators
        native.close()


def _native(name):
    """torch._nccl, which is imported at the first use."""
    if not _is_compiled():
        raise RuntimeError(f"torch.cuda.nccl.{name}: PyTorch built without NCCL support (ncclSupport, USE_NCCL)")
    try:
        return _library()
    except ImportError as error:
        raise RuntimeError(f"NCCL cannot be loaded: {error}") from error


def is_available(tensors) -> bool:
    """Whether NCCL can work on these tensors: dense, contiguous, each on a GPU of its own. Warns in a build without
    NCCL."""
    if not _is_compiled():
        warnings.warn("PyTorch is not compiled with NCCL support", stacklevel=2)
        return False
    return _suits(tensors)


def _suits(tensors):
    devices = set()
    for tensor in tensors:
        if not (tensor.is_cuda and tensor.layout == torch.strided and tensor.is_contiguous()):
            return False
        devices.add(tensor.get_device())
    return len(devices) == len(tensors)


def version():
    """The version of the NCCL that is loaded: (major, minor, patch), and a suffix where it has one."""
    *numbers, suffix = _native("version").version()
    return (*numbers, suffix) if suffix else tuple(numbers)


def unique_id():
    """128 bytes by which the ranks of a new communicator find each other: one of them makes it and gives it to the
    others."""
    return _native("unique_id").unique_id()


def init_rank(num_ranks, uid, rank):
    """A communicator for the current device, one rank of `num_ranks`, for `comms`. Waits until all ranks have come with
    the same `uid`."""
    torch.cuda._lazy_init()
    return _native("init_rank").init_rank(num_ranks, uid, rank)


# ---- checks ------------------------------------------------------------------------------------------------
def _check_sequence_type(inputs: Tensor | Sequence[Tensor]) -> None:
    if not isinstance(inputs, collections.abc.Container) or isinstance(inputs, torch.Tensor):
        raise TypeError(f"Inputs should be a collection of tensors, got {type(inputs).__name__}")


def _tensors(collection):
    _check_sequence_type(collection)
    tensors = list(collection)
    for i, tensor in enumerate(tensors):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"expected Tensor at {i} (got {type(tensor).__name__})")
    return tensors


def _refuse_unless(condition, text):
    if not condition:
        raise RuntimeError(text)


def _check_one(tensor, first):
    _refuse_unless(
        tensor.is_cuda and tensor.layout == torch.strided,
        f"input and output elements have to be cuda dense Tensors, got one on {tensor.device}, {tensor.layout}",
    )
    _refuse_unless(
        tensor.dtype == first.dtype,
        f"all inputs and outputs must be of the same Tensor dtype, got {first.dtype} and {tensor.dtype}",
    )
    _refuse_unless(
        tensor.is_contiguous(),
        f"all inputs and outputs have to be contiguous, got shape {tuple(tensor.shape)}, strides {tensor.stride()}",
    )


def _check(inputs, outputs, types=_NUMBERS, gathered=1, scattered=1):
    """That each input, and the output beside it (None: there is none), can take part. An output has `gathered` times as
    many elements as an input, or an input `scattered` times as many as an output."""
    _refuse_unless(inputs, "input sequence can't be empty")
    _refuse_unless(
        len(inputs) == len(outputs),
        "inputs and outputs sequences have to be of the same length, "
        f"but got input of length {len(inputs)} and output of length {len(outputs)}",
    )
    first, devices = inputs[0], set()
    for taken, given in zip(inputs, outputs, strict=True):
        _check_one(taken, first)
        _refuse_unless(
            taken.numel() == first.numel(),
            f"all inputs must have the same number of elements, got {first.numel()} and {taken.numel()}",
        )
        if given is not None:
            _check_one(given, first)
            _refuse_unless(
                taken.device == given.device,
                f"input and output must be on the same device, got {taken.device} and {given.device}",
            )
            _refuse_unless(
                given.numel() * scattered == taken.numel() * gathered,
                f"output must be of size input_size * size_multiplier, got {taken.numel()} elements of an input, "
                f"{given.numel()} of an output and {max(gathered, scattered)} ranks",
            )
        _refuse_unless(taken.device not in devices, f"inputs must be on unique devices, got {taken.device} twice")
        devices.add(taken.device)
    _refuse_unless(first.dtype in types, f"Unconvertible NCCL type {first.dtype}")


def _operation(op, dtype):
    _refuse_unless(op in _OPERATIONS, f"NCCL has no operation {op}; it has 0 to {_OPERATIONS[-1]}")
    if dtype is not torch.bool:
        return op
    _refuse_unless(op in _OPERATIONS_OF_BOOL, f"NCCL's operation {op}, a mean, is not for {dtype}")
    return _OPERATIONS_OF_BOOL[op]


def _streams(streams, inputs):
    if streams is None:
        streams = [None] * len(inputs)
    streams = list(streams)
    _refuse_unless(
        len(streams) == len(inputs),
        f"number of streams is not equal to number of inputs: {len(streams)} and {len(inputs)}",
    )
    found = []
    for stream, tensor in zip(streams, inputs, strict=True):
        if stream is None:
            found.append(torch.cuda.current_stream(tensor.device).cuda_stream)
            continue
        if not isinstance(stream, torch.cuda.Stream):
            raise TypeError(f"expected torch.cuda.Stream or None, got {type(stream).__name__}")
        _refuse_unless(stream.device == tensor.device, f"a stream of {stream.device} for a tensor on {tensor.device}")
        found.append(stream.cuda_stream)
    return found


class _Group:
    """The ranks that a call brings, of the `count` that its communicators have: all, unless `comms` is given."""

    def __init__(self, name, inputs, comms):
        self.name, self.native, self.inputs = name, _native(name), inputs
        self.comms, self.ranks, self.count = None, range(len(inputs)), len(inputs)
        if comms is None:
            return
        self.comms = list(comms) if isinstance(comms, collections.abc.Iterable) else [comms]
        _refuse_unless(
            len(self.comms) == len(inputs),
            f"number of communicators is not equal to number of inputs: {len(self.comms)} and {len(inputs)}",
        )
        places = [self.native.place(comm) for comm in self.comms]
        counts = {count for _, count in places}
        _refuse_unless(len(counts) <= 1, f"communicators of {sorted(counts)} ranks do not go together")
        self.ranks, self.count = [rank for rank, _ in places], max(counts, default=0)

    def check_root(self, root):
        _refuse_unless(not self.inputs or 0 <= root < self.count, f"invalid root {root} of {self.count} ranks")

    def run(self, outputs, count, streams, op=SUM, root=0):
        """The collective, of tensors that have been checked; an output that is None: a rank without one."""
        dtype = self.inputs[0].dtype
        streams, op = _streams(streams, self.inputs), _operation(op, dtype)
        torch.cuda._lazy_init()
        ranks = [
            (taken.get_device(), taken.data_ptr(), 0 if given is None else given.data_ptr(), stream)
            for taken, given, stream in zip(self.inputs, outputs, streams, strict=True)
        ]
        getattr(self.native, self.name)(ranks, self.comms, count, getattr(self.native, _TYPES[dtype]), op, root)


# ---- collectives -------------------------------------------------------------------------------------------
def all_reduce(inputs, outputs=None, op=SUM, streams=None, comms=None):
    """Every output, without `outputs` every input, becomes the reduction of all inputs. RuntimeError unless the inputs
    are contiguous, of one dtype and number of elements, and on distinct GPUs, each with its output."""
    inputs = _tensors(inputs)
    outputs = inputs if outputs is None else _tensors(outputs)
    group = _Group("all_reduce", inputs, comms)
    _check(inputs, outputs)
    group.run(outputs, inputs[0].numel(), streams, op)


def reduce(
    inputs: Sequence[Tensor],
    output: Tensor | Sequence[Tensor] | None = None,
    root: int = 0,
    op: int = SUM,
    streams=None,
    comms=None,
    *,
    outputs: Sequence[Tensor] | None = None,
) -> None:
    """`output`, on the device of inputs[root], or that input itself, becomes the reduction of all inputs. `outputs`: a
    list of which [root] is meant, deprecated. With `comms`, root is a rank of theirs. Raises as `all_reduce`."""
    inputs = _tensors(inputs)
    if outputs is not None and output is not None:
        raise ValueError("'output' and 'outputs' can not be both specified: `outputs` is the deprecated name")
    if outputs is not None or (not isinstance(output, torch.Tensor) and isinstance(output, collections.abc.Sequence)):
        warnings.warn(
            "nccl.reduce with an output tensor list is deprecated: give the root's tensor as `output`",
            FutureWarning,
            stacklevel=2,
        )
        output = (output if outputs is None else outputs)[root]
    if not isinstance(output, (torch.Tensor, type(None))):
        raise TypeError(f"output: expected Tensor, got {type(output).__name__}")
    group = _Group("reduce", inputs, comms)
    group.check_root(root)
    of_root = [
        (taken if output is None else output) if rank == root else None
        for taken, rank in zip(inputs, group.ranks, strict=True)
    ]
    _check(inputs, of_root)
    group.run(of_root, inputs[0].numel(), streams, op, root)


def broadcast(inputs: Sequence[Tensor], root: int = 0, streams=None, comms=None) -> None:
    """Every tensor becomes a copy of inputs[root]. With `comms`, root is a rank of theirs. Raises as `all_reduce`."""
    inputs = _tensors(inputs)
    group = _Group("broadcast", inputs, comms)
    group.check_root(root)
    _check(inputs, inputs, _TYPES)
    group.run(inputs, inputs[0].numel(), streams, root=root)


def all_gather(inputs: Sequence[Tensor], outputs: Sequence[Tensor], streams=None, comms=None) -> None:
    """Every output becomes all inputs, one behind the other. Raises as `all_reduce`, and unless an output has as many
    elements as all inputs together."""
    inputs, outputs = _tensors(inputs), _tensors(outputs)
    group = _Group("all_gather", inputs, comms)
    _check(inputs, outputs, _TYPES, gathered=group.count)
    group.run(outputs, inputs[0].numel(), streams)


def reduce_scatter(
    inputs: Sequence[Tensor], outputs: Sequence[Tensor], op: int = SUM, streams=None, comms=None
) -> None:
    """The i-th output becomes the i-th part of the reduction of all inputs. Raises as `all_reduce`, and unless all
    outputs together have as many elements as an input."""
    inputs, outputs = _tensors(inputs), _tensors(outputs)
    group = _Group("reduce_scatter", inputs, comms)
    _check(inputs, outputs, scattered=group.count)
    group.run(outputs, outputs[0].numel(), streams, op)
