"""What may be written where: results over what is read, numbers beyond a dtype, the dtype of `out`."""

from golden.row import codes, each, errors

# In the error rows a and b are (3, 4) or (3,); the words are those of both libraries.
ROWS = errors(("f32 3x4", "i64 3x4", "b1 3x4"), """
    a[torch.tensor([0.0, 1.0])] = a  # refer to a single memory location
    a[torch.tensor([True, False])] = a  # refer to a single memory location
    a[torch.tensor([7])] = a  # refer to a single memory location
    a[:, torch.tensor([0, 1, 9])] = a[1:]  # refer to a single memory location
    a[a] = torch.ones(3, 4)  # refer to a single memory location
    a.index_put_((a,), a, accumulate=True)  # refer to a single memory location
    a.put_(torch.full((12,), 99), a)  # refer to a single memory location
    a[0].expand(3, 4).put_(torch.tensor([0]), a[0, :1].clone())  # more than one element
    torch.masked_select(a, a == 77, out=a.new_zeros(1).expand(2))  # more than one element
    torch.take(a, torch.tensor([0, 1, 1]), out=a.new_zeros(1).expand(2))  # more than one element
    torch.index_select(a, 0, torch.tensor([0, 1, 1]), out=a.new_zeros(1).expand(2))  # more than one element
    torch.conj_physical(a, out=a.new_zeros(1).expand(2))  # more than one element
    torch.scatter(a, 0, torch.tensor([[0]]), a, out=a.new_zeros(1).expand(2))  # more than one element
    torch.index_select(a, 0, torch.ones(1, 1).long())  # Index is supposed to be a vector
    torch.index_select(a, 0, torch.ones(1, 1), out=torch.zeros(1).half())  # Index is supposed to be a vector
    torch.index_add(a, 0, torch.ones(1, 1).long(), a, out=torch.zeros(1).half())  # Index is supposed to be a vector
    torch.where(a == a, 1, a, out=a.clone())  # must be Tensor, not
    torch.where(a == a, a, 1.5, out=a.clone())  # must be Tensor, not
    torch.where(a == a, a, a, out=a.half())  # Expected out
    torch.where(a == a, a, a, out=a.double())  # Expected out
    a.index_copy_(0, torch.tensor([0]), a[0, 0].clone())  # same slice shapes
    a[0, 0].clone().index_copy_(0, torch.tensor([0, 0, 9]), a.clone())  # same slice shapes
    a.scatter_(0, torch.tensor([[0, 1]]), a[0, :2].clone())  # Dimension out of range
    a.scatter_add_(0, torch.tensor([[0], [1]]), a[0, :2].clone())  # Dimension out of range
    a.scatter_(0, torch.tensor([[0], [1], [1]]), a[0, :2].clone())  # same number of dimensions as src tensor
    a.index_add_(0, torch.tensor([]).long(), torch.ones(()).half())  # must have the same scalar type
""")
ROWS += errors(("i64 3",), """
    b = torch.arange(3); torch.scatter(a, 0, b, a, out=b)  # refer to a single memory location
    b = torch.arange(3); torch.scatter(a, 0, torch.arange(3), b, out=b)  # refer to a single memory location
    b = torch.arange(3); torch.scatter(a, 0, b, 2, out=b)  # refer to a single memory location
    b = torch.arange(3); torch.scatter_add(a, 0, b, a, out=b)  # refer to a single memory location
    b = torch.arange(3); torch.scatter_reduce(a, 0, b, a, 'sum', out=b)  # refer to a single memory location
    b = torch.arange(3); torch.index_add(a, 0, b, a, out=b)  # refer to a single memory location
    b = torch.arange(3); torch.index_copy(a, 0, torch.arange(3), b, out=b)  # refer to a single memory location
    b = torch.arange(6)[::2]; b[b] = 1  # refer to a single memory location
    b = torch.zeros(1, 3).long(); b[True, ..., torch.tensor([9.0])] = b  # refer to a single memory location
    b = torch.zeros(1).long(); b[torch.tensor([0.5])] = b.contiguous()  # refer to a single memory location
    b = torch.zeros(3).expand(2, 3); b[torch.tensor([0.5])] = b  # to a single memory location
    b = torch.zeros(3).expand(2, 3); b[torch.tensor([1, 0])] = b  # to a single memory location
    torch.xlogy_(0.5, 1)  # xlogy_()
    torch.xlogy_(2, a)  # xlogy_()
""")
# Numbers that the dtype of the result cannot hold.
ROWS += errors(each("u8 i8 i16 i32", "$ 3"), """
    a.clamp(0, 2**40)  # without overflow
    a.clamp(max=2**40)  # without overflow
    a.clamp_(-(2**40), 3)  # without overflow
    torch.clamp_min(a, 2**40)  # without overflow
    torch.clamp_max(a, 2**40)  # without overflow
    torch.where(a > 0, a, 2**40)  # without overflow
    torch.where(a > 0, -(2**40), a)  # without overflow
    a.where(a > 0, 2**40)  # without overflow
""")
ROWS += errors(("f32 3",), """
    a.clamp(-1e300, 1e300)  # without overflow
    torch.where(a > 0, a, 1e300)  # without overflow
    a.half().clamp(max=1e10)  # without overflow
""")
ROWS += codes(each("u8 i8 i32 f16 f32 f64", "$ 3", "$ 2x3 T"), """
    a.clamp(0, 127)
    a.clamp(-1, 2)
    a.clamp(max=2.5)
    torch.where(a > 0, a, -1)
    torch.where(a > 0, 127, a)
    a.clamp(-math.inf, math.inf)
    torch.clamp(a, a, a, out=a.double())
    torch.clamp(a, a.long(), out=a.double())
    torch.clamp_min(a, a, out=a.float())
    torch.clamp_max(a, a, out=a.double())
    torch.clamp(a, 0, 2, out=a.clone())
""")
# A tensor's value is converted as a copy is.
ROWS += codes(each("b1 u8 i8 i32 f16 bf16 f32 c64", "$ 3", "$ 2x3 T", "$ 0"), """
    a.fill_(torch.tensor(300))
    a.fill_(torch.tensor(-1))
    a.fill_(torch.tensor(2.75))
    a.fill_(torch.tensor(1e10, dtype=torch.float64).half())
    a.fill_(torch.tensor(2 + 3j))
    torch.fill(a, torch.tensor(3000000000))
    torch.fill(a, torch.tensor(2j))
""")
ROWS += codes(("f16 3",), "a.fill_(torch.tensor(1e10))")
ROWS += codes(("b1 3", "b1 2x3", "b1 -", "b1 1"), """
    a.masked_scatter_(a, ~a)
    a.masked_scatter_(a, torch.zeros(2, 3, dtype=torch.bool))
""")
ROWS += codes(("b1 3",), "a[:2].masked_scatter_(a[1:], torch.tensor([True, False])).shape")
ROWS += codes(("",), """
    torch.randperm(4, out=torch.zeros(1).long().expand(4)).shape
    torch.randperm(1, out=torch.zeros(1).long().expand(1))
    torch.randperm(3, out=torch.zeros(1).long().expand(2)).stride()
    type(torch.max(torch.ones(2, 2), 0, out=(torch.ones(2), torch.ones(2).long()))).__name__
    type(torch.linalg.eigh(torch.eye(2), out=(torch.ones(2), torch.eye(2)))).__name__
    type(torch.max(torch.ones(2, 2), 0)).__name__
    torch.utils.backcompat.broadcast_warning.enabled
""")
