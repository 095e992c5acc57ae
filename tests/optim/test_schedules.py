"""Rates and momenta of 100 epochs, and the state of schedulers, as in PyTorch 2.13 (generate.py)."""

import copy
import pathlib
import pickle
import warnings
from collections import Counter

import pytest
import schedules
import torch
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import (
    ChainedScheduler,
    ConstantLR,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    LRScheduler,
    MultiStepLR,
    OneCycleLR,
    ReduceLROnPlateau,
    SequentialLR,
    StepLR,
)

# Schedules inside others step before the optimiser does.
pytestmark = pytest.mark.filterwarnings("ignore:Detected call of `lr_scheduler.step")

DATA = pathlib.Path(__file__).parent / "data"
GOLDEN = torch.load(DATA / "schedules.pt")
STATES = torch.load(DATA / "schedulers.pt", weights_only=False)


@pytest.mark.parametrize(
    "name, make, kind, jumps", list(schedules.names()), ids=lambda x: x if isinstance(x, str) else ""
)
def test_hundred_epochs(name, make, kind, jumps):
    got = schedules.path(make, kind, jumps)
    assert torch.equal(got, GOLDEN[name]), (got - GOLDEN[name]).abs().max()


def test_every_golden_case_and_every_scheduler_is_tested():
    assert {name for name, *_ in schedules.names()} == set(GOLDEN)
    made = {type(make(schedules.optimizer())).__name__ for make in schedules.SCHEDULES.values()}
    assert made == set(lr_scheduler.__all__) - {"LRScheduler"}


def without_functions(state):
    """PyTorch saves nothing of functions; and so that both print alike, a Counter in order."""
    if isinstance(state, dict):
        state = {key: without_functions(value) for key, value in sorted(state.items(), key=lambda item: str(item[0]))}
    if isinstance(state, list):
        return [without_functions(item) for item in state]
    return state


@pytest.mark.parametrize("name", schedules.SCHEDULES)
def test_the_state_is_theirs_key_by_key(name):
    scheduler = schedules.SCHEDULES[name](schedules.optimizer())
    for epoch in range(30):
        schedules.advance(scheduler, epoch)
    state = scheduler.state_dict()
    assert list(state) == list(STATES[name]["scheduler"])
    assert without_functions(state) == without_functions(STATES[name]["scheduler"])
    assert scheduler.optimizer.state_dict()["param_groups"] == STATES[name]["optimizer"]["param_groups"]


@pytest.mark.parametrize("name", schedules.SCHEDULES)
def test_their_state_is_gone_on_from(name):
    owner = schedules.optimizer()
    scheduler = schedules.SCHEDULES[name](owner)
    saved = copy.deepcopy(STATES[name])
    scheduler.load_state_dict(saved["scheduler"])
    owner.load_state_dict(saved["optimizer"])
    for epoch, expected in zip(range(30, 60), saved["after"]):
        schedules.advance(scheduler, epoch)
        assert schedules.options(owner) == expected


def messages(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    return [str(warning.message) for warning in caught]


def test_the_order_of_calls():
    scheduler = StepLR(schedules.optimizer(), 3)
    (text,) = messages(scheduler.step)
    assert text.startswith("Detected call of `lr_scheduler.step()` before `optimizer.step()`.")
    assert messages(scheduler.step) == []  # once
    owner = schedules.optimizer()
    scheduler = StepLR(owner, 3)
    assert messages(lambda: (owner.step(), scheduler.step())) == []
    owner.step = lambda: None
    scheduler = StepLR(schedules.optimizer(), 3)
    scheduler.optimizer.step = lambda: None
    (text,) = messages(scheduler.step)
    assert text.startswith("Seems like `optimizer.step()` has been overridden after learning rate scheduler")


def test_get_lr_and_epochs_warn():
    scheduler = StepLR(schedules.optimizer(), 3)
    scheduler.optimizer.step()
    (text,) = messages(scheduler.get_lr)
    assert text == "To get the last learning rate computed by the scheduler, please use `get_last_lr()`."
    (text,) = messages(lambda: scheduler.step(4))
    assert text.startswith("The epoch parameter in `scheduler.step()` was not necessary and is being deprecated")
    assert scheduler.get_last_lr() == [0.1 * 0.1, 0.03 * 0.1] and scheduler.last_epoch == 4


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_tensor_keeps_its_identity():
    rate = torch.tensor(0.1)
    owner = torch.optim.SGD([torch.ones(1)], lr=rate)
    scheduler = ExponentialLR(owner, 0.5)
    before = scheduler.get_last_lr()
    scheduler.step()
    assert owner.param_groups[0]["lr"] is rate and rate.item() == pytest.approx(0.05)
    assert before[0].item() == pytest.approx(0.1) and scheduler.base_lrs[0].item() == pytest.approx(0.1)
    assert owner.param_groups[0]["initial_lr"] is not rate


@pytest.mark.parametrize("name", [name for name in schedules.SCHEDULES if "lambda" not in name and "own" not in name])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_copies_go_on_alike(name):
    if name == "multiplicative":
        return  # a lambda too
    scheduler = schedules.SCHEDULES[name](schedules.optimizer())
    for epoch in range(10):
        schedules.advance(scheduler, epoch)
    for made in (copy.deepcopy(scheduler), pickle.loads(pickle.dumps(scheduler))):
        for epoch in range(10, 15):
            schedules.advance(made, epoch)
        again = copy.deepcopy(scheduler)
        for epoch in range(10, 15):
            schedules.advance(again, epoch)
        assert schedules.options(made.optimizer) == schedules.options(again.optimizer)


def test_optimiser_is_freed():
    import gc
    import weakref

    owner = schedules.optimizer()
    scheduler = StepLR(owner, 3)
    gone = weakref.ref(owner)
    gc.disable()
    try:
        del owner, scheduler
        assert gone() is None  # no cycle through the watched step
    finally:
        gc.enable()


def test_own_schedules():
    class Half(LRScheduler):
        def get_lr(self):
            return [group["lr"] / 2 for group in self.optimizer.param_groups]

    scheduler = Half(schedules.optimizer())
    scheduler.optimizer.step()
    scheduler.step()
    assert scheduler.get_last_lr() == [0.025, 0.0075]
    assert list(scheduler.state_dict()) == [
        *("base_lrs", "last_epoch", "_step_count", "_is_initial", "_get_lr_called_within_step", "_last_lr")
    ]
    assert issubclass(lr_scheduler._LRScheduler, LRScheduler)
    with pytest.raises(NotImplementedError):
        LRScheduler(schedules.optimizer())


def test_going_on_needs_initial_rates():
    owner = schedules.optimizer()
    with pytest.raises(KeyError, match="'initial_lr' is not specified in param_groups\\[0\\] when resuming"):
        StepLR(owner, 3, last_epoch=5)
    for group in owner.param_groups:
        group["initial_lr"] = 0.5
    assert StepLR(owner, 3, last_epoch=5).base_lrs == [0.5, 0.5]


class Decay:
    """A callable object."""

    def __init__(self, by):
        self.by = by

    def __call__(self, epoch):
        return self.by**epoch


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_callable_objects_are_saved():
    scheduler = LambdaLR(schedules.optimizer(), Decay(0.5))
    state = scheduler.state_dict()
    assert state["lr_lambdas"] == [{"by": 0.5}, {"by": 0.5}]
    other = LambdaLR(schedules.optimizer(), Decay(0.1))
    other.load_state_dict(state)
    other.step()
    assert other.get_last_lr() == [0.05, 0.015]
    cyclic = CyclicLR(schedules.optimizer(), 0.1, 1.0, scale_fn=Decay(0.5))
    assert cyclic.state_dict()["_scale_fn_custom"] == {"by": 0.5}


def test_milestones_are_counted():
    assert MultiStepLR(schedules.optimizer(), [2, 2, 5]).milestones == Counter({2: 2, 5: 1})


def test_plateau():
    owner = schedules.optimizer()
    scheduler = ReduceLROnPlateau(owner, patience=0, cooldown=2)
    scheduler.step(torch.tensor(1.0))
    assert not scheduler.in_cooldown and scheduler.best == 1.0
    scheduler.step(2.0)
    assert scheduler.in_cooldown and scheduler.get_last_lr() == [0.1 * 0.1, 0.03 * 0.1]
    owner.add_param_group({"params": [torch.ones(1)]})
    for _ in range(4):
        scheduler.step(3.0)
    assert len(scheduler.get_last_lr()) == 3 and scheduler.min_lrs == [0, 0, 0]
    with pytest.raises(TypeError):
        scheduler.step()


def raises(error, text, function):
    with pytest.raises(error, match=text):
        function(schedules.optimizer())


def one_too_many(owner):
    scheduler = OneCycleLR(owner, 1.0, 3)
    for _ in range(5):
        owner.step()
        scheduler.step()


@pytest.mark.parametrize(
    "error, text, function",
    [
        (TypeError, "int is not an Optimizer", lambda o: StepLR(3, 1)),
        (ValueError, "Expected 2 lr_lambdas, but got 1", lambda o: LambdaLR(o, [lambda epoch: 1])),
        (ValueError, "Constant multiplicative factor expected", lambda o: ConstantLR(o, 2.0)),
        (ValueError, "Starting multiplicative factor expected", lambda o: LinearLR(o, 0.0)),
        (ValueError, "Ending multiplicative factor expected", lambda o: LinearLR(o, 0.5, -1)),
        (ValueError, "at least one scheduler, but got no", lambda o: SequentialLR(o, [], [])),
        (ValueError, "one more than the number of milestone", lambda o: SequentialLR(o, [ConstantLR(o)], [1])),
        (
            ValueError,
            "belong to the same optimizer, but got scheduler ConstantLR at index 0",
            lambda o: SequentialLR(o, [ConstantLR(schedules.optimizer())], []),
        ),
        (ValueError, "does not support `ReduceLROnPlateau`", lambda o: SequentialLR(o, [ReduceLROnPlateau(o)], [])),
        (TypeError, "at index 0 should have `optimizer`", lambda o: SequentialLR(o, [3], [])),
        (ValueError, "at least one scheduler to be chained", lambda o: ChainedScheduler([])),
        (
            ValueError,
            "belong to the same optimizer, but got scheduler ConstantLR at index 0",
            lambda o: ChainedScheduler([ConstantLR(o)], schedules.optimizer()),
        ),
        (ValueError, "Factor should be < 1.0", lambda o: ReduceLROnPlateau(o, factor=1.0)),
        (ValueError, "mode x is unknown", lambda o: ReduceLROnPlateau(o, "x")),
        (ValueError, "threshold mode x is unknown", lambda o: ReduceLROnPlateau(o, threshold_mode="x")),
        (ValueError, "expected 2 min_lrs, got 1", lambda o: ReduceLROnPlateau(o, min_lr=[0.1])),
        (ValueError, "mode is invalid and scale_fn is None", lambda o: CyclicLR(o, 0.1, 1.0, mode="x")),
        (
            ValueError,
            "optimizer must support momentum or beta1",
            lambda o: CyclicLR(torch.optim.Adagrad([torch.ones(1)]), 0.1, 1.0),
        ),
        (ValueError, "base_lr must have the same length as opt", lambda o: CyclicLR(o, [0.1], 1.0)),
        (ValueError, "You must define either total_steps OR", lambda o: OneCycleLR(o, 1.0)),
        (ValueError, "Expected positive integer total_steps, but got 2.5", lambda o: OneCycleLR(o, 1.0, 2.5)),
        (ValueError, "Expected positive integer epochs", lambda o: OneCycleLR(o, 1.0, epochs=0, steps_per_epoch=1)),
        (ValueError, "between 0 and 1 pct_start, but got 2", lambda o: OneCycleLR(o, 1.0, 10, pct_start=2.0)),
        (ValueError, "must be one of 'cos' or 'linear'", lambda o: OneCycleLR(o, 1.0, 10, anneal_strategy="x")),
        (ValueError, "Tried to step 4 times. The specified number of total steps is 3", one_too_many),
        (ValueError, "Expected positive integer T_0, but got 0", lambda o: CosineAnnealingWarmRestarts(o, 0)),
        (ValueError, "Expected integer T_mult >= 1, but got 0", lambda o: CosineAnnealingWarmRestarts(o, 4, 0)),
        (ValueError, "Expected non-negative epoch, but got -1", lambda o: CosineAnnealingWarmRestarts(o, 4).step(-1)),
    ],
)
def test_refusals(error, text, function):
    raises(error, text, function)
