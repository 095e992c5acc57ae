"""Two operands: sparse, dense or a number."""

from .program import KINDS, each, plain

GROUPS = {}

GROUPS["add"] = (
    each("{x} + {y}", x="d a u r c", y="d b w r2 c2")
    + each("{x} + {y}", x="d46 m q", y="d46 m2 q2 m q")
    + each("{x} + {y}", x=KINDS, y="1 0 2.5 torch.tensor(2.0)".split())
    + each("1 + {x}", x=KINDS)
    + each("torch.add({x}, {y}, alpha={k})", x="a u d", y="b w", k="2 -0.5 0")
    + each("{x}.add_({y}); {x}", x="d a u r c", y="d b w r2 1".split())
    + plain("""
    e + a
    a + e
    u + e
    e + u
    e + e
    a + a
    u + u
    r + r
    a + ex
    a + (-a)
    h + hb
    h + hu
    hu + h
    t + tu
    v + vu
    o + o
    z + z
    g + gv
    gu + gv
    d342 + h
    d342 + hu
    d234 + t
    d4 + v
    d4 + vu
    d53 + gu
    a + b_f32
    a_f32 + b
    a_i64 + b_f32
    a_i64 + b_i64
    u_i64 + w_i64
    a_bool + b_bool
    a_c128 + b
    a_f16 + b_f16
    a_bf16 + b_bf16
    d_f32 + a
    d + a_f32
    d_i64 + a_i64
    d_i64 + a
    d_bool + a_bool
    d_c128 + u_c128
    d_f16 + u_f16
    r + r2_f32
    r_f32 + r2_f32
    r_i64 + r2_i64
    r_c128 + r2_c128
    d_f32 + r_f32
    rb + rb
    wave(2, 3, 4) + rb
    rh + rh
    torch.add(r, r2, alpha=2)
    torch.add(r, d, alpha=2)
    torch.add(d, r, alpha=-1)
    torch.add(c, d, alpha=2)
    torch.add(a, b, out=e)
    torch.add(a, b, alpha=2, out=torch.sparse_coo_tensor(size=(3, 4), dtype=torch.float64))
    torch.add(d, a, out=torch.zeros(3, 4, dtype=torch.float64))
    d.add_(a, alpha=3); d
    d.add_(hu[..., 0].coalesce()); d
    a.add_(b, alpha=2); a
    u.add_(w, alpha=-1); u
    a.add_(a); a
    e.add_(a); e
    a_f32.add_(b); a_f32
    h.add_(hb); h
    a += b; a
    d += u; d
    row + a
    a + row
    (a + b).coalesce() is (a + b)
""")
)

GROUPS["sub"] = (
    each("{x} - {y}", x="d a u r c", y="d b w r2 c2")
    + each("{x} - 1", x=KINDS)
    + each("1 - {x}", x=KINDS)
    + plain("""
    a - a
    u - u
    e - a
    a - e
    h - hb
    hu - h
    d342 - hu
    torch.sub(a, b, alpha=3)
    torch.sub(d, u, alpha=0.5)
    torch.sub(a_i64, b_i64)
    torch.rsub(a, b)
    torch.rsub(a, 1)
    a.sub_(b); a
    u.sub_(w); u
    d.sub_(a); d
    a -= b; a
    d -= u; d
    r.sub_(r2); r
    m - m2
    a - b_f32
    torch.subtract(a, b)
""")
)

GROUPS["mul"] = (
    each("{x} * {y}", x="d a u r c", y="d b w r2 c2")
    + each("{x} * {y}", x="d46 m q", y="d46 m2 q2")
    + each("{x} * {y}", x=KINDS + " e hu rb rh mb", y="2 0.5 torch.tensor(2.0) True".split())
    + each("2 * {x}", x=KINDS)
    + each("{x}.mul_({y}); {x}", x="d a u r c m", y="d b w r2 2".split())
    + plain("""
    a * a
    u * u
    e * a
    a * e
    a * ex
    r * re
    h * hb
    h * hu
    hu * h
    t * tu
    v * vu
    o * o
    a * o
    g * gv
    gu * gv
    h * d342
    hu * d342
    t * d234
    v * d4
    d4 * vu
    a * d14
    a * d31
    a * d4
    d14 * a
    u * d31
    h * torch.ones(2, dtype=torch.float64)
    h * d342[:, :, :1]
    a * wave(2, 3, 4)
    a * row
    a * col
    a * torch.tensor([2.0])
    r * d14
    a * b_f32
    a_f32 * 2
    a_f32 * torch.tensor(2.0, dtype=torch.float64)
    a_f32 * d
    a_i64 * b_i64
    a_i64 * 2.5
    a_i64 * 2
    a_bool * 2
    a_bool * b_bool
    a_c128 * b_c128
    a * 1j
    a_f16 * 2
    a_f16 * b_f16
    u_bf16 * 0.5
    r_f32 * r2_f32
    r_i64 * 2
    r_i64 * 2.5
    n * 0
    n * torch.tensor(float("inf"))
    a * float("nan")
    torch.mul(a, b, out=e)
    torch.multiply(a, 3)
    a *= 2; a
    a *= d; a
    a.mul_(2).is_coalesced()
""")
)

GROUPS["div"] = (
    each("{x} / {y}", x=KINDS, y="2 0.5 torch.tensor(4.0) 0.0".split())
    + each("{x} // 2", x=KINDS)
    + each("2 / {x}", x=KINDS)
    + each("{x} / {y}", x="d a r", y="d b r2")
    + each("torch.div({x}, 0.75, rounding_mode='{mode}')", x="a u r", mode="floor trunc")
    + plain("""
    a_i64 / 2
    a_i64 // 2
    a_bool / 2
    a_c128 / 2
    a_c128 / (1 + 2j)
    a_f16 / 3
    a_f32 / 3
    hu / 2
    o / 2
    a / o
    a / torch.tensor([2.0])
    a.div_(2); a
    u.div_(2); u
    r.div_(2); r
    a /= 2; a
    a_f32 / torch.tensor(2.0, dtype=torch.float64)
    torch.true_divide(a, 2)
    torch.floor_divide(a, 0.75)
    torch.floor_divide(u, 0.75)
    a.floor_divide_(0.75); a
    torch.fmod(a, 2.0)
    torch.remainder(a, 2.0)
    a % 2
    e / 2
""")
)

GROUPS["pow"] = (
    each("{x}.pow({y})", x="p u r c m a_i64 a_c128 a_f32", y="1 2 3 0.5 0 -1")
    + each("2 ** {x}", x="a r")
    + plain("""
    a ** 2
    u ** 3
    h ** 2
    a_i64 ** 2.0
    a_bool ** 2
    a.pow_(2); a
    r.pow_(2); r
    a ** b
    a ** torch.tensor(2)
    torch.pow(a, 2)
    torch.float_power(a, 2)
    torch.square(a)
    torch.square(u)
    torch.square(r)
    a.square_(); a
""")
)
