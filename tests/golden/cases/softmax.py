"""Numbers as shares of their sum, and the logarithms of the shares."""

from golden.row import ALL, FLOAT, codes, each, errors, rows

SHAPES = each(FLOAT, "$ 2x3", "$ 3x2 T", "$ 4x3 E", "$ 12 special", "$ 3 nans", "$ 0x3", "$ 3x0", "$ 29 wave", "$ 12 ext")
ROWS = []
ROWS += rows("torch.OP(a, -1)", "softmax log_softmax", SHAPES, "near")
ROWS += rows("torch.OP(a, 0)", "softmax log_softmax", SHAPES, "near")
ROWS += rows("a.OP(1)", "softmax log_softmax", each(f"{ALL} c64 c128", "$ 2x3x4", "$ 2x3x4 T"), "sum")
ROWS += rows("torch.special.OP(a, 0, dtype=torch.float64)", "softmax log_softmax", each(ALL, "$ 2x3", "$ -"), "sum")
ROWS += codes(each("f32 f16 f64", "$ 2x3", "$ 2x3 T", "$ -"), """
    torch.softmax(a, 0, torch.float32)
    torch.softmax(a, axis=0)
    torch.softmax(a, dim=-1, dtype=None)
    torch.softmax(a, 0, out=torch.empty(0, dtype=a.dtype))
    torch.log_softmax(a, 0, out=torch.empty(0, dtype=torch.float64))
    torch.softmax(a, 0, torch.float64, out=torch.empty(7, dtype=torch.float64))
    torch.softmax(a, 0, out=a)
    torch.softmax(a, 0).stride()
    torch.softmax(a * 1000, 0)
    torch.log_softmax(a * 1000, 0)
    a.softmax(0, torch.int64)
    a.log_softmax(0, dtype=torch.complex64)
""", "sum")
ROWS += errors(("f32 2x3",), """
    torch.softmax(a)  # missing 1 required positional arguments: "dim"
    torch.softmax(a, None)  # argument 'dim' (position 2) must be int, not NoneType
    torch.softmax(a, (0,))  # argument 'dim' (position 2) must be int, not tuple
    torch.softmax(a, 2)  # Dimension out of range (expected to be in range of [-2, 1], but got 2)
    torch.log_softmax(a[0, 0], 1)  # Dimension out of range (expected to be in range of [-1, 0], but got 1)
    a.long().softmax(0)  # not implemented for 'Long'
    a.bool().log_softmax(0)  # not implemented for 'Bool'
""")
