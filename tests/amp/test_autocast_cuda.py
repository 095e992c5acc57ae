"""torch.autocast and GradScaler on CUDA devices: which operators run in which dtype, as PyTorch told of tensors that pretend
to be on one (generate_autocast.py); contexts for two kinds of device, the cache, custom Functions; steps of training."""

import json
import math
import pathlib
import threading
import warnings
import weakref

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it

if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

from autocast_cases import CASES, run

TOLD = json.loads((pathlib.Path(__file__).resolve().parent / "data/autocast_cuda.json").read_text())["cases"]
# What a pretended tensor does not refuse: kernels of FFT and polar() that half types have not, and two dtypes in one call.
PRETENDED = {
    *((name, dtype) for name in ("float/polar", "float/stft") for dtype in ("bfloat16", "float16")),
    *((name, "float16") for name in CASES if name.startswith("float/fft_")),
    *((f"widest/index_copy{of}", dtype) for of in ("", "_lower") for dtype in ("bfloat16", "float16", "float64")),
    *((f"cuda/{name}", "float64") for name in ("cross", "index_put")),
}


def has_kernels(function):
    """Whether the case is computed on CUDA devices at all."""
    told = run(function, "float32", False, torch.autocast("cuda", enabled=False), "cuda")
    return told.get("raises") != "NotImplementedError"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in CASES if name in TOLD])
def test_dtypes_are_pytorchs(name):
    exact = run(CASES[name], "float64", False, torch.autocast("cpu", enabled=False)).get("total")
    for dtype, told in TOLD[name].items():
        for grad in (True, False):
            found = run(CASES[name], dtype, grad, torch.autocast("cuda"), "cuda")
            where = f"{name}, {dtype}, {'recorded' if grad else 'plain'}: {found} instead of {told}"
            if (name, dtype) in PRETENDED and "raises" in found:
                assert found["raises"] in ("RuntimeError", "NotImplementedError"), where
                continue
            if found.get("raises") == "NotImplementedError":
                assert not has_kernels(CASES[name]), where
                continue
            if told is None:
                continue
            if told == "RuntimeError":  # of two half types, of which we make float32
                refused = name == "float/binary_cross_entropy"
                assert found["raises"] == told if refused else "float32" in found["results"], where
                continue
            assert found.get("results") == told, where
            if grad and found["gradients"] is not None:
                assert found["gradients"] == [dtype], where
            assert exact is None or math.isclose(found["total"], exact, rel_tol=3e-2, abs_tol=1e-3), (where, exact)


def test_what_pytorch_could_not_tell():
    """Modules, whose weights cannot pretend, and recurrent layers, which cuDNN computes there."""
    x, rnn = torch.ones(3, 2, 4, device="cuda"), {}
    with torch.autocast("cuda"):
        for kind in ("RNN", "LSTM", "GRU"):
            model = getattr(torch.nn, kind)(4, 5).cuda()
            packed = torch.nn.utils.rnn.pack_padded_sequence(x, [3, 2])
            rnn[kind] = {model(x)[0].dtype, model(x.half())[0].dtype, model(packed)[0].data.dtype}
            cell = getattr(torch.nn, f"{kind}Cell")(4, 5).cuda()
            rnn[f"{kind}Cell"] = {(cell(x[0])[0] if kind == "LSTM" else cell(x[0])).dtype}
        assert set().union(*rnn.values()) == {torch.float16}, rnn
        norm = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LayerNorm(4)).cuda()
        assert norm(x).dtype == torch.float32
        attention = torch.nn.MultiheadAttention(4, 2).cuda()
        assert attention(x, x, x)[0].dtype == torch.float16
        assert torch.nn.TransformerEncoderLayer(4, 2, 8).cuda().train()(x).dtype == torch.float32
        assert torch.nn.BatchNorm1d(4).cuda()(torch.nn.Linear(4, 4).cuda()(x[0])).dtype == torch.float16


def products(device="cuda"):
    x = torch.ones(2, 2, device=device)
    return (x @ x).dtype


def test_contexts_nest():
    assert products() == torch.float32
    with torch.autocast("cuda") as context:
        assert torch.is_autocast_enabled() and torch.is_autocast_enabled("cuda")
        assert not torch.is_autocast_enabled("cpu")
        assert products() == torch.float16 and products("cpu") == torch.float32
        with torch.autocast("cpu"):
            assert (products(), products("cpu")) == (torch.float16, torch.bfloat16)
            with torch.autocast("cuda", enabled=False):
                assert (products(), products("cpu")) == (torch.float32, torch.bfloat16)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            assert products() == torch.bfloat16 == torch.get_autocast_dtype("cuda")
        assert products() == torch.float16 == torch.get_autocast_dtype("cuda")
        with context:
            assert products() == torch.float16
        with torch.autocast("cuda:0"):
            assert products() == torch.float16
    with torch.autocast("cpu"):
        assert products() == torch.float32  # the CPU's contexts leave the device alone
    assert products() == torch.float32 and not torch.is_autocast_enabled()


def test_settings():
    assert torch.amp.is_autocast_available("cuda") and torch.get_autocast_dtype("cuda") == torch.float16
    torch.set_autocast_dtype("cuda", torch.bfloat16)
    try:
        with torch.autocast("cuda"):
            assert products() == torch.bfloat16
    finally:
        torch.set_autocast_dtype("cuda", torch.float16)
    torch.set_autocast_enabled(True)
    try:
        assert products() == torch.float16
    finally:
        torch.set_autocast_enabled(False)
    with pytest.warns(FutureWarning, match=r"`torch.cuda.amp.autocast\(args...\)` is deprecated."):
        older = torch.cuda.amp.autocast()
    with older:
        assert products() == torch.float16
    with pytest.warns(FutureWarning, match=r"`torch.cuda.amp.GradScaler\(args...\)` is deprecated."):
        assert torch.cuda.amp.GradScaler().is_enabled()


def test_an_old_card(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation=True: False)
    with pytest.raises(
        RuntimeError, match="Current CUDA Device does not support bfloat16. Please switch dtype to float16."
    ):
        torch.autocast("cuda", dtype=torch.bfloat16)
    torch.autocast("cuda", dtype=torch.bfloat16, enabled=False)


def test_other_threads_are_outside():
    found = []
    with torch.autocast("cuda"):
        thread = threading.Thread(target=lambda: found.append((products(), torch.is_autocast_enabled())))
        thread.start()
        thread.join()
    assert found == [(torch.float32, False)]


def test_what_is_refused():
    x = torch.full((3,), 0.5, device="cuda")
    with torch.autocast("cuda"):
        with pytest.raises(
            RuntimeError, match="torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to"
        ):
            F.binary_cross_entropy(x, x)
        assert products() == torch.float16  # the context goes on
        assert torch.isfinite(F.binary_cross_entropy_with_logits(x, x))
        assert torch.isfinite(F.binary_cross_entropy(x.cpu(), x.cpu()))
    assert torch.isfinite(F.binary_cross_entropy(x, x))


def test_forms_that_write_are_left_alone():
    x = torch.ones(2, 2, device="cuda").half()
    with torch.autocast("cuda"):
        assert torch.exp(x, out=torch.empty_like(x)).dtype == torch.float16
        assert x.clone().exp_().dtype == torch.float16
        assert x.exp().dtype == torch.float32


def test_sums_are_nodes_of_their_own():
    """Their dtype is set: no conversion is recorded."""
    x = torch.ones(3, device="cuda", dtype=torch.float16, requires_grad=True)
    with torch.autocast("cuda"):
        total = x.sum()
        assert total.dtype == torch.float32 and total.grad_fn.name() == "SumBackward0"
        assert total.grad_fn.next_functions[0][0].name() == "torch::autograd::AccumulateGrad"
    total.backward()
    assert x.grad.dtype == torch.float16


def test_weights_are_converted_once():
    weight = torch.ones(3, 2, device="cuda", requires_grad=True)
    x = torch.ones(4, 2, device="cuda")

    def conversion(result):
        transposed = next(node for node, _ in result.grad_fn.next_functions if node)
        return transposed.next_functions[0][0]

    with torch.autocast("cuda"):
        first, second = F.linear(x, weight), F.linear(x, weight)
        assert conversion(first) is conversion(second) and conversion(first).name() == "ToCopyBackward0"
        with torch.no_grad():
            weight.mul_(3)
        assert F.linear(x, weight)[0, 0] == 6
    (first.sum() + second.sum()).backward()
    assert weight.grad.dtype == torch.float32 and weight.grad.eq(8).all()


class Twice(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x):
        ctx.forward = (x.dtype, products())
        return 2 * x

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        Twice.found = (*ctx.forward, products())
        return 2 * grad


def test_custom_functions():
    x = torch.ones(3, device="cuda", dtype=torch.float16, requires_grad=True)
    with torch.autocast("cuda"):
        y = Twice.apply(x)
    assert y.dtype == torch.float32
    y.sum().backward()
    assert Twice.found == (torch.float32,) * 3 and x.grad.dtype == torch.float16
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Twice.apply(x).sum().backward()  # outside: as given
    assert Twice.found == (torch.float16, torch.float32, torch.float32)


class Inside(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda")
    def forward(ctx, x):
        return x @ x

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        Inside.found = products()
        return grad.float()


def test_backward_runs_as_forward_did():
    x = torch.ones(2, 2, device="cuda", requires_grad=True)
    with torch.autocast("cuda"):
        y = Inside.apply(x)
    y.sum().backward()
    assert Inside.found == torch.float16
    Inside.apply(x).sum().backward()
    assert Inside.found == torch.float32


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_training(dtype):
    """The loss falls as in float32; parameters and gradients stay float32."""

    def losses(enabled):
        torch.manual_seed(0)
        model = torch.nn.Sequential(
            torch.nn.Conv2d(1, 4, 3),
            torch.nn.BatchNorm2d(4),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
            torch.nn.Linear(64, 3),
        ).cuda()
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, fused=True)
        scaler = torch.amp.GradScaler("cuda", enabled=enabled and dtype == torch.float16)
        x, target = torch.randn(12, 1, 6, 6).cuda(), torch.arange(12).cuda() % 3
        found = []
        for _ in range(12):
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=dtype, enabled=enabled):
                loss = F.cross_entropy(model(x), target)
            assert loss.dtype == torch.float32
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            found.append(loss.item())
        assert {p.dtype for p in model.parameters()} | {p.grad.dtype for p in model.parameters()} == {torch.float32}
        return found

    plain, cast = losses(False), losses(True)
    assert cast[-1] < cast[0] / 3
    assert all(math.isclose(a, b, rel_tol=0.05, abs_tol=0.02) for a, b in zip(plain, cast, strict=True)), (plain, cast)


@pytest.mark.parametrize("options", [{}, {"fused": True}, {"foreach": True}, {"foreach": False}])
@pytest.mark.parametrize("kind", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.Adagrad])
def test_scaler_as_on_the_cpu(kind, options):
    """Scales, unscaled and clipped gradients, steps that are left out, growth: the same numbers as on the CPU."""

    def steps(device):
        w = torch.nn.Parameter(torch.arange(1.0, 7.0, device=device))
        optimizer = kind([w], lr=0.1, **options)
        scaler, found = torch.amp.GradScaler(device, growth_interval=2), []
        for step in range(6):
            optimizer.zero_grad()
            scaler.scale((w * w).sum()).backward()
            if step == 2:
                w.grad[0] = float("inf")
            if step in (3, 4):
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_([w], 1.0)
            scaler.step(optimizer)
            scaler.update()
            found.append((w.detach().cpu().clone(), scaler.get_scale(), scaler._get_growth_tracker()))
        assert scaler._scale.device == w.device == scaler._growth_tracker.device
        return found, scaler.state_dict()

    (on_cpu, state), (on_cuda, state_cuda) = steps("cpu"), steps("cuda")
    assert state == state_cuda and [scale for _, scale, _ in on_cpu] == [
        65536.0,
        131072.0,
        65536.0,
        65536.0,
        131072.0,
        131072.0,
    ]
    for (w, *rest), (w_cuda, *rest_cuda) in zip(on_cpu, on_cuda, strict=True):
        assert rest == rest_cuda
        torch.testing.assert_close(w_cuda, w, rtol=1e-5, atol=1e-6)
    assert torch.equal(on_cuda[1][0], on_cuda[2][0])


def test_scaler_over_two_devices():
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    a, b = (torch.nn.Parameter(torch.ones(2, device=f"cuda:{i}")) for i in range(2))
    optimizer, scaler = torch.optim.SGD([a, b], lr=0.5), torch.amp.GradScaler("cuda", init_scale=4.0)
    scaler.scale((a * 2).sum() + (b * 3).sum().to(a.device)).backward()
    assert b.grad.eq(12).all()
    scaler.step(optimizer)
    scaler.update()
    assert a.eq(0).all() and b.eq(-0.5).all()
    optimizer.zero_grad()
    scaler.scale(b.sum()).backward()
    b.grad[1] = float("nan")
    scaler.step(optimizer)
    scaler.update()
    assert b.eq(-0.5).all() and scaler.get_scale() == 2.0


def test_state_of_a_scaler():
    scaler = torch.amp.GradScaler("cuda", init_scale=8.0)
    assert scaler.scale(torch.ones(2, device="cuda")).eq(8).all()
    assert scaler.scale([torch.ones((), device="cuda")])[0] == 8
    scaler.update(2.0)
    other = torch.amp.GradScaler("cuda")
    other.load_state_dict(scaler.state_dict())
    assert other.scale(torch.ones(1, device="cuda")) == 2 and other.state_dict() == scaler.state_dict()
    scaler.update(torch.full((1,), 16.0, device="cuda"))
    assert scaler.get_scale() == 16.0
    half = torch.nn.Parameter(torch.ones(2, device="cuda", dtype=torch.float16))
    half.grad = torch.ones_like(half)
    with pytest.raises(ValueError, match="Attempting to unscale FP16 gradients."):
        scaler.unscale_(torch.optim.SGD([half], lr=0.1))


def test_a_penalty_of_gradients():
    """Second derivatives through conversions: scaled gradients, unscaled by hand, are part of the loss."""

    def losses(enabled):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)).cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scaler = torch.amp.GradScaler("cuda", init_scale=1024.0, enabled=enabled)
        x, target, found = torch.randn(8, 6).cuda(), torch.arange(8).cuda() % 3, []
        for _ in range(5):
            optimizer.zero_grad()
            with torch.autocast("cuda", enabled=enabled):
                loss = F.cross_entropy(model(x), target)
            grads = torch.autograd.grad(scaler.scale(loss), model.parameters(), create_graph=True)
            with torch.autocast("cuda", enabled=enabled):
                loss = loss + sum((grad / scaler.get_scale()).pow(2).sum() for grad in grads).sqrt()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            found.append(loss.item())
        return found

    plain, cast = losses(False), losses(True)
    assert cast[-1] < cast[0] - 0.2
    assert all(math.isclose(a, b, rel_tol=2e-3) for a, b in zip(plain, cast, strict=True)), (plain, cast)


def test_the_cache_ends_with_the_outermost_context():
    model = torch.nn.Linear(3, 2).cuda()
    gone = weakref.ref(model.weight)
    with torch.autocast("cuda"), torch.autocast("cpu"):
        model(torch.ones(1, 3, device="cuda"))
    del model
    assert gone() is None
