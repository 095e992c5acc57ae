"""Sorting and searching against NumPy: order, stability, positions, NaN, long and strided rows."""

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import INTS, NUMBERS, as_torch, assert_same, twins


def draw_dim(data, array):
    return data.draw(st.integers(-array.ndim, array.ndim - 1))


@given(twins(dtypes=(*NUMBERS, "bool"), min_dims=1), st.data(), st.booleans())
def test_stable_sort(pair, data, descending):
    tensor, array = pair
    dim = draw_dim(data, array)
    values, positions = torch.sort(tensor, dim=dim, descending=descending, stable=True)
    n = array.shape[dim]
    key = np.flip(array, dim) if descending else array  # equal elements keep their order, also when descending
    order = np.argsort(key, axis=dim, kind="stable")
    if descending:
        order = n - 1 - np.flip(order, dim)
    assert_same(positions, order)
    assert_same(values, np.take_along_axis(array, order, dim))
    assert_same(torch.argsort(tensor, dim=dim, descending=descending, stable=True), order)


@given(twins(dtypes=NUMBERS[1:], min_dims=1, distinct=True), st.data(), st.booleans())
def test_sort_of_distinct_values(pair, data, descending):
    tensor, array = pair
    dim = draw_dim(data, array)
    order = np.argsort(array, axis=dim)
    order = np.flip(order, dim) if descending else order
    values, positions = tensor.sort(dim, descending)
    assert_same(values, np.take_along_axis(array, order, dim))
    assert_same(positions, order)
    assert_same(tensor.argsort(dim, descending), order)


@given(twins(dtypes=NUMBERS[1:], min_dims=1, distinct=True), st.data(), st.booleans())
def test_topk(pair, data, largest):
    tensor, array = pair
    dim = draw_dim(data, array)
    k = data.draw(st.integers(0, array.shape[dim]))
    values, positions = tensor.topk(k, dim, largest, True)
    order = np.argsort(array, axis=dim)
    order = np.take(np.flip(order, dim) if largest else order, range(k), dim)
    assert_same(positions, order)
    assert_same(values, np.take_along_axis(array, order, dim))
    unsorted = tensor.topk(k, dim, largest, False).indices
    assert_same(unsorted.sort(dim).values, np.sort(order, dim))


@given(twins(dtypes=NUMBERS, min_dims=1, min_side=1), st.data(), st.booleans())
def test_positions_of_extrema(pair, data, keepdim):
    """The first of several equal elements."""
    tensor, array = pair
    dim = draw_dim(data, array)
    for mine, theirs in ((tensor.max, np.argmax), (tensor.min, np.argmin)):
        values, positions = mine(dim, keepdim)
        want = theirs(array, axis=dim, keepdims=keepdim)
        assert_same(positions, want)
        wide = np.expand_dims(want, dim) if not keepdim else want
        assert_same(values, np.take_along_axis(array, wide, dim).reshape(want.shape))
    assert_same(tensor.argmax(dim, keepdim), np.argmax(array, axis=dim, keepdims=keepdim))
    assert_same(tensor.argmin(dim, keepdim), np.argmin(array, axis=dim, keepdims=keepdim))
    assert tensor.argmax().item() == array.argmax() and tensor.argmin().item() == array.argmin()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "uint8"])
@pytest.mark.parametrize("length", [1, 2, 15, 16, 17, 31, 33, 100, 255, 257, 1000, 30011])
def test_long_rows(dtype, length):
    """Lengths around the block sizes of sorting networks, with many equal elements."""
    array = (
        (np.random.default_rng(length).standard_normal(length) * 20)
        .astype(dtype if dtype != "uint8" else "int8")
        .astype(dtype)
    )
    tensor = as_torch(array)
    values, positions = tensor.sort(stable=True)
    assert_same(positions, np.argsort(array, kind="stable"))
    assert_same(values, np.sort(array))
    k = min(length, 10)
    assert_same(tensor.topk(k).values, np.sort(array)[::-1][:k])
    assert_same(tensor.topk(k, largest=False).values, np.sort(array)[:k])


def test_special_shapes_of_input():
    for array in (
        np.arange(5000),
        np.arange(5000)[::-1].copy(),
        np.zeros(5000),
        np.arange(5000) % 7,
        np.abs(np.arange(5000) - 2500),
    ):
        tensor = as_torch(array)
        assert_same(tensor.sort(stable=True).indices, np.argsort(array, kind="stable"))


def test_nan_is_the_greatest():
    nan = float("nan")
    a = torch.tensor([3.0, nan, -1.0, float("inf"), nan, float("-inf")])
    assert a.sort(stable=True).indices.tolist() == [5, 2, 0, 3, 1, 4]
    assert torch.sort(a, descending=True, stable=True).indices.tolist() == [1, 4, 3, 0, 2, 5]
    assert torch.isnan(a.topk(2).values).all()
    assert a.topk(2, largest=False).values.tolist() == [float("-inf"), -1.0]
    assert a.argmax().item() == 1 and a.argmin().item() == 1  # the first NaN wins both ways
    assert torch.isnan(a.max()) and torch.isnan(a.min())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("descending", [False, True])
def test_stable_with_nan_and_signed_zeros(dtype, descending):
    """NaN is the greatest, -0.0 equals 0.0, and equal elements stay in order: along any dimension, for any length."""
    numbers = [0.0, -0.0, float("nan"), 1.0, -1.0, float("inf"), float("-inf"), -float("nan")]
    random = np.random.default_rng(5)
    for shape in ((40,), (7, 33), (300, 5), (3, 4, 70), (2000,)):
        values = random.choice(numbers, shape)
        key = np.where(np.isnan(values), 9.0, np.clip(values, -5, 5)) + 0.0  # NaN above inf; -0.0 + 0.0 is 0.0
        tensor = torch.tensor(values.tolist(), dtype=dtype)
        for dim in range(len(shape)):
            want = np.argsort(-key if descending else key, axis=dim, kind="stable")
            for given_, order in ((tensor, want), (tensor.t().contiguous().t() if tensor.dim() == 2 else tensor, want)):
                sorted_, positions = given_.sort(dim=dim, descending=descending, stable=True)
                assert positions.tolist() == order.tolist()
                picked = torch.gather(given_, dim, positions)
                signs = [
                    torch.signbit(x.nan_to_num(7)) for x in (sorted_, picked)
                ]  # PyTorch's bfloat16 NaNs lose theirs
                assert torch.equal(*signs)
                assert torch.equal(sorted_.isnan(), picked.isnan())
                assert torch.equal(sorted_.nan_to_num(7), picked.nan_to_num(7))


@pytest.mark.parametrize("dtype", ["int64", "float64"])
@pytest.mark.parametrize("high, low", [(4, 4), (2, 2**31), (2**31, 2), (1, 2**32), (300, 2**32), (2**31, 2**32)])
def test_wide_keys_in_two_steps(dtype, high, low):
    """Numbers that share their upper halves, few or many, and differ in the lower ones, few or many."""
    random = np.random.default_rng(high)
    bits = (random.integers(0, high, 5000) << 32) | random.integers(0, low, 5000)
    array = np.where(random.integers(0, 2, 5000) == 1, bits, ~bits).view(dtype)
    array = np.where(np.isnan(array), np.inf, array) if dtype == "float64" else array
    order = np.argsort(array, kind="stable")
    values, positions = torch.from_numpy(array).sort(stable=True)
    assert_same(positions, order)
    assert_same(values, array[order])
    down = np.argsort(-array if dtype == "float64" else ~array, kind="stable")
    assert_same(torch.from_numpy(array).argsort(descending=True, stable=True), down)


@pytest.mark.parametrize("dtype", INTS)
@pytest.mark.parametrize("reach", [0, 1, 299, 300, 301, 2**14 - 1, 2**14, 2**16, 2**24, 2**32 - 1, 2**32, 2**64 - 1])
@pytest.mark.parametrize("length", [90, 300, 20000])
def test_integers_by_reach(dtype, reach, length):
    """Counted where they reach less far than their number, else sorted by keys as short as they reach."""
    info = np.iinfo(dtype)
    reach = min(reach, int(info.max) - int(info.min))
    drawn = np.random.default_rng(length).integers(0, reach, length, endpoint=True, dtype="uint64")
    drawn[1::3] = drawn[0]
    drawn[[3, -1]] = 0, reach
    for low in {int(info.min), max(int(info.min), -reach // 2), int(info.max) - reach}:
        array = (drawn + np.uint64(low % 2**64)).view("int64").astype(dtype)
        up = np.argsort(array, kind="stable")
        down = np.argsort(~array, kind="stable")  # the complement turns the order, and overflows nowhere
        for tensor, dim in ((as_torch(array), 0), (torch.stack([as_torch(array)] * 3, 1), 0)):
            for descending, order in ((False, up), (True, down)):
                values, positions = tensor.sort(dim, descending, stable=True)
                for column in range(3 if tensor.dim() == 2 else 1):
                    got = [x[:, column] if tensor.dim() == 2 else x for x in (values, positions)]
                    assert_same(got[0], array[order])
                    assert_same(got[1], order)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "int64", "uint8"])
@pytest.mark.parametrize("columns", [2, 15, 16, 17, 255, 256, 257, 600])
def test_first_of_columns(dtype, columns):
    """Columns are walked some at a time; equal elements come in order, and NaN counts as the greatest."""
    array = np.random.default_rng(columns).integers(0, 100, (2, 60, columns)).astype(dtype)
    if dtype.startswith("float"):
        array[:, ::7, ::5] = np.nan
    tensor = torch.from_numpy(array)
    for largest in (True, False):
        key = np.where(np.isnan(array), 1000, array).astype("int64")
        order = np.argsort(-key if largest else key, axis=1, kind="stable")
        for k in (1, 5, 16, 17, 60):
            values, positions = tensor.topk(k, 1, largest)
            assert_same(positions, order[:, :k])
            want = np.take_along_axis(array, order[:, :k], 1)
            assert np.array_equal(values.numpy(), want, equal_nan=dtype.startswith("float"))


def test_many_rows():
    array = np.random.default_rng(0).integers(0, 50, (300, 40))
    tensor = as_torch(array)
    for dim in (0, 1):
        assert_same(torch.sort(tensor, dim=dim, stable=True).indices, np.argsort(array, axis=dim, kind="stable"))
        assert_same(tensor.t().sort(1 - dim).values, np.sort(array.T, 1 - dim))
        assert_same(tensor.topk(5, dim).values, np.take(np.flip(np.sort(array, dim), dim), range(5), dim))
