"""Matrix products of every size and layout against float64, from one element to several cache blocks."""

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import as_torch

EPSILON = {"float16": 2**-11, "float32": 2**-24, "float64": 2**-53}
SMALLEST = {"float16": 2**-24, "float32": 2**-149, "float64": 2**-1074}
TORCH = {"float16": torch.float16, "float32": torch.float32, "float64": torch.float64}


def matrix(rows, columns, dtype, seed):
    return np.random.default_rng(seed).uniform(-1, 1, (rows, columns)).astype(dtype)


def assert_product(got, x, y, dtype, plus=0.0):
    """Every element within the rounding of a dot product of its length."""
    wide = x.astype("float64") @ y.astype("float64") + plus
    size = np.abs(x).astype("float64") @ np.abs(y).astype("float64") + np.abs(plus)
    assert got.dtype == TORCH[dtype] and tuple(got.shape) == wide.shape
    bound = (
        2 * EPSILON[dtype] * (np.abs(wide) + size * (1 if dtype == "float16" else max(1, x.shape[-1]) ** 0.5 + 2))
        + SMALLEST[dtype]
    )
    assert (np.abs(got.double().numpy() - wide) <= bound).all()


def laid_out(array, layout):
    """The same matrix as a contiguous tensor, a transposed one, every other column or row of a larger one."""
    if layout == "transposed":
        return torch.from_numpy(np.ascontiguousarray(array.T)).t()
    if layout == "columns":
        return torch.from_numpy(np.repeat(array, 2, 1))[:, ::2]
    if layout == "rows":
        return torch.from_numpy(np.repeat(array, 2, 0))[::2]
    return torch.from_numpy(array)


LAYOUTS = st.sampled_from(("contiguous", "transposed", "columns", "rows"))
SIDES = st.integers(1, 40)


@given(SIDES, SIDES, SIDES, LAYOUTS, LAYOUTS, st.sampled_from(("float32", "float64")), st.integers(0, 99))
def test_small_products(m, k, n, left, right, dtype, seed):
    x, y = matrix(m, k, dtype, seed), matrix(k, n, dtype, seed + 1)
    a, b = laid_out(x, left), laid_out(y, right)
    assert_product(a @ b, x, y, dtype)
    assert_product(torch.mm(a, b, out=torch.empty(0, dtype=a.dtype)), x, y, dtype)
    assert_product(torch.addmm(b[0], a, b), x, y, dtype, plus=y[0].astype("float64"))
    assert_product(torch.mv(a, b[:, 0]), x, y[:, 0], dtype)
    assert_product(a[0].dot(b[:, 0]), x[0], y[:, 0], dtype)
    assert_product(a[0] @ b, x[0], y, dtype)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    "size", [(1, 1, 1), (64, 64, 64), (65, 63, 66), (200, 300, 100), (1, 1000, 1), (500, 1, 500), (3, 2000, 5)]
)
def test_sizes(size, dtype):
    m, k, n = size
    x, y = matrix(m, k, dtype, 1), matrix(k, n, dtype, 2)
    assert_product(torch.from_numpy(x) @ torch.from_numpy(y), x, y, dtype)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_integer_products_are_exact(dtype):
    random = np.random.default_rng(3)
    x, y = random.integers(0, 100, (17, 23)).astype(dtype), random.integers(0, 100, (23, 9)).astype(dtype)
    assert (torch.from_numpy(x) @ torch.from_numpy(y)).tolist() == (x @ y).tolist()
    assert as_torch(x[0]).dot(as_torch(x[1])).item() == (x[0] * x[1]).sum(dtype=dtype)


@given(st.integers(1, 4), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.booleans())
def test_batches(batch, m, k, n, turned):
    random = np.random.default_rng(m * 100 + n)
    x, y = random.uniform(-1, 1, (batch, m, k)), random.uniform(-1, 1, (batch, k, n))
    a, b = torch.from_numpy(x), torch.from_numpy(y)
    if turned:
        a = torch.from_numpy(np.ascontiguousarray(x.swapaxes(1, 2))).transpose(1, 2)
    for got in (torch.bmm(a, b), a @ b, torch.matmul(a, b)):
        assert_product(got, x, y, "float64")
    assert_product(a @ b[0], x, y[0], "float64")
    assert_product(a[0] @ b, x[0], y, "float64")
    assert_product(a.unsqueeze(1) @ b, x[:, None], y, "float64")


def test_nothing_to_add():
    assert (torch.zeros(3, 0) @ torch.zeros(0, 2)).tolist() == [[0.0, 0.0]] * 3
    assert (torch.zeros(0, 3) @ torch.zeros(3, 2)).shape == (0, 2)
    assert torch.addmm(torch.ones(2), torch.zeros(3, 0), torch.zeros(0, 2)).tolist() == [[1.0, 1.0]] * 3


def test_nan_and_infinity_reach_the_result():
    a = torch.zeros(3, 3)
    a[1, 1] = float("nan")
    product = a @ torch.ones(3, 2)
    assert torch.isnan(product).tolist() == [[False] * 2, [True] * 2, [False] * 2]
    b = torch.full((2, 2), float("inf"))
    assert torch.isnan(b @ torch.zeros(2, 2)).all()
