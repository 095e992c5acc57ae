"""torch.autocast on the CPU: which operators run in which dtype, as PyTorch answered (generate_autocast.py); nesting, the
cache of weights, threads, settings, custom Functions."""

import json
import math
import pathlib
import threading
import warnings

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from autocast_cases import CASES, DTYPES, run

DATA = pathlib.Path(__file__).resolve().parent / "data"
TOLD = json.loads((DATA / "autocast.json").read_text())["cases"]
# Where we answer and PyTorch does not: float16 among what is promoted, LayerNorm of a type that its weight has not,
# gradients of cond(x, "fro"), pdist() of half types.
WE_ANSWER = {
    *(("cuda/pdist", dtype) for dtype in ("bfloat16", "float16")),
    *((f"widest/{name}", "float16") for name in ("cat", "cat_alike", "index_copy")),
    *(("float/linalg_cond_fro", dtype) for dtype in DTYPES),
    ("modules/Sequential", "float16"),
}
# Kept in float16, as in bfloat16, where PyTorch makes float32 of two half types.
KEPT = {(f"cuda/{name}", "float16") for name in ("gru", "gru_cell", "lstm_cell")}
# Made of products, which PyTorch converts one by one: that overflows, or raises where two dtypes meet. Computed as given.
WHOLE = ("others/matrix_exp", "others/pinv")


@pytest.mark.parametrize("name", CASES)
def test_dtypes_are_pytorchs(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of deprecated decompositions
        for dtype in DTYPES:
            for grad in ("recorded", "plain"):
                told = TOLD[name][dtype][grad]
                found = run(CASES[name], dtype, grad == "recorded", torch.autocast("cpu", dtype=torch.bfloat16))
                where = f"{name}, {dtype}, {grad}: {found} instead of {told}"
                if name in WHOLE:
                    assert found.get("results", [dtype]) == [dtype], where
                    continue
                if "raises" in told:
                    assert found.get("raises") == told["raises"] or (name, dtype) in WE_ANSWER, where
                    continue
                if (name, dtype) in KEPT:
                    assert set(found["results"]) == {dtype} and set(told["results"]) == {"float32"}, where
                    continue
                assert (found.get("results"), found.get("gradients")) == (told["results"], told["gradients"]), where
                half = "16" in dtype or not name.startswith("float/")
                assert math.isclose(found["total"], told["total"], rel_tol=2e-2 if half else 1e-4, abs_tol=1e-4), where


def products():
    x = torch.ones(2, 2)
    return (x @ x).dtype


def test_contexts_nest():
    assert products() == torch.float32
    with torch.autocast("cpu") as context:
        assert isinstance(context, torch.amp.autocast) and torch.is_autocast_enabled("cpu")
        assert not torch.is_autocast_enabled() and not torch.is_autocast_enabled("cuda")
        assert products() == torch.bfloat16
        with torch.autocast("cpu", enabled=False):
            assert products() == torch.float32 and not torch.is_autocast_enabled("cpu")
            with torch.autocast("cpu", dtype=torch.float16):
                assert products() == torch.float16 == torch.get_autocast_dtype("cpu")
            assert products() == torch.float32
        assert products() == torch.bfloat16 == torch.get_autocast_dtype("cpu")
        with context:  # the same object again
            assert products() == torch.bfloat16
        assert products() == torch.bfloat16
    assert products() == torch.float32 and not torch.is_autocast_enabled("cpu")


def test_an_exception_leaves_the_context():
    with pytest.raises(ZeroDivisionError), torch.autocast("cpu"):
        raise ZeroDivisionError
    assert products() == torch.float32
    with torch.autocast("cpu"):
        with pytest.raises(RuntimeError):  # inside of an operator that converts, too
            torch.ones(2, 3) @ torch.ones(2, 3)
        with pytest.raises(ValueError):
            F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 1, 2]))
        assert products() == torch.bfloat16


def test_decorator():
    @torch.autocast("cpu", dtype=torch.float16)
    def double(x):
        """Twice."""
        return x @ (2 * torch.eye(2)) if x.shape[0] > 1 else double(torch.cat([x, x]))

    assert double(torch.ones(2, 2)).dtype == torch.float16
    assert double(torch.ones(1, 2)).dtype == torch.float16  # it calls itself
    assert (double.__name__, double.__doc__) == ("double", "Twice.")
    assert products() == torch.float32


def test_forms_that_write_are_left_alone():
    x = torch.ones(2, 2)
    with torch.autocast("cpu"):
        assert torch.mm(x, x, out=torch.empty(2, 2)).dtype == torch.float32
        assert x.clone().addmm_(x, x).dtype == torch.float32


def test_other_threads_are_outside():
    found = []
    with torch.autocast("cpu"):
        thread = threading.Thread(target=lambda: found.append((products(), torch.is_autocast_enabled("cpu"))))
        thread.start()
        thread.join()
        assert products() == torch.bfloat16
    assert found == [(torch.float32, False)]

    def stay():
        torch.set_autocast_enabled("cpu", True)  # and the thread ends
        found.append(products())

    thread = threading.Thread(target=stay)
    thread.start()
    thread.join()
    assert found[1] == torch.bfloat16 and products() == torch.float32


def weight_and_input():
    return torch.ones(3, 2, requires_grad=True), torch.ones(4, 2)


def cast_node(result):
    """The node of the conversion of a weight, below linear's."""
    transposed = next(node for node, _ in result.grad_fn.next_functions if node)
    return transposed.next_functions[0][0]


def test_weights_are_converted_once():
    weight, x = weight_and_input()
    with torch.autocast("cpu"):
        first, second = F.linear(x, weight), F.linear(x, weight)
        assert cast_node(first).name() == "ToCopyBackward0"
        assert cast_node(first) is cast_node(second)
        torch.clear_autocast_cache()
        assert cast_node(F.linear(x, weight)) is not cast_node(first)
    with torch.autocast("cpu", cache_enabled=False):
        assert not torch.is_autocast_cache_enabled()
        assert cast_node(F.linear(x, weight)) is not cast_node(F.linear(x, weight))
    assert torch.is_autocast_cache_enabled()
    (first.sum() + second.sum()).backward()
    assert weight.grad.dtype == torch.float32 and weight.grad.eq(8).all()


def test_the_cache_knows_what_has_changed():
    weight, x = weight_and_input()
    with torch.autocast("cpu"):
        with torch.no_grad():
            assert not F.linear(x, weight).requires_grad
        assert F.linear(x, weight).requires_grad
        assert F.linear(x, weight)[0, 0] == 2
        with torch.no_grad():
            weight.mul_(3)
        assert F.linear(x, weight)[0, 0] == 6
        with torch.autocast("cpu", dtype=torch.float16):
            assert F.linear(x, weight).dtype == torch.float16
        assert F.linear(x, weight).dtype == torch.bfloat16


def test_the_cache_ends_with_the_outermost_context():
    import weakref

    with torch.autocast("cpu"):
        weight, x = weight_and_input()
        gone = weakref.ref(weight)
        with torch.autocast("cpu"):
            F.linear(x, weight)
        del weight
    assert gone() is None


def test_a_step_of_training():
    """Parameters and gradients stay float32; the loss falls."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    x, target = torch.randn(32, 8), torch.arange(32) % 4
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output = model(x)
            loss = F.cross_entropy(output, target)
        assert output.dtype == torch.bfloat16 and loss.dtype == torch.float32
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert all(p.dtype == p.grad.dtype == torch.float32 for p in model.parameters())
    assert losses[-1] < losses[0] / 10


class Doubled(torch.autograd.Function):
    seen: list = []

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x, others, *, key=None):
        Doubled.seen.append((x.dtype, others[0].dtype, torch.is_autocast_enabled("cpu")))
        return x * 2

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        Doubled.seen.append((torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")))
        return grad * 2, None


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x @ y

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        Product.seen = (grad @ y).dtype
        return grad @ y.t(), x.t() @ grad


def test_custom_functions():
    x = torch.ones(2, dtype=torch.bfloat16, requires_grad=True)
    Doubled.seen.clear()
    with torch.autocast("cpu", dtype=torch.float16):
        result = Doubled.apply(x, [x.detach()])
    result.sum().backward()
    assert Doubled.seen == [(torch.float32, torch.float32, False), (False, torch.float16)]
    assert result.dtype == torch.float32 and x.grad.dtype == torch.bfloat16
    a = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        product = Product.apply(a, a)
    product.sum().backward()  # outside of the context, and yet as in it
    assert product.dtype == Product.seen == torch.bfloat16 and a.grad.dtype == torch.float32


def test_subclasses_see_the_call_first():
    seen = []

    class Seeing(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            seen.append(function.__name__)
            return super().__torch_function__(function, types, args, kwargs or {})

    x = torch.ones(2, 2).as_subclass(Seeing)
    with torch.autocast("cpu"):
        assert torch.mm(x, x).dtype == torch.bfloat16
        assert F.mse_loss(x.bfloat16(), x).dtype == torch.float32
    assert "mm" in seen and "mse_loss" in seen


# ---- settings and refusals --------------------------------------------------------------------------------


def test_settings():
    assert torch.get_autocast_dtype("cpu") == torch.bfloat16 == torch.get_autocast_dtype("hpu")
    assert torch.get_autocast_dtype("cuda") == torch.float16 == torch.get_autocast_dtype("ipu")
    torch.set_autocast_dtype("cpu", torch.float16)
    try:
        assert torch.autocast("cpu").fast_dtype == torch.float16
    finally:
        torch.set_autocast_dtype("cpu", torch.bfloat16)
    assert (torch.autocast_increment_nesting(), torch.autocast_decrement_nesting()) == (1, 0)
    assert torch.amp.is_autocast_available("cpu") and not torch.amp.is_autocast_available("meta")
    context = torch.autocast("cpu", torch.bfloat16, False, True)
    assert (context.device, context.fast_dtype, context._enabled, context._cache_enabled) == (
        "cpu",
        torch.bfloat16,
        False,
        True,
    )


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: torch.autocast(1), ValueError, "Expected `device_type` of type `str`, got: `<class 'int'>`"),
        (lambda: torch.autocast("meta"), RuntimeError, "unsupported scalarType"),
        (lambda: torch.autocast("foo"), RuntimeError, "Expected one of cpu, cuda, ipu, xpu, mkldnn"),
        (lambda: torch.autocast(), TypeError, "missing 1 required positional argument: 'device_type'"),
        (lambda: torch.is_autocast_enabled("meta"), RuntimeError, "unknown device type for autocast in get_autocast"),
        (lambda: torch.is_autocast_enabled(1), TypeError, "argument 'device_type' (position 1) must be str, not int"),
        (
            lambda: torch.set_autocast_enabled("cpu", 1),
            TypeError,
            "argument 'enabled' (position 2) must be bool, not int",
        ),
        (lambda: torch.set_autocast_dtype("cpu", 3), TypeError, "argument 'dtype' (position 2) must be torch.dtype"),
        (lambda: torch.set_autocast_cache_enabled(1), TypeError, "enabled must be a bool (got int)"),
        (lambda: torch.amp.custom_fwd(device_type=3), ValueError, "Expected `device_type` of type `str`"),
        (lambda: torch.amp.custom_fwd(), TypeError, "missing 1 required keyword-only argument: 'device_type'"),
    ],
)
def test_mistakes(call, error, text):
    with pytest.raises(error) as raised:
        call()
    assert text in str(raised.value)


def test_a_dtype_that_is_not_supported_disables():
    with pytest.warns(UserWarning, match="In CPU autocast, but the target dtype is not supported"):
        context = torch.autocast("cpu", dtype=torch.float64)
    with context:
        assert products() == torch.float32


def test_other_devices_change_nothing_here():
    with torch.autocast("xpu"):
        assert torch.is_autocast_enabled("xpu") and not torch.is_autocast_enabled("cpu")
        assert products() == torch.float32


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a GPU")
def test_without_a_cuda_device():
    """Contexts warn and do nothing; those for the CPU inside of them do."""
    absent = "CUDA is not available or torch_xla is imported. Disabling autocast."
    with pytest.warns(UserWarning, match=absent), torch.autocast("cuda", dtype=torch.bfloat16):
        assert not torch.is_autocast_enabled("cuda") and torch.get_autocast_dtype("cuda") == torch.bfloat16
        with torch.autocast("cpu"):
            assert products() == torch.bfloat16 and not torch.is_autocast_enabled()
        assert products() == torch.float32
    assert torch.get_autocast_dtype("cuda") == torch.float16
    with pytest.warns(FutureWarning, match="`torch.cuda.amp.autocast"), pytest.warns(UserWarning, match=absent):
        torch.cuda.amp.autocast()
    with (
        pytest.warns(FutureWarning),
        pytest.warns(UserWarning, match="GradScaler is enabled, but CUDA is not available."),
    ):
        assert not torch.cuda.amp.GradScaler().is_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.autocast("cuda", enabled=False)
    torch.set_autocast_enabled("cuda", True)  # which nobody refuses
    try:
        assert torch.is_autocast_enabled() and products() == torch.float32
    finally:
        torch.set_autocast_enabled("cuda", False)


def test_older_names():
    with pytest.warns(FutureWarning, match="torch.cpu.amp.autocast"):
        context = torch.cpu.amp.autocast()
    with context, pytest.warns(DeprecationWarning, match="is_autocast_cpu_enabled"):
        assert torch.is_autocast_cpu_enabled() and products() == torch.bfloat16
    with pytest.warns(DeprecationWarning, match="get_autocast_cpu_dtype"):
        assert torch.get_autocast_cpu_dtype() == torch.bfloat16
    with pytest.warns(FutureWarning, match="torch.cpu.amp.GradScaler"):
        assert torch.cpu.amp.GradScaler().is_enabled()


def test_recurrent_layers_take_what_layers_before_them_made():
    """Half inputs, though their weights are float32."""
    x = torch.randn(3, 2, 4)
    for kind in (torch.nn.RNN, torch.nn.GRU, torch.nn.LSTM):
        layer = kind(4, 5)
        with torch.autocast("cpu"):
            result, _ = layer(F.linear(x, torch.eye(4)))
        result.float().sum().backward()
        assert layer.weight_ih_l0.grad.dtype == torch.float32
    with pytest.raises(ValueError, match="RNN input dtype"):
        layer(x.bfloat16())
