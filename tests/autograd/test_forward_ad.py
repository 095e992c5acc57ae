"""Forward mode: what PyTorch answers (forward_cases.py); every golden row's tangents beside its gradients; what ends with a level,
what is refused."""

import json
import math
import pathlib
import sys
import threading

import pytest
import torch
from golden import gradients
from golden.cases import FAMILIES
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import forward_cases  # noqa: E402

GOLDEN = json.loads((pathlib.Path(__file__).parent / "data/forward.json").read_text())
DOUBLE = {"dtype": torch.float64}


@pytest.fixture(autouse=True)
def no_level_is_left():
    yield
    assert forward_ad._level is None if hasattr(forward_ad, "_level") else True
    assert not _get_current_function_mode_stack()


def same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=2e-5, abs_tol=2e-6)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", GOLDEN)
def test_programs_answer_as_pytorch(line):
    found = forward_cases.answer(line)
    assert same(found, GOLDEN[line]), f"got  {found}\nwant {GOLDEN[line]}"


# ---- every operator ------------------------------------------------------------------------------------------
ANSWERS = gradients.answers()
TABLE = {(family, row.code): row for family in ANSWERS for row in reversed(FAMILIES[family])}
# Gradients are constants where tangents are views of the same memory, or of fewer digits than half precision has.
OTHERWISE = ("as_strided", "a.float(), a.double(), a.half()", "dtype=torch.float16", "alias_copy(a); b")
# Infinite, or nan, where the gradient is.
EDGES = ("logit", "a.mean()", "a.mean(dtype", "torch.median(a)")


def real_product(one, other):
    return float((one.conj() * other).real.sum() if one.is_complex() else (one * other).sum())


def judged(family, code, key):
    """ "" where the tangent, weighted, is the gradient times the direction, or nothing is to be compared; else what is wrong."""
    row, case = TABLE[family, code], gradients.Case(key, torch)
    leaves = [leaf.detach().clone().requires_grad_() for leaf in case.leaves]
    try:
        results = case.results(row, leaves)
        recorded = [(i, r) for i, r in enumerate(results) if r.requires_grad]
        weights = [gradients.weight_of(r, i, torch) for i, r in recorded]
        grads = torch.autograd.grad([r for _, r in recorded], leaves, weights, allow_unused=True)
    except Exception:
        return ""  # no gradient, no tangent
    along = [gradients.weight_of(leaf, i + 5, torch) - 0.9 for i, leaf in enumerate(leaves)]
    want = sum(real_product(grad, t) for grad, t in zip(grads, along) if grad is not None)
    try:
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(leaf.detach().clone(), t) for leaf, t in zip(leaves, along)]
            found = gradients.Case(key, torch).results(row, duals)
            tangents = [forward_ad.unpack_dual(found[i]).tangent for i, _ in recorded]
    except NotImplementedError:
        return ""
    got = sum(real_product(weight, t) for weight, t in zip(weights, tangents) if t is not None)
    if not math.isfinite(want) or math.isclose(got, want, rel_tol=1e-7, abs_tol=1e-7):
        return ""
    return f"[{key}] gradient {want}, tangent {got}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", ANSWERS)
def test_tangents_are_what_gradients_say(family):
    wrong = []
    for code, found in ANSWERS[family].items():
        if not any(words in code for words in OTHERWISE + EDGES):
            wrong += [f"{code} {said}" for key in found if (said := judged(family, code, key))]
    assert not wrong, "\n".join(wrong[:10])


def test_most_operators_have_tangents():
    """That the comparison above compares: few rows refuse."""
    refused = set()
    for code, found in ANSWERS["pointwise"].items():
        for key in found:
            case = gradients.Case(key, torch)
            try:
                with forward_ad.dual_level():
                    case.results(
                        TABLE["pointwise", code], [forward_ad.make_dual(x, torch.ones_like(x)) for x in case.leaves]
                    )
            except Exception as error:
                if "forward AD" in str(error) and "out=" not in code:
                    refused.add(code)
    assert len(refused) < len(ANSWERS["pointwise"]) / 20, refused


# ---- levels --------------------------------------------------------------------------------------------------
def test_tangents_end_with_their_level():
    x, t = torch.ones(2), torch.tensor([1.0, 2.0])
    with forward_ad.dual_level():
        y = forward_ad.make_dual(x, t) * 3
        assert forward_ad.unpack_dual(y).tangent.equal(t * 3)
    assert forward_ad.unpack_dual(y).tangent is None
    assert (y * y).equal(torch.full((2,), 9.0))
    with forward_ad.dual_level():
        assert forward_ad.unpack_dual(y).tangent is None
        assert forward_ad.unpack_dual(y * 2).tangent is None


def test_a_level_is_left_by_an_exception_and_refuses_another():
    with pytest.raises(ZeroDivisionError), forward_ad.dual_level():
        raise ZeroDivisionError
    with forward_ad.dual_level():
        with pytest.raises(RuntimeError, match="Nested forward mode AD is not supported"):
            forward_ad.enter_dual_level()
        with pytest.raises(RuntimeError, match="the level is 0, got 1"):
            forward_ad.exit_dual_level(level=1)
        assert forward_ad.unpack_dual(forward_ad.make_dual(torch.ones(1), torch.ones(1)) * 2).tangent.item() == 2
    with forward_ad.dual_level():
        pass


def test_a_level_is_a_decorator():
    @forward_ad.dual_level()
    def slope(x):
        return forward_ad.unpack_dual(forward_ad.make_dual(x, torch.ones_like(x)) ** 2).tangent

    assert slope(torch.tensor(3.0)).item() == 6


def test_modes_entered_inside_stay():
    class Counting(TorchFunctionMode):
        calls = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):
            Counting.calls += 1
            return func(*args, **(kwargs or {}))

    forward_ad.enter_dual_level()
    mode = Counting()
    with mode:
        y = forward_ad.make_dual(torch.ones(1), torch.ones(1)) * 2
        assert forward_ad.unpack_dual(y).tangent.item() == 2
        forward_ad.exit_dual_level()
        assert _get_current_function_mode_stack() == [mode]
        before = Counting.calls
        torch.ones(1).add(1)
        assert Counting.calls > before


def test_other_threads_see_no_tangents():
    found = []
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.ones(1), torch.ones(1))
        thread = threading.Thread(target=lambda: found.append((x * 2).item()))
        thread.start(), thread.join()
    assert found == [2.0]


# ---- what a tangent is -------------------------------------------------------------------------------------
def test_random_numbers_are_drawn_once():
    x = torch.ones(1000)
    torch.manual_seed(3)
    want = torch.nn.functional.dropout(x, 0.5), torch.rand(2)
    torch.manual_seed(3)
    with forward_ad.dual_level():
        y = torch.nn.functional.dropout(forward_ad.make_dual(x, torch.full_like(x, 2)), 0.5)
        primal, tangent = forward_ad.unpack_dual(y)
        assert primal.equal(want[0])
        assert tangent.equal(want[0] * 2)
    assert torch.rand(2).equal(want[1])


def test_running_statistics_are_written_once():
    x = torch.randn(8, 3, generator=torch.Generator().manual_seed(0))
    one, other = torch.nn.BatchNorm1d(3), torch.nn.BatchNorm1d(3)
    one(x)
    with forward_ad.dual_level():
        other(forward_ad.make_dual(x, x))
    assert one.running_mean.equal(other.running_mean)
    assert one.running_var.equal(other.running_var)
    assert one.num_batches_tracked == other.num_batches_tracked == 1


def test_writes_reach_no_other_tangent():
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.ones(2), torch.ones(2))
        y, z = x + 1, x.clone()
        y.mul_(5), z.zero_()
        assert forward_ad.unpack_dual(x).tangent.equal(torch.ones(2))
        assert forward_ad.unpack_dual(y).tangent.equal(torch.full((2,), 5.0))


def test_tangents_are_differentiable():
    x = torch.tensor([0.5, 1.5], **DOUBLE, requires_grad=True)
    t = torch.tensor([2.0, -1.0], **DOUBLE, requires_grad=True)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(forward_ad.make_dual(x, t).sin().sum()).tangent
    by_x, by_t = torch.autograd.grad(tangent, (x, t))
    torch.testing.assert_close(by_x, -x.sin() * t)
    torch.testing.assert_close(by_t, x.cos())
    assert x.grad is None


def test_nothing_requires_a_gradient_that_did_not():
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.ones(2), torch.ones(2))
        y = (x * 2).exp().cumsum(0)
        assert not (x.requires_grad or y.requires_grad or forward_ad.unpack_dual(y).tangent.requires_grad)
        assert y.is_leaf
        assert y.numpy().shape == (2,)


def test_nan_of_zero_times_infinity_is_none():
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([[0.0, 0.5], [0.0, 2.0]], **DOUBLE), torch.ones(2, 2, **DOUBLE))
        for y, want in (
            (torch.sinc(x), 0.0),
            (torch.xlogy(x, x + 3), math.log(3)),
            (torch.linalg.vander(x)[..., 1], 1.0),
        ):
            tangent = forward_ad.unpack_dual(y).tangent
            assert tangent.isfinite().all()
            assert tangent[0, 0].item() == pytest.approx(want)


def test_functions_of_modules():
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)).double()
    names = [name for name, _ in module.named_parameters()]
    generator = torch.Generator().manual_seed(1)
    along = [torch.randn(p.shape, generator=generator, **DOUBLE) for p in module.parameters()]
    x = torch.randn(5, 3, generator=generator, **DOUBLE)

    def of(*parameters):
        return torch.func.functional_call(module, dict(zip(names, parameters)), (x,))

    parameters = tuple(p.detach() for p in module.parameters())
    want = torch.autograd.functional.jvp(of, parameters, tuple(along))[1]
    with forward_ad.dual_level():
        got = forward_ad.unpack_dual(of(*map(forward_ad.make_dual, parameters, along))).tangent
    torch.testing.assert_close(got, want)


def test_in_inference_mode():
    with torch.inference_mode(), forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
        assert forward_ad.unpack_dual(x * x).tangent.tolist() == [6.0, 16.0]


# ---- those who use it ----------------------------------------------------------------------------------------
def test_gradcheck_of_forward_mode():
    x = torch.tensor([0.5, 1.5], **DOUBLE, requires_grad=True)
    z = torch.tensor([1 + 2j, -1j], dtype=torch.complex128, requires_grad=True)
    for fast in (False, True):
        assert torch.autograd.gradcheck(
            lambda x, z: (x.exp() * z, z.abs()), (x, z), check_forward_ad=True, fast_mode=fast
        )
    assert torch.autograd.gradcheck(lambda x: x.sin(), (x,), check_forward_ad=True, check_backward_ad=False)

    class Wrong(forward_cases.Square):
        @staticmethod
        def backward(ctx, grad):
            return grad

        @staticmethod
        def jvp(ctx, tangent):
            return tangent * 3

    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(Wrong.apply, (x,), check_forward_ad=True, check_backward_ad=False)


def test_jacobian_by_columns():
    x, y = torch.tensor([0.5, 1.5, -1.0]), torch.tensor([[1.0, 2.0, 3.0]])
    jacobian = torch.autograd.functional.jacobian

    def function(x, y):
        return (x * y).sin(), x.sum()

    want = jacobian(function, (x, y))
    got = jacobian(function, (x, y), strategy="forward-mode", vectorize=True)
    for row, other in zip(got, want):
        for one, two in zip(row, other):
            torch.testing.assert_close(one, two)


# ---- what is refused -----------------------------------------------------------------------------------------
ours = pytest.mark.skipif(not hasattr(forward_ad, "_level"), reason="of ours alone")


@ours
def test_gradients_of_duals_are_refused_and_those_of_primals_are_not():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with forward_ad.dual_level():
        y = (forward_ad.make_dual(x, torch.ones(2)) ** 3).sum()
        for call in (y.backward, lambda: torch.autograd.grad(y, x)):
            with pytest.raises(NotImplementedError, match="unpack_dual"):
                call()
        forward_ad.unpack_dual(y).primal.backward()
    assert x.grad.tolist() == [3.0, 12.0]


@ours
def test_what_cannot_be_followed_leaves_everything_as_it_was():
    x = torch.arange(3.0)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, torch.ones(3))
        wide = torch.zeros(1).expand(3)
        for call in (lambda: dual.resize_(2), lambda: dual.set_(torch.ones(1)), lambda: wide.add_(dual)):
            with pytest.raises(NotImplementedError):
                call()
        assert forward_ad.unpack_dual(dual).tangent.tolist() == [1, 1, 1]
    assert x.tolist() == [0, 1, 2]


@ours
@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda x: forward_ad.make_dual(x, torch.ones(3)),
            RuntimeError,
            r"different size than its tensor: \[3\], not \[2\]",
        ),
        (lambda x: forward_ad.make_dual(x, torch.ones(2, dtype=torch.complex64)), ValueError, "no imaginary part"),
        (lambda x: forward_ad.make_dual(x, torch.ones(2, device="meta")), RuntimeError, "on meta"),
        (lambda x: forward_ad.make_dual(x, 1.0), TypeError, "must be a Tensor, got float"),
        (lambda x: forward_ad.make_dual(x, torch.ones(2).bool()), ValueError, "Expected tangent to be floating point"),
        (lambda x: forward_ad.unpack_dual(1.0), TypeError, "must be Tensor, not float"),
    ],
)
def test_mistakes(call, error, says):
    x = torch.ones(2)
    with forward_ad.dual_level():
        with pytest.raises(error, match=says):
            call(x)
        assert forward_ad.unpack_dual(x).tangent is None
