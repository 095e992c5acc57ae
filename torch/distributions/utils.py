"""What distributions share: numbers made tensors, probabilities and their logarithms, properties computed once."""

from __future__ import annotations

import functools
import numbers

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.types import Number


__all__ = [
    "broadcast_all",
    "clamp_probs",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]

euler_constant = 0.57721566490153286060  # Euler and Mascheroni's


def broadcast_all(*values: Tensor | Number) -> tuple[Tensor, ...]:
    """Tensors and numbers, as tensors of one shape. Numbers take dtype and device of the first tensor, or the default's.

    ValueError for other types, RuntimeError for shapes that do not fit.
    """
    if not all(torch.is_tensor(v) or isinstance(v, numbers.Number) for v in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    like = next((v for v in values if torch.is_tensor(v)), None)
    options = {"dtype": torch.get_default_dtype()} if like is None else {"dtype": like.dtype, "device": like.device}
    return torch.broadcast_tensors(*(v if torch.is_tensor(v) else torch.tensor(v, **options) for v in values))


def sum_rightmost(value, dims):
    """`value`, summed over the last `dims` dimensions."""
    return value if dims == 0 else value.reshape(value.shape[:-dims] + (-1,)).sum(-1)


_sum_rightmost = sum_rightmost  # as libraries know it


def _standard_normal(shape, dtype, device):
    """Draws from the normal distribution with mean 0 and deviation 1."""
    return torch.randn(shape, dtype=dtype, device=device)


def tiny(dtype):
    """The dtype's smallest normal number."""
    return torch.finfo(dtype).tiny


def one_of_two(probs, logits):
    """(name, value) of the one that is given; ValueError unless exactly one is."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")
    return ("probs", probs) if logits is None else ("logits", logits)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities away from 0 and 1 by the dtype's epsilon, so that their logarithms are finite."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """log p, of the last dimension's categories; is_binary: log (p / (1 - p))."""
    clamped = clamp_probs(probs)
    return clamped.log() - (-clamped).log1p() if is_binary else clamped.log()


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """softmax over the last dimension; is_binary: the logistic function of each."""
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


if TYPE_CHECKING:
    lazy_property = property
else:

    class lazy_property:  # noqa: N801 - torch's name
        """A property that is computed at its first use, with recording on, and kept as an attribute."""

        def __init__(self, wrapped) -> None:
            self.wrapped = wrapped
            functools.update_wrapper(self, wrapped)

        def __get__(self, instance, owner=None):
            if instance is None:
                return _OfClass(self.wrapped)
            with torch.enable_grad():
                value = self.wrapped(instance)
            setattr(instance, self.wrapped.__name__, value)
            return value

    class _OfClass(lazy_property, property):
        """What the class shows: a property, for documentation."""

        def __init__(self, wrapped):
            property.__init__(self, wrapped)


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """(…, n, n) → (…, k): the elements of the lower triangle, of and below the diagonal `diag`, row by row. ValueError for
    diagonals that the matrix has not."""
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    rows, columns = torch.tril_indices(n, n, diag, device=mat.device)
    return mat[..., rows, columns]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """(…, k) → (…, n, n): the inverse of tril_matrix_to_vec. ValueError where no n has such a triangle."""
    k = vec.shape[-1]
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * k + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > torch.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {k} which cannot be expressed as the lower triangular part of a square D x D "
            "matrix."
        )
    n = round(n)
    mat = vec.new_zeros(vec.shape[:-1] + (n, n))
    rows, columns = torch.tril_indices(n, n, diag, device=vec.device)
    mat[..., rows, columns] = vec
    return mat
