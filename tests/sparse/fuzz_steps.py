"""Steps of random programs on sparse tensors: functions of one or two tensors, by kind."""

import torch

UNARY = """abs neg sign sgn sin tan tanh asin asinh atan atanh sinh sqrt expm1 log1p trunc floor ceil round frac square relu
    isnan isinf isposinf isneginf signbit nan_to_num positive conj_physical real imag angle deg2rad erf tril triu nonzero
    count_nonzero logical_not exp isfinite clone detach t diag trace""".split()
PAIRS = """add sub mul maximum minimum fmax fmin eq ne lt gt le ge logical_and logical_or logical_xor bitwise_and bitwise_or
    bitwise_xor hypot atan2 gcd div floor_divide remainder fmod copysign""".split()
REDUCTIONS = "sum amax amin mean prod any all norm count_nonzero max min".split()


def own_seed(random):
    """A generator for a step, that it starts anew for each of its operands."""
    return type(random), random.random()


def coalesced(t):
    return t.coalesce() if t.layout == torch.sparse_coo else t


def unary(random):
    name = random.choice(UNARY + ["coalesce", "to_sparse", "to_layout", "to_dtype", "softmax of dense dimensions"])
    kind, seed = own_seed(random)
    if name == "coalesce":
        return name, coalesced
    if name == "to_sparse":
        return name, lambda t: t.to_sparse(kind(seed).randint(1, t.dim())) if t.dim() else t
    if name == "to_dtype":
        dtype = random.choice((torch.float64, torch.float32, torch.int64, torch.complex128, torch.bool, torch.float16))
        # Entry by entry, as in PyTorch: a sum of truncated ones is not the truncated sum.
        return f"to {dtype}", lambda t: coalesced(t).to(dtype)
    if name == "to_layout":
        layout = random.choice(
            (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)
        )
        blocks = {"blocksize": (1, 2)} if layout in (torch.sparse_bsr, torch.sparse_bsc) else {}
        return f"to {layout}", lambda t: t.to_sparse(layout=layout, **blocks)
    return name, getattr(torch, name) if hasattr(torch, name) else lambda t: t


def number(random):
    value = random.choice((0, 1, 2, -1, 0.5, True, 3))
    some = value or 3
    functions = {
        "mul": lambda t: t * value,
        "rmul": lambda t: value * t,
        "div": lambda t: t / some,
        "pow": lambda t: t ** (abs(value) or 2),
        "gt": lambda t: t > value,
        "ge": lambda t: t >= value,
        "ne": lambda t: t != value,
        "eq": lambda t: t == value,
        "lt": lambda t: t < value,
        "add": lambda t: t + value,
        "sub": lambda t: t - value,
        "rsub": lambda t: value - t,
        "rdiv": lambda t: value / t,
        "floor": lambda t: t // some,
        "trunc": lambda t: torch.div(t, some, rounding_mode="trunc"),
        "mod": lambda t: t % some,
        "fmod": lambda t: torch.fmod(t, some),
        "clamp": lambda t: t.clamp(min=-abs(value)),
        "clamp two": lambda t: t.clamp(-abs(value), abs(value)),
        "clamp to": lambda t: t.clamp(max=value),
        "maximum": lambda t: torch.maximum(t, torch.tensor(value, dtype=t.dtype)),
        "mul of a tensor": lambda t: t * torch.tensor(value),
        "mul of one element": lambda t: t * torch.tensor([value], dtype=t.dtype),
    }
    name = random.choice(list(functions))
    return f"{name} {value}", functions[name]


def some_dims(random, t):
    chosen = random.sample(range(t.dim()), random.randint(1, t.dim())) if t.dim() else []
    return tuple(d - t.dim() if random.random() < 0.2 else d for d in chosen)


def reduction(random):
    name, keepdim, whole = random.choice(REDUCTIONS), random.random() < 0.5, random.random() < 0.3
    p = random.choice((0, 1, 2, 3, float("inf"), -float("inf")))
    kind, seed = own_seed(random)

    def reduce(t):
        function, own = getattr(torch, name), kind(seed)
        more = {"p": p} if name == "norm" else {}
        if whole or name in ("max", "min"):
            return function(t, **more)
        chosen = some_dims(own, t)
        if name == "prod":
            return function(t, chosen[0] if chosen else 0, keepdim)
        if name == "count_nonzero":
            return function(t, chosen)
        return function(t, dim=chosen, keepdim=keepdim, **more)

    return f"{name}{' of all' * whole}{' keepdim' * keepdim}{f' {p}' * (name == 'norm')}", reduce


def some_index(random, n):
    """Negative ones among them, and seldom one too far."""
    if random.random() < 0.03:
        return random.choice((n, -n - 1))
    return random.randrange(-n, n) if n else 0


def shape(random):
    kind, seed = own_seed(random)
    functions = {
        "transpose": lambda t, own, d, i, n: t.transpose(d, own.randrange(t.dim())),
        "permute": lambda t, own, d, i, n: t.permute(own.sample(range(t.dim()), t.dim())),
        "unsqueeze": lambda t, own, d, i, n: t.unsqueeze(own.randint(-t.dim() - 1, t.dim())),
        "squeeze": lambda t, own, d, i, n: t.squeeze(),
        "squeeze one": lambda t, own, d, i, n: t.squeeze(d),
        "select": lambda t, own, d, i, n: t.select(d, i),
        "narrow": lambda t, own, d, i, n: t.narrow(d, max(0, i), own.randint(0, n - max(0, i)) if i < n else 1),
        "narrow_copy": lambda t, own, d, i, n: t.narrow_copy(
            d, max(0, i), own.randint(0, n - max(0, i)) if i < n else 1
        ),
        "index_select": lambda t, own, d, i, n: t.index_select(
            d, torch.tensor([some_index(own, n) % (n or 1) for _ in range(own.randint(0, 4))], dtype=torch.int64)
        ),
        "flip": lambda t, own, d, i, n: t.flip(some_dims(own, t)),
        "flatten": lambda t, own, d, i, n: t.reshape(-1),
        "reshape": lambda t, own, d, i, n: t.reshape(t.shape[0], -1),
        "reshape to columns": lambda t, own, d, i, n: t.reshape(-1, t.shape[-1]),
        "reshape to one more": lambda t, own, d, i, n: t.reshape(*t.shape[:d], 1, *t.shape[d:]),
        "unflatten": lambda t, own, d, i, n: t.unflatten(d, (-1, 2)),
        "repeat": lambda t, own, d, i, n: t.repeat(
            *(own.randint(0 if own.random() < 0.1 else 1, 2) for _ in range(t.dim()))
        ),
        "tile": lambda t, own, d, i, n: t.tile((2,)),
        "expand": lambda t, own, d, i, n: t.unsqueeze(0).expand(2, *t.shape),
        "expand one": lambda t, own, d, i, n: t.unsqueeze(d).expand(*t.shape[:d], 2, *t.shape[d:]),
        "slice": lambda t, own, d, i, n: t[i:],
        "slice to": lambda t, own, d, i, n: t[:i],
        "steps": lambda t, own, d, i, n: t[..., :: own.randint(1, 3)],
        "element": lambda t, own, d, i, n: t[i],
        "list": lambda t, own, d, i, n: t[[some_index(own, t.shape[0]) for _ in range(own.randint(0, 3))]],
        "mask": lambda t, own, d, i, n: t[torch.tensor([own.random() < 0.5 for _ in range(t.shape[0])])],
        "none": lambda t, own, d, i, n: t[None],
        "dots": lambda t, own, d, i, n: t[..., i],
        "unbind": lambda t, own, d, i, n: t.unbind(d)[i],
        "chunk": lambda t, own, d, i, n: t.chunk(2, d)[-1],
        "split": lambda t, own, d, i, n: t.split(own.randint(1, 3), d)[0],
        "diagonal": lambda t, own, d, i, n: t.diagonal(own.randint(-2, 2)),
        "diagonal of": lambda t, own, d, i, n: t.diagonal(0, d, own.randrange(t.dim())),
        "tril": lambda t, own, d, i, n: t.tril(own.randint(-2, 2)),
        "triu": lambda t, own, d, i, n: t.triu(own.randint(-2, 2)),
        "roll": lambda t, own, d, i, n: t.roll(own.randint(-3, 3), d),
        "movedim": lambda t, own, d, i, n: t.movedim(0, -1),
        "rot90": lambda t, own, d, i, n: t.rot90(),
        "mT": lambda t, own, d, i, n: t.mT,
    }
    name = random.choice(list(functions))

    def change(t):
        own = kind(seed)
        d = own.randrange(t.dim()) if t.dim() else 0
        n = t.shape[d] if t.dim() else 1
        return functions[name](t, own, d, some_index(own, n), n)

    return name, change


def pair(random):
    name = random.choice(PAIRS)
    return name, getattr(torch, name)


def product(random):
    functions = {
        "matmul": torch.matmul,
        "matmul of the transposed": lambda a, b: torch.matmul(a, b.transpose(-1, -2)),
        "mm": torch.mm,
        "mv": torch.mv,
        "bmm": torch.bmm,
        "addmm": lambda a, b: torch.addmm(a, b, b.transpose(0, 1), beta=0.5, alpha=2),
        "addmm of three": lambda a, b: torch.addmm(b, a, b),
        "baddbmm": lambda a, b: torch.baddbmm(a, a, b),
        "addmv": lambda a, b: torch.addmv(b, a, b),
        "linear": torch.nn.functional.linear,
        "cat": lambda a, b: torch.cat([a, b]),
        "cat last": lambda a, b: torch.cat([a, b, a], -1),
        "stack": lambda a, b: torch.stack([a, b]),
        "stack last": lambda a, b: torch.stack([a, b], -1),
        "hstack": lambda a, b: torch.hstack([a, b]),
        "kron": torch.kron,
        "outer": torch.outer,
        "dot": torch.dot,
        "add with alpha": lambda a, b: torch.add(a, b, alpha=3),
        "sub with alpha": lambda a, b: torch.sub(a, b, alpha=2),
        "addcmul": lambda a, b: torch.addcmul(a, a, b, value=2),
        "addcdiv": lambda a, b: torch.addcdiv(a, a, b),
        "lerp": lambda a, b: torch.lerp(a, b, 0.5),
        "div floor": lambda a, b: torch.div(a, b, rounding_mode="floor"),
        "dist": torch.dist,
        "equal": lambda a, b: torch.tensor(torch.equal(a, b)),
        "where": lambda a, b: torch.where(a > 0, a, b),
        "add broadcast": lambda a, b: a.unsqueeze(0) + b,
        "mul broadcast": lambda a, b: a.unsqueeze(0) * b,
        "index_add": lambda a, b: a.index_add(0, torch.arange(a.shape[0]), b),
    }
    name = random.choice(list(functions))
    return name, functions[name]


def changing(random):
    value = random.choice((2, 0.5, -1, 3))
    functions = {
        "neg_": lambda t: t.neg_(),
        "abs_": lambda t: t.abs_(),
        "sin_": lambda t: t.sin_(),
        "relu_": lambda t: t.relu_(),
        "sqrt_": lambda t: t.sqrt_(),
        "mul_": lambda t: t.mul_(value),
        "div_": lambda t: t.div_(value),
        "floor_divide_": lambda t: t.floor_divide_(value),
        "pow_": lambda t: t.pow_(2),
        "add_ of a number": lambda t: t.add_(value),
        "zero_": lambda t: t.zero_(),
        "clamp_": lambda t: t.clamp_(-1, 1),
        "add_ itself": lambda t: t.add_(t),
        "mul_ itself": lambda t: t.mul_(t),
        "unsqueeze_": lambda t: t.unsqueeze_(0),
        "squeeze_": lambda t: t.squeeze_(),
        "t_": lambda t: t.t_(),
        "transpose_": lambda t: t.transpose_(0, -1),
        "sgn_": lambda t: t.sgn_(),
        "nan_to_num_": lambda t: t.nan_to_num_(),
        "round_": lambda t: t.round_(),
        "exp_": lambda t: t.exp_(),
        "tril_": lambda t: t.tril_(),
        "resize_": lambda t: t.resize_(t.shape),
        "out= of itself": lambda t: torch.neg(t, out=t),
    }
    name = random.choice(list(functions))
    return name, functions[name]


def changing_by(random):
    functions = {
        "add_": lambda a, b: a.add_(b),
        "add_ with alpha": lambda a, b: a.add_(b, alpha=2),
        "sub_": lambda a, b: a.sub_(b),
        "mul_": lambda a, b: a.mul_(b),
        "div_": lambda a, b: a.div_(b),
        "copy_": lambda a, b: a.copy_(b),
        "addmm_": lambda a, b: a.addmm_(a, b),
        "addcmul_": lambda a, b: a.addcmul_(b, b),
        "maximum out=": lambda a, b: torch.maximum(a, b, out=a),
        "add out=": lambda a, b: torch.add(b, b, out=a),
        "mul out=": lambda a, b: torch.mul(a, b, out=a),
        "mm out=": lambda a, b: torch.mm(b, b, out=a),
        "cat out=": lambda a, b: torch.cat([b], out=a),
        "sum out=": lambda a, b: torch.sum(b, 0, out=a),
        "lerp_": lambda a, b: a.lerp_(b, 0.5),
        "ne_": lambda a, b: a.ne_(b),
        "index_add_": lambda a, b: a.index_add_(0, torch.arange(a.shape[0]), b),
    }
    name = random.choice(list(functions))
    return name, functions[name]


KINDS = (unary, number, reduction, shape, shape, shape, pair, pair, product, product, changing, changing_by)
OF_TWO = (pair, product, changing_by)
CHANGING = (changing, changing_by)
