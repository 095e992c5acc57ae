"""What a tensor says of itself, and the same elements in another layout, dtype or place."""

from sparse_programs import SAVED

from .program import COMPRESSED, COO, DTYPES, KINDS, each, plain

GROUPS = {}

GROUPS["members"] = (
    each(
        "{x}.{name}()",
        x=KINDS,
        name="indices values _indices _values crow_indices col_indices ccol_indices row_indices",
    )
    + each(
        "{x}.{name}",
        x="a hu e r rb m c q",
        name="layout is_sparse is_sparse_csr shape ndim requires_grad is_leaf is_meta device".split(),
    )
    + each(
        "{x}.{name}()", x="a hu e t o g r re rb rh c m mb q", name="sparse_dim dense_dim _nnz numel dim size".split()
    )
    + each(
        "{x}.{name}()",
        x="a hu g",
        name="_dimI _dimV is_coalesced nelement element_size is_floating_point is_complex get_device".split(),
    )
    + plain("""
    a.size(0), a.size(-1), h.size(2)
    len(a), len(r), len(m)
    a.dtype, a_i64.dtype, r_f32.dtype
    torch.is_tensor(a), torch.numel(a), torch.numel(m)
    hash(a) == id(a)
    a.is_same_size(b), a.is_same_size(d), a.is_same_size(r), a.is_same_size(sq)
    torch.is_same_size(u, w)
    e._nnz(), re._nnz(), z._nnz()
    same_memory(a.indices(), a._indices())
    same_memory(a.values(), a._values())
    same_memory(a.detach()._values(), a._values())
    same_memory(a.clone()._values(), a._values())
    same_memory(r.t().values(), r.values())
    same_memory(r.t().ccol_indices(), r.crow_indices())
    u._values().mul_(2); u.to_dense()
    a.values().mul_(2); a.to_dense()
    r.values().mul_(2); r.to_dense()
    torch.crow_indices_copy(r), torch.col_indices_copy(r)
    torch.ccol_indices_copy(c), torch.row_indices_copy(c)
    torch.values_copy(r)
    same_memory(torch.values_copy(r), r.values())
    a.stride()
    a.is_contiguous()
    a.storage_offset()
    a.is_set_to(a)
    a.requires_grad_().requires_grad
    torch.get_device(a)
""")
)

GROUPS["coalesce"] = (
    each(
        "{x}.coalesce()",
        x=COO + " squ w tallu a_f32 u_f32 u_f16 u_bf16 u_i64 u_i32 u_u8 u_bool u_c128 u_c64 hu_f32 hu_i64 gu_f16",
    )
    + each("{x}.coalesce().is_coalesced()", x="a u e hu")
    + plain("""
    a.coalesce() is a
    e.coalesce() is e
    u.coalesce().coalesce()
    u.coalesce().values()
    u.coalesce().indices()
    u.coalesce(); u.is_coalesced()
    a._coalesced_(False); a.is_coalesced()
    u._coalesced_(True).is_coalesced()
    torch.sparse_coo_tensor([[0, 0, 0, 0]], [1.0, 2.0, 3.0, 4.0], (2,)).coalesce()
    torch.sparse_coo_tensor([[1, 0], [1, 0]], [1.0, 2.0], (2, 2)).coalesce()
    torch.sparse_coo_tensor([[1, 1]], [True, True], (2,)).coalesce()
    torch.sparse_coo_tensor([[1, 1]], torch.tensor([200, 100], dtype=torch.uint8), (2,)).coalesce()
    torch.sparse_coo_tensor([[1, 1, 0]], torch.zeros(3, 0), (2, 0)).coalesce()
    torch.sparse_coo_tensor(torch.zeros(0, 3), [1.0, 2.0, 3.0], ()).coalesce()
    torch.sparse_coo_tensor([[3, 1, 3, 1], [0, 2, 0, 2]], wave(4, 2, 2), (4, 3, 2, 2)).coalesce()
""")
)

GROUPS["to_dense"] = (
    each("{x}.to_dense()", x=COO + " " + COMPRESSED)
    + each("{x}_{dtype}.to_dense()", x="u hu r m", dtype=DTYPES)
    + plain("""
    a.to_dense(masked_grad=False)
    a.to_dense(masked_grad=True)
    r.to_dense(masked_grad=False)
    d.to_dense()
    d.to_dense() is d
    a.to_dense(dtype=torch.float32)
    r.to_dense(dtype=torch.float32)
    u.to_dense().is_contiguous()
    m.to_dense().stride()
    c.to_dense().stride()
    n.to_dense()
""")
)

GROUPS["to_sparse"] = (
    plain("""
    d.to_sparse()
    d.to_sparse(1)
    d.to_sparse(2)
    d.to_sparse(sparse_dim=1)
    d342.to_sparse(1)
    d342.to_sparse(2)
    d342.to_sparse(3)
    d4.to_sparse()
    torch.zeros(3, 4).to_sparse()
    torch.zeros(0, 4).to_sparse()
    torch.zeros(3, 0).to_sparse(1)
    torch.tensor(2.0).to_sparse()
    torch.tensor(0.0).to_sparse()
    torch.tensor([float("nan"), 0.0, -0.0, float("inf")]).to_sparse()
    wave(4, 3).t().to_sparse()
    d_f32.to_sparse()
    d_f16.to_sparse()
    d_i64.to_sparse()
    d_bool.to_sparse()
    d_c128.to_sparse()
    d_u8.to_sparse(1)
    d.to_sparse(layout=torch.sparse_coo)
    d.to_sparse(layout=torch.sparse_csr)
    d.to_sparse(layout=torch.sparse_csc)
    d.to_sparse(layout=torch.strided)
    d46.to_sparse(layout=torch.sparse_bsr, blocksize=(2, 2))
    d46.to_sparse(layout=torch.sparse_bsc, blocksize=(2, 3))
    d342.to_sparse(layout=torch.sparse_csr, dense_dim=1)
    d.to_sparse_coo()
    d.to_sparse_csr()
    d.to_sparse_csc()
    d46.to_sparse_bsr((2, 2))
    d46.to_sparse_bsr((4, 3))
    d46.to_sparse_bsr((1, 1))
    d46.to_sparse_bsc((2, 3))
    d342.to_sparse_csr(dense_dim=1)
    d342.to_sparse_csc(dense_dim=1)
    d234.to_sparse_csr()
    torch.ones(2, 3, 4).to_sparse_csr()
    torch.ones(2, 3, 4).to_sparse_csc()
    torch.ones(2, 4, 6).to_sparse_bsr((2, 3))
    torch.ones(2, 4, 6).to_sparse_bsc((2, 3))
    torch.ones(4, 4, 2).to_sparse_bsr((2, 2), dense_dim=1)
    torch.eye(3).to_sparse_csr()
    torch.zeros(3, 4).to_sparse_csr()
    torch.zeros(0, 4).to_sparse_csr()
    torch.block_diag(torch.ones(2, 2), torch.ones(2, 2)).to_sparse_bsr((2, 2))
    d_i64.to_sparse_csr()
    d_bool.to_sparse_csr()
    d_c128.to_sparse_csc()
    d46_f32.to_sparse_bsr((2, 2))
    a.to_sparse() is a
    r.to_sparse_csr() is r
    c.to_sparse_csc() is c
    m.to_sparse_bsr((2, 2)) is m
    same_memory(a.to_sparse_csr().values(), a.values())
""")
    + each("{x}.to_sparse()", x=COO + " " + COMPRESSED)
    + each("{x}.to_sparse_{to}()", x="a u e ex h hu r re rb rh c ce cb sq squ", to="csr csc coo")
    + each("{x}.to_sparse_{to}((1, 2))", x="a u r c e re", to="bsr bsc")
    + each("{x}.to_sparse_{to}((2, 2))", x="sq squ rsq csq m q mb qb msq qsq", to="bsr bsc")
    + each(
        "{x}.to_sparse(layout={to})",
        x=KINDS,
        to="torch.sparse_coo torch.sparse_csr torch.sparse_csc torch.strided".split(),
    )
    + each("{x}.to_sparse_{to}()", x="m q mb", to="csr csc coo")
    + each("{x}_{dtype}.to_sparse_csr()", x="u c", dtype=DTYPES)
    + plain("""
    a.to_sparse(2)
    a.to_sparse(1)
    h.to_sparse(2)
    r.to_sparse(2)
    a.to_sparse(layout=torch.sparse_bsr, blocksize=(1, 2))
    r.to_sparse(layout=torch.sparse_bsc, blocksize=(3, 2))
    m.to_sparse(layout=torch.sparse_bsr, blocksize=(2, 2))
    m.to_sparse(layout=torch.sparse_bsc, blocksize=(2, 2))
    v.to_sparse_csr()
    t.to_sparse_csr()
""")
)

GROUPS["dtypes"] = (
    each(
        "{x}.to({dtype})",
        x="a u hu r m c",
        dtype="torch.float32 torch.float16 torch.int64 torch.bool torch.complex128".split(),
    )
    + each("{x}.{name}()", x="a u r q", name="float double half bfloat16 int long bool cfloat cpu".split())
    + plain("""
    a.to("cpu") is a, a.double() is a, a.to(torch.float64) is a, r.to("cpu") is r
    a.to(torch.float64, copy=True) is a
    a.to(torch.float64, copy=True)
    a.to(d_f32)
    a.to("cpu", torch.float32)
    n.to(torch.bool)
    ex.bool()
    torch.promote_types(a.dtype, torch.float32)
    torch.result_type(a_f32, 1), torch.result_type(a_i64, 1.0), torch.result_type(a_f32, d)
""")
)

GROUPS["copies"] = (
    each("{x}.{name}()", x="a u e hu o r rb rh c m q", name="clone detach")
    + each("copy.copy({x})", x="a u r")
    + each("copy.deepcopy({x})", x="a u hu e r c m q")
    + each("saved_and_loaded({x})", x="a u hu e o z a_f32 a_i64 a_bool a_c128 a_f16 r rb rh re c m q")
    + each("pickle.loads(pickle.dumps({x}))", x="a u hu e r c m q")
    + plain("""
    a.data
    u.data
    r.data
    a.requires_grad_().detach().requires_grad
    a.requires_grad_().clone().requires_grad
    a.copy_(b); a
    a.copy_(u); a
    a.copy_(e); a
    e.copy_(a); e
    a.copy_(a_f32); a
    a_f32.copy_(a); a_f32
    a.copy_(a_i64); a
    h.copy_(hu); h
    r.copy_(r2); r
    r.copy_(r_f32); r
    m.copy_(m); m
    c.copy_(c2); c
    a.copy_(d); a
    d.copy_(a); d
    d.copy_(r); d
    r.copy_(d); r
    r.copy_(a); r
    r.copy_(re); r
    x = a.clone(); x._values().zero_(); a
    x = a.detach(); x._values().zero_(); a
    a.set_(b); a
""")
    + each("{x}.zero_(); {x}", x="a u hu e r rb c m q")
)

GROUPS["printing"] = each(
    "repr({x})",
    x=COO + " a_f32 u_f32 a_i64 a_bool a_c128 a_f16 h_f32 n " + COMPRESSED + " r_f32 r_i64 r_c128 m_f32 c_i64 mb_f32",
) + plain("""
    str(a)
    str(r)
    repr(a.requires_grad_())
    repr(r.requires_grad_())
    repr(a.requires_grad_() * 2)
    repr(torch.nn.Parameter(a))
    repr(torch.sparse_coo_tensor(torch.zeros(1, 2000, dtype=torch.int64), torch.zeros(2000), (5,)))
    repr(torch.sparse_coo_tensor(torch.arange(60).reshape(2, 30), wave(30), (60, 60)))
    repr(torch.sparse_csr_tensor(torch.arange(31), torch.arange(30), wave(30), (30, 30)))
    repr(torch.sparse_coo_tensor([[0, 1]], [1e10, 1e-10], (3,)))
    repr(torch.sparse_coo_tensor(torch.tensor([[0, 1000000]]), [1.0, 2.0], (1000001,)))
    repr([a, d4])
    f"{a}"
    repr(torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([0, 1], dtype=torch.int32), [1.0, 2.0]))
    repr(torch.sparse_coo_tensor(size=(3, 4)))
    repr(torch.zeros(2, 3, layout=torch.sparse_csr))
    repr(a.layout), repr(r.layout), repr(m.layout)
    repr(a.shape)
""")

# Files that PyTorch has written.
GROUPS["files"] = (
    each("loaded('{x}')", x=SAVED)
    + each("loaded('{x}', weights_only=False)", x="a u r m")
    + each("loaded('{x}', map_location='cpu')", x="a r")
)
