"""MaskedTensor: a Tensor with a mask, True where an element counts.

Its own elements are the data, so what autograd records is what it would record of a plain tensor. Every function comes to
__torch_function__, which knows what it does to the mask (_operators.py) or refuses it.

Data and mask have one layout. Sparse ones have the same places: an element that is not there does not count, as one whose place
in the mask is False.
"""

import warnings
from typing import Any

import torch
from torch import Tensor
from torch._C import DisableTorchFunctionSubclass
from torch.sparse import _pickling

__all__ = ["MaskedTensor", "is_masked_tensor"]

_DTYPES = {
    *(torch.float16, torch.float32, torch.float64),
    *(torch.bool, torch.int8, torch.int16, torch.int32, torch.int64),
}


def is_masked_tensor(obj: Any, /) -> bool:
    """Whether `obj` is a MaskedTensor."""
    return isinstance(obj, MaskedTensor)


class MaskedTensor(Tensor):
    """Elements and a mask, both copies. What does not count is printed as `--`; two of them meet in an operator only if
    their masks are equal. Its gradient is a MaskedTensor with the same mask; that of a plain tensor which it met is plain,
    0 where nothing counts.
    """

    _masked_mask: Tensor

    def __new__(cls, data, mask, requires_grad=False):
        _check(data, mask)
        if data.requires_grad:
            warnings.warn(
                "masked_tensor() of a tensor that requires a gradient makes a leaf, to which no gradient flows back: "
                "as_masked_tensor() keeps the history, data.detach() says that none is wanted",
                UserWarning,
                stacklevel=2,
            )
        data, mask = aligned(data, mask)
        result = Tensor._make_subclass(cls, data.detach().clone(), requires_grad)
        result._masked_mask = mask.clone()
        return result

    def __init__(self, data: Tensor, mask: Tensor, requires_grad: bool = False):
        """Copies data and mask; see masked_tensor()."""

    @staticmethod
    def _from_values(data, mask):
        """as_masked_tensor()."""
        _check(data, mask)
        data, mask = aligned(data, mask)
        return made(counted(data, mask), mask)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        from torch.masked.maskedtensor import _operators

        with DisableTorchFunctionSubclass():
            return _operators.call(func, args, kwargs or {})

    @classmethod
    def unary(cls, fn, data, mask):
        """fn(data) with the mask."""
        return MaskedTensor(fn(data), mask)

    def get_data(self) -> Tensor:
        """All elements, also those that do not count, as a plain tensor; gradients flow."""
        return data_of(self)

    def get_mask(self) -> Tensor:
        """True where an element counts."""
        return self._masked_mask

    def to_tensor(self, value) -> Tensor:
        """A plain, strided tensor with `value` in place of what does not count."""
        return data_of(self).to_dense().masked_fill(~self._masked_mask.to_dense(), value)

    # Python's comparison asks no masks to be equal: that of the left operand is the result's.
    def __lt__(self, other):
        return made(
            on_values(torch.lt, data_of(self), data_of(other) if is_masked_tensor(other) else other), self._masked_mask
        )

    __hash__ = Tensor.__hash__

    @property
    def _masked_data(self):
        return data_of(self).detach()

    @property
    def is_sparse(self):
        """Whether the layout is not torch.strided."""
        return self.layout != torch.strided

    def is_sparse_coo(self):
        """Whether the layout is torch.sparse_coo."""
        return self.layout == torch.sparse_coo

    def is_sparse_csr(self):
        """Whether the layout is torch.sparse_csr."""
        return self.layout == torch.sparse_csr

    def __repr__(self, *, tensor_contents=None):
        data, mask = self._masked_data.to_dense(), self._masked_mask.to_dense()
        if data.dim() == 0:
            return f"MaskedTensor({_number(data.item()) if mask.item() else '--'}, {mask.item()})"
        lines = _lines(data.tolist(), mask.tolist(), data.dim())
        return "MaskedTensor(\n" + "\n".join("  " + line for line in lines) + "\n)"

    def __reduce_ex__(self, protocol):
        with DisableTorchFunctionSubclass():
            return _rebuilt, (data_of(self).detach(), self._masked_mask, self.requires_grad)

    def __deepcopy__(self, memo):
        with DisableTorchFunctionSubclass():
            copy = memo[id(self)] = _rebuilt(*self.__reduce_ex__(2)[1])
            return copy


def _check(data, mask):
    for name, value in (("data", data), ("mask", mask)):
        if is_masked_tensor(value) or not isinstance(value, Tensor):
            raise TypeError(f"{name} must be a Tensor, got {type(value).__name__}")
    if data.layout != mask.layout:
        raise TypeError(f"data and mask must have the same layout, got {data.layout} and {mask.layout}")
    if mask.dtype != torch.bool:
        raise TypeError(f"mask must have dtype bool, got {mask.dtype}")
    _check_dtype(data)
    if data.dim() != mask.dim():
        raise ValueError(f"data.dim() must equal mask.dim(), got {data.dim()} and {mask.dim()}")
    if data.shape != mask.shape:
        raise ValueError(f"data.size() must equal mask.size(), got {tuple(data.shape)} and {tuple(mask.shape)}")


# ---- sparse layouts ----------------------------------------------------------------------------------------
def same_places(one, other):
    pairs = zip(_pickling._members(one)[:-1], _pickling._members(other)[:-1])
    return all(a.shape == b.shape and bool((a == b).all()) for a, b in pairs)


def aligned(data, mask):
    """Data and mask with the same places. Data with another number of entries has those of the mask then."""
    if data.layout == torch.strided:
        return data, mask
    if data.layout == torch.sparse_coo:
        data, mask = data.coalesce(), mask.coalesce()
    if data._nnz() != mask._nnz():
        data = data.sparse_mask(mask)
    if not same_places(data, mask):
        raise ValueError(f"data and mask have the layout {data.layout} and as many entries, but not at the same places")
    return data, mask


def with_values(tensor, values):
    """A sparse tensor of other values at the same places."""
    return _pickling.unchecked(*_pickling.reduced(tensor, (*_pickling._members(tensor)[:-1], values)))


def on_values(function, *args, **kwargs):
    """function(…), element by element; of sparse tensors, which have the same places, of the values that are there."""
    sparse = [arg for arg in args if isinstance(arg, Tensor) and arg.layout != torch.strided]
    if not sparse:
        return function(*args, **kwargs)
    first = sparse[0]
    for other in (arg for arg in args if isinstance(arg, Tensor) and arg.dim() and arg is not first):
        if other.layout != first.layout or other.shape != first.shape or not same_places(other, first):
            raise ValueError(
                f"of a MaskedTensor of layout {first.layout} the other operand is a number or has the same layout and places"
            )
    return with_values(
        first, function(*(arg.values() if any(arg is t for t in sparse) else arg for arg in args), **kwargs)
    )


def _check_dtype(data):
    if data.dtype not in _DTYPES:
        raise TypeError(f"{data.dtype} is not supported in MaskedTensor")


def data_of(masked):
    """The elements as a plain tensor, with history."""
    with DisableTorchFunctionSubclass():
        return masked.as_subclass(Tensor)


def made(data, mask):
    """A MaskedTensor of new elements, with their history, and a copy of a mask."""
    _check_dtype(data)
    with DisableTorchFunctionSubclass():
        result = data.as_subclass(MaskedTensor)
        result._masked_mask = mask.clone()
    return result


def counted(data, mask):
    """A copy to whose elements gradients flow where they count: what is computed of the others may be nan."""
    return on_values(torch.where, mask, data, data.detach())


def _rebuilt(data, mask, requires_grad):
    return MaskedTensor(data, mask, requires_grad)


# ---- text --------------------------------------------------------------------------------------------------
def _number(value):
    return f"{value:8.4f}" if isinstance(value, float) else str(value)


def _lines(values, counts, dims):
    if dims == 1:
        texts = [_number(value) for value in values]
        width = max((len(text) if count else 8 for text, count in zip(texts, counts)), default=0)
        return ["[" + ", ".join(text if count else "--".rjust(width) for text, count in zip(texts, counts)) + "]"]
    lines = ["["]
    for i, (inner, marks) in enumerate(zip(values, counts)):
        lines += ["  " + line for line in _lines(inner, marks, dims - 1)]
        if i + 1 < len(values):
            lines[-1] += ","
    return [*lines, "]"]
