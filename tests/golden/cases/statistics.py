"""Variance, norms, sums that look after NaN, counts, both extrema."""

from golden.row import FLOAT, INT, Row, codes, each, rows

SHAPES = ("$ 2x3", "$ 3x4 T", "$ 4x3 S", "$ 3x2 E", "$ 2x3x4", "$ 5", "$ -", "$ 0", "$ 0x3", "$ 3x0", "$ 1")
FEW = ("$ 2x3", "$ 3x4 T", "$ 5", "$ -", "$ 0x3")
DIMS = ("$ 2x3x4", "$ 3x4x2 T", "$ 3x5x2 E", "$ 2x0x3")
SPECIAL = each(FLOAT, "$ 2x5 special", "$ 10 nans", "$ 12 ext")
F32 = ("f32 2x3", "f32 3x4 T", "f32 4x3 S", "f32 -", "f32 0x3", "f64 2x3x4")
ROWS = []

# ---- variance
ROWS += rows("a.OP()", "var std", each(FLOAT, *SHAPES) + SPECIAL + ("i64 3", "b1 3"), "sum")
ROWS += rows("torch.OP(a)", "var_mean std_mean", each(FLOAT, *FEW) + SPECIAL + ("i64 3",), "sum")
for call in ("0", "-1, keepdim=True", "0, False", "1, False, True", "(0, 2)", "dim=(1,), correction=0", "[0, -1], True",
             "(0, 0)", "5", "dim=None, correction=2", "0, correction=1.5", "1, unbiased=False, keepdim=True"):
    ROWS += [Row(f"torch.{n}(a, {call})", each("f32 f64", *DIMS) + each("f16", "$ 2x3x4"), "sum")
             for n in ("var", "std_mean")]
ROWS += codes(F32[:4], """
    a.var(False)
    a.std(unbiased=True)
    a.std(correction=0, keepdim=True)
    a.var(())
    a.var(axis=0, keepdims=True)
    torch.var_mean(a, False)
    torch.var_mean(a, dim=-1, unbiased=False)
    torch.std_mean(a, correction=3)
    o = torch.empty(0); r = torch.std(a.float(), -1, out=o); r is o, o
    torch.var(a, 0.5)
    torch.var(a, 0, out=torch.empty(0, dtype=torch.float16))
""", "sum")
# ---- norms and distances
P = ("", "2", "1", "0", "inf", "-inf", "3", "0.5", "-1", "'fro'", "None", "2.0")
for p in P:
    ROWS += [Row(f"a.norm({p})", each(FLOAT, "$ 2x3", "$ 3x4 T", "$ 5", "$ -", "$ 12 nans") + each("f32", "$ 0", "$ 0x3")
                 + ("i64 3",), "sum")]
    if p:
        ROWS += [Row(f"torch.norm(a, {p}, {d})", each("f32 f64", "$ 2x3x4", "$ 3x4x2 T", "$ 2x0x3"), "sum")
                 for d in ("0", "(0, 2), True", "dim=-1, keepdim=True")]
ROWS += [Row("torch.norm(a), a.norm(1), a.norm(inf), a.norm(0)", each("f32 f64", "$ 2x5 special", "$ 12 ext"), "sum")]
ROWS += codes(F32, """
    torch.norm(a, dtype=torch.float64)
    a.norm(2, dtype=torch.float64)
    a.norm(p=1, dim=0, dtype=torch.float64)
    torch.norm(a, 'foo')
    torch.norm(a, dtype=torch.float16)
    torch.norm(a, dtype=torch.int64)
    torch.norm(a, 2, 7)
    o = torch.empty(0, dtype=a.dtype); torch.norm(a, 1, -1, out=o) is o, o
""", "sum")
ROWS += [Row(f"torch.dist(a, b{p})", each(FLOAT, "$ 2x3;$ 2x3", "$ 3;$ 2x1", "$ -;$ 4") + (
    "f32 3;f64 3", "i64 3;f32 3", "i64 3;i64 3", "f32 2;f32 3", "f32 0;f32 0"), "sum")
    for p in ("", ", 1", ", 0", ", inf", ", p=3", ", -inf")]
ROWS += [Row(f"a.renorm({c})", each(FLOAT, "$ 2x3", "$ 3x4 T", "$ 2x3x4", "$ 3x2 E", "$ 0x3") + ("f32 3", "i64 2x2"), "sum")
         for c in ("2, 0, 1", "1, -1, 0.5", "inf, 1, 2.0", "3, 0, 1e-3", "p=1, dim=0, maxnorm=0", "0, 0, 1", "1, 0, -1",
                   "1, 4, 1", "0.5, 0, 2")]
ROWS += [Row("b = a.clone(); b.renorm_(2, 0, 1) is b, b", each(FLOAT, "$ 2x3", "$ 3x4 T"), "sum"),
         Row("torch.renorm(a, 2, 0, 1, out=torch.empty(0))", ("f32 2x3", "f64 2x3"), "sum")]
# ---- sums
ROWS += [Row(f"torch.logsumexp(a, {d})", each(FLOAT, "$ 2x3", "$ 3x4 T", "$ 6x5 wave")
             + each("f32 f64 f16", "$ 2x5 special") + each("f32", "$ 0x3", "$ 2x0", "$ 3x2 E") + each(INT, "$ 2x3") + ("b1 2x3",), "sum")
         for d in ("0", "-1", "(0, 1)", "1, True", "dim=0, keepdim=True", "2", "(0, 0)")]
ROWS += codes(("f32 -", "f32 3"), "a.logsumexp(0)\na.logsumexp(-1, True)\na.logsumexp()", "sum")
ROWS += [Row("torch.logsumexp(a, 0, out=torch.empty(0, dtype=torch.int64))", ("f32 3",)),
         Row("o = torch.empty(0, dtype=torch.float64); torch.logsumexp(a, 0, out=o) is o, o", ("f64 3x2",), "sum")]
NANS = each(FLOAT, "$ 12 nans", "$ 2x5 special", "$ 2x3", "$ 3x4 T", "$ -", "$ 0x3")
ROWS += [Row(f"torch.{n}(a{d})", NANS + (each(INT, "$ 2x3") + ("b1 2x3",) if n == "nansum" else ("i64 2x3",)), "sum")
         for n in ("nansum", "nanmean") for d in ("", ", 0", ", -1, True", ", dim=(0,), keepdim=True", ", dtype=torch.float64",
                                                   ", 3")]
ROWS += [Row("torch.nansum(a, dtype=torch.int64)", ("f32 2x3", "f32 5 nans"), "sum"),
         Row("a.nansum(0), a.nanmean(0)", ("f32 10 nans", "f32 5x2 nans"), "sum"),
         Row("o = torch.empty(0); torch.nansum(a, 0, out=o) is o, o", ("f32 5x2 nans",), "sum"),
         Row("o = torch.empty(0); torch.nanmean(a, 0, out=o) is o, o", ("f32 5x2 nans",), "sum")]
ROWS += [Row(f"torch.count_nonzero(a{d})", each(f"b1 {INT} {FLOAT}", "$ 2x3", "$ 3x4 T", "$ -") + each("f32", "$ 0x3", "$ 10 special"))
         for d in ("", ", 0", ", dim=-1", ", (0, 1)", ", ()", ", 2")]
ROWS += [Row("a.count_nonzero(), a.count_nonzero(0)", ("f32 2x3", "i8 3x4 T"))]
# ---- extrema
ROWS += [Row(f"torch.aminmax(a{d})", each(f"b1 {INT} {FLOAT}", "$ 2x3", "$ 3x4 T", "$ -", "$ 5 ext") + SPECIAL + each("f32", "$ 0", "$ 0x3", "$ 2x0"))
         for d in ("", ", dim=0", ", dim=-1, keepdim=True", ", keepdim=True", ", dim=2")]
ROWS += [Row("a.aminmax(dim=0).max", ("f32 2x3",)), Row("torch.aminmax(a, 0)", ("f32 2x3",)),
         Row("o = (torch.empty(0), torch.empty(0)); torch.aminmax(a, dim=0, out=o)[0] is o[0], o", ("f32 2x3", "f64 2x3"))]

# ---- nansum into other dtypes
ROWS += [Row(f"a.nansum({d}dtype=torch.{t})", ("f32 2x3", "f32 10 nans", "f64 3x4 T", "i32 2x3", "b1 2x3"))
         for d in ("", "0, ", "-1, True, ") for t in ("int64", "int32", "float64", "float16")]
ROWS += [Row("torch.nansum(a, dtype=torch.complex64)", ("f32 2x3", "f64 2x3"))]
ROWS += [Row(f"torch.nansum(a, 0, out=torch.empty(0, dtype=torch.{t}))", ("f32 2x3", "i32 2x3"))
         for t in ("int64", "float64", "int16")]
