"""One loop in C++ takes a step over lists (csrc/python/optimizers.cpp): it must make the bits of the rule in Python."""

import itertools

import pytest
import torch
from torch._thnn import _THNN
from torch.optim import _numbers, adagrad, adam, adamw, rmsprop, sgd

RULES = {adam: "_adam_step", sgd: "_sgd_step", rmsprop: "_rmsprop_step", adagrad: "_adagrad_step"}
ADAM = [
    {},
    {"weight_decay": 0.1},
    {"amsgrad": True, "maximize": True},
    {"betas": (0.3, 0.4), "eps": 0.5, "lr": 0.2},
    {"fused": True},
    {"foreach": True},
]
CASES = {
    torch.optim.Adam: ADAM,
    torch.optim.AdamW: ADAM,
    torch.optim.SGD: [
        {},
        {"weight_decay": 0.1, "maximize": True},
        {"momentum": 0.9},
        {"momentum": 0.9, "dampening": 0.3, "weight_decay": 0.01},
        {"momentum": 0.5, "nesterov": True},
    ],
    torch.optim.RMSprop: [
        {},
        {"centered": True},
        {"momentum": 0.8, "weight_decay": 0.1},
        {"momentum": 0.8, "centered": True, "maximize": True, "alpha": 0.4},
    ],
    torch.optim.Adagrad: [
        {},
        {"lr_decay": 0.1, "weight_decay": 0.1},
        {"initial_accumulator_value": 0.5, "maximize": True},
    ],
}
NAMED = [
    pytest.param(kind, options, id=f"{kind.__name__} {options}")
    for kind, several in CASES.items()
    for options in several
]


def parameters(dtype):
    """Of several shapes and strides; the last are empty, without dimensions, and too long for one thread."""
    torch.manual_seed(1)
    made = [
        torch.randn(5, dtype=dtype),
        torch.randn(3, 7, dtype=dtype).t(),
        torch.randn(2, 3, 4, 5, dtype=dtype).to(memory_format=torch.channels_last),
        torch.randn(0, 3, dtype=dtype),
        torch.randn((), dtype=dtype),
        torch.randn(40003, dtype=dtype),
    ]
    return [torch.nn.Parameter(p) for p in made]


def gradients(params, step):
    for i, p in enumerate(params):
        torch.manual_seed(100 * step + i)
        p.grad = torch.empty_like(p).copy_(torch.randn(p.shape, dtype=p.dtype))
        if p.numel() > 4:
            p.grad.view_as(p).flatten()[:3].copy_(torch.tensor([0.0, 1e-20, 3e5]))


def after_steps(kind, options, dtype, steps=4):
    params = parameters(dtype)
    optimizer = kind(params, **options)
    for step in range(steps):
        gradients(params, step)
        optimizer.step()
    states = [optimizer.state[p] for p in params]
    return [p.detach() for p in params], [{k: v for k, v in state.items() if v is not None} for state in states]


@pytest.fixture(autouse=True)
def one_thread():
    """Where no test says otherwise."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def calls(monkeypatch):
    """What the loops in C++ answered."""
    seen = []

    class Watching:
        def __getattr__(self, name):
            function = getattr(torch._C, name)

            def called(*args):
                seen.append(function(*args))
                return seen[-1]

            return called

    for module in RULES:
        monkeypatch.setattr(module, "_C", Watching())
    return seen


@pytest.fixture
def in_python(monkeypatch):
    """A context in which the rules in Python run."""

    def switch():
        class Refusing:
            def __getattr__(self, name):
                return lambda *args: False

        for module in RULES:
            monkeypatch.setattr(module, "_C", Refusing())

    return switch


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("kind", "options"), NAMED)
def test_bits_are_those_of_the_rule(kind, options, dtype, calls, in_python):
    got, states = after_steps(kind, options, dtype)
    assert calls.count(True) >= 3  # SGD makes its buffers in the first step
    in_python()
    expected, expected_states = after_steps(kind, options, dtype)
    for a, b in zip(got, expected, strict=True):
        assert torch.equal(a, b) and a.stride() == b.stride()
    for a, b in zip(states, expected_states, strict=True):
        assert a.keys() == b.keys()
        for name in a:
            assert torch.equal(a[name], b[name]), name


@pytest.mark.parametrize("kind", list(CASES))
def test_bits_do_not_depend_on_threads(kind):
    found = []
    for n in (1, 2, 3):
        torch.set_num_threads(n)
        found.append(after_steps(kind, {}, torch.float32, steps=2)[0])
    for one, other in itertools.product(found[:1], found[1:]):
        assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


def one(value=None, grad=None, **options):
    p = torch.nn.Parameter(torch.ones(4, 4) if value is None else value)
    p.grad = torch.full_like(p, 0.5) if grad is None else grad
    return p


class Own(torch.Tensor):
    """A type that sees what is done with it."""

    seen: list = []

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        cls.seen.append(getattr(function, "__name__", ""))
        return super().__torch_function__(function, types, args, kwargs or {})


def test_lists_that_the_loop_does_not_take(calls):
    """Half types, complex numbers, gaps and other orders of elements: the rule in Python makes the step."""
    refused = [
        one(torch.ones(4, dtype=torch.bfloat16)),
        one(torch.ones(4, dtype=torch.complex64)),
        one(torch.ones(4, 8)[:, ::2]),
        one(grad=torch.full((4, 4), 0.5).t().contiguous().t()),
    ]
    for p in refused:
        before = p.detach().clone()
        torch.optim.Adam([p], lr=0.5).step()
        assert calls[-1] is False
        assert torch.allclose((before - p.detach()).abs().float(), torch.full(p.shape, 0.5), atol=0.01)
    weight = one()
    with torch.no_grad():
        own = torch.ones(4).as_subclass(Own)
    own.requires_grad_()
    own.grad = torch.ones(4)
    Own.seen.clear()
    torch.optim.SGD([own, weight], lr=0.5).step()
    assert calls[-1] is False and "add_" in Own.seen and weight[0, 0] == 0.75


def test_nothing_changes_where_a_list_is_refused():
    good, bad = one(), one(torch.ones(4, dtype=torch.bfloat16))
    step = torch.zeros(())
    with torch.no_grad():
        lists = [[good, bad], [good.grad, bad.grad], *([torch.zeros_like(good), torch.zeros_like(bad)] for _ in "mv")]
        assert not torch._C._adam_step(*lists, None, [step, step], 0.1, 0.9, 0.99, 0.0, 1e-8, False, False)
        assert good.eq(1).all() and step == 0 and lists[2][0].eq(0).all()
        assert not torch._C._sgd_step([good, good], [good.grad], None, 0.1, 0.0, 0.0, 0.0, False, False)
        assert not torch._C._sgd_step([good], [good], None, 0.1, 0.0, 0.0, 0.0, False, False)  # one memory
    assert not torch._C._sgd_step([good], [good.grad], None, 0.1, 0.0, 0.0, 0.0, False, False)  # would be recorded


def test_writes_count():
    p = one()
    kept = (p * p).sum()
    version = p._version
    torch.optim.SGD([p], lr=0.5).step()
    assert p._version > version
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        kept.backward()


def test_rules_whose_numbers_are_tensors(calls):
    """Such as a learning rate that is one: the loop is not asked."""
    p = one()
    torch.optim.Adam([p], lr=torch.tensor(0.5)).step()
    assert not calls and torch.allclose(p, torch.full((4, 4), 0.5))
    assert _numbers.are_numbers(1, 0.5) and not _numbers.are_numbers(1, torch.tensor(0.5))


def test_a_step_of_thnn():
    """The function itself: what it refuses."""
    p, g = torch.ones(3), torch.ones(3)
    _THNN.FloatSGD_step(None, p, g, None, 0.0, 0.0, 1.0, -0.5, False, False)
    assert p.eq(0.5).all()
    for grad in (torch.ones(4), torch.ones(6)[::2], p, torch.ones(3).double()):
        with pytest.raises((RuntimeError, TypeError)):
            _THNN.FloatSGD_step(None, p, grad, None, 0.0, 0.0, 1.0, -0.5, False, False)
    assert p.eq(0.5).all()


def test_modules_are_imported():
    assert adamw.adamw is not adam.adam
