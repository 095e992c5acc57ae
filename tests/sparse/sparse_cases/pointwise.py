"""One operand, element by element, and comparisons."""

from .program import Program, each, plain

GROUPS = {}

ZERO = (
    "neg abs sign sgn sin tan sinh tanh atan asinh expm1 ceil floor trunc round frac erf rad2deg deg2rad relu "
    "positive isnan isinf isposinf isneginf signbit conj_physical"
)
SMALL = "asin atanh log1p erfinv"
OTHER = (
    "exp log cos cosh acos acosh sigmoid reciprocal rsqrt log2 log10 exp2 erfc "
    "lgamma digamma isfinite logical_not i0 sinc logit"
)

GROUPS["unary"] = (
    each("torch.{op}({x})", op=ZERO, x="a u r c m q")
    + each("torch.{op}({x})", op=SMALL, x="k rk e re")
    + each("torch.sqrt({x})", x="p u_c128 rp cp e")
    + each("torch.{op}({x})", op="sin floor relu isnan neg abs sgn", x="e hu n o rb rh mb")
    + each(
        "torch.{op}(a_{dtype})",
        op="sin abs sign sgn floor relu isnan neg sqrt round signbit",
        dtype="f32 f16 i64 bool c128",
    )
    + each("torch.{op}(r_{dtype})", op="sin abs sgn neg relu", dtype="f32 i64 c128")
    + plain("""
    torch.angle(a)
    torch.angle(a_c128)
    torch.angle(r)
    torch.angle(r_c128)
    torch.nan_to_num(n)
    torch.nan_to_num(n, nan=2.0, posinf=3.0)
    torch.nan_to_num(u)
    torch.nan_to_num(r)
    a_c128.conj()
    a_c128.conj().is_conj()
    a_c128.real
    a_c128.imag
    u_c128.real
    r_c128.conj()
    a.real
    torch.conj_physical(u_c128)
    r_c128.real
    torch.absolute(a)
    torch.negative(u)
    torch.fix(a)
    torch.arctan(a)
    torch.round(a, decimals=1)
    torch.threshold(a, 0, 0)
    -a
    +u
    abs(u)
    ~a_bool
    F.relu(a)
    F.relu(r)
    F.dropout(a, 0.0)
    F.dropout(a, 0.5, training=False)
    torch.sin(a, out=e)
    torch.floor(u, out=e)
    torch.sin(r, out=r)
""")
)
GROUPS["unary in place"] = (
    each("{x}.{op}_(); {x}", op="neg abs sign sin tanh expm1 floor relu sgn erf", x="a u r c m")
    + each("{x}.{op}_(); {x}", op=SMALL, x="k rk")
    + plain("""
    p.sqrt_(); p
    a.nan_to_num_(); a
    a.fill_(0); a
    a.fill_(1.0); a
    r.fill_(1.0); r
    m.fill_(2.0); m
    hu.neg_(); hu
    a_i64.abs_(); a_i64
    a_i64.sin_(); a_i64
    a.exp_(); a
    F.relu_(a); a
    a.conj_physical_(); a
    a_c128.conj_physical_(); a_c128
    a.clamp_(0, 1); a
""")
)
GROUPS["not zero-preserving"] = (
    each("torch.{op}({x})", op=OTHER, x="p u r c")
    + each(
        "F.{op}({x})",
        op="softplus silu gelu selu elu leaky_relu relu6 hardtanh hardsigmoid tanhshrink softsign mish",
        x="a r",
    )
    + plain("""
    torch.clamp(a, 0, 1)
    torch.clamp(a, min=0)
    torch.clip(a, -1, 1)
    torch.clamp(r, 0, 1)
    torch.bitwise_not(a_i64)
    torch.cumsum(a, 0)
    a.masked_fill(d > 0, 1.0)
    torch.where(d > 0, a, b)
""")
)

GROUPS["comparisons"] = (
    each("{x} {op} {y}", x="a r", op="== != < >", y="{x} 0 d".replace("{x}", "b"))
    + each("torch.equal({x}, {y})", x="a u r m", y="a u r m d")
    + plain("""
    torch.allclose(a, a)
    torch.allclose(a, b)
    torch.isclose(a, b)
    torch.maximum(a, b)
    torch.minimum(a, b)
    torch.logical_and(a, b)
    torch.logical_or(a, b)
    torch.atan2(a, b)
    torch.testing.assert_close(a, a)
    torch.testing.assert_close(r, r)
    torch.testing.assert_close(m, m)
    torch.testing.assert_close(a, a.to_dense(), check_layout=False)
    torch.testing.assert_close(a, a + 1e-9 * a)
    a in [a]
""")
    + [Program("torch.allclose(u, u.coalesce())", dense="torch.allclose(u, u)")]
)
