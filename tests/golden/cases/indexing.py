"""Indexing: reading, writing and refusing."""

from golden.row import ALL, Row, codes, each, errors

CUBES = each("f32", "$ 3x4x5", "$ 3x4x5 T", "$ 3x4x5 S", "$ 3x4x5 E")

# Views: no element is copied.
BASIC = """
    0
    -1
    2, 3
    1, -2, 4
    :
    ...
    None
    1:
    :-1
    1:2
    ::2
    5:
    2:1
    -2:
    -100:100
    :, 1
    :, 1:3
    :, ::3, 1
    ..., 0
    ..., 1:3
    0, ...
    0, ..., 0
    0, ..., None
    None, 0
    :, None
    :, None, :, 1
    None, None, ...
    ..., None
    :, :, :
    1:3, 1:3, 1:3
    ::1, ::2, ::3
    (0, 1)
    slice(None), slice(1, 3)
    slice(0, 2)
    torch.tensor(1)
    torch.tensor(1), torch.tensor(2)
    :, torch.tensor(-1)
    torch.tensor(1):torch.tensor(3)
    torch.tensor(2, dtype=torch.uint8).long()
    True.__index__()
    ()
"""
# Copies: index tensors, lists and masks, alone and beside views.
ADVANCED = """
    [0, 2]
    [0, -1, 0]
    [[0, 1], [2, 0]]
    []
    [0, 1], [2, 3]
    [0, 1], [2]
    [[0], [2]], [1, 3]
    [0, 1], 2
    [0, 1], 2, 1:3
    0, [1, 2]
    0, [1, 2], 3
    [1], 0, [2]
    :, [0, 2]
    :, [0, 2], 1
    :, [0, 2], [1, 3]
    [0, 2], :, [1, 3]
    [0, 2], ..., [1, 3]
    0, :, [1, 3]
    ..., [0, 4]
    ..., [[0, 4], [1, 2]]
    [0, 2], None
    None, [0, 2]
    [0, 2], None, [1, 3]
    :, None, [1, 3]
    1:, [0, 1]
    [0, 1], 1:, [1, 2]
    ::2, [3, 0], ::2
    torch.tensor([2, 0])
    torch.tensor([2, 0], dtype=torch.int32)
    torch.tensor([1, 0, 1], dtype=torch.uint8)
    torch.tensor([2, 0], dtype=torch.int16)
    torch.tensor([2, 0], dtype=torch.int8)
    torch.tensor([[2, 0], [1, 1]])
    torch.tensor([2, 0]), torch.tensor([1, 3])
    torch.tensor([[2], [0]]), torch.tensor([1, 3, 0])
    torch.tensor([], dtype=torch.int64)
    torch.tensor([2, 0]), 1
    torch.tensor([0]), torch.tensor(3)
    :, torch.tensor([1]), :
    torch.arange(3), torch.arange(3), torch.arange(3)
    (torch.arange(3), torch.arange(3))
    [True, False, True]
    torch.tensor([True, False, True])
    torch.tensor([False, False, False])
    :, torch.tensor([True, False, True, False])
    ..., torch.tensor([True, False, True, False, False])
    torch.tensor([True, False, True]), 0
    torch.tensor([True, False, True]), [0, 1]
    torch.tensor([True, False, True]), torch.tensor([True, False, True, False])
    torch.tensor([True, False, True]), :, [0, 1]
    1, torch.tensor([True, False, True, False])
    torch.tensor([[True, False, True, False]] * 3)
    torch.tensor([[True, False, True, False]] * 3), 0
    torch.tensor([[True, False, True, False]] * 3), [0] * 6
    a > 0
    a > 1000
    True
    False
    True, 0
    None, True
    torch.tensor(True)
    torch.tensor(False)
    torch.tensor(True), 1
    a[:, :, 0] > 0
    torch.nonzero(a > 1, as_tuple=True)
    range(2)
"""

ROWS = []
ROWS += [Row(f"a[{line.strip()}]", CUBES, view=True) for line in BASIC.strip().splitlines()]
ROWS += [Row(f"a[{line.strip()}]", CUBES[:3]) for line in ADVANCED.strip().splitlines()]
ROWS += [Row(f"a[{line.strip()}] = -9; a", CUBES[:3]) for line in (BASIC + ADVANCED).strip().splitlines()[::3]]
ROWS += codes(each(ALL, "$ 5"), """
    a[1]
    a[1:4:2]
    a[[0, 3]]
    a[torch.tensor([True, False, True, False, True])]
    a[2] = 1; a
    a[[1, 2]] = 1; a
    a[a == a] = 1; a
""")
ROWS += codes(("f32 -", "i64 -", "b1 -"), """
    a[()]
    a[...]
    a[None]
    a[None, ...]
    a[..., None]
    a[True]
    a[False]
    a[a == a]
    a[0]
    a[:]
    a[[0]]
    a[...] = 5; a
    a[()] = 5; a
    a[True] = 1; a
""")
ROWS += codes(("f32 0", "f32 0x3", "f32 3x0"), """
    a[:]
    a[1:]
    a[:0]
    a[[]]
    a[..., None]
    a[a > 0]
    a[torch.tensor([], dtype=torch.long)]
    a[0]
    a[:, 0]
    a[[0]]
    a[...] = 4; a
    a[a > 0] = 3; a
""")
# values that are written: broadcast, cast, read before they are overwritten
ROWS += codes(("f32 3x4", "f32 3x4 T", "f32 3x4 S", "i32 3x4", "b1 3x4", "f16 3x4"), """
    a[0] = 7; a
    a[0] = 7.75; a
    a[0] = True; a
    a[:, 1] = torch.tensor([1, 2, 3]); a
    a[1] = torch.tensor([1., 2., 3., 4.5]); a
    a[1] = torch.tensor(5); a
    a[1] = torch.tensor([5]); a
    a[:] = torch.ones(1, 1, 3, 4); a
    a[...] = torch.arange(4); a
    a[:, 1:3] = torch.tensor([[1], [2], [3]]); a
    a[::2, ::2] = 0; a
    a[[0, 2]] = 1; a
    a[[0, 2]] = torch.tensor([[1], [2]]); a
    a[[0, 2], [1, 3]] = torch.tensor([8, 9]).to(a.dtype); a
    a[[0, 2], [1, 3]] = torch.tensor([8, 9], dtype=torch.float64); a
    a[:, [3, 0]] = a[:, [0, 3]]; a
    a[a == a[0, 0]] = 2; a
    a[torch.tensor([True, False, True])] = torch.arange(4).to(a.dtype); a
    a[torch.tensor([True, False, True]), 1] = torch.tensor([1, 0]).to(a.dtype); a
    a[None, 0] = 3; a
    a[0, 0] = torch.tensor(2, dtype=torch.float64); a
    a[0, 0] = a[1, 1]; a
    a[0] = a[1]; a
    a[1:] = a[:1]; a
    a[0] = [1, 2, 3, 4]; a
    a[0, :2] = (1, 2); a
    a[0] += 1; a
    a[[0, 0, 1]] += 1; a
    a[:, 0] *= 2; a
    a[1, 2].fill_(6); a
    a[0][1] = 4; a
    a[[0]][0] = 4; a
    a[2:2] = 5; a
    a[[]] = 5; a
    a[torch.zeros(3, dtype=torch.bool)] = 5; a
    a.T[0] = 5; a
    a[-1, -1] = -1; a
""")
ROWS += codes(("i64 3x4",), """
    a[0, 0] = 2.9; a
    a[0, 0] = -2.9; a
    a[0, 0] = 2**62; a
    a[1] = torch.tensor([1.7, -1.7, 2.5, 300.25]); a
    a[a > 2].sum(), a[a > 2].shape, (a > 2).sum()
    a[1][2].item(), a[1, 2].item(), a[-1].tolist(), a[0].shape
    a[True, 0, None, ..., [1, 2]].shape, a[..., None, [0]].shape, a[[0, 1], None, [1]].shape
    [row[0].item() for row in a]
    [x for x in a[0]]
    a.__getitem__(1), a.__getitem__((1, 2))
    a.index_fill(0, torch.tensor([0]), 9)
""")
ROWS += [
    Row("a[b]", ("f32 5;i64 3 ix5", "f32 5x3;i64 2x2 ix5", "f32 5 S;i32 4 ix5", "f32 4x5 T;i64 3 ix4", "f32 5;b1 5",
                 "f32 2x3;b1 2x3 T", "i8 5;u8 5", "f32 5;f32 5", "f32 5;i64 - ones", "f32 5;i64 0")),
    Row("a[:, b]", ("f32 2x5;i64 3 ix5", "f32 5x3 T;i64 2 ix3", "f32 2x5x2;i64 2x2 ix5", "f32 2x5;b1 5")),
    Row("a[b] = c; a", ("f32 5;i64 2 ix5;f32 2", "f32 5x3;i64 2 ix5;f32 3", "f32 5;i64 2 ix5;f64 2",
                        "f32 5;i64 2 ix5;f64 -", "f32 5;i64 2 ix5;i64 -", "i64 5;i64 2 ix5;f32 -", "f32 5;b1 5;f32 -",
                        "f32 5;b1 5;f32 1", "f32 5;b1 5;f64 3")),
]
ROWS += errors(("f32 3x4",), """
    a[3]  # out of bounds
    a[-4]  # out of bounds
    a[0, 4]  # out of bounds
    a[0, 0, 0]  # too many indices
    a[:, :, :]  # too many indices
    a[..., 0, 0, 0]  # too many indices
    a[1.5]  #
    a['x']  #
    a[::-1]  # step must be greater than zero
    a[::0]  #
    a[0:'x']  #
    a[1.0:2]  #
    a[[0, 3]]  # out of bounds
    a[[0, -4]]  # out of bounds
    a[[0, 1], [0, 1, 2]]  # could not be broadcast
    a[torch.tensor([5])]  # out of bounds
    a[torch.tensor([0.5])]  # tensors used as indices
    a[torch.tensor([True, False])]  # mask
    a[torch.tensor([[True, False]])]  # mask
    a[[1.5]]  #
    a[[0, 'x']]  #
    a[object()]  #
    a[..., ...]  #
    a[3] = 0  # out of bounds
    a[0, 0, 0] = 0  # too many indices
    a[0] = torch.ones(3)  #
    a[:] = torch.ones(2, 4)  #
    a[[0, 1]] = torch.ones(3, 4)  # mismatch
    a[[5]] = 1  # out of bounds
    a[[0, 1]] = torch.ones(2, 4, dtype=torch.float64)  # dtype
    a[a > 0] = torch.ones(2)  # mismatch
    a[::-1] = 0  # step must be greater than zero
    a[0] = 'x'  #
    a[0] = None  #
    a[0, 0] = torch.ones(2)  #
    a[torch.tensor([True, False])] = 1  #
    a[torch.tensor([0.5])] = 1  #
""")
# What a value may look like: leading dimensions of size 1 are dropped, and where the index is a view dtypes are converted.
ROWS += codes(("f32 2x3", "i64 2x3", "b1 2x3"), """
    a[[0, 1]] = torch.zeros(1, 2, 3).to(a.dtype); a
    a[torch.tensor([1, 0])] = torch.ones(1, 1, 1, 3).to(a.dtype); a
    a[torch.tensor([True, True])] = torch.zeros(1, 1, 2, 3).to(a.dtype); a
    a[a == a] = torch.ones(1, 6).to(a.dtype); a
    a[True] = torch.zeros(1, 1, 2, 3).to(a.dtype); a
    a[True] = torch.zeros(1, 1, 2, 3, dtype=torch.int32); a
    a[None] = torch.ones(2, 3, dtype=torch.float64); a
    a[False] = torch.ones(7, 7); a
    a[0:1, [0]] = torch.ones(1, 1, 1).to(a.dtype); a
    a[None] = a; a
    a[True] = a; a
    a[:, torch.tensor([True, False, True])] = 1; a
    a[:, [True, False, True], None] = torch.ones((), dtype=torch.int16); a
    a[torch.ones(2, dtype=torch.uint8)] = torch.ones(2, 3).to(a.dtype); a
    a[torch.ones((), dtype=torch.uint8)] = 0; a
""")
ROWS += codes(("f32 2x3",), """
    a[...] = a.view(torch.int32); a
    a[0].expand(2, 3)[[0, 1]] = 5; a
    a.expand(2, 2, 3).triu_(); a
    a.expand(2, 2, 3).tril_(-1); a
    torch.tril(torch.ones(3, 3), out=a[0].expand(3, 3)); a
    a.view(-1)[1:1].add_(a.view(-1)[:0]); a
    a[:0].t().copy_(a[:0].t()); a
    a.masked_scatter_(a < 100, a); a
    torch.clamp(a, 0, torch.tensor(1)), torch.clamp(a, torch.tensor(0), 1)
    a[0].index_copy_(0, torch.tensor([0, 1]), a[1, :2]); a
    a.as_strided((2, 2), (1, 1)).add_(1).shape
    a[:, 0].scatter_(0, torch.tensor([1, 0]), a[:, 1]); a
    torch.conj_physical(a) is a, torch.conj_physical(a + 0j) is a
    torch.nonzero(a > 1).stride(), torch.nonzero(a[0] > 1).stride(), torch.nonzero(a, out=torch.zeros(6, 2).long()).stride()
    c = torch.zeros(2, 6); torch.floor(a.t().int(), out=c[:, :0]).stride()
""")
ROWS += codes(each("f16 bf16", "$ 3"), """
    a[0] = 1e10; a
    a[...] = 2**40; a
    a[[1]] = -1e39; a
    a[a == a] = 1e300; a
""")
ROWS += errors(("f32 2x3",), """
    a[torch.tensor([1, 0])] = a  # single memory location
    a[[0, 1]] = a[:1].expand(2, 3).contiguous().long()  # dtypes match
    a[[0, 9]] = torch.ones(2, 4)  # mismatch
    a[[0, 9]] = torch.ones(2, 3, dtype=torch.int64)  # dtypes match
    a[[0, 1], [0, 1, 2]] = torch.ones(9, 9, dtype=torch.int64)  # could not be broadcast
    a[:0][[0]] = torch.ones(9, dtype=torch.int64)  # out of bounds
    a[5] = 1j  # without overflow
    a[[7]] = 1j  # without overflow
    a[0, 0, 0] = 1j  # without overflow
    a[0] = 2**70  #
    a[torch.ones(2, dtype=torch.uint8)] = -1  # only supports boolean masks
    a[torch.ones(2, dtype=torch.uint8)] = torch.ones(1, 1)  # only supports boolean masks
    a.masked_fill_(torch.ones(3, dtype=torch.uint8), 1)  # only supports boolean masks
    a.masked_fill(torch.ones(3, dtype=torch.uint8), 1)  # only supports boolean masks
    torch.masked_fill(a, torch.ones(3, dtype=torch.uint8), torch.tensor(1.))  # only supports boolean masks
    a.expand(2, 2, 3)[0:2] = 1  # single memory location
    a[0].expand(2, 3)[None] = 1  # single memory location
    a[0].expand(2, 3)[...] = torch.ones(2, 3)  # single memory location
    a.expand(2, 2, 3).index_copy_(0, torch.tensor([[0]]), a)  # single memory location
    torch.add(a[0], 1, out=a.expand(2, 2, 3))  # single memory location
    torch.conj_physical(a, out=torch.zeros(2, 3, dtype=torch.float64))  #
    torch.round(a, out=torch.zeros(2, 3, dtype=torch.float64))  #
    torch.round(a + 0j, out=torch.zeros(2, 3))  #
    torch.frac(a.long(), out=torch.zeros(2, 3))  #
    torch.frac(a.long(), out=torch.zeros(2, 3).long())  #
    torch.bitwise_not(a, out=torch.zeros(2, 3).long())  #
    torch.bitwise_not(a, out=a)  #
    torch.floor(a > 0, out=a)  #
    torch.abs(a > 0, out=a)  #
    (a + 0j).expand(2, 2, 3).lt_(1)  # single memory location
    a.lt_(1j)  # not implemented
    torch.ge(a + 0j, a, out=a)  # not implemented
    a.long().expand(2, 2, 3).frac_()  # single memory location
    torch.clamp(a, 0, a)  # invalid combination
    a.clamp_(a, 2)  # invalid combination
    torch.any(a, 0, out=torch.zeros(3))  # only supports bool tensor
    torch.all(a, 0, out=torch.zeros(3, dtype=torch.int64))  # only supports bool tensor
""")
ROWS += codes(("i64 3x3",), """
    a.scatter_add_(0, torch.tensor([[0, 1, 2]]), a[1:] * 1); a
""")
ROWS += errors(("i64 3x3",), """
    a.scatter_add_(0, a.clone().fill_(1), a)  # single memory location
    a.scatter_(0, a, a.clone())  # single memory location
""")
