"""Elements written where indices and masks say; parts of a copy replaced; products and integrals made of other operators."""

from golden.row import ALL, NUM, Row, codes, each, errors


def once(inputs):
    return tuple(dict.fromkeys(inputs))


INDEX = "index = torch.tensor([[0, 1, 1], [2, 0, 1]]); "
TWO = once(each(ALL, "$ 3x4;$ 2x3") + each("f32", "$ 3x4 T;$ 2x3 T", "$ 3x4 S;$ 2x3 S", "$ 3x4 nans;$ 2x3 nans", "$ 3x4;$ 4x3 E") + (
    "f32 3x4;f64 2x3", "f32 3x4 special;f32 2x3 special", "f16 3x4 special;f16 2x3 special", "i8 3x4 ext;i8 2x3 ext",
    "i64 3x4 ext;i64 2x3 ext", "f32 3x4 E;f32 2x3", "f32 3x2;f32 2x3", "f32 3x4;f32 2x2", "f32 3;f32 3", "f32 0x4;f32 2x3"))
ROWS = [Row(INDEX + line, TWO, "ulp") for line in (
    "a.scatter_add(0, index, b)",
    "torch.scatter_add(a, 1, index, b)",
    "a.clone().scatter_add_(-1, index, b)",
    "a.scatter(0, index, b, reduce='add')",
    "a.scatter(1, index, b, reduce='multiply')",
    "a.scatter(0, index, 2, reduce='add')",
    "a.scatter(0, index, 3, reduce='multiply')",
    "a.scatter_reduce(0, index, b, 'sum')",
    "a.scatter_reduce(1, index, b, 'prod')",
    "a.scatter_reduce(0, index, b, 'amax')",
    "a.scatter_reduce(0, index, b, 'amin')",
    "a.scatter_reduce(0, index, b, 'mean')",
    "a.scatter_reduce(0, index, b, 'sum', include_self=False)",
    "a.scatter_reduce(0, index, b, 'prod', include_self=False)",
    "a.scatter_reduce(1, index, b, 'amax', include_self=False)",
    "a.scatter_reduce(1, index, b, 'amin', include_self=False)",
    "a.scatter_reduce(1, index, b, 'mean', include_self=False)",
    "a.clone().scatter_reduce_(0, index, b, reduce='amax')",
)]
ROWS += [Row(code, TWO, "ulp") for code in (
    "a.index_add(0, torch.tensor([2, 0]), b[:, :1].expand(2, 4))",
    "a.index_add(1, torch.tensor([0, 0]), b[:1, :2].expand(3, 2), alpha=2)",
    "a.index_copy(0, torch.tensor([2, 0]), b[:, :1].expand(2, 4))",
    "a.clone().index_copy_(1, torch.tensor([3, 3]), b[:1, :2].expand(3, 2))",
    "a.put(torch.tensor([[0, -1, 4], [3, 2, 1]]), b)",
    "a.put(torch.tensor([[0, -1, 5], [5, 2, 0]]), b, accumulate=True)",
    "a.put_(torch.tensor([[0, -1, 4], [3, 2, 1]]), b); a",
    "a.masked_scatter(torch.tensor([True, False, True, False]), b)",
    "a.masked_scatter_(torch.tensor([[True], [False], [False]]), b); a",
    "a.select_scatter(b[:, 0], 1, 2)",
    "a.select_scatter(b[0, :1].expand(4), 0, -1)",
    "a.slice_scatter(b[:, :1].expand(2, 4), 0, 1)",
    "torch.slice_scatter(a, b[:1, :2].expand(3, 2), dim=1, start=-3, end=None, step=2)",
    "a.diagonal_scatter(b.flatten()[:3])",
    "torch.diagonal_scatter(a, b.flatten()[:2], offset=2, dim1=0, dim2=1)",
    "a.as_strided_scatter(b, (2, 3), (4, 1), 1)",
    "a.index_put((torch.tensor([0, 0, 2]), torch.tensor([1, 1, -1])), b[0], accumulate=True)",
    "a = a.clone(); torch.index_put_(a, (torch.tensor([0, 0, 2]),), b[0, :1], True); a",
)]
ROWS += codes(once(each(ALL, "$ 5;$ 3") + ("f32 -;f32 -", "f32 5;f32 -", "f32 -;f32 1", "f64 5 S;f64 3 S", "f32 3;f32 5", "f32 0;f32 3")), """
    a.index_add(0, torch.tensor([1, 1, 4]), b, alpha=3)
    a.clone().index_add_(0, torch.tensor([1, 1, 4], dtype=torch.int32), b)
    a.index_copy(0, torch.tensor([1, 2, 4]), b)
    a.index_add(0, torch.tensor(0), b)
    a.index_copy(-1, torch.tensor(0), b)
    a.scatter_add(0, torch.tensor([1, 1, 2]), b)
    a.scatter_add(0, torch.tensor(0), b)
    a.scatter_reduce(0, torch.tensor([1, 1, 0]), b, 'mean')
    a.put(torch.tensor(-1), b)
    a.masked_scatter(torch.tensor(True), b)
    a.masked_scatter(torch.zeros(2, 1, dtype=torch.bool), b)
""", tolerance="ulp")
ROWS += codes(("f32 3x4;f32 0", "f32 3x4;f32 2x2", "f32 3x4;f64 3x4", "f32 3x4;f32 3x4 T", "f32 4x3 E;f32 0"), """
    torch.scatter_add(a, 0, torch.zeros(1, 4, dtype=torch.int64), a[:1] * 1, out=b); b
    torch.scatter_reduce(a, 0, torch.zeros(2, 4, dtype=torch.int64), a[:2] * 1, 'amax', out=b); b
    torch.index_add(a, 0, torch.tensor([0]), a[:1] * 1, out=b); b
    torch.index_copy(a, 0, torch.tensor([2]), a[:1] * 1, out=b); b
    torch.take_along_dim(a, torch.zeros(1, 4, dtype=torch.int64), 0, out=b); b
    torch.diff(a, out=b); b
    torch.kron(a, a[:1], out=b); b
    torch.inner(a, a, out=b); b
    torch.cross(a, a + 1, 0, out=b); b
    torch.addr(a, a[:, 0], a[0], out=b); b
    a.scatter_add_(0, torch.zeros(1, 4, dtype=torch.int64), torch.ones(1, 4)); a
    a.index_add_(0, torch.tensor([0]), torch.ones(1, 4)); a
""", tolerance="ulp")
ROWS += codes(once(each(ALL, "$ 3x4") + each("f32", "$ 3x4 T", "$ 3x4 S", "$ 4x4 E", "$ 0x4", "$ 6", "$ -")), """
    a.take_along_dim(torch.tensor([0, 3, -1, 2]))
    a.take_along_dim(torch.tensor([[1, 0], [2, 2], [0, 1]]), 1)
    torch.take_along_dim(a, torch.tensor([[0]]), dim=0)
    torch.take_along_dim(a, torch.tensor([[2, 1, 0, 1]]), -2)
    a.take_along_dim(a.argsort(-1) if a.dtype != torch.bool else torch.zeros(3, 4, dtype=torch.int64), -1)
    a.argwhere()
    torch.argwhere(a)
    a.take_along_dim(torch.tensor([[4]]), 1)
    a.take_along_dim(torch.tensor([[-1]]), 1)
    a.take_along_dim(torch.tensor([[-9, 100]]), -1)
    a.clone().index_fill_(-1, torch.tensor([1]), 2)
""")
ROWS += codes(each(ALL, "$ 3x4") + each("f32", "$ 3x4 T", "$ 4x4 E", "$ 6", "$ -"), """
    a.index_fill(0, torch.tensor([0, 0]), 1)
    a.clone().index_fill_(0, torch.tensor(0), torch.tensor(3))
    a.scatter_reduce(0, torch.zeros(a.shape, dtype=torch.int64), a, 'max')
    a.scatter_reduce(0, torch.zeros(a.shape, dtype=torch.int64), a, 'min', include_self=False)
""")
# Slices: `out` is resized, and judged afterwards.
ROWS += codes(("f32 3;f32 5", "f32 3;f32 2x3", "f32 3;f32 1"), """
    c = b[..., :1].expand(b.shape); torch.index_add(a, 0, torch.tensor([0]), torch.ones(1), out=c); (c, c.stride())
    c = b[..., :1].expand(b.shape); torch.index_copy(a, 0, torch.tensor([0]), torch.ones(1), out=c); (c, c.stride())
    c = b[..., :1].expand(b.shape); torch.index_reduce(a, 0, torch.tensor([0]), torch.ones(1), 'amax', out=c); (c, c.stride())
""")
ROWS += errors(("f32 3;f32 3",), """
    torch.index_add(a, 0, torch.tensor([0]), torch.ones(1), out=b[:1].expand(3))  # more than one element
    torch.index_copy(a, 0, torch.tensor([0]), torch.ones(1), out=b[:1].expand(3))  # more than one element
    torch.index_reduce(a, 0, torch.tensor([0]), torch.ones(1), 'amax', out=b[:1].expand(3))  # more than one element
    torch.scatter_add(a, 0, torch.tensor([0]), torch.ones(1), out=b[:1].expand(5))  # more than one element
""")
IX = "index = torch.tensor([[0, 1], [1, 0]]); "
ROWS += errors(("f32 3x4;f32 2x2",), f"""
    {IX}a.scatter_add(2, index, b)  # Dimension out of range
    {IX}a.scatter_add(0, index.float(), b)  # Expected dtype int
    {IX}a.scatter_add(0, index + 2, b)  # index 3 is out of bounds for dimension 0 with size 3
    {IX}a.scatter_add(0, index - 1, b)  # is out of bounds for dimension 0 with size 3
    {IX}a.scatter_add(0, index, b.double())  # Expected self.dtype to be equal to src.dtype
    {IX}a.scatter_add(0, index[0], b)  # Index tensor must have the same number of dimensions as self tensor
    {IX}a.scatter_add(0, index.repeat(1, 3), b.repeat(1, 3))  # Expected index [2, 6] to be no larger than self [3, 4] apart from dimension 0
    {IX}a.scatter_add(0, index, 1.0)  #
    {IX}a.scatter_reduce(0, index, b, 'foo')  #
    {IX}a.scatter_reduce(0, index, b)  #
    {IX}a.scatter(0, index, b, reduce='sum')  # reduce argument must be either add or multiply.
    {IX}a.scatter_reduce_(0, index, b.double(), 'mean')  # Expected self.dtype to be equal to src.dtype
    a.index_add(0, torch.tensor([0, 3]), torch.ones(2, 4))  # index 3 is out of bounds for dimension 0 with size 3
    a.index_add(0, torch.tensor([0, -1]), torch.ones(2, 4))  # index -1 is out of bounds for dimension 0 with size 3
    a.index_add_(0, torch.tensor([0, 1]), torch.ones(2, 3))  # source tensor shape must match self tensor shape
    a.index_add(0, torch.tensor([0]), torch.ones(2, 4))  # Number of indices (1) should be equal to source.size(dim): (2), for dim: 0
    a.index_add(0, torch.tensor([[0, 1]]), torch.ones(2, 4))  # Index is supposed to be a vector
    a.index_add(0, torch.tensor([0.0, 1.0]), torch.ones(2, 4))  # Expected dtype int32/int64 for index
    a.index_add(0, torch.tensor([0, 1]), torch.ones(2, 4).int())  # must have the same
    a.index_add(2, torch.tensor([0, 1]), torch.ones(2, 4))  # Dimension out of range
    a.index_copy(0, torch.tensor([0, 3]), torch.ones(2, 4))  # index 3 is out of bounds for dimension 0 with size 3
    a.index_copy(0, torch.tensor([0, -1]), torch.ones(2, 4))  # is out of bounds for dimension 0 with size 3
    a.index_copy(0, torch.tensor([0]), torch.ones(2, 4))  # Number of indices (1) should be equal to source.size(dim) (2)
    a.index_copy(0, torch.tensor([0, 1]), torch.ones(2, 3))  # same slice shapes
    a.index_copy(0, torch.tensor([0, 1]), torch.ones(2, 4).double())  # self and source expected to have the same dtype
    a.index_copy(0, torch.tensor([0, 1], dtype=torch.int32), torch.ones(2, 4))  # Expected a long tensor for index, but got Int
    a.index_copy(0, torch.tensor([[0, 1]]), torch.ones(2, 4))  # Index should have dimension 1 or 0 (got 2)
    a.index_copy(0, torch.tensor([0, 1]), torch.ones(2))  # dimensionality must match
    a.index_copy(0, torch.tensor([0, 1]), torch.tensor(1.0))  # should have one element
    a.put_(torch.tensor([12]), torch.ones(1))  # out of range: tried to access index 12 on a tensor of 12 elements.
    a.put_(torch.tensor([-13]), torch.ones(1))  # out of range: tried to access index -13 on a tensor of 12 elements.
    a.put_(torch.tensor([1]), torch.ones(2))  # same number of elements
    a.put_(torch.tensor([1]), torch.ones(1).double())  # same dtype
    a.put_(torch.tensor([1.0]), torch.ones(1))  # xpected a long tensor for index
    a[:0].put_(torch.tensor([1]), torch.ones(1))  #
    a.masked_scatter(torch.ones(3, 4), b)  # bool
    a.masked_scatter(torch.ones(3, 4, dtype=torch.bool), b)  # Number of elements of source < number of ones in mask
    a.masked_scatter_(torch.ones(2, 4, dtype=torch.bool), b)  #
    a.masked_scatter_(torch.ones(3, 4, dtype=torch.bool), torch.ones(12).int())  # expected self and source to have same dtypes but got
    a.select_scatter(b, 0, 1)  # expected src to have a size equal to the slice of self.
    a.select_scatter(b, 0, 3)  # out of range
    a.slice_scatter(b)  # expected src to have a size equal to the slice of self.
    a.slice_scatter(b, step=0)  # slice step must be positive
    a.diagonal_scatter(b)  # expected src to have a size equal to the slice of self.
    a.as_strided_scatter(b, (2,), (1,))  # expected src to have a size equal to the slice of self.
    a.take_along_dim(torch.tensor([1.0]))  # Expected dtype int32/int64 for index
    a.take_along_dim(torch.tensor([1]), 0)  # input and indices should have the same number of dimensions
    a.take_along_dim(torch.tensor([[0, 0]]), 0)  # must match the size of tensor
""")
# ---- made of other operators
MATRICES = once(each(NUM, "$ 2x3;$ 2x3") + ("b1 2x3;b1 2x3", "f32 2;f32 3", "f32 -;f32 2x3", "f32 2x3;f32 -", "f32 2x3 T;f32 2x3 S", "f32 0x3;f32 2x3",
                                       "i64 2x3;f32 2x3", "f32 2x3;f32 4x3", "f32 2x3x3;f32 1x3", "f32 3;f32 3", "f32 3x4;f32 3x4",
                                       "f32 2x3;f64 2x3", "f32 1x3;f32 4x3", "f32 3x3;f32 3x3 E", "f32 2x3 special;f32 2x3"))
ROWS += codes(MATRICES, """
    torch.kron(a.contiguous(), b.contiguous())
    a.inner(b)
    torch.cross(a, b)
    torch.cross(a, b, dim=-1)
    a.cross(b, 0)
""", tolerance="sum")
ADDR = once(each(ALL, "$ 2x3;$ 2;$ 3") + ("f32 3;f32 2;f32 3", "f32 -;f32 2;f32 3", "f32 2x3 T;f32 2 S;f32 3", "f32 2x3;f32 2x1;f32 3", "i64 2x3;f32 2;f32 3",
                                     "f32 2x3;i64 2;f64 3", "f32 2x2;f32 2;f32 3", "f32 2x3 nans;f32 2;f32 3", "f32 0x3;f32 0;f32 3", "f32 2x1;f32 2;f32 3"))
ROWS += codes(ADDR, """
    torch.addr(a, b, c)
    a.addr(b, c, beta=2, alpha=3)
    a.addr(b, c, beta=0)
    a.addr(b, c, alpha=1.5)
    a.addr(b, c, beta=True)
    a.addr_(b, c); a
    a.addr_(b, c, alpha=2); a
""", tolerance="sum")
SAMPLES = once(each(NUM, "$ 2x4") + each("f32", "$ 5", "$ 2x4 T", "$ 2x4 S", "$ 4x3 E", "$ 1", "$ 0", "$ -", "$ 0x3", "$ 3x0", "$ 2x3x4", "$ 2x4 special") + ("b1 2x4",))
ROWS += codes(SAMPLES, """
    a.diff()
    torch.diff(a, 2)
    torch.diff(a, n=3, dim=0)
    a.diff(0)
    a.diff(10)
    torch.diff(a, prepend=a, append=a)
    torch.trapezoid(a)
    torch.trapz(a, dx=2)
    torch.trapezoid(a, dx=0.5, dim=0)
    torch.trapezoid(a, a)
    torch.trapz(a, torch.arange(a.shape[-1]) * 2.0)
    torch.cumulative_trapezoid(a)
    torch.cumulative_trapezoid(a, dx=2.5, dim=0)
    torch.cumulative_trapezoid(a, torch.arange(a.shape[-1]) * 2.0)
    torch.cov(a)
    a.cov(correction=0)
    a.corrcoef()
    torch.vander(a)
    torch.vander(a, 3)
    torch.vander(a, N=4, increasing=True)
    torch.vander(a, 0)
""", tolerance="sum")
ROWS += codes(each("f32 f64 i64 f16", "$ 2x4", "$ 4 S"), """
    torch.cov(a, fweights=torch.tensor([1, 2, 3, 1]))
    torch.cov(a, aweights=torch.tensor([0.5, 1.0, 2.0, 0.25]))
    torch.cov(a, correction=0, fweights=torch.tensor([1, 2, 3, 1]), aweights=torch.tensor([0.5, 1.0, 2.0, 0.25]))
    torch.cov(a, fweights=torch.tensor([1, 0, 0, 0]))
""", tolerance="sum")
ROWS += errors(("f32 2x4;f32 3",), """
    torch.cov(a[None])  # cov(): expected input to have two or fewer dimensions but got an input with 3 dimensions
    torch.cov(a > 0)  # cov(): bool dtype is not supported for input
    torch.cov(a, fweights=torch.ones(4))  # cov(): expected fweights to have integral dtype but got fweights with Float dtype
    torch.cov(a, aweights=torch.ones(4).int())  # cov(): expected aweights to have floating point dtype but got aweights with Int dtype
    torch.cov(a, fweights=torch.tensor([1]))  # same numel
    torch.cov(a, fweights=torch.tensor([1, 1, 1, -1]))  # cov(): fweights cannot be negative
    torch.cov(a, fweights=torch.tensor([0, 0, 0, 0]))  # cov(): weights sum to zero, can't be normalized
    torch.corrcoef(a[None])  # corrcoef(): expected input to have two or fewer dimensions but got
    torch.diff(a, -1)  # order must be non-negative but got -1
    torch.diff(a, prepend=b)  # diff expects prepend or append to be the same dimension as input
    torch.diff(a, append=torch.ones(3, 4))  # diff expects the shape of tensor to prepend or append to match that of input
    torch.trapezoid(a, b)  # There must be one `x` value for each sample point
    torch.vander(a)  # x must be a one-dimensional tensor.
    torch.vander(b, -1)  # N must be non-negative.
    torch.cross(a, a)  # no dimension of size 3 in input
    torch.cross(a, a, dim=1)  # linalg.cross: inputs dimension 1 must have length 3. Got 4 and 4
    torch.inner(a, b)  # inner() the last dimension must match on both input tensors but got shapes [2, 4] and [3]
    torch.addr(a, a, b)  # addr: Expected 1-D argument vec1, but got 2-D
    torch.addr(a, b[:2], b, alpha='x')  #
""")
