"""The forms that an operator comes in beside the one that its own family asks about: method, in place, other name."""

from golden.row import FLOAT, NUM, codes, each, errors, rows

ONE = each("f32 f64", "$ -", "$ 0", "$ 3", "$ 2x3 T", "$ 4x3 E") + each("i64 b1 f16", "$ 2x3")
WRITABLE = each(FLOAT, "$ 3", "$ 2x3 T", "$ 0", "$ -")
PAIRS = each(NUM, "$ 2x3;$ 3") + each("f32", "$ -;$ 2", "$ 0;$ 1", "$ 2x3 T;$ 2x3 S", "$ 3;i64 3")
SQUARES = each("f32 f64 i64", "$ 3;$ 3x2;$ 2") + each("f64", "$ 3 S;$ 3x2 T;$ 2 S", "$ 0;$ 0x0;$ 0", "$ 2;$ 3x3;$ 3")

ROWS = []
ROWS += rows("a.OP()", "acos asin atan cosh expm1 log10 log2 reciprocal sinh tan", ONE, "ulp")
ROWS += rows("a.OP()", "ceil frac sign trunc is_signed ndimension get_device", ONE)
ROWS += rows(
    "(a.OP(), a)", "acos_ asin_ atan_ cos_ cosh_ expm1_ log10_ log1p_ log2_ rsqrt_ sinh_ tan_", WRITABLE, "ulp"
)
ROWS += rows("a.OP(b)", "add sub mul eq ne lt le gt ge", PAIRS)
ROWS += rows("a.OP(b)", "div fmod remainder atan2", PAIRS, "ulp")
ROWS += rows("(a.OP(b), a)", "eq_ ne_ lt_ le_ gt_ ge_", PAIRS)
ROWS += rows("torch.OP(a, b)", "true_divide outer swapaxes", PAIRS, "ulp")
ROWS += codes(PAIRS, """
    a.allclose(b)
    a.allclose(a.clone())
    torch.hstack((a, a))
    torch.vstack((a, a))
    a.reshape_as(b)
    a.resize_as_(b).shape
    a.resize_(3).shape
    a.is_set_to(a)
    a.is_set_to(b)
    a.set_(b).tolist()
    a.storage().tolist()
""")
ROWS += codes(each(NUM, "$ 2x3", "$ 3 S", "$ -"), """
    torch.clamp_min(a, 2)
    torch.clip(a, 1, 2)
    torch.is_floating_point(a)
    torch.broadcast_to(a, (2, 2, 3))
    torch.diagonal(a)
    torch.flip(a, (0,))
    torch.as_strided(a, (2,), (1,))
    torch.asarray(a) is a
    torch.asarray(a, dtype=torch.float64)
    torch.asarray([1, 2, 3])
    a.transpose_(0, -1)
    a.take(torch.tensor([0, -1]))
    a.index_fill_(0, torch.tensor([0]), 7)
    a.index_put_((torch.tensor([0]),), torch.tensor(5, dtype=a.dtype))
    a.is_pinned()
    a.__array__().tolist()
    a.requires_grad_(False)
    torch.is_storage(a), torch.is_storage(a.storage()), torch.is_storage(3)
    torch.frombuffer(bytearray(range(16)), dtype=a.dtype)
""")
ROWS += codes(SQUARES, """
    torch.addmv(a, b, c)
    torch.addmv(a, b, c, beta=2, alpha=3)
    a.addmv(b, c)
    a.addmv_(b, c, alpha=2)
    torch.ger(a, c)
    a.ger(c)
""", "sum")
ROWS += codes(each("f32 f64 i64", "$ 2x2x3;$ 2x2x4;$ 2x4x3", "$ 3;$ 2x2x4;$ 2x4x3", "$ 2x2x3 S;$ 2x4x2 T;$ 2x4x3"), """
    torch.baddbmm(a, b, c)
    torch.baddbmm(a, b, c, beta=2, alpha=3)
    a.baddbmm(b, c)
    a.baddbmm_(b, c, alpha=2)
""", "sum")
# What cannot be the same numbers must have the same kind: dtype, shape, bounds.
ROWS += codes(WRITABLE, """
    ((a.uniform_(2, 3) >= 2) & (a <= 3)).all(), a.dtype, a.shape
    a.normal_().isfinite().all(), a.dtype, a.shape
    ((a.random_(3) >= 0) & (a < 3)).all(), a.dtype
    a.bernoulli_(1.0)
    a.bernoulli_(0.0)
    a.bernoulli_(torch.ones(()))
    torch.bernoulli(torch.zeros_like(a))
    torch.bernoulli(torch.ones_like(a))
    torch.zeros_like(a).bernoulli()
""")
ROWS += codes(("",), """
    torch.set_num_threads(1); torch.get_num_threads()
    torch.set_rng_state(torch.get_rng_state())
    torch.get_rng_state().dtype
    type(torch.default_generator) is torch.Generator
    torch.manual_seed(5); torch.default_generator.initial_seed()
    torch.ByteTensor([1, 2]).dtype, torch.ByteTensor(2, 3).shape, isinstance(torch.ByteTensor([1]), torch.ByteTensor)
    torch.ByteTensor([0, 1]).all(), torch.ByteTensor([0, 1]).any()
    isinstance(torch.strided, torch.layout), str(torch.strided)
""")
for DTYPE in "float16 bfloat16 float32 float64".split():
    ROWS += codes(("",), f"""
        (lambda i: (i.bits, i.eps, i.max, i.min, i.tiny, i.smallest_normal, i.resolution, i.dtype))(torch.finfo(torch.{DTYPE}))
        repr(torch.finfo(torch.{DTYPE}))
    """)
for DTYPE in "uint8 int8 int16 int32 int64".split():
    ROWS += codes(("",), f"""
        (lambda i: (i.bits, i.max, i.min, i.dtype))(torch.iinfo(torch.{DTYPE}))
        repr(torch.iinfo(torch.{DTYPE}))
    """)
ROWS += errors(each("f32", "$ 2x3"), """
    torch.finfo(torch.int64)  # torch.finfo() requires a floating point input type
    torch.iinfo(torch.float32)  # torch.iinfo() requires an integer input type
""")
