"""Sums, products and extrema against exact arithmetic, along every dimension, for every layout, for long inputs."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import FLOATS, INTS, NUMBERS, as_torch, assert_same, twins

EPSILON = {"float16": 2**-11, "bfloat16": 2**-8, "float32": 2**-24, "float64": 2**-53}


def dims(data, array):
    """One dimension, several, or None for all."""
    kind = data.draw(st.sampled_from(("all", "one", "several")))
    if kind == "all" or array.ndim == 0:
        return None
    if kind == "one":
        return data.draw(st.integers(-array.ndim, array.ndim - 1))
    return tuple(data.draw(st.lists(st.integers(0, array.ndim - 1), min_size=1, unique=True)))


@given(twins(dtypes=("bool", *INTS)), st.data(), st.booleans())
def test_integer_sums_are_exact_int64(pair, data, keepdim):
    tensor, array = pair
    dim = dims(data, array)
    if dim is None:
        assert_same(tensor.sum(), array.sum(dtype="int64"))
        assert_same(tensor.prod(), array.prod(dtype="int64"))
    else:
        assert_same(tensor.sum(dim, keepdim=keepdim), array.sum(dim, dtype="int64", keepdims=keepdim))


@given(twins(dtypes=("float32", "float64")), st.data(), st.booleans())
def test_float_sums_and_means(pair, data, keepdim):
    tensor, array = pair
    dim = dims(data, array)
    if dim is None:
        assert_same(tensor.sum(), array.sum(dtype=array.dtype))  # few bits: exact
        return
    assert_same(tensor.sum(dim, keepdim=keepdim), array.sum(dim, keepdims=keepdim))
    if array.size:
        assert_same(tensor.mean(dim, keepdim=keepdim), array.mean(dim, keepdims=keepdim), exact=False)


@given(twins(dtypes=NUMBERS, min_side=1), st.data(), st.booleans())
def test_extrema(pair, data, keepdim):
    tensor, array = pair
    dim = dims(data, array)
    if dim is None:
        assert_same(tensor.max(), array.max())
        assert_same(tensor.min(), array.min())
    else:
        assert_same(tensor.amax(dim, keepdim), array.max(dim, keepdims=keepdim))
        assert_same(tensor.amin(dim, keepdim), array.min(dim, keepdims=keepdim))


@given(twins(dtypes=("bool", "uint8", "float32")), st.data(), st.booleans())
def test_any_and_all(pair, data, keepdim):
    tensor, array = pair
    mine = [tensor.any(), tensor.all()]
    theirs = [array.any(), array.all()]
    if array.ndim:
        dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
        mine += [tensor.any(dim, keepdim=keepdim), tensor.all(dim, keepdim=keepdim)]
        theirs += [array.any(dim, keepdims=keepdim), array.all(dim, keepdims=keepdim)]
    for got, want in zip(mine, theirs):
        want = np.asarray(want)
        assert_same(got, want.astype("uint8") if tensor.dtype == torch.uint8 else want)  # uint8 answers in uint8


@given(twins(dtypes=("float64", "int64"), min_dims=1, max_side=3), st.data(), st.booleans())
def test_products(pair, data, keepdim):
    tensor, array = pair
    dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
    assert_same(tensor.prod(dim, keepdim=keepdim), array.prod(dim, keepdims=keepdim), exact=array.dtype.kind == "i")


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 31, 33, 127, 1000, 4097, 65537, 300_001])
def test_long_sums_lose_almost_nothing(dtype, length):
    """Pairwise or wider accumulation: the error does not grow with the length as a plain loop's would."""
    array = np.random.default_rng(length).uniform(-1, 1, length).astype(dtype)
    tensor = torch.from_numpy(array)
    exact, size = math.fsum(array.astype("float64")), math.fsum(np.abs(array.astype("float64")))
    allowed = EPSILON[dtype] * (
        abs(exact) + 4 * size * max(1, math.log2(length)) * (2**-13 if dtype == "float16" else 1 / 4)
    )
    assert abs(tensor.sum().item() - exact) <= allowed
    assert (
        abs(tensor.mean().item() - exact / length) <= allowed / length + EPSILON[dtype] * abs(exact / length) + 2**-25
    )
    wide = torch.from_numpy(np.repeat(array, 2))[::2]
    assert abs(wide.sum().item() - exact) <= allowed


@pytest.mark.parametrize(
    "shape", [(1, 1000), (1000, 1), (3, 5000), (5000, 3), (17, 33, 65), (64, 64, 64), (2, 3, 4, 5, 6)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool"])
def test_every_axis(shape, dtype):
    random = np.random.default_rng(1)
    array = (
        random.integers(0, 2, shape).astype(bool) if dtype == "bool" else random.integers(-8, 9, shape).astype(dtype)
    )
    tensor = torch.from_numpy(array)
    total = "int64" if dtype in ("int32", "bool") else dtype
    backwards = tuple(range(array.ndim))[::-1]
    for a, x in (
        (tensor, array),
        (tensor.permute(backwards), array.transpose(backwards)),
        (tensor[..., ::2], array[..., ::2]),
    ):
        for dim in range(x.ndim):
            assert_same(a.sum(dim), x.sum(dim, dtype=total))
            assert_same(a.amax(dim), x.max(dim))
            assert_same(a.argmax(dim) if dtype != "bool" else a.int().argmax(dim), x.argmax(dim))
            assert_same(a.any(dim), x.any(dim))
        pairs = (0, x.ndim - 1)
        assert_same(a.sum(pairs), x.sum(pairs, dtype=total))


@given(twins(dtypes=("float32",), min_side=1, min_dims=1), st.data())
def test_nan_wins(pair, data):
    tensor, array = pair
    dim = data.draw(st.integers(0, array.ndim - 1))
    spoiled = tensor.contiguous().clone()
    where = tuple(data.draw(st.integers(0, n - 1)) for n in array.shape)
    spoiled[where] = math.nan
    twin = np.array(array)
    twin[where] = math.nan
    assert_same(spoiled.max(dim).values, twin.max(dim))
    assert_same(spoiled.amin(dim), twin.min(dim))
    assert_same(spoiled.argmax(dim), twin.argmax(dim))
    assert math.isnan(spoiled.sum().item()) and math.isnan(spoiled.max().item()) and math.isnan(spoiled.mean().item())


def test_dtype_of_the_accumulator():
    assert torch.full((3000,), 1.0, dtype=torch.float16).sum().item() == 3000
    assert torch.full((70000,), 1.0, dtype=torch.float16).sum().item() == math.inf
    assert torch.full((70000,), 1.0, dtype=torch.float16).mean().item() == 1
    assert torch.full((1000,), 0.1).sum(dtype=torch.float64).item() == pytest.approx(
        1000 * np.float32(0.1).item(), rel=1e-12
    )
    assert as_torch(np.full(3, 100, "int8")).sum().item() == 300


@pytest.mark.parametrize("shape", [(3, 3), (300, 100), (257, 9), (40, 2048), (3, 2049), (5, 70, 33)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int64, torch.complex64], ids=str)
def test_rows_together_have_the_bits_of_rows_alone(dtype, shape):
    values = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    tensor = torch.complex(values, -values).to(dtype) if dtype.is_complex else (64 * values).to(dtype)
    functions = [torch.sum, torch.prod]
    if dtype != torch.int64:
        functions.append(torch.mean)
    if not dtype.is_complex:
        functions += [torch.amax, torch.amin, torch.argmax, torch.argmin]
    if dtype.is_floating_point:
        functions += [torch.var, torch.nansum, torch.linalg.vector_norm]
    for x in (tensor, tensor[..., 1:], tensor[::2]):
        rows = x.reshape(-1, x.shape[-1])
        for function in functions:
            alone = torch.stack([function(row) for row in rows]).view(x.shape[:-1])
            assert_same(function(x, dim=-1), alone.numpy())
