"""The exact text of repr() and str()."""

from golden.row import ALL, FLOAT, INT, Row, codes, each, rows

NONE = ("",)

ROWS = []
ROWS += [
    Row("repr(a)", each(ALL, "$ -", "$ 1", "$ 6", "$ 2x3", "$ 2x2x3", "$ 0", "$ 0x3", "$ 2x3 T", "$ 1x1x1")
        + ("f32 4x3 E", "f32 2x3 S", "f32 1x2x1x3")),
    Row("str(a)", each(FLOAT, "$ 10 special", "$ 29 wave", "$ 12 ext", "$ 3 nans", "$ 2x5 special")
        + each(INT, "$ 10 ext", "$ 2x5 ext")
        + ("b1 12", "f32 40", "i64 40", "f32 3x20", "f32 2x30 wave", "i64 7x40", "b1 3x40", "f64 25", "bf16 31 wave",
           "f16 2x24")),
]
# one-line values: (expression in torch.tensor, or any expression that gives a tensor)
VALUES = """
    [1.]
    [1., 2.]
    [0.5]
    [1.5, 100.]
    [1e-5]
    [1e-4]
    [1e-4, 1.]
    [1e-5, 1.]
    [0.00012345]
    [1e8]
    [99999999.]
    [1e8 + 8]
    [123456789., 0.]
    [1e7, 1.]
    [1e5, 1.5]
    [1000., 1.]
    [1001., 1.]
    [1000.5, 0.5]
    [1001., 1.5]
    [100000.]
    [99999.5]
    [1e38]
    [1e-38]
    [1e-45]
    [1e10, 1e-10]
    [0.1 + 0.2]
    [1/3, 2/3]
    [12345.678]
    [0.99999]
    [0.999999]
    [9.99995]
    [-1., 1.]
    [-1.5, 10.25]
    [-0.0]
    [0.0]
    [-0.0, 0.5]
    [nan]
    [inf]
    [-inf]
    [nan, 1.]
    [inf, 1.]
    [-inf, 1.]
    [nan, inf, -inf]
    [nan, 1.5]
    [nan, 1e10]
    [inf, 1e-10, 1.]
    [-inf, 1.5, nan]
    [1e20, nan]
    [2., 3., inf]
    [[1., 2.], [3., 4.]]
    [[1.5, -2.], [30., 4.]]
    [[]]
    [[], []]
    []
    1.5
    1.
    1e10
    1e-10
    123456.
    1234567.
    12345678.
    123456789.
    0.1
    -0.5
    0.
    nan
    inf
    -inf
    16777216.
    3.14159265
    1e6
    1e16
    0.0001
    0.00001
    1
    -1
    0
    123456789012
    True
    False
    [True]
    [True, False]
    [[True, False], [False, True]]
    [1]
    [1, 10, 100]
    [-1, 10]
    [-100, 1]
    [2**62, 1]
    [-2**63]
    [1000000, 1]
    [[1, -2], [300, 4]]
    [[[1], [2]], [[3], [4]]]
    [[[[1.5]]]]
    list(range(30))
    list(range(100))
    [float(i) for i in range(30)]
    [i / 7 for i in range(25)]
    [10.0**i for i in range(12)]
    [10.0**-i for i in range(12)]
    [[i * j for i in range(25)] for j in range(3)]
    [[[i + j + k for i in range(3)] for j in range(2)] for k in range(3)]
"""
ROWS += [Row(f"repr(torch.tensor({v.strip()}))") for v in VALUES.strip().splitlines()]
FLOATS = [v.strip() for v in VALUES.strip().splitlines() if "." in v or "nan" in v or "inf" in v]
for v in FLOATS[::2]:
    ROWS += rows(f"repr(torch.tensor({v}, dtype=torch.OP))", "float64 float16 bfloat16", NONE)
for v in ("[1, 2]", "5", "[[0, 1], [1, 0]]", "[]"):
    ROWS += rows(f"repr(torch.tensor({v}, dtype=torch.OP))",
                 "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64", NONE)
# summaries: more than 1000 elements
ROWS += codes(NONE, """
    repr(torch.arange(1000))
    repr(torch.arange(1001))
    repr(torch.arange(1001.))
    repr(torch.arange(1001.) / 7)
    repr(torch.arange(2000).reshape(2, 1000))
    repr(torch.arange(2000).reshape(1000, 2))
    repr(torch.arange(1200).reshape(30, 40))
    repr(torch.arange(1200.).reshape(30, 40) * 1.5)
    repr(torch.arange(1200).reshape(2, 3, 200))
    repr(torch.arange(1200).reshape(10, 12, 10))
    repr(torch.arange(1200).reshape(200, 3, 2))
    repr(torch.arange(1400).reshape(7, 1, 200))
    repr(torch.zeros(10, 10, 10, 10))
    repr(torch.zeros(1, 1, 2000))
    repr(torch.ones(2000, dtype=torch.bool))
    repr(torch.ones(2000, dtype=torch.uint8))
    repr(torch.ones(2000, dtype=torch.float64))
    repr(torch.arange(1001, dtype=torch.float16))
    repr(torch.zeros(2000, 0))
    repr(torch.arange(1001).t())
    repr(torch.arange(5000).reshape(50, 100).t())
    repr(torch.zeros(1001).fill_(nan))
    a = torch.zeros(2000); a[1000] = 1e9; repr(a)
    a = torch.zeros(2000); a[0] = 1e9; repr(a)
    a = torch.zeros(2000); a[1000] = 0.5; repr(a)
    a = torch.zeros(2000); a[1999] = 0.5; repr(a)
    repr(torch.zeros(6, 6, 6, 6)[0])
    repr(torch.zeros(0, 2000))
    repr(torch.zeros(3, 0, dtype=torch.int64))
    repr(torch.zeros(0, dtype=torch.float64))
    repr(torch.zeros(0, 2, dtype=torch.bool))
    str(torch.tensor([1, 2])), format(torch.tensor([1, 2]))
    f'{torch.tensor(3)} {torch.tensor(2.5)} {torch.tensor([1.])} {torch.tensor(2.5):.1f}'
    f'{torch.tensor(3):>5}|{torch.tensor(3)!r}'
    '%s %r' % (torch.tensor(1), torch.tensor([1]))
    '%d %.2f' % (torch.tensor(3), torch.tensor(2.5))
    torch.tensor([1, 2]).__repr__() == repr(torch.tensor([1, 2])), str([torch.tensor(1)])
    torch.tensor(1.5).__format__(''), torch.tensor(True).__format__('')
    repr((torch.zeros(1), torch.ones(1, dtype=torch.int8)))
""")
# options
SAMPLES = ("f32 2x3", "f32 8 special", "f32 20 wave", "f64 3x4 nans", "i64 30", "bf16 6", "f32 40x40 T", "b1 40")
OPTIONS = """
    precision=2
    precision=0
    precision=8
    threshold=5
    threshold=0
    threshold=5, edgeitems=1
    edgeitems=2, threshold=10
    linewidth=20
    linewidth=40
    linewidth=120
    sci_mode=True
    sci_mode=False
    sci_mode=True, precision=2
    profile='short'
    profile='short', linewidth=50
    profile='full', linewidth=300
"""
RESTORE = "torch.set_printoptions(profile='default')"
ROWS += [Row(f"torch.set_printoptions({options.strip()}); s = repr(a); {RESTORE}; s", SAMPLES)
         for options in OPTIONS.strip().splitlines()]
ROWS += codes(NONE, """
    torch.set_printoptions(profile='unknown'); repr(torch.tensor([1.5]))
    torch.set_printoptions(10); s = repr(torch.tensor([1.5])); torch.set_printoptions(profile='default'); s
    torch.set_printoptions(nonsense=3)
    torch.set_printoptions(profile='default'); repr(torch.tensor([1e-5]))
""")
