"""What each optimiser does to parameters in ten steps, and the state that it keeps, as in PyTorch 2.13 (generate.py)."""

import math
import pathlib

import pytest
import steps
import torch

DATA = pathlib.Path(__file__).parent / "data"
GOLDEN = torch.load(DATA / "steps.pt")
HALVES = torch.load(DATA / "halves.pt")
STATES = torch.load(DATA / "states.pt")
TOLERANCE = {torch.float32: 1e-6, torch.complex64: 1e-6, torch.float64: 1e-12}


def assert_near(got, expected, tolerance=None):
    assert got.dtype == expected.dtype and got.shape == expected.shape
    tolerance = tolerance or TOLERANCE[got.dtype]
    error = ((got - expected).abs() / (1 + expected.abs())).max().item() if got.numel() else 0.0
    assert error <= tolerance, error


def tolerance(kind, dtype):
    """Muon multiplies matrices in bfloat16; in LBFGS roundings grow from step to step."""
    return {"Muon": 2e-2, "LBFGS": 1e-4 if dtype != torch.float64 else 1e-9}.get(kind)


@pytest.mark.parametrize(
    "name, kind, options, dtype", list(steps.names()), ids=lambda x: x if isinstance(x, str) else ""
)
def test_ten_steps(name, kind, options, dtype):
    assert_near(steps.path(kind, options, dtype), GOLDEN[name], tolerance(kind, dtype))


@pytest.mark.parametrize(
    "name, kind, options, dtype", list(steps.half_names()), ids=lambda x: x if isinstance(x, str) else ""
)
def test_steps_in_half_types(name, kind, options, dtype):
    """Rounded after each operation, or (fused) only what is stored: mostly the same bits."""
    got, expected = steps.half_path(kind, options, dtype), HALVES[name]
    assert got.dtype == expected.dtype
    different = (got != expected) & (got.eq(got) | expected.eq(expected))
    assert different.sum().item() <= 0.03 * got.numel()
    # Infinities, where float16 has no room for a square, are the same.
    assert_near(got[different].float(), expected[different].float(), 2 * torch.finfo(dtype).eps)


def test_every_golden_case_is_tested():
    assert {name for name, *_ in steps.half_names()} == set(HALVES)
    assert {name for name, *_ in steps.names()} == set(GOLDEN)
    assert (
        set(steps.OPTIMIZERS)
        == set(STATES)
        == set(torch.optim.__all__)
        - {*("Optimizer", "SparseAdam", "lr_scheduler", "swa_utils", "swap_in_optimizer_params_and_state")}
    )


def compare(got, expected, tolerance, where):
    """The same keys in the same order, types, dtypes and shapes; numbers near."""
    assert type(got) is type(expected), where
    if isinstance(expected, dict):
        assert list(got) == list(expected), where
        for key in expected:
            compare(got[key], expected[key], tolerance, f"{where}[{key!r}]")
    elif isinstance(expected, (list, tuple)):
        assert len(got) == len(expected), where
        for i, (a, b) in enumerate(zip(got, expected)):
            compare(a, b, tolerance, f"{where}[{i}]")
    elif isinstance(expected, torch.Tensor):
        assert got.device == expected.device, where
        assert_near(got, expected, tolerance)
    elif isinstance(expected, float):
        assert math.isclose(got, expected, rel_tol=tolerance or 1e-6), where
    else:
        assert got == expected, where


@pytest.mark.parametrize("kind", STATES)
def test_the_state_is_theirs_key_by_key(kind):
    params = steps.parameters(kind, torch.float32)
    optimizer = steps.make(kind, params, steps.SAVED.get(kind, {}))
    for _ in steps.steps(kind, params, optimizer, 3):
        pass
    compare(optimizer.state_dict(), STATES[kind]["state"], tolerance(kind, torch.float32), kind)


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("through_file", [False, True])
def test_their_state_is_gone_on_from(kind, through_file, tmp_path):
    params = steps.parameters(kind, torch.float32)
    optimizer = steps.make(kind, params, {})
    walk = steps.steps(kind, params, optimizer, 5)
    if kind != "LBFGS":
        for _ in range(3):  # for the gradients of the last two steps
            next(walk)
    with torch.no_grad():
        for param, value in zip(params, STATES[kind]["params"]):
            param.copy_(value)
    state = torch.load(DATA / "states.pt")[kind]["state"]
    if through_file:
        optimizer.load_state_dict(state)
        torch.save(optimizer.state_dict(), tmp_path / "state.pt")
        state = torch.load(tmp_path / "state.pt")
    optimizer.load_state_dict(state)
    if kind == "LBFGS":
        walk = steps.steps(kind, params, optimizer, 2)
    for _ in walk:
        pass
    assert_near(steps.flat(params), STATES[kind]["after"], tolerance(kind, torch.float32))
