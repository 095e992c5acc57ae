"""Matrix products, selection by index tensors, scattering."""

from golden.row import ALL, Row, codes, each, rows

# Small values with few bits: products and sums are exact in float32 and float64, whatever the order.
MM = (
    each(ALL, "$ 2x3;$ 3x4")
    + each("f32 f64 i64", "$ 3x2 T;$ 2x3", "$ 2x3 T;$ 3x4 T", "$ 3x2 S;$ 2x4 S", "$ 4x3 E;$ 3x2", "$ 1x1;$ 1x1",
           "$ 0x3;$ 3x2", "$ 2x0;$ 0x3", "$ 3x0;$ 0x0", "$ 2x3;$ 2x3", "$ 3;$ 3x2", "$ 2x3x1;$ 3x2")
    + ("f32 2x3;f64 3x4", "f32 2x3;i64 3x4", "f32 9x17;f32 17x11", "f64 33x5;f64 5x2", "f32 3x3 nans;f32 3x2",
       "f32 2x2 special;f32 2x2")
)
BATCHED = (
    each("f32 i64", "$ 2x3x4;$ 2x4x5", "$ 2x3x4 T;$ 2x4x2 T", "$ 2x3x4 E;$ 2x4x1", "$ 0x3x4;$ 0x4x5",
         "$ 2x0x4;$ 2x4x1", "$ 2x3x4;$ 3x4x5", "$ 2x3x4;$ 2x5x4", "$ 3x4;$ 4x5")
    + each("f16 bf16 f64 u8 b1", "$ 2x3x4;$ 2x4x5")
)
MATMUL = (
    each("f32", "$ 3;$ 3", "$ 2x3;$ 3", "$ 3;$ 3x2", "$ 2x3;$ 3x4", "$ 5x2x3;$ 3x4", "$ 5x2x3;$ 5x3x4", "$ 2x3;$ 5x3x4",
         "$ 4x1x2x3;$ 5x3x2", "$ 3;$ 5x3x2", "$ 5x2x3;$ 3", "$ -;$ 3", "$ 3;$ -", "$ 3;$ 4", "$ 2x3;$ 4", "$ 2x3;$ 2x3",
         "$ 5x2x3;$ 4x3x2", "$ 0;$ 0", "$ 0x3;$ 3", "$ 2x0;$ 0", "$ 1x3 T;$ 3x2 S")
    + ("i64 2x3;i64 3", "f16 2x3;f16 3", "f32 3;f64 3", "b1 2x2;b1 2x2")
)
MV = each(ALL, "$ 2x3;$ 3") + ("f32 3x2 T;f32 2 S", "f32 2x3 S;f32 3", "f32 0x3;f32 3", "f32 2x0;f32 0",
                               "f32 2x3;f32 2", "f32 3;f32 3", "f32 2x3;f64 3", "f32 2x3;f32 3x1")
DOT = each(ALL, "$ 6;$ 6") + ("f32 6 S;f32 6 S", "f32 0;f32 0", "f32 6;f32 5", "f32 2x3;f32 2x3", "f32 3;f64 3",
                              "f32 4 E;f32 4", "f32 -;f32 -", "f64 77;f64 77")
ADDMM = each("f32 f64 f16 bf16 i64", "$ 2x4;$ 2x3;$ 3x4") + (
    "f32 4;f32 2x3;f32 3x4", "f32 -;f32 2x3;f32 3x4", "f32 2x1;f32 2x3;f32 3x4", "f32 2x4 T;f32 3x2 T;f32 3x4 S",
    "f32 2x4;f32 2x0;f32 0x4", "f32 3x4;f32 2x3;f32 3x4", "f32 2x4;f32 2x3;f32 2x4", "f32 2x4;f64 2x3;f64 3x4",
    "i64 2x4;f32 2x3;f32 3x4", "f32 2;f32 2x3;f32 3x4")
OUT = ("f32 2x3;f32 3x2;f32 2x2", "f32 2x3;f32 3x2;f32 0", "f32 2x3;f32 3x2;f32 2x2 T", "f32 2x3;f32 3x2;f64 2x2",
       "f32 2x3;f32 3x2;i64 2x2")
SELECT = each(ALL, "$ 4x3;i64 3 ix4") + (
    "f32 4x3 T;i64 3 ix4", "f32 4x3 S;i32 3 ix4", "f32 4;i64 2 ix4", "f32 4x3;i64 0", "f32 4x3;i64 - ones",
    "f32 0x3;i64 0", "f32 -;i64 1 ix1", "f32 4x3;i64 2x2 ix4", "f32 4x3;f32 2", "f32 4x3;i16 2 ix4", "f32 4x3;b1 4",
    "f32 2x3;i64 3 ix5", "f32 4x3 E;i64 2 ix4")
GATHER = each(ALL, "$ 3x4;i64 2x4 ix3") + (
    "f32 3x4 T;i64 2x3 ix3", "f32 3;i64 5 ix3", "f32 3x4;i64 3x5 ix3", "f32 3x4;i64 0x4", "f32 3x4;i64 3 ix3",
    "f32 3x4;i32 2x4 ix3", "f32 3x4;f32 2x4", "f32 -;i64 - ix1", "f32 2x4;i64 2x4 ix9", "f32 3x4;i64 0")
TAKE = each("f32 i64 b1 bf16", "$ 3x4;i64 3 ix12") + ("f32 3x4 T;i64 2x2 ix12", "f32 3x4;i64 0", "f32 3x4;i64 1 ix1",
                                                      "f32 2x2;i64 3 ix9")

LINEAR = each("f32 f64", "$ 2x3;$ 4x3;$ 4", "$ 3;$ 4x3;$ 4", "$ 5x2x3;$ 4x3;$ 4", "$ 2x3;$ 4x3;$ -", "$ 2x3;$ 4x3;$ 2x4",
              "$ 5x2x3;$ 4x3;$ -", "$ 3;$ 3;$ -", "$ 2x0x3;$ 4x3;$ 4", "$ 2x0;$ 4x0;$ 4", "$ 5x0x2;$ 4x2;$ 4", "$ -;$ 4x3;$ 4",
              "$ 2x3;$ 4x2;$ 4", "$ 5x2x3;$ 4x3;$ 3", "$ 2x3 T;$ 4x2;$ 4") + (
    "i64 2x3;i64 4x3;i64 4", "bf16 2x3;bf16 4x3;bf16 4", "f32 2x3;f64 4x3;f32 4", "f32 2x3;f32 1x4x3;f32 4")
BILINEAR = each("f32 f64", "$ 2x3;$ 2x4;$ 5x3x4", "$ 3;$ 4;$ 5x3x4", "$ 2x6x3;$ 2x6x4;$ 5x3x4", "$ 0x3;$ 0x4;$ 5x3x4",
                "$ 2x3;$ 2x3;$ 5x3x4", "$ 2x3;$ 3x4;$ 5x3x4", "$ 3;$ 2x4;$ 5x3x4", "$ 2x3;$ 2x4;$ 3x4", "$ -;$ -;$ 5x3x4")

ROWS = [
    Row("torch._C._nn.linear(a, b, c)", LINEAR, "ulp"),
    Row("torch._C._nn.linear(input=a, weight=b)", LINEAR, "ulp"),
    Row("torch._C._nn.linear(a, b, out=c); c", OUT[:2] + ("f32 2x3;f32 2x3;f32 2x2", "f32 2x3;f32 2x3;f64 2x2"), "ulp"),
    Row("torch.bilinear(a, b, c)", BILINEAR, "near"),
    Row("torch.bilinear(input1=a, input2=b, weight=c, bias=torch.arange(5).to(a.dtype))", BILINEAR, "near"),
    Row("torch.bilinear(a, b, c, a[0])", ("f32 2x3;f32 2x4;f32 5x3x4",), words="bias size does not match weight size"),
    Row("torch.mm(a, b)", MM, "ulp"),
    Row("torch.mm(a, b).stride()", ("f32 2x3;f32 3x4", "f32 2x3 T;f32 3x4 T")),
    Row("torch.mm(a, b, out=c); c", OUT),
    Row("torch.matmul(a, b)", MATMUL, "ulp"),
    Row("torch.matmul(a, b, out=c); c", ("f32 2x3;f32 3x2;f32 2x2", "f32 2x3;f32 3;f32 2", "f32 3;f32 3;f32 -")),
    Row("a @ b", MATMUL, "ulp"),
    Row("torch.bmm(a, b)", BATCHED, "ulp"),
    Row("torch.mv(a, b)", MV, "ulp"),
    Row("torch.dot(a, b)", DOT, "ulp"),
    Row("torch.addmm(a, b, c)", ADDMM, "ulp"),
    Row("torch.addmm(a, b, c, beta=0.5, alpha=2)", ("f32 2x4;f32 2x3;f32 3x4", "f64 4;f64 2x3;f64 3x4"), "ulp"),
    Row("torch.addmm(a, b, c, beta=0)", ("f32 2x2 nans;f32 2x3;f32 3x2", "f32 5x2 nans;f32 5x0;f32 0x2"), "ulp"),
    Row("torch.addmm(a, b, c, beta=2, alpha=3)", ("i64 2x4;i64 2x3;i64 3x4",)),
    Row("torch.addmm(a, b, c, alpha=0.5)", ("i64 2x4;i64 2x3;i64 3x4",)),
    Row("a.addmm(b, c, beta=2)", ("f32 2x4;f32 2x3;f32 3x4",), "ulp"),
    Row("r = a.addmm_(b, c); (a, r is a)", ("f32 2x4;f32 2x3;f32 3x4", "f32 4;f32 2x3;f32 3x4",
                                            "f32 2x4 T;f32 2x3;f32 3x4"), "ulp"),
    *codes(("f32 2x3;f32 3x2",), "a.mm(b)\na.matmul(b)\na.__matmul__(b)"),
    *codes(("f32 2x2x3;f32 2x3x2",), "a.bmm(b)"),
    *codes(("f32 2x2",), "a @ 2\n2 @ a\na @= a; a"),
    *codes(("f32 2x3", "f64 3x2 T", "i64 2x3"), "a @ a.T\na.T @ a\na.mm(a.t())"),
    *rows("a.OP", "t().mm(a) mm(a) mv(a[0]) dot(a[0]) matmul(a[0]) bmm(a)", each("f32 f64", "$ 3x3"), "ulp"),
    # selection
    Row("torch.index_select(a, 0, b)", SELECT),
    Row("torch.index_select(a, 0, torch.tensor([-1]))", ("f32 4x3",)),
    Row("torch.index_select(a, 0, b, out=c); c", ("f32 4x3;i64 2 ix4;f32 0", "f32 4x3;i64 2 ix4;f32 2x3",
                                                  "f32 4x3;i64 2 ix4;f64 2x3")),
    Row("a.index_select(1, b)", ("f32 2x4;i64 5 ix4", "i64 2x4x3;i64 2 ix4", "f32 2x4 T;i32 2 ix4")),
    Row("a.index_select(-1, b)", ("f32 2x4;i64 3 ix4",)),
    Row("a.index_select(2, b)", ("f32 2x4;i64 3 ix4", "f32 2x3x4;i64 2 ix4")),
    Row("torch.gather(a, 0, b)", GATHER),
    Row("torch.gather(a, 0, torch.tensor([[-1]]))", ("f32 3x4",)),
    Row("torch.gather(a, 1, b, out=c); c", ("f32 3x4;i64 3x2 ix4;f32 0", "f32 3x4;i64 3x2 ix4;f32 3x2",
                                            "f32 3x4;i64 3x2 ix4;f64 3x2")),
    Row("a.gather(1, b)", ("f32 3x4;i64 3x2 ix4", "f32 3x4 S;i64 2x6 ix4", "i64 2x3x4;i64 2x2x4 ix3",
                           "f32 3x4;i64 4x2 ix4")),
    Row("a.gather(-1, b)", ("f32 3x4;i64 3x2 ix4",)),
    Row("a.gather(2, b)", ("f32 3x4;i64 3x2 ix4",)),
    Row("torch.take(a, b)", TAKE),
]
ROWS += codes(("f32 3x4", "f32 3x4 T", "i64 3x4", "b1 3x4", "bf16 3x4"), """
    r = a.scatter_(0, torch.tensor([[0, 1, 2, 0]]), torch.tensor([[5, 6, 7, 8]]).to(a.dtype)); (a, r is a)
    a.scatter_(1, torch.tensor([[3, 0], [1, 2], [0, 3]]), 1); a
    a.scatter_(1, torch.tensor([[3], [1], [0]]), 1.5); a
    a.scatter_(-1, torch.tensor([[3], [1]]), torch.tensor([[9, 0, 0], [8, 0, 0]]).to(a.dtype)); a
    a.scatter_(0, torch.zeros(0, dtype=torch.int64), 1); a
    a.scatter_(dim=0, index=torch.tensor([[1, 1, 1, 1]]), value=4); a
    a.scatter_(dim=0, index=torch.tensor([[1, 2, 0, 1]]), src=torch.zeros(1, 4, dtype=a.dtype)); a
    a.scatter(0, torch.tensor([[1, 2, 0, 1]]), 3)
    torch.scatter(a, 1, torch.tensor([[1], [2], [0]]), torch.ones(3, 1, dtype=a.dtype)), a
    a.scatter_(0, torch.tensor([[3, 0, 0, 0]]), 1); a
    a.scatter_(0, torch.tensor([[-1, 0, 0, 0]]), 1); a
    a.scatter_(0, torch.tensor([0, 1]), 1); a
    a.scatter_(0, torch.tensor([[0, 1]], dtype=torch.int16), 1); a
    a.scatter_(0, torch.tensor([[0, 1, 2, 0, 1]]), 1); a
    a.scatter_(0, torch.tensor([[0, 1, 2, 0]]), torch.ones(1, 3, dtype=a.dtype)); a
    a.scatter_(0, torch.tensor([[0, 1, 2, 0]]), torch.ones(1, 4, dtype=torch.float16)); a
    a.scatter_(2, torch.tensor([[0]]), 1); a
""")
