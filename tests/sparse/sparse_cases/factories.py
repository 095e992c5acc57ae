"""Masks, sizes, tensors without elements, checks of invariants."""

from .program import each, instead, plain

GROUPS = {}

GROUPS["sparse_mask"] = (
    each("{x}.sparse_mask({y})", dense="{x} * ({y} != 0)", x="d a u e ex r", y="b u e r2 c2")
    + each("{x}.sparse_mask(ex)", x="d a u e ex r")
    + plain("""
    d46.sparse_mask(m)
    d46.sparse_mask(q)
    m.sparse_mask(m2)
    m.sparse_mask(m)
    d342.sparse_mask(h)
    d342.sparse_mask(hu)
    h.sparse_mask(hb)
    hu.sparse_mask(hb)
    h.sparse_mask(hu)
    d234.sparse_mask(t)
    t.sparse_mask(tu)
    d4.sparse_mask(v)
    d53.sparse_mask(g)
    d53.sparse_mask(gu)
    d.sparse_mask(a_bool)
    d_f32.sparse_mask(a)
    d_i64.sparse_mask(u)
    d_c128.sparse_mask(a)
    d_f32.sparse_mask(r)
    wave(2, 3, 4).sparse_mask(rb)
    d.sparse_mask(d)
""")
    + instead("""
    a_i64.sparse_mask(b) | a_i64 * (b != 0)
    c.sparse_mask(c2) | c * (c2 != 0)
""")
)

GROUPS["resize"] = plain("""
    a.sparse_resize_((5, 6), 2, 0); a
    a.sparse_resize_((3, 4), 2, 0); a
    u.sparse_resize_((5, 6), 2, 0); u
    e.sparse_resize_((2, 2), 2, 0); e
    e.sparse_resize_((2, 2, 2), 2, 1); e
    e.sparse_resize_((2,), 1, 0); e
    h.sparse_resize_((5, 4, 2), 2, 1); h
    h.sparse_resize_((3, 4, 3), 2, 1); h.shape, h._nnz(), h._values().shape
    a.sparse_resize_and_clear_((5, 6), 2, 0); a
    a.sparse_resize_and_clear_((2, 2, 3), 2, 1); a
    u.sparse_resize_and_clear_((2,), 1, 0); u
    a.resize_as_sparse_(u); a
    e.resize_as_sparse_(t); e
    e.resize_as_sparse_(h); e
    a.resize_as_sparse_(sq); a
    a.resize_as_(b); a
    torch.resize_as_sparse_(a, b); a
    r.resize_((5, 7)); r
    r.resize_((3, 4)); r
    r.resize_as_sparse_(r2); r
    r.resize_as_sparse_(rtall); r
    r.resize_as_sparse_(rsq); r.shape, r._nnz(), r.crow_indices(), r.col_indices()
    r.resize_as_sparse_(re); r.shape, r._nnz()
    m.resize_as_sparse_(m2); m.shape, m._nnz()
    m.resize_as_sparse_(msq); m
    a.resize_((5, 6)); a
    r.resize_((2, 2)); r
""")

LAYOUT_NAMES = "torch.sparse_coo torch.sparse_csr torch.sparse_csc torch.sparse_bsr torch.strided".split()
GROUPS["factories"] = (
    each("torch.zeros(3, 4, layout={layout})", layout=LAYOUT_NAMES[:-1])
    + each("torch.zeros(2, 3, 4, layout={layout})", layout=LAYOUT_NAMES[:3])
    + each("x = torch.empty(3, 4, layout={layout}); x.layout, x.shape, x._nnz()", layout=LAYOUT_NAMES[:-1])
    + each("torch.zeros_like({x})", x="a u hu e r rb rh c m mb q a_i64")
    + each("torch.zeros_like({x}, dtype=torch.int64)", x="a r m")
    + each("torch.zeros_like({x}, layout={layout})", x="a d r", layout=LAYOUT_NAMES)
    + each("torch.empty_like({x})._nnz()", x="a u r m c q")
    + each("torch.ones_like({x})", x="a u r rb c m q")
    + each("torch.full_like({x}, 2.0)", x="a r m")
    + each("torch.ones_like({x}, layout=torch.strided)", x="a r")
    + plain("""
    torch.zeros((3, 4), layout=torch.sparse_coo, dtype=torch.int64)
    torch.zeros(3, layout=torch.sparse_coo)
    torch.zeros(0, 3, layout=torch.sparse_coo)
    torch.zeros((), layout=torch.sparse_coo)
    torch.zeros(3, 4, layout=torch.sparse_csr, dtype=torch.float16)
    torch.empty((3, 4), layout=torch.sparse_coo, dtype=torch.bool)
    torch.empty_like(a).is_coalesced()
    a.new_zeros(2, 3)
    a.new_empty(2, 3)
    a.new_zeros(2, 3, dtype=torch.int32)
    r.new_zeros(2, 3)
    x = c.new_empty((2, 3)); x.layout, x.shape, x.dtype
    a.new_ones(2, 2)
    a.new_tensor([1.0, 2.0])
    torch.empty_like(d, layout=torch.sparse_csr)
""")
    + instead("""
    torch.ones(3, 4, layout=torch.sparse_coo) | torch.ones(3, 4)
    torch.full((3, 4), 2.0, layout=torch.sparse_coo) | torch.full((3, 4), 2.0)
    torch.eye(3, layout=torch.sparse_coo) | torch.eye(3)
""")
)

GROUPS["meta"] = plain("""
    a.to("meta").layout, a.to("meta").shape, a.to("meta").dtype
    r.to("meta").layout, r.to("meta").shape, r.to("meta").dtype
    torch.zeros(3, 4, layout=torch.sparse_coo, device="meta").shape
    torch.empty(3, 4, layout=torch.sparse_csr, device="meta").layout
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (3,), device="meta").is_meta
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (3,), device="meta").layout
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2), device="meta").layout
    a.to("meta").is_sparse
    repr(a.to("meta"))
    repr(r.to("meta"))
    torch.zeros_like(a, device="meta").layout
""")

GROUPS["item"] = plain("""
    o.item()
    torch.sparse_coo_tensor([[0]], [7.0], (1,)).item()
    torch.sparse_coo_tensor([[0, 0]], [7.0, 1.0], (1,)).item()
    torch.sparse_coo_tensor([[0], [0]], [3], (1, 1)).item()
    bool(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
    float(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
    int(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
    v[0].item()
    a[0, 1].item()
    torch.is_nonzero(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
""")

GROUPS["invariants"] = plain("""
    torch.sparse.check_sparse_tensor_invariants.is_enabled()
    torch.sparse.check_sparse_tensor_invariants.enable(); x = torch.sparse.check_sparse_tensor_invariants.is_enabled(); torch.sparse.check_sparse_tensor_invariants.disable(); x
    torch.sparse.check_sparse_tensor_invariants.enable(); torch.sparse.check_sparse_tensor_invariants.disable(); torch.sparse.check_sparse_tensor_invariants.is_enabled()
    torch.sparse.check_sparse_tensor_invariants(True)(lambda: torch.sparse.check_sparse_tensor_invariants.is_enabled())()
    torch.sparse.check_sparse_tensor_invariants(False)(lambda: torch.sparse.check_sparse_tensor_invariants.is_enabled())()
    c = torch.sparse.check_sparse_tensor_invariants(); c.__enter__(); x = c.is_enabled(); c.__exit__(None, None, None); x, c.is_enabled()
    torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)(lambda x: x.to_dense(masked_grad=False), (a.requires_grad_(),), masked=False)
    torch.autograd.gradcheck(lambda x: x.to_dense(), (a.requires_grad_(),), masked=True)
    torch.autograd.gradcheck(lambda x: torch.sparse.sum(x), (a.requires_grad_(),), masked=True)
    torch.autograd.gradcheck(lambda x, y: torch.sparse.mm(x, y), (a.requires_grad_(), d43.requires_grad_()), masked=True)
    torch.autograd.gradcheck(lambda x: x.values(), (a.requires_grad_(),), masked=True)
""")
