"""Groups, state, hooks and mistakes of optimisers."""

import copy
import pickle
import subprocess
import sys

import pytest
import torch
from torch.optim import SGD, Adam, AdamW, Optimizer
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook, required


def leaf(*shape, dtype=torch.float32):
    param = torch.ones(shape or (2,), dtype=dtype, requires_grad=dtype.is_floating_point or dtype.is_complex)
    if param.requires_grad:
        param.grad = torch.full_like(param, 0.5).detach()
    return param


def test_groups():
    a, b, c = leaf(), leaf(), leaf()
    optimizer = SGD([{"params": a}, {"params": iter([b]), "lr": 1.0, "own": "x"}], lr=0.1)
    optimizer.add_param_group({"params": (c,), "momentum": 0.5})
    assert [group["lr"] for group in optimizer.param_groups] == [0.1, 1.0, 0.1]
    assert [group["momentum"] for group in optimizer.param_groups] == [0, 0, 0.5]
    assert optimizer.param_groups[1]["own"] == "x" and optimizer.param_groups[0]["params"] == [a]
    optimizer.step()
    assert [x[0].item() for x in (a, b, c)] == pytest.approx([0.95, 0.5, 0.95])
    assert list(optimizer.state) == [c]


def test_named_parameters():
    optimizer = Adam([("weight", leaf()), ("bias", leaf())])
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    optimizer.step()
    state = optimizer.state_dict()
    assert state["param_groups"][0]["param_names"] == ["weight", "bias"] and list(state["state"]) == [0, 1]
    other = Adam([("a", leaf()), ("b", leaf())])
    other.load_state_dict(state)
    assert other.param_groups[0]["param_names"] == ["weight", "bias"]
    del state["param_groups"][0]["param_names"]
    other = Adam([("a", leaf()), ("b", leaf())])
    other.load_state_dict(state)
    assert other.param_groups[0]["param_names"] == ["a", "b"]


def recorded():
    return torch.ones(2, requires_grad=True) * 2


@pytest.mark.parametrize(
    "error, text, params",
    [
        (TypeError, "should be an iterable of Tensors or dicts, but got torch.FloatTensor", lambda: torch.ones(2)),
        (ValueError, "optimizer got an empty parameter list", list),
        (KeyError, "params", lambda: [{}]),
        (TypeError, "parameters need to be organized in ordered collections", lambda: [{"params": {leaf()}}]),
        (TypeError, "can only optimize Tensors, but one of the params is int", lambda: [3]),
        (TypeError, "can only optimize Tensors, but one of the params is str", lambda: {"a": leaf()}),
        (ValueError, "can't optimize a non-leaf Tensor", lambda: [recorded()]),
        (ValueError, "Some param names are missing", lambda: [("a", leaf()), leaf()]),
        (ValueError, "Some param names are missing", lambda: [leaf(), ("a", leaf())]),
        (
            ValueError,
            "cannot add param group without names",
            lambda: [{"params": [("a", leaf())]}, {"params": [leaf()]}],
        ),
        (ValueError, "cannot add param group with names", lambda: [{"params": leaf()}, {"params": [("a", leaf())]}]),
        (TypeError, "not iterable", lambda: 3),
    ],
)
def test_parameters_that_are_refused(error, text, params):
    with pytest.raises(error, match=text):
        SGD(params(), lr=0.1)


def test_groups_that_are_refused():
    a = leaf()
    optimizer = SGD([a], lr=0.1)
    for group, error, text in [
        (3, TypeError, "param_group must be a dict, but got <class 'int'>"),
        ({}, KeyError, "params"),
        ({"params": a}, ValueError, "some parameters appear in more than one parameter group"),
    ]:
        with pytest.raises(error, match=text):
            optimizer.add_param_group(group)
    assert len(optimizer.param_groups) == 1
    with pytest.raises(ValueError, match="didn't specify a value of required optimization parameter lr"):
        Optimizer([leaf()], {"lr": required})
    with pytest.warns(UserWarning, match="parameter group with duplicate parameters"):
        SGD([a, a], lr=0.1)


BETAS = [({"betas": (1.0, 0.9)}, "at index 0: 1.0"), ({"betas": (0.1, -0.5)}, "at index 1: -0.5")]
COMMON = [({"lr": -1}, ": -1"), ({"weight_decay": -1}, "-1"), ({"lr": torch.ones(2)}, "Tensor lr must be 1-element")]
EPS = [({"eps": -1}, "Invalid epsilon value: -1")]
OPTIONS = {
    "SGD": [
        *COMMON,
        ({"momentum": -1}, "Invalid momentum value: -1"),
        ({"nesterov": True}, "Nesterov momentum requires a momentum and zero dampening"),
        ({"fused": True, "foreach": True}, "`fused` and `foreach` cannot be `True` together"),
        ({"fused": True, "differentiable": True}, "`fused` does not support `differentiable`"),
    ],
    "Adam": [
        *(*COMMON, *EPS, *BETAS),
        ({"lr": torch.tensor(0.1), "foreach": True}, "lr as a Tensor is not supported for capturable=False"),
        ({"betas": (torch.tensor(0.9), 0.9)}, "betas must be either both floats or both Tensors"),
        ({"betas": (torch.tensor(0.9),) * 2, "foreach": True}, "as a Tensor is not supported for capturable=False"),
        ({"fused": True, "foreach": True}, "`fused` and `foreach` cannot be `True` together"),
    ],
    "AdamW": [*COMMON, *EPS, *BETAS],
    "Adamax": [*COMMON, *EPS, *BETAS],
    "NAdam": [*COMMON, *EPS, *BETAS, ({"momentum_decay": -1}, "Invalid momentum_decay value: -1")],
    "RAdam": [*COMMON, *EPS, *BETAS],
    "Adagrad": [
        *(*COMMON, *EPS, ({"lr_decay": -1}, "Invalid lr_decay value: -1")),
        ({"initial_accumulator_value": -1}, "Invalid initial_accumulator_value value: -1"),
        ({"fused": True, "differentiable": True}, "`fused` does not support `differentiable`"),
    ],
    "Adadelta": [*COMMON, *EPS, ({"rho": 1.5}, "Invalid rho value: 1.5")],
    "ASGD": COMMON,
    "RMSprop": [*COMMON, *EPS, ({"alpha": -1}, "Invalid alpha value: -1"), ({"momentum": -1}, "Invalid momentum val")],
    "Rprop": [COMMON[0], COMMON[2], ({"etas": (1.0, 2.0)}, "Invalid eta values: 1.0, 2.0")],
    "Adafactor": [
        *(*COMMON, ({"beta2_decay": 1}, "beta2_decay should be <= 0 but is: 1")),
        ({"eps": (-1, 1)}, "epsilon1 should be >= 0 but is: -1"),
        ({"eps": (None, -1)}, "epsilon2 should be >= 0 but is: -1"),
        ({"d": 0.5}, "Clipping threshold d should be >= 1 but is: 0.5"),
    ],
    "Muon": [
        *(*COMMON, ({"momentum": -1}, "momentum should be >= 0 but is: -1")),
        ({"adjust_lr_fn": "x"}, "Adjust learning rate function x is not supported"),
    ],
    "LBFGS": [COMMON[0], COMMON[2]],
    "SparseAdam": [({"lr": 0.0}, "Invalid learning rate: 0.0"), ({"eps": 0}, "Invalid epsilon value: 0"), *BETAS],
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_options_that_are_refused(kind):
    for options, text in OPTIONS[kind]:
        with pytest.raises((ValueError, RuntimeError)) as caught:
            getattr(torch.optim, kind)([leaf(2, 2)], **options)
        assert text in str(caught.value)


CAPTURABLE = ["Adam", "AdamW", "Adamax", "NAdam", "RAdam", "Adadelta", "ASGD", "RMSprop", "Rprop"]


@pytest.mark.parametrize("kind", CAPTURABLE)
def test_nothing_is_captured_on_the_cpu(kind):
    optimizer = getattr(torch.optim, kind)([leaf()], capturable=True)
    with pytest.raises(AssertionError, match="If capturable=True, .* must be on supported devices"):
        optimizer.step()


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW", "Adagrad"])
def test_what_fused_wants(kind):
    cls = getattr(torch.optim, kind)
    assert cls([leaf()], fused=True)._step_supports_amp_scaling
    assert not hasattr(cls([leaf()]), "_step_supports_amp_scaling")
    with pytest.raises(RuntimeError, match="requires all the params to be floating point Tensors of supported devices"):
        cls([leaf(2, dtype=torch.complex64)], fused=True).step()


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW", "Adagrad"])
def test_fused_steps_unscale(kind):
    scaled, plain = leaf(), leaf()
    scaled.grad = scaled.grad * 8
    a, b = (getattr(torch.optim, kind)([param], lr=0.1, fused=True) for param in (scaled, plain))
    a.grad_scale, a.found_inf = torch.tensor(8.0), torch.tensor(0.0)
    a.step()
    b.step()
    assert torch.allclose(scaled, plain) and torch.allclose(scaled.grad, plain.grad)
    before = scaled.clone()
    a.found_inf.fill_(1.0)
    a.step()
    assert torch.equal(scaled, before)
    if kind != "SGD":
        assert a.state[scaled]["step"].item() == 1


def test_what_else_is_refused():
    with pytest.raises(RuntimeError, match="does not support dense gradients, please consider Adam instead"):
        torch.optim.SparseAdam([leaf()]).step()
    with pytest.raises(ValueError, match="Muon only supports 2D parameters"):
        torch.optim.Muon([leaf(3)])
    for kind in ("Muon", "Adafactor"):
        with pytest.raises(RuntimeError, match=f"{kind} does not support complex parameters"):
            getattr(torch.optim, kind)([leaf(2, 2, dtype=torch.complex64)]).step()
    with pytest.raises(ValueError, match="less than 100"):
        torch.optim.Muon([leaf(2, 2)], ns_steps=100).step()
    with pytest.raises(NotImplementedError):
        Optimizer([leaf()], {}).step()
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad is being used in an in-place operation"):
        SGD([leaf()], differentiable=True).step()
    with pytest.raises(AssertionError, match="_foreach ops don't support autograd"):
        Adam([leaf()], differentiable=True, foreach=True).step()


@pytest.mark.parametrize("kind", [kind for kind in OPTIONS if kind not in ("LBFGS", "SparseAdam")])
def test_closures_and_missing_gradients(kind):
    param, still = leaf(2, 2), leaf(2, 2)
    still.grad = None
    optimizer = getattr(torch.optim, kind)([param, still], lr=0.1)

    def closure():
        assert torch.is_grad_enabled()
        return "loss"

    with torch.no_grad():
        assert optimizer.step(closure) == "loss"
        assert not torch.is_grad_enabled()
    assert optimizer.step() is None
    assert not torch.equal(param, torch.ones(2, 2)) and torch.equal(still, torch.ones(2, 2))
    assert param.requires_grad and param.is_leaf


def test_zero_grad():
    a, b = leaf(), leaf()
    b.grad = None
    optimizer = SGD([a, b], lr=0.1)
    kept = a.grad
    optimizer.zero_grad(set_to_none=False)
    assert a.grad is kept and torch.equal(kept, torch.zeros(2)) and b.grad is None
    optimizer.zero_grad()
    assert a.grad is None
    x = torch.ones(2, requires_grad=True)
    a.grad = x * 2
    optimizer.zero_grad(set_to_none=False)
    assert a.grad.grad_fn is None and a.grad.sum().item() == 0


def test_text():
    optimizer = AdamW([{"params": leaf()}, {"params": leaf(), "lr": 1}])
    lines = repr(optimizer).splitlines()
    assert lines[:3] == ["AdamW (", "Parameter Group 0", "    amsgrad: False"]
    assert lines[14:17] == ["Parameter Group 1", "    amsgrad: False", "    betas: (0.9, 0.999)"]
    assert lines[-1] == ")" and "    lr: 1" in lines


def test_hooks():
    seen = []
    optimizer = SGD([leaf()], lr=0.1)
    handles = [
        register_optimizer_step_pre_hook(lambda o, args, kwargs: seen.append(("all before", args[0] is o, kwargs))),
        optimizer.register_step_pre_hook(lambda *args: seen.append("before")),
        optimizer.register_step_post_hook(lambda *args: seen.append("after")),
        register_optimizer_step_post_hook(lambda *args: seen.append("all after")),
    ]
    optimizer.step(closure=None)
    assert seen == [("all before", True, {"closure": None}), "before", "after", "all after"]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(seen) == 4
    handle = optimizer.register_step_pre_hook(lambda o, args, kwargs: ((o,), {"closure": lambda: 7}))
    assert optimizer.step() == 7
    handle.remove()
    optimizer.register_step_pre_hook(lambda *args: 3)
    with pytest.raises(RuntimeError, match=r"must return None or a tuple of \(new_args, new_kwargs\), but got 3"):
        optimizer.step()


def test_hooks_of_state():
    seen = []
    optimizer = SGD([leaf()], lr=0.1)
    optimizer.register_state_dict_pre_hook(lambda o: seen.append(1))
    optimizer.register_state_dict_pre_hook(lambda o: seen.append(2), prepend=True)
    optimizer.register_state_dict_post_hook(lambda o, state: {**state, "more": 1})
    optimizer.register_state_dict_post_hook(lambda o, state: seen.append(sorted(state)), prepend=True)
    state = optimizer.state_dict()
    assert seen == [2, 1, ["param_groups", "state"]] and state["more"] == 1
    other = SGD([leaf()], lr=0.5)
    other.register_load_state_dict_pre_hook(lambda o, given: seen.append(given is not state and sorted(given)))
    other.register_load_state_dict_pre_hook(
        lambda o, given: {**given, "param_groups": [{**given["param_groups"][0], "lr": 7}]}
    )
    other.register_load_state_dict_post_hook(lambda o: seen.append(o.param_groups[0]["lr"]))
    other.load_state_dict(state)
    assert seen[3:] == [["more", "param_groups", "state"], 7]


def test_loading():
    param = leaf(dtype=torch.float64)
    optimizer = SGD([param], lr=0.1, momentum=0.9)
    optimizer.step()
    state = optimizer.state_dict()
    for groups, text in [
        ([], "has a different number of parameter groups"),
        ([{**state["param_groups"][0], "params": [0, 1]}], "doesn't match the size of optimizer's group"),
    ]:
        with pytest.raises(ValueError, match=text):
            optimizer.load_state_dict({**state, "param_groups": groups})
    optimizer.load_state_dict(
        {
            "state": {0: {"momentum_buffer": torch.ones(2), "l": [torch.ones(1), 1]}, "global": {"x": 1}},
            "param_groups": state["param_groups"],
        }
    )
    loaded = optimizer.state[param]
    assert loaded["momentum_buffer"].dtype == torch.float64 and loaded["l"][0].dtype == torch.float64
    assert optimizer.state["global"] == {"x": 1} and optimizer.param_groups[0]["params"][0] is param
    optimizer = Adam([param])
    optimizer.step()
    state = optimizer.state_dict()
    assert state["state"][0]["step"].dtype == torch.float32
    optimizer.load_state_dict(state)
    assert optimizer.state[param]["step"].dtype == torch.float32  # though the parameter is not


def test_states_of_older_versions():
    param = leaf()
    optimizer = Adam([param])
    optimizer.step()
    state = optimizer.state_dict()
    group = {key: state["param_groups"][0][key] for key in ("lr", "betas", "eps", "weight_decay", "params")}
    old = {"state": {0: {**state["state"][0], "step": 1}}, "param_groups": [group]}
    other = Adam([leaf()])
    other.load_state_dict(old)
    assert other.state[other.param_groups[0]["params"][0]]["step"].item() == 1.0
    other.step()
    optimizer.step()
    assert not other.param_groups[0]["amsgrad"] and other.param_groups[0]["foreach"] is None


@pytest.mark.parametrize("make", [copy.deepcopy, lambda optimizer: pickle.loads(pickle.dumps(optimizer))])
def test_copies(make):
    param = leaf()
    optimizer = Adam([param], lr=0.1)
    optimizer.step()
    other = make(optimizer)
    twin = other.param_groups[0]["params"][0]
    assert twin is not param and list(other.state) == [twin]
    twin.grad = torch.full_like(twin, 0.5).detach()
    other.step()
    optimizer.step()
    assert torch.equal(twin, param)
    seen = []
    other.register_step_post_hook(lambda *args: seen.append(1))
    other.step()
    assert seen == [1]


def test_own_optimisers():
    class Plain(Optimizer):
        def __init__(self, params, lr=required):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for param in group["params"]:
                    param.add_(param.grad, alpha=-group["lr"])
                    self.state[param]["count"] = self.state[param].get("count", 0) + 1

    param = leaf()
    optimizer = Plain([param], lr=1.0)
    seen = []
    optimizer.register_step_post_hook(lambda *args: seen.append(1))
    optimizer.step()
    assert param.tolist() == [0.5, 0.5] and seen == [1]
    assert optimizer.state_dict() == {"state": {0: {"count": 1}}, "param_groups": [{"lr": 1.0, "params": [0]}]}


def test_functions_over_lists():
    from torch.optim import _functional

    param, buffers = torch.ones(2), [None]
    _functional.sgd(
        [param],
        [torch.ones(2)],
        buffers,
        weight_decay=0,
        momentum=0.9,
        lr=0.1,
        dampening=0,
        nesterov=False,
        maximize=False,
    )
    assert torch.allclose(param, torch.full((2,), 0.9)) and torch.equal(buffers[0], torch.ones(2))
    param, step = torch.ones(2), torch.tensor(0.0)
    options = {"amsgrad": False, "beta1": 0.9, "beta2": 0.99, "lr": 0.1, "weight_decay": 0.0, "eps": 1e-8}
    zeros = [torch.zeros(2)]
    _functional.adam([param], [torch.ones(2)], zeros, [torch.zeros(2)], [], [step], maximize=False, **options)
    assert torch.allclose(param, torch.full((2,), 0.9)) and step.item() == 1
    with pytest.raises(RuntimeError, match="API has changed, `state_steps` argument must contain a list of singleton"):
        _functional.adam([param], [torch.ones(2)], zeros, zeros, [], [1], maximize=False, **options)


def test_differentiable_steps():
    start, rate = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor(0.1, requires_grad=True)
    param = start.clone()
    optimizer = SGD([param], lr=rate, differentiable=True)
    param.grad = (2 * start).detach()
    optimizer.step()
    param.sum().backward()
    assert rate.grad.item() == pytest.approx(-6.0)
    for kind in ["Adam", "AdamW", "Adamax", "NAdam", "RAdam", "Adagrad", "Adadelta", "ASGD", "RMSprop", "Rprop"]:
        start = torch.tensor([1.0, 2.0], requires_grad=True)
        param = start.clone()
        optimizer = getattr(torch.optim, kind)([param], lr=0.1, differentiable=True)
        param.grad = 3 * start
        optimizer.step()
        param.sum().backward()
        assert torch.isfinite(start.grad).all(), kind


def test_swapping_in():
    from torch.optim import swap_in_optimizer_params_and_state as swapped

    param, given = leaf(), leaf()
    optimizer = Adam([param], lr=0.1)
    with pytest.raises(RuntimeError, match="requires initialized optimizer state"):
        with swapped(optimizer, {"x": given}, optimizer.state_dict()):
            pass
    optimizer.step()
    state = copy.deepcopy(optimizer.state_dict())
    state["param_groups"][0]["lr"] = 5.0
    own, groups = optimizer.state[param], optimizer.param_groups
    with swapped(optimizer, {"x": given}, state):
        assert optimizer.param_groups[0]["params"] == [given] and optimizer.param_groups[0]["lr"] == 5.0
        optimizer.step()
        optimizer.param_groups[0]["lr"] = 7
        optimizer.state[given]["more"] = 1
    assert optimizer.state[param] is own and optimizer.param_groups is groups and groups[0]["lr"] == 0.1
    assert given[0].item() < -3 and state["state"][0]["step"].item() == 2 and "more" not in state["state"][0]
    for bad, text in [
        ({}, "to be a dict mapping packed parameter ids"),
        ({"state": {}, "param_groups": []}, "different number of parameter groups"),
        ({**state, "state": {9: {}}}, "got extra keys"),
    ]:
        with pytest.raises(RuntimeError, match=text), swapped(optimizer, {"x": given}, bad):
            pass


def test_reached_from_torch():
    code = "import torch; print(torch.optim.SGD.__name__, torch.optim.lr_scheduler.StepLR, torch.optim.swa_utils.SWALR)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == [
        *("SGD", "<class", "'torch.optim.lr_scheduler.StepLR'>", "<class", "'torch.optim.swa_utils.SWALR'>")
    ]
