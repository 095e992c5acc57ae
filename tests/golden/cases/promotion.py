"""Which dtype comes out: every pair of dtypes, 0-dim tensors, Python numbers, and the functions that tell."""

from golden.row import ALL, Row, codes, rows

DTYPES = ALL.split()
KINDS = ("3", "-")  # a 0-dim tensor is weaker than one with dimensions, within its category
PAIRS = tuple(f"{x} {m} ones;{y} {n} ones" for x in DTYPES for y in DTYPES for m, n in ("33", "3-", "--"))
FEW = tuple(f"{x} 3 ones;{y} {n} ones" for x in DTYPES for y in DTYPES for n in KINDS)
SAME = tuple(f"{x} 3 ones;{y} 3 ones" for x in DTYPES for y in DTYPES)
ONE = tuple(f"{x} {n} ones" for x in DTYPES for n in KINDS)
NUMBERS = "True 1 1.5 -1 2**40 1e300"
EVERY = f"{ALL} c64 c128".split()
COMPLEX = tuple(
    f"{x} {m} ones;{y} {n} ones" for x in EVERY for y in EVERY for m, n in ("33", "3-", "-3", "--")
    if "c" in x + y
)
INTO = tuple(f"{x} 3 ones;{y} {n} ones" for x in EVERY for y in EVERY for n in KINDS)
EACH = tuple(f"{x} {n} ones" for x in EVERY for n in KINDS)

ROWS = [
    Row("(a + b).dtype", PAIRS),
    Row("torch.result_type(a, b)", FEW),
    Row("(a / b).dtype", FEW),
    Row("(a < b).dtype", SAME),
    Row("torch.where(a == 1, a, b).dtype", FEW),
    Row("torch.maximum(a, b).dtype", SAME),
    Row("torch.atan2(a, b).dtype", SAME),
    Row("torch.cat([a, b]).dtype", SAME),
    Row("torch.stack([a, b]).dtype", SAME),
    Row("torch.promote_types(a.dtype, b.dtype)", SAME),
    Row("torch.can_cast(a.dtype, b.dtype)", SAME),
    Row("a += b; a.dtype", SAME),
    Row("(a ** b).dtype", SAME),
    Row("torch.equal(a, b)", SAME),
]
# The table of every pair, with complex numbers, and what may be written into what.
ROWS += [Row(f"(a {op} b).dtype", COMPLEX) for op in "+ * /".split()]
ROWS += [
    Row("torch.promote_types(a.dtype, b.dtype), torch.can_cast(a.dtype, b.dtype)",
        tuple(f"{x} 3;{y} 3" for x in EVERY for y in EVERY if "c64" in (x, y) or "c128" in (x, y))),
    Row("a += b; a.dtype, a.sum()", INTO),
    Row("a /= b; a.dtype, a.sum()", INTO),
    Row("torch.add(b, b, out=a); a.dtype, a.sum()", tuple(f"{x} 3 ones;{y} 3 ones" for x in EVERY for y in EVERY)),
]
ROWS += [Row(f"a {op}= {number}; a.dtype", EACH) for op in "+ * / //".split() for number in "True 2 2.5 2j".split()]
for number in NUMBERS.split():
    ROWS += rows(f"(a OP {number}).dtype", "+ * / // % == **", ONE)
    ROWS += [Row(f"torch.result_type(a, {number})", ONE), Row(f"torch.result_type({number}, a)", ONE)]
ROWS += rows("(2 OP a).dtype", "+ - * / // % ** == <", ONE)
ROWS += rows("(2.5 OP a).dtype", "+ - * / // % ** == <", ONE)
ROWS += rows("torch.OP(a).dtype",
             "sum prod mean exp neg abs sign floor sigmoid isnan argmax any all max square reciprocal", ONE)
ROWS += rows("a.OP().dtype", "float double half bfloat16 int long short char byte bool clone contiguous", ONE)
ROWS += codes(("",), """
    torch.result_type(1, 2)
    torch.result_type(1, 2.0)
    torch.result_type(True, 2)
    torch.result_type(True, False)
    (torch.tensor([1, 2]) * 0.5).dtype
    (torch.tensor([1, 2], dtype=torch.uint8) * 300)
    (torch.tensor([1, 2], dtype=torch.int8) + 200)
    (torch.tensor([1, 2], dtype=torch.int32) + 2**40)
    (torch.tensor([1., 2.], dtype=torch.float16) * 1e6)
    (torch.tensor(5) / 2)
    (torch.tensor([True, False]) + True)
    (torch.tensor([1.5, 2.5]) + torch.tensor(1, dtype=torch.float64)).dtype
    torch.full((2,), 1) + torch.tensor(0.1, dtype=torch.float64)
    torch.tensor([100], dtype=torch.uint8) + torch.tensor([200], dtype=torch.uint8)
    torch.tensor([2**62]) * 4
    torch.tensor([7], dtype=torch.uint8) - 9
    torch.get_default_dtype()
    torch.set_default_dtype(torch.int32)
    torch.set_default_dtype('x')
    torch.promote_types(torch.uint8, torch.int8), torch.promote_types(torch.float16, torch.bfloat16)
    torch.float32.is_floating_point, torch.int8.is_signed, torch.uint8.is_signed, torch.bool.is_floating_point
    torch.float32.itemsize, torch.bool.itemsize, torch.bfloat16.itemsize, torch.int64.itemsize
    torch.float, torch.double, torch.half, torch.long, torch.int, torch.short
    repr(torch.float32), str(torch.bool), repr(torch.half), repr(torch.long), repr(torch.int8), repr(torch.bfloat16)
    torch.float32 == torch.float32, torch.float32 != torch.float64, len({torch.int8, torch.int8, torch.uint8})
""")
