"""Random numbers, as far as they are certain: shapes, dtypes, bounds, degenerate distributions, errors; windows."""

from golden.row import ALL, FLOAT, INT, Row, codes, each, errors, rows

NONE = ("",)
SHAPES = each(FLOAT, "$ -", "$ 0", "$ 5", "$ 2x3 T", "$ 2x3 S")
REFUSED = ("u8 2x0", "i16 -", "f32 4 E")

ROWS = []
# a fill gives back its tensor, of its shape, and says something about its values
ROWS += codes(SHAPES, """
    r = a.cauchy_(); (r is a, a.isnan().any(), a.shape)
    a.cauchy_(3, 0.5).isnan().any()
    r = a.exponential_(); (r is a, (a > 0).all(), a.shape)
    (a.exponential_(lambd=2.5) >= 0).all()
    a.exponential_(inf)
    r = a.log_normal_(); (r is a, (a >= 0).all(), a.shape)
    (a.log_normal_(mean=0, std=0.25) > 0).all()
    r = a.geometric_(0.5); (r is a, (a >= 1).all(), a.shape)
    a.cauchy_(nan)
""")
ROWS += codes(each(INT, "$ 5", "$ 2x3 S", "$ -", "$ 0"), """
    r = a.geometric_(p=0.5); (r is a, (a >= 1).all(), a.shape)
    a.geometric_(0.9999999999999999)
""")
ROWS += rows("a.OP", "cauchy_() exponential_() log_normal_() cauchy_(2,3) exponential_(2) log_normal_(1,2)", REFUSED)
ROWS += rows("a.OP", "geometric_(0.5) geometric_()", ("b1 3", "f32 4 E", "b1 0"))
ROWS += errors(("f32 3", "i64 3"), """
    a.cauchy_(0, -1)  # cauchy_ expects sigma > 0.0, but found sigma=-1
    a.cauchy_(sigma=0)  # cauchy_ expects sigma > 0.0, but found sigma=0
    a.exponential_(0)  # exponential_ expects lambda > 0.0, but found lambda=0
    a.exponential_(nan)  # exponential_ expects lambda > 0.0, but found lambda=nan
    a.log_normal_(0, 0)  # log_normal_ expects std > 0.0, but found std=0
    a.geometric_(0)  # geometric_ expects p to be in (0, 1), but got p=0
    a.geometric_(1)  # geometric_ expects p to be in (0, 1), but got p=1
    a.geometric_(1.5)  # geometric_ expects p to be in (0, 1), but got p=1.5
""")
ROWS += errors(("i64 3", "b1 3"), """
    a.cauchy_()  # Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified
    a.exponential_()  # Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified
""")

# normal
PAIRS = each(FLOAT, "$ 3;$ 3", "$ 2x3;$ 3", "$ 3;$ 2x1", "$ 0;$ 1", "$ -;$ -") + (
    "f32 3;f64 3", "f64 3;f32 3", "f16 3;f32 3", "f32 3;i64 3", "i64 3;f32 3", "f32 3;f32 2")
ROWS += codes(PAIRS, """
    torch.normal(a, b.abs()).dtype, torch.normal(a, b.abs()).shape
    torch.normal(a, torch.zeros_like(b))
    torch.normal(mean=a, std=torch.zeros_like(b), generator=None)
""", "equal")
ROWS += codes(SHAPES + ("i64 3", "b1 2"), """
    torch.normal(a).dtype, torch.normal(a).shape
    torch.normal(a, 0)
    torch.normal(mean=a, std=0.0)
    torch.normal(1.5, a.abs()).dtype, torch.normal(1.5, a.abs()).shape
    torch.normal(2.5, torch.zeros_like(a))
    torch.normal(a, 0., out=torch.empty(0, dtype=a.dtype))
    a.normal_(3, 0)
    a.normal_(mean=3, std=0, generator=torch.Generator())
""", "equal")
ROWS += codes(NONE, """
    torch.normal(2., 0., (2,))
    torch.normal(2, 0, (2, 1), dtype=torch.float64)
    torch.normal(2., 0., size=(2,), dtype=torch.float16)
    torch.normal(mean=2., std=0., size=[2], device='cpu')
    torch.normal(2., 0., ())
    torch.normal(2., 3., (0, 2)).shape
    torch.normal(0., 0., (3,), out=torch.ones(3))
    torch.normal(0., 0., (3,), out=torch.ones(3, dtype=torch.float64))
    torch.normal(torch.zeros(3), torch.zeros(3), out=torch.ones(3, dtype=torch.float64))
    torch.normal(torch.zeros(3), torch.tensor(0.))
    torch.normal(2., 3.)
    torch.normal(2., 3., 2)
    torch.normal(2., 3., (2,), dtype=torch.int64)
    torch.normal(std=torch.ones(3))
    torch.normal(0., torch.zeros(1), out=torch.ones(1)).shape
    torch.normal(2., torch.zeros(3), out=torch.ones(0))
    torch.normal(torch.ones(1), 0, out=torch.ones(3))
    torch.normal(torch.ones(3), torch.zeros(3), out=torch.ones(0))
    torch.normal(torch.ones(3), torch.ones(3), out=torch.ones(3, dtype=torch.int64))
    torch.normal(torch.ones(3), 1, out=torch.ones(3, dtype=torch.int64))
    torch.normal(2., 3., (-2,))
""")
ROWS += errors(NONE, """
    torch.normal(torch.zeros(3), -2.)  # normal expects std >= 0.0, but found std -2
    torch.normal(2., -1., (2,))  # normal expects std >= 0.0, but found std -1
    torch.normal(torch.zeros(3), -torch.ones(3))  # normal expects all elements of std >= 0.0
    torch.normal(torch.zeros(3), torch.tensor([1., nan, 1.]))  # normal expects all elements of std >= 0.0
    torch.zeros(3).normal_(0, -1)  # normal expects std >= 0.0, but found std -1
""")

# multinomial
WEIGHTS = each(FLOAT, "$ 4 ones", "$ 2x3 ones", "$ 3x2 ones T", "$ 0x3", "$ 4 ones S")
ROWS += codes(WEIGHTS, """
    torch.multinomial(a, 2).shape, torch.multinomial(a, 2).dtype
    torch.multinomial(a, a.shape[-1]).sort()[0]
    a.multinomial(num_samples=5, replacement=True, generator=None).shape
    torch.multinomial(a, 7, True).lt(a.shape[-1]).all()
    torch.multinomial(a, 1, out=torch.zeros(3, dtype=torch.int64)).shape
""")
ROWS += codes(NONE, """
    torch.multinomial(torch.tensor([0., 10, 0, 0]), 1)
    torch.multinomial(torch.tensor([0., 10, 0, 0]), 6, True)
    torch.multinomial(torch.tensor([[0., 1], [3, 0]]), 1)
    torch.multinomial(torch.tensor([[0., 1], [3, -0.]]), 3, True)
    torch.multinomial(torch.tensor([0., 10, 3, 0]), 2).sort()[0]
    torch.multinomial(torch.tensor([0., 1e-30, 0], dtype=torch.float64), 3, replacement=True)
    torch.multinomial(torch.tensor([5.]), 1)
    torch.multinomial(torch.ones(3), 1.5)
    torch.multinomial(torch.ones(3))
    torch.multinomial(torch.ones(3, 0), 1, True)
    torch.multinomial(torch.ones(3), 1, 1)
""")
ROWS += errors(NONE, """
    torch.multinomial(torch.ones(3), 4)  # cannot sample n_sample > prob_dist.size(-1) samples without replacement
    torch.multinomial(torch.ones(0), 1)  # cannot sample n_sample > prob_dist.size(-1) samples without replacement
    torch.multinomial(torch.ones(2, 3), 0)  # cannot sample n_sample <= 0 samples
    torch.multinomial(torch.ones(2, 3), -1)  # cannot sample n_sample <= 0 samples
    torch.multinomial(torch.zeros(2), 1)  # invalid multinomial distribution (sum of probabilities <= 0)
    torch.multinomial(torch.zeros(2), 2, True)  # invalid multinomial distribution (sum of probabilities <= 0)
    torch.multinomial(torch.tensor([1., -1]), 1)  # probability tensor contains either `inf`, `nan` or element < 0
    torch.multinomial(torch.tensor([1., nan]), 1)  # probability tensor contains either `inf`, `nan` or element < 0
    torch.multinomial(torch.tensor([1., inf]), 2)  # probability tensor contains either `inf`, `nan` or element < 0
    torch.multinomial(torch.tensor([1., -1]), 2, True)  # invalid multinomial distribution (encountering probability entry < 0)
    torch.multinomial(torch.tensor([1., inf]), 2, True)  # invalid multinomial distribution (encountering probability entry = infinity or NaN)
    torch.multinomial(torch.ones(2, 2, 2), 1)  # prob_dist must be 1 or 2 dim
    torch.multinomial(torch.tensor(1.), 1)  # prob_dist must be 1 or 2 dim
    torch.multinomial(torch.ones(2, dtype=torch.int64), 1)  # multinomial only supports floating-point dtypes for input, got: Long
    torch.multinomial(torch.ones(2), 1, out=torch.zeros(1))  # multinomial expects Long tensor out, got: Float
""")

# poisson, binomial, bernoulli
ROWS += codes(SHAPES + ("i64 3", "b1 2"), """
    torch.poisson(a.abs()).shape, torch.poisson(a.abs()).dtype
    torch.poisson(torch.zeros_like(a))
    (torch.poisson(a.abs(), generator=None) >= 0).all()
    a.bernoulli().shape
    torch.bernoulli(a, 1.0)
    torch.bernoulli(a, p=0)
    a.bernoulli(1)
    torch.bernoulli(torch.ones_like(a))
    torch.bernoulli(torch.zeros_like(a), out=torch.ones(2))
    a.bernoulli_(torch.ones_like(a))
""")
ROWS += codes(each(ALL, "$ 2x3", "$ 3 S"), """
    a.bernoulli_(1)
    a.bernoulli_(0.0)
    a.bernoulli_(torch.ones(3))
    a.bernoulli_(torch.zeros(()))
    a.bernoulli_(p=torch.ones(1, dtype=torch.float64), generator=torch.Generator())
    torch.bernoulli(a, 1.)
""")
ROWS += errors(NONE, """
    torch.poisson(torch.tensor([0., 1, -1]))  # invalid Poisson rate, expected rate to be non-negative
    torch.poisson(torch.tensor([0., nan]))  # invalid Poisson rate, expected rate to be non-negative
    torch.binomial(torch.tensor([10]), torch.tensor([.5]))  # binomial only supports floating-point dtypes for count, got: Long
    torch.binomial(torch.tensor([10.]), torch.tensor([1]))  # binomial only supports floating-point dtypes for prob, got: Long
    torch.binomial(torch.tensor([10.]), torch.tensor([.5], dtype=torch.float64))  # Found dtype Double but expected Float
    torch.bernoulli(torch.tensor([0., 1.5]))  # Expected p_in >= 0 && p_in <= 1 to be true, but got false
    torch.bernoulli(torch.tensor([0., nan]))  # Expected p_in >= 0 && p_in <= 1 to be true, but got false
    torch.bernoulli(torch.ones(2), 1.5)  # bernoulli_ expects p to be in [0, 1], but got p=1.5
    torch.zeros(3).bernoulli_(torch.tensor([0., 1, 2]))  # Expected p_in >= 0 && p_in <= 1 to be true, but got false
""")
ROWS += codes(NONE, """
    torch.poisson(torch.tensor([[0., 1e4]])).shape
    torch.poisson(torch.tensor([0., 1.]), None).shape
    torch.binomial(torch.tensor([10., 3, 0]), torch.tensor([1., 0, 0.5]))
    torch.binomial(torch.tensor([10., -1]), torch.tensor([1, .5]))
    torch.binomial(torch.tensor([10., 3]), torch.tensor([1, 1.5]))
    torch.binomial(torch.tensor([10., 3.7]), torch.tensor([1., nan]))
    torch.binomial(torch.tensor([10.], dtype=torch.float64), torch.tensor([1.], dtype=torch.float64))
    torch.binomial(torch.ones(2, 1), torch.ones(3))
    torch.binomial(torch.zeros(2, 0), torch.ones(1))
    torch.binomial(torch.ones(2), torch.ones(3))
    torch.binomial(torch.ones(2).half(), torch.ones(2).half())
    torch.zeros(3).bernoulli_(torch.ones(2, 3))
    torch.zeros(3).bernoulli_(torch.ones(3, dtype=torch.int64))
    torch.bernoulli(torch.tensor([0, 1]))
    torch.bernoulli(torch.tensor([0., 1.]), out=torch.ones(2, dtype=torch.float64))
    torch.zeros(1).expand(3).bernoulli_(1)
""")

# integers at the ends of their dtypes
for DTYPE, LAST in (("uint8", 2**8 - 1), ("int8", 2**7 - 1), ("int16", 2**15 - 1), ("int32", 2**31 - 1),
                    ("int64", 2**63 - 1)):
    ROWS += codes(NONE, f"""
        torch.zeros(3, dtype=torch.{DTYPE}).random_({LAST}, None)
        torch.zeros(3, dtype=torch.{DTYPE}).random_({LAST - 1}, {LAST})
        (torch.zeros(50, dtype=torch.{DTYPE}).random_() >= 0).all()
        (torch.zeros(50, dtype=torch.{DTYPE}).random_({LAST - 2}, None) >= {LAST - 2}).all()
    """)
ROWS += codes(NONE, """
    (lambda x: (x.min() < -2**60, x.max() > 2**60))(torch.zeros(500, dtype=torch.int64).random_(-2**63, None))
    (lambda x: (x.min() < -2**60, x.max() > 2**60))(torch.zeros(500, dtype=torch.int64).random_(-2**63, 2**63 - 1))
    torch.zeros(40, dtype=torch.int64).random_(2**63 - 2, None).max()
    torch.zeros(3, dtype=torch.int64).random_(-2**63, -2**63 + 1)
    torch.zeros(3, dtype=torch.uint8).random_(256).dtype
    torch.zeros(3, dtype=torch.uint8).random_(256, None)
    torch.zeros(3, dtype=torch.uint8).random_(-1, None)
    torch.zeros(3, dtype=torch.uint8).random_(257)
    torch.zeros(3, dtype=torch.bool).random_(0, 2).dtype
    torch.zeros(3, dtype=torch.bool).random_(0, 3)
    torch.zeros(3, dtype=torch.bool).random_(1, 2)
    torch.zeros(3).random_(2**24, None)
    torch.zeros(3).random_(2**24 - 1, None).ge(2**24 - 1).all()
    torch.zeros(3).half().random_(2048, None)
    torch.zeros(3).half().random_(70000)
    torch.zeros(3).bfloat16().random_(256, None)
    torch.zeros(3).double().random_(2**53, None)
    torch.zeros(3, dtype=torch.int64).random_(5, 5)
    torch.zeros(3, dtype=torch.int64).random_(0)
    torch.zeros(3, dtype=torch.int64).random_(to=1)
    torch.zeros(3, dtype=torch.int64).random_(**{'from': 4, 'to': 5})
    torch.zeros(1).expand(3).random_()
    torch.randint(2**63 - 1, (1,)).shape
    torch.randint(-2**63, -2**63 + 1, (2,))
    torch.randint(2**63 - 2, 2**63 - 1, (2,))
    torch.randint(3, (2,), dtype=torch.bool)
    torch.randint(1, 2, (2,), dtype=torch.bool)
    torch.randint(low=1, high=2, size=(2,))
    torch.randint(0, 1, (2,), generator=torch.Generator())
    torch.randperm(0, dtype=torch.uint8)
    torch.randperm(256, dtype=torch.uint8).sort()[0].sum()
    torch.randperm(257, dtype=torch.uint8)
    torch.randperm(128, dtype=torch.int8).shape
    torch.randperm(129, dtype=torch.int8)
    torch.randperm(2**15, dtype=torch.int16).shape
    torch.randperm(2**15 + 1, dtype=torch.int16)
    torch.randperm(2049, dtype=torch.float16).shape
    torch.randperm(2050, dtype=torch.float16)
    torch.randperm(3, dtype=torch.bool)
    torch.randperm(3, generator=3)
    torch.randperm(3, out=torch.zeros(5, dtype=torch.int64)).shape
    torch.randperm(2, generator=torch.Generator()).sum()
""")

# generators
ROWS += codes(NONE, """
    torch.Generator().initial_seed(), torch.Generator('cpu').device, torch.Generator(device=torch.device('cpu')).device
    torch.Generator().manual_seed(-1).initial_seed()
    torch.Generator().manual_seed(2**64 - 1).initial_seed()
    torch.Generator().manual_seed(2**64)
    torch.Generator().manual_seed(-2**63 - 1)
    torch.Generator().manual_seed(1.5)
    torch.Generator().manual_seed(True)
    torch.Generator().manual_seed('x')
    torch.Generator(device='nope')
    torch.manual_seed(2**64)
    torch.manual_seed('x')
    torch.manual_seed(1.5).initial_seed()
    type(torch.Generator().seed()), type(torch.seed()), type(torch.initial_seed())
    g = torch.Generator(); s = g.seed(); g.initial_seed() == s
    torch.Generator().get_state().dtype, torch.Generator().get_state().dim()
    g = torch.Generator(); g.set_state(g.get_state()) is g
    g = torch.Generator(); s = g.get_state(); a = torch.rand(3, generator=g); g.set_state(s); a.equal(torch.rand(3, generator=g))
    g = torch.Generator().manual_seed(9); h = g.clone_state(); (h is g, torch.rand(3, generator=g).equal(torch.rand(3, generator=h)))
    g = torch.Generator().manual_seed(9); torch.rand(5, generator=g); h = g.clone_state(); torch.rand(3, generator=g).equal(torch.rand(3, generator=h))
    torch.Generator().set_state(torch.zeros(3))
    torch.Generator().set_state(torch.zeros(3, dtype=torch.uint8))
    torch.Generator().set_state(3)
    torch.Generator().get_offset()
    torch.Generator().set_offset(3)
    torch.Generator().graphsafe_get_state()
    torch.Generator.__module__, torch.Generator.__name__
    torch.Generator() == torch.Generator()
    torch.set_rng_state(3)
    sorted(torch.random.__all__)
    torch.random.thread_safe_generator()
    __import__('copy').deepcopy(torch.Generator().manual_seed(5)).initial_seed()
    __import__('pickle').loads(__import__('pickle').dumps(torch.Generator().manual_seed(4))).initial_seed()
""")
ROWS += [Row(code) for code in (
    "torch.manual_seed(3)\nwith torch.random.fork_rng():\n    a = torch.rand(3)\na.equal(torch.rand(3))",
    "torch.manual_seed(3)\nwith torch.random.fork_rng(enabled=False):\n    a = torch.rand(3)\na.equal(torch.rand(3))",
    "torch.manual_seed(3)\nwith torch.random.fork_rng(devices=[]):\n    torch.manual_seed(4)\ntorch.initial_seed()",
)]

# windows
LENGTHS = "0 1 2 3 4 5 9"
for NAME in "bartlett blackman hamming hann kaiser".split():
    ROWS += [Row(f"torch.{NAME}_window({n})", NONE, "sum") for n in LENGTHS.split()]
    ROWS += codes(NONE, f"""
        torch.{NAME}_window(8, False)
        torch.{NAME}_window(7, periodic=False)
        torch.{NAME}_window(window_length=6, periodic=True)
        torch.{NAME}_window(9, dtype=torch.float64)
        torch.{NAME}_window(9, False, dtype=torch.float64)
        torch.{NAME}_window(5, device='cpu', layout=torch.strided).dtype
        torch.{NAME}_window(5, dtype=torch.float16).dtype
        torch.{NAME}_window(5, dtype=torch.bfloat16).shape
        torch.{NAME}_window(1, dtype=torch.float16)
        torch.{NAME}_window(2.5)
        torch.{NAME}_window(5, out=torch.zeros(5))
        torch.{NAME}_window()
        torch.{NAME}_window('5')
    """, "sum")
    ROWS += errors(NONE, f"""
        torch.{NAME}_window(-1)  # {NAME}_window requires non-negative window_length, got window_length=-1
        torch.{NAME}_window(5, dtype=torch.int64)  # {NAME}_window expects floating point dtypes, got:
        torch.{NAME}_window(0, dtype=torch.bool)  # {NAME}_window expects floating point dtypes, got:
    """)
ROWS += codes(NONE, """
    torch.hamming_window(4, True, .5)
    torch.hamming_window(4, True, .5, .5)
    torch.hamming_window(5, False, alpha=.5, beta=.3, dtype=torch.float64)
    torch.hamming_window(4, alpha=.5)
    torch.kaiser_window(4, True, 5)
    torch.kaiser_window(4, True, beta=-5)
    torch.kaiser_window(6, False, 0, dtype=torch.float64)
    torch.kaiser_window(6, False, 30.5, dtype=torch.float64)
    torch.kaiser_window(4, beta=0)
""", "sum")
