"""Complex numbers in scans, variances, scatters and what else is made of sums; and torch.gradient."""

from golden.row import Row, each, rows

C = "c64 c128"
SHAPES = each(C, "$ 2x3", "$ 3x4 T", "$ 3x4 S", "$ 5", "$ -", "$ 0x3", "$ 3x2 E")
SPECIAL = ("c64 10 special", "c128 10 special")

ROWS = [
    *rows("a.OP(0), a.OP(-1)", "cumsum cumprod", SHAPES + SPECIAL, "sum"),
    Row("a.logcumsumexp(0), a.logcumsumexp(-1)", SHAPES, "near"),
    Row("torch.cumsum(a, 0, dtype=torch.complex128)", each(C + " f32 i64", "$ 3x4"), "sum"),
    Row("a.cumsum_(1)", each(C, "$ 3x4", "$ 3x4 T"), "sum"),
    *rows("torch.OP(a), torch.OP(a, 0), a.OP(-1, correction=0), a.OP(unbiased=False)", "var std", SHAPES, "near"),
    *rows("torch.OP_mean(a), torch.OP_mean(a, 0), torch.OP_mean(a, -1, keepdim=True)", "var std", SHAPES, "near"),
    Row("torch.var(a, out=torch.empty(0, dtype=a.real.dtype))", each(C, "$ 2x3"), "near"),
    Row("a.nansum()", each(C, "$ 2x3")),
    Row("torch.nanmean(a)", each(C, "$ 2x3")),
    Row("torch.logsumexp(a, 0), a.logsumexp(-1, True)", each(C, "$ 2x3", "$ 5", "$ 3x4 T"), "near"),
    Row("torch.logsumexp(a, (0, 1))", each(C, "$ 2x3"), "near"),
    Row("torch.logaddexp(a, b)", each(C, "$ 2x3;$ 3", "$ 2x3;$ 2x3 T") + ("c64 3;c128 3", "c64 3;f32 3", "i64 3;c64 3"),
        "near"),
    Row("torch.cov(a), torch.cov(a, correction=0)", each(C, "$ 2x3", "$ 5", "$ 3x4 T"), "near"),
    Row("torch.corrcoef(a)", each(C, "$ 2x3", "$ 5"), "near"),
    Row("torch.trapezoid(a), torch.trapezoid(a, dx=2)", each(C, "$ 2x3", "$ 5"), "near"),
    Row("torch.trapezoid(a, b), torch.cumulative_trapezoid(a, b)", ("c64 5;f32 5", "c128 2x3;f64 3"), "near"),
    Row("torch.cumulative_trapezoid(a)", each(C + " f16 bf16 f32 i64", "$ 2x3", "$ 5"), "near"),
    Row("torch.ldexp(a, b), a.ldexp_(b)", ("c64 3;i64 3", "c128 3;f32 3", "c64 3;c64 3"), "near"),
    Row("torch.ldexp(a, b)", ("f32 3;c64 3", "i64 3;c64 3"), "near"),
    Row("torch.float_power(a, 2), torch.float_power(2, a), a.float_power(1+1j)", each(C, "$ 2x3", "$ -"), "near"),
    Row("torch.float_power(a, b)", ("c64 3;c64 3", "f32 3;c64 3", "c64 3;i64 3"), "near"),
    Row("torch.float_power(a, 1j), torch.float_power(1j, a)", ("f32 3", "i64 3"), "near"),
    Row("a.float_power_(2)", each(C + " f32 f64", "$ 3"), "near"),
    Row("torch.nan_to_num(a), torch.nan_to_num(a, 1, 2, 3)", SPECIAL + each(C, "$ 3x4 T")),
    Row("a.nan_to_num_()", SPECIAL),
    *rows("torch.OP(a)", "deg2rad rad2deg isposinf isneginf", ("c64 3",)),
    Row("a.scatter_add(0, torch.tensor([[0, 1, 0]]), b)", each(C, "$ 2x3;$ 1x3", "$ 2x3 T;$ 1x3")),
    Row("a.scatter_(0, torch.tensor([0, 0, 2]), b, reduce='add')", each(C, "$ 3;$ 3")),
    Row("a.scatter_(0, torch.tensor([0, 0, 2]), b, reduce='multiply')", each(C, "$ 3;$ 3"), "near"),
    *rows("a.scatter_reduce(0, torch.tensor([0, 0, 2]), b, 'OP')", "sum prod mean amax", each(C, "$ 3;$ 3"), "near"),
    Row("a.scatter_reduce(0, torch.tensor([0, 0, 2]), b, 'mean', include_self=False)", each(C, "$ 3;$ 3"), "near"),
    Row("torch.histogram(a).hist.shape, a.histogram().bin_edges[:3]", ("f32 5", "f64 2x3"), "near"),
    # ---- gradient ----
    Row("torch.gradient(a), torch.gradient(a, spacing=2), torch.gradient(a, spacing=0.5, edge_order=2)",
        each("f16 bf16 f32 f64 c64 c128 i8 i64", "$ 5", "$ 3x4") + ("f32 3x4 T", "f32 3x3x3", "f32 -", "b1 5", "u8 5"),
        "near"),
    Row("torch.gradient(a, dim=1), torch.gradient(a, dim=(-1, 0))", each("f32 c64 i64", "$ 3x4", "$ 3x4 T"), "near"),
    Row("torch.gradient(a, spacing=[2, 3]), torch.gradient(a, spacing=(0.5, 1), dim=(1, 0))", ("f32 3x4", "i64 3x4"), "near"),
    Row("torch.gradient(a, spacing=[b.cumsum(0)]), torch.gradient(a, spacing=(b.cumsum(0),), edge_order=2)",
        ("f32 5;f32 5 ones", "f64 5;f64 5 wave", "i64 5;i64 5 ones", "c64 4;f32 4 ones"), "near"),
    Row("torch.gradient(a, spacing=2j)", ("f32 5",), "near"),
    Row("torch.gradient(a, spacing=torch.tensor(2.))", ("f32 5",), "near"),
    *[Row(f"torch.gradient(a, {options})", ("f32 3x4",)) for options in (
        "dim=(1, 1)", "dim=5", "dim=()", "spacing=[2.]", "spacing=[2., 3.], dim=0", "edge_order=3", "spacing='x'",
        "spacing=(torch.zeros(1, 3), torch.zeros(4))", "spacing=torch.zeros(3)")],
    Row("torch.gradient(a)", ("f32 1", "f32 0x3")),
    Row("torch.gradient(a, edge_order=2)", ("f32 2",)),
]
