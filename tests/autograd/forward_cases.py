"""Programs with tangents, one a line, inside of a level; `;;` stands between statements, the last of which is an expression of
tensors, which are unpacked. The same code runs under PyTorch, which writes data/forward.json, and here."""

import torch
from torch.autograd import forward_ad

PROGRAMS = """
a * a
a + 1
1 - a
a * b
a @ b
a.sin() * b.exp()
a / b
a ** 3
2 ** a
(a * 2).detach()
a.clone()
c * 2
torch.cat([a, c])
torch.stack([a, b, c])
torch.where(c > 0, a, b)
a.sum(), a.mean(), a.prod(), a.var(), a.std()
a.max(), a.argmax(), a.max(0)
a.sort(descending=True)
a > 0, a.round(), a.sign(), torch.zeros_like(a)
torch.relu(a), torch.nn.functional.gelu(a), torch.sigmoid(a)
m @ m.T
m.inverse(), torch.linalg.det(m), torch.logdet(m @ m.T)
torch.linalg.solve(m, a[:2])
torch.linalg.svdvals(m), torch.linalg.qr(m)[1]
torch.linalg.eigvalsh(m + m.T)
m.T, m[0], m[:, 1], m.reshape(-1), m.diagonal(), m.unsqueeze(0)
m.expand(3, 2, 2).sum(0)
m.split(1, 1), m.unbind(0), torch.broadcast_tensors(a[:2], torch.zeros(2, 2))
torch.einsum('ij,jk->ik', m, m)
torch.logsumexp(m, 1), m.softmax(0), m.log_softmax(1), m.cumsum(0)
torch.nn.functional.linear(m, w, w[0])
torch.nn.functional.mse_loss(m, w), torch.nn.functional.cross_entropy(m, torch.tensor([1, 0]))
torch.nn.functional.layer_norm(m, (2,)), torch.nn.functional.normalize(m)
torch.nn.functional.conv1d(m[None], w[None])
torch.nn.functional.conv2d(a.reshape(1, 1, 1, 3), torch.ones(1, 1, 1, 2)), torch.nn.functional.avg_pool1d(a[None, None], 2)
torch.fft.rfft(a).abs(), torch.fft.ifft(z)
z * z, z.conj() * 1, z.abs(), z.angle(), z.real, z.imag, torch.view_as_real(z)
z.exp() / z, (z * a[:2]).sum()
torch.complex(a, b) * 1j
a.double() * 2, a.half().float()
a.mul_(3);;a
a.mul_(b);;a, b
a.add_(c).sin_();;a
a.zero_();;a
v = a[0];;v.mul_(10);;a, v
v = a[:2];;a.mul_(2);;v, a
v = m.T[0];;m.add_(m);;v, m
v = m.T;;v[0, 1] = a[2];;m, v
n = torch.zeros(3);;n.copy_(a * 2);;n
n = torch.zeros(3);;n[0] = a[1];;n
n = torch.zeros(3);;v = n[:1];;v.copy_(a[:1]);;n, v
n = torch.zeros(3);;v = n[1:];;n.add_(a);;v
n = torch.zeros(2, 2);;n[0].add_(a[:2]);;n.T
n = torch.zeros(3);;n += a;;n *= 2;;n
m.t_();;m
m.unsqueeze_(0);;m
a[1] = 5;;a
a[torch.tensor([True, False, True])] = b[:2];;a
torch.nn.functional.relu(a, inplace=True);;a
a.index_add(0, torch.tensor([0, 0]), b[:2]), a.gather(0, torch.tensor([2, 0])), a.flip(0), a.roll(1)
a.masked_fill(c > 0, 0.0), torch.clamp(a, 0.0, 1.0), torch.maximum(a, b), torch.lerp(a, b, 0.25)
y = a * r;;y, y * 2
w2 = torch.nn.Parameter(w.clone());;d = make_dual(w2, w);;(d * d).sum()
no = torch.no_grad();;no.__enter__();;y = a * a;;no.__exit__(None, None, None);;y
y = a.detach();;y.mul_(2);;y
Square.apply(a), Square.apply(c)
Pair.apply(a, c, 2)
Kept.apply(a)
y = unpack_dual(a * 2).primal;;y * 3, y[0]
torch.nn.Linear(2, 2)(m) * 0
torch.nn.functional.dropout(a, 0.5, training=False), torch.nn.functional.batch_norm(m, None, None, training=True)
torch.xlogy(q, a[:2].abs()), torch.sinc(q), torch.special.entr(a.abs())
torch.logcumsumexp(a, 0), torch.std_mean(a), torch.norm(m), m.norm(dim=0)
torch.special.i0(a), torch.lgamma(b), torch.erf(a), torch.atan2(a, b), torch.hypot(a, b)
torch.autograd.functional.jacobian(lambda x: x ** 2, c)
make_dual(c, b.detach()) * 2
unpack_dual(make_dual(c, t)).tangent is t
make_dual(c, t.double()) * 2
a.requires_grad, (a * a).requires_grad, (a * a).is_leaf, (a * r).requires_grad
repr(a), repr(a.sum()), repr(a[0])
make_dual(a, t)
make_dual(c, a)
make_dual(c, t[:2])
make_dual(c, torch.ones(3, dtype=torch.int64))
make_dual(c.long(), t)
make_dual(c, t, level=1)
enter_dual_level()
torch.mul(a, a, out=torch.zeros(3))
Bare.apply(a)
Short.apply(a)
torch.nn.functional.ctc_loss(m.reshape(2, 1, 2).log_softmax(2), torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1]))
""".strip().splitlines()

OUTSIDE = """
make_dual(torch.ones(2), torch.ones(2))
unpack_dual(torch.ones(2))
exit_dual_level()
level = enter_dual_level();;exit_dual_level(level=level);;level
""".strip().splitlines()


class Square(torch.autograd.Function):
    """Keeps what jvp() needs by setup_context()."""

    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx, tangent):
        return 2 * ctx.saved_tensors[0] * tangent


class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, number):
        ctx.number = number
        return x * number, x + y

    @staticmethod
    def jvp(ctx, x, y, number):
        assert number is None
        return x * ctx.number, x + y


class Kept(Square):
    """Without zeros for missing tangents."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        ctx.save_for_forward(*inputs)


class Bare(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Short(Bare):
    @staticmethod
    def jvp(ctx, tangent):
        return tangent[0]


def numbers(tensor):
    values = tensor.detach()
    return (torch.view_as_real(values) if values.is_complex() else values).flatten().tolist()


def encoded(value):
    if isinstance(value, torch.Tensor):
        primal, tangent = forward_ad.unpack_dual(value)
        said = {"primal": f"{primal.dtype} {tuple(primal.shape)}", "values": numbers(primal)}
        if primal.requires_grad:
            said["requires_grad"] = True
        if tangent is not None:
            said["tangent"] = numbers(tangent)
        return said
    if isinstance(value, (tuple, list)):
        return [encoded(each) for each in value]
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def space():
    torch.manual_seed(0)
    plain = {
        "a": torch.tensor([0.5, -1.25, 2.0]),
        "b": torch.tensor([1.5, 0.75, 2.5]),
        "m": torch.tensor([[2.0, 0.5], [-1.0, 1.5]]),
        "z": torch.tensor([1 + 2j, -0.5 + 1j]),
        "q": torch.tensor([0.0, 0.25]),
    }
    along = {
        "a": torch.tensor([1.0, -0.5, 0.25]),
        "b": torch.tensor([-2.0, 1.0, 0.5]),
        "m": torch.tensor([[1.0, 2.0], [0.5, -1.0]]),
        "z": torch.tensor([0.5 - 1j, 2 + 0.25j]),
        "q": torch.tensor([1.5, -1.0]),
    }
    duals = {name: forward_ad.make_dual(plain[name], along[name]) for name in plain}
    more = {
        "c": torch.tensor([1.0, -1.0, 0.5]),
        "w": torch.tensor([[0.5, 1.0], [1.5, -0.5]]),
        "t": torch.tensor([3.0, 4.0, 5.0]),
    }
    functions = {name: getattr(forward_ad, name) for name in forward_ad.__all__}
    classes = {each.__name__: each for each in (Square, Pair, Kept, Bare, Short)}
    return {"torch": torch, "r": torch.ones(3, requires_grad=True), **duals, **more, **functions, **classes}


def run(line, names):
    *statements, last = line.split(";;")
    for statement in statements:
        exec(statement.strip(), names)
    return encoded(eval(last.strip(), names))


def answer(line):
    """What a program answers: values and tangents, or the kind of error."""
    try:
        if line in OUTSIDE:
            return run(line, {"torch": torch, **{name: getattr(forward_ad, name) for name in forward_ad.__all__}})
        with forward_ad.dual_level():
            return run(line, space())
    except Exception as error:
        return {"error": type(error).__name__}


def rows():
    return {line: answer(line) for line in (*PROGRAMS, *OUTSIDE)}
