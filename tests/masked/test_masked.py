"""torch.masked: what PyTorch answers (masked_cases.py), derivatives against finite differences, and what is ours alone."""

import copy
import json
import math
import pathlib
import pickle
import sys
import warnings

import pytest
import torch
from torch import masked

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import masked_cases  # noqa: E402

GOLDEN = json.loads((pathlib.Path(__file__).parent / "data/masked.json").read_text())
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def close(one, other):
    if isinstance(one, float) or isinstance(other, float):
        if one is None or other is None:
            return one is other
        return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=2e-5, abs_tol=1e-5)
    return one == other


def assert_same(found, expected):
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for pair in zip(found, expected):
            assert_same(*pair)
    elif isinstance(expected, dict) and "values" in expected:
        kind = "masked" if "masked" in expected else "tensor"
        assert found.get(kind) == expected[kind]
        tolerance = 2e-3 if "float16" in expected[kind] else 0
        for one, other in zip(found["values"], expected["values"], strict=True):
            assert close(one, other) or (tolerance and abs(one - other) <= tolerance * abs(other)), (found, expected)
    else:
        assert found == expected


@pytest.mark.parametrize("line", GOLDEN["answers"])
def test_lines_answer_as_pytorch(line):
    assert_same(masked_cases.answer(line), GOLDEN["answers"][line])


@pytest.mark.parametrize("line", GOLDEN["texts"])
def test_texts(line):
    assert masked_cases.text(line) == GOLDEN["texts"][line]


def test_every_line_has_its_answer():
    lines = [*masked_cases.functions(), *masked_cases.gradients(), *masked_cases.programs()]
    assert set(lines) == set(GOLDEN["answers"])


# ---- derivatives ---------------------------------------------------------------------------------------------
DATA = torch.tensor([[0.3, -1.2, 0.7, 2.1], [1.5, 0.4, -0.6, 0.9]], dtype=torch.float64)
MASK = torch.tensor([[True, False, True, True], [False, True, True, True]])


@pytest.mark.parametrize(
    "call",
    [
        *(
            f"{name}(x, {dim}, mask=MASK)"
            for name in "sum prod amax amin mean var std logsumexp".split()
            for dim in (None, 1)
        ),
        *(f"{name}(x, 1, mask=MASK)" for name in "softmax log_softmax softmin cumsum cumprod median".split()),
        *("norm(x, 2.0, 1, mask=MASK)", "normalize(x, 2.0, 0, mask=MASK)"),
        "logaddexp(x, x.flip(1), input_mask=MASK, other_mask=MASK)",
    ],
)
def test_functions_have_derivatives_of_both_orders(call):
    def function(x):
        result = eval(call, {"x": x, "MASK": MASK, **vars(masked)})
        return result.masked_fill(result.isinf(), 0)

    x = DATA.clone().requires_grad_()
    assert torch.autograd.gradcheck(function, (x,))
    assert torch.autograd.gradgradcheck(function, (x,))


@pytest.mark.parametrize(
    "call",
    [
        "m.sin().to_tensor(0)",
        "(m * m.exp()).to_tensor(0)",
        "(m * q).sum(0).to_tensor(0)",
        "(q / m).to_tensor(0)",
        "m.softmax(1).to_tensor(0)",
        "m.var(1).to_tensor(0)",
        "m.norm(2.0, 1).to_tensor(0)",
        "torch.where(DATA > 0.5, m, m * m).to_tensor(0)",
        "torch.cat([m, m.exp()], 1)[:, ::2].to_tensor(0)",
        "m.t().reshape(-1).unfold(0, 3, 2).to_tensor(1)",
    ],
)
def test_masked_tensors_have_derivatives(call):
    def function(x, q):
        return eval(call, {"torch": torch, "DATA": DATA, "q": q, "m": masked.as_masked_tensor(x, MASK)})

    inputs = (DATA.clone().requires_grad_(), torch.tensor([0.5, 1.5, 2.5, 0.25], dtype=torch.float64).requires_grad_())
    assert torch.autograd.gradcheck(function, inputs)


# ---- what is masked stays where it is --------------------------------------------------------------------------
def test_nan_in_what_does_not_count_reaches_no_gradient():
    x = torch.tensor([4.0, -1.0, 9.0], requires_grad=True)
    weight = torch.tensor([2.0], requires_grad=True)
    mask = torch.tensor([True, False, True])
    (masked.as_masked_tensor(x, mask).sqrt() * weight).sum().backward()
    torch.testing.assert_close(x.grad, torch.tensor([0.5, 0.0, 2 / 6]))
    torch.testing.assert_close(weight.grad, torch.tensor([5.0]))


def test_a_number_in_a_tensor_does_not_promote():
    weight = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    result = masked.masked_tensor(DATA.float(), MASK) * weight
    assert result.dtype == torch.float32
    result.sum().backward()
    torch.testing.assert_close(weight.grad, DATA.float()[MASK].sum().double())


def test_softmax_ignores_gradients_of_what_does_not_count():
    x = masked.masked_tensor(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([True, False, True]), requires_grad=True)
    (x.softmax(0) * masked.masked_tensor(torch.tensor([1.0, math.inf, 2.0]), x.get_mask())).sum().backward()
    half = torch.tensor([1.0, 3.0]).softmax(0).prod()
    torch.testing.assert_close(x.grad.to_tensor(0), torch.tensor([-half, 0.0, half]))


def test_gradient_is_masked_as_its_tensor_also_where_a_view_left_something_out():
    x = masked.masked_tensor(DATA, MASK, requires_grad=True)
    (x[0].sum() + x.sum()).backward()
    assert x.grad.get_mask().equal(MASK)
    torch.testing.assert_close(x.grad.to_tensor(0), torch.tensor([[2.0, 0, 2, 2], [0, 1, 1, 1]], dtype=torch.float64))


def test_gradient_of_a_plain_tensor_is_plain():
    x = DATA.clone().requires_grad_()
    masked.as_masked_tensor(x, MASK).sum().backward()
    assert type(x.grad) is torch.Tensor
    assert x.grad.equal(MASK.double())


def test_hooks_get_masked_tensors():
    seen = []
    x = masked.masked_tensor(DATA, MASK, requires_grad=True)
    x.register_hook(lambda gradient: seen.append(type(gradient)) or gradient * 3)
    x.sum().backward()
    assert seen == [masked.MaskedTensor]
    assert x.grad.to_tensor(0).equal(MASK * 3.0)


def test_data_and_mask_are_copies():
    data, mask = DATA.clone(), MASK.clone()
    x = masked.masked_tensor(data, mask)
    data.zero_(), mask.zero_()
    assert x.get_data().equal(DATA)
    assert x.get_mask().equal(MASK)
    row, other = x[0], x + 0
    row.add_(1), other.get_mask().zero_()
    assert x.get_data().equal(DATA)
    assert x.get_mask().equal(MASK)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(copied):
    x = masked.masked_tensor(DATA, MASK, requires_grad=True)
    y = copied(x)
    assert type(y) is masked.MaskedTensor
    assert y.requires_grad
    assert y.is_leaf
    assert repr(y) == repr(x)


def test_norm_is_a_reduction_too():
    x = masked.masked_tensor(DATA, MASK)
    torch.testing.assert_close(x.norm().item(), DATA[MASK].norm().item())
    torch.testing.assert_close(x.norm(1, 1).to_tensor(0), (DATA * MASK).norm(1, 1))


def test_warns_that_a_leaf_forgets_history():
    with pytest.warns(UserWarning, match="as_masked_tensor"):
        masked.masked_tensor(DATA.clone().requires_grad_(), MASK)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        masked.as_masked_tensor(DATA.clone().requires_grad_(), MASK)


# ---- mistakes ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("torch.relu(x)", TypeError, r"relu\(\) is not implemented for MaskedTensor"),
        ("x.add_(masked.masked_tensor(DATA, ~MASK))", ValueError, "Input masks must match"),
        ("DATA.clone().add_(x)", TypeError, "takes no MaskedTensor"),
        ("x.__setitem__(0, 1)", TypeError, "cannot be written by index"),
        ("masked.masked_tensor(DATA, MASK.to_sparse())", TypeError, "the same layout"),
        ("x.view(torch.int64)", TypeError, "another dtype"),
        ("x[0, 1].item()", ValueError, "does not count"),
        ("masked.masked_tensor(DATA, MASK[0])", ValueError, "got 2 and 1"),
        ("masked.masked_tensor(DATA, MASK[:, :2])", ValueError, r"got \(2, 4\) and \(2, 2\)"),
        ("masked.sum(DATA, 0, mask=torch.ones(1, 2, 4))", IndexError, "mask has 3 dimensions and the input 2"),
        ("masked.median(DATA.long(), 1, mask=~MASK & MASK)", ValueError, "int64"),
        ("masked.amax(DATA > 0, 0, mask=MASK)", NotImplementedError, "identity of amax on torch.bool"),
    ],
)
def test_mistakes(code, error, says):
    x = masked.masked_tensor(DATA, MASK)
    with pytest.raises(error, match=says):
        eval(code, {"x": x, "torch": torch, "masked": masked, "DATA": DATA, "MASK": MASK})
    assert x.get_data().equal(DATA)
