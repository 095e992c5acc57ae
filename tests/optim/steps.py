"""Cases of optimisers and schedules that generate.py asks PyTorch for, and the tests ask us.

Nothing here is random to the library: parameters and gradients come from Python's own generator.
"""

import random

import torch

SHAPES = [(3, 4), (5,), ()]
LR = {"lr": 0.05}
AVERAGES = [{"betas": (0.5, 0.7)}, {"eps": 1e-2}, {"weight_decay": 0.1}, {"maximize": True}, {"foreach": True}]

# Each optimiser with each of its options, alone, and some together.
OPTIMIZERS = {
    "SGD": [
        *({}, LR, {"momentum": 0.9}, {"momentum": 0.9, "dampening": 0.3}, {"momentum": 0.9, "nesterov": True}),
        *({"weight_decay": 0.1}, {"maximize": True}, {"foreach": True}, {"fused": True}),
        {"lr": 0.1, "momentum": 0.5, "weight_decay": 0.1, "dampening": 0.2, "maximize": True},
    ],
    "Adam": [
        *({}, LR, *AVERAGES, {"amsgrad": True}, {"fused": True}, {"weight_decay": 0.1, "decoupled_weight_decay": True}),
        {"lr": 0.1, "amsgrad": True, "weight_decay": 0.1, "maximize": True, "betas": (0.8, 0.9)},
    ],
    "AdamW": [*({}, LR, *AVERAGES, {"amsgrad": True}, {"fused": True}), {"lr": 0.1, "amsgrad": True, "maximize": True}],
    "Adamax": [{}, LR, *AVERAGES],
    "NAdam": [
        *({}, LR, *AVERAGES, {"momentum_decay": 0.1}, {"weight_decay": 0.1, "decoupled_weight_decay": True}),
    ],
    "RAdam": [{}, LR, *AVERAGES, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "Adagrad": [
        *({}, LR, {"lr_decay": 0.1}, {"initial_accumulator_value": 0.1}, {"fused": True}),
        *({"eps": 1e-2}, {"weight_decay": 0.1}, {"maximize": True}, {"foreach": True}),
    ],
    "Adadelta": [
        *({}, LR, {"rho": 0.5}, {"eps": 1e-2}, {"weight_decay": 0.1}, {"maximize": True}, {"foreach": True}),
    ],
    "ASGD": [
        *({}, LR, {"lambd": 0.1}, {"alpha": 0.5}, {"t0": 3}, {"t0": 0}, {"weight_decay": 0.1}, {"maximize": True}),
        *({"foreach": True}, {"lr": 0.1, "lambd": 0.2, "t0": 2, "weight_decay": 0.1}),
    ],
    "RMSprop": [
        *({}, LR, {"alpha": 0.5}, {"eps": 1e-2}, {"momentum": 0.9}, {"centered": True}, {"weight_decay": 0.1}),
        *({"maximize": True}, {"foreach": True}, {"momentum": 0.5, "centered": True, "weight_decay": 0.1, "lr": 0.1}),
    ],
    "Rprop": [{}, LR, {"etas": (0.3, 2.0)}, {"step_sizes": (0.01, 0.1)}, {"maximize": True}, {"foreach": True}],
    "Adafactor": [
        *({}, LR, {"beta2_decay": -0.5}, {"eps": (1e-4, 1e-2)}, {"d": 2.0}, {"weight_decay": 0.1}, {"maximize": True}),
        {"foreach": True},
    ],
    "Muon": [
        *({}, LR, {"weight_decay": 0.5}, {"momentum": 0.5}, {"nesterov": False}, {"eps": 1e-2}, {"ns_steps": 2}),
        *({"adjust_lr_fn": "match_rms_adamw"}, {"ns_coefficients": (3.0, -4.0, 2.0)}),
    ],
    "LBFGS": [
        *({}, {"lr": 0.1}, {"max_iter": 3}, {"max_iter": 1, "lr": 0.01}, {"history_size": 2}, {"max_eval": 4}),
        *({"tolerance_grad": 1e-2}, {"tolerance_change": 1e-3}),
        *({"line_search_fn": "strong_wolfe", **more} for more in ({}, {"max_iter": 2}, {"max_eval": 3}, {"lr": 0.01})),
        {"line_search_fn": "strong_wolfe", "history_size": 2, "max_iter": 3},
    ],
}

NO_COMPLEX = {"Adafactor", "Muon"}

# Options of one optimiser whose state is saved and gone on from; those that keep most.
SAVED = {
    "SGD": {"lr": 0.1, "momentum": 0.9},
    "Adam": {"amsgrad": True},
    "AdamW": {"amsgrad": True, "lr": 0.1},
    "RMSprop": {"momentum": 0.9, "centered": True},
    "ASGD": {"t0": 2},
    "LBFGS": {"line_search_fn": "strong_wolfe", "max_iter": 2},
}


def dtypes(kind, options):
    """The dtypes of a case: all where there are no options, or many."""
    every = [torch.float32, torch.float64] + ([] if kind in NO_COMPLEX else [torch.complex64])
    if kind == "LBFGS" and options:  # its way is decided by comparisons: in float32 one rounding may turn them
        return [torch.float64]
    return every if not options or len(options) > 2 else [torch.float32]


def names():
    """(name, optimiser, options, dtype) of all cases."""
    for kind, rows in OPTIMIZERS.items():
        for options in rows:
            text = ", ".join(f"{key}={value!r}" for key, value in options.items())
            for dtype in dtypes(kind, options):
                yield f"{kind}({text}) {str(dtype).removeprefix('torch.')}", kind, options, dtype


def values(source, shape, dtype):
    """A tensor of numbers from `source`."""
    count = 1
    for size in shape:
        count *= size
    if dtype.is_complex:
        flat = [complex(source.gauss(0, 1), source.gauss(0, 1)) for _ in range(count)]
    else:
        flat = [source.gauss(0, 1) for _ in range(count)]
    return torch.tensor(flat, dtype=dtype).reshape(shape)


def parameters(kind, dtype, seed=1):
    """The parameters of a case."""
    source = random.Random(seed)
    shapes = [(3, 4), (5, 2)] if kind == "Muon" else SHAPES
    return [values(source, shape, dtype).requires_grad_() for shape in shapes]


def make(kind, params, options):
    """The optimiser of a case: where it can, of two groups."""
    cls = getattr(torch.optim, kind)
    if kind == "LBFGS":
        return cls(params, **options)
    return cls([{"params": params[:2]}, {"params": params[2:], "lr": 0.02}], **options)


def steps(kind, params, optimizer, count, seed=2):
    """Take steps, along gradients of which some are missing; yields after each."""
    source = random.Random(seed)
    if kind == "LBFGS":
        for _ in range(count):
            optimizer.step(lambda: bowl(params))
            yield
        return
    for _ in range(count):
        for param in params:
            grad = values(source, param.shape, param.dtype)
            # A fused optimiser of PyTorch mixes up momentum buffers where gradients are missing.
            missing = source.random() < 0.1 and not optimizer.param_groups[0].get("fused")
            param.grad = None if missing else grad
        optimizer.step()
        yield


def bowl(params):
    """A loss and its gradients, written out: the tests need no recording."""
    loss = 0.0
    for i, param in enumerate(params):
        x = param.detach()
        square = torch.view_as_real(x).square().sum(-1) if x.is_complex() else x.square()
        shifted = x - 1
        away = torch.view_as_real(shifted).square().sum(-1) if x.is_complex() else shifted.square()
        loss = loss + (away * (1 + i)).sum() + square.square().sum()
        param.grad = 2 * (1 + i) * shifted + 4 * square * x
    return loss


# Half types: shapes of whole vectors, since PyTorch rounds otherwise at the end of a row, and its plain loops.
HALF_SHAPES = [(8, 16), (64,), (4, 4, 8)]
HALVES = [torch.float16, torch.bfloat16]


def half_names():
    """(name, optimiser, options, dtype) of the cases in half types."""
    for kind, rows in OPTIMIZERS.items():
        if kind in NO_COMPLEX or kind == "LBFGS":
            continue
        for options in rows:
            # PyTorch's fused SGD leaves whole vectors of half types as they are.
            if "foreach" not in options and not (kind == "SGD" and options.get("fused")):
                text = ", ".join(f"{key}={value!r}" for key, value in options.items())
                for dtype in HALVES:
                    yield f"{kind}({text}) {str(dtype).removeprefix('torch.')}", kind, options, dtype


def half_path(kind, options, dtype):
    """The parameters after two steps."""
    source = random.Random(3)
    params = [values(source, shape, dtype).requires_grad_() for shape in HALF_SHAPES]
    optimizer = getattr(torch.optim, kind)(params, **options)
    for _ in range(2):
        for param in params:
            param.grad = values(source, param.shape, dtype)
        optimizer.step()
    return flat(params)


def flat(params):
    """All parameters as one vector."""
    return torch.cat([param.detach().reshape(-1) for param in params])


def path(kind, options, dtype):
    """The parameters after steps 1, 5 and 10, as rows."""
    params = parameters(kind, dtype)
    optimizer = make(kind, params, options)
    rows = [flat(params).clone() for _ in steps(kind, params, optimizer, 10)]
    return torch.stack([rows[0], rows[4], rows[9]])
