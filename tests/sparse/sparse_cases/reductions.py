"""Sums and their kin, softmax."""

from .program import COMPRESSED, COO, DTYPES, each, instead, plain

GROUPS = {}

GROUPS["sum"] = (
    each("torch.sum({x})", x=COO + " " + COMPRESSED)
    + each("torch.sum({x}, {dim})", x="a u h hu t", dim=["0", "1", "-1", "(0, 1)"])
    + each("torch.sum({x}, {dim}, keepdim=True)", x="a u r re c m", dim=["0", "1"])
    + each("torch.sum({x}, (0, 1), keepdim=True)", x="a u r c m")
    + each("torch.sum({x}_{dtype})", x="a u r", dtype=DTYPES)
    + plain("""
    torch.sum(a, dtype=torch.float32)
    torch.sum(a_i64, 0)
    torch.sum(a_bool, 0)
    torch.sum(a, 0, dtype=torch.float32)
    torch.sum(h, 2)
    torch.sum(h, (0, 2))
    torch.sum(h, (0, 1, 2))
    torch.sum(h, 2, keepdim=True)
    torch.sum(g, 0)
    torch.sum(g, 1)
    torch.sum(e, 0)
    torch.sum(r, 0)
    torch.sum(r, 1)
    torch.sum(r, (0, 1))
    torch.sum(rb, 1, keepdim=True)
    torch.sum(r_i64, 1, keepdim=True)
    a.sum()
    u.sum(-1)
    v.sum(0)
""")
)
GROUPS["sparse.sum"] = (
    each("torch.sparse.sum({x})", dense="torch.sum({x})", x=COO + " a_f32 u_f16 a_i64 a_bool u_c128 r")
    + each(
        "torch.sparse.sum({x}, {dim})",
        dense="torch.sum({x}, {dim})",
        x="a u e ex t tu h hu",
        dim=["0", "1", "-1", "(0, 1)", "[0]"],
    )
    + plain("""
    torch.sparse.sum(a, dtype=torch.float32)
    torch.sparse.sum(a, 0, dtype=torch.float32)
    torch.sparse.sum(a, dim=1)
    torch.sparse.sum(h, (1, 2))
    torch.sparse.sum(h, (0, 2))
    torch.sparse.sum(h, (0, 1, 2))
    torch.sparse.sum(hu, (2,))
    torch.sparse.sum(t, (0, 2))
    torch.sparse.sum(g, 0)
    torch.sparse.sum(gu, 1)
    torch.sparse.sum(g2, (0, 2))
    torch.sparse.sum(g2, 1)
    torch.sparse.sum(v, 0)
    torch.sparse.sum(a_i64, 0)
    torch.sparse.sum(a_bool, 0)
    torch.sparse.sum(u_i64, 1, dtype=torch.float64)
""")
    + instead("""
    torch.sparse.sum(r, 0) | torch.sum(r, 0)
    torch.sparse.sum(r, 1) | torch.sum(r, 1)
    torch.sparse.sum(c, 1) | torch.sum(c, 1)
    torch.sparse.sum(d) | torch.sum(d)
    torch.sparse.sum(d, 0) | torch.sum(d, 0)
""")
)
GROUPS["reductions"] = (
    each("torch.{op}({x})", op="mean prod amax amin max min any all argmax std var count_nonzero".split(), x="a u r")
    + each("torch.{op}({x}, 1)", op="mean prod amax amin any all argmax".split(), x="a r")
    + each("torch.norm({x})", x="a u e h hu t v a_f32 a_c128 r m")
    + each("torch.norm({x}, {p})", x="a u", p=["1", "2", "0", "3", "float('inf')", "float('-inf')"])
    + plain("""
    torch.norm(a, dim=0)
    torch.norm(a, dim=(0, 1))
    torch.norm(a, 2, dtype=torch.float32)
    a.norm()
    a.norm(2)
    torch.any(a_bool)
    torch.any(e)
    torch.any(ex)
    torch.any(ex_bool)
    torch.any(h)
    torch.any(a_bool, 0)
    torch.all(a_bool)
    torch.linalg.norm(a)
    torch.linalg.vector_norm(a)
    torch.linalg.matrix_norm(a)
    torch.logsumexp(a, 0)
""")
    + instead("""
    torch.native_norm(a) | torch.norm(a)
    torch.native_norm(u) | torch.norm(u)
    torch.native_norm(a, 1) | torch.norm(a, 1)
    torch.native_norm(a, 2) | torch.norm(a, 2)
    torch.native_norm(hu) | torch.norm(hu)
    torch.native_norm(r) | torch.norm(r)
    torch.native_norm(a, 2, (0, 1), False, None) | torch.norm(a)
""")
)

GROUPS["softmax"] = (
    each("torch.sparse.{op}({x}, {dim})", op="softmax log_softmax", x="a u e ex h hu t tu", dim="0 1 -1")
    + each("torch.sparse.{op}({x}, 1)", op="softmax log_softmax", x="a_f32 u_f32 a_i64 a_c128 n")
    + plain("""
    torch.sparse.softmax(a_i64, 1, dtype=torch.float64)
    torch.sparse.softmax(a_f32, 1, dtype=torch.float64)
    torch.sparse.log_softmax(a_i64, 0, dtype=torch.float32)
    torch.sparse.softmax(v, 0)
    torch.sparse.softmax(vu, 0)
    torch.sparse.softmax(h, 2)
    torch.sparse.log_softmax(h, 2)
    torch.sparse.softmax(g, 0)
    torch.sparse.softmax(g, 1)
    torch.sparse.softmax(g2, 2)
    torch.sparse.softmax(a, dim=1)
    torch.sparse.softmax(torch.sparse_coo_tensor([[0, 0], [0, 1]], [1000.0, 1001.0], (1, 2)), 1)
    torch.sparse.softmax(torch.sparse_coo_tensor([[0, 0], [0, 1]], [-float("inf"), 1.0], (1, 2)), 1)
    torch.sparse.softmax(torch.sparse_coo_tensor([[0, 0], [0, 1]], [-float("inf"), -float("inf")], (1, 2)), 1)
""")
    + each(
        "torch.sparse.softmax({x}, 1)",
        dense="torch.softmax({x}.masked_fill({x} == 0, -float('inf')), 1)",
        x="a_f16 a_bf16 r c",
    )
    + each(
        "torch.sparse.log_softmax({x}, 1)",
        dense="torch.log_softmax({x}.masked_fill({x} == 0, -float('inf')), 1).masked_fill({x} == 0, 0)",
        x="a_f16 a_bf16 r c",
    )
)

# Elements without an entry, or whose entry in the mask is false, do not count; the mask has the layout of its operand.
GROUPS["masked"] = (
    each(
        "torch.masked.{op}({x}, dim={dim}, mask={mask})",
        op="sum prod amax amin mean norm".split(),
        x=["a"],
        dim="0 1",
        mask="a_bool b_bool".split(),
    )
    + each("torch.masked.{op}({x}, dim=1, keepdim=True, mask=r_bool)", op="sum prod amax amin mean".split(), x="r r2")
    + each(
        "torch.masked.{op}(d, dim=1, mask={mask})",
        op="sum amax mean softmax".split(),
        mask="a_bool u_bool r_bool".split(),
    )
    + plain("""
    torch.masked.sum(a, mask=a_bool)
    torch.masked.sum(a)
    torch.masked.sum(a, 0)
    torch.masked.sum(u, 1)
    torch.masked.softmax(a, 1, mask=a_bool)
    torch.masked.log_softmax(a, 1, mask=a_bool)
    torch.masked.normalize(a, 2.0, 1, mask=a_bool)
    torch.masked.argmax(a, 1, mask=a_bool)
    torch.masked.masked_tensor(a, a_bool).to_dense().get_data()
    torch.masked.masked_tensor(a, a_bool).get_data()
    torch.masked.masked_tensor(a, a_bool).get_mask()
    torch.masked.masked_tensor(r, r_bool).get_data()
    torch.masked.masked_tensor(d, d > 0).to_sparse_coo().get_data()
    torch.masked.masked_tensor(d, d > 0).to_sparse_csr().get_data()
    repr(torch.masked.masked_tensor(a, a_bool))
""")
)
