"""Complex numbers against NumPy and Python: random shapes and layouts, conversion, parts as views, the bridge, warnings."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import COMPLEX, EVERY, as_torch, assert_same, fill, twins

TYPES = [torch.complex64, torch.complex128]
FUNCTIONS = "exp log sqrt sin cos tanh square reciprocal abs angle log10 expm1 sinh arctan".split()


def close(tensor, array, tolerance=None):
    tolerance = tolerance or (1e-5 if array.dtype.itemsize <= 8 and array.dtype != np.float64 else 1e-12)
    np.testing.assert_allclose(tensor.numpy(), array, rtol=tolerance, atol=tolerance)


@given(twins(dtypes=COMPLEX), st.sampled_from(("add", "subtract", "multiply")))
def test_arithmetic_on_any_layout(pair, name):
    x, a = pair
    close(getattr(torch, name)(x, x), getattr(np, name)(a, a))
    close(getattr(torch, name)(x, 2 - 1j), getattr(np, name)(a, a.dtype.type(2 - 1j)))


@given(twins(dtypes=COMPLEX), st.sampled_from(FUNCTIONS))
def test_functions_on_any_layout(pair, name):
    x, a = pair
    x, a = x + (0.3 + 0.55j), a + a.dtype.type(0.3 + 0.55j)  # away from poles and cuts
    x = x / 8
    a = a / a.dtype.type(8)
    want = getattr(np, name)(a)
    got = getattr(torch, {"arctan": "atan"}.get(name, name))(x)
    assert got.dtype == (x.dtype.to_real() if name in ("abs", "angle") else x.dtype)
    close(got, want, 1e-4 if x.dtype == torch.complex64 else 1e-12)


@given(twins(dtypes=COMPLEX, max_side=5), st.data())
def test_sums_and_products(pair, data):
    x, a = pair
    close(x.sum(), a.sum())
    if x.dim():
        dim = data.draw(st.integers(0, x.dim() - 1))
        close(x.sum(dim), a.sum(dim))
        if a.shape[dim]:
            close(x.mean(dim), a.mean(dim))
            close(x.prod(dim, keepdim=True), a.prod(dim, keepdims=True), 1e-4)


@given(st.sampled_from(COMPLEX), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.booleans(), st.booleans())
def test_matrix_products(dtype, m, k, n, flip_a, flip_b):
    a, b = fill((k, m) if flip_a else (m, k), dtype, 1), fill((n, k) if flip_b else (k, n), dtype, 2)
    x, y = as_torch(a), as_torch(b)
    close(
        x.t() @ y if flip_a and not flip_b else (x.t() if flip_a else x) @ (y.t() if flip_b else y),
        (a.T if flip_a else a) @ (b.T if flip_b else b),
    )


@pytest.mark.parametrize("to", EVERY)
@pytest.mark.parametrize("source", EVERY)
@pytest.mark.filterwarnings("ignore")
def test_conversion_of_every_pair(source, to):
    if source not in COMPLEX and to not in COMPLEX:
        return
    a = fill((7, 90), source, 3)
    if to == "uint8":
        a = abs(a.real).astype(source)
    x = as_torch(a)
    for tensor, array in ((x, a), (x.t(), a.T), (x[:, ::2], a[:, ::2]), (x[:1].expand(7, 90), np.repeat(a[:1], 7, 0))):
        assert_same(tensor.to(getattr(torch, to)), array.astype(to))


@pytest.mark.parametrize("dtype", TYPES)
def test_parts_are_views(dtype):
    x = torch.tensor([[1 + 2j, 3 - 4j], [0, 1j]], dtype=dtype)
    x.real[0] = 7
    x.imag += 1
    assert x.tolist() == [[7 + 3j, 7 - 3j], [1j, 2j]]
    assert x.t().imag.tolist() == [[3, 1], [-3, 2]]
    torch.view_as_real(x)[1, 0, 1] = 9
    assert x[1, 0].item() == 9j
    assert x.real.data_ptr() == x.data_ptr() and x.imag.data_ptr() == x.data_ptr() + dtype.itemsize // 2
    x.real = torch.tensor([[1, 2], [3, 4]])
    x.imag = 0
    assert torch.equal(x, torch.tensor([[1, 2], [3, 4]], dtype=dtype))


def test_conjugates_are_tensors_of_their_own():
    x = torch.tensor([1 + 2j])
    y = x.conj()
    y.zero_()
    assert x.item() == 1 + 2j and not y.is_conj() and x.resolve_conj() is x
    real = torch.ones(2)
    assert real.conj() is real and real.real is real


@pytest.mark.parametrize("dtype", COMPLEX)
def test_numpy_both_ways(dtype):
    array = fill((3, 4), dtype, 5)
    tensor = torch.from_numpy(array)
    assert tensor.dtype == getattr(torch, dtype) and tensor.numpy() is not array
    tensor[1, 2] = 5 - 6j
    assert array[1, 2] == 5 - 6j
    assert_same(torch.from_numpy(array.T[::2]), array.T[::2])
    assert np.asarray(tensor).dtype == dtype and np.shares_memory(np.asarray(tensor), array)
    scalar = array.dtype.type(1 + 2j)
    assert torch.tensor(scalar).dtype == tensor.dtype and torch.tensor([scalar, scalar]).dtype == tensor.dtype
    assert torch.tensor(scalar).item() == 1 + 2j
    assert torch.frombuffer(bytearray(array.tobytes()), dtype=tensor.dtype).reshape(3, 4).equal(tensor)


@pytest.mark.parametrize("dtype", TYPES)
def test_copies_and_pickles(dtype):
    x = torch.tensor([[1 + 2j, 3 - 4j]], dtype=dtype)
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.clone(), x.cpu()):
        assert y.dtype is dtype and torch.equal(x, y)


def test_lost_imaginary_parts_are_told_once():
    program = (
        "import warnings, torch\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    big = torch.zeros(100000, dtype=torch.complex64)\n"  # long enough to run without the interpreter's lock
        "    big.bool(), big.to(torch.complex128), big.float(), big.int()\n"
        "    torch.zeros(1).copy_(big[:1])\n"
        "print(*(f'{w.category.__name__}: {w.message}' for w in seen), sep='\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("UserWarning: Casting complex values to real discards the imaginary part")


def test_a_warning_may_be_an_error():
    program = (
        "import warnings, torch\n"
        "warnings.simplefilter('error')\n"
        "x = torch.ones(100000)\n"
        "try:\n"
        "    x.copy_(torch.zeros(100000, dtype=torch.complex64))\n"
        "except UserWarning:\n"
        "    print('raised')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["raised"]


@pytest.mark.parametrize("dtype", TYPES)
def test_random_numbers(dtype):
    torch.manual_seed(1)
    x = torch.randn(100000, dtype=dtype)
    assert abs(x.real.square().mean().item() - 0.5) < 0.02 and abs(x.imag.square().mean().item() - 0.5) < 0.02
    assert abs((x.real * x.imag).mean().item()) < 0.02 and abs(x.mean().item()) < 0.02
    y = torch.rand(100000, dtype=dtype)
    assert 0 <= y.real.min().item() and y.imag.max().item() < 1 and abs(y.mean().item() - (0.5 + 0.5j)) < 0.01
    torch.manual_seed(1)
    assert torch.equal(x, torch.randn(100000, dtype=dtype))


@pytest.mark.parametrize("dtype", TYPES)
def test_results_do_not_depend_on_threads(dtype):
    x = torch.randn(300, 400, dtype=dtype)
    before = torch.get_num_threads()
    results = []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        results.append((x.sum(), x.sum(0), x[:, :20].prod(1), x @ x.t(), torch.exp(x), x.mean(1), x.abs()))
    torch.set_num_threads(before)
    for other in results[1:]:
        assert all(torch.equal(a, b) for a, b in zip(results[0], other))
