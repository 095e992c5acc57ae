"""Indexing against NumPy: any mix of integers, slices, None, Ellipsis, masks and index tensors, read and written.

PyTorch takes an integer beside index tensors for a `select`, NumPy for an index array; such mixes are in
golden/cases/indexing.py.
"""

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import as_torch, assert_same, fill, shapes, steps, twins


def with_none_and_ellipsis(draw, key):
    """Replace trailing whole slices by an Ellipsis, put None somewhere."""
    key = list(key)
    if draw(st.booleans()):
        while key and isinstance(key[-1], slice) and key[-1] == slice(None):
            key.pop()
        key.append(Ellipsis)
    for _ in range(draw(st.integers(0, 2))):
        key.insert(draw(st.integers(0, len(key))), None)
    return tuple(key)


def basic(draw, shape):
    """Integers, slices, None and Ellipsis."""
    key = [
        draw(st.integers(-n, n - 1)) if n and draw(st.booleans()) else s for n, s in zip(shape, steps(draw, len(shape)))
    ]
    return with_none_and_ellipsis(draw, key[: draw(st.integers(0, len(key)))])


def advanced(draw, shape):
    """(tensor key, array key) of slices with one mask or several index arrays, whose shapes broadcast together."""
    masked = draw(st.booleans())
    common = (1,) if masked else draw(shapes(max_dims=2, min_side=1, max_side=3))
    mine, theirs, dim = [], [], 0
    while dim < len(shape):
        n = shape[dim]
        kind = draw(st.sampled_from(("slice", "index", "list", "mask") if masked else ("slice", "index", "list")))
        if kind == "mask":
            masked = False  # a second one would have to have as many True
            span = draw(st.integers(1, min(2, len(shape) - dim)))
            mask = fill(shape[dim : dim + span], "bool", draw(st.integers(0, 99)))
            mine.append(as_torch(mask))
            theirs.append(mask)
            dim += span
            continue
        if kind == "slice" or n == 0:
            part = steps(draw, 1)[0]
            mine.append(part)
            theirs.append(part)
        else:
            index = np.random.default_rng(draw(st.integers(0, 99))).integers(-n, n, common)
            mine.append(index.tolist() if kind == "list" and common else as_torch(np.asarray(index)))
            theirs.append(index)
        dim += 1
    return tuple(mine), tuple(theirs)


@given(st.data(), twins(dtypes=("float32", "int64", "bool")))
def test_basic_indexing(data, pair):
    tensor, array = pair
    key = basic(data.draw, tensor.shape)
    view = tensor[key]
    assert_same(view, array[key])
    if view.numel():
        mine = view.data_ptr() - tensor.data_ptr()
        assert (
            0
            <= mine // tensor.element_size()
            <= max(1, sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride())))
        )


@given(st.data(), twins(dtypes=("float32", "int16"), plain=True), st.integers(-9, 9))
def test_basic_assignment_of_a_number(data, pair, number):
    tensor, array = pair
    key = basic(data.draw, tensor.shape)
    tensor[key] = number
    array[key] = number
    assert_same(tensor, array)


@given(st.data(), twins(dtypes=("float32", "uint8"), plain=True))
def test_basic_assignment_broadcasts(data, pair):
    tensor, array = pair
    key = basic(data.draw, tensor.shape)
    part = array[key].shape
    size = tuple(data.draw(st.sampled_from((1, n))) for n in part[data.draw(st.integers(0, len(part))) :])
    value = fill(size, str(array.dtype), 5)
    tensor[key] = as_torch(value)
    array[key] = value
    assert_same(tensor, array)


@given(st.data(), twins(dtypes=("float32", "int64", "bool", "float16"), min_dims=1))
def test_advanced_indexing(data, pair):
    tensor, array = pair
    mine, theirs = advanced(data.draw, tensor.shape)
    assert_same(tensor[mine], array[theirs])


@given(st.data(), twins(dtypes=("float32", "int64"), min_dims=1, plain=True))
def test_advanced_assignment_of_a_number(data, pair):
    tensor, array = pair
    mine, theirs = advanced(data.draw, tensor.shape)
    tensor[mine] = 77
    array[theirs] = 77
    assert_same(tensor, array)


@given(st.data(), twins(dtypes=("float64", "int32"), min_dims=1, min_side=1, plain=True))
def test_assignment_by_a_permutation(data, pair):
    """Every index once, so that the order of writing does not matter."""
    tensor, array = pair
    dim = data.draw(st.integers(0, tensor.dim() - 1))
    order = np.array(data.draw(st.permutations(range(tensor.shape[dim]))))
    key = (slice(None),) * dim
    value = fill(array.shape, str(array.dtype), 3)
    tensor[(*key, as_torch(order))] = as_torch(value)
    array[(*key, order)] = value
    assert_same(tensor, array)


@given(twins(dtypes=("float32", "int64", "bool")), st.integers(0, 99))
def test_masks(pair, seed):
    tensor, array = pair
    mask = fill(array.shape, "bool", seed)
    assert_same(tensor[as_torch(mask)], array[mask])
    assert_same(torch.masked_select(tensor, as_torch(mask)), array[mask])
    assert_same(torch.nonzero(tensor), np.argwhere(array))
    assert_same(
        torch.where(as_torch(mask), tensor, tensor.flatten()[:1].sum().to(tensor.dtype)),
        np.where(mask, array, array.reshape(-1)[:1].sum().astype(array.dtype)),
    )
    copy, twin = tensor.clone(), array.copy()
    copy[as_torch(mask)] = 1
    twin[mask] = 1
    assert_same(copy, twin)
    assert_same(tensor.masked_fill(as_torch(mask), 1), twin)


@given(twins(dtypes=("float32", "int8", "bool"), min_dims=1, min_side=1), st.data())
def test_select_and_gather(pair, data):
    tensor, array = pair
    dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
    n = array.shape[dim]
    index = np.array(data.draw(st.lists(st.integers(0, n - 1), max_size=6)), dtype="int64")
    assert_same(torch.index_select(tensor, dim, as_torch(index)), np.take(array, index, dim))
    wide = np.random.default_rng(len(index)).integers(0, n, array.shape)
    assert_same(torch.gather(tensor, dim, as_torch(wide)), np.take_along_axis(array, wide, dim))


@pytest.mark.parametrize("length", [1, 7, 1023, 1024, 1025, 70001])
@pytest.mark.parametrize("place", [0, 0.5, 1])
@pytest.mark.parametrize("bad", [-1, 5, 2**31, 2**63 - 1, -(2**63)])
def test_an_index_outside_changes_nothing(length, place, bad):
    """Wherever it stands: indices are checked in vectors, and by several threads."""
    index = torch.arange(length) % 5
    index[int(place * (length - 1))] = bad
    target = torch.zeros(5, 2)
    rows, wide = torch.ones(length, 2), index.unsqueeze(1).expand(length, 2).contiguous()
    for write in (
        lambda: target.scatter_(0, wide, rows),
        lambda: target.scatter_add_(0, wide, rows),
        lambda: target.t().scatter_(1, wide.t(), 1.0),
        lambda: target.index_add_(0, index, rows),
        lambda: torch.gather(target, 0, wide),
        lambda: torch.index_select(target, 0, index),
    ):
        with pytest.raises((RuntimeError, IndexError), match=r"out of (bounds|range)"):
            write()
        assert not target.any()


@given(twins(dtypes=("float32", "int64"), min_dims=1, min_side=1, plain=True), st.data())
def test_scatter(pair, data):
    tensor, array = pair
    dim = data.draw(st.integers(0, array.ndim - 1))
    order = np.argsort(np.random.default_rng(1).random(array.shape), axis=dim)  # a permutation along dim
    value = fill(array.shape, str(array.dtype), 4)
    assert tensor.scatter_(dim, as_torch(order), as_torch(value)) is tensor
    np.put_along_axis(array, order, value, dim)
    assert_same(tensor, array)


@given(twins(min_dims=1, dtypes=("float32",)), st.data())
def test_indices_outside_are_refused_and_nothing_is_written(pair, data):
    tensor, array = pair
    tensor = tensor.contiguous()
    dim = data.draw(st.integers(0, tensor.dim() - 1))
    n = tensor.shape[dim]
    outside = data.draw(st.sampled_from((n, -n - 1, n + 1000, -(2**40), 2**40)))
    key = (slice(None),) * dim
    for bad in ((*key, outside), (*key, torch.tensor([outside])), (*key, [outside])):
        elsewhere = 0 in (*tensor.shape[:dim], *tensor.shape[dim + 1 :])  # nothing is looked up in an empty tensor
        if not isinstance(bad[-1], int) and (n == 0 or elsewhere):
            continue
        with pytest.raises(IndexError):
            tensor[bad]
        with pytest.raises(IndexError):
            tensor[bad] = 1.0
    assert_same(tensor, array)


def test_iteration_follows_the_first_dimension():
    m = torch.arange(6).reshape(3, 2)
    assert [row.tolist() for row in m] == [[0, 1], [2, 3], [4, 5]]
    first, second, third = m
    first[0] = 50
    assert m[0, 0].item() == 50
    assert list(torch.zeros(0, 3)) == []
    assert dict(enumerate(torch.tensor([7, 8])))[1].item() == 8


@pytest.mark.parametrize(
    "write",
    [
        lambda t, index: t.scatter_(0, index, 10**12),
        lambda t, index: t.__setitem__(index, 10**12),
        lambda t, index: t.index_fill_(0, index, 10**12),
        lambda t, index: t.index_put_((index,), torch.tensor([10**12])),
    ],
)
def test_an_index_that_is_overwritten_has_been_read(write):
    flat = torch.tensor([1, 0, 2, 3, 4, 0, 0, 0, 0])
    write(flat[::2], flat[:5])
    assert flat.tolist() == [10**12, 0, 10**12, 3, 10**12, 0, 10**12, 0, 10**12]


def test_what_is_refused_leaves_everything_as_it_was():
    a = torch.arange(6.0).reshape(2, 3)
    for write in (
        lambda: a.__setitem__(torch.tensor([1, 0]), a),
        lambda: a.__setitem__(torch.tensor([1, 5]), 1.0),
        lambda: a[0].expand(2, 3).__setitem__(None, 1.0),
        lambda: a.__setitem__(torch.ones(2, dtype=torch.uint8), -1),
        lambda: a.scatter_add_(0, torch.zeros(2, 3, dtype=torch.int64), a),
    ):
        with pytest.raises((RuntimeError, IndexError)):
            write()
    assert a.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("index", ["x", "0", b"x", ("x",), ["x"], (0, "x"), (..., "x"), (0, [1])], ids=str)
def test_more_indices_than_dimensions_whatever_they_are(index):
    a = torch.tensor(5)
    for call in (lambda: a[index], lambda: a.__setitem__(index, 1)):
        with pytest.raises(IndexError, match="too many indices for tensor of dimension 0"):
            call()
    assert a.item() == 5


def test_text_is_no_index():
    for call in (lambda: torch.zeros(3)["x"], lambda: torch.zeros(2, 3)[0, "x"], lambda: torch.zeros(3)[["x"]]):
        with pytest.raises(TypeError, match="invalid data type 'str'"):
            call()
    with pytest.raises(IndexError, match="too many indices for tensor of dimension 1"):
        torch.zeros(3)[0, "x"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bool, torch.complex64], ids=str)
def test_index_select_of_nothing(dtype):
    nothing = torch.zeros(0, dtype=dtype)
    for index in ([0], [0, -1], [5], 0):
        with pytest.raises(IndexError, match="index out of range in self"):
            torch.index_select(nothing, 0, torch.tensor(index))
    assert torch.index_select(nothing, 0, torch.zeros(0, dtype=torch.int64)).shape == (0,)
    with pytest.raises(RuntimeError, match="self indexing axis dim should be positive"):
        torch.index_select(torch.zeros(0, 3), 0, torch.tensor([0]))
    assert torch.index_select(nothing.to("meta"), 0, torch.zeros(1, dtype=torch.int64, device="meta")).shape == (1,)


@pytest.mark.parametrize("step", [1, 2], ids=["contiguous", "strided"])
@pytest.mark.parametrize("kind", ["positive", "negative", "int32", "strided", "same storage"])
def test_many_indices_of_any_kind(kind, step):
    """Whether the indices are positions as they are or have to be made such."""
    random = torch.Generator().manual_seed(3)
    numbers = torch.randint(40, (60,), generator=random)
    together = torch.zeros(100 * step, dtype=torch.int64)
    x = together[: 40 * step : step].copy_(torch.arange(40) * 3)
    if kind == "negative":
        numbers[5:] -= 40
    index = {
        "int32": numbers.int(),
        "strided": torch.stack([numbers, numbers], 1)[:, 0],
        "same storage": together[-60:].copy_(numbers),
    }.get(kind, numbers)
    places = [k % 40 for k in numbers.tolist()]
    assert x[index].tolist() == [3 * k for k in places]
    if kind != "negative":
        assert x.index_select(0, index).tolist() == [3 * k for k in places]
    sums, values = x.tolist(), x.tolist()
    for j, k in enumerate(places):
        sums[k] += j
        values[k] = j
    assert x.clone().index_put_((index.long(),), torch.arange(60), accumulate=True).tolist() == sums
    x[index] = torch.arange(60)
    assert x.tolist() == values
    assert index.tolist() == numbers.tolist()


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int16, torch.int32, torch.int64, torch.float16,
                                   torch.bfloat16, torch.float32, torch.float64, torch.complex64], ids=str)  # fmt: skip
@pytest.mark.parametrize("width", [1, 7, 33, 130])
def test_rows_are_added_in_every_dtype(dtype, width):
    source = (torch.arange(3 * width) % 5).view(3, width).to(dtype)
    want = torch.stack([source[1] + source[2], source[0]])
    assert torch.zeros(2, width, dtype=dtype).index_add_(0, torch.tensor([1, 0, 0]), source).equal(want)
    shifted = torch.zeros(2 * width + 1, dtype=dtype)[1:].view(2, width)
    assert shifted.index_put_((torch.tensor([1, 0, 0]),), source, accumulate=True).equal(want)
