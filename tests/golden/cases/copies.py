"""Copies of views, and what else is made of other operators: coordinates, slopes, histograms of several dimensions."""

from golden.row import ALL, Row, codes, each, errors

# ---- copies of what views show ---------------------------------------------------------------------------
COPIES = """
    torch.alias_copy(a)
    torch.detach_copy(a)
    torch.t_copy(a)
    torch.transpose_copy(a, 0, -1)
    torch.permute_copy(a, (1, 0))
    torch.view_copy(a, (3, 2))
    torch.view_copy(a, (-1,))
    torch.expand_copy(a, (2, 2, 3))
    torch.expand_copy(a, (2, 2, 3), implicit=True)
    torch.select_copy(a, 1, -1)
    torch.slice_copy(a)
    torch.slice_copy(a, 1, 1)
    torch.slice_copy(a, 1, 0, None, 2)
    torch.slice_copy(a, dim=1, start=-2, end=-1)
    torch.diagonal_copy(a)
    torch.diagonal_copy(a, offset=1, dim1=1, dim2=0)
    torch.unfold_copy(a, 1, 2, 1)
    torch.unsqueeze_copy(a, -1)
    torch.squeeze_copy(a[:1])
    torch.squeeze_copy(a[:1], 0)
    torch.squeeze_copy(a[:1], (0, 1))
    torch.as_strided_copy(a, (2, 2), (1, 1))
    torch.as_strided_copy(a, (2,), (2,), 1)
    torch.split_copy(a, 2, 1)
    torch.split_with_sizes_copy(a, [1, 2], 1)
    torch.unbind_copy(a)
    torch.unbind_copy(a, dim=1)
    torch.fill(a, 2)
    torch.fill(a, torch.tensor(1.5))
"""
ROWS = codes(each("b1 i64 bf16 f32 c64", "$ 2x3"), COPIES)
ROWS += codes(("f32 2x3", "f32 3x2 T"), """
    torch.t_copy(a).stride(), torch.alias_copy(a).stride(), torch.unsqueeze_copy(a, 0).stride(), torch.fill(a, 1).stride()
    o = torch.empty(0); torch.t_copy(a, out=o) is o, o
    o = torch.empty(2); torch.select_copy(a, 0, 1, out=o), o.shape
    b = torch.alias_copy(a); b.zero_(); a
""")
ROWS += codes(("f32 4x2",), """
    torch.view_as_complex_copy(a)
    torch.view_as_real_copy(torch.view_as_complex(a))
    torch.view_copy(a, torch.int32)
    torch.view_copy(a, torch.float64)
""")
ROWS += errors(("f32 2x3",), """
    torch.t_copy(a, out=torch.empty(0, dtype=torch.float64))  # Expected out tensor to have dtype
    torch.view_copy(a, (4, 2))  # invalid for input of size 6
    torch.slice_copy(a, 1, 0, 3, 0)  # slice step must be positive
    torch.slice_copy(a, 2)  # Dimension out of range
    torch.slice_copy(torch.tensor(1.))  # cannot be applied to a 0-dim tensor
    torch.split_copy(a, -1)  # non-negative
    torch.fill(a, torch.ones(2))  # 0-dim
    torch.permute_copy(a, (0, 0))  # duplicate
""")

# ---- made like this ------------------------------------------------------------------------------------------
ROWS += [Row("torch.conj_physical_(a)", each("f32 i64 c64 c128", "$ 2x3"))]
ROWS += codes(("",), """
    torch.scalar_tensor(3)
    torch.scalar_tensor(True)
    torch.scalar_tensor(2.5, dtype=torch.int32)
    torch.scalar_tensor(2 + 1j, dtype=torch.complex64)
    torch.scalar_tensor(1j)
    torch.empty_permuted((2, 3, 4), (0, 2, 1)).stride()
    torch.empty_permuted((2, 0, 4), (2, 1, 0), dtype=torch.int8).stride()
    torch.empty_permuted((2, 3), (0,))
    torch.empty_permuted((2, 3), (0, 0))
    torch.empty_permuted((2, 3), (0, -1))
    torch.newaxis
    torch.typename(3), torch.typename(torch.Tensor), torch.typename(torch.float32)
    torch.get_float32_matmul_precision()
""")
ROWS += codes(each("f32 i64 b1", "$ 2x3"), """
    torch.get_device(a), torch.is_inference(a), a.is_inference(), torch.typename(a)
    a.is_ipu, a.is_maia, a.is_mkldnn, a.is_mps, a.is_mtia, a.is_nested, a.is_sparse_csr, a.is_vulkan, a.is_xla, a.is_xpu
    a.dim_order(), a.t().dim_order(), a[None].transpose(0, 2).dim_order()
    a.new().shape, a.new().dtype, a.new(2, 3).shape, a.new(a.shape).shape
    a.new([1, 2, 3])
    torch.unsafe_split_with_sizes(a, [1, 2], 1)
    a.unsafe_split_with_sizes([1, 1])
    a.unsafe_split_with_sizes(split_sizes=[2, 1], dim=-1)
""")

# ---- indices ---------------------------------------------------------------------------------------------------
ROWS += codes(each(ALL, "$ 2x3", "$ -", "$ 2x0"), """
    torch.nonzero_static(a, size=4)
    torch.nonzero_static(a, size=1)
    a.nonzero_static(size=9, fill_value=7)
    a.nonzero_static(size=0)
""")
ROWS += errors(("f32 2x3",), """
    torch.nonzero_static(a, size=-1)  # non-negative
    torch.nonzero_static(a, size=1, out=torch.empty(0))  # scalar type Long
    torch.nonzero_static(a)  # size
""")
ROWS += codes(("",), """
    torch.unravel_index(torch.tensor([0, 5, 3]), (2, 3))
    torch.unravel_index(torch.tensor(7), (2, 3))
    torch.unravel_index(torch.tensor([-1, -7]), (2, 3))
    torch.unravel_index(torch.tensor([[1, 2], [3, 4]]), (2, 3, 4))
    torch.unravel_index(torch.tensor([3]), 6)
    torch.unravel_index(torch.tensor([200], dtype=torch.uint8), (20, 30))
    torch.unravel_index(torch.tensor([100], dtype=torch.int8), torch.Size([20, 30]))
    torch.unravel_index(torch.tensor([1]), ())
    torch.unravel_index(torch.tensor([], dtype=torch.int64), (0, 3))
    torch.unravel_index(torch.tensor([1.]), (2, 3))
    torch.unravel_index(torch.tensor([True]), (2, 3))
    torch.unravel_index(torch.tensor([1]), (2, -3))
    torch.unravel_index(torch.tensor([1]), (2, 0.5))
    torch.unravel_index(torch.tensor([1]), "ab")
""")
ROWS += codes(each("i32 i64 f16 bf16 f32 f64", "$ 4x3;$ 2x3"), """
    torch.index_reduce(a, 0, torch.tensor([3, 1]), b, "prod")
    torch.index_reduce(a, 0, torch.tensor([1, 1]), b, "amax")
    torch.index_reduce(a, 0, torch.tensor([1, 1]), b, "amin", include_self=False)
    torch.index_reduce(a, 0, torch.tensor([0, 0]), b, "mean")
    torch.index_reduce(a, 0, torch.tensor([2, 2]), b, "mean", include_self=False)
    torch.index_reduce(a, 0, torch.tensor([2, 2]), b, "prod", include_self=False)
    a.index_reduce(-1, torch.tensor([2, 0], dtype=torch.int32), b.t().repeat(2, 1)[:4, :2].contiguous(), "amax")
    a.index_reduce_(0, torch.tensor([2, 0]), b, "amin"); a
    o = torch.empty(0, dtype=a.dtype); torch.index_reduce(a, 0, torch.tensor([2, 0]), b, "amax", out=o) is o, o
""")
ROWS += errors(("f32 4x3;f32 2x3",), """
    torch.index_reduce(a, 0, torch.tensor([3, 1]), b, "sum")  # Expected reduce to be one of prod, mean, amax or amin
    torch.index_reduce(a, 0, torch.tensor([3, 1, 1]), b, "prod")  # Number of indices
    torch.index_reduce(a, 0, torch.tensor([[3, 1]]), b, "prod")  # vector
    torch.index_reduce(a, 0, torch.tensor([3., 1]), b, "prod")  # int32/int64
    torch.index_reduce(a, 0, torch.tensor([3, 1]), b.double(), "prod")  # same scalar type
    torch.index_reduce(a, 0, torch.tensor([3, 1]), b[:, :2], "prod")  # source tensor shape
    torch.index_reduce(a, 0, torch.tensor([4, 1]), b, "prod")  # index out of range in self
    torch.index_reduce(a, 0, torch.tensor([-1, 1]), b, "prod")  # index out of range in self
""")

ROWS += codes(each("u8 i64", "$ 0x2"), """
    a % 0
    a // 0
    torch.fmod(a, 0)
    torch.div(a, 0, rounding_mode="trunc")
""")

# ---- slopes ----------------------------------------------------------------------------------------------------
ROWS += codes(each("f32 f64 c64", "$ 3x4", "$ 5x3x4") + ("i64 3x4",), """
    torch.gradient(a)
    torch.gradient(a, dim=0)
    torch.gradient(a, dim=(-1, 0), spacing=0.5)
    torch.gradient(a, dim=1, edge_order=2)
    torch.gradient(a, edge_order=2, spacing=2.0)
    torch.gradient(a, dim=(0, 1), spacing=[2.0, 0.25])
""", "near")
ROWS += errors(("f32 3x1",), """
    torch.gradient(a)  # edge_order+1
    torch.gradient(a, dim=0, edge_order=3)  # edge_order
    torch.gradient(a, dim=(0, 0))  # multiple times
    torch.gradient(a, dim=0, spacing=[1.0, 2.0])  # spacing
    torch.gradient(a, dim=2)  # out of range
    torch.gradient(a.to(torch.uint8), dim=0)  # uint8
""")

# ---- histograms of points ----------------------------------------------------------------------------------------
ROWS += codes(each("f32 f64", "$ 12x2", "$ 3x4x2"), """
    torch.histogramdd(a, [2, 3])
    torch.histogramdd(a, 2).hist, torch.histogramdd(a, 2).bin_edges
    torch.histogramdd(a, bins=[2, 2], range=[-2., 2., -1., 1.])
    torch.histogramdd(a, [2, 3], density=True)
    torch.histogramdd(a, [2, 3], weight=a[..., 0].abs())
    torch.histogramdd(a, [torch.tensor([-1., 0., 2.]).to(a), torch.tensor([-2., 2.]).to(a)])
""", "sum")
ROWS += codes(("f32 4x2 ones",), "torch.histogramdd(a, [2, 2])")
ROWS += errors(("f32 4x2", ), """
    torch.histogramdd(a[0], [2])  # 2 dimensions
    torch.histogramdd(a, [2])  # size of bins must be equal
    torch.histogramdd(a, [2, 2], range=[0., 1.])  # range should have
    torch.histogramdd(a, [2, 2], weight=torch.ones(3))  # weight
""")

# ---- what had no case ----------------------------------------------------------------------------------------------
ROWS += codes(each("f32 i64", "$ 2x3"), """
    a.detach_() is a, a.detach_().shape
    torch.select_scatter(a, torch.ones(3).to(a.dtype), 0, 1)
    torch.select_scatter(a, torch.ones(2).to(a.dtype), dim=1, index=-1)
    torch.masked_scatter(a, a > 0, torch.arange(6).to(a.dtype))
    a.dist(a + 1, 3) if a.is_floating_point() else 0
""")
ROWS += codes(("f64 3x3",), """
    (a @ a.t() + torch.eye(3).double()).logdet()
    (a @ a.t() + torch.eye(3).double()).cholesky()
    a.geqrf()
    a.ormqr(a[0], a.t())
""", "near")

# ---- copies of several views into out= -------------------------------------------------------------------------
OUTS = "o = [torch.empty(2, dtype=a.dtype) for _ in range(2)]; "
ROWS += codes(each("f32 i64 c64", "$ 4", "$ 4 S"), f"""
    {OUTS}torch.split_copy(a, 2, out=o), o
    {OUTS}torch.split_copy(a, split_size=2, dim=0, out=tuple(o)), o
    {OUTS}torch.split_with_sizes_copy(a, [1, 3], out=o), o
    {OUTS}torch.split_with_sizes_copy(a, (2, 2), 0, out=o), o
    {OUTS}torch.split_copy(a, 1, out=o)
    {OUTS}torch.split_copy(a, 3, out=o)
    {OUTS}torch.split_with_sizes_copy(a, [4], out=o)
    {OUTS}torch.split_with_sizes_copy(a, [1, 2], out=o)
    {OUTS}torch.split_copy(a, 2, out=o[0])
    o = torch.zeros(2, 4, dtype=a.dtype); torch.split_copy(a, 2, out=[o[:, :2], o[:, 2:]]); o
    o = [torch.empty(2, dtype=torch.float64)] * 2; torch.split_copy(a.real, 2, out=o), o
    torch.split_with_sizes_copy(a, [2, 2], out=[torch.empty(2, dtype=torch.float64)] * 2)
""")
ROWS += codes(each("f32 i64 c64", "$ 2x3", "$ 3x2 T"), f"""
    {OUTS}torch.unbind_copy(a, out=o), o
    {OUTS}torch.unbind_copy(a, -1, out=o + [torch.empty(0, dtype=a.dtype)]), o
    {OUTS}torch.unbind_copy(a, 1, out=o)
    {OUTS}torch.unbind_copy(a, 5, out=o)
    torch.unbind_copy(a, out=[torch.empty(3, dtype=torch.float64)] * 2)
""")
