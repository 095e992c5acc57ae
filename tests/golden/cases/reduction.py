"""Reductions, extrema and their positions, sorting, searching."""

from golden.row import ALL, FLOAT, NUM, Row, codes, each, rows

LAYOUTS = each("f32 i64", "$ -", "$ 1", "$ 3x4 T", "$ 2x3x4", "$ 2x3x4 T", "$ 2x3x4 S", "$ 4x3 E")
EMPTY = each("f32 i64", "$ 0", "$ 0x3", "$ 3x0", "$ 2x0x3")
ALL1 = each(ALL, "$ 3x4") + LAYOUTS
WITH_EMPTY = ALL1 + EMPTY
NAN = each(FLOAT, "$ 3x4 nans", "$ 10 special")
# Distinct values, where positions are compared.
DISTINCT = each(NUM, "$ 3x4 distinct") + each("f32 i64", "$ 3x4 T distinct", "$ 2x3x4 S distinct", "$ 2x3x4 distinct")
DUP = each("f32 i64 bf16 u8", "$ 4x5 dup", "$ 16 dup")

ROWS = []
# everything at once, along one dimension, along several
ROWS += rows("a.OP", "sum() mean() sum(dtype=torch.float64) mean(dtype=torch.float64) prod()", WITH_EMPTY + NAN, "sum")
ROWS += rows("a.OP", "sum(0) sum(-1) sum(1,keepdim=True) sum((0,1)) sum([0,-1]) sum((0,-1),True) sum(()) sum(dim=1)"
             " sum(1,dtype=torch.float64) sum(2) mean(0) mean(-1) mean(1,True) mean((0,-1)) mean((0,1),keepdim=True)"
             " mean(dim=0,dtype=torch.float32) prod(0) prod(-1,True) prod(1,dtype=torch.float64)",
             each(ALL, "$ 3x4") + LAYOUTS + EMPTY, "sum")
ROWS += rows("torch.OP", "sum(a) sum(a,0) sum(a,dim=(0,1),keepdim=True) mean(a) mean(a,1) mean(a,dim=-1,keepdim=True)"
             " prod(a) prod(a,0) prod(a,dim=1,keepdim=True)",
             ("f32 3x4", "f64 3x4 T", "i64 3x4"), "sum")
ROWS += rows("a.OP", "any() all() any(0) all(-1) any(1,keepdim=True) all(0,True) amax() amin() amax(0) amin(-1)"
             " amax(1,True) amax((0,1)) amin(dim=(0,-1),keepdim=True)",
             WITH_EMPTY + NAN)
POSITIONS = EMPTY + NAN + DISTINCT + DUP + ("f32 -", "i64 -")
ROWS += rows("a.OP", "max() min() argmax() argmin()", each(ALL, "$ 3x4") + POSITIONS)
ROWS += rows("a.OP", "argmax(0) argmin(-1) argmax(1,keepdim=True) argmin(0,True) max(0) min(-1) max(1,keepdim=True)"
             " min(0,True) max(2)", each("b1", "$ 3x4") + POSITIONS)
ROWS += rows("torch.OP", "max(a) min(a) max(a,0) min(a,1) max(a,dim=0,keepdim=True) argmax(a) argmin(a,dim=1)"
             " amax(a,0) amin(a,(0,1)) any(a) all(a,0) any(a,dim=1)",
             ("f32 3x4 distinct", "i64 3x4 T distinct", "b1 3x4"))
ROWS += codes(("f32 3x4 distinct", "i32 3x4 distinct"), """
    r = torch.max(a, 0); (r.values, r.indices, r[0] is r.values, len(r))
    r = a.min(dim=1); (r.values, r.indices)
    v, i = a.max(1); (v, i)
    torch.max(a, a.flip(0)) if hasattr(a, 'flip') else torch.max(a, a)
    torch.min(a, a + 1), torch.max(a, a + 1)
    r = a.sort(); (r.values, r.indices)
    r = a.topk(2); (r.values, r.indices)
    v, i = torch.zeros(0, dtype=a.dtype), torch.zeros(0, dtype=torch.int64); torch.max(a, 0, out=(v, i)); (v, i)
    v, i = torch.zeros(0, dtype=a.dtype), torch.zeros(0, dtype=torch.int64); torch.sort(a, 0, out=(v, i)); (v, i)
    v, i = torch.zeros(0, dtype=a.dtype), torch.zeros(0, dtype=torch.int64); torch.topk(a, 2, out=(v, i)); (v, i)
    r = torch.zeros(4, dtype=a.dtype); torch.sum(a, 0, out=r) if a.is_floating_point() else None; r
    r = torch.zeros(0); torch.sum(a, 0, out=r); r
    r = torch.zeros(0, dtype=torch.int64); torch.argmax(a, 0, out=r); r
    r = torch.zeros(0, dtype=a.dtype); torch.amax(a, 0, out=r); r
    r = torch.zeros(0, dtype=torch.bool); torch.any(a, 0, out=r); r
    torch.mean(a, 0, out=torch.zeros(4, dtype=torch.int64))
    repr(a.max(0))
    repr(a.sort(1))
    isinstance(a.max(0), tuple), type(a.max(0)).__name__
""")
# overflow, cancellation, long sums
ROWS += codes(("",), """
    torch.full((100,), 200, dtype=torch.uint8).sum()
    torch.full((4,), 2**62).sum()
    torch.full((100,), 127, dtype=torch.int8).prod()
    torch.full((10,), 60000., dtype=torch.float16).sum()
    torch.full((10,), 60000., dtype=torch.float16).mean()
    torch.full((10,), 60000., dtype=torch.float16).sum(dtype=torch.float32)
    torch.full((300,), 1., dtype=torch.bfloat16).sum()
    torch.full((5000,), 1., dtype=torch.float16).sum()
    torch.ones(100, dtype=torch.bool).sum()
    torch.ones(3, dtype=torch.bool).mean()
    torch.tensor([1e30, -1e30, 1.]).sum()
    torch.tensor([inf, -inf]).sum(), torch.tensor([inf, 1]).mean(), torch.tensor([nan, 1]).prod()
    torch.tensor([-0.0, -0.0]).sum()
    torch.arange(100000).sum(), torch.arange(100000.).sum(dtype=torch.float64)
    a = torch.tensor([]); (a.sum(), a.prod(), a.mean(), a.any(), a.all())
    torch.tensor([1, 2]).mean()
    torch.ones(2, 3).sum(2)
    torch.ones(2, 3).sum((0, 0))
    torch.ones(2, 3).sum(-3)
    torch.ones(2, 3).sum('x')
    torch.ones(2, 3).sum(1.0)
    torch.tensor([]).max()
    torch.tensor([]).argmax()
    torch.zeros(0, 3).max(0)
    torch.zeros(0, 3).max(1)
    torch.zeros(3, 0).argmax(0)
    torch.zeros(3, 0).amax(1)
    torch.zeros(2, 2).argmax(5)
    torch.tensor(3.).sum(0), torch.tensor(3.).max(0), torch.tensor(3.).sum(-1)
    torch.tensor(3.).sum(1)
    torch.tensor([3, 3, 1, 3]).argmax(), torch.tensor([1, 0, 0]).argmin()
    torch.ones(64, 64, 64).sum(), torch.ones(3, 50, 7).sum((0, 2))
""", "sum")
# sorting
for dim in ("", "0", "-1", "0, descending=True", "-1, True", "dim=1, descending=True", "descending=True", "stable=True",
            "dim=0, stable=True, descending=True"):
    stable = DUP + NAN if "stable" in dim else ()
    ROWS += [Row(f"a.sort({dim})", each("b1", "$ 2") + DISTINCT + stable + ("f32 -", "f32 0", "f32 0x3", "i64 1")),
             Row(f"torch.argsort(a, {dim})".replace(", )", ")"), DISTINCT + stable + ("f32 -", "f32 0"))]
ROWS += rows("OP", "torch.sort(a)[0] torch.sort(a,0,True)[0] a.sort(dim=0)[0] a.sort(2)", DUP + NAN)
ROWS += [Row("a.argsort(), a.argsort(0), a.argsort(dim=-1, descending=True)", DISTINCT[:4]),
         Row("b = a.clone(); r = b.sort(); r.values.zero_(); b", ("f32 4 distinct",))]
ROWS += rows("a.OP", "topk(2) topk(1,0) topk(3,largest=False) topk(2,dim=0,largest=False) topk(2,-1,True,True) topk(0)"
             " topk(5,1) topk(-1) topk(1,2)", DISTINCT)
# Which of two equal elements comes first is open, so 0 and -0 may change places.
ROWS += rows("torch.OP[0]", "topk(a,2) topk(a,3,0) topk(a,2,largest=False) topk(a,4,-1,False,True)",
             DUP + NAN + ("f32 4",), "equal")
ROWS += rows("a.OP", "topk(1) topk(0) topk(2)", ("f32 -", "f32 0", "i64 1", "b1 2"))

# ---- out= and dtype=, which must agree; the product along one dimension -----------------------------------------
OUT = "o = torch.zeros((), dtype=torch.OUT); "
ROWS += [Row(f"{OUT.replace('OUT', out)}torch.{name}(a, 0, dtype=torch.{dtype}, out=o), o.dtype", ("f32 3", "i32 3", "f64 3"))
         for name in ("sum", "prod", "mean", "nansum", "cumsum", "cumprod", "nanmean")
         for out, dtype in (("int32", "int64"), ("int64", "int64"), ("float32", "float64"), ("float64", "float64"))
         if name not in ("mean", "nanmean") or dtype == "float64"]
ROWS += [Row(f"a.{name}_(0, dtype=torch.{dtype})", ("f32 3", "i32 3"))
         for name in ("cumsum", "cumprod") for dtype in ("int64", "float32", "int32")]
ROWS += codes(("f32 2x3", "i8 2x3", "b1 2x3", "f32 -"), """
    a.prod(0), a.prod(-1, True), a.prod(dim=0, keepdim=True), a.prod(dtype=torch.float64), torch.prod(a, 0)
    a.prod(dim=(0, 1))
    a.prod((0,))
    torch.prod(a, [0])
    torch.prod(a, dim=())
    torch.prod(a, dim=None)
    a.prod(keepdim=True)
    a.prod(5)
    o = torch.zeros(()); torch.prod(a, 0, out=o) is o, o
""")
