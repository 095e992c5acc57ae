"""Making tensors, and changing their dtype."""

from golden.row import ALL, FLOAT, INT, codes, each, errors, rows

NONE = ("",)

ROWS = []
ROWS += codes(NONE, """
    torch.tensor(3), torch.tensor(3.5), torch.tensor(True), torch.tensor([]), torch.tensor([[]])
    torch.tensor([1, 2.5])
    torch.tensor([True, 2])
    torch.tensor([True, 2.5])
    torch.tensor((1, (2)))
    torch.tensor([[1, 2], [3, 4]])
    torch.tensor([[[1.]]])
    torch.tensor(range(3))
    torch.tensor([(1, 2), [3, 4]])
    torch.tensor([[], []]).shape, torch.tensor([[[], []]]).shape
    torch.tensor(2**62), torch.tensor(-2**63), torch.tensor(2**63 - 1)
    torch.tensor(2**63)
    torch.tensor([2**64])
    torch.tensor(256, dtype=torch.uint8)
    torch.tensor(-1, dtype=torch.uint8)
    torch.tensor(128, dtype=torch.int8)
    torch.tensor([3e9], dtype=torch.int32)
    torch.tensor(2**31, dtype=torch.int32)
    torch.tensor(1e39)
    torch.tensor(1e39, dtype=torch.float32)
    torch.tensor(70000., dtype=torch.float16)
    torch.tensor(1e-50)
    torch.tensor([1.9, -1.9, 0.5], dtype=torch.int64), torch.tensor([1.9, 0, nan], dtype=torch.bool)
    torch.tensor(nan, dtype=torch.int64)
    torch.tensor(inf, dtype=torch.int32)
    torch.tensor([nan, inf, -inf])
    torch.tensor([0.1, 1/3], dtype=torch.float64)
    torch.tensor(0.1, dtype=torch.float16)
    torch.tensor(0.1, dtype=torch.bfloat16)
    torch.tensor([1, 2], dtype=torch.float32)
    torch.tensor([0, 2], dtype=torch.bool)
    torch.tensor(1, dtype=torch.float64)
    torch.tensor(torch.tensor([1, 2]))
    torch.tensor([torch.tensor(1), torch.tensor(2)])
    torch.tensor([torch.tensor(1.5), 2])
    torch.tensor([torch.tensor([1, 2]), torch.tensor([3, 4])])
    torch.tensor([[1, 2], [3]])
    torch.tensor([1, [2]])
    torch.tensor([[1], 2])
    torch.tensor('abc')
    torch.tensor(['a'])
    torch.tensor(None)
    torch.tensor([None])
    torch.tensor({})
    torch.tensor(object())
    torch.tensor()
    torch.tensor(1, 2)
    torch.tensor([1], dtype='float32')
    torch.tensor([1], dtype=float).dtype
    torch.tensor([1], dtype=int).dtype
    torch.tensor([1.5], dtype=bool).dtype
    torch.tensor([1], device='cpu'), torch.tensor([1], device=torch.device('cpu'))
    torch.tensor([1], foo=1)
    torch.as_tensor([1, 2]), torch.as_tensor(3.5), torch.as_tensor([1, 2], dtype=torch.float16)
    a = torch.ones(2); [torch.as_tensor(a, dtype=d) is a for d in (None, torch.float32, torch.float64)]
    torch.zeros(2, 3)
    torch.zeros((2, 3))
    torch.zeros([2, 3])
    torch.zeros(torch.Size([2]))
    torch.zeros(())
    torch.zeros(0)
    torch.zeros(2, 0)
    torch.ones(2)
    torch.ones(2, 1, dtype=torch.int64)
    torch.ones(3, dtype=torch.bool)
    torch.ones(size=(2,))
    torch.zeros(size=(1, 2))
    torch.zeros(torch.tensor(2), 3).shape, torch.zeros(torch.tensor([2])).shape
    torch.zeros(True).shape
    torch.zeros(2.0)
    torch.zeros('2')
    torch.zeros(-1)
    torch.zeros(2, -3)
    torch.zeros()
    torch.zeros(2, dtype=3)
    torch.zeros(2, dtype='float32')
    torch.zeros(2, device='nope')
    torch.empty(2, 3).shape
    torch.empty(0).shape
    torch.empty((2, 2), dtype=torch.int8).dtype
    torch.empty(()).shape
    torch.empty(2, 3).stride()
    torch.empty(-1)
    torch.empty(2**62)
    torch.empty(2**40, 2**40)
    torch.empty(2**31, 2**31, 0).shape
    torch.full((2,), 3)
    torch.full((2,), 3.5)
    torch.full((2,), True)
    torch.full((), 7)
    torch.full((0, 2), 1)
    torch.full((2,), 3, dtype=torch.float32)
    torch.full((2,), 3.7, dtype=torch.int32)
    torch.full((2,), nan)
    torch.full([2, 1], 1, dtype=torch.bool)
    torch.full((2,), 300, dtype=torch.uint8)
    torch.full((2,), torch.tensor(3)), torch.full(size=(1,), fill_value=2)
    torch.full(2, 3)
    torch.full((2,), 'x')
    torch.full((-2,), 1)
    torch.full((2,))
    torch.eye(3)
    torch.eye(2, 3)
    torch.eye(3, 2, dtype=torch.int64)
    torch.eye(0)
    torch.eye(2, dtype=torch.bool)
    torch.eye(2, 0)
    torch.eye(-1)
    torch.eye(2.5)
    torch.arange(5)
    torch.arange(2, 5)
    torch.arange(0, 10, 3)
    torch.arange(5, 0, -2)
    torch.arange(0)
    torch.arange(3, 3)
    torch.arange(5.)
    torch.arange(0.5, 2)
    torch.arange(0, 1, 0.25)
    torch.arange(1, 0, -0.25)
    torch.arange(0, 5, dtype=torch.float64)
    torch.arange(5, dtype=torch.uint8)
    torch.arange(3, dtype=torch.float16)
    torch.arange(3, dtype=torch.bfloat16)
    torch.arange(-3, 3, 2, dtype=torch.int8)
    torch.arange(start=1, end=4, step=2)
    torch.arange(end=3)
    torch.arange(2**62, 2**62 + 3)
    torch.arange(0, 1e-9, 1).shape
    torch.arange(1, 2.5)
    torch.arange(True)
    torch.arange(2.9)
    torch.arange(3, dtype=torch.int32)
    torch.arange(0, 10, 2.5, dtype=torch.int64)
    torch.arange(0, 3, 0)
    torch.arange(0, 3, -1)
    torch.arange(3, 0)
    torch.arange(nan)
    torch.arange(inf)
    torch.arange('3')
    torch.arange()
    torch.arange(3, dtype=torch.bool)
    torch.linspace(0, 1, 5)
    torch.linspace(-2, 2, 9)
    torch.linspace(3, 3, 2)
    torch.linspace(0, 1, 1)
    torch.linspace(0, 1, 0)
    torch.linspace(5, -5, 11)
    torch.linspace(0, 10, 5, dtype=torch.int64)
    torch.linspace(0, 10, 4, dtype=torch.int32)
    torch.linspace(0, 1, 3, dtype=torch.float64)
    torch.linspace(0, 1, 3, dtype=torch.float16)
    torch.linspace(start=0, end=1, steps=2), torch.linspace(0, 1, steps=3)
    torch.linspace(0, 1, -1)
    torch.linspace(0, 1)
    torch.linspace(0, 1, 2.5)
    torch.rand(2, 3).shape
    torch.rand((2,)).dtype
    torch.randn(2, dtype=torch.float64).dtype
    torch.rand(()).shape
    torch.randn(0, 2).shape
    torch.rand(2, dtype=torch.float16).dtype
    torch.randint(3, (2, 2)).shape
    torch.randint(3, (2,)).dtype
    torch.randint(0, 3, (2,), dtype=torch.float32).dtype
    torch.randint(5, 6, (3,))
    torch.randint(-3, -2, (2,), dtype=torch.int8)
    torch.randperm(0)
    torch.randperm(1)
    torch.randperm(5).sort()[0]
    torch.randperm(3, dtype=torch.int32).dtype
    torch.randint(3, 3, (2,))
    torch.randint(0, (2,))
    torch.randint(0, 300, (2,), dtype=torch.uint8)
    torch.randint(0, 2, 3)
    torch.rand(2, dtype=torch.int64)
    torch.randn(2, dtype=torch.int64)
    torch.rand(-1)
    torch.randperm(-1)
    torch.randperm(300, dtype=torch.uint8)
    torch.randperm(3, dtype=torch.float32).dtype
    torch.manual_seed('x')
    type(torch.manual_seed(3)).__name__, torch.initial_seed()
    g = torch.Generator(); g.manual_seed(7) is g, g.initial_seed(), str(g.device)
    torch.is_tensor(torch.zeros(1))
    torch.is_tensor([1])
    isinstance(torch.zeros(1), torch.Tensor)
    type(torch.zeros(1)) is torch.Tensor
    torch.Tensor is torch.zeros(1).__class__
    torch.Tensor.__name__
    torch.Tensor.__module__
    torch.Size.__name__
    torch.dtype.__name__
    torch.get_default_dtype(), torch.zeros(1).dtype, torch.tensor([1]).dtype, torch.eye(1).dtype
    torch.zeros(2, out=torch.ones(2))
    torch.ones(3, out=torch.zeros(3))
    torch.arange(3, out=torch.zeros(3, dtype=torch.int64))
    torch.full((2,), 3., out=torch.zeros(2))
""", "ulp")
ROWS += codes(each(ALL, "$ 2x3") + ("f32 -", "f32 0x3", "f32 2x3 T", "f32 2x3 S", "f32 4x3 E"), """
    torch.zeros_like(a)
    torch.ones_like(a)
    torch.full_like(a, 2)
    torch.zeros_like(a, dtype=torch.int8)
    torch.ones_like(a, dtype=torch.float64)
    torch.full_like(a, 2.5, dtype=torch.float32)
""", view=True)
ROWS += codes(("f32 2x3", "f64 0", "i64 3", "f16 -"), """
    torch.empty_like(a).shape
    torch.empty_like(a).dtype
    torch.empty_like(a, dtype=torch.int8).dtype
    torch.rand_like(a).shape
    torch.randn_like(a).dtype
    torch.randint_like(a, 3).dtype
""")
ROWS += rows("a.OP", "new_zeros(2) new_ones((1,2)) new_full((2,),3) new_tensor([1,2]) new_empty(2).shape",
             ("f32 2", "i8 2"))
# conversion: every dtype to every dtype, in range; then rounding; then the ways to say it
FLOATING = "float16 bfloat16 float32 float64"
ROWS += rows("a.to(torch.OP)", f"bool uint8 int8 int16 int32 int64 {FLOATING}",
             each(ALL, "$ 2x6") + each(INT, "$ 10 ext"))
ROWS += rows("a.to(torch.OP)", f"bool {FLOATING}", each(FLOAT, "$ 12 ext", "$ 29 wave"))
ROWS += rows("a.OP()", "float double half bfloat16 int long short char byte bool",
             ("f32 2x3 T", "i64 4", "b1 -", "f64 0x3"))
ROWS += codes(NONE, """
    torch.tensor([1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-11 + 2**-20, 65519., 65520., 2**-25, 2**-25 * 1.01, 6e-8]).half()
    torch.tensor([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, 3.39e38, 3.4e38, 1e-40, 9e-41, -1e-45]).bfloat16()
    torch.tensor([1 + 2**-24, 1 + 3 * 2**-24, 1e39, 1e-46, 16777217., 0.1], dtype=torch.float64).float()
    torch.tensor([2**24 + 1, 2**24 + 3, 2**53 + 1, 2**62 + 1, -2**63]).float()
    torch.tensor([2**53 + 1, 2**53 + 3]).double()
    torch.tensor([2049, 2051, 65504, 65520, -70000]).half()
    torch.tensor([257, 259, 2**62]).bfloat16()
    torch.tensor([1.5, -1.5, 0.99, -0.99, 254.9]).to(torch.int32)
    torch.tensor([-0.0, 0.1, nan, inf]).to(torch.bool)
    torch.tensor([300, -1, 256, 65536 + 5, 2**33 + 7]).to(torch.uint8)
    torch.tensor([300, -129, 2**33 + 7]).to(torch.int8)
    torch.tensor([2**31, 2**33 - 1]).to(torch.int32)
    torch.tensor([True, False]).to(torch.float16), torch.tensor([2, 0, -1]).to(torch.bool)
    a = torch.ones(2); (a.to(torch.float32) is a, a.to(torch.float32, copy=True) is a, a.to('cpu') is a)
    torch.ones(2).to(torch.ones(2).double()).dtype
    torch.ones(2).to(dtype=torch.int8).dtype
    torch.ones(2).to('cpu', torch.int16).dtype
    torch.ones(2).to(device='cpu', dtype=torch.uint8).dtype
    a = torch.ones(2); (a.type(torch.float64).dtype, a.type(torch.float32) is a)
    torch.ones(2).type('torch.DoubleTensor').dtype
    [torch.ones(2, dtype=d).type() for d in (torch.float32, torch.int32, torch.bool, torch.half, torch.bfloat16)]
    torch.ones(2).type_as(torch.ones(2, dtype=torch.int64)).dtype
    torch.ones(2).to('float64')
    torch.ones(2).to(3)
    torch.ones(2).to()
    torch.ones(2).type('nonsense')
    torch.ones(2).to(torch.float32, torch.float64)
""")
# filling and copying
ROWS += codes(each(ALL, "$ 2x3") + ("f32 2x3 T", "f32 2x3 S", "f32 0", "f32 -", "f32 2x3 E"), """
    r = a.fill_(3); (a, r is a)
    r = a.zero_(); (a, r is a)
    a.fill_(True); a
    a.fill_(torch.tensor(2)); a
    r = a.copy_(torch.tensor([1, 0, 1])); (a, r is a)
    a.copy_(torch.tensor([1.75, -0.0, 2.5])); a
    a.copy_(torch.tensor(1)); a
""")
ROWS += codes(("f32 2x3", "i64 2x3"), """
    a.fill_(2.5); a
    a.fill_(torch.ones(2)); a
    a.fill_('x'); a
    a.fill_(None); a
    a.copy_(torch.ones(2)); a
    a.copy_(torch.ones(3, 2)); a
    a.copy_(torch.ones(1, 2, 3)); a
    a.copy_(torch.ones(2, 1)); a
    a.copy_([1, 2, 3]); a
    a.copy_(5); a
    a.copy_(a.clone().t().t()); a
    a.t().copy_(torch.arange(6).view(3, 2)); a
    a.copy_(a); a
    a[:, :2].copy_(a[:, 1:].clone()); a
    a.copy_(torch.ones(3, dtype=torch.bool)); a
    a.copy_(torch.full((2, 3), 2.75, dtype=torch.float16)); a
    a.new_tensor([1.5]).dtype
    torch.empty_like(a).copy_(a).equal(a)
    a.data_ptr() == a.view(-1).data_ptr(), a.clone().data_ptr() == a.data_ptr()
""")

# ---- an out= with the right number of elements keeps its shape and its strides ----------------------------------
OUTS = ("$ 2x2", "$ 2x2 T", "$ 2x2 S", "$ 4", "$ 4 S", "$ 1x2x2", "$ 3x2", "$ 0x3")
ROWS += codes(each("i32 i64 f32 f64", *OUTS), """
    torch.arange(4, out=a); a, a.stride()
    torch.arange(1, 9, 2, out=a); a, a.stride()
    torch.range(1, 4, out=a); a, a.stride()
    torch.linspace(3, 0, 4, out=a); a, a.stride()
""")
ROWS += codes(each("f32 f64", *OUTS), """
    torch.logspace(0, 3, 4, out=a); a, a.stride()
""", "near")
ROWS += codes(each("f32", "$ 0x3", "$ 3x0"), """
    torch.arange(0, out=a); a.shape
    torch.linspace(0, 1, 0, out=a); a.shape
    torch.logspace(0, 1, 0, out=a); a.shape
""")
# ---- sequences that cannot be tensors --------------------------------------------------------------------------
RAISES = "Q = type('Q', (), {'__len__': lambda self: 2, '__getitem__': lambda self, i: 1 / 0 if i >= FIRST else 1})"
ROWS += errors(NONE, f"""
    z = [0]; z += [z]; torch.tensor(z)  # self-referential lists are incompatible
    z = [0]; z += [z]; torch.as_tensor(z)  # self-referential lists are incompatible
    z = [1]; z.append(z); torch.tensor([z])  # self-referential lists are incompatible
    z = [[1]]; z.append(z); torch.tensor(z)  # self-referential lists are incompatible
    z = []; z.append(z); torch.tensor(z)  # too many dimensions
    {RAISES.replace("FIRST", "0")}; torch.tensor(Q())  # could not determine the shape of object type 'Q'
    {RAISES.replace("FIRST", "0")}; torch.tensor([Q(), Q()])  # could not determine the shape of object type 'Q'
    {RAISES.replace("FIRST", "0")}; torch.as_tensor(Q(), dtype=torch.float32)  # object type 'Q'
    {RAISES.replace("FIRST", "0")}; torch.Tensor(Q())  # could not determine the shape of object type 'Q'
    {RAISES.replace("FIRST", "0")}; torch.ones(2).new_tensor(Q())  # object type 'Q'
    {RAISES.replace("FIRST", "1")}; torch.tensor(Q())  # division by zero
""")
ROWS += codes(NONE, """
    z = [1]; torch.tensor([z, z])
""")
