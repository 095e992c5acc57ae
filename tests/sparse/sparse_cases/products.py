"""Products of matrices, and solving with them."""

from .program import each, instead, plain

GROUPS = {}

GROUPS["mm"] = (
    each("torch.{op}({x}, {y})", op="mm matmul".split(), x="d a u r c", y="d43 tall tallu rtall ctall")
    + each("torch.sparse.mm({x}, {y})", dense="torch.mm({x}, {y})", x="d a u r c", y="d43 tall tallu rtall ctall")
    + each("torch.mm({x}, {y})", x="d46 m q", y="d62 d64 m2.t() q2.t()".split())
    + each("{x}_{t} @ d43_{t}", x="a u r c", t="f32 f16 bf16 i64 bool c128 c64")
    + each("{x}_{t} @ {y}_{t}", x="a r", y="tall rtall", t="f32 i64 c128")
    + each("m_{t} @ d62_{t}", t="f32 c128 i64")
    + plain("""
    a @ d43
    d24 @ tall
    d24 @ rtall
    d24 @ ctall
    d24 @ tallu
    e @ d43
    e @ tall
    re @ d43
    re @ rtall
    r @ re.t()
    ex @ d43
    z @ d43
    sq @ sq
    squ @ squ
    rsq @ rsq
    csq @ csq
    rsq @ csq
    msq @ msq
    sq @ d44
    sq.t() @ d44
    rsq.t() @ d44
    a @ d43.t().contiguous().t()
    r @ d43.t().contiguous().t()
    a @ torch.zeros(4, 0, dtype=torch.float64)
    r @ torch.zeros(4, 0, dtype=torch.float64)
    a @ wave(4, 1)
    r @ wave(4, 1)
    a @ wave(4, 20)
    r @ wave(4, 20)
    a.mm(d43)
    a.matmul(d43)
    torch.spmm(a, d43)
    torch.spmm(a, tall)
    torch.dsmm(a, d43)
    torch.mm(a, d43, out=torch.zeros(3, 3, dtype=torch.float64))
    torch.mm(r, d43, out=torch.zeros(3, 3, dtype=torch.float64))
    n @ d43
    torch.linalg.multi_dot([a, d43])
    torch.chain_matmul(a, d43)
    torch.einsum("ij,jk->ik", a, d43)
    torch.tensordot(a, d43, 1)
    a @ d43 @ a.to_dense()
    F.linear(d24, a)
    F.linear(d24, r)
    F.linear(d24, c)
    F.linear(d46, m)
    F.linear(d24, a, d3)
    F.linear(d4, r, d3)
    F.linear(d234, r)
    torch.inner(a, d)
    torch.outer(v, v)
""")
    + instead("""
    torch.sparse.mm(r, d43, "sum") | torch.mm(r, d43)
    torch.sparse.mm(a, d43, "sum") | torch.mm(a, d43)
    torch.sparse.mm(sq, sq) | torch.mm(sq, sq)
    torch.sparse.mm(a_f32, d43_f32) | torch.mm(a_f32, d43_f32)
""")
    + plain(
        """
    torch.sparse.mm(r, d43, "mean")
    torch.sparse.mm(r, d43, "amax")
    torch.sparse.mm(r, d43, "amin")
    torch.sparse.mm(r, d43, reduce="mean")
    torch.sparse.mm(re, d43, "amax")
    torch.sparse.mm(rtall, d34, "mean")
    torch.sparse.mm(r_f32, d43_f32, "amax")
""".replace("d34", "d")
    )
)

GROUPS["mv"] = (
    each("{x} @ {y}", x="d a u r c", y="d4 v vu")
    + each("torch.mv({x}, {y})", x="a u r c e re", y="d4")
    + each("d3 @ {x}", x="a u r c")
    + plain("""
    m @ d6
    q @ d6
    v @ d4
    d4 @ v
    torch.dot(v, d4)
    torch.dot(v, v)
    torch.vdot(v, v)
    a_i64 @ d4_i64
    a_f32 @ d4_f32
    r_f32 @ d4_f32
    r_c128 @ d4_c128
    a.mv(d4)
    torch.addmv(d3, a, d4)
    torch.addmv(d3, r, d4)
    torch.addmv(d3, c, d4)
    torch.addmv(d3, r, d4, beta=2, alpha=0.5)
""")
)

GROUPS["addmm"] = (
    each("torch.addmm({z}, {x}, {y})", z="d33 low rlow", x="d a r c", y="d43 tall rtall ctall")
    + each(
        "torch.sparse.addmm({z}, {x}, {y})",
        dense="torch.addmm({z}, {x}, {y})",
        z="d33 low rlow",
        x="a u r c",
        y="d43 tall rtall",
    )
    + plain("""
    torch.addmm(d33, a, d43, beta=2, alpha=3)
    torch.addmm(d33, u, d43, beta=0.5)
    torch.addmm(d33, a, d43, beta=0)
    torch.addmm(d33, r, d43, beta=2, alpha=3)
    torch.addmm(d33, r, d43, beta=0)
    torch.addmm(d33 * float("nan"), r, d43, beta=0)
    torch.addmm(d33 * float("nan"), a, d43, beta=0)
    torch.addmm(rlow, r, rtall, beta=2, alpha=3)
    torch.addmm(rlow, r, rtall, beta=0)
    torch.addmm(d3, a, d43)
    torch.addmm(d3, r, d43)
    torch.addmm(d31, a, d43)
    torch.addmm(torch.tensor(1.0, dtype=torch.float64), a, d43)
    torch.addmm(d33_f32, a_f32, d43_f32)
    torch.addmm(d33_i64, a_i64, d43_i64)
    torch.addmm(d33_c128, u_c128, d43_c128, alpha=2)
    torch.addmm(wave(4, 2), m, d62)
    torch.addmm(wave(4, 2), m, d62, beta=2, alpha=3)
    d33.addmm(a, d43)
    d33.addmm_(a, d43); d33
    d33.addmm_(r, d43, beta=2, alpha=3); d33
    torch.addmm(d33, a, d43, out=torch.zeros(3, 3, dtype=torch.float64))
""")
    + instead("""
    torch.sparse.addmm(d33, a, d43, beta=2, alpha=3) | torch.addmm(d33, a, d43, beta=2, alpha=3)
    torch.sparse.addmm(d33, r, d43, beta=0.5, alpha=2) | torch.addmm(d33, r, d43, beta=0.5, alpha=2)
    torch.sparse.addmm(rlow, r, rtall, beta=0.5, alpha=2) | torch.addmm(rlow, r, rtall, beta=0.5, alpha=2)
    torch.sparse.addmm(d3, a, d43) | torch.addmm(d3, a, d43)
""")
)

GROUPS["smm"] = instead("""
    torch.smm(a, d43) | torch.mm(a, d43)
    torch.smm(u, d43) | torch.mm(u, d43)
    torch.smm(e, d43) | torch.mm(e, d43)
    torch.smm(sq, d44) | torch.mm(sq, d44)
    torch.smm(a_f32, d43_f32) | torch.mm(a_f32, d43_f32)
    torch.smm(r, d43) | torch.mm(r, d43)
    a.smm(d43) | a.mm(d43)
    torch.hspmm(a, d43) | torch.mm(a, d43)
    torch.hspmm(u, d43) | torch.mm(u, d43)
    torch.hspmm(e, d43) | torch.mm(e, d43)
    torch.hspmm(sq, d44) | torch.mm(sq, d44)
    torch.hspmm(a_f32, d43_f32) | torch.mm(a_f32, d43_f32)
    torch.hspmm(r, d43) | torch.mm(r, d43)
    torch.hsmm(a, d43) | torch.mm(a, d43)
    torch.saddmm(sq, sq, d44) | torch.addmm(sq, sq, d44)
    torch.saddmm(sq, sq, d44, beta=2, alpha=0.5) | torch.addmm(sq, sq, d44, beta=2, alpha=0.5)
    torch.sspaddmm(sq, sq, d44) | torch.addmm(sq, sq, d44)
    torch.sspaddmm(sq, squ, d44) | torch.addmm(sq, squ, d44)
    torch.sspaddmm(squ, sq, d44) | torch.addmm(squ, sq, d44)
    torch.sspaddmm(sq, squ, d44, beta=2, alpha=0.5) | torch.addmm(sq, squ, d44, beta=2, alpha=0.5)
    torch.sspaddmm(a, a, d44) | torch.addmm(a, a, d44)
    torch.sspaddmm(a, u, d44) | torch.addmm(a, u, d44)
    torch.sspaddmm(e, a, d44) | torch.addmm(e, a, d44)
    torch.sspaddmm(a_f32, a_f32, d44_f32) | torch.addmm(a_f32, a_f32, d44_f32)
    torch.sspaddmm(sq, rsq, d44) | torch.addmm(sq, rsq, d44)
    sq.sspaddmm(sq, d44, beta=2) | sq.addmm(sq, d44, beta=2)
""")

GROUPS["bmm"] = each("torch.{op}({x}, {y})", op="bmm matmul", x="d234 t tu rb cb", y="d243") + plain("""
    torch.bmm(d243, t)
    torch.bmm(t, t.transpose(1, 2))
    torch.bmm(t_f32, d243_f32)
    torch.bmm(t_i64, d243_i64)
    torch.bmm(t_c128, d243_c128)
    torch.bmm(mb, d264)
    torch.bmm(qb, d264)
    torch.bmm(rb, rb.transpose(1, 2))
    torch.matmul(t, d43)
    torch.matmul(rb, d43)
    torch.matmul(d243, a)
    torch.matmul(d243, r)
    torch.matmul(a, d243)
    torch.matmul(r, d243)
    torch.matmul(t, d4)
    torch.baddbmm(d233, t, d243)
    torch.baddbmm(d233, rb, d243)
    t @ d243
    torch.bmm(torch.sparse_coo_tensor(size=(2, 3, 4), dtype=torch.float64), d243)
""")

GROUPS["sampled_addmm"] = plain("""
    torch.sparse.sampled_addmm(r, d32, d24)
    torch.sparse.sampled_addmm(r, d32, d24, alpha=2, beta=0.5)
    torch.sparse.sampled_addmm(r, d32, d24, beta=0)
    torch.sparse.sampled_addmm(r, d32, d24, alpha=0)
    torch.sparse.sampled_addmm(re, d32, d24)
    torch.sparse.sampled_addmm(r, d31, d14)
    torch.sparse.sampled_addmm(r_f32, d32_f32, d24_f32)
    torch.sparse.sampled_addmm(r_c128, d32_c128, d24_c128)
    torch.sparse.sampled_addmm(r_i64, d32_i64, d24_i64)
    torch.sparse.sampled_addmm(rb, wave(2, 3, 2), wave(2, 2, 4))
    torch.sparse.sampled_addmm(r, d32, wave(4, 2).t())
    torch.sparse.sampled_addmm(r, d32, d24, out=r)
    torch.sparse.sampled_addmm(m, d42, wave(2, 6))
""") + instead("""
    torch.sparse.sampled_addmm(a, d32, d24) | (a != 0) * (a + d32 @ d24)
    torch.sparse.sampled_addmm(c, d32, d24) | (c != 0) * (c + d32 @ d24)
""")

GROUPS["spdiags"] = each(
    "torch.sparse.spdiags({x}, torch.tensor({offsets}), {size}{layout})",
    x=["d24"],
    offsets=["[0, 1]", "[0, -1]", "[-2, 3]", "[1, 0]"],
    size=["(4, 4)", "(3, 5)"],
    layout=["", ", torch.sparse_csr", ", torch.sparse_csc"],
) + plain(
    """
    torch.sparse.spdiags(d4, torch.tensor(0), (4, 4))
    torch.sparse.spdiags(d4, torch.tensor([2]), (4, 4))
    torch.sparse.spdiags(d24_f32, torch.tensor([0, 1]), (4, 4))
    torch.sparse.spdiags(d24_i64, torch.tensor([0, 1]), (4, 4))
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4, 4), layout=torch.sparse_csr)
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4, 4)).to_dense()
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (2, 2))
    torch.sparse.spdiags(d34, torch.tensor([-1, 0, 1]), (4, 4))
""".replace("d34", "d")
)

GROUPS["solve"] = plain("""
    torch.triangular_solve(d33, rup)
    torch.triangular_solve(d33, rlow, upper=False)
    torch.triangular_solve(d33, rup, transpose=True)
    torch.triangular_solve(d33, rup, unitriangular=True)
    torch.triangular_solve(d33, rlow, upper=False, transpose=True)
    torch.triangular_solve(d31, rup)
    torch.triangular_solve(d33_f32, rup_f32)
    torch.triangular_solve(d33_c128, rup_c128)
    torch.triangular_solve(d33, low, upper=False)
    d33.triangular_solve(rup)
    torch.linalg.solve_triangular(rlow, d33, upper=False)
    torch.linalg.solve_triangular(low, d33, upper=False)
    torch.linalg.solve(rsq, d4)
    torch.linalg.solve(sq, d4)
""") + instead("""
    torch.sparse.spsolve(rsq, d4) | torch.linalg.solve(rsq, d4)
    torch.sparse.spsolve(csq, d4) | torch.linalg.solve(csq, d4)
""")
