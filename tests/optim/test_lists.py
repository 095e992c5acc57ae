"""One loop in C++ takes a step over lists (lib/THPP/src/nn/optimizer.cpp): it must make the bits of the rule in Python."""

import itertools
import os
import resource
import subprocess
import sys

import pytest
import torch
from torch.optim import adam, adamw

HALVES = [torch.bfloat16, torch.float16]
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
    torch.optim.Adadelta: [{}, {"rho": 0.5, "eps": 1e-2, "weight_decay": 0.1, "maximize": True}, {"foreach": True}],
    torch.optim.Adamax: [{}, {"betas": (0.3, 0.4), "eps": 1e-2, "weight_decay": 0.1}, {"maximize": True}],
    torch.optim.NAdam: [
        {},
        {"weight_decay": 0.1, "decoupled_weight_decay": True, "maximize": True},
        {"weight_decay": 0.1, "momentum_decay": 0.1, "betas": (0.3, 0.4)},
    ],
    torch.optim.RAdam: [
        {},
        {"betas": (0.5, 0.7)},  # r > 5 from the fourth step on
        {"weight_decay": 0.1, "betas": (0.9, 0.8), "maximize": True},
        {"weight_decay": 0.1, "decoupled_weight_decay": True},
    ],
    torch.optim.ASGD: [{}, {"t0": 1, "lambd": 0.2}, {"t0": 0, "weight_decay": 0.1, "maximize": True, "alpha": 0.5}],
    torch.optim.Rprop: [{}, {"etas": (0.3, 2.0), "step_sizes": (0.005, 0.05), "maximize": True}],
}
FUSED = [torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD, torch.optim.Adagrad]
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

    function = torch._C._optimizer_step

    def called(*args):
        seen.append(function(*args))
        return seen[-1]

    monkeypatch.setattr(torch._C, "_optimizer_step", called)
    return seen


@pytest.fixture
def in_python(monkeypatch):
    """A context in which the rules in Python run."""

    def switch():
        monkeypatch.setattr(torch._C, "_optimizer_step", lambda *args: False)

    return switch


def same(a, b):
    """The same bits, but for the kind of NaN."""
    return a.dtype == b.dtype and torch.equal(a.isnan(), b.isnan()) and torch.equal(a.nan_to_num(), b.nan_to_num())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, *HALVES])
@pytest.mark.parametrize(("kind", "options"), NAMED)
def test_bits_are_those_of_the_rule(kind, options, dtype, calls, in_python):
    if dtype in HALVES and options.get("fused"):
        pytest.skip("fused steps round only what they store: test_fused_steps_in_half_types")
    got, states = after_steps(kind, options, dtype)
    assert calls.count(True) >= 3  # SGD makes its buffers in the first step
    in_python()
    expected, expected_states = after_steps(kind, options, dtype)
    for a, b in zip(got, expected, strict=True):
        assert same(a, b) and a.stride() == b.stride()
    for a, b in zip(states, expected_states, strict=True):
        assert a.keys() == b.keys()
        for name in a:
            assert same(a[name], b[name]), name


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("kind", FUSED)
def test_fused_steps_in_half_types(kind, dtype):
    """Each is a step in float32 whose results are rounded, parameters and state alike."""
    params = [torch.nn.Parameter(torch.linspace(-3, 3, 700).to(dtype))]
    options = {
        "lr": 0.1,
        "weight_decay": 0.1,
        **({"momentum": 0.7, "nesterov": True} if kind is torch.optim.SGD else {}),
    }
    optimizer = kind(params, fused=True, **options)
    wide = [torch.nn.Parameter(params[0].detach().float())]
    other = kind(wide, fused=True, **options)
    for step in range(4):
        torch.manual_seed(step)
        params[0].grad = torch.randn(700).to(dtype)
        wide[0].grad = params[0].grad.float()
        if step == 0 and kind is torch.optim.SGD:  # which makes the buffers in a step of its own
            for p, o in ((params[0], optimizer), (wide[0], other)):
                o.state[p]["momentum_buffer"] = torch.zeros_like(p)
        optimizer.step()
        other.step()
        with torch.no_grad():
            for tensor in [wide[0], *other.state[wide[0]].values()]:
                if tensor.dim():
                    tensor.copy_(tensor.to(dtype))
        assert torch.equal(params[0].float(), wide[0])
        for name, kept in optimizer.state[params[0]].items():
            assert torch.equal(kept.float(), other.state[wide[0]][name]), name


def test_every_half_is_rounded_alike():
    """The loop's own rounding against that of conversions: of halves, and of what lies between them."""
    for dtype in HALVES:
        every = torch.arange(-32768, 32768, dtype=torch.int32).to(torch.int16).view(dtype)
        every = every[every.isfinite()]
        for factor in (1.0, 0.7, 1e-3, 1.003):
            p = torch.nn.Parameter(torch.zeros_like(every))
            buffer = torch.zeros_like(every)
            # A buffer of 0 times momentum, and the gradient, which the first operation rounds: g (1 - dampening).
            with torch.no_grad():
                lists = ([p], [every], [buffer])
                assert torch._C._optimizer_step("sgd", lists, (), (1.0, 0.0, 0.0, 1 - factor, False, False), False)
            rest = torch.tensor(1 - (1 - factor)).to(dtype).float()
            assert same(buffer, (rest * every.float()).to(dtype))


def after_steps_of_any_bits():
    """What steps make of halves of all kinds, in groups of 16 and some that are left over."""
    found = []
    for dtype in HALVES:
        for kind, several in CASES.items():
            for options in [*several, {"fused": True}] if kind in FUSED else several:
                torch.manual_seed(3)
                lists = torch.randint(-32768, 32768, (4, 603)).to(torch.int16).view(dtype)
                param = torch.nn.Parameter(lists[0])
                optimizer = kind([param], **options)
                for grad in lists[1:]:
                    param.grad = torch.where(torch.rand(603) < 0.5, grad, torch.randn(603).to(dtype))
                    optimizer.step()
                kept = [x for x in optimizer.state[param].values() if isinstance(x, torch.Tensor) and x.dim()]
                found.extend([param.detach(), *kept])
    return found


def test_bits_do_not_depend_on_the_processor(tmp_path):
    script = "import sys, test_lists, torch; torch.save(test_lists.after_steps_of_any_bits(), sys.argv[1])"
    paths = os.pathsep.join(filter(None, [os.path.dirname(__file__), *sys.path]))
    expected = after_steps_of_any_bits()
    assert sum(x.isfinite().sum().item() for x in expected) > 300 * len(expected)
    for capability in ("default", "avx2"):
        environment = os.environ | {"TH_CPU_CAPABILITY": capability, "PYTHONPATH": paths}
        subprocess.run([sys.executable, "-c", script, tmp_path / "found.pt"], env=environment, check=True)
        found = torch.load(tmp_path / "found.pt")
        assert all(same(a, b) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("dtype", [torch.float32, *HALVES])
@pytest.mark.parametrize("kind", list(CASES))
def test_bits_do_not_depend_on_threads(kind, dtype):
    found = []
    for n in (1, 2, 3):
        torch.set_num_threads(n)
        found.append(after_steps(kind, {}, dtype, steps=2)[0])
    for one, other in itertools.product(found[:1], found[1:]):
        assert all(same(a, b) for a, b in zip(one, other, strict=True))


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
    """Complex numbers, gaps and other orders of elements: the rule in Python makes the step."""
    refused = [
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


ADAM_NUMBERS = (0.1, 0.9, 0.99, 0.0, 1e-8, False, False)
SGD_NUMBERS = (0.1, 0.0, 0.0, 0.0, False, False)


def test_nothing_changes_where_a_list_is_refused():
    good, bad = one(), one(torch.ones(4, dtype=torch.complex64))
    step, loop = torch.zeros(()), torch._C._optimizer_step
    with torch.no_grad():
        lists = ([good, bad], [good.grad, bad.grad], *([torch.zeros_like(good), torch.zeros_like(bad)] for _ in "mv"))
        assert not loop("adam", (*lists, None), ([step, step],), ADAM_NUMBERS, False)
        assert good.eq(1).all() and step == 0 and lists[2][0].eq(0).all()
        assert not loop("sgd", ([good, good], [good.grad], None), (), SGD_NUMBERS, False)
        assert not loop("sgd", ([good], [good], None), (), SGD_NUMBERS, False)  # one memory
        assert not loop("sgd", ([good], [good.grad], None), (), (torch.tensor(0.1), *SGD_NUMBERS[1:]), False)
        with pytest.raises(ValueError, match="no loop for the steps of 'adamant'"):
            loop("adamant", ([good], [good.grad], None), (), SGD_NUMBERS, False)
        with pytest.raises(ValueError, match="a step of sgd takes 6 options, not 1"):
            loop("sgd", ([good], [good.grad], None), (), (0.1,), False)
    assert not loop("sgd", ([good], [good.grad], None), (), SGD_NUMBERS, False)  # would be recorded


@pytest.mark.filterwarnings("ignore:optimizer contains a parameter group with duplicate parameters")
@pytest.mark.parametrize("threads", [1, 3])
def test_parameters_that_share_memory(threads, calls, in_python):
    """Steps are made one after the other, as by the rule."""

    def run():
        whole = torch.linspace(-1, 1, 60000)
        params = [torch.nn.Parameter(whole[:40000]), torch.nn.Parameter(whole[20000:])]
        params.append(params[0])
        optimizer = torch.optim.SGD(params, lr=0.1, weight_decay=0.5)
        for p in params:
            p.grad = torch.full_like(p, 0.5)
        optimizer.step()
        return whole

    torch.set_num_threads(threads)
    got = run()
    assert calls == [True]
    in_python()
    assert torch.equal(got, run())


def test_a_wrong_shape_changes_nothing():
    """Not even parameters before it, in its group and in others."""
    for name, shape in (("exp_avg", (3,)), ("grad", (4, 4))):
        first, second, third = one(), one(), one()
        optimizer = torch.optim.Adam([{"params": [first]}, {"params": [second, third]}], lr=0.5)
        optimizer.step()
        before = [p.detach().clone() for p in (first, second, third)]
        if name == "grad":
            third.data = torch.ones(2)
            before[2] = torch.ones(2)
        else:
            optimizer.state[third][name] = torch.zeros(shape)
        with pytest.raises(RuntimeError) as caught:
            optimizer.step()
        text = (
            f"Adam: parameter 1 of those with gradients has the shape {list(third.shape)}, but its {name} {list(shape)}"
        )
        assert text in str(caught.value)
        assert all(torch.equal(p, b) for p, b in zip((first, second, third), before, strict=True))
        assert optimizer.state[first]["step"] == 1


def test_an_error_in_a_closure_changes_nothing():
    def closure():
        raise KeyError("loss")

    for kind in CASES:
        p = one()
        optimizer = kind([p])
        with pytest.raises(KeyError, match="loss"):
            optimizer.step(closure)
        assert p.eq(1).all() and torch.is_grad_enabled()


def test_steps_keep_no_memory():
    params = [one(torch.ones(1000)) for _ in range(20)]
    optimizers = [kind(params) for kind in CASES]

    def steps(n):
        for _ in range(n):
            for optimizer in optimizers:
                optimizer.step()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    steps(20)
    before = steps(1)
    assert steps(60) - before < 2000  # KiB; one lost tensor in each step would be 48 MB


def test_writes_count():
    p = one()
    kept = (p * p).sum()
    version = p._version
    torch.optim.SGD([p], lr=0.5).step()
    assert p._version > version
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        kept.backward()


def test_rules_whose_numbers_are_tensors(calls):
    """Such as a learning rate that is one: the rule in Python makes the step."""
    p = one()
    torch.optim.Adam([p], lr=torch.tensor(0.5)).step()
    assert calls == [False] and torch.allclose(p, torch.full((4, 4), 0.5))


def test_modules_are_imported():
    assert adamw.adamw is not adam.adam
