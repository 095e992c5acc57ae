"""Cases of schedules: functions of an optimiser that give a scheduler."""

import math
import warnings

import torch
from torch.optim.lr_scheduler import (
    ChainedScheduler,
    ConstantLR,
    CosineAnnealingLR,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    OneCycleLR,
    PolynomialLR,
    ReduceLROnPlateau,
    SequentialLR,
    StepLR,
)

SCHEDULES = {
    "lambda": lambda o: LambdaLR(o, lambda epoch: 0.95**epoch),
    "lambdas": lambda o: LambdaLR(o, [lambda epoch: 1 / (1 + epoch), lambda epoch: epoch % 3]),
    "multiplicative": lambda o: MultiplicativeLR(o, lambda epoch: 1.1 if epoch % 2 else 0.9),
    "step": lambda o: StepLR(o, 30),
    "step 7": lambda o: StepLR(o, 7, gamma=0.5),
    "milestones": lambda o: MultiStepLR(o, [10, 40, 40, 80], gamma=0.3),
    "constant": ConstantLR,
    "constant 40": lambda o: ConstantLR(o, factor=0.1, total_iters=40),
    "linear": LinearLR,
    "linear down": lambda o: LinearLR(o, start_factor=1.0, end_factor=0.01, total_iters=77),
    "exponential": lambda o: ExponentialLR(o, 0.97),
    "polynomial": PolynomialLR,
    "polynomial 90": lambda o: PolynomialLR(o, total_iters=90, power=2.5),
    "cosine": lambda o: CosineAnnealingLR(o, 40, eta_min=0.001),
    "cosine 99": lambda o: CosineAnnealingLR(o, 99),
    "restarts": lambda o: CosineAnnealingWarmRestarts(o, 7),
    "restarts longer": lambda o: CosineAnnealingWarmRestarts(o, 5, T_mult=2, eta_min=0.01),
    "cyclic": lambda o: CyclicLR(o, 0.01, 0.5, step_size_up=9),
    "cyclic 2": lambda o: CyclicLR(o, 0.01, [0.5, 1.0], step_size_up=4, step_size_down=11, mode="triangular2"),
    "cyclic exp": lambda o: CyclicLR(o, 0.01, 0.5, 8, mode="exp_range", gamma=0.98, cycle_momentum=False),
    "cyclic own": lambda o: CyclicLR(o, 0.01, 0.5, 8, scale_fn=lambda x: 1 / x, scale_mode="cycle"),
    "one cycle": lambda o: OneCycleLR(o, 1.0, total_steps=101),
    "one cycle linear": lambda o: OneCycleLR(o, [1.0, 0.5], epochs=11, steps_per_epoch=10, anneal_strategy="linear"),
    "one cycle 3": lambda o: OneCycleLR(o, 1.0, 105, pct_start=0.4, three_phase=True, final_div_factor=100.0),
    "one cycle still": lambda o: OneCycleLR(o, 1.0, 105, cycle_momentum=False, div_factor=5.0),
    "plateau": lambda o: ReduceLROnPlateau(o, patience=3),
    "plateau max": lambda o: ReduceLROnPlateau(o, "max", 0.5, 5, threshold=0.1, cooldown=2, min_lr=[0.01, 0.02]),
    "plateau abs": lambda o: ReduceLROnPlateau(o, "min", 0.7, 1, threshold=0.05, threshold_mode="abs", min_lr=1e-3),
    "chain": lambda o: ChainedScheduler([ConstantLR(o, 0.1, 20), ExponentialLR(o, 0.9), StepLR(o, 50)]),
    "sequence": lambda o: SequentialLR(
        o, [LinearLR(o, 0.1, total_iters=10), CosineAnnealingLR(o, 60), ExponentialLR(o, 0.8)], [10, 70]
    ),
    "sequence of chains": lambda o: SequentialLR(
        o, [ChainedScheduler([ConstantLR(o, 0.5, 5), StepLR(o, 3)]), MultiStepLR(o, [4, 9])], [20]
    ),
}


def optimizer(kind="SGD", lr=0.1):
    """An optimiser of two groups with momentum, or with betas."""
    groups = [{"params": [torch.ones(2)], "lr": lr}, {"params": [torch.ones(2)], "lr": 0.03}]
    return torch.optim.SGD(groups, momentum=0.9) if kind == "SGD" else torch.optim.Adam(groups)


def metric(epoch):
    """What ReduceLROnPlateau watches."""
    return math.exp(-epoch / 20) + 0.1 * math.cos(epoch)


def advance(scheduler, epoch):
    """One step of any scheduler."""
    scheduler.optimizer.step()
    if isinstance(scheduler, ReduceLROnPlateau):
        scheduler.step(metric(epoch))
    else:
        scheduler.step()


def options(owner):
    """Rate and momentum of each group."""
    return [
        float(x)
        for group in owner.param_groups
        for x in (group["lr"], group["momentum"] if "momentum" in group else group["betas"][0])
    ]


def path(make, kind="SGD", jumps=False):
    """Rates and momenta of 100 epochs, as rows; with `jumps`, epochs are given by number."""
    owner = optimizer(kind)
    scheduler = make(owner)
    rows = [options(owner)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for epoch in range(100):
            if jumps:
                owner.step()
                scheduler.step(epoch * 7 % 50)
            else:
                advance(scheduler, epoch)
            rows.append(options(owner))
    return torch.tensor(rows, dtype=torch.float64)


# Those that take no epoch, or too many for it.
NO_JUMPS = {"chain", "sequence", "sequence of chains", "plateau", "plateau max", "plateau abs"}


def names():
    """(name, function, kind of optimiser, jumps) of all cases."""
    for name, make in SCHEDULES.items():
        yield name, make, "SGD", False
        if name.startswith(("one cycle", "cyclic")):
            yield f"{name}, betas", make, "Adam", False
        if name not in NO_JUMPS:
            yield f"{name}, by number", make, "SGD", True
