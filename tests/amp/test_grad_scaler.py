"""GradScaler on the CPU: its numbers and messages are PyTorch's."""

import pickle

import pytest
import torch
from torch.amp import GradScaler


def make(lr=0.1, kind=torch.optim.SGD, **options):
    w = torch.nn.Parameter(torch.ones(2))
    return w, kind([w], lr=lr, **options)


def test_a_step():
    scaler, (w, optimizer) = GradScaler("cpu"), make()
    loss = (w * 2).sum()
    scaled = scaler.scale(loss)
    assert scaled == 262144 and scaled.grad_fn.name() == "MulBackward0"
    scaled.backward()
    scaler.unscale_(optimizer)
    assert w.grad.eq(2).all()
    with pytest.raises(RuntimeError, match=r"unscale_\(\) has already been called on this optimizer since the last"):
        scaler.unscale_(optimizer)
    assert scaler.step(optimizer) is None
    assert torch.allclose(w.detach(), torch.full((2,), 0.8))
    with pytest.raises(RuntimeError, match=r"step\(\) has already been called since the last update"):
        scaler.step(optimizer)
    with pytest.raises(RuntimeError, match=r"unscale_\(\) is being called after step"):
        scaler.unscale_(optimizer)
    scaler.update()
    assert scaler.state_dict() == {
        "scale": 65536.0,
        "growth_factor": 2.0,
        "backoff_factor": 0.5,
        "growth_interval": 2000,
        "_growth_tracker": 1,
    }


@pytest.mark.parametrize("bad", [float("inf"), float("nan"), -float("inf")])
def test_a_step_that_is_left_out(bad):
    scaler, (w, optimizer) = GradScaler("cpu"), make()
    scaler.scale(w.sum()).backward()
    w.grad[1] = bad
    assert scaler.step(optimizer) is None
    assert w.eq(1).all()
    scaler.update()
    assert scaler.get_scale() == 32768.0 and scaler._get_growth_tracker() == 0


def test_growth():
    scaler, (w, optimizer) = GradScaler("cpu", growth_interval=2), make()
    seen = []
    for _ in range(5):
        optimizer.zero_grad()
        scaler.scale((w * 2).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        seen.append((scaler.get_scale(), scaler._get_growth_tracker()))
    assert seen == [(65536.0, 1), (131072.0, 0), (131072.0, 1), (262144.0, 0), (262144.0, 1)]
    again = pickle.loads(pickle.dumps(scaler))
    assert again.state_dict() == scaler.state_dict()
    other = GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.state_dict() == scaler.state_dict()


@pytest.mark.parametrize("kind", [torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD, torch.optim.Adagrad])
def test_fused_optimisers_undo_the_scale(kind):
    plain, fused = [], []
    for options, kept in (({}, plain), ({"fused": True}, fused)):
        scaler, (w, optimizer) = GradScaler("cpu"), make(kind=kind, **options)
        for step in range(4):
            optimizer.zero_grad()
            scaler.scale((w * w).sum()).backward()
            if step == 2:
                w.grad[0] = float("inf")
            scaler.step(optimizer)
            scaler.update()
            kept.append(w.detach().clone())
    assert torch.equal(plain[1], plain[2]) and not torch.equal(plain[2], plain[3])
    for a, b in zip(plain, fused, strict=True):
        assert torch.allclose(a, b, rtol=1e-6, atol=0)


def test_containers():
    scaler = GradScaler("cpu", init_scale=4.0)
    one = torch.tensor(1.0)
    assert scaler.scale([one, (one,)]) == [torch.tensor(4.0), (torch.tensor(4.0),)]
    assert list(scaler.scale({one: 0})) == [torch.tensor(4.0)]
    assert (
        scaler.scale(one.bfloat16()).dtype == torch.float32
    )  # a tensor without dimensions does not decide: both have none
    assert scaler.scale(one.double()).dtype == torch.float64
    with pytest.raises(ValueError, match="outputs must be a Tensor or an iterable of Tensors"):
        scaler.scale(3)


def test_a_scale_that_is_set():
    scaler = GradScaler("cpu")
    scaler.scale(torch.tensor(1.0))
    scaler.update(3.0)
    assert scaler.get_scale() == 3.0
    scaler.update(torch.tensor(4.0))
    assert scaler.get_scale() == 4.0
    with pytest.raises(AssertionError, match="new_scale should be a float or a 1-element"):
        scaler.update(torch.ones(2))


def test_disabled():
    scaler, (w, optimizer) = GradScaler("cpu", enabled=False), make()
    loss = w.sum()
    assert scaler.scale(loss) is loss and scaler.get_scale() == 1.0 and scaler.state_dict() == {}
    loss.backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    scaler.load_state_dict({})
    assert not scaler.is_enabled() and w.ne(1).all()
    if not torch.cuda.is_available():
        with pytest.warns(UserWarning, match="GradScaler is enabled, but CUDA is not available.  Disabling."):
            assert not GradScaler().is_enabled()


def test_mistakes():
    scaler, (_, optimizer) = GradScaler("cpu"), make()
    for name, call in (
        ("unscale_", lambda: scaler.unscale_(optimizer)),
        ("step", lambda: scaler.step(optimizer)),
        ("update", scaler.update),
    ):
        with pytest.raises(
            AssertionError, match=f"Attempted {name} but _scale is None.  This may indicate your script"
        ):
            call()
    scaler.scale(torch.tensor(1.0))
    with pytest.raises(AssertionError, match="No inf checks were recorded for this optimizer."):
        scaler.step(optimizer)
    with pytest.raises(AssertionError, match="No inf checks were recorded prior to update."):
        GradScaler.update(scaler)
    with pytest.raises(RuntimeError, match="Closure use is not currently supported if GradScaler is enabled."):
        scaler.step(optimizer, closure=lambda: 1)
    half = torch.nn.Parameter(torch.ones(2, dtype=torch.float16))
    half.grad = torch.ones_like(half)
    with pytest.raises(ValueError, match="Attempting to unscale FP16 gradients."):
        scaler.unscale_(torch.optim.SGD([half], lr=0.1))
    with pytest.raises(AssertionError, match="The growth factor must be > 1.0."):
        GradScaler("cpu", growth_factor=1.0)
    with pytest.raises(AssertionError, match="The backoff factor must be < 1.0."):
        GradScaler("cpu", backoff_factor=1.0)
    with pytest.raises(RuntimeError, match="The source state dict is empty"):
        scaler.load_state_dict({})


def test_the_two_updates():
    grad, found = torch.full((3,), 4.0), torch.zeros(1)
    torch._amp_foreach_non_finite_check_and_unscale_([grad], found, torch.tensor(0.25))
    assert grad.eq(1).all() and found == 0
    scale, steps = torch.tensor([2.0]), torch.tensor([1], dtype=torch.int32)
    assert torch._amp_update_scale_(scale, steps, torch.tensor([0.0]), 2.0, 0.5, 2) is scale
    assert scale == 4 and steps == 0
