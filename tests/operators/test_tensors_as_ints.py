"""Integer tensors where an int may stand: which signature takes them, and where they are refused.

A tensor is an int only where no other signature takes a tensor in that place; one with dimensions is no dimension's number.
"""

import numpy
import pytest
import torch

T = torch.tensor
X = torch.arange(6.0).view(2, 3)


def run(code, **names):
    return eval(code, {"torch": torch, "numpy": numpy, "T": T, "x": X, **names})


def same(a, b):
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and torch.equal(a, b)
    return a == b


# Each with what it means.
ELEMENTWISE = [
    ("torch.min(T([5]), T([0]))", "T([0])"),
    ("torch.min(T([5]), T(0))", "T([0])"),
    ("torch.max(T([5]), T([0]))", "T([5])"),
    ("torch.max(x, T(4))", "torch.maximum(x, T(4))"),
    ("x.min(T(4))", "torch.minimum(x, T(4))"),
    ("torch.min(input=x, other=T(4))", "torch.minimum(x, T(4))"),
    ("torch.repeat_interleave(x, T([2]))", "torch.repeat_interleave(x, 2)"),
    ("torch.div(T([4]), T([2]))", "T([2.0])"),
]
# With a number in braces, which may be an int, a NumPy scalar or a tensor without dimensions.
INTS = [
    "torch.softmax(x, {0})",
    "torch.cumsum(x, {0})",
    "torch.sort(x, {0})",
    "torch.sort(x, dim={0})",
    "x.transpose({0}, 1)",
    "torch.unsqueeze(x, {0})",
    "torch.select(x, {0}, 0)",
    "torch.gather(x, {0}, T([[0]]))",
    "torch.index_select(x, {0}, T([0]))",
    "torch.argmax(x, {0})",
    "torch.unbind(x, {0})",
    "torch.cat([x, x], {0})",
    "torch.stack([x, x], {0})",
    "torch.chunk(x, {2})",
    "torch.flatten(x, {0})",
    "torch.median(x, {0})",
    "torch.prod(x, {0})",
    "torch.aminmax(x, dim={0})",
    "torch.diag(x, {1})",
    "torch.histc(x, {5})",
    "torch.renorm(x, 2, {0}, 1)",
    "x.size({0})",
    "x.stride({0})",
    "x.any({0})",
    "torch.all(x, dim={0})",
    "torch.squeeze(x[:1], {0})",
    "torch.squeeze_copy(x[:1], {0})",
    "torch.movedim(x, {0}, 1)",
    "torch.moveaxis(x, 0, {1})",
    "torch.count_nonzero(x, {0})",
    "torch.diff(x, {1})",
    "torch.rot90(x, {1})",
]
# Those that PyTorch's own count by elements take a tensor of one element, too.
COUNTS = [
    "torch.topk(x, {2})",
    "torch.kthvalue(x, {2})",
    "torch.eye({2})",
    "torch.select(x, 0, {1})",
    "torch.bincount(T([1, 2]), minlength={5})",
    "x.sum({0})",
    "x.mean({0})",
    "torch.logsumexp(x, {0})",
    "x.roll({1}, 0)",
    "x.tril({0})",
    "torch.triu(x, diagonal={1})",
    "torch.narrow(x, 0, 0, {1})",
    "torch.narrow_copy(x, 0, {1}, 1)",
    "torch.nonzero_static(x, size={2})",
]


@pytest.mark.parametrize("call, meaning", ELEMENTWISE)
def test_another_signature_takes_the_tensor(call, meaning):
    assert same(run(call), run(meaning))


def filled(call, number):
    before, _, rest = call.partition("{")
    digits, _, after = rest.partition("}")
    return before + number.format(digits) + after


@pytest.mark.parametrize("call", INTS + COUNTS)
@pytest.mark.parametrize("number", ["T({})", "numpy.int64({})", "T({}, dtype=torch.uint8)"])
def test_what_counts_as_an_int(call, number):
    assert same(run(filled(call, number)), run(filled(call, "{}")))


@pytest.mark.parametrize("call", INTS)
@pytest.mark.parametrize(
    "number", ["T([{}])", "T([[{}]])", "T({}.0)", "T({}).bool()", "True", "{}.0", "numpy.array([{}])"]
)
def test_what_is_no_int(call, number):
    with pytest.raises(TypeError):
        run(filled(call, number))


@pytest.mark.parametrize("call", COUNTS)
def test_one_element_is_a_count(call):
    assert same(run(filled(call, "T([{}])")), run(filled(call, "{}")))


@pytest.mark.parametrize("call", COUNTS)
@pytest.mark.parametrize("number", ["T([{}, 1])", "T([{}.0])", "T([], dtype=torch.int64)", "True"])
def test_what_is_no_count(call, number):
    with pytest.raises((TypeError, RuntimeError)):
        run(filled(call, number))


@pytest.mark.parametrize("start", ["T({})", "T({}, dtype=torch.uint8)", "{}", "numpy.int64({})"])
def test_where_narrow_begins(start):
    for digits in ("1", "0"):
        call = f"torch.narrow(x, 1, {start.format(digits)}, 2)"
        assert same(run(call), run(f"x[:, {digits}:{digits}+2]")) and run(call)._is_view()
    assert same(run("torch.narrow(x, 1, T(-2), 2)"), X[:, 1:])


@pytest.mark.parametrize("start", ["T([1])", "T([[1]])", "T(1.0)", "T(True)", "T([], dtype=torch.int64)"])
def test_where_narrow_does_not_begin(start):
    with pytest.raises(RuntimeError, match="start must be an 0-dim integral Tensor"):
        run(f"x.narrow(1, {start}, 2)")


@pytest.mark.parametrize("wrong", [1, 0, 1.0, "x", None, torch.tensor(True), [True]], ids=str)
def test_a_keepdim_that_is_no_bool(wrong):
    kind = type(wrong).__name__
    for call, place in [
        (lambda: torch.sum(X, 0, wrong), r" \(position 3\)"),
        (lambda: X.sum(0, keepdim=wrong), ""),
        (lambda: torch.amax(X, 0, wrong), r" \(position 3\)"),
        (lambda: torch.prod(X, 0, wrong), r" \(position 3\)"),
    ]:
        with pytest.raises(TypeError, match=rf"\(\): argument 'keepdim'{place} must be bool, not {kind}$"):
            call()
