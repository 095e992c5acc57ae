"""Transforms of vectors and matrices, and those made of parts."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from torch.distributions import constraints
from torch.distributions._transform import Transform, _Fixed
from torch.distributions.utils import sum_rightmost, tril_matrix_to_vec, vec_to_tril_matrix

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Sequence


class CorrCholeskyTransform(Transform):
    """Vectors of n (n - 1) / 2 numbers as Cholesky factors of n by n correlation matrices.

    tanh makes each number a partial correlation (Lewandowski, Kurowicka and Joe, 2009); row by row, each entry is its
    partial correlation times the root of what the entries before have left of the row's length, which is 1.
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x):
        x = torch.tanh(x)
        eps = torch.finfo(x.dtype).eps
        r = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - r * r).sqrt().cumprod(-1)  # roots of what is left
        identity = torch.eye(r.shape[-1], dtype=r.dtype, device=r.device)
        return (r + identity) * F.pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        left = 1 - torch.cumsum(y * y, dim=-1)
        before = F.pad(left[..., :-1], [1, 0], value=1)
        vector = tril_matrix_to_vec(y, diag=-1)
        t = vector / tril_matrix_to_vec(before, diag=-1).sqrt()
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        # of the steps: an entry's is the root of what is left before it, tanh's is 1 - tanh²
        left = 1 - (y * y).cumsum(dim=-1)
        result = 0.5 * tril_matrix_to_vec(left, diag=-2).log().sum(-1)
        return result - 2 * (x + F.softplus(-2 * x) - 0.6931471805599453).sum(dim=-1)

    def forward_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        count = shape[-1]
        n = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return shape[:-1] + (n, n)

    def inverse_shape(self, shape):
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        n = shape[-1]
        return shape[:-2] + (n * (n - 1) // 2,)


class StickBreakingTransform(_Fixed):
    """Vectors of n numbers as points of the simplex of n + 1 coordinates: each number says what part of what is left of a
    stick of length 1 is broken off. Zeros are the middle."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    @staticmethod
    def _log_counts(x, count):
        """Logarithms of the numbers of parts yet to come."""
        return (count + 1 - torch.ones_like(x[..., :count]).cumsum(-1)).log()

    def _call(self, x):
        part = torch.sigmoid(x - self._log_counts(x, x.shape[-1]))
        left = (1 - part).cumprod(-1)
        return F.pad(part, [0, 1], value=1) * F.pad(left, [1, 0], value=1)

    def _inverse(self, y):
        head = y[..., :-1]
        left = torch.clamp(1 - head.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return head.log() - left.log() + self._log_counts(head, head.shape[-1])

    def log_abs_det_jacobian(self, x, y):
        x = x - self._log_counts(x, x.shape[-1])
        return (F.logsigmoid(x) - x + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape[:-1] + (shape[-1] - 1,)


class LowerCholeskyTransform(_Fixed):
    """Square matrices as lower triangular ones with a positive diagonal: exp of the diagonal, 0 above it."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_Fixed):
    """Square matrices as positive definite ones: L Lᵀ of LowerCholeskyTransform's L."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x):
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


class _Parts(Transform):
    """Transforms of the parts of a tensor along a dimension."""

    def __init__(self, tseq, dim, cache_size):
        if not all(isinstance(t, Transform) for t in tseq):
            raise AssertionError("All elements in tseq must be Transform instances")
        if cache_size:
            tseq = [t.with_cache(cache_size) for t in tseq]
        super().__init__(cache_size=cache_size)
        self.transforms = list(tseq)
        self.dim = dim

    @property
    def bijective(self):
        return all(t.bijective for t in self.transforms)


class CatTransform(_Parts):
    """Transforms of parts of given lengths along a dimension.

    Args:
        tseq (list of Transform): one for each part
        dim (int): the dimension
        lengths (list of int): of the parts; default 1 each
    """

    def __init__(
        self, tseq: Sequence[Transform], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths must have same length as transforms, got {len(self.lengths)} and {len(self.transforms)}"
            )

    @property
    def event_dim(self) -> int:
        return max(t.event_dim for t in self.transforms)

    @property
    def length(self) -> int:
        """All parts' length."""
        return sum(self.lengths)

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _parts(self, value, name):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} is out of range for {name} with {value.dim()} dimensions")
        if value.size(self.dim) != self.length:
            raise AssertionError(
                f"{name} size {value.size(self.dim)} at dim {self.dim} does not match length {self.length}"
            )
        return value.split(self.lengths, self.dim)

    def _call(self, x):
        return torch.cat([t(part) for t, part in zip(self.transforms, self._parts(x, "x"))], dim=self.dim)

    def _inverse(self, y):
        return torch.cat([t.inv(part) for t, part in zip(self.transforms, self._parts(y, "y"))], dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        terms = []
        for t, before, after in zip(self.transforms, self._parts(x, "x"), self._parts(y, "y")):
            term = t.log_abs_det_jacobian(before, after)
            terms.append(sum_rightmost(term, self.event_dim - t.event_dim))
        dim = self.dim - x.dim() if self.dim >= 0 else self.dim
        dim = dim + self.event_dim  # of a term, from the end
        return torch.cat(terms, dim=dim) if dim < 0 else sum(terms)

    @constraints.dependent_property
    def domain(self):
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self):
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_Parts):
    """Transforms of the slices of a dimension.

    Args:
        tseq (list of Transform): one for each slice
        dim (int): the dimension
    """

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else StackTransform(self.transforms, self.dim, cache_size)

    def _slices(self, value, name):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} is out of range for {name} with {value.dim()} dimensions")
        if value.size(self.dim) != len(self.transforms):
            raise AssertionError(
                f"{name} size {value.size(self.dim)} at dim {self.dim} does not match {len(self.transforms)} transforms"
            )
        return value.unbind(self.dim)

    def _call(self, x):
        return torch.stack([t(part) for t, part in zip(self.transforms, self._slices(x, "x"))], dim=self.dim)

    def _inverse(self, y):
        return torch.stack([t.inv(part) for t, part in zip(self.transforms, self._slices(y, "y"))], dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        parts = zip(self.transforms, self._slices(x, "x"), self._slices(y, "y"))
        return torch.stack([t.log_abs_det_jacobian(before, after) for t, before, after in parts], dim=self.dim)

    @constraints.dependent_property
    def domain(self):
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self):
        return constraints.stack([t.codomain for t in self.transforms], self.dim)
