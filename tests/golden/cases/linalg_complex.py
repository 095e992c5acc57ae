"""Linear algebra of complex matrices, LDL, and methods. Factors have a phase each, so what they make is compared."""

from golden.row import codes, each, errors

C = "c64 c128"
SQUARE = each(C, "$ 3x3 nonzero", "$ 4x4 distinct", "$ 1x1 nonzero", "$ 0x0", "$ 2x3x3 nonzero", "$ 0x3x3", "$ 2x0x0",
              "$ 3x3 T nonzero", "$ 3x3 S nonzero")
RECTANGULAR = each(C, "$ 3x3 nonzero", "$ 4x3 nonzero", "$ 3x4 nonzero", "$ 5x2 distinct", "$ 1x3", "$ 3x1", "$ 0x3",
                   "$ 3x0", "$ 0x0", "$ 2x4x3 nonzero", "$ 2x1x3x2 distinct", "$ 4x3 T nonzero", "$ 3x4 S nonzero")
WRONG = ("c64 3", "c64 -", "c64 2x3", "c64 2x2x3")
POSITIVE = "a @ a.mH + 9 * torch.eye(a.shape[-1], dtype=a.dtype)"

ROWS = [
    *codes(SQUARE + WRONG, """
        torch.linalg.det(a)
        torch.linalg.slogdet(a)
        torch.linalg.inv(a)
        torch.linalg.inv_ex(a)
        torch.linalg.matrix_power(a, 3)
        torch.linalg.matrix_power(a, -2)
        torch.linalg.matrix_exp(a / 50)
        torch.linalg.eigvalsh(a)
        torch.linalg.eigvalsh(a, UPLO='U')
        torch.linalg.matrix_rank(a)
        torch.linalg.matrix_rank(a, hermitian=True)
        torch.linalg.lu_factor(a)
        torch.linalg.lu_factor_ex(a)
        torch.linalg.ldl_factor_ex(a)
        torch.linalg.ldl_factor_ex(a, hermitian=True)
        torch.linalg.ldl_factor(a, hermitian=True).pivots
    """, "near"),
    *codes(SQUARE, f"""
        torch.linalg.slogdet(a).sign.abs(), torch.logdet(a).real
        torch.linalg.cholesky({POSITIVE})
        torch.linalg.cholesky({POSITIVE}, upper=True)
        torch.cholesky({POSITIVE}, upper=True)
        torch.linalg.cholesky_ex({POSITIVE})
        torch.cholesky_inverse(torch.linalg.cholesky({POSITIVE}))
        torch.cholesky_inverse(torch.linalg.cholesky({POSITIVE}, upper=True), True)
        w, v = torch.linalg.eigh(a); x = torch.tril(a, -1); (v * w.unsqueeze(-2)) @ v.mH / 64
        w, v = torch.linalg.eigh(a, 'U'); ((v * w.unsqueeze(-2)) @ v.mH) / 64, v.mH @ v
        torch.linalg.eigvals(a).sum(-1) / 64
        torch.linalg.eigvals(a).abs().sort(-1).values
        w, v = torch.linalg.eig(a); (a @ v - w.unsqueeze(-2) * v).abs() < 1e-3
        torch.linalg.eig(a).eigenvectors.abs().square().sum(-2)
        torch.linalg.pinv(a + a.mH, hermitian=True) if a.numel() and a.shape[-1] != 1 else None
        torch.linalg.cond(a)
        torch.linalg.cond(a, 1)
        torch.linalg.cond(a, 'nuc')
        torch.inverse(a)
        a.det(), a.slogdet().logabsdet, a.inverse()
    """, "near"),
    *codes(RECTANGULAR, """
        q, r = torch.linalg.qr(a); (q @ r / 64, q.mH @ q, r.abs())
        q, r = torch.linalg.qr(a, 'complete'); (q @ r / 64, q.mH @ q, r.abs())
        torch.linalg.qr(a, mode='r').R.abs()
        torch.linalg.svdvals(a)
        u, s, v = torch.linalg.svd(a, full_matrices=False); ((u * s.unsqueeze(-2)) @ v / 64, u.mH @ u)
        u, s, v = torch.linalg.svd(a); (u.shape, s, v.shape, u.mH @ u, v @ v.mH)
        u, s, v = torch.svd(a); (u * s.unsqueeze(-2)) @ v.mH / 64
        torch.svd(a, compute_uv=False)
        p, l, u = torch.linalg.lu(a); (p @ l @ u / 64, p, l)
        torch.linalg.pinv(a) @ a
        torch.linalg.pinv(a, rtol=0.3).shape
        torch.pinverse(a)
        torch.geqrf(a).a.abs()
        torch.linalg.matrix_norm(a)
        torch.linalg.matrix_norm(a, 1)
        torch.linalg.matrix_norm(a, -1) if a.numel() else None
        torch.linalg.matrix_norm(a, 'nuc')
        torch.linalg.matrix_norm(a, 2)
        torch.linalg.norm(a, 'nuc', dim=(0, 1)) if a.dim() == 2 else None
        torch.linalg.norm(a)
        torch.norm(a), torch.norm(a, 1), torch.norm(a, 'fro')
        a.norm(3, dim=-1, keepdim=True)
        torch.linalg.vector_norm(a, 0)
        torch.linalg.vector_norm(a, 0.5)
        torch.linalg.vector_norm(a, 1, dim=-1)
        torch.linalg.vector_norm(a, inf, 0) if a.size(0) else None
        torch.linalg.vector_norm(a, dtype=torch.complex128)
        torch.dist(a, a * 2, 3)
        a.dist(a.real, inf) if a.numel() else None
    """, "near"),
]
PAIRS = each(C, "$ 3x3 nonzero;$ 3", "$ 3x3 nonzero;$ 3x2", "$ 2x3x3 nonzero;$ 3x2", "$ 2x3x3 nonzero;$ 2x3",
             "$ 3x3 nonzero;$ 2x3x2", "$ 0x0;$ 0x2", "$ 3x3 nonzero;$ 3x0", "$ 3x3 T nonzero;$ 3x2 T",
             "$ 3x3 S nonzero;$ 3x2 S", "$ 0x3x3;$ 0x3x2") + (
    "c64 3x3 nonzero;c64 2", "c64 3x3 nonzero;f32 3x3", "f32 3x3 nonzero;c64 3x3", "c64 3x3 nonzero;c128 3x3")
MATRICES = tuple(k for k in PAIRS if k.split(";")[1].split()[1] not in ("2", "3", "2x3"))
TALL = each(C, "$ 4x2 distinct;$ 4x3", "$ 4x2 distinct;$ 4", "$ 2x4x2 nonzero;$ 2x4x1", "$ 3x3 nonzero;$ 3x1",
            "$ 2x4 nonzero;$ 2x3", "$ 4x2 T distinct;$ 4x1 S", "$ 0x2x4;$ 0x2x3", "$ 4x0;$ 4x2")
ROWS += [
    *codes(PAIRS, """
        torch.linalg.solve(a, b)
        torch.linalg.solve_ex(a, b)
    """, "near"),
    *codes(MATRICES, """
        torch.linalg.solve(a, b.mT, left=False)
        torch.linalg.solve_triangular(a, b, upper=True)
        torch.linalg.solve_triangular(a, b.mT, upper=False, left=False)
        torch.linalg.solve_triangular(a, b, upper=False, unitriangular=True)
        torch.triangular_solve(b, a)
        torch.triangular_solve(b, a, transpose=True).solution
        torch.cholesky_solve(b, a)
        b.cholesky_solve(a, True)
        f = torch.linalg.ldl_factor_ex(a); torch.linalg.ldl_solve(f.LD, f.pivots, b)
        f = torch.linalg.ldl_factor_ex(a, hermitian=True); torch.linalg.ldl_solve(f.LD, f.pivots, b, hermitian=True)
        f = torch.linalg.lu_factor(a); torch.linalg.lu_solve(f.LU, f.pivots, b)
        f = torch.linalg.lu_factor(a); torch.linalg.lu_solve(f.LU, f.pivots, b, adjoint=True)
        f = torch.linalg.lu_factor(a); torch.linalg.lu_solve(f.LU, f.pivots, b.mT, left=False)
        f = torch.linalg.lu_factor(a); torch.linalg.lu_solve(f.LU, f.pivots, b.mT, left=False, adjoint=True)
        f = torch.lu(a); torch.lu_solve(b, *f)
        torch.linalg.tensorsolve(a, b[:, 0]) if b.dim() == 2 and b.numel() else None
    """, "near"),
    *codes(TALL, """
        torch.linalg.lstsq(a, b)
        torch.linalg.lstsq(a, b, driver='gelsd')
        torch.linalg.lstsq(a, b, driver='gelss')
        torch.linalg.lstsq(a, b, driver='gels')
        torch.linalg.lstsq(a, b, rcond=0.1).rank
    """, "near"),
    *codes(each(C, "$ 4x3 nonzero;$ 4x2", "$ 3x3 nonzero;$ 3x3", "$ 2x4x3 nonzero;$ 2x4x2"), """
        g, tau = torch.geqrf(a); torch.orgqr(g, tau).abs()
        g, tau = torch.geqrf(a); torch.linalg.householder_product(g, tau).mH @ torch.orgqr(g, tau)
        g, tau = torch.geqrf(a); torch.ormqr(g, tau, torch.ormqr(g, tau, b), transpose=True)
        g, tau = a.geqrf(); g.ormqr(tau, g.ormqr(tau, b.mH, left=False), False, True)
    """, "near"),
    *codes(each(C, "$ 3x4;$ 4x5") + ("c64 3;c64 3", "c64 2x3;c64 2x3", "c64 3;c128 3", "c64 0;c64 0"), """
        torch.linalg.vecdot(a, b)
        torch.linalg.vecdot(a, b, dim=0)
        torch.linalg.cross(a, b)
        torch.linalg.multi_dot([a, b])
        torch.tensordot(a, b, 1)
        torch.einsum('ij,jk->ki', a, b)
        torch.linalg.matmul(a, b)
        torch.cdist(a, b)
    """, "near"),
    *codes(each(C, "$ 3", "$ 2x3", "$ 3x3"), """
        torch.linalg.vander(a)
        torch.linalg.vander(a, N=4)
        torch.linalg.diagonal(a)
        torch.linalg.tensorinv(a, ind=1) if a.dim() == 2 else None
        torch.chain_matmul(a, a.mT, a) if a.dim() == 2 else None
    """, "near"),
]
# real: LDL, nuclear norms, methods
F = "f32 f64"
SYMMETRIC = each(F, "$ 3x3 nonzero", "$ 4x4 distinct", "$ 1x1 nonzero", "$ 0x0", "$ 2x3x3 nonzero", "$ 0x3x3",
                 "$ 3x3 T nonzero", "$ 4x4 S distinct")
ROWS += [
    *codes(SYMMETRIC + ("f16 3x3", "i64 3x3", "f32 3", "f32 2x3"), """
        torch.linalg.ldl_factor(a + a.mT if a.dim() > 1 and a.size(-1) == a.size(-2) else a)
        torch.linalg.ldl_factor_ex(a, hermitian=True)
        torch.linalg.ldl_factor_ex(a)
        torch.cholesky(a)
        a.cholesky()
        a.geqrf().tau.shape
        a.logdet().shape
    """, "near"),
    *codes(each(F, "$ 3x3 nonzero;$ 3x2", "$ 2x3x3 nonzero;$ 3x2", "$ 3x3 nonzero;$ 2x3x2", "$ 0x0;$ 0x2",
                "$ 4x4 S distinct;$ 4x2 T") + ("f32 3x3;f64 3x2", "f32 3x3;f32 3", "f32 3x3;f32 2x2", "f16 2x2;f16 2x2",
                                              "i64 2x2;i64 2x2"), """
        f = torch.linalg.ldl_factor_ex(a); torch.linalg.ldl_solve(f.LD, f.pivots, b)
        a.dist(b, 1) if a.shape[-1] == 2 else None
    """, "near"),
    *codes(each(F, "$ 3x3 nonzero"), """
        (a @ a.mT + 9 * torch.eye(3, dtype=a.dtype)).cholesky(upper=True)
        g, tau = a.geqrf(); (g.ormqr(tau, g.triu()) / 8)
        (a @ a.mT).logdet(), a.geqrf().a.abs()
        a.dist(torch.zeros(3, dtype=a.dtype)), a.dist(a + 1, p=inf)
    """, "near"),
    *codes(each(F, "$ 2x3", "$ 3x3 T", "$ 0x3") + ("f32 2x3x2", "f32 3", "f32 -", "i64 2x3", "f16 2x3"), """
        torch.norm(a, 'nuc')
        a.norm('nuc', keepdim=True)
        torch.norm(a, 'nuc', dim=(0, 1))
        torch.norm(a, 'nuc', dim=0)
        torch.norm(a, p='nuc', dim=(1, 0), dtype=torch.float64)
        torch.linalg.matrix_norm(a, 2, dtype=torch.float64)
    """, "near"),
]
ROWS += errors(("c64 3x3 nonzero",), """
    torch.linalg.inv(torch.zeros(2, 2, dtype=torch.complex64))  # linalg.inv: The diagonal element 1 is zero
    torch.linalg.cholesky(a)  # linalg.cholesky: The factorization could not be completed
    torch.linalg.solve(a * 0, a)  # torch.linalg.solve: The solver failed because the input matrix is singular
    torch.linalg.solve(a, a.real)  # Expected A and B to have the same dtype, but found A of type ComplexFloat
    torch.linalg.svd(a * nan)  # contained non-finite values
    torch.linalg.eigh(a.real * nan)  # linalg.eigh: The algorithm failed to converge
    torch.linalg.pinv(a * nan)  # non-finite
    torch.linalg.ldl_factor(a[:2])  # must be batches of square matrices, but they are 2 by 3 matrices
    torch.linalg.ldl_solve(a, torch.ones(3), a)  # Expected pivots to be integers. Got Float
    torch.linalg.ldl_solve(a, torch.ones(2).int(), a)  # Expected LD.shape[:-1] and pivots.shape to be the same
    torch.linalg.ldl_solve(a, torch.ones(3).int(), a[:2])  # Incompatible matrix sizes for torch.linalg.ldl_solve
    torch.linalg.ldl_solve(a, torch.ones(3).int(), a.real)  # Expected b and A to have the same dtype
    torch.linalg.vector_norm(a, 1j)  # Expected a non-complex scalar as the order of norm
    torch.linalg.vector_norm(a, dtype=torch.float64)  # dtype should be complex for complex inputs, but got Double
    torch.linalg.vector_norm(a.real, dtype=torch.complex64)  # dtype should be real for real inputs, but got Complex
    torch.linalg.matrix_rank(a, atol=torch.tensor(1j))  # atol tensor of complex type is not supported
    torch.linalg.pinv(a, rtol=torch.tensor(1j))  # of complex type is not supported
    torch.linalg.cross(a[0], a)  # linalg.cross: inputs must have the same number of dimensions
    torch.linalg.svdvals(a, out=torch.zeros(3, dtype=torch.complex64))  #
""")
ROWS += codes(("c64 3x3 nonzero",), """
    torch.linalg.qr(a * nan).R.shape
    torch.linalg.inv(a * nan).isnan().all()
    torch.linalg.lu_factor_ex(a * nan).info
    torch.linalg.solve_ex(a * 0, a).info
    torch.linalg.cholesky_ex(a).info
    torch.linalg.ldl_factor_ex(a * 0).info
    o = torch.empty(0); r = torch.linalg.svdvals(a, out=o); (r is o, o)
    u, s, v = torch.empty(0).cfloat(), torch.empty(0), torch.empty(0).cfloat(); torch.linalg.svd(a, out=(u, s, v)); s
    torch.linalg.qr(a).Q.stride(), torch.linalg.eig(a).eigenvectors.stride(), torch.linalg.svd(a).U.stride()
    torch.linalg.ldl_factor(a).LD.stride(), torch.linalg.eigh(a).eigenvectors.stride()
""", "near")
