"""Models, optimisers, data and graphs on a CUDA device: the numbers are the CPU's (learning_programs.py, learning_steps.py).
What draws numbers on the device is tested by what holds of any."""

import os
import subprocess
import sys
import warnings

import learning_steps  # noqa: F401 - it adds to PROGRAMS
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from learning_programs import PROGRAMS, leaves, mlp
from torch import nn
from torch.utils import checkpoint as checkpointing


@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_are_the_cpus(name):
    found = {}
    for device in ("cpu", "cuda"):
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of modes that are on for a test alone
            found[device] = leaves(PROGRAMS[name](device))
    assert found["cpu"] and len(found["cpu"]) == len(found["cuda"])
    for i, (cpu, cuda) in enumerate(zip(found["cpu"], found["cuda"], strict=True)):
        torch.testing.assert_close(cuda.cpu(), cpu, rtol=2e-4, atol=2e-5, msg=lambda text, i=i: f"result {i}: {text}")


# ---- numbers drawn on the device -----------------------------------------------------------------------------
def test_checkpoint_draws_again():
    """What is computed a second time sees the dropout of the first."""
    torch.manual_seed(1)
    model, x = nn.Sequential(nn.Linear(32, 64), nn.Dropout(0.5)).cuda(), torch.randn(16, 32, device="cuda")

    def gradient(call):
        torch.cuda.manual_seed(7)
        model.zero_grad()
        y = call(x)
        y.sum().backward()
        return y.detach(), model[0].weight.grad, torch.rand(2, device="cuda")

    plain = gradient(model)
    for reentrant in (False, True):
        inputs = x.clone().requires_grad_()
        found = gradient(lambda _, r=reentrant, i=inputs: checkpointing.checkpoint(model, i, use_reentrant=r))
        for a, b in zip(plain, found, strict=True):
            assert torch.equal(a, b), reentrant
    unlike = gradient(
        lambda _: checkpointing.checkpoint(model, x.requires_grad_(), use_reentrant=False, preserve_rng_state=False)
    )
    assert torch.equal(plain[0], unlike[0]) and not torch.equal(plain[1], unlike[1])


def test_checkpoint_within_autocast():
    model, x = mlp().cuda(), torch.randn(5, 6, device="cuda")
    seen = []
    model[0].register_forward_hook(lambda module, inputs, output: seen.append(output.dtype))
    for reentrant in (False, True):
        seen.clear()
        with torch.autocast("cuda"):
            y = checkpointing.checkpoint(model, x.requires_grad_(), use_reentrant=reentrant)
        y.sum().backward()
        assert seen == [torch.float16, torch.float16] and x.grad.dtype == torch.float32


def test_dropout():
    x = torch.ones(200, 100, device="cuda", requires_grad=True)
    for drop, whole in (
        (F.dropout, False),
        (F.alpha_dropout, False),
        (F.dropout2d, True),
        (F.feature_alpha_dropout, True),
    ):
        given = x[None, :, :, None].expand(1, 200, 100, 2) if whole else x
        torch.cuda.manual_seed(3)
        state = torch.cuda.get_rng_state()
        first, second = drop(given, 0.25, True), drop(given, 0.25, True)
        torch.cuda.set_rng_state(state)
        assert torch.equal(drop(given, 0.25, True), first) and not torch.equal(first, second), drop
        kept = (first == first.max()).float().mean().item()
        assert abs(kept - 0.75) < (0.12 if whole else 0.02), (drop, kept)
        if whole:
            assert (first == first[:, :, :1]).all()
        x.grad = None
        first.sum().backward()
        assert x.grad.shape == x.shape and x.grad.count_nonzero() > 0
    assert torch.equal(F.dropout(x, 0.5, training=False), x)


def test_generators():
    made = torch.Generator("cuda").manual_seed(5)
    state = made.get_state()
    draws = [
        lambda: torch.rand(4, 3, device="cuda", generator=made),
        lambda: torch.randn(5, device="cuda", generator=made),
        lambda: torch.randint(9, (7,), device="cuda", generator=made),
        lambda: torch.randperm(11, device="cuda", generator=made),
        lambda: torch.empty(6, device="cuda").exponential_(generator=made),
        lambda: torch.bernoulli(torch.full((20,), 0.5, device="cuda"), generator=made),
        lambda: torch.multinomial(torch.ones(5, device="cuda"), 3, generator=made),
        lambda: nn.init.trunc_normal_(torch.empty(3, 3, device="cuda"), generator=made),
        lambda: nn.init.kaiming_uniform_(torch.empty(3, 3, device="cuda"), generator=made),
    ]
    first = [draw() for draw in draws]
    before = torch.cuda.get_rng_state()
    made.set_state(state)
    assert all(torch.equal(a, draw()) for a, draw in zip(first, draws, strict=True))
    assert torch.equal(torch.cuda.get_rng_state(), before)
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator but found 'cuda'"):
        torch.rand(2, generator=made)
    with torch.random.fork_rng(devices=[0]):
        torch.rand(3, device="cuda")
    assert torch.equal(torch.cuda.get_rng_state(), before)


def test_recurrent_dropout():
    torch.manual_seed(0)
    model, x = nn.LSTM(4, 5, 3, dropout=0.5).cuda(), torch.randn(6, 2, 4, device="cuda")
    torch.cuda.manual_seed(1)
    first = model(x)[0]
    assert not torch.equal(model(x)[0], first)
    torch.cuda.manual_seed(1)
    assert torch.equal(model(x)[0], first)
    assert torch.equal(model.eval()(x)[0], model(x)[0])


def test_initialisation():
    """Modules that are made on the device draw there, with the moments that init promises."""
    torch.cuda.manual_seed(2)
    state = torch.get_rng_state()
    layer = nn.Linear(300, 200, device="cuda")
    assert torch.equal(torch.get_rng_state(), state)
    assert abs(layer.weight.std().item() - (1 / 300 / 3) ** 0.5) < 1e-3
    for fill, spread in (
        (nn.init.normal_, 1.0),
        (nn.init.xavier_normal_, (2 / 500) ** 0.5),
        (nn.init.orthogonal_, 0.0577),
    ):
        try:
            fill(layer.weight)
        except NotImplementedError as error:  # orthogonal_ wants a decomposition
            assert "qr" in str(error) and fill is nn.init.orthogonal_
            continue
        assert abs(layer.weight.std().item() / spread - 1) < 0.02, fill


# ---- where tensors are ---------------------------------------------------------------------------------------
def test_what_is_on_two_devices_is_refused():
    model, x = mlp().cuda(), torch.ones(2, 6)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        model(x)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        F.cross_entropy(model(x.cuda()), torch.tensor([0, 1]))
    p = nn.Parameter(torch.ones(2, device="cuda"))
    with pytest.raises(RuntimeError, match="attempting to assign a gradient with device type"):
        p.grad = torch.ones(2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    model(x.cuda()).sum().backward()
    model.cpu()
    assert all(p.grad.device.type == "cpu" for p in model.parameters())
    optimizer.step()


def test_pinned_structures():
    from torch.utils.data._utils.pin_memory import pin_memory

    pinned = pin_memory({"a": torch.ones(2), "b": [torch.zeros(1), "text"], "c": (torch.ones(1), 3)})
    assert pinned["a"].is_pinned() and pinned["b"][0].is_pinned() and pinned["c"][0].is_pinned()
    assert pinned["b"][1] == "text" and pinned["c"][1] == 3
    assert pinned["a"].to("cuda", non_blocking=True).eq(1).all()


def test_a_checkpoint_of_a_device_is_loaded_without_one(tmp_path):
    model = mlp().cuda()
    torch.save(model.state_dict(), tmp_path / "model.pt")
    code = """
import sys, torch
path = sys.argv[1]
assert not torch.cuda.is_available()
try:
    torch.load(path)
except RuntimeError as error:
    assert "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False" in str(error), error
else:
    raise SystemExit("loaded")
print(sum(t.double().sum().item() for t in torch.load(path, map_location="cpu").values()))
"""
    without = {"HOST_CUDA_DEVICES": "0", "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "model.pt")],
        env=os.environ | without,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    expected = sum(p.double().sum().item() for p in model.state_dict().values())
    assert abs(float(run.stdout) - expected) < 1e-6


def test_capturable_keeps_its_steps_on_the_device():
    model, x = mlp().cuda(), torch.ones(2, 6, device="cuda")
    for options, where in (({"capturable": True}, "cuda"), ({"fused": True}, "cuda"), ({}, "cpu")):
        optimizer = torch.optim.Adam(model.parameters(), **options)
        model(x).sum().backward()
        optimizer.step()
        steps = {state["step"].device.type for state in optimizer.state.values()}
        assert steps == {where}, options
        again = torch.optim.Adam(model.parameters(), **options)
        again.load_state_dict(optimizer.state_dict())
        assert {state["step"].device.type for state in again.state.values()} == {where}, options


def test_data_parallel_with_autocast():
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    model = nn.DataParallel(mlp().cuda())
    with torch.autocast("cuda"):
        y = model(torch.ones(4, 6, device="cuda"))
    assert y.dtype == torch.float16
    y.float().sum().backward()
    assert all(p.grad.dtype == torch.float32 for p in model.parameters())
