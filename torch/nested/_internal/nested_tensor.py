"""NestedTensor: a Tensor whose own elements are the packed values, and which looks like a batch of tensors.

Its own dimensions are those of a row, the one that differs among them being as long as all rows together. Every function
comes to __torch_function__, which knows what it means for rows (operators.py) or refuses it.
"""

import itertools

import torch
from torch import Tensor
from torch._C import DisableTorchFunctionSubclass

_numbers = itertools.count(1)


class Ragged:
    """The size that differs from row to row; equal to itself alone."""

    def __init__(self):
        self.number = next(_numbers)

    def __repr__(self):
        return f"j{self.number}"


class Shape(tuple):
    """The sizes of a nested tensor, one of which is a Ragged."""

    __slots__ = ()

    def __repr__(self):
        return f"torch.Size([{', '.join(map(repr, self))}])"


class NestedTensor(Tensor):
    """See torch.nested."""

    _offsets: Tensor
    _lengths: Tensor | None
    _ragged_idx: int

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        from torch.nested._internal import operators

        with DisableTorchFunctionSubclass():
            return operators.call(func, args, kwargs or {})

    def values(self) -> Tensor:
        """The elements of all rows, packed."""
        return packed(self)

    def offsets(self) -> Tensor:
        """Where each row begins, and the last one ends."""
        return self._offsets

    def lengths(self) -> Tensor | None:
        """How long each row is, where there are holes between them; None where there are none."""
        return self._lengths

    def to_padded_tensor(self, padding: float, output_size=None) -> Tensor:
        """The rows in one tensor, with `padding` after their ends; of `output_size` if it is given, which may cut them off."""
        from torch.nested._internal import operators

        with DisableTorchFunctionSubclass():
            return operators.to_padded(self, padding, output_size)

    @property
    def _max_seqlen(self):
        return max(row_lengths(self).tolist(), default=0)

    @property
    def _min_seqlen(self):
        return min(row_lengths(self).tolist(), default=0)

    def __repr__(self, *, tensor_contents=None):
        with DisableTorchFunctionSubclass():
            history = f", grad_fn={self.grad_fn}" if self.grad_fn else ", requires_grad=True" * self.requires_grad
            contiguous = self._lengths is None and packed(self).is_contiguous()
        return f"NestedTensor(size={tuple(shape_of(self))}, offsets={self._offsets}{history}, contiguous={contiguous})"

    def __reduce_ex__(self, protocol):
        with DisableTorchFunctionSubclass():
            values = packed(self).detach()
            return _rebuilt, (values, self._offsets, self._lengths, self._ragged_idx, self.requires_grad)

    def __deepcopy__(self, memo):
        with DisableTorchFunctionSubclass():
            copy = made(packed(self).detach().clone(), self._offsets, self._lengths, self._ragged_idx)
            memo[id(self)] = copy.requires_grad_(self.requires_grad)
        return copy


def made(values, offsets, lengths, ragged):
    """A nested tensor of values: gradients flow to them."""
    with DisableTorchFunctionSubclass():
        result = values.as_subclass(NestedTensor)
    result._offsets, result._lengths, result._ragged_idx = offsets, lengths, ragged
    return result


def _rebuilt(values, offsets, lengths, ragged, requires_grad):
    with DisableTorchFunctionSubclass():
        return made(values, offsets, lengths, ragged).requires_grad_(requires_grad)


def like(nested, values, ragged=None):
    """Other values with the rows of `nested`."""
    return made(values, nested._offsets, nested._lengths, nested._ragged_idx if ragged is None else ragged)


def packed(nested):
    """The values as a plain tensor."""
    with DisableTorchFunctionSubclass():
        return nested.as_subclass(Tensor)


def ragged_of(nested):
    """The Ragged of its rows: that of the tensor that says how long they are."""
    source = nested._offsets if nested._lengths is None else nested._lengths
    if not hasattr(source, "_ragged"):
        source._ragged = Ragged()
    return source._ragged


def shape_of(nested):
    sizes = list(packed(nested).shape)
    sizes[nested._ragged_idx - 1] = ragged_of(nested)
    return Shape((len(nested._offsets) - 1, *sizes))


def row_lengths(nested):
    return nested._offsets.diff() if nested._lengths is None else nested._lengths


def row_numbers(nested):
    """The row of each element along the dimension that differs; of those in holes, of the row before."""
    places = torch.arange(packed(nested).shape[nested._ragged_idx - 1], device=nested._offsets.device)
    rows = torch.searchsorted(nested._offsets.contiguous(), places, right=True) - 1
    return rows.clamp(0, max(len(nested._offsets) - 2, 0))


def rows(nested):
    """Its rows, views of the values."""
    values, dim = packed(nested), nested._ragged_idx - 1
    starts, lengths = nested._offsets[:-1].tolist(), row_lengths(nested).tolist()
    return tuple(values.narrow(dim, start, length) for start, length in zip(starts, lengths))


def without_holes(nested):
    """The same rows, one directly after the other."""
    if nested._lengths is None:
        return nested
    offsets = torch.nn.functional.pad(nested._lengths.cumsum(0), (1, 0))
    return made(torch.cat(rows(nested), nested._ragged_idx - 1), offsets, None, nested._ragged_idx)
