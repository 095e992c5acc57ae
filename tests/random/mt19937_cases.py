"""Calls that draw random numbers, and what is kept of their answers: for PyTorch and for us in its mode."""

import hashlib
import itertools

import torch

SIZES = (1, 15, 16, 17, 100, 1000)
FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int16", "int32", "int64", "bool")
FILLS = (
    "uniform_()",
    "uniform_(-0.31, 0.7)",
    "normal_()",
    "normal_(0.3, 1.7)",
    "exponential_(0.7)",
    "cauchy_(0.3, 1.7)",
    "log_normal_(0.3, 0.7)",
    "geometric_(0.3)",
    "bernoulli_(0.3)",
    "bernoulli_(torch.linspace(0, 1, x.numel(), dtype=x.dtype).view(x.shape))",
    "bernoulli_(torch.tensor(0.3, dtype=torch.float64))",
    "random_()",
    "random_(5, None)",
    "random_(1000)",
    "random_(-7, 2)",
)
INTEGER_FILLS = ("random_()", "random_(1, None)", "random_(0, 2)", "bernoulli_(0.3)", "bernoulli_(torch.tensor(0.3))")
WIDE = (
    "torch.empty(100, dtype=torch.int64).random_(2**28 - 1)",
    "torch.empty(100, dtype=torch.int64).random_(2**28)",
    "torch.empty(100, dtype=torch.int32).random_(-(2**27), 2**27)",
    "torch.empty(100, dtype=torch.int64).random_(-(2**40), 2**40)",
    "torch.empty(100, dtype=torch.int64).random_(-(2**63), None)",
    "torch.empty(100, dtype=torch.int64).random_(-(2**62), None)",
    "torch.empty(100, dtype=torch.float32).random_(2**31)",
    "torch.empty(100, dtype=torch.float32).random_(2**24 + 1, 2**26)",
    "torch.empty(100, dtype=torch.bfloat16).random_(-300, 517)",
    "torch.empty(100, dtype=torch.float64).random_(-(2**53), 2**53)",
    "torch.empty(100, dtype=torch.uint16).random_(0, 2**16)",
    "torch.empty(100, dtype=torch.uint32).random_(7, 2**30)",
    "torch.randint(10, (3, 5))",
    "torch.randint(-3, 200, (50,), dtype=torch.int16)",
    "torch.randint_like(torch.zeros(40), 9)",
    "torch.randint(0, 2**40, (20,))",
)
# x, of these memory layouts
LAYOUTS = {
    "transposed": "torch.empty(7, 5, dtype={}).t()",
    "strided": "torch.empty(40, dtype={})[::2]",
    "channels_last": "torch.empty(2, 3, 4, 5, dtype={}).to(memory_format=torch.channels_last)",
    "permuted": "torch.empty(3, 6, 4, dtype={}).permute(1, 2, 0)[:, 1:]",
    "column": "torch.empty(20, 3, dtype={})[:, 1]",
    "scalar": "torch.empty((), dtype={})",
    "empty": "torch.empty(0, 3, dtype={})",
}
OTHERS = (
    *(f"torch.randperm({n}, dtype=torch.{d})" for n, d in itertools.product((0, 1, 2, 15, 1000), ("int64", "int32"))),
    "torch.randperm(100, dtype=torch.float32), torch.randperm(50, dtype=torch.uint8)",
    "torch.rand(3), torch.randn(3), torch.rand(2), torch.randn(20), torch.randn(2), torch.randn(1)",
    "torch.randn(5, dtype=torch.float64), torch.randn(4, dtype=torch.float16), torch.randn(33, dtype=torch.bfloat16)",
    *(f"torch.{f}({n}, dtype=torch.complex{b})" for f in ("rand", "randn") for n in (3, 40) for b in (64, 128)),
    "torch.normal(torch.arange(20.0), 2.5), torch.normal(1.5, torch.arange(20.0)), torch.normal(0.5, 2.0, (4, 5))",
    "torch.normal(torch.arange(20.0), torch.arange(20.0) / 7), torch.normal(torch.arange(4.0).half(), 0.3)",
    "torch.rand_like(torch.empty(4, 5).t()), torch.randn_like(torch.empty(4, 5).t())",
    "torch.bernoulli(torch.linspace(0, 1, 50).view(5, 10).t()), torch.bernoulli(torch.full((40,), 0.3), 0.6)",
    "torch.multinomial(torch.arange(50.0), 20), torch.multinomial(torch.arange(50.0), 20, True)",
    "torch.multinomial(torch.arange(1.0, 51.0).view(5, 10), 4), torch.multinomial(torch.arange(50.0).view(5, 10), 1)",
    "torch.multinomial(torch.arange(50.0).view(5, 10), 30, True), torch.multinomial(torch.ones(9, 4).t(), 3)",
    "torch.multinomial(torch.arange(1.0, 9.0).double(), 30, True), torch.multinomial(torch.ones(8).half(), 30, True)",
    "torch.multinomial(torch.arange(1.0, 41.0).double(), 30)",
    "torch.poisson(torch.linspace(0, 9.5, 60)), torch.poisson(torch.linspace(10, 200, 60, dtype=torch.float64))",
    "torch.poisson(torch.linspace(0, 40, 60).half()), torch.poisson(torch.linspace(0, 40, 60).view(6, 10).t())",
    "torch.binomial(torch.full((60,), 12.0), torch.linspace(0, 1, 60))",
    "torch.binomial(torch.linspace(1, 900, 80).double().floor(), torch.linspace(0, 1, 80).double())",
    "torch.binomial(torch.linspace(1, 900, 80).floor(), torch.linspace(0, 1, 80))",
    "torch._standard_gamma(torch.arange(80) * 0.375), torch.randn(1)",
    "torch._standard_gamma((torch.arange(1, 81) / 32).view(8, 10).t()), torch.randn(1)",
    "torch._standard_gamma(torch.arange(80).double() / 7), torch.randn(1)",
    "torch._sample_dirichlet((torch.arange(1, 81) / 4).view(20, 4))",
)
NN = (
    *(
        f"list(torch.nn.{layer}.parameters())"
        for layer in (
            "Linear(7, 5)",
            "Bilinear(3, 4, 5)",
            "Conv1d(4, 6, 3)",
            "Conv2d(3, 8, 3, groups=1)",
            "ConvTranspose2d(4, 6, 3)",
            "Embedding(11, 5, padding_idx=2)",
            "EmbeddingBag(9, 4)",
            "RNN(4, 5, 2)",
            "LSTM(4, 6, num_layers=2, bidirectional=True, proj_size=3)",
            "GRUCell(4, 5)",
            "MultiheadAttention(8, 2)",
            "MultiheadAttention(8, 2, kdim=5, vdim=6)",
            "TransformerEncoderLayer(8, 2, 16)",
            "TransformerDecoderLayer(8, 2, 16)",
            "Sequential(torch.nn.Linear(3, 4, dtype=torch.float64), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2))",
        )
    ),
    *(
        f"torch.nn.init.{init}"
        for init in (
            "uniform_(torch.empty(5, 6), -2, 3)",
            "normal_(torch.empty(5, 6), 2, 3)",
            "trunc_normal_(torch.empty(5, 6), 0.1, 1.5, -2, 2)",
            "trunc_normal_(torch.empty(60, 6).t(), 0.1, 1.5, 2, 3)",
            "xavier_uniform_(torch.empty(5, 6), gain=1.3)",
            "xavier_normal_(torch.empty(5, 6))",
            "kaiming_uniform_(torch.empty(5, 6, 3), a=0.1)",
            "kaiming_normal_(torch.empty(5, 6, 3), mode='fan_out')",
            "sparse_(torch.empty(8, 6), 0.4)",
        )
    ),
    "torch.nn.functional.dropout(torch.ones(7, 9), 0.3), torch.nn.Dropout(0.5)(torch.ones(40, dtype=torch.bfloat16))",
    "torch.nn.functional.dropout(torch.ones(7, 9).t(), 0.3), torch.native_dropout(torch.ones(30), 0.4, True)",
    "torch.nn.functional.dropout2d(torch.ones(4, 6, 2, 2), 0.3), torch.nn.functional.alpha_dropout(torch.ones(30), 0.3, True)",
    "torch.nn.functional.feature_alpha_dropout(torch.ones(4, 6, 2, 2), 0.3, True)",
    "torch.nn.functional.rrelu(torch.arange(-20.0, 20.0), training=True)",
    "torch.nn.functional.gumbel_softmax(torch.zeros(4, 5), hard=True)",
)
DATA = (
    "[b for b in torch.utils.data.DataLoader(torch.arange(20), batch_size=6, shuffle=True)]",
    "[torch.utils.data.dataloader._BaseDataLoaderIter(torch.utils.data.DataLoader(torch.arange(3)))._base_seed]",
    "list(torch.utils.data.RandomSampler(range(20))), list(torch.utils.data.RandomSampler(range(9), True, 40))",
    "list(torch.utils.data.WeightedRandomSampler(range(1, 9), 20))",
    "list(torch.utils.data.SubsetRandomSampler(range(30)))",
    "[list(s) for s in torch.utils.data.random_split(range(20), [12, 8])]",
    "list(torch.utils.data.RandomSampler(range(20), generator=torch.Generator().manual_seed(3)))",
    "torch.rand(4, generator=torch.Generator()), torch.randperm(9, generator=torch.Generator().manual_seed(2**40 + 5))",
)
# What is computed with the numbers, which rounds in either library as it does there
NEAR = (
    "torch.nn.LSTM(3, 4, num_layers=3, dropout=0.4)(torch.ones(2, 2, 3))[0]",
    "torch.nn.GRU(3, 4, num_layers=2, dropout=0.4, batch_first=True, bidirectional=True)(torch.ones(2, 3, 3))[0]",
    "torch.nn.MultiheadAttention(4, 2, dropout=0.3)(*[torch.randn(3, 2, 4)] * 3)[0]",
    "torch.nn.functional.scaled_dot_product_attention(*[torch.randn(2, 2, 3, 4)] * 3, dropout_p=0.4)",
    "torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.2)(torch.randn(3, 2, 4))",
    "torch.nn.Transformer(4, 2, 1, 1, 8)(torch.randn(3, 2, 4), torch.randn(2, 2, 4))",
    "torch.nn.init.orthogonal_(torch.empty(4, 3))",
    "torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(3, 4)).weight",
    "torch.nn.functional.gumbel_softmax(torch.zeros(2, 3), tau=0.5)",
    "torch.nn.functional.fractional_max_pool2d(torch.arange(50.0).view(1, 2, 5, 5), 2, output_size=2)",
    "torch.pca_lowrank(torch.arange(20.0).view(5, 4), 2)[1]",
    "torch.distributions.Normal(torch.zeros(3), 2.0).sample((2,))",
    "torch.distributions.Categorical(torch.ones(5)).sample((6,)).float()",
    "torch.distributions.Bernoulli(torch.full((9,), 0.3)).sample()",
    *(
        f"torch.distributions.{one}.sample((2, 5))"
        for one in (
            "Beta(torch.tensor(0.5), torch.tensor(3.0))",
            "Cauchy(0.5, torch.tensor(2.0))",
            "Dirichlet(torch.tensor([0.5, 1, 4, 2, 3], dtype=torch.float64))",
            "Exponential(torch.tensor([0.5, 3]))",
            "Gamma(torch.tensor(0.5), torch.tensor(3.0))",
            "Geometric(torch.tensor(0.3))",
            "Gumbel(torch.tensor(0.3), 2.0)",
            "HalfNormal(torch.tensor(0.3))",
            "Laplace(torch.tensor(0.3), 2.0)",
            "LogNormal(torch.tensor(0.3), 2.0)",
            "MultivariateNormal(torch.zeros(2), torch.tensor([[2, 0.5], [0.5, 1]]))",
            "NegativeBinomial(torch.tensor(4.0), torch.tensor(0.3))",
            "OneHotCategorical(torch.ones(4))",
            "Pareto(torch.tensor(0.3), 2.0)",
            "Poisson(torch.tensor(4.0))",
            "StudentT(torch.tensor(3.0))",
            "Uniform(torch.tensor(-2.0), 3.0)",
            "Weibull(torch.tensor(1.0), torch.tensor(4.0))",
        )
    ),
)


def lines():
    """All calls."""
    for fill, dtype in itertools.product(FILLS, FLOATS):
        for n in SIZES:
            yield f"x=torch.empty({n}, dtype=torch.{dtype})", f"x.{fill}"
    for fill, dtype in itertools.product(INTEGER_FILLS, INTEGERS):
        yield f"x=torch.empty(100, dtype=torch.{dtype})", f"x.{fill}"
    for layout, dtype in itertools.product(LAYOUTS.values(), ("torch.float32", "torch.float64", "torch.bfloat16")):
        for fill in ("uniform_()", "normal_()", "bernoulli_(0.4)", "exponential_()", "random_(100)"):
            yield f"x={layout.format(dtype)}", f"x.{fill}"
        yield f"x={layout.format(dtype)}", "x.bernoulli_(torch.full(x.shape, 0.4))"
    for line in (*WIDE, *OTHERS, *NN, *DATA):
        yield "", line


def tensors(found):
    """The tensors in `found`, and what else is there as tensors."""
    if isinstance(found, torch.Tensor):
        yield found.detach()
    elif isinstance(found, (list, tuple)):
        for part in found:
            yield from tensors(part)
    else:
        yield torch.tensor(found)


def digest(found):
    """A few bytes that tell answers apart: of dtypes, shapes and bits."""
    total = hashlib.sha256()
    for tensor in tensors(found):
        total.update(f"{tensor.dtype} {tuple(tensor.shape)};".encode())
        total.update(bytes(tensor.contiguous().flatten().view(torch.uint8).tolist()) if tensor.numel() else b"")
    return total.hexdigest()[:10]


class Draws(torch.utils.data.Dataset):
    """A random number for each index."""

    def __len__(self):
        return 6

    def __getitem__(self, index):
        return torch.rand(1)


def worker_draws(context=None):
    """What two workers' datasets draw."""
    torch.manual_seed(5)
    loader = torch.utils.data.DataLoader(Draws(), batch_size=2, num_workers=2, multiprocessing_context=context)
    return [x for batch in loader for x in batch.flatten().tolist()]


def near(line, seed=20260):
    """The numbers that a line gives, and the digest of the generator's state after it."""
    torch.manual_seed(seed)
    found = eval(line, {"torch": torch}).detach().flatten()[:24].tolist()
    return [[float(f"{x:.6g}") for x in found], digest(torch.get_rng_state())]


def answer(before, line, seed=20260):
    """The digests of what a line gives and of the generator's state after it."""
    torch.manual_seed(seed)
    scope = {"torch": torch}
    exec(before, scope)
    found = eval(line, scope)
    return f"{digest(found)} {digest(torch.get_rng_state())}"
