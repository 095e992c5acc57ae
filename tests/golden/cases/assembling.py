"""What is assembled of whole tensors: repeated, rolled, turned, cut to triangles, stacked, split, made into grids."""

from golden.row import ALL, codes, each, errors

LAYOUTS = each("f32", "$ -", "$ 0", "$ 3", "$ 2x3", "$ 2x3 T", "$ 2x3 S", "$ 4x3 E", "$ 2x3x4 T", "$ 0x3", "$ 1x1")
DTYPES = each(ALL, "$ 2x3") + each("f16 f64 f32", "$ 2x3 special") + each("i64 u8 i8", "$ 2x3 ext")
SQUARES = each("f32", "$ 3x3", "$ 3x4", "$ 4x3 T", "$ 5x3 S", "$ 0x3", "$ 3x0", "$ 1x1", "$ 2x3x4", "$ 2x4x3 T", "$ 3x3 E")



def once(inputs):
    return tuple(dict.fromkeys(inputs))


ROWS = []
ROWS += codes(once(LAYOUTS + DTYPES), """
    a.repeat(2, 3, 2)
    a.tile((2,))
    a.roll(1)
    a.diagflat()
    torch.atleast_1d(a)
    torch.atleast_2d(a)
    torch.atleast_3d(a)
""", view=True)
ROWS += codes(LAYOUTS, """
    a.repeat(2)
    a[:0].repeat(-2)
    a.repeat([1, 1, 1])
    a.repeat(2, 0, 1)
    a.repeat()
    a.tile(2, 2)
    torch.tile(a, dims=(1, 2, 1, 2))
    a.tile(())
    a.repeat_interleave(2)
    a.repeat_interleave(2, 0)
    a.repeat_interleave(3, -1)
    a.repeat_interleave(0, 0)
    a.repeat_interleave(torch.tensor([2]), 0)
    a.repeat_interleave(torch.tensor(2))
    a.repeat_interleave(torch.tensor([1, 2]), 0)
    torch.repeat_interleave(a, torch.tensor([0, 1, 2]), dim=-1)
    a.roll(-2, 0)
    a.roll(7, -1)
    a.roll((1, -1), (0, 1))
    torch.roll(a, shifts=[1, 1], dims=[0, 0])
    a.roll(0, 0)
    a.rot90()
    torch.rot90(a, 2)
    torch.rot90(a, k=-1, dims=[0, 1])
    torch.rot90(a, 1, [1, 0])
    torch.rot90(a, 4, [-1, 0])
    a.fliplr()
    a.flipud()
    torch.fliplr(a)
    a.adjoint()
    torch.diag_embed(a)
    torch.diag_embed(a, 1)
    torch.diag_embed(a, -1, 0, 1)
    a.diag_embed(dim1=0, dim2=-1)
    a.diag_embed(1, -1, 0)
    a.diagflat(-1)
    torch.diagflat(a, offset=2)
    a.diag()
    torch.diag(a, 1)
    torch.diag(a, diagonal=-2)
    a.tensor_split(2)
    a.tensor_split(3, -1)
    a.tensor_split((1,), dim=1)
    a.tensor_split([1, 5, 2])
    a.tensor_split([-1])
    torch.tensor_split(a, torch.tensor(2))
    torch.tensor_split(a, torch.tensor([1, 2]), 1)
    a.hsplit(1)
    a.hsplit([1, 2])
    a.hsplit(3)
    a.vsplit(2)
    torch.vsplit(a, (1,))
    a.dsplit(2)
    torch.dsplit(a, [1, 3])
    torch.hsplit(a, indices=[1])
    a.split_with_sizes([1, 1])
    torch.split_with_sizes(a, [1, 2], -1)
    torch.unsafe_split(a, 2)
    a.unsafe_chunk(2, -1)
    a.chunk(3)
    a.chunk(100, -1)
    a.narrow_copy(0, 1, 1)
    a.sum_to_size(3)
    a.sum_to_size((1, 3))
    a.sum_to_size(())
    a.unflatten(0, (1, -1))
    a.unflatten(-1, (3, 1))
    torch.unflatten(a, 0, (2, 2))
    a.unflatten(1, sizes=[-1])
    torch.hstack([a, a])
    torch.vstack((a, a))
    torch.row_stack([a, a])
    torch.dstack([a, a])
    torch.column_stack([a, a])
    torch.atleast_1d(a, a)
    torch.atleast_3d([a])
    torch.block_diag(a, a)
    torch.block_diag(a)
    torch.cartesian_prod(a, a)
    torch.cartesian_prod(a)
    torch.combinations(a)
    torch.combinations(a, 3, True)
    torch.meshgrid(a, a)
""", view=True)
ROWS += codes(once(SQUARES + each(ALL, "$ 3x4") + each("f64 bf16", "$ 3x4 special")), """
    a.tril()
    a.triu(1)
    torch.tril(a, -1)
""", view=True)
ROWS += codes(once(SQUARES + each("b1 i64", "$ 3x3", "$ 5x3")), """
    torch.tril(a, diagonal=2)
    torch.triu(a, -2)
    torch.triu(a, 100)
    torch.tril(a, -100)
    torch.triu(a, -2**62)
    a.contiguous().clone().tril_(1)
    a.transpose(0, 1).clone().triu_()
    b = a.clone(); b[..., ::2].triu_(); b
    a.contiguous().clone().fill_diagonal_(7)
    a.contiguous().clone().fill_diagonal_(1, wrap=True)
    b = torch.zeros(0, dtype=a.dtype); torch.triu(a, out=b); b
    b = torch.zeros(3, 4, dtype=a.dtype).T; torch.tril(a, out=b); (b, b.stride())
""")
ROWS += codes(SQUARES, """
    torch.triu(a, out=torch.zeros(2, dtype=torch.int64))
""")
ROWS += codes(once(each(ALL, "$ 3x3", "$ 2x5", "$ 0x3") + ("f32 3 ", "f32 -", "f32 3x3 T", "f32 3x4 S", "f32 4x3 E", "f64 3x3 special")), """
    a.trace()
    torch.trace(a)
""", tolerance="sum")
ROWS += codes(("",), """
    torch.tril_indices(3, 3)
    torch.tril_indices(4, 3, -1)
    torch.tril_indices(2, 5, 3)
    torch.tril_indices(3, 3, offset=-5)
    torch.tril_indices(0, 3)
    torch.tril_indices(3, 0, 2)
    torch.tril_indices(3, 2, dtype=torch.int32)
    torch.triu_indices(3, 3)
    torch.triu_indices(4, 3, -1)
    torch.triu_indices(2, 5, 3)
    torch.triu_indices(row=3, col=3, offset=5)
    torch.triu_indices(3, 3, -2**40)
    torch.triu_indices(3, 3, dtype=torch.int64, device='cpu')
    torch.tril_indices(-1, 2)
    torch.triu_indices(2, -1)
    torch.tril_indices(2.5, 2)
    torch.repeat_interleave(torch.tensor([1, 0, 3]))
    torch.repeat_interleave(torch.tensor([1, 2], dtype=torch.int32))
    torch.repeat_interleave(torch.tensor([], dtype=torch.int64))
    torch.repeat_interleave(torch.tensor([1, 2]), output_size=3)
    torch.repeat_interleave(torch.tensor([1, -2]))
    torch.repeat_interleave(torch.tensor([1.5]))
    torch.repeat_interleave(torch.tensor([[1]]))
    torch.repeat_interleave(torch.tensor([1, 2]), output_size=4)
    torch.range(1, 4)
    torch.range(1, 4, 0.5)
    torch.range(0, 1, 0.1)
    torch.range(4, 1, -1)
    torch.range(1, 4, 2, dtype=torch.int64)
    torch.range(0.5, 3, dtype=torch.float64)
    torch.range(0, 5, 2, dtype=torch.float16)
    torch.range(1, 1)
    torch.range(4, 1)
    torch.range(1, 4, 0)
    torch.range(1, inf)
    torch.range(1, 3, out=torch.zeros(0))
    torch.range(5)
    torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij')
    torch.meshgrid(torch.arange(2), torch.arange(3), indexing='xy')
    torch.meshgrid([torch.arange(2), torch.arange(3), torch.arange(2)], indexing='xy')
    torch.meshgrid(torch.tensor(1), torch.arange(3))
    torch.meshgrid(torch.arange(2), indexing='xy')
    torch.meshgrid(torch.arange(2), torch.zeros(0, dtype=torch.int64))
    torch.meshgrid(torch.arange(2), torch.zeros(3))
    torch.meshgrid(torch.arange(2), indexing='ab')
    torch.meshgrid()
    torch.block_diag()
    torch.block_diag(torch.ones(2, 1), torch.tensor(3), torch.tensor([4., 5.]))
    torch.block_diag(torch.ones(2), torch.zeros(0), torch.ones(1, 2, dtype=torch.int64))
    torch.cartesian_prod(torch.arange(2), torch.arange(3), torch.arange(2))
    torch.cartesian_prod()
    torch.combinations(torch.arange(5), r=3)
    torch.combinations(torch.arange(4), r=1)
    torch.combinations(torch.arange(3), r=0)
    torch.combinations(torch.arange(3), r=-1)
    torch.combinations(torch.arange(3), 4)
    torch.combinations(torch.arange(2), 4, with_replacement=True)
    torch.combinations(torch.tensor([]), 2)
    torch.detach_(torch.ones(2))
    torch.empty_strided((2, 3), (1, 2)).stride()
    torch.empty_strided((2, 3), (1, 2), dtype=torch.int16).dtype
    torch.empty_strided((2, 3), (1,))
    torch.empty_strided((2, -3), (1, 1))
    torch.ones(2).new_empty_strided((2, 2), (3, 1)).stride()
    torch.zeros(2, dtype=torch.int8).new_empty_strided((2,), (3,), dtype=torch.bool).dtype
""", view=True)
ROWS += codes(("",), """
    torch.logspace(0, 2, 5)
    torch.logspace(-3, 3, 7)
    torch.logspace(0, 10, 11, base=2)
    torch.logspace(0, 1, 1)
    torch.logspace(0, 1, 0)
    torch.logspace(2, -2, 9, 3.0, dtype=torch.float64)
    torch.logspace(start=0, end=3, steps=4, base=2, dtype=torch.int64)
    torch.logspace(0, 2, 5, dtype=torch.float16)
    torch.logspace(0, 1, steps=4, out=torch.zeros(0))
    torch.logspace(0, 1, -1)
    torch.logspace(0, 1)
""", tolerance="ulp")
PAIRS = once(each(ALL, "$ 3;$ 3", "$ 2x3;$ 2x3") + ("f32 -;f32 -", "f32 2x3;f32 3", "f32 0;f32 3", "i64 3;f32 3", "f32 2x3 T;f32 2x3",
                                              "f32 2x3x2;f32 2x3x2", "f32 -;f32 3", "f32 2x3;f32 2x2"))
ROWS += codes(PAIRS, """
    torch.hstack([a, b])
    torch.vstack([a, b])
    torch.dstack([a, b])
    torch.column_stack((a, b))
    torch.block_diag(a, b)
""")
ROWS += codes(("f32 2x3;f32 2x3;f32 0", "f32 2x3;f32 2x3;f64 4", "f32 2x3;f32 2x3;i64 0"), """
    torch.hstack([a, b], out=c); c
    torch.vstack([a, b], out=c); c
    torch.dstack([a, b], out=c); c
    torch.column_stack([a, b], out=c); c
""")
ROWS += codes(("f32 2x3;f32 0", "f32 2;f32 4", "f32 2;f64 2x2"), "torch.diag(a, out=b); b")
# this tensor's own shape
CHANGED = "(a, a.shape, a.stride(), a.storage_offset())"
ROWS += codes(LAYOUTS + ("f32 1x3x1", "f32 2x1x3 S"), "\n".join(f"{line}; {CHANGED}" for line in """
    a.squeeze_()
    a.squeeze_(0)
    a.squeeze_(-1)
    a.squeeze_((0, -1))
    a.unsqueeze_(0)
    a.unsqueeze_(-1)
    a.unsqueeze_(5)
    a.t_()
    a.transpose_(0, -1)
    a.swapaxes_(0, 1)
    a.swapdims_(-1, 0)
    a.as_strided_((1,), (1,))
    a.as_strided_((1, 1), (3, 1), 0)
    a.swapaxes_(axis0=0, axis1=0)
""".strip().splitlines()))
ROWS += errors(("f32 2x3",), """
    a.repeat((2,))  # Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor
    a.repeat(2, -1)  # negative dimension
    a.repeat(2, 1.5)  # repeat(): argument 'repeats'
    a.repeat_interleave(-1)  # epeats
    a.repeat_interleave(torch.tensor([1, 2]), 1)  # repeats must have the same size as input along dim
    a.repeat_interleave(torch.tensor([[1, 2]]), 0)  # repeats must be 0-dim or 1-dim tensor
    a.roll(())  # `shifts` required
    a.roll((1, 2), 0)  # shifts and dimensions must align
    a.roll(1, 2)  # Dimension out of range
    torch.rot90(a, 1, [0])  # expected total rotation dims == 2, but got dims = 1
    torch.rot90(a, 1, [0, 0])  # expected rotation dims to be different, but got dim0 = 0 and dim1 = 0
    torch.rot90(a, 1, [0, 2])  # Dimension out of range
    a[0].rot90()  # expected total dims >= 2, but got total dims = 1
    a[0].fliplr()  # Input must be >= 2-d.
    a[0, 0].flipud()  # Input must be >= 1-d.
    a[0].tril()  # at least 2 dimensions
    a[0].trace()  # trace: expected a matrix, but got tensor with dim 1
    a[None].diag()  # Supports 1D or 2D tensors. Got 3D
    a.diag_embed(0, 0, 0)  # diagonal dimensions cannot be identical 0, 0
    a.tensor_split(0)  # number of sections must be larger than 0, got 0
    a[0, 0].tensor_split(1)  # tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims
    a.tensor_split(torch.tensor([1.0]))  # dtype of long
    a.hsplit(sections=2)  # torch.hsplit attempted to split along dimension 1, but the size of the dimension 3 is not divisible
    a[0].vsplit(1)  # torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with 1 dimensions!
    a.dsplit(1)  # torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with 2 dimensions!
    a[0, 0].hsplit(1)  # torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with 0 dimensions!
    a.unflatten(1, (2, 2))  # unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 1 (3) in the input tensor
    a.unflatten(1, ())  # unflatten: sizes must be non-empty
    a.unflatten(1, (-1, -1))  # only one dimension can be inferred
    a.unflatten(2, (3,))  # Dimension out of range
    a[None].t_()  # t_() expects a tensor with <= 2 dimensions, but self is 3D
    a[0].adjoint()  # only supported on matrices or batches of matrices
    a.sum_to_size(2)  # is not expandable to size
    torch.hstack([])  # expects a non-empty TensorList
    torch.vstack([])  # expects a non-empty TensorList
    torch.dstack([])  # expects a non-empty TensorList
    torch.column_stack([])  # expects a non-empty TensorList
    torch.block_diag(a[None])  # torch.block_diag: Input tensors must have 2 or fewer dimensions. Input 0 has 3 dimensions
    torch.cartesian_prod(a[0], a)  # Expect a 1D vector, but got shape [2, 3]
    torch.combinations(a, r=2)  # Expect a 1D vector, but got shape [2, 3]
    torch.meshgrid(a, indexing="ij")  # torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got:
    a[0].fill_diagonal_(1)  # dimensions must larger than 1
    a[None].fill_diagonal_(1)  # all dimensions of input must be of equal length
    a.chunk(-1)  # chunk expects `chunks` to be greater than 0, got: -1
""")

ROWS += codes(("",), """
    torch.tril_indices(3, 3, dtype=torch.float32)
    torch.triu_indices(3, 3, dtype=torch.float64)
    torch.triu_indices(0, 0, dtype=torch.bool)
    torch.tril_indices(3, 3, dtype=torch.uint8)
    torch.tril_indices(3, 3, dtype=torch.complex64)
    torch.triu_indices(-1, 3, dtype=torch.float32)
    torch.nonzero(torch.tensor([0, 1, 1]), as_tuple=True, out=torch.empty(0, dtype=torch.int64))
    o = torch.empty(0, dtype=torch.int64); torch.nonzero(torch.tensor([0, 1, 1]), as_tuple=False, out=o), o
""")
