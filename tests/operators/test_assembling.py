"""What is assembled of whole tensors, and elements written by index, against NumPy; the same for any number of threads."""

import warnings

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import as_torch, assert_same, fill, shapes, twins

SEEDS = st.integers(0, 2**32 - 1)


@given(st.data(), twins(dtypes=("float32", "int16", "bool")))
def test_repeat_and_tile(data, pair):
    tensor, array = pair
    repeats = data.draw(st.lists(st.integers(0, 3), min_size=tensor.dim(), max_size=tensor.dim() + 2))
    assert_same(tensor.repeat(repeats), np.tile(array, repeats))
    fewer = data.draw(st.lists(st.integers(0, 3), max_size=3))
    assert_same(tensor.tile(fewer), np.tile(array, fewer))


@given(st.data(), twins(min_dims=1))
def test_repeat_interleave(data, pair):
    tensor, array = pair
    dim = data.draw(st.integers(-tensor.dim(), tensor.dim() - 1))
    counts = data.draw(st.lists(st.integers(0, 3), min_size=tensor.shape[dim], max_size=tensor.shape[dim]))
    index = torch.tensor(counts, dtype=torch.int64)
    assert_same(tensor.repeat_interleave(index, dim), np.repeat(array, counts, dim))
    assert_same(tensor.repeat_interleave(2, dim), np.repeat(array, 2, dim))
    assert_same(tensor.repeat_interleave(3), np.repeat(array, 3))


@given(st.data(), twins(min_dims=1))
def test_roll(data, pair):
    tensor, array = pair
    dims = data.draw(st.lists(st.integers(0, tensor.dim() - 1), min_size=1, max_size=3))
    shifts = data.draw(st.lists(st.integers(-9, 9), min_size=len(dims), max_size=len(dims)))
    assert_same(tensor.roll(shifts, dims), np.roll(array, shifts, dims))
    assert_same(tensor.roll(shifts[0]), np.roll(array, shifts[0]))


@given(st.data(), twins(min_dims=2))
def test_rot90(data, pair):
    tensor, array = pair
    dims = data.draw(st.permutations(range(tensor.dim())))[:2]
    k = data.draw(st.integers(-5, 5))
    assert_same(tensor.rot90(k, dims), np.rot90(array, k, dims))


@given(twins(dtypes=("float32", "int64", "bool"), min_dims=2, max_side=7), st.integers(-9, 9))
def test_triangles_and_diagonals(pair, k):
    tensor, array = pair
    assert_same(tensor.tril(k), np.tril(array, k))
    assert_same(tensor.triu(k), np.triu(array, k))
    copy = tensor.clone()
    assert_same(copy.tril_(k), np.tril(array, k))
    if tensor.dim() == 2:
        assert_same(tensor.diagflat(k), np.diagflat(array, k))
        assert_same(torch.diag(tensor.flatten(), k), np.diag(array.flatten(), k))
        n, m = tensor.shape
        assert_same(torch.tril_indices(n, m, k), np.array(np.tril_indices(n, k, m)).reshape(2, -1))
        assert_same(torch.triu_indices(n, m, k), np.array(np.triu_indices(n, k, m)).reshape(2, -1))
        if abs(k) < min(n, m):
            assert_same(torch.diag(tensor, k), np.diag(array, k))


@given(twins(dtypes=("float32", "int64"), max_dims=3), st.integers(-3, 3))
def test_diag_embed_is_undone_by_diagonal(pair, k):
    tensor, _ = pair
    if tensor.dim():
        assert torch.equal(torch.diag_embed(tensor, k).diagonal(k, -2, -1), tensor)
        assert int(torch.diag_embed(torch.ones_like(tensor), k).sum()) == tensor.numel()


@given(st.data(), twins(min_dims=1))
def test_tensor_split(data, pair):
    tensor, array = pair
    dim = data.draw(st.integers(0, tensor.dim() - 1))
    where = data.draw(st.integers(1, 6) | st.lists(st.integers(-5, 6), max_size=4))
    mine, theirs = tensor.tensor_split(where, dim), np.array_split(array, where, dim)
    assert len(mine) == len(theirs)
    for part, expected in zip(mine, theirs):
        assert_same(part, expected)
        assert part.numel() == 0 or part.data_ptr() >= tensor.data_ptr()  # a view


@given(st.data())
def test_stacks(data):
    shape = data.draw(shapes(max_dims=3))
    arrays = [fill(shape, dtype, data.draw(SEEDS)) for dtype in ("float32", "float32", "float64")]
    tensors = [as_torch(a) for a in arrays]
    for name in ("hstack", "vstack", "dstack", "column_stack"):
        if name != "column_stack" or len(shape) > 0:
            assert_same(getattr(torch, name)(tensors), getattr(np, name)(arrays))


@given(st.data())
def test_meshgrid_and_products(data):
    arrays = [fill((data.draw(st.integers(0, 4)),), "int64", i) for i in range(data.draw(st.integers(1, 3)))]
    tensors = [as_torch(a) for a in arrays]
    for indexing in ("ij", "xy"):
        for mine, theirs in zip(torch.meshgrid(tensors, indexing=indexing), np.meshgrid(*arrays, indexing=indexing)):
            assert_same(mine, theirs)
    if len(arrays) > 1:
        grid = np.stack(np.meshgrid(*arrays, indexing="ij"), -1).reshape(-1, len(arrays))
        assert_same(torch.cartesian_prod(*tensors), grid)


@given(twins(dtypes=("int64", "float64"), max_dims=2, max_side=3), twins(dtypes=("int64",), max_dims=3, max_side=3))
def test_kron(first, second):
    assert_same(torch.kron(first[0], second[0]), np.kron(first[1], second[1]))


@given(st.data(), twins(dtypes=("float32", "int64"), min_dims=1, max_side=6))
def test_diff(data, pair):
    tensor, array = pair
    dim = data.draw(st.integers(0, tensor.dim() - 1))
    n = data.draw(st.integers(0, 3))
    if tensor.shape[dim] >= n:
        assert_same(tensor.diff(n, dim), np.diff(array, n, dim))


def scatter_ids(draw, shape, dim):
    """Indices for a tensor of this shape, in part of it."""
    smaller = tuple(draw(st.integers(0, n)) if d != dim else draw(st.integers(0, 6)) for d, n in enumerate(shape))
    return np.random.default_rng(draw(SEEDS)).integers(0, max(shape[dim], 1), smaller)


UFUNCS = {"sum": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


@given(st.data(), st.sampled_from(sorted(UFUNCS)), st.sampled_from(("float64", "int64", "float32", "uint8")))
def test_scatter_reduce(data, reduce, dtype):
    shape = data.draw(shapes(min_dims=1, max_dims=3, min_side=1))
    dim = data.draw(st.integers(0, len(shape) - 1))
    index = scatter_ids(data.draw, shape, dim)
    array, source = fill(shape, dtype, 1), fill(index.shape, dtype, 2)
    place = list(np.indices(index.shape))
    place[dim] = index
    expected = array.copy()
    UFUNCS[reduce].at(expected, tuple(place), source)
    mine = as_torch(array), as_torch(index), as_torch(source)
    with np.errstate(over="ignore"):
        assert_same(mine[0].scatter_reduce(dim, mine[1], mine[2], reduce), expected)
    if reduce == "sum":
        assert_same(mine[0].scatter_add(dim, mine[1], mine[2]), expected)
    assert_same(mine[0], array)


@given(st.data(), twins(dtypes=("float32", "int64"), min_dims=1, min_side=1))
def test_index_add_copy_and_put(data, pair):
    tensor, array = pair
    dim = data.draw(st.integers(0, tensor.dim() - 1))
    index = np.random.default_rng(data.draw(SEEDS)).integers(0, tensor.shape[dim], data.draw(st.integers(0, 5)))
    source = fill((*array.shape[:dim], len(index), *array.shape[dim + 1 :]), str(array.dtype), 3)
    added, copied = np.moveaxis(array.copy(), dim, 0), np.moveaxis(array.copy(), dim, 0)
    np.add.at(added, index, 2 * np.moveaxis(source, dim, 0))
    copied[index] = np.moveaxis(source, dim, 0)
    where = torch.tensor(index.tolist(), dtype=torch.int64)
    assert_same(tensor.index_add(dim, where, as_torch(source), alpha=2), np.moveaxis(added, 0, dim))
    assert_same(tensor.index_copy(dim, where, as_torch(source)), np.moveaxis(copied, 0, dim))
    flat = np.random.default_rng(data.draw(SEEDS)).permutation(array.size)[:3]
    expected = array.copy()
    expected.reshape(-1)[:] = array.reshape(-1)
    np.put(expected, flat, source.reshape(-1)[: len(flat)] if source.size >= len(flat) else np.resize(1, len(flat)))
    values = source.reshape(-1)[: len(flat)] if source.size >= len(flat) else np.ones(len(flat), array.dtype)
    assert_same(tensor.put(torch.tensor(flat.tolist()), as_torch(values)), expected)


@given(st.data(), twins(dtypes=("float32", "bool", "int8")))
def test_masked_scatter(data, pair):
    tensor, array = pair
    mask = fill(array.shape, "bool", data.draw(SEEDS))
    source = fill((int(mask.sum()) + 2,), str(array.dtype), data.draw(SEEDS))
    expected = array.copy()
    expected[mask] = source[: mask.sum()]
    assert_same(tensor.masked_scatter(as_torch(mask), as_torch(source)), expected)


@given(st.data(), twins(min_dims=1, min_side=1))
def test_take_along_dim(data, pair):
    tensor, array = pair
    dim = data.draw(st.integers(0, tensor.dim() - 1))
    index = np.argsort(array, dim, kind="stable")
    assert_same(
        tensor.take_along_dim(torch.tensor(index.tolist()).reshape(index.shape), dim),
        np.take_along_axis(array, index, dim),
    )


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_scatters_do_not_depend_on_threads(threads):
    n, rows, columns = 5, 400, 300
    random = np.random.default_rng(0)
    source = torch.from_numpy(random.standard_normal((rows, columns)).astype("float32"))
    index = torch.from_numpy(random.integers(0, n, (rows, columns)))
    along = torch.from_numpy(random.integers(0, n, rows))
    big, place = source.flatten(), index.flatten()

    def results():
        start = torch.zeros(n, columns)
        return (
            start.scatter_add(0, index, source),
            start.T.contiguous().scatter_add(1, index.T, source.T),
            start.scatter_reduce(0, index, source, "mean"),
            start.half().scatter_add(0, index, source.half()),
            start.index_add(0, along, source),
            start.index_put((along,), source, accumulate=True),
            torch.zeros(n).index_add(0, place, big),
            torch.zeros(n).put_(place, big, accumulate=True),
            source.tril(5),
        )

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        alone = results()
        torch.set_num_threads(threads)
        assert all(torch.equal(a, b) for a, b in zip(alone, results()))
    finally:
        torch.set_num_threads(before)


def test_apply_and_map_call_python():
    a = torch.arange(6.0).view(2, 3)
    assert a.T.apply_(lambda v: v * 2) is not None
    assert a.tolist() == [[0, 2, 4], [6, 8, 10]]
    assert torch.arange(3).apply_(lambda v: v + 1.9).tolist() == [1, 2, 3]
    assert torch.tensor([True, False]).apply_(lambda v: not v).tolist() == [False, True]
    assert a.map_(torch.ones(3), lambda x, y: x - y) is a
    assert a.tolist() == [[-1, 1, 3], [5, 7, 9]]
    assert a.map2_(a, torch.tensor(1.0), lambda x, y, z: x + y + z)[1].tolist() == [11, 15, 19]
    with pytest.raises(TypeError, match="expected torch.FloatTensor for 'other'"):
        a.map_(a.double(), max)
    seen = []

    def fail(value):
        seen.append(value)
        if len(seen) == 3:
            raise KeyError(value)
        return 0.0

    with pytest.raises(KeyError):
        a.apply_(fail)
    assert a.tolist() == [[-1, 3, 7], [11, 15, 19]]
    assert len(seen) == 3
    a.apply_(lambda v: a.resize_(2, 3) is None or v)


def test_operators_warn_once_for_a_call():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.range(1, 3)
        torch.arange(3)
        with pytest.raises(RuntimeError):
            torch.cross(torch.ones(3), torch.ones(3).double())
        torch.ones(2)
    assert [str(w.message)[:23] for w in caught] == ["torch.range is deprecat"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="indexing argument"):
            torch.meshgrid(torch.arange(2), torch.arange(2))
        torch.ones(2)


def test_settings():
    assert torch.get_default_device() == torch.device("cpu")
    torch.set_default_device("cpu")
    assert not torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.get_deterministic_debug_mode() == 1
    torch.set_deterministic_debug_mode("default")
    assert not torch.are_deterministic_algorithms_enabled()
    assert torch.compiled_with_cxx11_abi()
    assert torch.broadcast_shapes((2, 1), 3, [1, 1]) == torch.Size([2, 3])
    with pytest.warns(UserWarning, match="deprecated"):
        torch.set_default_tensor_type("torch.DoubleTensor")
    try:
        assert torch.zeros(1).dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    if not torch.backends.cuda.is_built():
        for pinned in (torch.ones(1).pin_memory, lambda: torch.ones(1, pin_memory=True)):
            with pytest.raises(RuntimeError, match="accelerator"):
                pinned()


def test_inference_mode():
    enabled = torch.is_inference_mode_enabled

    @torch.inference_mode
    def plain():
        return enabled()

    @torch.inference_mode(False)
    def off():
        return enabled()

    @torch.inference_mode()
    def steps():
        sent = yield enabled()
        yield sent, enabled()

    assert plain()
    with torch.inference_mode():
        assert enabled()
        assert not off()
        with torch.inference_mode(mode=False):
            assert not enabled()
        assert enabled()
    walk = steps()
    assert next(walk)
    assert not enabled()
    assert walk.send(3) == (3, True)
    assert not enabled()


def test_flush_denormal():
    tiny = torch.full((100000,), 1e-308, dtype=torch.float64)
    if not torch.set_flush_denormal(True):
        pytest.skip("the processor keeps subnormal numbers")
    try:
        assert int((tiny / 100 != 0).sum()) == 0
    finally:
        torch.set_flush_denormal(False)
    assert int((tiny / 100 != 0).sum()) == 100000
