"""Histograms, searches in sorted tensors, different elements."""

from golden.row import FLOAT, INT, Row, codes, each, errors

ROWS = []

# ---- histograms
COUNTS = each(INT, "$ 12 count", "$ 1 count", "$ 0") + ("i64 12", "i64 2x2 count", "i64 - count", "f32 3", "b1 3", "i64 12 S count")
ROWS += [Row(f"torch.bincount(a{m})", COUNTS) for m in ("", ", minlength=0", ", minlength=9", ", None, 2", ", minlength=-1")]
ROWS += [Row("torch.bincount(a, b)", each(f"b1 {INT} {FLOAT}", "i64 6 count;$ 6") + ("i8 6 count;f32 6 S", "i64 3 count;f32 4", "i64 0;f32 0",
                                                                                    "i64 3 count;f32 3x1"), "sum"),
         Row("a.bincount(), a.bincount(b, 8), a.bincount(weights=b, minlength=2)", ("i64 6 count;f32 6",), "sum")]
VALUES = each(FLOAT, "$ 12", "$ 3x4 T", "$ 2x5 S", "$ -", "$ 0", "$ 3x2 E", "$ 5 ones") + ("f32 10 nans", "f32 10 special", "i64 4", "b1 2")
# Where both the dtype and another argument are wrong, or halves round the bins' width, torch's answer is its own.
FLOATS = tuple(v for v in VALUES if not v.startswith(("i64", "b1", "bf16")))
ROWS += [Row(f"torch.histc(a{c})", VALUES if "4" in c and "inf" not in c else FLOATS) for c in ("", ", 4", ", 5, -3, 3", ", bins=3, min=-1, max=2.5", ", 3, 2, 2", ", 4, 0, inf", ", 0",
                                                     ", 3, 5, 2", ", -1")]
ROWS += [Row("a.histc(4), a.histc(bins=2, min=0, max=4)", ("f32 12",)), Row("o = torch.empty(0); torch.histc(a, 3, out=o) is o, o", ("f32 12",)),
         Row("torch.histc(a, 3, out=torch.empty(0, dtype=torch.float64))", ("f32 12",))]
ROWS += [Row(f"torch.histogram(a, {c})", VALUES, "sum")
         for c in ("4", "5, range=(-3., 3.)", "3, range=(0, 4), density=True", "torch.tensor([-2., 0., 1., 5.])", "2, density=True", "0",
                   "3, range=(4., 1.)", "3, range=(1.,)", "3, range=(0., inf)", "torch.tensor([-2., 0.], dtype=torch.float64)",
                   "torch.tensor([1.])", "torch.tensor([])", "torch.tensor([[1., 2.]])", "torch.tensor([0., 1., 2.]), density=True",
                   "3, weight=torch.ones(2)")]
ROWS += [Row("torch.histogram(a, 3, weight=b)", each("f32 f64", "$ 12;$ 12", "$ 3x4 T;$ 3x4") + ("f32 3;f64 3",), "sum"),
         Row("a.histogram(3, range=(-2., 2.), weight=b, density=True)", ("f32 12;f32 12 count",), "sum"),
         Row("torch.histogram(a, 2).hist, torch.histogram(a, 2).bin_edges", ("f32 12",), "sum"),
         Row("o = (torch.empty(0), torch.empty(0)); torch.histogram(a, 2, out=o)[0] is o[0], o", ("f32 12",), "sum")]
# ---- searches
SORTED = each(f"{INT} {FLOAT}", "$ 6;$ 2x3", "$ 5;$ 5 T", "$ 5;$ -") + ("f32 6;i64 4", "i64 6;f32 4", "f32 5;f32 10 special", "f32 0;f32 3", "f32 3;f32 0",
                                                                        "f32 3x5;f32 3x2", "i64 2x3x4;i64 2x3x5", "f32 3x4 T;f32 3x2 S", "f32 2x3;f32 3",
                                                                        "f32 2x3;f32 -", "f32 -;f32 3", "b1 3;b1 3", "f32 5x3 E;f32 5x2")
for c in ("", ", right=True", ", side='right'", ", side='left', out_int32=True", ", side='left', right=True", ", side='up'"):
    ROWS += [Row(f"torch.searchsorted(a.sort()[0], b{c})", SORTED)]
ROWS += [Row("s = a.argsort(); torch.searchsorted(a, b, sorter=s), torch.searchsorted(a, b, sorter=s, right=True)",
             ("f32 6 distinct;f32 4", "i64 2x5 distinct;i64 2x3", "f32 5x4 T distinct;f32 5x2"))]
ROWS += errors(("f32 5",), """
    torch.searchsorted(a, a, sorter=torch.tensor([1, 2]))  # must have the same size
    torch.searchsorted(a, a, sorter=torch.tensor([0, 1, 2, 3, 5]))  # sorter index out of range
    torch.searchsorted(a, a, sorter=torch.tensor([0, 1, 2, 3, 4]).int())  # must be a tensor of long dtype
    torch.searchsorted(a, a, out=torch.empty(0, dtype=torch.int32))  # output tensor's dtype is wrong
    torch.searchsorted(a, a, out_int32=True, out=torch.empty(0, dtype=torch.int64))  # output tensor's dtype is wrong
""")
ROWS += codes(("f32 5", "i64 6"), """
    torch.searchsorted(a.sort()[0], 1)
    torch.searchsorted(a.sort()[0], 0.5, right=True)
    o = torch.empty(0, dtype=torch.int64); torch.searchsorted(a.sort()[0], a, out=o) is o, o
    o = torch.empty(0, dtype=torch.int32); torch.searchsorted(a.sort()[0], a, out_int32=True, out=o) is o, o
    torch.bucketize(1.5, a.sort()[0])
    torch.bucketize(1, a.sort()[0], out_int32=True, right=True)
    torch.bucketize(a, a.sort()[0][None])
    o = torch.empty(0, dtype=torch.int64); torch.bucketize(a, a.sort()[0], out=o) is o, o
    torch.bucketize(input=a, boundaries=a.sort()[0])
""")
ROWS += [Row(f"torch.bucketize(a, b.sort()[0]{c})", each(f"{INT} {FLOAT}", "$ 2x3;$ 5") + ("f32 10 special;f32 4", "f32 0;f32 3", "f32 3;f32 0"))
         for c in ("", ", right=True", ", out_int32=True")]
# ---- different elements
SETS = each(f"b1 {INT} {FLOAT}", "$ 4x3 dup", "$ 3x4 T") + each("f32 i64", "$ -", "$ 0", "$ 0x3", "$ 1", "$ 7 ones", "$ 3x2 E", "$ 2x5 S dup") + ("f32 10 nans",)
FLAGS = ("", ", return_inverse=True", ", return_counts=True", ", return_inverse=True, return_counts=True")
ROWS += [Row(f"torch.{n}(a{f})", SETS, "equal") for n in ("unique", "unique_consecutive") for f in FLAGS]
ROWS += [Row(f"torch.{n}(a{f}, dim={d})", each(f"b1 {INT} {FLOAT}", "$ 4x2 dup") + ("f32 6x1x2 dup", "i64 2x6 dup", "f32 2x4 T dup", "f32 0x3",
                                                                                  "f32 3x0", "f32 3", "f32 -", "i64 4x2 E"), "equal")
         for n in ("unique", "unique_consecutive") for f in FLAGS[::3] for d in (0, -1, 1)]
ROWS += [Row("a.unique(), a.unique(True, True), a.unique_consecutive(True, True, 0), torch.unique(a, True, True, True, 0)", ("i64 3x4 dup", "f32 5"), "equal"),
         Row("torch.unique(a, sorted=False).sort()[0]", ("i64 12 dup", "f32 12"), "equal"), Row("torch.unique(a, dim=3)", ("f32 3",))]
# ---- truth of uint8
ROWS += [Row("a.any(), a.all(), a.any(0), a.all(-1, True), torch.any(a), torch.all(a, 0)", ("u8 2x3", "u8 2x0", "u8 5 ones"))]
ROWS += codes(("u8 2x3", "u8 5 ones"), """
    torch.ByteTensor.all(a)
    torch.ByteTensor.any(a, 0)
    torch.ByteTensor.nothing
""")
