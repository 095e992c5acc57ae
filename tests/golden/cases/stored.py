"""Dtypes with storage and little arithmetic: uint16, uint32, uint64, the four of float8, complex32."""

from golden.row import ALL, Row, codes, each

UNSIGNED = "u16 u32 u64"
FLOAT8 = "e4m3fn e5m2 e4m3fnuz e5m2fnuz"
STORED = f"{UNSIGNED} {FLOAT8} c32"
EVERY = f"{ALL} c64 c128 {STORED}"
REAL = f"{ALL} {UNSIGNED} {FLOAT8}"
LONG = tuple(
    f"torch.{name}" for name in "uint16 uint32 uint64 complex32 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz".split()
)  # fmt: skip


def for_each(text):
    """The lines with D standing for every dtype."""
    return [row for long in LONG for row in codes(("",), text.replace("D", long))]


# ---- the dtypes ----
ROWS = for_each("""
    D.itemsize, D.is_floating_point, D.is_complex, D.is_signed, str(D), D.to_real()
    D.to_complex()
    str(torch.finfo(D))
    torch.finfo(D).max, torch.finfo(D).min, torch.finfo(D).eps, torch.finfo(D).smallest_normal, torch.finfo(D).bits
    str(torch.iinfo(D))
    torch.set_default_dtype(D)
    torch.tensor([1, 2, 300], dtype=D), torch.tensor(3, dtype=D), torch.tensor([], dtype=D), torch.zeros(2, dtype=D)
    torch.tensor([-1, 7], dtype=D)
    torch.tensor([1.5, 2.25], dtype=D)
    torch.tensor([-2.25], dtype=D)
    torch.tensor([70000, 1], dtype=D)
    torch.tensor([2**40], dtype=D)
    torch.tensor([2**64 - 1], dtype=D)
    torch.tensor([True, False], dtype=D)
    torch.tensor([1e30, -1e30, float('inf'), float('nan'), -0.0], dtype=D)
    torch.ones(2, 2, dtype=D), torch.full((2,), 7, dtype=D), torch.full((2,), True, dtype=D), torch.scalar_tensor(3, dtype=D)
    torch.full((2,), -1, dtype=D)
    torch.full((2,), 1e9, dtype=D)
    torch.full((2,), 2**17, dtype=D)
    torch.empty(0, 2, dtype=D), torch.zeros(1).new_full((2,), 3, dtype=D), torch.zeros(2).new_tensor([1, 2], dtype=D)
    torch.zeros_like(torch.ones(2), dtype=D), torch.ones_like(torch.ones(2, dtype=D)), torch.full_like(torch.ones(2), 2, dtype=D)
    torch.arange(4, dtype=D)
    torch.linspace(0, 1, 3, dtype=D)
    torch.eye(2, dtype=D)
    torch.randperm(3, dtype=D)
    repr(torch.tensor([[1, 2], [3, 100]]).to(D)), repr(torch.tensor(3).to(D)), repr(torch.zeros(0, 2, dtype=D))
    repr(torch.zeros(2, dtype=D, device='meta')), torch.zeros(2, dtype=D, device='meta').element_size()
    torch.tensor([1, 0, 2]).to(D).tolist(), torch.tensor(5).to(D).item(), bool(torch.tensor(1).to(D))
    int(torch.tensor(5).to(D)), float(torch.tensor(5).to(D)), complex(torch.tensor(5).to(D))
    torch.zeros(2, dtype=D).type(), torch.ones(2).type(D), torch.ones(2).type_as(torch.zeros(1, dtype=D))
    torch.ones(3, dtype=D).numpy().dtype.name, torch.ones(3, dtype=D).numpy().tolist()
    torch.from_dlpack(torch.ones(3, dtype=D))
    torch.frombuffer(bytearray(range(8)), dtype=D).numel(), torch.zeros(3, dtype=D).untyped_storage().nbytes()
    torch.zeros(3, dtype=D).view(torch.uint8), torch.arange(8, dtype=torch.uint8).view(D)
    torch.zeros(3, dtype=D).storage().dtype, len(torch.zeros(3, dtype=D).storage())
    len({D, D, torch.float32}), D == D, D != torch.float32
""")

# ---- conversion: between all, of values that every dtype holds; float8 of every code and of floats beside its numbers ----
PAIRS = tuple(f"{x} 6 count;{y} 6" for x in EVERY.split() for y in EVERY.split() if {x, y} & set(STORED.split()))
CODES = "torch.arange(256, dtype=torch.int64).to(torch.uint8)"
ROWS += [
    Row("a.to(b.dtype), b.copy_(a)", PAIRS),
    Row("a.bool(), a.float(), a.double(), a.chalf(), a.cfloat(), a.clone()", each(STORED, "$ 12", "$ 3x4 T", "$ 2x3 S")),
    Row("a.long(), a.int(), a.byte(), a.half(), a.bfloat16()", each(STORED, "$ 8 count", "$ 3x4 T count")),
    Row("a.to(torch.int64), a.to(torch.float32), a.to(torch.float64), a.to(torch.float16)", each(UNSIGNED, "$ 10 ext")),
    Row("a.to(torch.float32), a.to(torch.bool)", each(FLOAT8, "$ 12 ext", "$ 10 special")),
    Row("a.to(torch.uint16), a.to(torch.uint32), a.to(torch.uint64)", each("i8 i16 i32 i64 u64", "$ 10 ext")),
    *codes(("",), "\n".join(
        f"{CODES}.view({d}).float().view(torch.int32), {CODES}.view({d}).double(), {CODES}.view({d}).bool()" for d in LONG[4:])),
    *codes(("",), "\n".join(
        f"torch.arange(-2**31, 2**31, 2**24 + 2**19 + 7).to(torch.int32).view(torch.float32).to({d}).view(torch.uint8)" for d in LONG[4:])),
    # The numbers themselves, the middles between neighbours, and what lies just beside those.
    *codes(("",), "\n".join(
        f"x = {CODES}[:127].view({d}).float(); m = ((x[1:] + x[:-1]) / 2).view(torch.int32);"
        f" torch.cat([m - 1, m, m + 1]).view(torch.float32).to({d}).view(torch.uint8)" for d in LONG[4:])),
    *codes(("",), "\n".join(
        f"torch.tensor([240., 248, 256, 448, 464, 480, 57344, 61440, 65536, 1e9, inf, nan, -inf, -0.0, 1e-9], dtype={t}).to({d}).view(torch.uint8)"
        for d in LONG[4:] for t in ("torch.float32", "torch.float64", "torch.bfloat16"))),
]  # fmt: skip

# ---- promotion ----
ROWS += [
    Row("torch.promote_types(a.dtype, b.dtype)", tuple(key.replace(" count", "") for key in PAIRS)),
    Row("torch.can_cast(a.dtype, b.dtype)", tuple(key.replace(" count", "") for key in PAIRS)),
    Row("torch.result_type(a, 1), torch.result_type(a, 1.5), torch.result_type(True, a)", each(STORED, "$ 2", "$ -")),
    Row("torch.result_type(a, 1j)", each(STORED, "$ 2", "$ -")),
    Row("torch.result_type(a, b)", each(STORED, "$ 2;f32 2", "$ -;f32 2", "$ 2;i32 -", "f16 2;$ -", "c64 2;$ -")),
    Row("torch.cat([a, b]), torch.stack([b, a])", each(STORED, "$ 2;$ 2", "$ 2 count;f32 2", "$ 2 count;u8 2")),
    Row("(a * 1j).dtype, (1j + a).dtype, torch.result_type(a, 1j), a.dtype.to_complex()", ("f16 3", "f16 -")),
    Row("(a + b).dtype, (b * a).dtype", ("f16 3 ones;c64 - ones", "f16 3 ones;c128 - ones", "c32 3;f32 3", "c32 3;i64 3")),
]

# ---- what they compute ----
ROWS += [
    Row(f"{call}", each(STORED, "$ 2x3 count;$ 2x3 count", "$ 3x2 T count;$ 2 count"))
    for call in "a==b a!=b a*b a&b a+b a-b a<b a//b a/b a**b torch.where(a==b,a,b)".split()
]
ROWS += [
    Row(call, each(STORED, "$ 2x3 count"))
    for call in """-a a.abs() a.sgn() a.conj() a.real a.any() a.all() a.any(0) a.isnan() a.sum() a.prod() a.cumsum(0) a+1
    a==1 1==a a==1.0 a+1.5 a.exp() a.sqrt() a.ceil() a.max() a.amax() a.nonzero() a.isreal() ~a a&1 a<<1 a.clamp(0,1) a.square()
    a.nan_to_num() a.isfinite() a.isinf() a.logical_not() a.addcmul(a,a) a.std(0) a.median() a.topk(1) a.t() a[0] a[:,1:]
    a[a==1] a[torch.tensor([1,0])] a.flatten() a.repeat(2,1) a.roll(1,0) a.diagonal() a.diag() a.tril() a.triu()
    a.index_select(1,torch.tensor([2,0])) a.gather(0,torch.tensor([[1,0,1]])) a.masked_fill(a==1,2) a.unfold(0,2,1) a.expand(2,2,3)
    a.fill_(3) a.zero_() a.unbind(0) a.split(1) a.permute(1,0).contiguous() a.repeat_interleave(2,0) a.to('meta').shape
    a.index_fill(0,torch.tensor([0]),1) a.index_copy(0,torch.tensor([1]),a[:1]) a.index_put((torch.tensor([1]),),a[:1])
    a.scatter(0,torch.tensor([[1,0,1]]),a) a.masked_scatter(a==1,a) a.bitwise_xor(a) a|a list(a[0]) a.new_zeros(2) a.positive()
    torch.allclose(a,a) a.view(3,2) a.contiguous().view(-1).as_strided((2,),(2,)) a.sign() a.reciprocal() a@a.t()
    torch.addmm(a[:,:2],a,a.t()) a@a[0] a[0].dot(a[0]) a**0 a**1 a**1.0 1**a a**2 a.take(torch.tensor([4,0])) a.take(torch.tensor([],dtype=torch.long))
    a.put(torch.tensor([4,0]),a[0,:2]) a.masked_select(a==3) a.unique() a.sort() a.sort(0,True) a.argsort() a.signbit()
    a.uniform_().isfinite() a.normal_().isfinite() a.normal_(3,0) a.random_() a.random_(5).long()<5 a.random_(-1,5) a.random_(70000,2**31).long()>=70000
    torch.randint_like(a,2,3) torch.linalg.vector_norm(a) torch.fft.fft(a) torch.linalg.vander(a[0]) a.unique(dim=0) a.unique_consecutive()""".split()
]
ROWS += codes(each(f"{FLOAT8} c32", "$ 4 special;$ 4 count"), """
    torch.equal(a, b), torch.equal(a, a.clone()), torch.equal(b, b.clone())
""")
ROWS += [Row("a.count_nonzero()", each(STORED, "$ 2x3 count"))]
# With a number, float8 is multiplied here and not there: docs/differences.md.
ROWS += [Row("a*2, 2*a, a*True", each(f"{UNSIGNED} c32", "$ 2x3 count"))]
ROWS += codes(each(UNSIGNED, "$ 10 ext", "$ 2x5 T ext"), """
    a.sort(), a.sort(-1, True), a.unique(return_inverse=True, return_counts=True)
    torch.sort(a, stable=True, dim=-1, out=(torch.zeros(0, dtype=a.dtype), torch.zeros(0, dtype=torch.long)))
    torch.sort(a, out=(torch.zeros(0), torch.zeros(0, dtype=torch.long)))
""")
ROWS += codes(each(UNSIGNED, "$ 3 ext;$ 3 ext"), """
    a * b, a & b, a | b, a ^ b, a == b, a != b
    a == 65535, a == -1, a != 4294967295
    a.item() if a.numel() == 1 else a.tolist()
    torch.equal(a, b), torch.equal(a, a.clone())
""")
ROWS += codes(each("c32", "$ 4"), """
    a.real, a.imag, torch.view_as_real(a), a.abs(), -a, a.conj(), a.sgn(), a + a, a - 2, a * a, a * 1j, a == a
    torch.view_as_complex(torch.view_as_real(a)), torch.complex(a.real, a.imag), a.real.to(torch.complex32)
    a.imag.fill_(2); a
    2 - a, a.index_add(0, torch.tensor([0, 0]), a[:2]), a.isfinite()
""")
ROWS += codes(each(STORED, "$ 4 count"), """
    a[1] = 3; a
    a[1:3] = a[:2].clone(); a
    a[:] = torch.tensor([1., 2., 3., 4.]); a
    a.copy_(torch.tensor([4, 3, 2, 1])); a
    a[0] == a[1], a[0].item(), a.view(2, 2).tolist()
    a.mul_(a); a
    a.data = a[:2]; a
    a.set_(a.clone()), a.resize_(2)
    a.element_size(), a.nbytes, a.dtype.itemsize, a.stride()
    import copy; copy.deepcopy(a)
    import io; f = io.BytesIO(); torch.save([a, a[1:]], f); f.seek(0); torch.load(f)
    torch.zeros(5)[a]
    torch.add(torch.ones(4), 1, out=a)
    torch.mul(torch.ones(4), 2, out=torch.zeros(4, dtype=a.dtype))
""")
# ---- numbers that uint64 holds and int64 does not ----
ROWS += codes(("",), """
    torch.full((2,), 2**64 - 1, dtype=torch.uint64), torch.full((2,), 2**63, dtype=torch.float32), torch.full((1,), 2**63, dtype=torch.bool)
    torch.zeros(2, dtype=torch.uint64).fill_(2**64 - 1), torch.full_like(torch.ones(2), 2**63), torch.ones(1).new_full((2,), 2**64 - 1, dtype=torch.uint64)
    torch.full((2,), 2**64 - 1)
    torch.full((2,), 2**63, dtype=torch.int64)
    torch.full((2,), 2**63, dtype=torch.float16)
    torch.full((2,), 2**64, dtype=torch.uint64)
    torch.full((2,), -2**63 - 1, dtype=torch.uint64)
    torch.full((2,), 1e19, dtype=torch.uint64), torch.full((2,), 1.5, dtype=torch.uint64)
    torch.tensor([-1]) == 2**64 - 1, torch.tensor([1]) + 2**63, torch.tensor([1], dtype=torch.uint8) * 2**63, torch.tensor([1]) < 2**63
    torch.tensor([1.]) < 2**63, torch.tensor([1.], dtype=torch.float16) * 2**63, torch.tensor([1 + 1j]) * 2**63, torch.ones(1).clamp(max=2**63)
    torch.tensor([True]) + 2**63
    torch.tensor([1]).clamp(max=2**63)
    torch.where(torch.tensor([True]), torch.tensor([1]), 2**63)
    torch.add(torch.ones(1), torch.ones(1), alpha=2**63), torch.sub(torch.ones(1), torch.ones(1), alpha=2**63), torch.ones(1) ** 2**63
    torch.add(torch.tensor([1]), torch.tensor([1]), alpha=2**63)
    torch.result_type(torch.tensor([1]), 2**63), torch.result_type(torch.tensor(1.), 2**63)
    torch.tensor(2**64 - 1, dtype=torch.uint64).item(), torch.tensor([2**63], dtype=torch.uint64).tolist(), float(torch.tensor(2**64 - 1, dtype=torch.uint64))
    torch.tensor([2**64 - 1], dtype=torch.uint64) == 2**64 - 1, torch.tensor([2**64 - 1], dtype=torch.uint64) == -1
    torch.zeros(2, dtype=torch.uint64)[0].fill_(2**63), torch.ones(1, dtype=torch.uint64) * 2**63, torch.ones(2, dtype=torch.uint64) & 2**64 - 1
    x = torch.zeros(2, dtype=torch.uint64); x[0] = 2**63
    torch.zeros(1, dtype=torch.int64).fill_(torch.tensor(2**64 - 1, dtype=torch.uint64)), torch.zeros(1).fill_(torch.tensor(2**63, dtype=torch.uint64))
""")
# ---- elements that a number is written to; results of another dtype by 0-dim tensors ----
ROWS += [
    Row("a[0] = 1e9; a", each(f"{FLOAT8} u16", "$ 2 count")),
    Row("a[0] = -1; a", each(UNSIGNED, "$ 2 count")),
    Row("a.fill_(1e9)", each("c32", "$ 2 count")),
    Row("a.masked_fill(a == 1, 1e9)", each("c32", "$ 2 count")),
    Row("torch.result_type(a, b)", tuple(f"{x} 2;{y} -" for x in "b1 i32 u16 e5m2".split() for y in STORED.split())),
    Row("a.type('torch.UInt16Tensor').dtype, a.type('torch.Float8_e5m2Tensor').dtype", ("f32 2", "c32 2")),
    Row("a.storage_type(), a.storage().type(), a.storage().float().dtype", each(STORED, "$ 2")),
    Row("a.set_(torch.zeros(2))", each(STORED, "$ 2")),
]
# What a float has behind the point counts where an integer dtype ends.
ROWS += codes(("",), "\n".join(
    f"torch.tensor([{x}], dtype=torch.{d})" for d in ("uint8", "uint16", "int8") for x in (-0.5, -2.0, 255.5, 65535.5, 127.9)))
# ---- NumPy ----
ROWS += codes(("",), """
    import numpy; torch.from_numpy(numpy.arange(3, dtype='uint16')), torch.from_numpy(numpy.arange(3, dtype='uint32'))
    import numpy; torch.from_numpy(numpy.array([2**64 - 1], 'uint64')), torch.tensor(numpy.arange(3, dtype='uint64'))
    import numpy; torch.tensor(numpy.uint16(3)), torch.tensor([numpy.uint32(3)]), torch.as_tensor(numpy.uint16(7))
    import numpy; a = numpy.arange(3, dtype='uint16'); t = torch.from_numpy(a); t[0] = 9; int(a[0]), (t * t).numpy().tolist()
    import numpy; numpy.asarray(torch.tensor([1, 2], dtype=torch.uint32)).dtype.name
""")

# ---- what has more digits than the dtype: numbers, other operands, and a result of a wider dtype ----
ROWS += codes(each(UNSIGNED, "$ 3 ext;$ 3 ext"), """
    torch.mul(a, b, out=torch.zeros(3, dtype=torch.int64)), torch.bitwise_xor(a, b, out=torch.zeros(3, dtype=torch.int64))
    torch.bitwise_and(a, b, out=torch.zeros(3, dtype=torch.int32)), torch.bitwise_or(a, b, out=torch.zeros(3, dtype=torch.float64))
    torch.mul(a, b, out=torch.zeros(0, dtype=torch.float32)), torch.mul(a, 3, out=torch.zeros(3, dtype=torch.float64))
    x = torch.zeros(2, 3).t(); torch.mul(a.view(3, 1), b[:2], out=x); x, x.stride()
    a.clone().mul_(65537), a.bitwise_xor_(65537)
    a == torch.tensor(65537), a == 4294967297, a != 1.5, a == torch.tensor(1.5)
""")
ROWS += codes(("",), """
    torch.mul(torch.tensor([300], dtype=torch.uint16), torch.tensor([200], dtype=torch.uint16), out=torch.zeros(1, dtype=torch.int32))
    torch.bitwise_xor(torch.tensor([40000], dtype=torch.uint16), 1, out=torch.zeros(1, dtype=torch.int64))
    torch.bitwise_or(torch.tensor([3 * 2**30], dtype=torch.uint32), 1, out=torch.zeros(1, dtype=torch.float64))
    torch.bitwise_or(torch.tensor([2**63], dtype=torch.uint64), 1, out=torch.zeros(1))
    torch.mul(torch.tensor([3], dtype=torch.uint16), 2, out=torch.zeros(1, dtype=torch.bool))
    torch.tensor(2.).mul_(torch.ones(1, dtype=torch.uint16))
    x = torch.zeros(4, dtype=torch.int64); torch.mul(x[:3].view(torch.uint64), 2, out=x[1:])
    x = torch.zeros(1).expand(2); torch.mul(torch.ones(2, dtype=torch.uint16), 2, out=x)
    torch.mul(torch.ones(2, dtype=torch.uint16), torch.ones(3, dtype=torch.uint16), out=torch.zeros(5))
""")
ROWS += codes(("",), "\n".join(f"x = torch.tensor([1.1, 3, 16, -7.3]).to({d}); {call}" for d in LONG[4:] for call in (
    "x == 1.1, x != 1.1, x == torch.tensor(1.1), x == 17, x != 17, x == torch.tensor(17), torch.eq(x, 3.05, out=torch.zeros(4))",
    "x == torch.tensor([17])",
    "torch.multiply(x, x, out=torch.zeros(0)), torch.mul(x, x, out=torch.zeros(4, dtype=torch.float64))",
    "x.clone().eq_(1.1), x.ne_(17)",
    "torch.mul(x, x, out=torch.zeros(4, dtype=torch.int32))",
)))  # fmt: skip
ROWS += codes(("",), "\n".join(f"a = torch.tensor([1/3 + 1j, 3, 4096, 0.1 - 0.7j]).chalf(); {call.strip()}" for call in """
    a == 1/3 + 1j, a != 4097, a == torch.tensor([4097]), a == torch.tensor(4097.), torch.tensor([1.1]).chalf() == 1.1
    a + 2049, a - 1/3, 1/3 - a, a * (1/3), a + torch.tensor([2049]), a * torch.tensor([4097]), a * torch.tensor(1/3)
    torch.tensor(1/3) * a
    a * 100000, torch.tensor([1e-3]).chalf() * 100000, torch.tensor([1.]).chalf() * 65535
    a.clone().add_(1/3), a.clone().sub_(2049), a.clone().mul_(1/3), a.mul_(torch.tensor([1, 4097, 1, 1]))
    torch.abs(a, out=torch.zeros(4)), torch.abs(a, out=torch.zeros(0, dtype=torch.float64))
    torch.add(a, 1000, out=torch.zeros(4, dtype=torch.complex64)), torch.sub(a, 1000, out=torch.zeros(0, dtype=torch.complex128))
    torch.mul(a, a, out=torch.zeros(4, dtype=torch.complex64)), torch.mul(2., a, out=torch.zeros(4, dtype=torch.complex64))
    torch.addcmul(a, torch.tensor(1/3), a), torch.addcmul(a, a, torch.tensor([3]), out=torch.zeros(4, dtype=torch.complex64))
    a.sgn(), torch.conj_physical(a)
    torch.add(a, 2049, alpha=2)
    torch.add(a, 1, out=torch.zeros(4))
    torch.tensor(2j).mul_(a[:1])
""".split("\n") if call.strip()))  # fmt: skip
# ---- numbers beyond a dtype's range, and what only some forms refuse ----
ROWS += codes(("",), "\n".join(f"{call}.to(torch.float32)" for d in LONG[4:] for x in ("inf", "-inf", "nan", "1e9") for call in (
    f"torch.full((2,), {x}, dtype={d})", f"torch.zeros(2, dtype={d}).fill_({x})", f"torch.scalar_tensor({x}, dtype={d})",
    f"torch.zeros(2, dtype={d}).fill_(torch.tensor({x}))", f"torch.tensor([{x}], dtype={d})")))  # fmt: skip
ROWS += codes(("",), """
    torch.scalar_tensor(1e9, dtype=torch.float16), torch.scalar_tensor(1e9, dtype=torch.bfloat16), torch.scalar_tensor(0.1, dtype=torch.float16)
    torch.scalar_tensor(1j, dtype=torch.float16)
    torch.tensor([2**64 - 1, 0, -2**63 - 1], dtype=torch.bool), torch.tensor(2**70, dtype=torch.bool)
    torch.chalf, torch.chalf is torch.complex32
""")
ROWS += [Row("a.count_nonzero(0), a.count_nonzero((0, 1)), a.count_nonzero(dim=-1)", each(STORED, "$ 2x3 count"))]
ROWS += [Row("a.count_nonzero(())", each(STORED, "$ 2x3 count"))]
ROWS += codes(each(UNSIGNED, "$ 3 count"), """
    a.random_(0, None).dtype
    a.random_(2**16 - 2, None).long() >= 2**16 - 2
    a.random_(2**16 - 1, None).dtype
    a.random_(2**16, None).dtype
    a.random_(-1, None)
    a[:0].random_(0, None)
""")
# ---- factors are of the dtype; one element is filled otherwise than several ----
ROWS += codes(each("c32", "$ 4 count"), """
    torch.add(a, a, alpha=1/3), torch.sub(a, a, alpha=1/3), torch.add(a, a, alpha=2049), a.clone().add_(a, alpha=1/3)
    torch.addcmul(a, a, a, value=1/3), torch.addcmul(a, a, a, value=2049), torch.sub(a, torch.tensor(0.3), alpha=1/3)
    torch.add(a, a, alpha=1e5)
    torch.sub(a, 1, alpha=1e5)
    a.addcmul_(a, a, value=1e5)
    torch.index_add(a, 0, torch.tensor([0]), a[:1], alpha=1e5)
    a[0] = 1e9
    a[...] = 1e9 + 1j
    a[a == 2] = -1e9
    a[[0]] = 65505
    a[:0] = 1e9
    a[0] = complex(float('nan'), 3); a[1] = float('inf'); a[2] = 65504; a
    a[0].fill_(1e9)
    torch.where(a == 1, 1e9, a)
    torch.where(a == 1, torch.tensor(1e9), a)
    a[:2].fill_(1e9), a[:0].fill_(1e9), a[:1].fill_(torch.tensor(1e9))
""")
ROWS += codes(("",), "\n".join(
    f"{call}.to(torch.complex64)" for d in ("torch.float16", "torch.bfloat16", *LONG[3:]) for x in ("1e9", "65505", "2**63", "-1e300", "1e9 + 1j") for call in (
    f"torch.full((), {x}, dtype={d})", f"torch.full((1,), {x}, dtype={d})", f"torch.zeros(3, dtype={d})[:1].fill_({x})",
    f"torch.zeros(1, 1, dtype={d}).fill_diagonal_({x})", f"torch.scalar_tensor({x}, dtype={d})",
    f"torch.where(torch.tensor([True, False]), {x}, torch.ones(2, dtype={d}))")))  # fmt: skip
ROWS += codes(("",), """
    torch.where(torch.tensor([True, False]), 1e9, torch.ones(2).half()), torch.where(torch.tensor([True, False]), -1, torch.ones(2).to(torch.uint16))
    torch.where(torch.tensor([True, False]), 1e300, torch.ones(2))
    torch.where(torch.tensor([True, False]), 70000, torch.ones(2).to(torch.uint16))
    torch.zeros(1).half().masked_fill_(torch.tensor([True]), 1e9)
    torch.zeros(1).half().clamp_(min=1e9)
    torch.zeros(2).half().fill_(1e9)
    torch.zeros(0).half().fill_(1e9)
    torch.zeros(1).fill_(1e300)
""")
# ---- membership, powers, sums in place ----
ROWS += [
    Row("torch.isin(a, 1), torch.isin(a, 1, invert=True), torch.isin(a, 2.5)", each(f"{REAL.replace('b1 ', '')} c32", "$ 2x3 count")),
    Row("torch.isin(a, 1)", ("b1 3", "c64 3")),
    Row("torch.isin(a, 1j)", ("f32 3", "u16 3")),
    Row("torch.isin(a, True)", each(f"f32 {STORED}", "$ 3 count")),
    Row("torch.isin(1, a)", each(STORED, "$ 3 count")),
    Row("torch.isin(a, 1, out=torch.zeros(0, dtype=torch.bool))", ("f32 3 count", "u16 3 count")),
    Row("torch.ldexp(a, b)", tuple(f"{x} 3 count;{y} 3 count" for x in f"f32 i32 {STORED}".split() for y in f"f32 i32 {STORED}".split() if {x, y} & set(STORED.split()))),
    Row("torch.float_power(a, b)", tuple(f"{x} 3 count;{y} 3 count" for x in f"b1 i32 f32 c64 {STORED}".split() for y in f"i32 c64 {STORED}".split() if {x, y} & set(STORED.split()))),
    Row("a.float_power(2), torch.float_power(2, a), a.float_power(1j)", each(STORED, "$ 3 count")),
    Row("a.index_put((torch.tensor([0, 0, 1]),), b, accumulate=True)", each(STORED, "$ 2x3 count;$ 3 count", "$ 2 count;$ - count", "$ 3x2 T count;$ 1 count")),
    Row("a.index_put_((torch.tensor([[True, False, True], [False, True, True]]),), a[0, 1].clone(), True)", each(STORED, "$ 2x3 count")),
    Row("a.inner(b), torch.tensordot(a, b, 1)", each(FLOAT8, "$ 2 count;$ 2 count", "$ 1x2 count;$ 1x2 count")),
    Row("a.inner(b)", each(FLOAT8, "$ 2x2 count;$ 3x2 count", "$ 2 count;$ 3 count", "$ 2x2 count;$ 2 count")),
    Row("torch.var_mean(a), torch.std_mean(a, 0), torch.var_mean(a, (0, 1), correction=0, keepdim=True)", ("c32 3x2", "c32 2x3 T")),
    Row("a.trace()", each(f"b1 {STORED}", "$ 2x2 count", "$ 3 count")),
]  # fmt: skip
# ---- a dimension that does not exist is refused before a dtype without kernel, but where a function says itself what it takes ----
ROWS += [Row(call, each(f"b1 i32 f32 c64 {STORED}", "$ 2 count")) for call in """
    a.sum(5) a.prod(5) a.amax(5) a.amin((0,5)) a.max(5) a.min(5) a.cumsum(5) a.cumprod(5) a.logcumsumexp(5) a.cummax(5) a.cummin(5) a.mode(5)
    a.mean(5) a.softmax(5) a.log_softmax(5) a.gather(5,torch.tensor([0])) a.nansum(5) a.logsumexp(5) a.argmax(5) a.argmin(5) a.unique(dim=5)
    a.sort(5) a.median(5) a.kthvalue(1,5) a.index_select(5,torch.tensor([0])) a.var(5) a.any(5) a.count_nonzero(5)""".split()]  # fmt: skip
# ---- shapes and dtypes of the other arguments are refused before a dtype without kernel; a factor that a dtype cannot hold ----
ROWS += codes(each(STORED, "$ 3 count"), """
    a.index_add_(0, torch.tensor([0]), torch.zeros(2, 2, dtype=a.dtype))
    a.index_add_(0, torch.tensor([0.]), a[:1].clone())
    a.index_add_(0, torch.tensor([0]), torch.zeros(1))
    a.index_add_(0, torch.tensor([0]), a[:1].clone())
    torch.ldexp(torch.ones(2), a)
    torch.ldexp(torch.ones(3).half(), a).dtype
    torch.isin(True, a)
    torch.isin(1j, a)
""")
ROWS += codes(("",), "\n".join(
    f"torch.zeros(2, dtype={d}).index_add_(0, torch.tensor([0]), torch.ones(1, dtype={d}), alpha={alpha})" for d, alpha in (
    ("torch.int8", 300), ("torch.int8", -100), ("torch.int32", "float('nan')"), ("torch.int32", 2**33), ("torch.int64", "float('inf')"),
    ("torch.int64", 2.5), ("torch.float16", 1e5), ("torch.float32", 1e300), ("torch.bool", 3), ("torch.complex32", 1e5))))  # fmt: skip
