"""Elementwise arithmetic, comparison, logic and elementary functions."""

from golden.row import ALL, FLOAT, INT, NUM, Row, codes, each, rows

# One operand: every dtype, then shapes and layouts on one float and one integer dtype.
LAYOUTS = each("f32 i64", "$ -", "$ 0", "$ 0x3", "$ 1x1", "$ 3x4 T", "$ 2x3x2 S", "$ 3x2 E")
ONE = each(ALL, "$ 2x3") + LAYOUTS
EDGES = each(NUM, "$ 12 ext")
WAVE = each(FLOAT, "$ 29 wave")

# Two operands of one dtype: the same with broadcasting.
PAIRS = each("f32 i64", "$ -;$ -", "$ 2x3;$ -", "$ -;$ 3", "$ 2x3;$ 3", "$ 2x1;$ 1x3", "$ 2x1x3;$ 4x1", "$ 0x3;$ 3",
             "$ 0;$ 1", "$ 3x4 T;$ 3x4", "$ 3x4 T;$ 3x4 T", "$ 2x3 S;$ 3 S", "$ 4x3 E;$ 4x3", "$ 2;$ 3", "$ 2x0;$ 2x3")
FLOAT_PAIRS = PAIRS[:14]
TWO = each(ALL, "$ 2x6;$ 2x6") + PAIRS
NONZERO = each(NUM, "$ 2x6;$ 2x6 nonzero")
SPECIAL = each(FLOAT, "$ 10x1 special;$ 10 special")
COUNTS = each(NUM, "$ 2x6;$ 2x6 count")
EXTREMES = each(INT, "$ 10x1 ext;$ 10 ext")

ROWS = []

# exact, defined for (nearly) every dtype
ROWS += rows("torch.OP(a)", "abs neg sign square floor ceil round trunc frac", ONE + EDGES + WAVE)
ROWS += rows("torch.OP(a)", "isnan isinf isfinite logical_not", ONE + EDGES)
ROWS += rows("torch.OP(a)", "bitwise_not", ONE + each(INT, "$ 10 ext"))
ROWS += rows("OP", "-a +a ~a abs(a)", each(ALL, "$ 2x3") + ("f32 -", "i64 0"))

# elementary functions: integers become the default float
ELEMENTARY = "exp expm1 log log1p log2 log10 rsqrt sin cos tan asin acos atan sinh cosh tanh sigmoid erf"
FEW = each("f32 i64", "$ -", "$ 0", "$ 3x4 T", "$ 3x2 E")
ROWS += rows("torch.OP(a)", ELEMENTARY, each(ALL, "$ 2x3") + FEW + WAVE, "ulp")
ROWS += rows("torch.OP(a)", "sqrt reciprocal", ONE + each(FLOAT, "$ 12 ext") + WAVE, "ulp")
ROWS += rows("torch.OP(a)", "exp log sin cos tanh sigmoid erf", each("f32 f64", "$ 12 ext"), "ulp")

# two operands
COMPARISONS = "eq ne lt le gt ge logical_and logical_or logical_xor isclose"
ROWS += rows("torch.OP(a, b)", f"add sub mul {COMPARISONS}", TWO + SPECIAL)
ROWS += rows("torch.OP(a, b)", "maximum minimum", TWO + SPECIAL, "equal")
ROWS += rows("torch.OP(a, b)", "add sub mul", EXTREMES)
ROWS += rows("torch.OP(a, b)", "div floor_divide remainder fmod",
             each("b1", "$ 2x3;$ 2x3 ones") + FLOAT_PAIRS + NONZERO + SPECIAL)
ROWS += rows("torch.OP(a, b)", "floor_divide remainder fmod", each(INT, "$ 2x3;$ 3"))
ROWS += rows("torch.div(a, b, rounding_mode='OP')", "floor trunc",
             NONZERO + SPECIAL + ("f32 2x3;f32 3", "i32 3;i32 3"))
ROWS += rows("torch.OP(a, b)", "bitwise_and bitwise_or bitwise_xor", TWO + EXTREMES)
ROWS += rows("torch.OP(a, b)", "bitwise_left_shift bitwise_right_shift",
             COUNTS + each(INT, "$ 10 ext;$ 10 count") + each("i64", "$ -;$ -", "$ 2x3;$ 3", "$ 0;$ 1", "$ 2;$ 3"))
ROWS += rows("torch.OP(a, b)", "pow",
             COUNTS + FLOAT_PAIRS + SPECIAL + ("b1 3;b1 3", "i32 6;i32 6", "u8 10 ext;u8 10 count"), "ulp")
ROWS += rows("torch.OP(a, b)", "atan2", TWO + SPECIAL, "ulp")
ROWS += rows("torch.OP(a, b)", "equal",
             TWO + ("f32 3;f32 3 special", "f32 2 ones;f32 2 ones", "i32 2 ones;f32 2 ones"))
ROWS += codes(each("f32 f64 bf16", "$ 6", "$ 10 special") + ("i64 6", "f32 0"), """
    torch.equal(a, a)
    torch.allclose(a, a)
    torch.allclose(a, a, equal_nan=True)
    torch.allclose(a, a + 1)
    torch.allclose(a, a + 1e-9)
    torch.allclose(a, a * 1.5, rtol=1.0)
    torch.isclose(a, a, equal_nan=True)
    torch.isclose(a, a + 0.1, atol=0.25)
""")

# operators, with tensors and with Python numbers on either side
OPERATORS = "+ - * / // % ** & | ^ << >> == != < <= > >="
LEFT = each("b1 u8 i32 f16 f32", "$ 6") + each("i64 f64 bf16 i8", "$ 4")
RIGHT = each("b1 u8 i32 f32 f64", "$ 4 ones") + each("f32 bf16", "$ 5 count")
ROWS += rows("a OP b", OPERATORS, each("b1 i32 f64", "$ 6;$ 6 ones"), "ulp")
for number in ("2", "2.5", "True", "-3"):
    ROWS += rows(f"a OP {number}", OPERATORS, LEFT, "ulp")
    ROWS += rows(f"{number} OP a", OPERATORS, RIGHT, "ulp")
for other in ("None", "'x'", "[1, 2]", "object()"):
    ROWS += rows(f"a OP {other}", "+ - * / // % ** & == <", ("f32 2", "i64 2"))
ROWS += rows("torch.OP(a, 2)", "add sub mul div floor_divide remainder fmod pow eq lt bitwise_and",
             each("f32 i64 u8", "$ 6"), "ulp")
ROWS += rows("torch.OP(2, a)", "pow remainder mul add bitwise_and", each("f32 i64", "$ 6 count"), "ulp")

# scaled addition; powers with exponents that have a kernel of their own
ROWS += rows("torch.OP(a, b, alpha=2)", "add sub", TWO)
ROWS += rows("torch.OP(a, b, alpha=0.5)", "add sub", each(ALL, "$ 6;$ 6"))
ROWS += rows("a.OP(b, alpha=3)", "add_ sub_", each("f32 i64 f16", "$ 2x3;$ 3"))
ROWS += rows("a ** OP", "0 1 2 3 0.5 -1 -2 -0.5 2.0 1.5 10",
             each("f32 f64 bf16 f16", "$ 29 wave") + ("i32 8", "u8 8", "i64 8 ext"), "ulp")

# in place: the operand's dtype and shape stay
INPLACE = each("f32 i64 u8 bf16", "$ 2x3;$ 3 ones") + (
    "f32 3;f32 2x3", "i32 3;f32 3 ones", "f32 3;f64 3 ones", "f32 3;i64 3 ones", "u8 3;i32 - ones", "b1 3;i64 3 ones",
    "i64 3;f32 - ones", "f32 2x3 T;f32 2x3 ones", "f32 - ones;f32 -")
AUGMENTED = "+= -= *= /= //= %= **= &="
ROWS += rows("r = a.OP(b); (a, r is a)", "add_ sub_ mul_ div_ remainder_ fmod_ pow_ eq_ lt_ floor_divide_ bitwise_and_"
             " logical_xor_ atan2_", INPLACE, "ulp")
ROWS += rows("a OP b; a", f"{AUGMENTED} |= ^= <<= >>=", each("f32 i64 u8 b1", "$ 6;$ 6 ones"), "ulp")
ROWS += rows("a OP 2; a", f"{AUGMENTED} |= ^= <<= >>=", each("f32 i64 u8 b1", "$ 6"), "ulp")
ROWS += rows("a OP 2.5; a", AUGMENTED, each("f32 i64 b1", "$ 6"), "ulp")
ROWS += rows("a.OP(); a", "abs_ neg_ sign_ square_ floor_ ceil_ round_ trunc_ frac_ exp_ log_ sqrt_ sin_ tanh_ sigmoid_"
             " reciprocal_ bitwise_not_ logical_not_ erf_",
             each("f32 i64 b1", "$ 2x3") + ("f32 2x3 T", "bf16 6"), "ulp")
ROWS += rows("a.OP()", "abs neg exp log sqrt sin cos tanh sigmoid floor round isnan erf rsqrt log1p square",
             ("f32 6", "f64 2x3 S", "i64 6"), "ulp")

# out=
OUT1 = ("f32 3;f32 3", "f32 3;f64 3", "i64 3;f32 3", "f32 3;i64 3", "f32 3;f32 0", "i64 3;i64 3", "f32 3;b1 3")
OUT2 = ("f32 2x3;f32 3;f32 2x3", "f32 2x3;f32 3;f64 2x3", "f32 2x3;f32 3;i64 2x3", "i64 3;i64 3 ones;f32 3",
        "i64 3;i64 3 ones;u8 3", "f32 3;f32 3;f32 0", "f32 2x3;f32 3;f32 2x3 T", "f32 3;f32 3;f16 3",
        "i32 3;i32 3 ones;b1 3", "f32 4x3;f32 3;f32 4x3 E")
ROWS += rows("r = torch.OP(a, out=b); (r is b, b)", "exp abs neg sqrt isnan floor sigmoid", OUT1, "ulp")
ROWS += rows("r = torch.OP(a, b, out=c); (r is c, c, c.stride())",
             "add mul div eq atan2 maximum pow logical_and remainder", OUT2, "ulp")
ROWS += rows("torch.OP(a, b, out=a); a", "add mul sub", ("f32 6;f32 6", "f32 2x3 T;f32 2x3"))

# clamp
ROWS += codes(each(ALL, "$ 6") + each("f32 bf16", "$ 10 special"), """
    a.clamp(-1, 1)
    a.clamp(min=0.5)
    a.clamp(max=2)
    a.clamp(2, -2)
    a.clamp(nan, 1)
    a.clamp()
    torch.clamp(a, -1.5, 2.5)
    torch.clamp(a, max=1)
""", "equal")
ROWS += [
    Row("torch.clamp(a, b, c)", each("f32 i64", "$ 2x3;$ 3 ones;$ -", "$ 3;$ 3;$ 3 ones")
        + ("f32 3;i64 3;f32 3", "i64 3;f32 3;f32 3")),
    Row("torch.clamp(a, min=b)", each("f32 i64", "$ 2x3;$ 3")),
    Row("r = a.clamp_(0, 1); (a, r is a)", each("f32 i64 u8", "$ 6")),
    Row("torch.clamp(a, 0, 1, out=b); b", ("f32 6;f32 6", "f32 6;f64 6")),
]

# choosing
ROWS += [
    Row("torch.where(a, b, c)", each("f32 i64 b1 f16", "b1 2x3;$ 2x3;$ 3", "b1 3;$ -;$ 2x3", "b1 0x3;$ 3;$ 1x3")
        + ("b1 3;f32 3;i64 3", "b1 3;f32 -;f64 3", "f32 3;f32 3;f32 3", "u8 3;f32 3;f32 3",
           "b1 2x3 T;f32 2x3 T;f32 2x3 S")),
    Row("torch.where(a, b, 7)", ("b1 2x3;f32 3", "b1 3;i64 3", "b1 3;u8 3")),
    Row("torch.where(a, b, 7.5)", ("b1 3;i64 3", "b1 3;f16 3")),
    Row("torch.where(a, 1, 0)", ("b1 2x3",)),
    Row("torch.where(a, 1.0, 0)", ("b1 2x3",)),
    Row("b.where(a, c)", ("b1 3;f32 3;f32 3",)),
    Row("torch.where(a)", ("b1 2x3", "f32 2x3", "i64 5", "b1 -")),
    Row("a.masked_fill(b, 9)", each(ALL, "$ 2x3;b1 3", "$ 3;b1 2x3")
        + ("f32 2x3 T;b1 2x3", "f32 3;u8 3", "f32 3;i64 3", "f32 0;b1 0")),
    Row("a.masked_fill(b, c)", ("f32 3;b1 3;f32 -", "f32 3;b1 3;f32 1", "i64 3;b1 3;f32 -")),
    Row("a.masked_fill(b, 2.5)", ("i64 3;b1 3", "f32 3;b1 3", "b1 3;b1 3")),
    Row("r = a.masked_fill_(b, 9); (a, r is a)", ("f32 2x3;b1 3", "f32 3;b1 2x3", "i64 2x3 T;b1 2x3",
                                                  "f32 2x3 E;b1 2x3")),
    Row("torch.masked_select(a, b)", each(ALL, "$ 2x3;b1 3")
        + ("f32 3;b1 2x3", "f32 2x3 T;b1 2x3", "f32 3;u8 3", "f32 0;b1 0", "f32 3;b1 2")),
    Row("a.masked_select(b)", ("f32 2x3;b1 2x3",)),
    Row("torch.nonzero(a)", each(ALL, "$ 2x3")
        + ("f32 -", "f32 0", "i64 0x3", "f32 3x4 T", "b1 2x3x2 S", "f32 10 special")),
    Row("a.nonzero(as_tuple=True)", ("f32 2x3", "b1 5", "f32 -")),
    Row("torch.nonzero(a, out=b); b", ("f32 2x3;i64 0", "f32 2x3;f32 0")),
]
