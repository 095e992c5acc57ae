"""Programs to be traced: {name: (module or function, arguments, concrete_args)}. torch here may be this library or the
PyTorch that recorded the golden data (generate.py)."""

import math
import operator

import torch
import torch.nn.functional as F
from torch import fx, nn

PROGRAMS = {}


def program(*arguments, **concrete):
    """Notes a function, or a module's class, and what it is called with: sizes stand for tensors."""

    def note(made):
        torch.manual_seed(0)
        traced = made().eval() if isinstance(made, type) else made
        PROGRAMS[made.__name__] = (traced, arguments, concrete)
        return made

    return note


def tensor(*sizes):
    """Numbers that are the same everywhere."""
    count = math.prod(sizes)
    return (torch.arange(count, dtype=torch.float32) * 0.37 % 2 - 0.9).reshape(sizes)


fx.wrap("len")


@fx.wrap
def scaled(x, by=2):
    return x * (by if x.shape[0] > 1 else 1)


def asserting(x):
    """Not among the programs: see test_tracing.py."""
    assert x.sum() > 0, "not positive"
    return x + 1


X = tensor(2, 4)


@program(X)
def arithmetic(x):
    a = x + 1
    b = 2 - x * a / 3
    c = -(b**2) // 0.5 + +a % 0.7
    return abs(c) + (a @ b.T).sum()


@program(X.int())
def bits(x):
    return (x & 1) | (x ^ 3), ~x, x << 1, x >> 1, 3 & x, 1 | x


@program(X)
def comparisons(x):
    return x == 1, x != 1, x < 1, x <= 1, x > 1, x >= 1, 1 > x


@program(X)
def in_place(x):
    y = x.clone()
    y += 1
    y *= 2
    y -= x
    y /= 3
    return y.relu_()


@program(X)
def indexing(x):
    return x[0], x[:, 1:], x[..., None], x[x.shape[0] // 2 :, ::2], x[:, [0, 2]], x[None, 0, ..., -1]


@program(X)
def attributes(x):
    return x.T.shape, x.dtype, x.view(x.size(0), -1).mT.size()[1:], x.max(dim=1).values


@program(X)
def containers(x):
    a, b = x.chunk(2, 1)
    (c, d), e = [a, b], x.split([1, 3], dim=1)
    first, second = e
    return {"a": [c, (d, None)], "b": first, "n": 3, "s": "text", "t": (second,)}


@program(X)
def constants(x):
    c = torch.tensor([1.0, 2.0, 3.0, 4.0])
    return x + c, c * x, x.to(torch.float64), x.to(torch.device("cpu"), dtype=torch.float16), x * math.pi


@program(X)
def shapes(x):
    n = x.shape[0]
    return torch.zeros(n), torch.ones([n, 3]), x.view(n, -1), x.expand(n, 4), torch.arange(n), torch.full((n,), 1.5)


@program(X, 3)
def wrapped(x, k):
    return scaled(x, by=k) + len(x) + math.sqrt(k) + math.floor(math.e)


@program(X, flag=False)
def specialised(x, flag: bool = True, scale: float = 2.0):
    if flag:
        return x * scale
    return x / scale


@program(X, [X, {"a": X}])
def annotated(
    x: torch.Tensor, y: list[torch.Tensor], k: int | None = None, d: dict[str, float] | None = None
) -> tuple[torch.Tensor, int]:
    return x + y[0] + y[1]["a"], 1


@program(X)
def keyword_only(x, *, scale=2.0, name="n"):
    return x * scale


@program(X, X)
def varargs(*args, **kwargs):
    return args[0] + args[1]


@program({"a": (X, X), "b": X}, d={"a": (fx.PH, fx.PH), "b": fx.PH})
def trees(d):
    return {"r": d["a"][0] + d["b"], "s": [d["a"][1]]}


@program(X)
def functions(x):
    a = torch.cat([x, x], dim=1)
    b = torch.stack((x, x)).sum(0, keepdim=True)
    c = torch.where(x > 0, x, 0.0)
    d = torch.flatten(x, 0).sort(descending=True)
    e = torch.einsum("ij,kj->ik", x, x)
    return a, b.squeeze(), torch.clamp(c, min=0.1, max=1), d[0], e, torch.add(x, x, alpha=2)


@program(X)
def functional(x):
    y = F.relu(x)
    y = F.softmax(F.leaky_relu(y, 0.1), dim=1)
    y = F.layer_norm(y, (4,))
    y = F.dropout(y, 0.5, False)
    y = F.pad(y, (1, 1), value=2.0)
    return F.normalize(y), F.mse_loss(y, y), F.hardtanh(y), F.silu(y), F.elu(y, alpha=0.5), F.log_softmax(y, -1)


@program(tensor(1, 3, 8, 8), tensor(4, 3, 3, 3))
def images(x, w):
    y = F.conv2d(x, w, stride=2, padding=1)
    y = F.max_pool2d(y, 2) + F.avg_pool2d(y, 2)
    y = F.interpolate(y, scale_factor=2, mode="nearest")
    y = F.adaptive_avg_pool2d(y, (1, 1))
    return F.group_norm(y, 2), F.batch_norm(x, None, None, training=True), y.flatten(1)


@program(X)
def operators(x):
    return operator.add(x, 1), operator.getitem(x, 0), operator.neg(x), operator.concat([x], [x])[0]


@program(X)
def unused(x):
    x.sum()
    torch.relu(x)
    return x


@program(X)
class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 4), nn.Tanh()))

    def forward(self, x):
        return self.layers(self.layers(x)) + x


@program(X)
class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(tensor(4, 4))
        self.inner = nn.Linear(4, 4)
        self.register_buffer("offset", tensor(4))
        self.constant = tensor(4)
        self.factor = 3

    def forward(self, x):
        y = x @ self.weight + self.offset
        z = self.weight * self.factor + self.inner.bias
        return y * self.constant + z.sum(), self.offset + self.inner.weight


@program(tensor(2, 3, 8, 8))
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(6)
        self.downSample = nn.Sequential(nn.Conv2d(3, 6, 1), nn.BatchNorm2d(6))
        self.act = nn.ReLU(inplace=True)
        self.heads = nn.ModuleList([nn.Linear(6, 2), nn.Linear(6, 3)])
        self.named = nn.ModuleDict({"a-b": nn.Identity()})

    def forward(self, x):
        y = self.act(self.bn1(self.conv1(x)))
        y += self.downSample(x)
        y = self.named["a-b"](F.adaptive_avg_pool2d(y, 1).flatten(1))
        return [head(y) for head in self.heads]


class Inner(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.proj = nn.Linear(size, size)
        self.scale = nn.Parameter(torch.ones(size))

    def forward(self, x, residual=None):
        y = self.proj(x) * self.scale
        return y if residual is None else y + residual


@program(X)
class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Inner(4) for _ in range(3)])
        self.norm = nn.LayerNorm(4)

    def forward(self, x):
        for block in self.blocks:
            x = block(x, residual=x)
        return self.norm(x).mean(dim=[0, 1], keepdim=True)


@program(tensor(2, 5, 8))
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).reshape(B, T, 3, 2, C // 2).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-2, -1)) * (C // 2) ** -0.5
        return self.out((att.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, C))
