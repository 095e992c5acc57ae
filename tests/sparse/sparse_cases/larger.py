"""A few hundred entries: more than one of each kind in a row, duplicates, empty rows and columns."""

from .program import Program, each, gradient, plain

GROUPS = {}

GROUPS["larger"] = (
    each(
        "{x}.{op}",
        x="big bigu",
        op=["coalesce()", "to_dense()", "to_sparse_csr()", "to_sparse_csc()", "t()", "t().coalesce()"],
    )
    + each("{x}.to_sparse_{to}((4, 5))", x="big bigu", to="bsr bsc")
    + each(
        "{x} @ {y}",
        x="big bigu big.to_sparse_csr() bigu.to_sparse_csr() big.to_sparse_csc()".split(),
        y="d3016 d30".split(),
    )
    + each("d1640 @ {x}", x="big bigu big.to_sparse_csr() big.to_sparse_csc()".split())
    + plain("""
    big @ big.t()
    bigu @ bigu.t()
    big.t() @ bigu
    big.to_sparse_csr() @ big.to_sparse_csr().t()
    (bigu.to_sparse_csr() @ big.t().to_sparse_csr()).to_dense()
    torch.sparse.mm(big.to_sparse_csr(), d3016, "amax")
    torch.sparse.mm(big.to_sparse_csr(), d3016, "mean")
    torch.sparse.addmm(wave(40, 16), bigu, d3016, beta=2, alpha=0.5)
    torch.sparse.sampled_addmm(big.to_sparse_csr(), wave(40, 16), d3016.t().contiguous(), beta=0.5)
    torch.hspmm(bigu, d3016)
    big + bigu.coalesce()
    big + bigu
    bigu - big
    big.to_sparse_csr() + bigu.to_sparse_csr()
    d4030 + bigu
    big * bigu.coalesce()
    bigu * big
    big * d4030
    big.to_sparse_csr() * bigu.to_sparse_csr()
    big.to_sparse_csr() * d4030
    bigu.sin()
    bigu.relu()
    torch.sparse.sum(bigu, 0)
    torch.sparse.sum(bigu, 1)
    torch.sum(big.to_sparse_csr(), 0, keepdim=True)
    torch.sum(big.to_sparse_csr(), 1, keepdim=True)
    torch.sparse.softmax(bigu, 0)
    torch.sparse.softmax(bigu, 1)
    torch.sparse.log_softmax(big, 1)
    torch.norm(bigu)
    bigu[7]
    bigu[:, 11]
    big.to_sparse_csr()[7]
    bigu.index_select(0, torch.tensor([39, 0, 7, 7, 20]))
    bigu.index_select(1, torch.arange(29, -1, -3))
    big.narrow_copy(0, 10, 15)
    bigu.narrow_copy(1, 5, 20)
    d4030.sparse_mask(big)
    bigu.sparse_mask(big)
    big.sparse_mask(bigu.coalesce())
    torch.cat([big, bigu], 1)
    bigh.coalesce()
    bigh.to_dense()
    wave(40, 3).add_(bigh, alpha=-0.1)
    bigh * wave(40, 3)
    torch.sparse.sum(bigh, 0)
    bigh.index_select(0, torch.tensor([5, 6, 9, 21]))
    repr(big)
    repr(bigh)
    repr(big.to_sparse_csr())
    saved_and_loaded(bigu)
    bigu_f32.coalesce()
    bigu_i64.coalesce()
    bigu_bool.coalesce()
    bigu_c128.coalesce()
    bigu_f32 @ d3016_f32
    bigu_i64 @ d3016_i64
    big_c128 @ d3016_c128
""")
    + [Program("big.to_sparse_bsr((4, 5)) @ d3016", dense="big @ d3016")]
    + gradient("""
    torch.sparse.mm(bigu, d3016) ; bigu d3016
    torch.sparse.mm(big, torch.sparse.mm(big.t(), d4030)) ; big d4030
    torch.sparse.mm(big, bigu.t()) ; big bigu
    torch.sparse.softmax(bigu, 1) ; bigu
    torch.sparse.sum(bigu, 0) ; bigu
    big * bigu.coalesce() ; big
    bigu.to_dense() ; bigu
    d4030.sparse_mask(big) ; d4030
    bigh.to_dense() ; bigh
""")
)
