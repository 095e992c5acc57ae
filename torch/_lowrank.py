"""Singular values of matrices of low rank, from a random sample of their range. Documented in codegen/declarations."""

import torch


def _product(A, M, X):
    """(A - M) X; M broadcasts to A, and their difference is never formed."""
    product = A @ X
    if M is None:
        return product
    return product - (X.sum(-2, keepdim=True) * M if M.shape[-1] == 1 < A.shape[-1] else M @ X)


def _range(A, AH, M, MH, q, niter):
    """Orthonormal columns whose span holds most of what A - M maps to (Halko, Martinsson, Tropp 2011, algorithm 4.4)."""
    dtype = A.dtype if A.is_floating_point() or A.is_complex() else None
    Q = torch.linalg.qr(_product(A, M, torch.randn(A.shape[-1], q, dtype=dtype, device=A.device))).Q
    for _ in range(niter):
        Q = torch.linalg.qr(_product(AH, MH, Q)).Q
        Q = torch.linalg.qr(_product(A, M, Q)).Q
    return Q


def svd_lowrank(A, q=6, niter=2, M=None):
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    m, n = A.shape[-2:]
    AH, MH = A.mH, None
    if M is not None:
        M = M.expand(torch.broadcast_shapes(M.shape, A.shape))
        MH = M.mH
    if m < n:  # of the two ranges the smaller one is sampled
        V, S, U = _factors(AH, A, MH, M, q, niter)
    else:
        U, S, V = _factors(A, AH, M, MH, q, niter)
    return U, S, V


def _factors(A, AH, M, MH, q, niter):
    Q = _range(A, AH, M, MH, q, niter)
    V, S, Uh = torch.linalg.svd(_product(AH, MH, Q), full_matrices=False)
    return Q @ Uh.mH, S, V.contiguous()


def pca_lowrank(A, q=None, center=True, niter=2):
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A, q, niter, A.mean(-2, keepdim=True) if center else None)
