"""Mistakes a user makes: each is refused with the right class of exception, and nothing has changed afterwards.

golden/cases/errors.py holds the one-line cases; here are those that need NumPy, many sizes or a look at what is left.
"""

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import as_torch, assert_same, shapes, twins

IN_PLACE = ["add_", "sub_", "mul_", "div_", "pow_", "copy_", "eq_", "atan2_"]
HUGE = [(2**62,), (2**61, 8), (2**31, 2**31), (2**40, 2**40), (3, 2**62)]


def broadcastable(x, y):
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(x), reversed(y)))


@given(shapes(min_side=1), shapes(min_side=1))
def test_shapes_that_do_not_fit(x, y):
    a, b = torch.ones(x), torch.ones(y)
    if broadcastable(x, y):
        assert (a + b).shape == np.broadcast_shapes(x, y)
        return
    for operation in (
        torch.add,
        torch.eq,
        torch.maximum,
        torch.atan2,
        torch.logical_and,
        lambda p, q: torch.where(p > 0, p, q),
    ):
        with pytest.raises(RuntimeError):
            operation(a, b)
    for name in IN_PLACE:
        with pytest.raises(RuntimeError):
            getattr(a, name)(b)
    assert a.shape == x and (a == 1).all()


@given(shapes(min_side=1), shapes(min_side=1))
def test_in_place_keeps_its_shape(x, y):
    """The result would be larger than the operand that is to hold it."""
    a, b = torch.ones(x), torch.ones(y)
    if not broadcastable(x, y) or np.broadcast_shapes(x, y) == x:
        return
    for name in IN_PLACE:
        with pytest.raises(RuntimeError):
            getattr(a, name)(b)
    assert a.shape == x and (a == 1).all()


@given(twins(min_dims=1), st.sampled_from((0, 3, 100, 2**40)), st.booleans())
def test_dimensions_out_of_range(pair, beyond, negative):
    tensor, array = pair
    dim = -tensor.dim() - 1 - beyond if negative else tensor.dim() + beyond
    for operation in (
        tensor.sum,
        tensor.argmax,
        tensor.sort,
        tensor.size,
        tensor.stride,
        tensor.unbind,
        tensor.squeeze,
        lambda d: tensor.transpose(0, d),
        lambda d: tensor.narrow(d, 0, 0),
        lambda d: tensor.select(d, 0),
        lambda d: tensor.amax(d),
        lambda d: tensor.any(d),
        lambda d: tensor.chunk(2, d),
        lambda d: tensor.split(1, d),
        lambda d: tensor.topk(1, d),
    ):
        with pytest.raises(IndexError):
            operation(dim)
    assert_same(tensor, array)


@given(shapes(min_dims=1, min_side=1), st.integers(1, 3))
def test_views_of_the_wrong_size(shape, extra):
    tensor = torch.zeros(shape)
    n = tensor.numel()
    for size in ((n + extra,), (n, 1 + extra), (-1, n + extra), (-1, -1), (0,), (n, -2)):
        with pytest.raises(RuntimeError):
            tensor.view(size)
        with pytest.raises(RuntimeError):
            tensor.reshape(size)


@given(shapes(min_dims=1, max_dims=3), st.integers(-5, -1), st.data())
def test_negative_sizes(shape, negative, data):
    shape = list(shape)
    shape.insert(data.draw(st.integers(0, len(shape))), negative)
    for make in (
        torch.zeros,
        torch.empty,
        torch.ones,
        torch.rand,
        lambda s: torch.full(s, 1.0),
        lambda s: torch.randint(3, s),
    ):
        with pytest.raises(RuntimeError):
            make(tuple(shape))


@pytest.mark.parametrize("shape", HUGE)
@pytest.mark.parametrize(
    "make",
    [torch.empty, torch.zeros, torch.ones, torch.rand, lambda s: torch.full(s, 1)],
    ids=["empty", "zeros", "ones", "rand", "full"],
)
def test_sizes_nobody_has_memory_for(make, shape):
    with pytest.raises(RuntimeError):
        make(shape)
    assert make((2,)).shape == (2,)  # and life goes on


def test_huge_but_empty():
    assert torch.zeros(2**31, 0).numel() == 0
    assert torch.zeros(1).expand(2**40).numel() == 2**40
    with pytest.raises(RuntimeError):
        torch.zeros(1).expand(2**40, 2**40).sum()
    with pytest.raises(RuntimeError):
        torch.zeros(1).expand(2**45).contiguous()


@pytest.mark.parametrize(
    "write",
    [
        lambda t: t.add_(1),
        lambda t: t.mul_(2),
        lambda t: t.copy_(torch.arange(12.0).view(4, 3)),
        lambda t: t.exp_(),
        lambda t: t.clamp_(0, 1),
        lambda t: torch.add(t, 1, out=t),
        lambda t: torch.exp(torch.ones(4, 3), out=t),
        lambda t: t.__setitem__(slice(None), torch.ones(4, 3)),
        lambda t: t.__iadd__(1),
    ],
    ids=["add_", "mul_", "copy_", "exp_", "clamp_", "add-out", "exp-out", "setitem", "iadd"],
)
def test_writing_through_an_expanded_view(write):
    base = torch.ones(1, 3)
    with pytest.raises(RuntimeError):
        write(base.expand(4, 3))
    assert base.tolist() == [[1.0, 1.0, 1.0]]


def test_results_that_overlap_their_operands():
    base = torch.arange(6.0)
    with pytest.raises(RuntimeError):
        torch.mul(base[1:], 2, out=base[:-1])
    with pytest.raises(RuntimeError):
        base[1:].add_(base[:-1])
    assert base.tolist() == [0, 1, 2, 3, 4, 5]
    assert torch.mul(base, 2, out=base).tolist() == [0, 2, 4, 6, 8, 10]  # exactly itself is fine


@pytest.mark.parametrize("dtype", ["float32", "int", 3, "torch.float32", np.float32, object(), "nonsense"])
def test_dtypes_that_are_none(dtype):
    for make in (torch.zeros, torch.empty, torch.ones, torch.rand):
        with pytest.raises(TypeError):
            make(2, dtype=dtype)
    with pytest.raises(TypeError):
        torch.tensor([1], dtype=dtype)
    with pytest.raises((TypeError, RuntimeError)):
        torch.ones(2).to(dtype)


@pytest.mark.parametrize(
    "data", [np.zeros(2, "datetime64[s]"), np.array(["a"]), np.array([object()], dtype=object), np.zeros(2, "S3")]
)
def test_arrays_of_no_number(data):
    for make in (torch.tensor, torch.as_tensor, torch.from_numpy):
        with pytest.raises(TypeError):
            make(data)


def test_negative_strides_are_not_shared():
    array = np.arange(4.0)[::-1]
    for make in (torch.from_numpy, torch.as_tensor, torch.tensor):
        with pytest.raises(ValueError):
            make(array)


@pytest.mark.parametrize("rows", [[[1, 2], [3]], [[1], [2, 3]], [[[1]], [[1, 2]]]])
def test_ragged_lists(rows):
    with pytest.raises(ValueError):
        torch.tensor(rows)


def test_lists_within_themselves():
    endless = []
    endless.append(endless)
    with pytest.raises((ValueError, RecursionError)):
        torch.tensor(endless)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_matrices_that_do_not_fit(m, k, j, n):
    a, b = torch.ones(m, k), torch.ones(j, n)
    if k == j:
        assert (a @ b).shape == (m, n)
        return
    for operation in (
        torch.mm,
        torch.matmul,
        lambda p, q: torch.mv(p, q[:, 0]),
        lambda p, q: p[0].dot(q[:, 0]),
        lambda p, q: torch.bmm(p[None], q[None]),
    ):
        with pytest.raises(RuntimeError):
            operation(a, b)


@given(st.lists(st.integers(-12, 12), min_size=1, max_size=5))
def test_index_tensors_out_of_range(indices):
    base, index = torch.arange(5.0), as_torch(np.array(indices))
    if min(indices) < 0 or max(indices) > 4:
        with pytest.raises(IndexError):
            torch.index_select(base, 0, index)
        with pytest.raises(RuntimeError):
            torch.gather(base, 0, index)
        with pytest.raises(RuntimeError):
            base.clone().scatter_(0, index, 9.0)
    if min(indices) < -5 or max(indices) > 4:
        with pytest.raises(IndexError):
            base[index]
        with pytest.raises(IndexError):
            base.clone()[index] = 9.0


def test_a_failed_call_leaves_out_alone():
    out = torch.full((3,), 5.0)
    for bad in (
        lambda: torch.add(torch.ones(2), torch.ones(3), out=out),
        lambda: torch.mm(torch.ones(2, 3), torch.ones(2, 3), out=out),
        lambda: torch.add(torch.ones(3), "x", out=out),
        lambda: torch.cat([torch.ones(2, 2), torch.ones(3)], out=out),
    ):
        with pytest.raises((RuntimeError, TypeError)):
            bad()
        assert out.tolist() == [5.0, 5.0, 5.0]


@pytest.mark.parametrize(
    "args", [((6, 0), 1, 1, 0), ((6, 0), 1), ([1], [2]), (torch.Size([2]), torch.Size([2]))], ids=str
)
def test_a_sequence_and_more(args):
    types = ", ".join(type(a).__name__ for a in args).replace("Size", "torch.Size")
    for make in (torch.LongTensor, torch.Tensor, torch.zeros(1).new):
        with pytest.raises(
            TypeError, match=rf"new\(\) received an invalid combination of arguments - got \({types}\), "
        ):
            make(*args)


@pytest.mark.parametrize("name", ["hann", "hamming", "bartlett", "blackman", "kaiser"])
@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr], ids=str)
def test_windows_are_dense(name, layout):
    make = getattr(torch, f"{name}_window")
    for options in ({}, {"dtype": torch.int64}):
        with pytest.raises(RuntimeError, match=f"^{name}_window is not implemented for sparse types, got: ") as caught:
            make(3, layout=layout, **options)
        assert caught.type is RuntimeError
    with pytest.raises(NotImplementedError, match=f"aten::eye.*{layout}"):
        torch.eye(3, layout=layout)
    assert make(3, layout=torch.strided).shape == (3,)
