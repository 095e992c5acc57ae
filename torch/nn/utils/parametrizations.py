"""Parametrisations that are often wanted: orthogonal matrices, weight and spectral normalisation."""

from __future__ import annotations

import torch
from torch.nn import functional as F
from torch.nn.modules.module import Module
from torch.nn.utils import parametrize
from torch.nn.utils._norms import as_matrix, norm_except_dim, power_iterations, spectral_dim, weight_of

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "orthogonal",
    "spectral_norm",
    "weight_norm",
]


def _is_orthogonal(q):
    k = q.size(-1)
    identity = torch.eye(k, dtype=q.dtype, device=q.device)
    return torch.allclose(q.mH @ q, identity, atol=10.0 * k * torch.finfo(q.dtype).eps)


def _make_orthogonal(a):
    """The nearest of the factors that a matrix and an orthogonal one have: Q of its QR with the signs of R's diagonal, where
    a 0, as a matrix of lower rank has there, counts as positive."""
    x, tau = torch.geqrf(a)
    q = torch.linalg.householder_product(x, tau)
    diagonal = x.diagonal(dim1=-2, dim2=-1)
    return q * torch.where(diagonal == 0, 1, diagonal.sgn()).unsqueeze(-2)


class _Orthogonal(Module):
    """A matrix with orthonormal columns, or rows if it is wide. `base`: the matrix at which the map begins, so that any
    orthogonal matrix can be assigned."""

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Tensor) -> Tensor:
        n, k = X.size(-2), X.size(-1)
        transposed = n < k
        if transposed:
            X, n, k = X.mT, k, n
        if self.orthogonal_map == "householder":
            vectors = X.tril(-1)
            tau = 2.0 / (1.0 + (vectors * vectors).sum(-2))
            result = torch.linalg.householder_product(vectors, tau)
            result = result * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            X = X.tril()
            if n != k:
                X = torch.cat([X, X.new_zeros(n, n - k).expand(*X.shape[:-2], -1, -1)], -1)
            skew = X - X.mH
            if self.orthogonal_map == "matrix_exp":
                result = torch.matrix_exp(skew)
            else:
                identity = torch.eye(n, dtype=X.dtype, device=X.device)
                result = torch.linalg.solve(identity - skew / 2, identity + skew / 2)
            if n != k:
                result = result[..., :k]
        if hasattr(self, "base"):
            result = self.base @ result
        return result.mT if transposed else result

    @torch.no_grad()
    def right_inverse(self, Q: Tensor) -> Tensor:
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        given = Q
        n, k = Q.size(-2), Q.size(-1)
        transposed = n < k
        if transposed:
            Q, n, k = Q.mT, k, n
        if not hasattr(self, "base"):
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                    "use_trivialization=False."
                )
            found, tau = torch.geqrf(Q)
            diagonal = found.diagonal(dim1=-2, dim2=-1)
            # signs on the diagonal: those of the product of the reflections, one that is none counts twice
            signs = torch.where(diagonal == 0, 1, diagonal.sign())
            diagonal.copy_(torch.where(tau == 0.0, -signs, signs))
            return found.mT if transposed else found
        if n == k:
            base = Q.clone() if _is_orthogonal(Q) else _make_orthogonal(Q)
        else:
            noise = torch.randn(*(Q.shape[:-2] + (n, n - k)), dtype=Q.dtype, device=Q.device)
            base = _make_orthogonal(torch.cat([Q, noise], -1))
        self.base = base
        # of -1 on the diagonal, every map makes the identity, or its negative, which is in the base
        start = torch.zeros_like(given)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return start


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Makes a matrix, or matrices in the last two dimensions, orthogonal; returns the module. orthogonal_map: "matrix_exp"
    (the default of square ones), "cayley" or "householder" (of others). use_trivialization: any orthogonal matrix can be
    assigned. ValueError for others."""
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.dim() < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    parametrization = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, parametrization, unsafe=True)


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_of(weight_g, weight_v, self.dim)

    def right_inverse(self, weight):
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0):
    """Makes a tensor g * v / |v| of what is learned: the norm g (original0) of every slice along `dim` (None: of all) and the
    direction v (original1). Reads state dicts of torch.nn.utils.weight_norm(), too. Returns the module."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def take_over(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        g, v = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if g in state_dict and v in state_dict:
            place = f"{prefix}parametrizations.{name}.original"
            state_dict[place + "0"] = state_dict.pop(g)
            state_dict[place + "1"] = state_dict.pop(v)

    module._register_load_state_dict_pre_hook(take_over)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        if not -weight.dim() <= dim < weight.dim():
            raise IndexError(
                "Dimension out of range (expected to be in range of "
                f"[-{weight.dim()}, {weight.dim() - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim if dim >= 0 else dim + weight.dim()
        self.eps = eps
        if weight.dim() > 1:
            self.n_power_iterations = n_power_iterations
            matrix = as_matrix(weight.detach(), self.dim)
            self.register_buffer("_u", F.normalize(matrix.new_empty(matrix.size(0)).normal_(), dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(matrix.new_empty(matrix.size(1)).normal_(), dim=0, eps=eps))
            power_iterations(matrix, self._u, self._v, 15, eps)

    def forward(self, weight: Tensor) -> Tensor:
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            power_iterations(matrix.detach(), self._u, self._v, self.n_power_iterations, self.eps)
        # copies: the vectors change in the next call, and backward needs these
        u, v = self._u.clone(), self._v.clone()
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        return value


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divides a tensor by its largest singular value, which power iterations estimate in training; returns the module. `dim`:
    that of the outputs, 0, or 1 for transposed convolutions. ValueError for a name that is no tensor's."""
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    dim = spectral_dim(module) if dim is None else dim
    return parametrize.register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
