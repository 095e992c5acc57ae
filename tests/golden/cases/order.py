"""Scans along a dimension, order statistics."""

from golden.row import FLOAT, INT, Row, each, rows

FEW = ("$ 2x3", "$ 3x4 T", "$ 5", "$ -", "$ 0x3")
SPECIAL = each(FLOAT, "$ 2x5 special", "$ 10 nans", "$ 12 ext")
ROWS = []

# ---- scans
for dim in ("0", "-1", "dim=1", "2"):
    ROWS += [Row(f"torch.{n}(a, {dim})", each(f"b1 {INT} {FLOAT}", "$ 2x3", "$ 4x3 T", "$ 3x2 E") + each("f32 i64 u8", *FEW[1:], "$ 2x3x4")
                 + SPECIAL, "sum") for n in ("cumsum", "cumprod")]
    ROWS += [Row(f"torch.{n}(a, {dim})", each(f"b1 {INT} {FLOAT}", "$ 2x3", "$ 4x3 T", "$ 3x4 dup") + each("f32 i64", *FEW[1:4], "$ 2x3x4")
                 + SPECIAL) for n in ("cummax", "cummin")]
    ROWS += [Row(f"torch.logcumsumexp(a, {dim})", each(FLOAT, "$ 2x3", "$ 4x3 T", "$ 3x2 E", *FEW[1:]) + SPECIAL + (("i64 3", "b1 2") if dim in ("0", "-1") else ()), "sum")]
ROWS += [Row("a.cumsum(0), a.cumprod(0)", each(INT, "$ 5 ext")),
         Row("a.cumsum(0, dtype=torch.float64), a.cumprod(0, dtype=torch.int32)", each(f"b1 {INT} f32", "$ 5")),
         Row("a.cumsum(0, dtype=torch.int8)", each("i64 f32", "$ 5", "$ 60")),
         Row("b = a.clone(); b.cumsum_(0) is b, b, b.cumprod_(-1)", each(f"{INT} {FLOAT}", "$ 2x3", "$ 4x3 T", "$ 7"), "sum"),
         Row("a.cumsum_(0)", ("b1 3",)), Row("a.cumsum(0, dtype=torch.bool)", ("f32 3",)), Row("a.cumsum()", ("f32 3",)),
         Row("o = torch.empty(0, dtype=torch.float64); torch.cumsum(a, 0, out=o) is o, o", ("f32 3", "i64 2x3"), "sum"),
         Row("torch.cumsum(a, 0, out=torch.empty(0, dtype=torch.int64))", ("f32 3", "i8 3")),
         Row("o = (torch.empty(0), torch.empty(0, dtype=torch.int64)); torch.cummax(a, 0, out=o), o", ("f32 2x3", "f64 2x3")),
         Row("torch.cummin(a, 0).indices, a.cummax(0).values, a.logcumsumexp(0)", ("f32 4x3 dup",), "sum")]
# ---- order statistics: where equal elements make the index open, values alone
ORDERED = each(f"{INT} {FLOAT}", "$ 3x5 distinct", "$ 5x4 T distinct") + each("f32 i64", "$ 2x3x4 distinct", "$ -", "$ 1", "$ 0", "$ 0x3", "$ 3x0")
EQUAL = each(f"{INT} {FLOAT}", "$ 4x5 dup") + each(FLOAT, "$ 10 nans", "$ 2x5 special")
for c in ("0", "-1", "1, True", "dim=0, keepdim=True", "3"):
    ROWS += [Row(f"a.{n}({c})", ORDERED + (("b1 3",) if c in ("0", "-1") else ())) for n in ("median", "nanmedian")]
    ROWS += [Row(f"torch.{n}(a, {c}).values", EQUAL, "equal") for n in ("median", "nanmedian")]
ROWS += rows("torch.OP(a)", "median nanmedian", ORDERED + EQUAL + ("b1 3",), "equal")
ROWS += [Row(f"a.kthvalue({c})", ORDERED + (("b1 3",) if c == "1" else ())) for c in ("1", "3", "2, 0", "1, -1, True", "k=2, dim=1, keepdim=True",
                                                                "0", "9", "1, 4")]
ROWS += [Row(f"a.kthvalue({c}).values", EQUAL, "equal") for c in ("2", "4", "1, 0")]
ROWS += [Row(f"a.mode({c})", each(f"b1 {INT} {FLOAT}", "$ 4x5 dup") + each("f32 i64", "$ -", "$ 1", "$ 0", "$ 0x3", "$ 3x0")
             + each("f32", "$ 3x4 T", "$ 10 nans"), "equal") for c in ("", "0", "-1, True", "dim=1", "2")]
ROWS += [Row("torch.median(a, dim=0, out=(torch.empty(0), torch.empty(0, dtype=torch.int64)))[0]", ("f32 3x2", "f64 3x2")),
         Row("torch.kthvalue(a, 1, 0, out=(torch.empty(0), torch.empty(0, dtype=torch.int32)))[0]", ("f32 3x2",)),
         Row("torch.mode(a, 0, out=(torch.empty(0), torch.empty(0, dtype=torch.int64)))[1]", ("f32 3x2",)),
         Row("torch.median(a, out=torch.empty(0))", ("f32 3",)), Row("a.median(0).values, a.median(dim=0)[1]", ("f32 5x2 distinct",))]
QS = ("f32 3x5 distinct", "f64 5x4 T distinct", "f32 2x3x4", "f32 -", "f32 1", "f64 10 nans", "f32 2x5 special", "f32 4x4 dup")
for how in ("linear", "lower", "higher", "midpoint", "nearest"):
    ROWS += [Row(f"torch.{n}(a, {q}, interpolation='{how}')", QS, "sum") for n in ("quantile", "nanquantile")
             for q in ("0.3", "0.5", "torch.tensor([0., 0.25, 0.6, 1.], dtype=a.dtype), dim=-1", "0.9, 0, True",
                       "torch.tensor(0.7, dtype=a.dtype), keepdim=True")]
ROWS += [Row(f"torch.quantile(a, {q})", ("f32 2x3", "f64 2x3", "f32 0", "f32 0x3", "f16 3", "i64 3"), "sum")
         for q in ("1.5", "-0.1", "nan", "torch.tensor([0.5])", "torch.tensor([[0.5]])", "torch.tensor([2.0])", "0.5, 4", "0",
                   "0.5, interpolation='foo'", "torch.tensor([]), 0", "q=0.5, dim=0")]
ROWS += [Row("a.quantile(0.5), a.nanquantile(0.5, 0)", ("f32 3x2",), "sum"),
         Row("o = torch.empty(0); torch.quantile(a, 0.5, out=o) is o, o", ("f32 5",), "sum"),
         Row("torch.quantile(a, 0.5, out=torch.empty(0, dtype=torch.float64))", ("f32 5",))]
ROWS += [Row("torch.msort(a)", each(f"b1 {INT} {FLOAT}", "$ 4x3 dup", "$ 5x4 T") + each("f32", "$ 10 nans", "$ -", "$ 0", "$ 0x3", "$ 2x3x4"), "equal"),
         Row("a.msort()", ("f32 4x3",)), Row("o = torch.empty(0); torch.msort(a, out=o) is o, o", ("f32 4x3",))]

# The dimension is judged before the dtype that has no order.
ROWS += [Row(f"torch.{call}", each("b1 c64", "$ 2x3", "$ 2x0"))
         for call in ("kthvalue(a, 1, 5)", "kthvalue(a, 7, -1)", "kthvalue(a, 1, -1)", "median(a, 5)", "median(a, -1)", "median(a)",
                      "nanmedian(a, 5)", "nanmedian(a, -1)", "sort(a, 5).values", "argsort(a, 5)", "topk(a, 1, 5)",
                      "topk(a, 9, -1)")]
ROWS += [Row(code, ("f32 2x3", "i64 5"))
         for code in ("torch.sort(a, stable=None)", "a.sort(stable=None)", "a.sort(stable=None, dim=0, descending=True)",
                      "torch.argsort(a, stable=None)")]
