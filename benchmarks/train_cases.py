"""What benchmarks/train.py measures: one case a line. The same text runs on our library and on PyTorch.

`setup` is run once in a namespace of its own, which knows torch, nn and F; `run` is what is timed. `items`: a call
counts as so many. `goal`: how many times PyTorch's speed is wanted at least.
"""

from typing import NamedTuple


class Case(NamedTuple):
    group: str
    name: str
    setup: str
    run: str
    goal: float
    items: int = 1


# One step of training `model` from x to classes y: what every model's case runs.
STEP = """
def step():
    optimizer.zero_grad()
    F.cross_entropy(model(x).flatten(0, -2), y.flatten()).backward()
    optimizer.step()
"""
MLP = "model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))\n"
SGD = "optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)\n"
ADAM = "optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)\n"
DIGITS = """
from digits_cnn import Net
model = Net()
x, y = torch.rand(64, 1, 8, 8), torch.randint(10, (64,))
"""
GPT = """
from char_gpt import GPT, Config
gpt = GPT(Config(characters=65, block=128, layers=4, heads=4, width=128))
optimizer = gpt.configure_optimizers(1e-3, 0.1)
x, y = torch.randint(65, (8, 128)), torch.randint(65, (8, 128))
def step():
    optimizer.zero_grad(set_to_none=True)
    gpt(x, y)[1].backward()
    nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
    optimizer.step()
"""
LSTM = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(100, 64), nn.Linear(128, 100)
        self.lstm = nn.LSTM(64, 128, batch_first=True)
    def forward(self, x):
        return self.head(self.lstm(self.embed(x))[0])
model = Model()
x, y = torch.randint(100, (16, 32)), torch.randint(100, (16, 32))
"""
WORDS = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(10000, 64), nn.Linear(64, 20)
    def forward(self, x):
        return self.head(self.embed(x).mean(1))
model = Model()
x, y = torch.randint(10000, (64, 32)), torch.randint(20, (64,))
"""
CHAIN = """
w = torch.ones(1, requires_grad=True)
def chain():
    x = w
    for _ in range(100):
        x = x * 0.99
    x.backward()
"""
CONVOLUTION = """
x = torch.randn(8, 64, 56, 56, requires_grad=True)
w = torch.randn(64, 64, 3, 3, requires_grad=True)
g = torch.randn(8, 64, 56, 56)
"""
PARAMETERS = """
parameters = [torch.randn({size}, {size}, dtype=torch.{dtype}, requires_grad=True) for _ in range({count})]
for parameter in parameters:
    parameter.grad = torch.randn_like(parameter)
optimizer = torch.optim.{kind}(parameters{options})
"""
# With default options, and fused where there is that.
OPTIMIZERS = [
    *((kind, "") for kind in ("Adadelta", "Adamax", "NAdam", "RAdam", "ASGD", "Rprop", "RMSprop", "Adafactor", "Muon")),
    *((kind, options) for kind in ("Adam", "AdamW", "SGD", "Adagrad") for options in ("", ", fused=True")),
    ("SGD", ", momentum=0.9"),
    ("SGD", ", momentum=0.9, fused=True"),
]
# Many small parameters; large ones; and in half types what one loop does. PyTorch's fused SGD without momentum leaves float16
# as it is.
PARAMETER_CASES = [
    *((20, 8, "float32", *optimizer) for optimizer in OPTIMIZERS),
    *(
        (20, 300, dtype, kind, options)
        for dtype in ("float32", "bfloat16", "float16")
        for kind, options in OPTIMIZERS
        if dtype == "float32" or kind not in ("Adafactor", "Muon")
        if (dtype, kind, options) != ("float16", "SGD", ", fused=True")
    ),
    (1000, 8, "float32", "SGD", ", momentum=0.9, fused=True"),
]
VISION = """
from vision_models import NETWORKS
model = NETWORKS["{network}"](){format}
x, y = torch.randn(8, 3, 224, 224){format}, torch.randint(1000, (8,))
"""
# The networks of vision_models.py; with images and weights in channels_last, too, what is made of convolutions.
VISION_CASES = [
    *((network, "") for network in ("AlexNet", "VGG-11", "ResNet-18", "ResNet-50", "MobileNet-v2", "ViT-B/16")),
    *((network, "channels_last") for network in ("AlexNet", "VGG-11", "ResNet-18", "ResNet-50", "MobileNet-v2")),
]
LOADER = """
from torch.utils.data import DataLoader, Dataset
class Rows(Dataset):
    def __init__(self):
        self.x, self.y = torch.rand(10000, 64), torch.randint(10, (10000,))
    def __len__(self):
        return 10000
    def __getitem__(self, i):
        return self.x[i], self.y[i]
loader = DataLoader(Rows(), batch_size=64, shuffle=True, num_workers={workers}, persistent_workers={workers} > 0)
def read():
    for x, y in loader:
        pass
"""

STEPS = [
    Case("autograd", "(w*w).backward()", "w = torch.ones(1, requires_grad=True)", "(w * w).backward()", 5),
    Case(
        "autograd",
        "chain of 100",
        CHAIN,
        "chain()",
        1.1,
    ),
    Case("step", "MLP, batch 32", f"{MLP}{SGD}x, y = torch.rand(32, 64), torch.randint(10, (32,)){STEP}", "step()", 3),
    Case(
        "step",
        "MLP, batch 1024",
        f"{MLP}{SGD}x, y = torch.rand(1024, 64), torch.randint(10, (1024,)){STEP}",
        "step()",
        1.1,
    ),
    Case("step", "CNN on digits", f"{DIGITS}{SGD}{STEP}", "step()", 1.1),
    Case(
        "step",
        "conv 8x64x56x56",
        CONVOLUTION,
        "torch.autograd.grad(F.conv2d(x, w, padding=1), (x, w), g)",
        1.1,
    ),
    Case("step", "GPT", GPT, "step()", 1.1),
    Case("step", "LSTM", f"{LSTM}{ADAM}{STEP}", "step()", 1.1),
    Case("step", "embedding + linear", f"{WORDS}{SGD}{STEP}", "step()", 1.1),
    *(
        Case(
            "vision",
            f"{network}, batch 8{', ' + format if format else ''}",
            VISION.format(network=network, format=format and f".to(memory_format=torch.{format})") + SGD + STEP,
            "step()",
            1.2,
        )
        for network, format in VISION_CASES
    ),
    *(
        Case(
            "optim",
            f"{kind}{f' ({options[2:]})' if options else ''}, {count} parameters of {size}x{size}"
            + (f", {dtype}" if dtype != "float32" else ""),
            PARAMETERS.format(kind=kind, options=options, count=count, size=size, dtype=dtype),
            "optimizer.step()",
            1.0,
        )
        for count, size, dtype, kind, options in PARAMETER_CASES
    ),
    Case(
        "optim",
        "Adam, 1000 parameters of 8x8",
        PARAMETERS.format(kind="Adam", options="", count=1000, size=8, dtype="float32"),
        "optimizer.step()",
        1.1,
    ),
    Case("data", "DataLoader, 0 workers", LOADER.format(workers=0), "read()", 1.1, 10000),
    Case("data", "DataLoader, 2 workers", LOADER.format(workers=2), "read()", 1.1, 10000),
]

# ---- torch.nn.functional, forward and backward ----------------------------------------------------------------------
# Sizes {n}, {m} of what the statements see: x and z (n, m), positive p, classes c (n,), signs s (n,), and images of one,
# two and three dimensions, t, i and d, with 4 channels.
SIZES = {"small": {"n": 8, "m": 16, "b": 2, "k": 8}, "large": {"n": 256, "m": 1024, "b": 16, "k": 32}}
OPERANDS = """
x = torch.randn({n}, {m}, requires_grad=True)
z = torch.randn({n}, {m})
p = torch.rand({n}, {m})
c = torch.randint({m}, ({n},))
s = torch.randint(2, ({n},)) * 2.0 - 1
v = torch.rand({m}, requires_grad=True)
i = torch.randn({b}, 4, {k}, {k}, requires_grad=True)
t = torch.randn({b}, 4, {k}, requires_grad=True)
d = torch.randn({b}, 4, {k} // 2, {k} // 2, {k} // 2, requires_grad=True)
h = torch.rand(4, requires_grad=True)
"""
POINTWISE = (
    "celu elu gelu glu hardshrink hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish relu relu6 selu sigmoid "
    "silu softplus softshrink softsign tanh tanhshrink dropout normalize"
).split()
ALONG = "softmax log_softmax softmin gumbel_softmax".split()
LOSSES = "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss poisson_nll_loss kl_div".split()
POOLS = "avg_pool max_pool adaptive_avg_pool adaptive_max_pool".split()
DIMENSIONS = {1: "t", 2: "i", 3: "d"}  # images of 1, 2 and 3 dimensions
FUNCTIONS = {  # name: (statement, what to differentiate by, more preparation)
    **{name: (f"F.{name}(x)", "x", "") for name in POINTWISE},
    **{name: (f"F.{name}(x, dim=-1)", "x", "") for name in ALONG},
    **{name: (f"F.{name}(x, z)", "x", "") for name in LOSSES},
    **{f"{name}{k}d": (f"F.{name}{k}d({on}, 2)", on, "") for name in POOLS for k, on in DIMENSIONS.items()},
    **{
        f"conv{k}d": (
            f"F.conv{k}d({on}, w, padding=1)",
            f"{on}, w",
            f"w = torch.randn({(8, 4) + (3,) * k}, requires_grad=True)",
        )
        for k, on in DIMENSIONS.items()
    },
    **{
        f"conv_transpose{k}d": (
            f"F.conv_transpose{k}d({on}, w, stride=2)",
            f"{on}, w",
            f"w = torch.randn({(4, 8) + (3,) * k}, requires_grad=True)",
        )
        for k, on in DIMENSIONS.items()
    },
    **{
        f"interpolate {mode}": (f"F.interpolate({on}, scale_factor=2, mode='{mode}')", on, "")
        for mode, on in (("nearest", "i"), ("linear", "t"), ("bilinear", "i"), ("bicubic", "i"), ("trilinear", "d"))
    },
    **{
        f"pad {mode}": (f"F.pad(i, (1, 2, 1, 2), mode='{mode}')", "i", "")
        for mode in ("constant", "reflect", "replicate")
    },
    "rrelu": ("F.rrelu(x, training=True)", "x", ""),
    "alpha_dropout": ("F.alpha_dropout(x, training=True)", "x", ""),
    "threshold": ("F.threshold(x, 0.1, 0.0)", "x", ""),
    "prelu": ("F.prelu(x, v)", "x, v", ""),
    "layer_norm": ("F.layer_norm(x, (x.shape[1],), v, v)", "x, v", ""),
    "rms_norm": ("F.rms_norm(x, (x.shape[1],), v)", "x, v", ""),
    "batch_norm": ("F.batch_norm(i, None, None, h, h, True)", "i, h", ""),
    "group_norm": ("F.group_norm(i, 2, h, h)", "i, h", ""),
    "instance_norm": ("F.instance_norm(i, None, None, h, h)", "i, h", ""),
    "local_response_norm": ("F.local_response_norm(i, 3)", "i", ""),
    "lp_pool2d": ("F.lp_pool2d(i, 2, 2)", "i", ""),
    "linear": ("F.linear(x, w)", "x, w", "w = torch.randn(64, {m}, requires_grad=True)"),
    "bilinear": ("F.bilinear(x[:, :16], x[:, :16], w)", "x, w", "w = torch.randn(8, 16, 16, requires_grad=True)"),
    "embedding": ("F.embedding(c, w)", "w", "w = torch.randn({m}, 32, requires_grad=True)"),
    "embedding_bag": ("F.embedding_bag(c.view(-1, 4), w)", "w", "w = torch.randn({m}, 32, requires_grad=True)"),
    "cross_entropy": ("F.cross_entropy(x, c)", "x", ""),
    "nll_loss": ("F.nll_loss(x, c)", "x", ""),
    "binary_cross_entropy": ("F.binary_cross_entropy(q, p)", "q", "q = torch.rand({n}, {m}, requires_grad=True)"),
    "binary_cross_entropy_with_logits": ("F.binary_cross_entropy_with_logits(x, p)", "x", ""),
    "gaussian_nll_loss": ("F.gaussian_nll_loss(x, z, p)", "x", ""),
    "hinge_embedding_loss": ("F.hinge_embedding_loss(x, s.unsqueeze(1))", "x", ""),
    "margin_ranking_loss": ("F.margin_ranking_loss(x, z, s.unsqueeze(1))", "x", ""),
    "multi_margin_loss": ("F.multi_margin_loss(x, c)", "x", ""),
    "multilabel_margin_loss": ("F.multilabel_margin_loss(x[:8], q)", "x", "q = torch.randint(-1, {m}, (8, {m}))"),
    "multilabel_soft_margin_loss": ("F.multilabel_soft_margin_loss(x, p)", "x", ""),
    "cosine_embedding_loss": ("F.cosine_embedding_loss(x, z, s)", "x", ""),
    "triplet_margin_loss": ("F.triplet_margin_loss(x, z, p)", "x", ""),
    "ctc_loss": (
        "F.ctc_loss(F.log_softmax(q, -1), a, u, e)",
        "q",
        "q = torch.randn(32, {n}, 20, requires_grad=True); a = torch.randint(1, 20, ({n}, 10)); "
        "u = torch.full(({n},), 32); e = torch.full(({n},), 10)",
    ),
    "cosine_similarity": ("F.cosine_similarity(x, z)", "x", ""),
    "pairwise_distance": ("F.pairwise_distance(x, z)", "x", ""),
    "pdist": ("F.pdist(x)", "x", ""),
    "unfold": ("F.unfold(i, 3, padding=1)", "i", ""),
    "fold": ("F.fold(q, 8, 3, padding=1)", "q", "q = torch.randn({b}, 36, 64, requires_grad=True)"),
    "pixel_shuffle": ("F.pixel_shuffle(i, 2)", "i", ""),
    "pixel_unshuffle": ("F.pixel_unshuffle(i, 2)", "i", ""),
    "channel_shuffle": ("F.channel_shuffle(i, 2)", "i", ""),
    "grid_sample": (
        "F.grid_sample(i, q, align_corners=False)",
        "i, q",
        "q = (torch.rand({b}, {k}, {k}, 2) * 2 - 1).requires_grad_()",
    ),
    "affine_grid": (
        "F.affine_grid(q, i.shape, align_corners=False)",
        "q",
        "q = torch.randn({b}, 2, 3, requires_grad=True)",
    ),
    **{
        f"scaled_dot_product_attention{' causal' if causal else ''}": (
            f"F.scaled_dot_product_attention(*q, is_causal={causal})",
            "*q",
            "q = [torch.randn({b}, 4, {k} * 4, 32, requires_grad=True) for _ in range(3)]",
        )
        for causal in (False, True)
    },
}


def function_case(name, size):
    """A case that runs a function and takes its gradients."""
    statement, inputs, more = FUNCTIONS[name]
    setup = f"torch.manual_seed(0)\n{(OPERANDS + more).format(**SIZES[size])}\ng = torch.ones_like({statement})"
    return Case("functional", f"{name}, {size}", setup, f"torch.autograd.grad({statement}, ({inputs},), g)", 0.9)


CASES = STEPS + [function_case(name, size) for name in FUNCTIONS for size in SIZES]
