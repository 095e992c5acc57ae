"""Linear algebra. Decompositions are unique but for signs, so their products are compared, or absolute values."""

from golden.row import Row, codes, each, errors

F = "f32 f64"
# Square matrices that are far from singular, in every layout; `a` is nonzero and small.
SQUARE = each(F, "$ 3x3 nonzero", "$ 4x4 distinct", "$ 1x1 nonzero", "$ 0x0", "$ 2x3x3 nonzero", "$ 2x2x2x2 distinct",
              "$ 0x3x3", "$ 2x0x0", "$ 3x3 T nonzero", "$ 3x3 S distinct")
RECTANGULAR = each(F, "$ 3x3 nonzero", "$ 4x3 distinct", "$ 3x4 distinct", "$ 5x2 nonzero", "$ 1x3", "$ 3x1", "$ 0x3",
                   "$ 3x0", "$ 0x0", "$ 2x4x3 distinct", "$ 2x3x4 nonzero", "$ 2x1x3x2 distinct", "$ 4x3 T distinct",
                   "$ 3x4 S distinct", "$ 3x4 E")
FEW = ("f32 4x3 distinct", "f64 3x4 distinct", "f32 2x3x3 nonzero", "f64 0x3")
SYMMETRIC = each(F, "$ 3x3", "$ 4x4 distinct", "$ 1x1", "$ 0x0", "$ 2x3x3", "$ 0x2x2", "$ 3x3 T", "$ 3x3 S")
WRONG = ("f16 3x3", "bf16 3x3", "i64 3x3", "b1 3x3", "u8 2x2", "f32 3", "f32 -", "f32 2x3", "f32 2x2x3")

ROWS = [
    # one result, for every kind of matrix
    *codes(SQUARE + WRONG, """
        torch.linalg.det(a)
        torch.logdet(a)
        torch.linalg.slogdet(a)
        torch.linalg.matrix_power(a, 3)
        torch.matrix_power(a, 0)
        a.matrix_power(1)
    """, "near"),
    *codes(tuple(k for k in SQUARE if "2x2x2x2" not in k) + WRONG, """
        torch.linalg.inv(a)
        torch.linalg.inv_ex(a)
        torch.matrix_power(a, -2)
    """, "near"),
    *codes(SYMMETRIC, """
        torch.linalg.cholesky(a @ a.mT + 9 * torch.eye(a.shape[-1], dtype=a.dtype))
        torch.linalg.cholesky(a @ a.mT + 9 * torch.eye(a.shape[-1], dtype=a.dtype), upper=True)
        torch.cholesky(a @ a.mT + 9 * torch.eye(a.shape[-1], dtype=a.dtype), True)
        torch.linalg.cholesky_ex(a @ a.mT + 9 * torch.eye(a.shape[-1], dtype=a.dtype))
        torch.linalg.eigvalsh(a)
        torch.linalg.eigvalsh(a, 'U')
        torch.linalg.eigh(a).eigenvalues
        w, v = torch.linalg.eigh(a); ((8 * v * w.unsqueeze(-2)) @ v.mT).round()
        w, v = torch.linalg.eigh(a, UPLO='U'); ((8 * v * w.unsqueeze(-2)) @ v.mT).round()
        w, v = torch.linalg.eigh(a); (v.mT @ v).round()
        torch.cholesky_inverse(torch.linalg.cholesky(a @ a.mT + 9 * torch.eye(a.shape[-1], dtype=a.dtype)))
        torch.linalg.matrix_rank(a + a.mT, hermitian=True)
        torch.linalg.pinv(a + a.mT, hermitian=True)
    """, "near"),
    *codes(each(F, "$ 3x3 nonzero", "$ 2x3x3 nonzero") + WRONG, """
        torch.det(a)
        a.det()
        torch.slogdet(a)
        a.slogdet().logabsdet
        torch.inverse(a)
        a.inverse()
    """, "near"),
    *codes(SQUARE + WRONG[2:], """
        torch.linalg.matrix_exp(a / 50)
        torch.matrix_exp(a * 0.1)
    """, "near"),
    *codes(WRONG, """
        torch.linalg.cholesky(a)
        torch.linalg.eigh(a)
        torch.linalg.eigvalsh(a)
        torch.linalg.qr(a).R.shape
        torch.linalg.svdvals(a).shape
        torch.linalg.lu_factor(a).LU.shape
        torch.linalg.lu(a).P.shape
        torch.linalg.pinv(a).shape
        torch.linalg.matrix_rank(a)
        torch.linalg.cond(a).shape
        torch.geqrf(a).tau.shape
    """),
    *codes(FEW, """
        q, r = torch.qr(a, some=False); (8 * q @ r).round()
        q, r = a.qr(); (8 * q @ r).round()
        u, s, v = torch.svd(a, some=False); (u.shape, s, v.shape)
        torch.svd(a, compute_uv=False)
        a.svd().S
        f = torch.linalg.lu_factor_ex(a); torch.lu_unpack(f.LU, f.pivots)
        f = torch.linalg.lu_factor_ex(a); torch.lu_unpack(f.LU, f.pivots, unpack_pivots=False)
        f = torch.linalg.lu_factor_ex(a); torch.lu_unpack(f.LU, f.pivots, unpack_data=False)
        a.lu()
        torch.lu(a, get_infos=True)
        torch.linalg.pinv(a, atol=1e-3)
        torch.linalg.pinv(a, rtol=0.3)
        torch.linalg.pinv(a, 0.3)
        torch.pinverse(a, 1e-3)
        a.pinverse(1e-3)
        a @ torch.linalg.pinv(a)
    """, "near"),
    *codes(RECTANGULAR, """
        q, r = torch.linalg.qr(a); ((8 * q @ r).round(), (q.mT @ q).round(), r.abs())
        q, r = torch.linalg.qr(a, 'complete'); ((8 * q @ r).round(), (q.mT @ q).round(), r.abs())
        q, r = torch.linalg.qr(a, mode='r'); (q, r.abs())
        torch.linalg.svdvals(a)
        torch.linalg.svd(a).S
        u, s, v = torch.linalg.svd(a, full_matrices=False); ((8 * u * s.unsqueeze(-2)) @ v).round(), (u.mT @ u).round()
        u, s, v = torch.linalg.svd(a); (u.shape, s.shape, v.shape, (u.mT @ u).round(), (v @ v.mT).round())
        u, s, v = torch.svd(a); ((8 * u * s.unsqueeze(-2)) @ v.mT).round()
        p, l, u = torch.linalg.lu(a); ((8 * p @ l @ u).round(), p, l, u)
        torch.linalg.lu_factor_ex(a).pivots
        torch.lu(a)
        g, tau = torch.geqrf(a); (g.abs(), tau)
        torch.linalg.matrix_rank(a)
        torch.linalg.matrix_rank(a, tol=100)
        torch.linalg.matrix_rank(a, atol=1.0, rtol=0.1)
        torch.linalg.matrix_rank(a, atol=torch.tensor(5.0))
        torch.linalg.matrix_rank(a, 3.0, True) if a.shape[-1] == a.shape[-2] else None
        torch.linalg.pinv(a) @ a
    """, "near"),
]
# general eigenvalues come in no order, and vectors in no phase: sums of powers, sorted sizes, and what defines them
ROWS += [
    *codes(each(F, "$ 3x3 nonzero", "$ 4x4 distinct", "$ 1x1 nonzero", "$ 2x3x3 nonzero", "$ 3x3 T"), """
        torch.linalg.eigvals(a).sum(-1).real
        (torch.linalg.eigvals(a) * torch.linalg.eigvals(a)).sum(-1).real
        torch.linalg.eig(a).eigenvalues.abs().sort(-1).values
        w, v = torch.linalg.eig(a); (v.abs() ** 2).sum(-2)
        w, v = torch.linalg.eig(a); x, y = w.unsqueeze(-2), a @ v.real; (v * x).real.sub(y).abs() < 1e-3
        torch.linalg.eig(a).eigenvalues.imag.abs().sort(-1).values
        torch.linalg.eig(a).eigenvalues.dtype, torch.linalg.eig(a).eigenvectors.dtype
    """, "near"),
    *codes(("f16 3x3", "f32 3", "f32 2x3"), "torch.linalg.eig(a).eigenvalues\ntorch.linalg.eigvals(a)"),
    Row("torch.linalg.eig(a)", ("f32 3x3 nans",)),
]
# equations
PAIRS = each(F, "$ 3x3 nonzero;$ 3", "$ 3x3 nonzero;$ 3x2", "$ 2x3x3 nonzero;$ 3x2", "$ 2x3x3 nonzero;$ 2x3",
             "$ 2x3x3 nonzero;$ 2x3x1", "$ 3x3 nonzero;$ 2x3x2", "$ 2x1x3x3 nonzero;$ 4x3x2", "$ 0x0;$ 0x2",
             "$ 0x0;$ 0",
             "$ 3x3 nonzero;$ 3x0", "$ 3x3 T nonzero;$ 3x2 T", "$ 3x3 S distinct;$ 3x2 S", "$ 0x3x3;$ 0x3x2")
UNFIT = ("f32 3x3 nonzero;f32 2", "f32 3x3 nonzero;f32 2x3", "f32 2x3;f32 2", "f32 3;f32 3", "f32 3x3 nonzero;f64 3",
         "f16 3x3;f16 3", "i64 3x3;i64 3", "f32 2x3x3 nonzero;f32 3x3x1", "f32 3x3 nonzero;f32 -")
MATRICES = tuple(k for k in PAIRS if k.split(";")[1].split()[1] not in ("3", "0", "2x3")) + tuple(
    k for k in UNFIT if k.split(";")[1].split()[1] not in ("-", "2", "3"))
TALL = each(F, "$ 4x2 distinct;$ 4x3", "$ 4x2 distinct;$ 4", "$ 2x4x2 distinct;$ 2x4x1", "$ 3x3 nonzero;$ 3x1",
            "$ 2x4 distinct;$ 2x3", "$ 2x4x2 distinct;$ 4x1", "$ 4x2 T distinct;$ 4x1 S", "$ 2x4x2 distinct;$ 2x4")
ROWS += [
    *codes(PAIRS + UNFIT, """
        torch.linalg.solve(a, b)
        torch.linalg.solve_ex(a, b)
    """, "near"),
    *codes(MATRICES, """
        torch.linalg.solve_triangular(a, b, upper=True)
        torch.linalg.solve_triangular(a, b, upper=False)
        torch.linalg.solve_triangular(a, b, upper=True, unitriangular=True)
        torch.linalg.solve_triangular(a, b.mT, upper=True, left=False)
        torch.triangular_solve(b, a)
        torch.triangular_solve(b, a, False).solution
        b.triangular_solve(a, transpose=True).solution
        torch.triangular_solve(b, a, unitriangular=True).solution
        torch.cholesky_solve(b, a)
        b.cholesky_solve(a, True)
        torch.linalg.solve(a, b.mT, left=False)
    """, "near"),
    *codes(MATRICES[:12], """
        f = torch.linalg.lu_factor(a); torch.linalg.lu_solve(f.LU, f.pivots, b)
        f = torch.linalg.lu_factor(a); torch.linalg.lu_solve(f.LU, f.pivots, b, adjoint=True)
        f = torch.linalg.lu_factor(a); torch.linalg.lu_solve(f.LU, f.pivots, b.mT, left=False)
        f = torch.lu(a); torch.lu_solve(b, *f)
        f = torch.lu(a); b.lu_solve(*f)
    """, "near"),
    *codes(TALL, """
        torch.linalg.lstsq(a, b)
        torch.linalg.lstsq(a, b, driver='gelsd')
        torch.linalg.lstsq(a, b, driver='gelss')
        torch.linalg.lstsq(a, b, driver='gels')
        torch.linalg.lstsq(a, b, rcond=0.5).rank
    """, "near"),
    *codes(each(F, "$ 4x3 distinct;$ 4x2", "$ 3x3 nonzero;$ 3x3", "$ 2x4x3 distinct;$ 2x4x2"), """
        g, tau = torch.geqrf(a); torch.orgqr(g, tau).abs()
        g, tau = torch.geqrf(a); torch.linalg.householder_product(g, tau).abs()
        g, tau = torch.geqrf(a); torch.ormqr(g, tau, torch.ormqr(g, tau, b), transpose=True)
        g, tau = torch.geqrf(a); torch.ormqr(g, tau, torch.ormqr(g, tau, b.mT, left=False), False, True)
        g, tau = torch.geqrf(a); g.orgqr(tau).mT @ g.orgqr(tau)
    """, "near"),
]
# norms
VECTORS = each("f32 f64 f16 bf16", "$ 6", "$ 2x3", "$ 2x3x4", "$ -", "$ 3x4 T", "$ 3x4 S") + (
    "f32 0", "f32 0x3", "f32 3x0", "f32 6 nans", "f32 10 special", "i64 3", "b1 3", "f32 2x3 E")
ROWS += [
    *codes(VECTORS, """
        torch.linalg.vector_norm(a)
        torch.linalg.vector_norm(a, 1)
        torch.linalg.vector_norm(a, 0)
        torch.linalg.vector_norm(a, 3)
        torch.linalg.vector_norm(a, 0.5)
        torch.linalg.vector_norm(a, -1.5)
        torch.linalg.vector_norm(a, inf)
        torch.linalg.vector_norm(a, -inf)
        torch.linalg.vector_norm(a, dim=-1)
        torch.linalg.vector_norm(a, inf, dim=0)
        torch.linalg.vector_norm(a, 2, (0,), True)
        torch.linalg.vector_norm(a, 1, dim=None, keepdim=True)
        torch.linalg.vector_norm(a, dtype=torch.float64)
        torch.linalg.vector_norm(a, dtype=torch.float32)
        torch.linalg.vector_norm(a, dim=(0, 1))
        torch.linalg.norm(a)
        torch.linalg.norm(a, dim=0)
        torch.linalg.norm(a, dtype=torch.float64)
        torch.linalg.norm(a, 1)
        torch.linalg.norm(a, 'fro')
    """, "near"),
    *codes(each("f32 f64", "$ 3x3", "$ 2x3", "$ 3x2 T", "$ 2x3x4", "$ 2x3x4 S", "$ 0x3", "$ 3x0", "$ 0x0", "$ 0x2x3")
           + ("f16 2x3", "i64 2x3", "f32 3", "f32 -", "f32 2x3 nans"), """
        torch.linalg.matrix_norm(a)
        torch.linalg.matrix_norm(a, 'fro', keepdim=True)
        torch.linalg.matrix_norm(a, 'fro', (0, 1))
        torch.linalg.matrix_norm(a, 1)
        torch.linalg.matrix_norm(a, -1)
        torch.linalg.matrix_norm(a, inf)
        torch.linalg.matrix_norm(a, -inf, keepdim=True)
        torch.linalg.matrix_norm(a, 1, dim=(1, 0))
        torch.linalg.matrix_norm(a, 1, dim=(0, -1), keepdim=True)
        torch.linalg.norm(a, inf, dim=(0, 1))
        torch.linalg.norm(a, -1, dim=(1, 0))
        torch.linalg.norm(a, 'fro', dim=(0, 1))
    """, "near"),
    *codes(each("f32 f64", "$ 3x3", "$ 2x3", "$ 3x2 T", "$ 2x3x4", "$ 0x3", "$ 0x0") + ("f16 2x3", "i64 2x3",
                                                                                                "f32 3"), """
        torch.linalg.matrix_norm(a, 2)
        torch.linalg.matrix_norm(a, -2)
        torch.linalg.matrix_norm(a, 'nuc')
        torch.linalg.matrix_norm(a, 2, (0, 1), keepdim=True)
        torch.linalg.norm(a, 'nuc')
    """, "near"),
    *codes(each("f32 f64", "$ 3x3 nonzero", "$ 1x1 nonzero", "$ 0x0", "$ 2x3x3 nonzero", "$ 2x3 nonzero"), """
        torch.linalg.cond(a)
        torch.linalg.cond(a, -2)
        torch.linalg.cond(a, 1)
        torch.linalg.cond(a, -inf)
        torch.linalg.cond(a, 'fro')
        torch.linalg.cond(a, p='nuc')
    """, "near"),
]
# products
BATCHES = each("f32 f64 f16 i64", "$ 2x4;$ 5x2x3;$ 5x3x4") + (
    "f32 4;f32 5x2x3;f32 5x3x4", "f32 -;f32 5x2x3;f32 5x3x4", "f32 2x4;f32 0x2x3;f32 0x3x4",
    "f32 2x4 T;f32 5x2x3 T;f32 5x3x4 S", "f32 3x4;f32 5x2x3;f32 5x3x4", "f32 2x4;f32 5x2x3;f32 4x3x4",
    "f32 2x4;f32 5x2x3;f32 5x2x4", "f32 2x4;f32 2x3;f32 5x3x4", "f64 2x4;f32 5x2x3;f32 5x3x4")
DISTANCES = each(F, "$ 3x4;$ 2x4", "$ 2x3x4;$ 2x5x4", "$ 2x3x4;$ 5x4", "$ 1x3x2;$ 4x5x2", "$ 0x4;$ 2x4", "$ 3x0;$ 2x0",
                 "$ 3x4 T;$ 2x4 S", "$ 3x19;$ 2x19 distinct") + (
    "f16 3x4;f16 2x4", "i64 3x4;i64 2x4", "f32 3;f32 3", "f32 3x4;f32 2x3", "f32 3x4;f64 2x4", "f32 2x3 nans;f32 2x3",
    "f32 2x3x4;f32 3x2x4")
ROWS += [
    *codes(BATCHES, """
        torch.addbmm(a, b, c)
        torch.addbmm(a, b, c, beta=2, alpha=3)
        a.addbmm(b, c, beta=0)
    """, "near"),
    Row("r = a.addbmm_(b, c, alpha=2); (a, r is a)", ("f32 2x4;f32 5x2x3;f32 5x3x4",),
        "near"),
    *codes(DISTANCES, """
        torch.cdist(a, b)
        torch.cdist(a, b, p=1)
        torch.cdist(a, b, 0.0)
        torch.cdist(a, b, p=inf)
        torch.cdist(a, b, p=3.5)
    """, "near"),
    Row("torch.cdist(a, b, compute_mode='donot_use_mm_for_euclid_dist')", ("f32 3x4;f32 2x4",), "near"),
    *codes(each("f32 f64 i64", "$ 2x3;$ 3x4;$ 4x2", "$ 5x1;$ 1x6;$ 6x2", "$ 0x3;$ 3x2;$ 2x1", "$ 2x3;$ 4x4;$ 4x2")
           + ("f32 2x3;f64 3x4;f32 4x2", "f32 2x3;f32 3;f32 3x2"), """
        torch.linalg.multi_dot([a, b, c])
        torch.linalg.multi_dot((a[0], b, c))
        torch.linalg.multi_dot([a, b, c[:, 0]])
        torch.linalg.multi_dot([a, b])
        torch.chain_matmul(a, b, c)
        torch.chain_matmul(a)
    """, "near"),
    *codes(each("f32 f64 i64", "$ 2x3x4;$ 3x4x2", "$ 3x4;$ 4x3", "$ 4x4;$ 4x4", "$ 2x3x4 T;$ 3x4x2 S",
                "$ 0x3x4;$ 3x4x0")
           + ("f32 2x3;f64 3x2", "f32 2x3x1;f32 3x4", "f16 4x4;f16 4x4"), """
        torch.tensordot(a, b)
        torch.tensordot(a, b, 1)
        torch.tensordot(a, b, ([1], [0]))
        torch.tensordot(a, b, dims=([0, 1], [1, 0]))
        torch.tensordot(a, b, dims=([-1], [1]))
        torch.tensordot(a, b, dims=torch.tensor(1))
    """, "near"),
    *codes(each("f32 i64 f16", "$ 3", "$ 0", "$ 2x3") + ("f32 -", "b1 3"), """
        torch.linalg.vander(a)
        torch.linalg.vander(a, N=4)
    """, "near"),
    *codes(("f32 3;f32 3", "f32 2x3;f32 2x3", "f32 2x3;f32 3", "f64 2x3 T;f64 2x3", "f32 3;f64 3", "i64 3;i64 3",
            "f32 0;f32 0", "f32 2x3;f32 2x2"), """
        torch.linalg.vecdot(a, b)
        torch.linalg.vecdot(a, b, dim=0)
    """, "near"),
    *codes(each(F, "$ 2x3x6 distinct", "$ 4x6x8x3 distinct"), """
        torch.linalg.tensorinv(a + 60 * torch.eye(6, dtype=a.dtype).reshape(2, 3, 6)).shape if a.dim() == 3 else None
    """),
    Row("torch.linalg.tensorsolve((a + 60 * torch.eye(6, dtype=a.dtype)).reshape(2, 3, 6), b)",
        each(F, "$ 6x6 distinct;$ 2x3"), "near"),
    Row("torch.linalg.tensorsolve((a + 60 * torch.eye(6, dtype=a.dtype)).reshape(3, 6, 2), b, dims=(0, 2))",
        each(F, "$ 6x6 distinct;$ 6"), "near"),
    Row("torch.linalg.tensorinv((a + 60 * torch.eye(6, dtype=a.dtype)).reshape(6, 2, 3), ind=1)",
        each(F, "$ 6x6 distinct"), "near"),
    *codes(each("f32 i64", "$ 3x3", "$ 2x3x4"), "torch.linalg.diagonal(a)\ntorch.linalg.diagonal(a, offset=1)\n"
                                               "torch.linalg.matmul(a, a.mT)"),
]
# einsum
ROWS += [
    *codes(each("f32 f64 i64 f16", "$ 3x4;$ 4x5") + ("f32 3x4 T;f32 4x5 S", "f32 0x4;f32 4x2", "f32 3x4;f64 4x5",
                                                     "f32 3x4;f32 3x5", "f32 3x1;f32 4x5", "f32 3x4;f32 1x5"), """
        torch.einsum('ij,jk->ik', a, b)
        torch.einsum('ij,jk', a, b)
        torch.einsum('ij , jk -> ki', a, b)
        torch.einsum('ij,jk->ijk', a, b)
        torch.einsum('ij,jk->', a, b)
        torch.einsum('ij,jk->j', a, b)
        torch.einsum('ij,kl->li', [a, b])
        torch.einsum('...j,jk->...k', a, b)
        torch.einsum('iJ,Jk', a, b)
        torch.einsum(a, [0, 1], b, [1, 2], [0, 2])
        torch.einsum(a, [0, 1], b, [1, 2])
        torch.einsum(a, [..., 3], b, [3, 30], [30, ...])
    """, "near"),
    # From left to right; where opt_einsum is installed it may find another order, and so other strides.
    Row("with torch.backends.opt_einsum.flags(enabled=False): r = torch.einsum('ij,jk,il->kl', a, b, a)\nr, r.stride()",
        each("f32 f64 i64 f16", "$ 3x4;$ 4x5") + ("f32 3x4 T;f32 4x5 S", "f32 0x4;f32 4x2"), "near"),
    *codes(each("f32 i64", "$ 3x3", "$ 3x3 T", "$ 2x3", "$ 0x0", "$ 3x3x3", "$ 3x3x2", "$ 3", "$ -"), """
        torch.einsum('ii', a)
        torch.einsum('ii->i', a)
        torch.einsum('ij->ji', a)
        torch.einsum('ij->', a)
        torch.einsum('ji', a)
        torch.einsum('...->...', a)
        torch.einsum('...', a)
        torch.einsum('i...->...', a)
        torch.einsum('...ii->...i', a)
        torch.einsum('...ij->...ji', a)
        torch.einsum('iij', a)
        torch.einsum('iii->i', a)
        torch.einsum('i,i', a, a)
        torch.einsum('i,j->ij', a, a)
        torch.einsum(',', a, a)
        torch.einsum('ij,ij->', a, a)
        torch.einsum('...i,...i->...', a, a)
        torch.einsum('b...,b...->...', a, a)
        torch.einsum('bij,bjk->bik', a, a)
        torch.einsum('bii->b', a)
    """, "near"),
    *codes(("f32 2x3;f32 3x2", "i64 1x2;i64 2x1"), """
        torch.tensordot(a, b, dims=0)
        torch.einsum('ij,kl->ijkl', a, b)
        torch.einsum('ij,jk,jl->ikl', a, b, b)
    """, "equal"),
    *codes(("f32 2x3x4;f32 2x4x5;f32 5x3", "f64 2x3x4;f64 1x4x5;f64 5x3"), """
        torch.einsum('bij,bjk->bik', a, b)
        torch.einsum('bij,bjk,kl->bil', a, b, c)
        torch.einsum('bij,bjk,ki->', a, b, c)
        torch.einsum('bij,bjk,ki->b', a, b, c)
        torch.einsum('...ij,...jk->...ik', a, b)
        torch.einsum('bij,bjk->ik', a, b)
    """, "near"),
]
# results that are given, and strides
ROWS += [
    *codes(("f32 3x3 nonzero;f32 3x3;f32 3x3", "f32 3x3 nonzero;f32 0;f32 0", "f32 3x3 nonzero;f32 3x3 T;f32 2",
            "f32 3x3 nonzero;f64 3x3;f64 3x3"), """
        torch.linalg.inv(a, out=b) is b, b
        torch.inverse(a, out=b); b
        torch.linalg.det(a, out=b); b
        torch.linalg.solve(a, a, out=b); b
        torch.linalg.cholesky(torch.eye(3), out=b); b
        torch.linalg.svdvals(a, out=b); b
        r = torch.linalg.slogdet(a, out=(b, c)); (r[0] is b, r[1] is c, b, c)
        torch.linalg.qr(torch.eye(3), out=(b, c)); (b.abs(), c.abs())
        torch.linalg.eigh(a, out=(b, c)); b
        torch.linalg.matrix_power(a, 2, out=b); b
        torch.linalg.multi_dot([a, a], out=b); b
        torch.tensordot(a, a, 1, out=b); b
        torch.chain_matmul(a, a, out=b); b
    """, "near"),
    *codes(("f32 3x3 nonzero;f32 3x3", "f32 3x3 nonzero;f32 0"), """
        torch.addbmm(a, a.reshape(1, 3, 3), a.reshape(1, 3, 3), out=b); b
        torch.linalg.vector_norm(a, out=b); b
        torch.linalg.norm(a, 1, out=b); b
        torch.linalg.pinv(a, out=b); b
    """, "near"),
    Row("u, s, v = a, b, c; r = torch.linalg.svd(torch.eye(3), out=(u, s, v)); (r[0] is u, u.abs(), s, v.abs())",
        ("f32 0;f32 0;f32 0", "f32 3x3;f32 3;f32 3x3"), "near"),
    *codes(("f32 4x3 distinct", "f64 2x4x3 distinct"), """
        torch.linalg.qr(a).Q.stride()
        torch.linalg.lu_factor(a).LU.stride()
        torch.linalg.svd(a, False).U.stride()
        torch.linalg.solve(a.mT @ a, a.mT).stride()
        torch.linalg.inv(a.mT @ a).stride()
    """),
]
# what is refused
ROWS += errors(("f32 3x3",), """
    torch.linalg.inv(torch.zeros(3, 3))  # linalg.inv: The diagonal element 1 is zero, the inversion could
    torch.linalg.inv(torch.stack([torch.eye(2), torch.zeros(2, 2)]))  # (Batch element 1): The diagonal element 1
    torch.inverse(torch.zeros(2, 2))  # because the input matrix is singular.
    torch.linalg.inv_ex(torch.zeros(2, 2), check_errors=True)  # linalg.inv_ex: The diagonal element 1
    torch.linalg.inv(a.half())  # Low precision dtypes not supported. Got Half
    torch.linalg.inv(a.long())  # Expected a floating point or complex tensor as input. Got Long
    torch.linalg.inv(a[:2])  # linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices
    torch.linalg.inv(a[0])  # linalg.inv: The input tensor A must have at least 2 dimensions.
    torch.linalg.inv(3)  # must be Tensor, not int
    torch.linalg.inv()  #
    torch.linalg.det(a.half())  # "lu_cpu" not implemented for 'Half'
    torch.linalg.cholesky(-torch.eye(3))  # linalg.cholesky: The factorization could not be completed
    torch.linalg.cholesky(-a @ a.mT)  # because the input is not positive-definite (the leading minor of order 1 is not
    torch.cholesky(-torch.eye(3))  # cholesky: The factorization could not be completed
    torch.linalg.cholesky(torch.stack([torch.eye(3), -torch.eye(3)]))  # (Batch element 1): The factorization
    torch.linalg.cholesky_ex(-torch.eye(3), check_errors=True)  # linalg.cholesky_ex
    torch.linalg.cholesky(a.half())  # "cholesky_cpu" not implemented for 'Half'
    torch.linalg.qr(a, mode='x')  # qr received unrecognized mode 'x'
    torch.linalg.qr(a, 3)  #
    torch.linalg.svd(a, driver='gesvd')  # only supported on CUDA inputs
    torch.linalg.svd(a * nan)  # contained non-finite values
    torch.linalg.eigh(a, 'X')  # Expected UPLO argument to be 'L' or 'U', but got X
    torch.linalg.solve(torch.zeros(3, 3), a)  # torch.linalg.solve: The solver failed because the input
    torch.linalg.solve(torch.zeros(2, 3, 3), a)  # (Batch element 0): The solver failed
    torch.linalg.solve(a, a[:2])  # Incompatible shapes of A and B for the equation AX = B (3x3 and 2x3)
    torch.linalg.solve(a, a.double())  # Expected A and B to have the same dtype, but found A of type Float
    torch.linalg.solve(a, a[:, :2], left=False)  # XA = B (3x3 and 3x2)
    torch.linalg.lu_factor(torch.zeros(2, 2))  # U[1,1] is zero and using it on lu_solve
    torch.linalg.lu_factor(a, pivot=False)  # LU without pivoting is not implemented on the CPU
    torch.linalg.lu_solve(a, torch.ones(3), a)  # pivots should be a Tensor of scalar type torch.int32
    torch.linalg.lu_solve(a, torch.ones(2, dtype=torch.int32), a)  # Number of pivots per batch
    torch.lu_unpack(a, torch.full((3,), 7, dtype=torch.int32))  # between 1 and LU.size(-2) inclusive
    torch.lu_unpack(a, a[0])  # torch.int32 dtype
    torch.linalg.lstsq(a, a, driver='x')  # should be one of (gels, gelsy, gelsd, gelss)
    torch.linalg.lstsq(a, a[:2])  # input.size(-2) should match other.size(-2)
    torch.linalg.lstsq(a, a.double())  # input's dtype Float and other's dtype Double
    torch.linalg.matrix_norm(a, 3)  # Order 3 not supported
    torch.linalg.matrix_norm(a, 'x')  # Order x not supported
    torch.linalg.matrix_norm(a, dim=(0,))  # dim must be a 2-tuple
    torch.linalg.matrix_norm(a, dim=(0, 0))  # dims must be different. Got (0, 0)
    torch.linalg.vector_norm(a, dim=(0, 0))  # dim 0 appears multiple times
    torch.linalg.vector_norm(a, dtype=torch.int32)  # dtype should be floating point or complex, but got Int
    torch.linalg.vector_norm(a.double(), dtype=torch.float32)  # without narrowing
    torch.linalg.vector_norm(torch.zeros(0), inf)  # cannot compute the inf norm on an empty tensor
    torch.linalg.norm(a, ord=2, dim=(0, 1, 2))  # it must be of length 1 or 2. Got [0, 1, 2]
    torch.linalg.norm(torch.ones(2, 2, 2), ord=2)  # the input must be 1D or 2D. Got 3D
    torch.linalg.cond(a, 3)  # invalid norm type: 3
    torch.linalg.cond(a[:2], 1)  # linalg.cond(ord=1): A must be batches of square matrices
    torch.linalg.multi_dot([a])  # expected at least 2 tensors but got 1
    torch.linalg.multi_dot([a, a[:2]])  # tensors 0 and 1 with shapes [3, 3] and [2, 3] cannot be multiplied
    torch.linalg.multi_dot([a, torch.ones(2, 2, 2), a])  # tensor 1 must be 2D but got 3D
    torch.chain_matmul()  # Expected one or more matrices
    torch.linalg.tensorinv(a, 0)  # strictly positive
    torch.linalg.vander(a, N=1)  # greater than 1
    torch.linalg.householder_product(a[:2], a[0])  # input.shape[-2] must be greater than or equal to input.shape[-1]
    torch.orgqr(a, a[0].double())  # tau dtype Double does not match input dtype Float
    torch.ormqr(a, a[0], a[:2])  # other.shape[-2] must be equal to input.shape[-2]
    torch.cholesky_inverse(torch.zeros(3, 3))  # cholesky_inverse: The diagonal element 1 is zero
    torch.triangular_solve(a[0], a)  # Expected b to have at least 2 dimensions
    torch.triangular_solve(a[:2], a)  # Incompatible matrix sizes for triangular_solve
    torch.cdist(a, a, p=-1)  # non-negative
    torch.cdist(a, a, compute_mode='x')  # x is not a valid value
    torch.cdist(a, a, p='x')  # must be float, not str
    torch.tensordot(a, a, dims=5)  # but got dims=5
    torch.tensordot(a, a, dims=-1)  # but got dims=-1
    torch.tensordot(a, a[:2], dims=1)  # contracted dimensions need to match
    torch.tensordot(a, a, dims=([0], [0, 1]))  # same length
    torch.einsum('ij', a, a)  # more operands were provided
    torch.einsum('ij,jk', a)  # fewer operands were provided
    torch.einsum('ijk', a)  # the number of subscripts in the equation (3) does not match the number of dimensions (2)
    torch.einsum('ij->ik', a)  # output subscript k does not appear
    torch.einsum('ij->ii', a)  # appears more than once in the output
    torch.einsum('i1', a)  # invalid subscript given at index 1
    torch.einsum('ij->i->j', a)  # invalid subscript given at index
    torch.einsum('i...j...', a)  # already found
    torch.einsum('i..', a)  # not part of any ellipsis
    torch.einsum('ij,jk->ik', a, a[:2])  # subscript j has size 2 for operand 1 which does not broadcast
    torch.einsum('ii', a[:2])  # subscript i is repeated for operand 0 but the sizes don't match, 3 != 2
    torch.einsum(3)  # must specify the equation string
    torch.einsum(a, [0, 52])  # valid range [0, 52)
    torch.solve(a, a)  # `torch.solve` is deprecated in favor of `torch.linalg.solve`
    torch.lstsq(a, a)  # `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`
    torch.eig(a)  # was deprecated since version 1.9 and is now removed
    torch.symeig(a)  # was deprecated since version 1.9 and is now removed
    torch.matrix_rank(a)  # was deprecated since version 1.9 and is now removed
    a.symeig()  # was deprecated since version 1.9 and is now removed
    a.eig()  # was deprecated since version 1.9 and is now removed
""")
ROWS += codes(("f32 3x3",), """
    torch.linalg.LinAlgError.__name__, issubclass(torch.linalg.LinAlgError, RuntimeError)
    torch.linalg.inv_ex(torch.zeros(2, 2)).info
    torch.linalg.cholesky_ex(-torch.eye(2)).info
    torch.linalg.lu_factor_ex(torch.zeros(2, 2))
    torch.linalg.solve_ex(torch.zeros(2, 2), torch.ones(2)).info
    type(torch.linalg.svd(a)).__name__
    [torch.linalg.cond(torch.zeros(2, 2), p) for p in (None, 1, 'fro')]
    torch.slogdet(torch.zeros(2, 2)), torch.logdet(-torch.eye(3)), torch.logdet(torch.zeros(2, 2))
    torch.linalg.det(torch.zeros(0, 0)), torch.linalg.slogdet(torch.zeros(0, 0))
""")
