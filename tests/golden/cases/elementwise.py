"""Elementwise functions of real numbers beyond arithmetic and the elementary ones: declarations/elementwise.cwrap."""

from golden.row import ALL, FLOAT, INT, NUM, Row, codes, each, errors, rows

LAYOUTS = each("f32 f64", "$ -", "$ 0", "$ 0x3", "$ 3x4 T", "$ 2x3x2 S", "$ 3x2 E")
ONE = each(ALL, "$ 2x3") + LAYOUTS
WAVE = each(FLOAT, "$ 29 wave")
EDGES = each(FLOAT, "$ 12 ext")
PAIRS = each("f32 f64", "$ -;$ -", "$ 2x3;$ -", "$ -;$ 3", "$ 2x1;$ 1x3", "$ 0x3;$ 3", "$ 0;$ 1", "$ 3x4 T;$ 3x4",
             "$ 2x3 S;$ 3 S", "$ 4x3 E;$ 4x3", "$ 2;$ 3")
TWO = each(ALL, "$ 2x6;$ 2x6") + PAIRS
SPECIAL = each(FLOAT, "$ 10x1 special;$ 10 special")
MIXED = ("f32 3;f64 3", "f16 3;f32 -", "f16 3;bf16 3", "i32 3;f32 3", "f32 3;i64 3", "i64 3;f64 -", "b1 3;i32 3")
IN_PLACE = ("f32 2x3", "f16 6", "f64 2x3 T", "i64 3", "b1 2")
# PyTorch's digamma of float64 has 14 digits near its zero, its trigamma 9: there ours is nearer to the truth.
OUT1 = ("f32 3;f32 3", "f32 3;f64 3", "i64 3;f32 3", "f32 3;i64 3", "f32 3;f32 0", "f32 3;b1 3", "f32 2x3 T;f32 2x3")
OUT2 = ("f32 2x3;f32 3;f32 2x3", "f32 3;f32 3;f64 3", "f32 3;f32 3;i64 3", "i64 3;i64 3 ones;i64 3",
        "i64 3;i64 3 ones;f32 3", "f32 2x3 T;f32 3;f32 2x3 T", "f32 3;f32 3;f16 3")

ROWS = []

# ---- one operand -------------------------------------------------------------------------------------------
ROWS += rows("torch.OP(a)", "erfc exp2 asinh acosh atanh sinc", ONE + WAVE + EDGES, "ulp")
ROWS += rows("torch.OP(a)", "lgamma", ONE + WAVE, "ulp")
ROWS += rows("torch.OP(a + 0.25)", "digamma", ONE + each(FLOAT, "$ 10 special"), "sum")
ROWS += rows("torch.OP(a / 7)", "erfinv logit atanh", ONE + WAVE, "ulp")
ROWS += rows("torch.OP(torch.tanh(a))", "erfinv", WAVE, "ulp")
ROWS += rows("torch.OP(a.clamp(-80, 80))", "i0 special.i1", each(FLOAT, "$ 25 wave") + each("f32", "$ 0", "$ 3x4 T"), "sum")
ROWS += rows("torch.OP(a)", "i0", each(ALL, "$ 2x3"), "sum")
ROWS += rows("torch.OP(a)", "arcsinh arccosh arctanh special.gammaln special.erf special.erfc"
             " special.erfinv special.exp2 special.expit special.expm1 special.log1p special.logit special.i0"
             " special.sinc", each("f32 f64", "$ 6"), "sum")
ROWS += rows("torch.special.OP(a)", "i0e i1e entr log_ndtr erfcx",
             each(ALL.replace(" bf16", ""), "$ 2x3") + each("f32 f64", "$ 10 special", "$ 0", "$ 3x4 T"), "sum")
ROWS += rows("torch.special.OP(a / 4)", "ndtr", ONE, "sum")
ROWS += rows("torch.special.OP(torch.sigmoid(a))", "ndtri logit", each("f32 f64", "$ 12", "$ 3x4 T", "$ 0"), "sum")
ROWS += rows("torch.special.OP(a, out=b).type(torch.float32)", "entr i1 ndtri", OUT1[:5], "sum")
ROWS += rows("torch.OP(a)", "deg2rad rad2deg", ONE + WAVE, "ulp")
ROWS += rows("torch.OP(a)", "signbit isposinf isneginf", ONE + EDGES + each(INT, "$ 10 ext"))
ROWS += rows("torch.OP(a)", "relu nan_to_num", ONE + EDGES + each(INT, "$ 10 ext"))
ROWS += rows("list(torch.OP(a))", "frexp", each(ALL, "$ 2x3") + LAYOUTS + EDGES + WAVE)
ROWS += codes(each("f32 f64 f16", "$ 6"), """
    a.frexp().mantissa
    a.frexp().exponent
    type(a.frexp()).__name__
    list(torch.frexp(a, out=(torch.empty(0, dtype=a.dtype), torch.empty(6, dtype=torch.int32))))
    torch.frexp(a, out=(torch.empty(0, dtype=a.dtype), torch.empty(0)))
    torch.frexp(a, out=(torch.empty(0, dtype=torch.int64), torch.empty(0, dtype=torch.int32)))
""")
ROWS += rows("torch.OP(a)", "special.digamma special.psi", ("f32 6", "i64 6"), "sum")
ROWS += rows("r = a.OP_(); (a, r is a)", "digamma", ("f32 2x3", "f16 6", "i64 3", "f32 2x3 T"), "sum")
UNARY_ = "erfc erfinv lgamma exp2 asinh acosh atanh sinc i0 deg2rad rad2deg relu nan_to_num logit"
ROWS += rows("r = a.OP_(); (a, r is a)", UNARY_, IN_PLACE, "sum")
ROWS += rows("a.OP()", UNARY_ + " digamma signbit isposinf isneginf", each("f32 i64", "$ 6"), "sum")
ROWS += rows("r = torch.OP(a, out=b); (r is b, b.dtype, b.type(torch.float32))", UNARY_.replace(" relu", "") + " digamma signbit isposinf isneginf", OUT1,
             "sum")

# ---- with a parameter --------------------------------------------------------------------------------------
ROWS += codes(each("f32 f64 f16 bf16 i32 b1", "$ 12") + each("f32", "$ 0", "$ -", "$ 3x4 T"), """
    torch.logit(a, 0.1)
    torch.logit(a, eps=1e-6)
    torch.logit(a, eps=None)
    torch.logit(a, 0.75)
    a.logit(0.25)
""", "ulp")
ROWS += codes(each(FLOAT, "$ 29 wave", "$ 2x3") + each("f32", "$ 0", "$ -", "$ 3x4 T") + ("i32 3", "b1 3"), """
    torch.round(a, decimals=1)
    torch.round(a, decimals=3)
    torch.round(a, decimals=-1)
    torch.round(a, decimals=0)
    a.round(decimals=2)
    torch.special.round(a)
""")
ROWS += codes(each("f32 bf16", "$ 6"), """
    r = a.round_(decimals=1); (a, r is a)
    torch.round(a, decimals=1, out=torch.empty(0, dtype=a.dtype))
    torch.round(a, 1)
    torch.round(a, decimals=1.5)
""")
ROWS += codes(each(FLOAT, "$ 10 special", "$ 3x4 T") + ("i32 3", "b1 3", "f32 0"), """
    torch.nan_to_num(a, 7)
    torch.nan_to_num(a, nan=2.5, posinf=100)
    torch.nan_to_num(a, neginf=-3.0)
    a.nan_to_num(1, 2, 3)
    torch.nan_to_num(a, 1e10, posinf=1e10)
    r = a.nan_to_num_(0.5); (a, r is a)
    r = torch.nan_to_num_(a, 0.5); (a, r is a)
""")
for n in (0, 1, 2, 3, 6):
    ROWS += [
        Row(f"torch.polygamma({n}, a.abs() + 0.25)", each("f32" if n in (1, 6) else FLOAT, "$ 12") + each("f32", "$ 0", "$ -", "$ 3x4 T"), "sum"),
        Row(f"a.polygamma({n})", each("i32 u8 f16", "$ 3 ones") + each("f32", "$ 2x2 ones"), "sum"),
    ]
ROWS += codes(each("f32 bf16", "$ 4 ones"), """
    torch.polygamma(n=2, input=a)
    a.polygamma(n=1)
    r = a.polygamma_(2); (a, r is a)
    torch.special.polygamma(3, a)
    torch.polygamma(1, a, out=torch.empty(0))
    torch.polygamma(1, a / 0)
    torch.polygamma(3, a - 1)
    torch.polygamma(-1, a)
    torch.polygamma(1.5, a)
    torch.polygamma(a, 1)
""", "sum")
ROWS += codes(each("f32 f64 f16 bf16", "$ 12") + each("i32 u8 b1", "$ 3") + ("f32 0", "f32 -", "f32 3x4 T"), """
    torch.mvlgamma(a, 1)
    torch.mvlgamma(a.abs() + 2, p=3)
    a.mvlgamma(2)
    torch.mvlgamma(a, 0)
""", "sum")
ROWS += codes(("f32 3", "f64 3", "i32 3"), """
    r = a.mvlgamma_(1); (a, r is a)
    torch.special.multigammaln(a + 4, 3)
    torch.mvlgamma(a + 4, 2, out=torch.empty(0, dtype=torch.float64)).to(a)
""", "sum")

# ---- two operands ------------------------------------------------------------------------------------------
ROWS += rows("torch.OP(a, b)", "hypot logaddexp xlogy", TWO + MIXED + SPECIAL, "ulp")
ROWS += rows("torch.OP(a, b * 0.75)", "logaddexp2", TWO + MIXED + SPECIAL, "ulp")
ROWS += rows("torch.OP(a, b)", "copysign", TWO + MIXED + SPECIAL)
ROWS += rows("torch.OP(a, b)", "fmax fmin", TWO + MIXED + SPECIAL, "equal")
ROWS += rows("torch.OP(a, b)", "nextafter", TWO + MIXED[:4] + SPECIAL + each(FLOAT, "$ 12x1 ext;$ 12 ext"))
ROWS += rows("torch.OP(a, b)", "ldexp", each(ALL, "$ 6;i32 6", "$ 6;f32 6 count", "$ 5;$ 5") + PAIRS + SPECIAL, "ulp")
ROWS += rows("torch.OP(a, b)", "heaviside", TWO + MIXED + SPECIAL)
ROWS += rows("torch.OP(a, b)", "gcd lcm", TWO + each(INT, "$ 12x1;$ 11", "$ 5x1 distinct;$ 7 distinct", "$ 0;$ 1", "$ 3x4 T;$ 4")
             + ("i32 3;i64 3", "u8 3;i8 3", "i64 3;i8 -", "i8 1 distinct;i8 9 distinct"))
ROWS += rows("torch.OP(a, b)", "float_power", each(NUM, "$ 6;$ 6 count") + MIXED + PAIRS + SPECIAL, "ulp")
ROWS += rows("torch.special.OP(a, b)", "xlogy xlog1py", each("f32 f64 i64", "$ 6;$ 6") + SPECIAL[2:], "ulp")
ROWS += rows("torch.special.OP(a + 1.5, b)", "zeta", each("f32 f64", "$ 6;$ 6 count", "$ 2x1 count;$ 3 count") + ("f32 12x1;f32 12",), "sum")
ROWS += rows("torch.special.OP(2, a.abs() + 1)", "zeta", each("f32 f64 i64", "$ 6"), "sum")
ROWS += rows("torch.special.OP(a.abs() + 2, 3)", "zeta", each("f32 f64 i64", "$ 6"), "sum")
NUMBERS = each("f32 f64 f16 i64 u8 b1", "$ 6")
ROWS += codes(NUMBERS, """
    torch.copysign(a, -2)
    torch.copysign(a, -0.0)
    a.copysign(2.5)
    torch.xlogy(a, 2)
    torch.xlogy(2.5, a)
    torch.xlogy(2, a)
    a.xlogy(3.5)
    torch.float_power(a, 2)
    torch.float_power(a, -1)
    torch.float_power(a, 0.5)
    torch.float_power(2, a)
    torch.float_power(2.5, a)
    a.float_power(3)
""", "ulp")
IN_PLACE2 = ("f32 2x3;f32 3", "f64 3;f64 3", "f32 3;f64 3", "f16 3;i64 3", "i64 3;i64 3", "i32 3;f32 3", "f32 3;f32 2x3",
             "f32 2x3 T;f32 2x3", "b1 3;b1 3")
BINARY_ = "hypot copysign nextafter ldexp xlogy heaviside gcd lcm float_power"
ROWS += rows("r = a.OP_(b); (a, r is a)", BINARY_, IN_PLACE2, "ulp")
ROWS += rows("a.OP(b)", BINARY_ + " logaddexp logaddexp2 fmax fmin", ("f32 3;f32 3", "i64 3;i64 3"), "ulp")
ROWS += rows("r = torch.OP(a, b, out=c); (r is c, c, c.stride())", BINARY_ + " logaddexp fmax", OUT2, "ulp")
ROWS += codes(("f64 3", "f32 3", "i64 3"), """
    r = a.float_power_(2); (a, r is a)
    r = a.xlogy_(2); (a, r is a)
    r = a.copysign_(-1); (a, r is a)
    torch.float_power(2, a, out=torch.empty(0, dtype=torch.float64))
    torch.float_power(a, 2, out=torch.empty(0))
""", "ulp")

# ---- three operands ----------------------------------------------------------------------------------------
THREE = each(ALL, "$ 2x3;$ 2x3;$ 2x3 nonzero") + each(
    "f32 f64", "$ -;$ -;$ -", "$ 2x1;$ 3;$ -", "$ 3;$ 2x1;$ 1x3", "$ 0x3;$ 3;$ 1", "$ 3x4 T;$ 3x4;$ 4", "$ 2x3 S;$ 3 S;$ -",
    "$ 4x3 E;$ 4x3;$ 3", "$ 2;$ 3;$ 2", "$ 10x1 special;$ 10 special;$ 10x1 special")
THREE_MIXED = ("f32 3;f64 3;f32 3", "i64 3;f32 3;i64 3", "f32 3;i64 3;i64 3 ones", "f16 3;f32 -;f16 3", "i32 3;i64 3;i8 3 ones",
               "f16 3;f16 3;bf16 3")
ROWS += rows("torch.OP(a, b, c)", "addcmul addcdiv", THREE + THREE_MIXED, "ulp")
ROWS += rows("torch.OP(a, b, c)", "lerp", THREE + THREE_MIXED + ("f32 3;f32 3;f64 -", "f32 3;f32 -;f32 3"), "ulp")
ROWS += rows("torch.OP(a, b, c, value=2)", "addcmul addcdiv", each(ALL, "$ 3;$ 3;$ 3 ones") + THREE_MIXED, "ulp")
ROWS += rows("torch.OP(a, b, c, value=-0.5)", "addcmul addcdiv", each("f32 bf16 i32", "$ 3;$ 3;$ 3 ones"), "ulp")
ROWS += rows("a.OP(b, c, value=1.5)", "addcmul addcdiv", each("f32 f16 i64", "$ 3;$ 3;$ 3 ones"), "ulp")
ROWS += rows("torch.OP(a, 3, b, c)", "addcmul addcdiv", each("f32 i64", "$ 3;$ 3;$ 3 ones"), "ulp")
ROWS += rows("r = a.OP_(b, c, value=2); (a, r is a)", "addcmul addcdiv",
             each("f32 i64 bf16", "$ 2x3;$ 3;$ 2x1 ones") + ("f32 3;f64 3;f32 3", "f32 3;f32 2x3;f32 3", "i64 3;f32 3;i64 3 ones",
              "f32 2x3 T;f32 3;f32 2x3 nonzero"), "ulp")
for weight in ("0.25", "0.75", "0", "1", "-2.5", "3", "True"):
    ROWS += [Row(f"torch.lerp(a, b, {weight})", each("f32 f64 f16 bf16", "$ 2x3;$ 3") + ("i64 3;i64 3",), "ulp")]
ROWS += codes(("f32 3;f32 3", "f32 2x3 T;f32 2x3", "f64 3;f64 2x3", "f32 3;f64 3", "f32 0;f32 1"), """
    torch.lerp(a, b, 0.3)
    torch.lerp(a, end=b, weight=b)
    a.lerp(b, 0.5)
    r = a.lerp_(b, 0.5); (a, r is a)
    r = a.lerp_(b, b); (a, r is a)
    torch.lerp(a, b, 0.5, out=torch.empty(0, dtype=torch.float64))
    torch.addcmul(a, b, b, out=torch.empty(0, dtype=torch.float64))
    torch.addcdiv(a, b, b, out=torch.empty(0, dtype=torch.int64))
""", "ulp")
ROWS += errors(("f32 3;i64 3",), """
    torch.lerp(a, b, 0.5)  # for `end`
    torch.lerp(a, a, b)  # for `weight`
    torch.addcdiv(a, b, b)  # Integer division with addcdiv
    torch.addcmul(b.to(torch.uint8), b.to(torch.uint8), b.to(torch.uint8), value=300)  # cannot be converted
    torch.addcmul(a, a, 2)  # tensor2
    torch.addcmul(a, a)  # tensor2
    torch.mvlgamma(a, 0)  # greater than or equal to 1
    torch.mvlgamma(a > 0, 1)  # boolean
    torch.polygamma(-2, a)  # negative n
    a.heaviside(b)  # different dtypes
    torch.frexp(b)  # floating-point
    torch.relu(a > 0)  # Boolean
    torch.signbit(a, out=b)  # non-boolean
    torch.isposinf(a, out=b)  # non-boolean
    torch.nan_to_num(a, out=b)  # should be same
    a.float_power_(2)  # requires dtype Double
    torch.float_power(a, 2, out=a)  # requires dtype Double
    torch.isin(a, a > 0)  # Bool
    torch.isin(a, b, out=b)  # dtype
    torch.isin(2, 2)  # arguments
    torch.hypot(a, 2)  # must be Tensor
    torch.gcd(a, b)  # not implemented
    torch.lgamma(a, out=b)  # can't be cast
    torch.erfc()  # input
    a.isin(b)  # isin
""")

# ---- membership --------------------------------------------------------------------------------------------
ROWS += codes(each(NUM, "$ 2x6;$ 3 ones", "$ 12;$ 7") + ("f32 10 special;f32 10 special", "f32 10 special;f32 -", "f32 3x4 T;f32 2x2",
              "f32 0;f32 3", "f32 3;f32 0", "i64 -;i64 3", "i64 3;f32 3", "f32 3;i64 3", "u8 3;i8 3", "f16 3;f32 -", "f32 3x2 E;f32 3",
              "b1 3;f32 3", "i64 40 distinct;i64 30 distinct"), """
    torch.isin(a, b)
    torch.isin(a, b, invert=True)
    torch.isin(a, b, assume_unique=True)
""")
ROWS += codes(each("f32 i64 u8", "$ 6"), """
    torch.isin(a, 2)
    torch.isin(a, 2.5)
    torch.isin(3, a)
    torch.isin(0.5, a, invert=True)
    torch.isin(element=3, test_elements=a)
    torch.isin(elements=a, test_element=3)
    torch.isin(a, a, out=torch.empty(0, dtype=torch.bool))
""")

# ---- in place, as functions --------------------------------------------------------------------------------
FUNCTIONS = ("abs acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil cos cosh deg2rad"
             " erf erfc exp exp2 expm1 fix floor frac i0 log log10 log1p log2 logit nan_to_num neg negative rad2deg"
             " reciprocal relu round rsqrt sigmoid sin sinc sinh sqrt square tan tanh trunc zero")
ROWS += rows("r = torch.OP_(a); (a, r is a)", FUNCTIONS, ("f32 6", "f64 2x3 T"), "sum")
ROWS += codes(("f32 3", "i64 3", "bf16 2x3 S"), """
    r = torch.clamp_(a, 0, 2); (a, r is a)
    r = torch.clamp_min_(a, 1); (a, r is a)
    r = torch.clamp_max_(a, 1); (a, r is a)
    r = torch.clip_(a, max=0); (a, r is a)
    r = torch.fill_(a, 3); (a, r is a)
    r = torch.xlogy_(a, 2); (a, r is a)
    r = torch.ldexp_(a, torch.tensor(2)); (a, r is a)
    r = torch.gcd_(a, torch.tensor(6)); (a, r is a)
    r = torch.lcm_(a, torch.tensor(6)); (a, r is a)
    r = torch.round_(a, decimals=1); (a, r is a)
    torch.exp_(a, out=a)
    [hasattr(torch, n) for n in ("add_", "absolute_", "lerp_", "digamma_", "addcmul_", "clip_", "fix_", "mul_")]
""", "ulp")
ROWS += codes(("f32 2x3;f32 2x3", "i64 3;i64 3", "f64 2x2 T;f64 2x2", "f32 3;f64 3", "f32 2x3;f32 3"), """
    r = a.apply_(lambda x: x * 2); (a, r is a)
    r = a.map_(b, lambda x, y: x + 10 * y); (a, r is a)
""")
ROWS += [Row("a.map2_(b, c, lambda x, y, z: x + y * z); a", ("f32 3;f32 3;f32 3", "i64 2x2;i64 2x2;i64 2x2"))]

# ---- isclose and allclose ----------------------------------------------------------------------------------
CLOSE = ("f32 6;f32 6", "f32 10x1 special;f32 10 special", "i64 6;i64 6", "u8 6;u8 6 ones", "b1 3;b1 3", "f16 3;f16 3", "f32 3;f64 3",
         "f32 2x3;f32 3", "f32 0;f32 1", "f64 -;f64 3", "i64 10x1 ext;i64 10 ext", "bf16 12 ext;bf16 12 ext")
ROWS += codes(CLOSE, """
    torch.isclose(a, b)
    torch.isclose(a, b, rtol=0, atol=0)
    torch.isclose(a, b, rtol=0.5, equal_nan=True)
    torch.isclose(a, b, atol=3)
    torch.isclose(a, b, atol=inf)
    torch.isclose(a, b, rtol=-1)
    torch.allclose(a, b, atol=10)
    torch.allclose(a, a, equal_nan=True)
    torch.allclose(a, b, atol=-0.5)
    a.isclose(b, 1)
    a.allclose(b)
""")

# ---- fmod, remainder, shifts at their edges ------------------------------------------------------------------
ROWS += rows("torch.OP(a, b)", "fmod remainder floor_divide",
             each("i8 i16 i32 i64", "$ 10x1 ext;$ 2 nonzero") + each(FLOAT, "$ 12x1 ext;$ 4 nonzero") + ("i8 3;i8 3", "f32 3;i64 3"))
ROWS += rows("torch.OP(a, b)", "bitwise_left_shift bitwise_right_shift",
             each("i8 i32 i64", "$ 10x1 ext;$ 8 distinct") + ("b1 3;b1 3", "f32 3;f32 3", "u8 3;i8 3"))
