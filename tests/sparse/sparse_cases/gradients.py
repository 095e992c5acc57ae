"""Gradients."""

from .program import gradient

GROUPS = {}

GROUPS["gradients of conversions"] = gradient("""
    a.to_dense() ; a
    u.to_dense() ; u
    h.to_dense() ; h
    hu.to_dense() ; hu
    a.to_dense(masked_grad=True) ; a
    a.to_dense(masked_grad=False) ; a
    r.to_dense() ; r
    r.to_dense(masked_grad=False) ; r
    rb.to_dense() ; rb
    c.to_dense() ; c
    m.to_dense() ; m
    q.to_dense() ; q
    d.to_sparse() ; d
    d.to_sparse(1) ; d
    d342.to_sparse(2) ; d342
    d.to_sparse_csr() ; d
    d.to_sparse_csc() ; d
    d46.to_sparse_bsr((2, 2)) ; d46
    d46.to_sparse_bsc((2, 2)) ; d46
    a.to_sparse_csr() ; a
    u.to_sparse_csr() ; u
    a.to_sparse_csc() ; a
    r.to_sparse() ; r
    r.to_sparse_csc() ; r
    c.to_sparse() ; c
    m.to_sparse() ; m
    r.to_sparse_bsr((1, 2)) ; r
    a.to_sparse_bsr((1, 2)) ; a
    a.coalesce() ; a
    u.coalesce() ; u
    hu.coalesce() ; hu
    a.clone() ; a
    u.clone() ; u
    r.clone() ; r
    a.float() ; a
    r.float() ; r
    a.to(torch.complex128) ; a
    a_f32.to(torch.float64) ; a_f32
    torch.sparse_coo_tensor([[0, 1, 0]], d3, (3,)) ; d3
    torch.sparse_coo_tensor([[0, 1, 0]], d3, (3,)).coalesce() ; d3
    torch.sparse_coo_tensor([[0, 1, 0]], d3, (3,)).coalesce().values() ; d3
    torch.sparse_coo_tensor([[0, 1, 0]], d32, (3, 2)) ; d32
    torch.sparse_coo_tensor([[0, 1, 2], [2, 1, 0]], d3, (3, 3)).to_dense() ; d3
    torch.sparse_csr_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2)) ; d3
    torch.sparse_csr_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2)).values() ; d3
    torch.sparse_csc_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2)) ; d3
    torch.sparse_compressed_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2), layout=torch.sparse_csr) ; d3
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], d246[:, :2, :3], (4, 6)) ; d246
    a.values() ; a
    a.coalesce().values() ; a
    u.coalesce().values() ; u
    h.values() ; h
    r.values() ; r
    r.values() * 2 ; r
    d.sparse_mask(a) ; d
    d.sparse_mask(u) ; d
    d.sparse_mask(r) ; d | d * (r != 0)
    b.sparse_mask(a) ; b
    w.sparse_mask(a) ; w
    r2.sparse_mask(r) ; r2 | r2 * (r != 0)
    d342.sparse_mask(h) ; d342
""")
GROUPS["gradients of shapes"] = gradient("""
    a.t() ; a
    u.t() ; u
    r.t() ; r
    c.t() ; c
    a.transpose(0, 1) ; a
    h.transpose(0, 1) ; h
    t.permute(2, 0, 1) ; t
    a.unsqueeze(0) ; a
    row.squeeze(0) ; row
    a.select(0, 0) ; a
    a[0] ; a
    a[0, 1] ; a
    a[:, 1] ; a
    u[0] ; u
    h[0] ; h
    v[0] ; v
    r[0] ; r
    r[0, 1] ; r
    a.index_select(0, torch.tensor([2, 0, 2])) ; a
    a.index_select(1, torch.tensor([1, 3])) ; a
    u.index_select(0, torch.tensor([0])) ; u
    h.index_select(2, torch.tensor([1, 0])) ; h
    a.narrow_copy(0, 0, 2) ; a
    u.narrow_copy(1, 0, 3) ; u
    torch.cat([a, b]) ; a b
    torch.cat([a, b], 1) ; a b
    torch.cat([u, w]) ; u w
    torch.stack([a, b]) ; a b
    torch.stack([a, b], 2) ; a b
    torch.cat([r, r2]) ; r r2
    a.reshape(4, 3) ; a
""")
GROUPS["gradients of arithmetic"] = gradient("""
    a + b ; a b
    a + a ; a
    u + w ; u w
    a + u ; a u
    d + a ; d a
    d + u ; d u
    d342 + hu ; d342 hu
    torch.add(a, b, alpha=3) ; a b
    torch.add(d, a, alpha=3) ; d a
    r + r2 ; r r2
    d + r ; d r
    r + d ; r d
    torch.add(r, r2, alpha=2) ; r r2
    a - b ; a b
    d - a ; d a
    a * b ; a b
    u * b ; u b
    u * w ; u w
    h * hb ; h hb
    a * d ; a d
    d * a ; d a
    u * d ; u d
    a * d14 ; a d14
    a * 2 ; a
    u * 2 ; u
    a * torch.tensor(2.0, dtype=torch.float64) ; a
    a / 2 ; a
    a / torch.tensor(4.0, dtype=torch.float64) ; a
    r * r2 ; r r2
    r * d ; r d
    r * 2 ; r
    c * 2 ; c
    m * 2 ; m
    -a ; a
    -u ; u
    -r ; r
    a.abs() ; a
    u.abs() ; u
    a.relu() ; a
    r.abs() ; r
    r.relu() ; r
    a.pow(2) ; a
    u.pow(3) ; u
    a ** 3 ; a
    a.square() ; a
    p.sqrt() ; p
    rp.sqrt() ; rp
    a.sin() ; a
    u.sin() ; u
    r.sin() ; r
    c.sin() ; c
    m.sin() ; m
    a.tan() ; a
    a.tanh() ; a
    r.tanh() ; r
    a.sinh() ; a
    a.asinh() ; a
    a.atan() ; a
    a.expm1() ; a
    r.expm1() ; r
    a.erf() ; a
    k.log1p() ; k
    rk.log1p() ; rk
    k.asin() ; k
    rk.asin() ; rk
    k.atanh() ; k
    k.erfinv() ; k
    a.deg2rad() ; a
    a.rad2deg() ; a
    a.sgn() ; a
    a.sign() ; a
    a.floor() ; a
    a.round() ; a
    a.frac() ; a
    a.nan_to_num() ; a
    a_c128 * 2 ; a_c128
    a_c128 * b_c128 ; a_c128 b_c128
    a_c128.conj() ; a_c128
    a_c128.real ; a_c128
    a_c128.abs() ; a_c128
    a.clone().mul_(2) ; a
    a.clone().add_(b) ; a b
    a.clone().neg_() ; a
    a_f32 * b ; a_f32 b
    a_f32 + b_f32 ; a_f32 b_f32
""")
GROUPS["gradients of reductions"] = gradient("""
    a.sum() ; a
    u.sum() ; u
    a.sum(0) ; a
    r.sum() ; r
    r.sum(1, keepdim=True) ; r
    torch.sparse.sum(a) ; a
    torch.sparse.sum(u) ; u
    torch.sparse.sum(a, 0) ; a
    torch.sparse.sum(a, 1) ; a
    torch.sparse.sum(u, 1) ; u
    torch.sparse.sum(a, (0, 1)) ; a
    torch.sparse.sum(h, 0) ; h
    torch.sparse.sum(h, 2) ; h
    torch.sparse.sum(h, (0, 1)) ; h
    torch.sparse.sum(h, (0, 2)) ; h
    torch.sparse.sum(hu, (1,)) ; hu
    torch.sparse.sum(t, (0, 2)) ; t
    torch.sparse.softmax(a, 0) ; a
    torch.sparse.softmax(a, 1) ; a
    torch.sparse.softmax(u, 1) ; u
    torch.sparse.softmax(h, 1) ; h
    torch.sparse.softmax(h, 2) ; h
    torch.sparse.softmax(t, 0) ; t
    torch.sparse.log_softmax(a, 0) ; a
    torch.sparse.log_softmax(a, 1) ; a
    torch.sparse.log_softmax(u, 1) ; u
    torch.sparse.log_softmax(h, 2) ; h
    torch.sparse.softmax(a_f32, 1) ; a_f32
    a.norm() ; a
    torch.norm(u) ; u
    torch.native_norm(a) ; a | torch.norm(a)
    a.mean() ; a
""")
GROUPS["gradients of products"] = gradient(
    """
    torch.sparse.mm(a, d43) ; a d43
    torch.sparse.mm(u, d43) ; u d43
    torch.sparse.mm(e, d43) ; e d43
    torch.sparse.mm(a, tall) ; a tall
    torch.sparse.mm(u, tallu) ; u tallu
    torch.sparse.mm(sq, sq) ; sq
    torch.sparse.mm(r, d43) ; r d43
    torch.sparse.mm(c, d43) ; c d43
    torch.sparse.mm(r, rtall) ; r rtall
    torch.sparse.mm(r, d43, "sum") ; r d43
    torch.sparse.mm(r, d43, "mean") ; r d43
    torch.sparse.mm(r, d43, "amax") ; r d43
    torch.sparse.mm(r, d43, "amin") ; r d43
    torch.sparse.mm(a_f32, d43_f32) ; a_f32 d43_f32
    torch.sparse.mm(a_c128, d43_c128) ; a_c128 d43_c128
    torch.sparse.mm(a, d43) ; d43
    torch.sparse.mm(r, d43) ; d43
    torch.mm(a, d43) ; a d43
    torch.mm(u, d43) ; u d43
    torch.mm(a, d43) ; d43
    torch.mm(u, d43) ; d43
    torch.mm(r, d43) ; r d43
    torch.mm(r, d43) ; d43
    torch.mm(c, d43) ; d43
    torch.mm(m, d64) ; m d64
    torch.mm(m, d62) ; d62
    torch.mm(a, tall) ; a tall
    torch.mm(r, rtall) ; r rtall
    torch.mm(d24, tall) ; d24 tall
    torch.mm(d24, rtall) ; d24 rtall
    torch.mm(d24, tall) ; d24
    torch.mm(d24, rtall) ; d24
    a @ d43 ; a d43
    a @ d4 ; a d4
    torch.mv(a, d4) ; a d4
    torch.mv(u, d4) ; d4
    r @ d4 ; r d4
    r @ d4 ; d4
    torch.sparse.addmm(d33, a, d43) ; d33 a d43
    torch.sparse.addmm(d33, u, d43) ; d33 u d43
    torch.sparse.addmm(d33, a, d43, beta=2, alpha=3) ; d33 a d43
    torch.sparse.addmm(d33, r, d43, beta=2, alpha=3) ; d33 r d43
    torch.addmm(d33, a, d43) ; d33 a d43
    torch.addmm(d33, a, d43, beta=2, alpha=3) ; d33 a d43
    torch.addmm(d33, r, d43) ; d33 r d43
    torch.addmm(d3, a, d43) ; d3 d43
    torch.addmv(d3, r, d4) ; d3 r d4
    torch.bmm(t, d243) ; t d243
    torch.bmm(t, d243) ; d243
    torch.smm(a, d43) ; a d43 | torch.mm(a, d43)
    torch.hspmm(a, d43) ; a d43 | torch.mm(a, d43)
    torch.sspaddmm(sq, sq, d44) ; sq d44 | torch.addmm(sq, sq, d44)
    torch.sparse.sampled_addmm(r, d32, d24) ; r d32 d24
    torch.sparse.sampled_addmm(r, d32, d24, alpha=2, beta=0.5) ; r d32 d24
    torch.triangular_solve(d33, rup)[0] ; d33 rup
    torch.triangular_solve(d33, rup)[0] ; d33
    F.linear(d24, a) ; d24 a
    F.linear(d24, r) ; d24 r
    F.linear(d24, r) ; d24
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4, 4)) ; d24 | torch.diag(d24[0]) + torch.diag(d24[1, 1:], 1)
    torch.sparse.mm(a, torch.sparse.mm(tall, d34)) ; a tall d34
    torch.sparse.sum(torch.sparse.mm(a, tall)) ; a tall
""".replace("d34", "d")
)
