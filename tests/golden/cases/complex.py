"""complex64 and complex128: through every layer, from construction to matrix products. complex32: stored.py."""

from golden.row import ALL, Row, codes, each, errors, rows

C = "c64 c128"
NONE = ("",)
LAYOUTS = each("c64", "$ -", "$ 0", "$ 0x3", "$ 1x1", "$ 3x4 T", "$ 2x3x2 S", "$ 3x2 E")
ONE = each(C, "$ 2x6") + LAYOUTS
SPECIAL = each(C, "$ 30 special", "$ 24 ext")
SMALL = each(C, "$ 12 nonzero", "$ 2x6") + each("c64", "$ -", "$ 0", "$ 3x4 T", "$ 3x4 S", "$ 3x2 E")
MIXED = each(C, "$ 2x3;f32 3", "f64 2x1;$ 3", "$ 2x3;i64 2x3", "u8 3;$ 3", "b1 2x3;$ 3", "$ 3;f16 3")
PAIRS = each(C, "$ 2x6;$ 2x6") + MIXED + ("c64 3;c128 3",) + each(
    "c64", "$ -;$ -", "$ 2x3;$ -", "$ 2x1;$ 1x3", "$ 0x3;$ 3", "$ 3x4 T;$ 3x4", "$ 2x3 S;$ 3 S", "$ 4x3 E;$ 4x3",
    "$ 2;$ 3", "$ 2x0;$ 2x3")
NONZERO = each(C, "$ 2x6;$ 2x6 nonzero", "$ 6;f32 6 nonzero", "i64 6;$ 6 nonzero", "$ 6 T;$ - nonzero")
NAMED = ("c64 3", "c128 3", "f32 3", "f64 3", "i64 3", "b1 3", "f16 3", "bf16 3")

ROWS = []

# ---- making them ----
ROWS += codes(NONE, """
    torch.tensor(1j)
    torch.tensor([1, 2.5, 1j])
    torch.tensor([True, 1j])
    torch.tensor([[1+2j, 3], [0.5, -1j]])
    torch.tensor([1+2j], dtype=torch.complex128)
    torch.tensor([1, 2], dtype=torch.complex64)
    torch.tensor([1.5, 2], dtype=complex)
    torch.tensor([2**70], dtype=torch.complex64)
    torch.tensor([1e300, -1e300j], dtype=torch.complex64)
    torch.tensor([1j, 0], dtype=torch.bool)
    torch.tensor([torch.tensor(1+2j), torch.tensor(3.)], dtype=torch.complex64)
    torch.tensor([torch.tensor(1+0j)], dtype=torch.float32)
    torch.tensor([torch.tensor(1j)], dtype=torch.float32)
    torch.tensor([1j], dtype=torch.float32)
    torch.tensor([1j], dtype=torch.int32)
    torch.tensor([1j, 'a'])
    torch.tensor([None], dtype=torch.complex64)
    torch.as_tensor([1j, 2]), torch.asarray(1j)
    torch.zeros(2, 3, dtype=torch.complex64), torch.ones(2, dtype=torch.complex128)
    torch.full((2,), 1j), torch.full((2,), 1, dtype=torch.cfloat), torch.full((2,), 1-2j, dtype=torch.cdouble)
    torch.full((2,), 1e300j, dtype=torch.complex64)
    torch.full((2,), 1j, dtype=torch.float32)
    torch.eye(2, 3, dtype=torch.complex64)
    torch.linspace(0, 1j, 3)
    torch.linspace(1+1j, 3-5j, 5, dtype=torch.complex128)
    torch.linspace(0, 1, 3, dtype=torch.complex64)
    torch.arange(3, dtype=torch.complex64)
    torch.empty(2, dtype=torch.complex64).dtype
    torch.randn(2, dtype=torch.complex64).dtype, torch.rand(2, dtype=torch.complex128).dtype
    torch.randint(3, (2,), dtype=torch.complex64)
    torch.randperm(3, dtype=torch.complex64)
    torch.zeros(2, dtype=torch.complex64).uniform_().dtype, torch.zeros(2, dtype=torch.cdouble).normal_().dtype
    torch.zeros(2, dtype=torch.complex64).random_()
    torch.zeros(2, dtype=torch.complex64).random_(5)
    torch.zeros(2).new_tensor([1j]), torch.zeros(2).new_full((2,), 1, dtype=torch.complex64)
    torch.zeros(2, dtype=torch.complex64).new_zeros(3), torch.zeros(2, dtype=torch.complex64).new_tensor([1.5])
    torch.complex64.is_complex, torch.complex64.is_floating_point, torch.complex64.is_signed, torch.complex64.itemsize
    torch.float32.is_complex, torch.complex128.itemsize, torch.cfloat, torch.cdouble, repr(torch.cfloat)
    [d.to_real() for d in (torch.complex64, torch.complex128, torch.float32, torch.int32, torch.bool)]
    [d.to_complex() for d in (torch.complex64, torch.complex128, torch.float32, torch.float64, torch.bfloat16)]
    torch.int32.to_complex()
    repr(torch.finfo(torch.complex64)), repr(torch.finfo(torch.complex128))
    torch.iinfo(torch.complex64)
    torch.set_default_dtype(torch.complex64)
    torch.result_type(1, 1j), torch.result_type(1.5, 1j), torch.result_type(1j, 1j), torch.result_type(True, 1j)
    torch.tensor(1+1j).item(), torch.tensor([[1+1j, 2]]).tolist(), torch.tensor(2).item()
    complex(torch.tensor(1)), complex(torch.tensor([1+2j])), complex(torch.tensor(1.5))
    complex(torch.tensor([1+2j, 1]))
    float(torch.tensor(1.5+0j)), int(torch.tensor(3+0j)), bool(torch.tensor(1j)), bool(torch.tensor(0j))
    float(torch.tensor(1j))
    int(torch.tensor(1j))
    torch.tensor([1, 2])[torch.tensor(1+0j)]
""")
ROWS += [
    Row("a.is_complex(), torch.is_complex(a), a.is_floating_point(), a.is_signed(), a.element_size(), a.type()", NAMED),
    Row("torch.zeros_like(a), torch.ones_like(a), torch.full_like(a, 2)", each(C, "$ 2x3", "$ -")),
    Row("torch.full_like(a, 2j)", NAMED[:5]),
    Row("a.fill_(1-2j)", NAMED + ("c64 3x4 T", "c64 -")),
    Row("a.fill_(3)", each(C, "$ 3", "$ 3x4 T", "$ 3x4 S")),
    Row("a.zero_()", each(C, "$ 3", "$ 3x4 T", "$ 3x4 S")),
    Row("a[1] = 2j; a", NAMED),
    Row("a[0:2] = torch.tensor([1j, 2]); a", ("c64 3", "c128 3", "f32 3", "i64 3")),
    Row("a.copy_(b)", each(C, "$ 3;f32 3", "$ 3;i64 3", "$ 3;b1 3", "$ 2x3;$ 3", "f32 3;$ 3", "i64 3;$ 3", "u8 3;$ 3",
                           "b1 3;$ 3", "bf16 3;$ 3") + ("c64 3;c128 3", "c128 3;c64 3")),
    Row("a.to(torch.complex64), a.to(torch.complex128), a.cfloat(), a.cdouble()",
        each(ALL + " c64 c128", "$ 2x6") + ("c64 3x4 T", "c64 3x4 S")),
    Row("a.float(), a.double(), a.half(), a.bfloat16(), a.long(), a.int(), a.short(), a.char(), a.byte(), a.bool()",
        each(C, "$ 2x6", "$ 3x4 T")),
    Row("a.bool(), a.to(torch.complex64), a.to(torch.float32)", SPECIAL),
    Row("a.type('torch.ComplexDoubleTensor'), a.type(torch.complex64), a.type_as(torch.zeros(1, dtype=torch.cfloat))",
        ("c64 3", "f32 3")),
    Row("a.clone(), a.contiguous(), a.detach()", each(C, "$ 3x4 T", "$ 3x4 S", "$ 3x2 E")),
]

# ---- promotion ----
DTYPES = f"{ALL} {C}".split()
KNOWN = [(x, y) for x in DTYPES for y in DTYPES if {x, y} & set(C.split())]
WEAK = [f"{x} 3 ones;{y} - ones" for x, y in KNOWN]
TABLE = tuple(f"{x} {m} ones;{y} {m} ones" for x, y in KNOWN for m in "3-")
ROWS += [
    Row("(a + b).dtype, (b * a).dtype, torch.result_type(a, b)", TABLE + tuple(WEAK)),
    Row("torch.promote_types(a.dtype, b.dtype), torch.can_cast(a.dtype, b.dtype)", TABLE[::2]),
    Row("(a == b).dtype, (a / b).dtype, torch.where(a == b, a, b).dtype, torch.stack([a, b]).dtype", TABLE[::2]),
    Row("a += b; a.dtype", TABLE[::2]),
    Row("(a * 1j).dtype, (1j + a).dtype, torch.result_type(a, 1j), (a / 1j).dtype, (a ** 1j).dtype",
        tuple(f"{d} {m} ones" for d in DTYPES for m in "3-")),
    Row("(a * 2).dtype, (a * 2.5).dtype, (True + a).dtype, (2 - a).dtype", each(C, "$ 3 ones", "$ - ones")),
    Row("torch.set_default_dtype(torch.float64); r = ((a * 1j).dtype, torch.tensor(1j).dtype, torch.full((1,), 1j).dtype);"
        " torch.set_default_dtype(torch.float32); r", ("f32 3", "f64 3", "i64 3", "c64 3")),
]

# ---- parts and views ----
ROWS += [
    Row("a.real, a.imag", ONE, view=True),
    Row("torch.real(a), torch.imag(a)", ONE, view=True),
    Row("torch.view_as_real(a)", ONE, view=True),
    Row("torch.view_as_complex(torch.view_as_real(a))", ONE, view=True),
    Row("torch.view_as_complex(a)", each("f32 f64", "$ 3x2", "$ 2", "$ 2x3x2", "$ 0x2"), view=True),
    Row("a.view(torch.float32), a.view(torch.float64)", ("c64 2x3", "c128 2x3", "c64 4")),
    Row("a.view(torch.complex64)", ("f32 2x4", "f64 2x2", "i64 2")),
    Row("a.real = 5; a.imag = torch.tensor(2.); a", each(C, "$ 3", "$ 3x4 T")),
    Row("a.real.mul_(2); a.imag.add_(1); a", each(C, "$ 3", "$ 3x4 S")),
    Row("torch.complex(a, b)", each("f32 f64", "$ 3;$ 3", "$ 2x1;$ 3", "$ -;$ -", "$ 0;$ 1", "$ 3x4 T;$ 3x4", "$ 3;i64 3")
        + ("f32 3;f64 3", "i64 3;i64 3", "c64 3;c64 3", "f32 2;f32 3")),
    Row("torch.polar(a, b)", each("f32 f64", "$ 12;$ 12", "$ 2x1;$ 3", "$ -;$ -") + ("f32 3;f64 3", "i64 3;i64 3"),
        "sum"),
    Row("torch.complex(a, b, out=c)", ("f32 3;f32 3;c64 3", "f32 3;f32 3;c64 0", "f32 3;f32 3;c128 3",
                                       "f32 3;f32 3;f32 3")),
]
ROWS += rows("torch.OP(a)", "conj_physical isreal sgn angle abs resolve_conj resolve_neg is_neg positive",
             ONE + ("f32 2x3", "i64 3", "b1 3", "f32 10 special"), "sum")
ROWS += rows("torch.OP(a)", "conj_physical isreal angle abs", SPECIAL, "sum")
ROWS += rows("OP", "a.conj().clone() a.conj().resolve_conj().is_conj() a.conj_physical_() a.sgn_() a.abs() abs(a) -a +a",
             ONE + ("f32 3", "i64 3"), "sum")
ROWS += rows("OP", "a.mH.clone() a.adjoint().clone()", each(C, "$ 2x3", "$ 2x2x3") + ("f32 2x3", "c64 3"))
ROWS += [
    Row("a.H.clone()", ("c64 2x3", "c128 2x3 T", "f32 2x3", "c64 -", "c64 3", "c64 2x2x2")),
    Row("a.abs_()", NAMED[:5]),
    Row("torch.abs(a, out=b)", ("c64 3;f32 3", "c64 3;f64 0", "c64 3;c64 3", "c64 3;i64 3")),
    Row("torch.is_conj(a), a.is_neg(), a.resolve_conj().is_conj()", NAMED),
]

# ---- arithmetic ----
ROWS += rows("torch.OP(a, b)", "add sub mul eq ne", PAIRS, "sum")
ROWS += rows("torch.OP(a, b)", "div true_divide", NONZERO + PAIRS[2:8], "sum")
ROWS += rows("torch.OP(a, b)", "isclose logical_and logical_or logical_xor equal", PAIRS)
ROWS += codes(each(C, "$ 2x6", "$ -", "$ 3x4 T") + ("f32 3", "i64 3"), """
    a + 1j
    1j - a
    a * (2-3j)
    a / (1+1j)
    a * 2
    a - 2.5
    a == 1.5+1.5j
    torch.add(a, 1, alpha=2j)
    torch.sub(a, a, alpha=1-1j)
    torch.add(a, 1j, alpha=2)
    torch.rsub(a, 1, alpha=2j)
    torch.where(a == a, 1j, a)
    a.masked_fill(a == a, 2j)
""", "sum")
ROWS += codes(("c64 3", "f32 3", "i64 3", "b1 3"), """
    a += 1j; a
    a *= 2j; a
    a /= 2j; a
    a -= 1; a
    torch.add(a, a, out=torch.zeros(3, dtype=torch.cdouble))
    torch.add(a, 1j, out=torch.zeros(3))
    torch.eq(a, 1j, out=torch.zeros(3, dtype=torch.bool))
""", "sum")
ROWS += codes(each(C, "$ 12 nonzero"), """
    a ** 0
    a ** 1
    a ** 2
    a ** 3
    a ** -1
    a ** -2
    a ** 0.5
    a ** -0.5
    a ** 0j
    a ** 2.5
    a ** (1+1j)
    2 ** a
    (1-2j) ** a
    1 ** a
    torch.pow(a, a)
    1 / a
    2j / a
""", "wide")
ROWS += [
    Row("torch.pow(a, b)", ("c64 2x3 nonzero;f32 3", "f32 3 nonzero;c64 3", "i64 3 nonzero;c128 3", "c64 3 nonzero;i64 3",
                            "f32 3 nonzero;c128 3"), "wide"),
    Row("a ** 2j, 2j ** a", ("f32 3 ones", "i64 3 nonzero", "f64 3 ones"), "wide"),
]
ELEMENTARY = ("exp expm1 log log1p log2 log10 sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh sigmoid square"
              " reciprocal")
ROWS += rows("torch.OP(a)", ELEMENTARY, each(C, "$ 12 nonzero", "$ 2x5 dup") + ("c64 -", "c64 0", "c128 3x4 T nonzero"),
             "wide")
ROWS += rows("a.OP_()", "exp log sqrt sin tanh neg square sigmoid conj_physical", ("c64 6 nonzero", "c128 3x4 T nonzero"),
             "wide")
ROWS += rows("torch.OP(a, out=b)", "exp sqrt", ("c64 3 nonzero;c64 3", "c64 3 nonzero;c64 0", "c64 3;f32 3"), "wide")
ROWS += rows("torch.OP(a)", "isnan isinf isfinite logical_not neg", SPECIAL, "sum")
# (torch computes a + 1 * b, so that infinite parts give NaN; here as in NumPy they do not: no sums of those)
ROWS += rows("torch.OP(a, b)", "eq ne", each(C, "$ 30 special;$ 30 special"))
ROWS += codes(each(C, "$ 6", "$ 30 special") + ("c64 0",), """
    torch.equal(a, a)
    torch.allclose(a, a)
    torch.allclose(a, a, equal_nan=True)
    torch.allclose(a, a + 1)
    torch.allclose(a, a + 1e-9)
    torch.allclose(a, a * 1.5, rtol=1.0)
    torch.isclose(a, a + 1e-7, rtol=1e-3)
""")

# ---- reductions ----
ROWS += rows("a.OP", "sum() mean() sum(0) sum(-1,keepdim=True) mean(-1) any() all() any(0) all(-1)"
             " sum(dtype=torch.float64) sum(dtype=torch.complex128) mean(dtype=torch.complex128)",
             each(C, "$ 3x4", "$ 0x3", "$ 3x4 T", "$ 40x3", "$ 200") + ("c64 2x3x4", "c64 -", "c64 2x3x4 S"), "wide")
# (short ones: where a product overflows, or vanishes, its order decides)
ROWS += rows("a.OP", "prod() prod(0) prod(-1,True)", each(C, "$ 3x4", "$ 0x3", "$ 3x4 T", "$ 7 nonzero") + ("c64 2x3x4 S",),
             "wide")
ROWS += [
    Row("torch.sum(a, dtype=torch.complex64), torch.mean(a, 0, dtype=torch.complex64), a.prod(dtype=torch.complex64)",
        ("f32 2x3", "i64 2x3", "b1 3"), "wide"),
    Row("torch.sum(a, 0, out=b)", ("c64 2x3;c64 3", "c64 2x3;c128 3", "f32 2x3;c64 3")),
]

# ---- moving elements ----
MOVES = each(C, "$ 3x4", "$ 3x4 T", "$ 3x4 S")
ROWS += codes(MOVES, """
    torch.cat([a, a]), torch.stack([a, a], 1), torch.cat([a, torch.ones(1, 4)])
    a[1], a[:, 1], a[..., ::2], a[[0, 2]], a[torch.tensor([2, 0]), torch.tensor([1, 3])]
    a[a == a], a[torch.tensor([True, False, True])]
    a[[0, 2]] = 1j; a
    a[a == a] = torch.tensor(2j); a
    a.index_select(1, torch.tensor([3, 0])), a.gather(0, torch.tensor([[2, 1, 0, 1]]))
    a.scatter(0, torch.tensor([[2, 1, 0, 1]]), a), a.scatter(1, torch.tensor([[2], [1]]), 7)
    a.index_put((torch.tensor([0, 0, 1]),), torch.tensor(1j, dtype=a.dtype), accumulate=True)
    a.index_put_((torch.tensor([0]),), torch.tensor(1.))
    a.masked_select(a.real > 0), a.masked_fill(a.real > 0, 1j)
    torch.where(a.real > 0, a, 0), torch.where(a.real > 0, a, a.imag)
    a.nonzero(), torch.nonzero(a == 0), a.take(torch.tensor([0, 5, 11]))
    a.t(), a.reshape(2, 6), a.flatten(), a.unsqueeze(0).shape, a.transpose(0, 1).contiguous()
    a.flip(0), a.diagonal(), a.unbind(1)[2], a.split(2)[1], a.chunk(2, 1)[0]
    a.index_fill(0, torch.tensor([1]), 1j)
""")

# ---- products ----
MM = each(C, "$ 2x3;$ 3x4", "$ 3x2 T;$ 2x3", "$ 2x3 T;$ 3x4 T", "$ 3x2 S;$ 2x4 S", "$ 4x3 E;$ 3x2", "$ 0x3;$ 3x2",
          "$ 2x0;$ 0x3", "$ 2x3;$ 2x3", "$ 33x17;$ 17x9") + ("c64 2x3;c128 3x4", "c64 2x3;f32 3x4")
ROWS += rows("torch.OP(a, b)", "mm matmul", MM, "wide")
ROWS += rows("torch.OP(a, b)", "mv matmul", each(C, "$ 2x3;$ 3", "$ 3x2 T;$ 2 S", "$ 0x3;$ 3", "$ 2x0;$ 0", "$ 2x3;$ 2"),
             "wide")
ROWS += rows("torch.OP(a, b)", "dot vdot", each(C, "$ 6;$ 6", "$ 6 S;$ 6 S", "$ 0;$ 0", "$ 6;$ 5", "$ 77;$ 77")
             + ("f32 6;f32 6", "c64 6;f32 6", "c64 2x3;c64 2x3"), "wide")
ROWS += [
    Row("torch.bmm(a, b)", each(C, "$ 2x3x4;$ 2x4x5", "$ 2x3x4 T;$ 2x4x2 T", "$ 2x0x4;$ 2x4x1"), "wide"),
    Row("a @ b", each("c64", "$ 3;$ 3", "$ 3;$ 3x2", "$ 5x2x3;$ 3x4", "$ 2x3;$ 5x3x4", "$ 5x2x3;$ 3", "$ 3;$ -"), "wide"),
    Row("torch.outer(a, b)", ("c64 3;c64 4", "c64 3;f32 4")),
    Row("torch.addmm(a, b, c)", each(C, "$ 2x4;$ 2x3;$ 3x4", "$ 4;$ 2x3;$ 3x4"), "wide"),
    Row("torch.addmm(a, b, c, beta=1j, alpha=2-1j)", each(C, "$ 2x4;$ 2x3;$ 3x4", "$ 4;$ 2x0;$ 0x4")
        + ("f32 2x4;f32 2x3;f32 3x4",), "wide"),
    Row("torch.addmm(a, b, c, beta=0, alpha=1j)", ("c64 2x4 special;c64 2x3;c64 3x4",), "wide"),
    Row("torch.addmv(a, b, c, beta=1j, alpha=2j)", ("c64 2;c64 2x3;c64 3", "c128 2;c128 3x2 T;c128 3"), "wide"),
    Row("torch.baddbmm(a, b, c, beta=1j, alpha=2j)", ("c64 2x3x5;c64 2x3x4;c64 2x4x5",), "wide"),
    Row("torch.addr(a, b, c, beta=2j, alpha=1-1j)", ("c64 3x4;c64 3;c64 4", "c128 3x4 T;c128 3;c128 4"), "wide"),
    Row("a.index_add(0, torch.tensor([0, 1, 0]), a, alpha=2j), torch.vander(a[0])", ("c64 3x4", "c128 3x4 T"), "wide"),
    Row("a.clone().apply_(lambda z: z * 2j), torch.roll(a, 1, 0), torch.tril(a), torch.flip(a, [0])", ("c64 3x4",)),
    Row("a.addmm_(b, c, beta=2j)", ("c64 2x4;c64 2x3;c64 3x4",), "wide"),
]

ROWS += codes(NONE, """
    torch.zeros(3).scatter(0, torch.tensor([0]), 2j)
    torch.zeros(3, dtype=torch.cfloat).scatter(0, torch.tensor([0]), torch.tensor([2j]))
    torch.tensor([1j]).where(torch.tensor([False]), 3), 1j in torch.tensor([1j, 2]), list(torch.tensor([1j, 2]))
    torch.tensor([[1, 2], [3, 4j]]).mean(dtype=torch.float32), torch.prod(torch.tensor([1+1j, 2]), dtype=torch.float64)
    torch.ones(2, dtype=torch.cfloat).uniform_(1, 1)
    torch.zeros(2, dtype=torch.cfloat).normal_(1+1j)
    torch.sqrt(torch.tensor([-1+0j])), torch.tensor([-4.]).to(torch.complex64).sqrt()
    torch.finfo(torch.complex128).bits, torch.finfo(torch.complex64).bits
    torch.arange(0, 1j)
""")

# ---- what complex numbers do not have ----
ROWS += rows("torch.OP(a, b)", "lt le gt ge maximum minimum floor_divide remainder fmod atan2 bitwise_and"
             " bitwise_left_shift max min", ("c64 3;c64 3", "c128 3;f32 3"))
ROWS += rows("torch.OP(a)", "sort argsort argmax argmin max min amax amin floor ceil round trunc frac sign erf"
             " bitwise_not bernoulli", each(C, "$ 3", "$ -"))
ROWS += rows("a OP 2", "< <= > >= // %", each(C, "$ 3"))
ROWS += errors(NONE, """
    torch.zeros(2).fill_(1j)  # value cannot be converted to type float without overflow
    torch.zeros(2, dtype=torch.int32).fill_(1j)  # value cannot be converted to type int without overflow
    torch.tensor([1j]) < 1  # "lt_cpu" not implemented for 'ComplexFloat'
    torch.tensor([1j], dtype=torch.cdouble) % 2  # "remainder_cpu" not implemented for 'ComplexDouble'
    torch.tensor([1j]).sort()  # Sort does not support complex dtypes on CPU
    torch.tensor([1j]).topk(1)  # topk does not support complex dtypes on CPU
    torch.tensor([1j]).argmax()  # argmax(): does not support complex input
    torch.tensor([1j]).max(0)  # max(): does not support complex input
    torch.tensor([1j]).clamp(0)  # clamp is not supported for complex types
    torch.tensor([1j]).floor()  # floor is not supported for complex inputs
    torch.tensor([1j]).sign()  # sign is not intended to support complex numbers
    torch.tensor([1j]).abs_()  # In-place abs is not supported for complex tensors.
    torch.ones(2).add_(1j)  # result type ComplexFloat can't be cast to the desired output type Float
    torch.ones(2, dtype=torch.int).div_(1j)  # result type ComplexFloat can't be cast to the desired output type Int
    torch.imag(torch.zeros(2))  # imag is not implemented for tensors with non-complex dtypes.
    torch.zeros(2).imag  # imag is not implemented for tensors with non-complex dtypes.
    torch.view_as_real(torch.zeros(2))  # view_as_real is only supported for complex tensors
    torch.view_as_complex(torch.zeros(3))  # Tensor must have a last dimension of size 2
    torch.view_as_complex(torch.zeros(()))  # Input tensor must have one or more dimensions
    torch.view_as_complex(torch.zeros(2, 4)[:, ::2])  # Tensor must have a last dimension with stride 1
    torch.view_as_complex(torch.zeros(2, 3)[:, 1:])  # divisible by 2
    torch.view_as_complex(torch.zeros(4, 2, dtype=torch.int32))  # view_as_complex is only supported
    torch.complex(torch.zeros(2), torch.zeros(2).double())  # scalar type Float but got scalar type Double
    torch.polar(torch.zeros(2, dtype=int), torch.zeros(2, dtype=int))  # tensors but got Long and Long
    torch.ones(2).uniform_(1j)  # must be float, not complex
    torch.add(torch.tensor([1]), 1, alpha=1j)  # argument alpha must not be a floating point number
    torch.zeros(2)[0:1].index_put_((torch.tensor([0]),), torch.tensor(1j))  # source and destination dtypes match
    torch.zeros(2).index_fill(0, torch.tensor([0]), 2j)  # Converting complex Scalar to non-complex type is not supported
    ~torch.tensor([1j])  # ~ (operator.invert) is only implemented on integer and Boolean-type tensors
    torch.zeros(2, dtype=torch.complex64).index_select(0, torch.tensor([1j]))  # index
""")

# ---- how they look ----
ROWS += [Row("repr(a)", ONE + SPECIAL + each(C, "$ 40", "$ 2x3x2", "$ 3 nans", "$ 2x5 special", "$ 29 wave"))]
PRINTED = """
    [1j]
    [1+2j, 3.5-4.25j]
    [0.001j, 100]
    [1e-5j]
    [1e10+1j]
    [nan, inf, 1j]
    [1e-45j]
    [-0.0, -1j]
    [123456.789+0.5j]
    [[1+2j, 3.5-4.25j], [0.001j, 100]]
"""
ROWS += codes(NONE, "\n".join(f"repr(torch.tensor({line.strip()})), str(torch.tensor({line.strip()}, dtype=torch.cdouble))"
                              for line in PRINTED.strip().splitlines()))
ROWS += codes(NONE, """
    repr(torch.arange(2000.).cfloat() * 1j)
    repr(torch.zeros(0, dtype=torch.complex64)), repr(torch.zeros(0, 3, dtype=torch.complex128))
    repr(torch.tensor(1-0.5j)), repr(torch.tensor(1j, dtype=torch.complex128)), f"{torch.tensor(1+2j)}"
    f"{torch.tensor(1+2j):.2f}"
    torch.set_printoptions(precision=2); r = repr(torch.tensor([1/3+2j/3])); torch.set_printoptions(profile='default'); r
    torch.set_printoptions(sci_mode=True); r = repr(torch.tensor([1.5+2j])); torch.set_printoptions(profile='default'); r
    torch.set_default_dtype(torch.float64); r = repr(torch.tensor([1j])); torch.set_default_dtype(torch.float32); r
""")
