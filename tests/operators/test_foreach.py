"""torch._foreach_add and its kin: the operator on each tensor of a list, refused before anything has changed."""

import pytest
import torch
from torch import _foreach


def lists():
    torch.manual_seed(3)
    return [torch.rand(2, 3) + 0.5, torch.rand(4) + 0.5], [torch.rand(2, 3) + 0.5, torch.rand(1) + 0.5]


def same(found, expected):
    return len(found) == len(expected) and all(torch.equal(a, b) for a, b in zip(found, expected))


@pytest.mark.parametrize("name", _foreach.UNARY)
def test_of_one_list(name):
    tensors, _ = lists()
    if name in ("acos", "asin"):  # within -1 and 1
        tensors = [tensor / 2 for tensor in tensors]
    expected = [getattr(torch, name)(tensor) for tensor in tensors]
    found = getattr(torch, f"_foreach_{name}")(tensors)
    assert type(found) is tuple and same(found, expected)
    kept = [tensor.clone() for tensor in tensors]
    assert getattr(torch, f"_foreach_{name}_")(kept) is kept and same(kept, expected)


@pytest.mark.parametrize("name", _foreach.BINARY)
@pytest.mark.parametrize("other", ["list", 2, [2, 3.5]])
def test_of_two_operands(name, other):
    tensors, others = lists()
    operands = others if other == "list" else other
    each = operands if isinstance(operands, list) else [operands] * 2
    if name in ("maximum", "minimum"):
        expected = [getattr(torch, name)(a, torch.as_tensor(b, dtype=a.dtype)) for a, b in zip(tensors, each)]
    else:
        expected = [getattr(torch, name)(a, b) for a, b in zip(tensors, each)]
    assert same(getattr(torch, f"_foreach_{name}")(tensors, operands), expected)
    kept = [tensor.clone() for tensor in tensors]
    assert getattr(torch, f"_foreach_{name}_")(kept, operands) is kept and same(kept, expected)


@pytest.mark.parametrize(
    "call, numbers",
    [
        ("torch._foreach_add(a, b, alpha=2)", [[5, 6], [11]]),
        ("torch._foreach_sub(a, b, alpha=2)", [[-3, -2], [-5]]),
        ("torch._foreach_add(a, torch.tensor(2.0), alpha=3)", [[7, 8], [9]]),
        ("torch._foreach_mul(a, torch.tensor(3))", [[3, 6], [9]]),
        ("torch._foreach_pow(2, a)", [[2, 4], [8]]),
        ("torch._foreach_pow(a, b)", [[1, 4], [81]]),
        ("torch._foreach_norm(b, 1)", [4, 4]),
        ("torch._foreach_norm(a, float('inf'))", [2, 3]),
        ("torch._foreach_powsum(a, 2)", [5, 9]),
        ("torch._foreach_max(a)", [2, 3]),
        ("torch._foreach_addcmul(a, b, b)", [[5, 6], [19]]),
        ("torch._foreach_addcmul(a, b, b, 2)", [[9, 10], [35]]),
        ("torch._foreach_addcdiv(a, b, b, [1, 2])", [[2, 3], [5]]),
        ("torch._foreach_addcdiv(a, b, b, torch.tensor([1.0, 2.0]))", [[2, 3], [5]]),
        ("torch._foreach_addcdiv_(a, b, b, value=2)", [[3, 4], [5]]),
        ("torch._foreach_lerp(a, b, 0.5)", [[1.5, 2], [3.5]]),
        ("torch._foreach_lerp(a, b, [0.5, 1])", [[1.5, 2], [4]]),
        ("torch._foreach_lerp_(a, b, b)", [[3, 2], [7]]),
        ("torch._foreach_mm([torch.ones(2, 2)], [torch.ones(2, 3)])", [[[2, 2, 2], [2, 2, 2]]]),
        ("torch._foreach_clone(a)", [[1, 2], [3]]),
        ("torch._foreach_zero_(a)", [[0, 0], [0]]),
        ("torch._foreach_copy_(a, b)", [[2, 2], [4]]),
        ("torch._foreach_maximum(a, 2)", [[2, 2], [3]]),
        ("torch._foreach_clamp_max(a, [1, 2])", [[1, 1], [2]]),
    ],
)
def test_numbers(call, numbers):
    a, b = ([torch.tensor(values) for values in lists] for lists in ([[1.0, 2.0], [3.0]], [[2.0, 2.0], [4.0]]))
    assert [tensor.tolist() for tensor in eval(call)] == numbers


@pytest.mark.parametrize(
    "call, error, message",
    [
        ("torch._foreach_add(a, b[:1])", RuntimeError, "same number of tensors, got 2 and 1"),
        ("torch._foreach_add([], [])", RuntimeError, "at least one tensor"),
        ("torch._foreach_abs([])", RuntimeError, "at least one tensor"),
        ("torch._foreach_add(a, [1, 2.5, 3])", RuntimeError, "same number of elements as scalar list"),
        ("torch._foreach_add(a, torch.ones(2))", RuntimeError, "expected to be 0 dim but it has 1 dimensions and 2"),
        ("torch._foreach_max([torch.ones(0)])", RuntimeError, "empty tensor"),
        ("torch._foreach_addcmul(a, b, b[:1], 2)", RuntimeError, "got 2 and 1"),
        ("torch._foreach_addcdiv(a, b, b, torch.ones(3))", RuntimeError, "length 2 but got 3"),
        ("torch._foreach_add((1, 2), 2)", TypeError, "expected Tensor as element 0"),
        ("torch._foreach_add(torch.ones(2), 2)", TypeError, "invalid combination of arguments"),
        ("torch._foreach_add_([a[0], a[1]], [b[0], torch.ones(2)])", RuntimeError, "doesn't match the broadcast shape"),
        ("torch._foreach_add_([a[0], torch.ones(1, dtype=torch.int)], b)", RuntimeError, "can't be cast"),
        ("torch._foreach_copy_(a, [b[0], torch.ones(3)])", RuntimeError, "does not go into"),
    ],
)
def test_refused_and_unchanged(call, error, message):
    a, b = [torch.tensor([1.0, 2.0]), torch.tensor([3.0])], [torch.tensor([2.0, 2.0]), torch.tensor([4.0])]
    with pytest.raises(error, match=message):
        eval(call, {"torch": torch, "a": a, "b": b})
    assert a[0].tolist() == [1, 2] and a[1].tolist() == [3]


def test_recorded():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    total = sum(out.sum() for out in torch._foreach_mul([x, x], [x, x]))
    total.backward()
    assert x.grad.tolist() == [4, 8]


def test_all_of_them_are_there():
    assert len(_foreach.FUNCTIONS) == 91 and all(getattr(torch, name).__doc__ for name in _foreach.FUNCTIONS)


def test_lists_by_device_and_dtype():
    tensors = [torch.ones(1), torch.ones(1).double(), torch.ones(2)]
    groups = torch.optim.Optimizer._group_tensors_by_device_and_dtype([tensors, [None, None, None]], True)
    lists, places = groups[torch.device("cpu"), torch.float32]
    assert lists[0][0] is tensors[0] and lists[0][1] is tensors[2] and lists[1] == [None, None] and places == [0, 2]
    assert groups[torch.device("cpu"), torch.float64][1] == [1] and len(groups) == 2
    with pytest.raises(RuntimeError, match="lists of 3 and 1"):
        torch.optim.Optimizer._group_tensors_by_device_and_dtype([tensors, tensors[:1]])
