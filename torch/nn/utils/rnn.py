"""Sequences of different lengths as one batch: padded, or packed step by step."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]

PackedSequence_ = namedtuple("PackedSequence_", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])


def bind(optional, fn):
    """fn(optional), or None for None."""
    return None if optional is None else fn(optional)


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes another; None for None."""
    if permutation is None:
        return None
    places = torch.arange(permutation.numel(), device=permutation.device, dtype=permutation.dtype)
    return torch.empty_like(permutation, memory_format=torch.contiguous_format).scatter_(0, permutation, places)


class PackedSequence(PackedSequence_):
    """A batch of sequences, sorted by falling length: `data` holds the first elements of all, then the second ones of those
    that have some, …; `batch_sizes` (int64, on the CPU) says how many there are of each. sorted_indices is the order of the
    sequences in it, unsorted_indices what undoes that; None if they were sorted. Made by pack_padded_sequence() and
    pack_sequence()."""

    def __new__(
        cls,
        data: Tensor,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> Self:
        if batch_sizes is None:  # as one argument, the two of 0.3
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if sorted_indices is not None and unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes.device.type != "cpu":
            raise ValueError(
                f"batch_sizes should always be on CPU, got {batch_sizes.device}: let pack_sequence() or pack_padded_sequence() "
                "make the PackedSequence"
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def pin_memory(self) -> Self:
        """The same in memory that a GPU reads by itself."""
        return type(self)(
            self.data.pin_memory(),
            self.batch_sizes,
            bind(self.sorted_indices, lambda t: t.pin_memory()),
            bind(self.unsorted_indices, lambda t: t.pin_memory()),
        )

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Tensor.to() of the data; itself if that changes nothing."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        # the indices move along, and are integers still
        kwargs = {k: v for k, v in kwargs.items() if k not in ("device", "dtype")}
        move = [bind(indices, lambda t: t.to(data.device)) for indices in (self.sorted_indices, self.unsorted_indices)]
        return type(self)(data, self.batch_sizes, *move)

    def cuda(self, *args: Any, **kwargs: Any) -> Self:
        """The same on a GPU."""
        device = args[0] if args else kwargs.pop("device", None)
        return self.to(device="cuda" if device is None else device, **kwargs)

    def cpu(self, *args: Any, **kwargs: Any) -> Self:
        """The same on the CPU."""
        return self.to(*args, device="cpu", **kwargs)

    def double(self) -> Self:
        """The same as float64."""
        return self.to(dtype=torch.double)

    def float(self) -> Self:
        """The same as float32."""
        return self.to(dtype=torch.float)

    def half(self) -> Self:
        """The same as float16."""
        return self.to(dtype=torch.half)

    def long(self) -> Self:
        """The same as int64."""
        return self.to(dtype=torch.long)

    def int(self) -> Self:
        """The same as int32."""
        return self.to(dtype=torch.int)

    def short(self) -> Self:
        """The same as int16."""
        return self.to(dtype=torch.short)

    def char(self) -> Self:
        """The same as int8."""
        return self.to(dtype=torch.int8)

    def byte(self) -> Self:
        """The same as uint8."""
        return self.to(dtype=torch.uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a GPU."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Whether the data is in memory that a GPU reads by itself."""
        return self.data.is_pinned()


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | list[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """The sequences of a padded batch as a PackedSequence.

    input: (T, N, …), or (N, T, …) if batch_first; lengths: N of them, a list or a tensor on the CPU.
    enforce_sorted: they fall, else RuntimeError; otherwise the sequences are sorted first. RuntimeError for lengths that are
    not positive or longer than T.
    """
    if not isinstance(lengths, torch.Tensor):
        lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    elif not lengths.is_cpu:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.dim()}D {lengths.device} {lengths.dtype} "
            "tensor"
        )
    if lengths.dim() != 1:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.dim()}D cpu {lengths.dtype} tensor"
        )
    lengths = lengths.to(torch.int64)
    order = None
    if not enforce_sorted:
        lengths, order = torch.sort(lengths, descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    steps = input.transpose(0, 1) if batch_first else input
    found = lengths.tolist()
    if steps.size(1) != len(found):
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(found)} (batch_size={steps.size(1)})"
        )
    if not found or min(found) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if any(a < b for a, b in zip(found, found[1:])):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True, got "
            f"{found}: sort them, or pass enforce_sorted=False"
        )
    if found[0] > steps.size(0):
        raise RuntimeError(
            f"Expected lengths of at most {steps.size(0)}, the size of the padded sequences, but got {found[0]}"
        )
    sizes = _batch_sizes(found)
    flat = steps.reshape(-1, *steps.shape[2:])
    places = [t * len(found) + i for t, size in enumerate(sizes) for i in range(size)]
    data = flat.index_select(0, torch.tensor(places, device=input.device))
    return PackedSequence(data, torch.tensor(sizes), order, None)


def _batch_sizes(lengths):
    """How many sequences have a t-th element, for falling lengths."""
    sizes, alive = [], len(lengths)
    for t in range(lengths[0]):
        while lengths[alive - 1] <= t:
            alive -= 1
        sizes.append(alive)
    return sizes


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """(the padded batch (T, N, …), or (N, T, …) if batch_first, the lengths (N)) of a PackedSequence. total_length: T, if it
    shall be more than the longest. ValueError if it is less."""
    sizes = sequence.batch_sizes.tolist()
    steps, batch = len(sizes), sizes[0]
    if total_length is not None:
        if total_length < steps:
            raise ValueError(
                f"Expected total_length to be at least the length of the longest sequence in input, but got total_length="
                f"{total_length} and max sequence length being {steps}"
            )
        steps = total_length
    data = sequence.data
    places = torch.tensor([t * batch + i for t, size in enumerate(sizes) for i in range(size)], device=data.device)
    flat = torch.full((steps * batch, *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device)
    padded = flat.index_copy(0, places, data).view(steps, batch, *data.shape[1:])
    lengths = torch.tensor([sum(size > i for size in sizes) for i in range(batch)])
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is not None:
        back = sequence.unsorted_indices
        return padded.index_select(0 if batch_first else 1, back), lengths[back.cpu()]
    return padded, lengths


def pad_sequence(
    sequences: Tensor | list[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences (L, …) of different lengths as one tensor (longest, N, …), or (N, longest, …) if batch_first; padding_side:
    "right" or "left". RuntimeError for what are no tensors, or differ in more than their lengths."""
    if padding_side not in ("right", "left"):
        raise RuntimeError(f"pad_sequence: Expected padding_side to be one of left or right, but got {padding_side}.")
    if isinstance(sequences, torch.Tensor):
        sequences = sequences.unbind(0)
    elif not hasattr(sequences, "__iter__"):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    sequences = tuple(sequences)
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    for sequence in sequences:
        if not isinstance(sequence, torch.Tensor):
            raise RuntimeError(f"pad_sequence: Expected a list of tensors, but got {type(sequence).__name__}")
    trailing = sequences[0].shape[1:]
    for sequence in sequences:
        if sequence.shape[1:] != trailing:
            raise RuntimeError(
                f"The size of tensor a ({list(sequence.shape[1:])}) must match the size of tensor b ({list(trailing)}): "
                "sequences may differ in their first dimension alone"
            )
    longest = max(sequence.size(0) for sequence in sequences)
    rows = []
    for sequence in sequences:
        missing = longest - sequence.size(0)
        ends = [0, missing] if padding_side == "right" else [missing, 0]
        rows.append(torch.constant_pad_nd(sequence, [0, 0] * len(trailing) + ends, padding_value))
    return torch.stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences of a padded batch, in a list; what pad_sequence() was given."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [sequence[:length] for sequence, length in zip(padded_sequences, lengths.tolist())]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences (L, …) as a PackedSequence; see pack_padded_sequence()."""
    lengths = torch.as_tensor([sequence.size(0) for sequence in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a PackedSequence, in a list."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
