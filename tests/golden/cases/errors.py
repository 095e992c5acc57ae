"""What is refused, by which class of exception, and the words a user needs to see in its message."""

from golden.row import errors

PAIR = ("f32 2x3;i64 2x3",)

ROWS = errors(PAIR, """
    a + torch.ones(2)  # (3) must match
    a.add_(torch.ones(4, 2, 3))  # shape
    a.expand(2, 4)  # must match the existing size (3)
    a.expand(3)  # must be greater or equal
    a.view(5)  # invalid for input of size 6
    a.view(4, -1)  # invalid for input of size 6
    a.view(-1, -1)  # only one dimension can be inferred
    a.reshape(7)  # invalid for input of size 6
    a.t().view(6)  # stride
    a.view(2, -3)  # invalid shape dimension -3
    a.transpose(0, 2)  # [-2, 1], but got 2
    a.squeeze(5)  # got 5
    a.unsqueeze(4)  # [-3, 2], but got 4
    a.permute(0, 0)  # duplicate
    a.permute(0)  # number of dimensions
    a.select(0, 2)  # out of range
    a.narrow(0, 1, 2)  # exceeds dimension size
    a.narrow(0, 0, -1)  # non-negative
    a.unfold(1, 4, 1)  # maximum size
    torch.cat([a, torch.ones(3, 4)])  # Sizes of tensors must match except in dimension 0
    torch.cat([a, torch.ones(3)])  # dimensions
    torch.cat([])  # non-empty
    torch.stack([a, torch.ones(2)])  # equal size
    torch.stack([])  # non-empty
    a.split(-1)  # non-negative
    a.split([1, 2])  # split_sizes
    a.chunk(0)  # greater than 0
    a.sum(2)  # Dimension out of range
    a.sum((0, 0))  # multiple times
    b.mean()  # dtype
    torch.zeros(0).max()  # reduction dim
    torch.zeros(0).argmax()  # reduction dim
    torch.zeros(0, 2).max(0)  # non-zero size
    a.topk(4)  # out of range
    a.sort(2)  # Dimension out of range
    a.item()  # converted to Scalar
    bool(a)  # ambiguous
    bool(torch.zeros(0))  # ambiguous
    int(a)  # only one element
    float(torch.zeros(0))  # only one element
    a.__index__()  # integer
    [1, 2][torch.tensor(1.)]  # integer
    len(torch.tensor(1))  # 0-d
    iter(torch.tensor(1))  # 0-d
    torch.mm(a, a)  # cannot be multiplied (2x3 and 2x3)
    torch.mm(a[0], a)  # matrix
    torch.mm(a, b.t())  # same dtype
    torch.mm(a, a.double())  # cannot be multiplied (2x3 and 2x3)
    torch.mm(a > 0, a > 0)  # cannot be multiplied (2x3 and 2x3)
    torch.mv(a, torch.ones(2))  # size mismatch
    torch.dot(a[0], torch.ones(2))  # 3
    torch.dot(a, a)  # 1D tensors
    torch.dot(a[0], b[0])  # same dtype
    torch.bmm(a, a)  # 3D tensor
    torch.bmm(torch.ones(2, 3, 4), torch.ones(2, 3, 4))  # [2, 4]
    torch.slice_scatter(a[0, 0], a[0, 0])  # slice() cannot be applied to a 0-dim tensor
    torch.slice_scatter(a, a, 0, 0, 1, 0, out=a.double())  # slice step must be positive
    torch.narrow_copy(a[0, 0], 1, 0, 1)  # narrow() cannot be applied to a 0-dim tensor
    a.repeat(-2, 3)  # negative dimension -4: [-4, 9]
    a @ torch.ones(2)  # mismatch
    torch.matmul(a, torch.tensor(2.))  # 0D
    torch.addmm(torch.ones(3, 3), a, a.t())  #
    torch.index_select(a, 0, torch.tensor([2]))  # out of range
    torch.index_select(a, 0, torch.tensor([0.]))  # index
    torch.index_select(a, 0, torch.tensor([[0]]))  # vector
    torch.gather(a, 0, torch.tensor([[2]]))  # out of bounds
    torch.gather(a, 0, torch.tensor([0]))  # same number of dimensions
    torch.gather(a, 0, torch.tensor([[0.]]))  # int64
    a.scatter_(0, torch.tensor([[2]]), 1.)  # out of bounds
    a.scatter_(0, torch.tensor([[0]]), torch.ones(1, 1, dtype=torch.int64))  # dtype
    torch.take(a, torch.tensor([6]))  # out of range
    a.masked_fill_(a, 1)  # bool
    a.masked_fill(torch.tensor([True, False]), 1)  # must match
    a.masked_fill(a > 0, torch.ones(2))  # 0-dimensional
    torch.masked_select(a, torch.tensor([True, False]))  # must match
    torch.where(a, a, a)  # boolean
    a.clamp()  # At least one
    b.add_(a)  # can't be cast
    b.mul_(1.5)  # can't be cast
    b.div_(2)  # can't be cast
    torch.add(a, a, out=b)  # can't be cast
    torch.exp(b, out=b)  # can't be cast
    torch.add(b, b, alpha=1.5)  # alpha
    b // 0  # ZeroDivisionError
    b % 0  # ZeroDivisionError
    torch.div(b, 0, rounding_mode='trunc')  # ZeroDivisionError
    torch.div(a, 2, rounding_mode='up')  # up
    b ** -1  # negative integer powers
    -torch.tensor([True])  # bool
    torch.tensor([True]) - torch.tensor([True])  # logical
    torch.bitwise_and(a, a)  # not implemented for
    a << 1  # not implemented for
    ~a  # integer
    torch.abs(torch.tensor([True]))  # not implemented for
    torch.randint(3, 1, (2,))  # from
    torch.randint(0, (2,))  # from
    torch.randperm(-1)  # negative
    torch.zeros(-1)  # non-negative
    torch.empty(2, -3)  # negative dimension -3
    torch.full((-1,), 1)  # negative dimension -1
    torch.eye(-1)  # greater or equal to 0
    torch.empty(2**62)  #
    torch.arange(0, 3, 0)  # nonzero
    torch.arange(3, 0)  # inconsistent
    torch.linspace(0, 1, -1)  # non-negative
    torch.tensor([[1, 2], [3]])  # length 2 at dim 1
    torch.tensor('x')  #
    torch.tensor(['x'])  #
    torch.tensor(object())  #
    torch.tensor(2**63)  #
    torch.tensor(300, dtype=torch.uint8)  # overflow
    torch.device('nonsense')  # nonsense
    torch.set_default_dtype(torch.int32)  # floating
    torch.allclose(a, b)  # Float
    torch.isclose(a, a, rtol=-1)  # greater than or equal to zero
    a.copy_(torch.ones(4))  # must match
    a.expand(2, 2, 3).add_(1)  # single memory location
    a[:1].expand(4, 3).copy_(torch.ones(4, 3))  # single memory location
    torch.tensor([1.]).expand(3).mul_(2)  # single memory location
    torch.add(a, a, out=torch.zeros(1, 3).expand(2, 3))  # single memory location
    c = torch.zeros(5); torch.add(c[1:], 1, out=c[:-1])  # single memory location
    a.numpy('x')  #
    a.nonexistent  # nonexistent
    a.shape = (3, 2)  #
    a.T = 3  #
    torch.nonexistent  # nonexistent
""")
# how arguments are passed
ROWS += errors(("f32 2x3",), """
    torch.native_norm(a)  # Could not run 'aten::native_norm' with arguments
    torch.native_norm(a, 2, [0], False, None)  # Could not run 'aten::native_norm.ScalarOpt_dim_dtype' with arguments
    torch.add(a)  #
    torch.add()  #
    torch.add(a, a, 2, 3, 4)  #
    torch.add(a, a, beta=1)  # beta
    torch.add(a, 'x')  # str
    torch.add(a, a, alpha='x')  #
    torch.exp('x')  # must be Tensor, not str
    torch.exp([1, 2])  # must be Tensor, not list
    torch.exp(1.5)  # must be Tensor, not float
    torch.exp()  # missing
    torch.exp(a, a)  #
    torch.mm(a)  #
    a.mm()  #
    a.mm(3)  # must be Tensor, not int
    a.sum('x')  #
    a.sum(0, 1, 2)  #
    a.sum(dim=0, nonsense=True)  #
    a.view()  #
    a.view('x')  #
    a.view(1.5)  #
    a.reshape()  #
    a.transpose(0)  #
    a.transpose('x', 0)  #
    a.transpose(0.0, 1)  #
    a.narrow(0)  #
    a.topk()  #
    a.topk('x')  #
    a.sort(dim='x')  #
    torch.cat(3)  #
    torch.cat([3])  #
    torch.cat((a, None))  #
    torch.stack(a, a)  #
    torch.zeros('x')  #
    torch.zeros(2, dtype=7)  #
    torch.zeros([1, 'x'])  #
    torch.zeros(2, 3, dtype=torch.float32, dim=3)  #
    torch.arange(1, 2, 3, 4)  #
    torch.tensor()  #
    torch.tensor([1], dtype=torch.float32, nonsense=1)  # nonsense
    torch.where(a > 0, a)  #
    torch.clamp()  #
    a.item(0)  # argument
    a.to('x')  #
    a.size('x')  #
    a.expand('x')  #
    a.fill_()  #
    a.permute('x')  #
    torch.manual_seed()  #
    torch.rand('x')  #
    torch.randint()  #
    torch.randperm(3.5)  #
    torch.randn(2, generator=3)  #
    torch.Generator('nonsense')  #
    torch.promote_types(1, 2)  #
    torch.can_cast('x', torch.int8)  #
    torch.from_numpy([1])  #
    torch.from_numpy(3)  #
    torch.equal(a, 3)  #
    torch.Size('x')  #
    torch.Size([1.5])  #
    torch.dtype()  #
    a(3)  # not callable
    a < None  #
    a + object()  #
    a + {}  #
    a & 'x'  #
    torch.max(a, 0, 1, 2)  #
    torch.gather(a, 0)  #
    torch.masked_fill(a, a > 0)  #
    a.pow()  #
""")
