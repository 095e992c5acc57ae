"""Random shapes, values and layouts for property tests: a tensor and its NumPy twin, equal and laid out alike."""

import numpy as np
import torch
from hypothesis import strategies as st

INTS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "float32", "float64")
NUMBERS = INTS + FLOATS
COMPLEX = ("complex64", "complex128")
EVERY = ("bool", *NUMBERS, *COMPLEX)  # what NumPy has
DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
)


def shapes(min_dims=0, max_dims=4, min_side=0, max_side=4):
    return st.lists(st.integers(min_side, max_side), min_size=min_dims, max_size=max_dims).map(tuple)


def fill(shape, dtype, seed, distinct=False):
    """Small values with few bits, so that arithmetic on them is exact. Some repeat unless `distinct`."""
    count = int(np.prod(shape))
    random = np.random.default_rng(seed)
    if distinct:
        flat = random.permutation(count) - count // 2
    elif dtype == "bool":
        flat = random.integers(0, 2, count)
    else:
        flat = random.integers(0 if dtype == "uint8" else -20, 21, count)
    if dtype in COMPLEX:
        return (flat / 4 + 1j * (flat[::-1] / 2)).astype(dtype).reshape(shape)
    flat = flat.astype(dtype)
    return (flat / 4 if dtype in FLOATS else flat).astype(dtype).reshape(shape)


def as_torch(array):
    """An independent contiguous tensor with the array's values, made without the NumPy bridge."""
    return torch.tensor(array.tolist(), dtype=getattr(torch, str(array.dtype))).reshape(array.shape)


def steps(draw, ndim):
    """A slice for every dimension, most of them whole."""
    whole = st.just(slice(None))
    part = st.builds(
        slice, st.none() | st.integers(-5, 5), st.none() | st.integers(-5, 5), st.sampled_from((None, 1, 2, 3))
    )
    return tuple(draw(st.one_of(whole, part)) for _ in range(ndim))


@st.composite
def twins(draw, dtypes=("float32", "int64"), distinct=False, plain=False, **limits):
    """(tensor, array): equal, both contiguous or both permuted, sliced or expanded in the same way."""
    shape = draw(shapes(**limits))
    array = fill(shape, draw(st.sampled_from(dtypes)), draw(st.integers(0, 2**32 - 1)), distinct)
    tensor = as_torch(array)
    layout = "contiguous" if plain else draw(st.sampled_from(("contiguous", "permuted", "sliced", "expanded")))
    if layout == "permuted":
        order = draw(st.permutations(range(len(shape))))
        return tensor.permute(tuple(order)), array.transpose(order)
    if layout == "sliced" and shape:
        doubled = np.repeat(array, 2, axis=-1)
        return as_torch(doubled)[..., ::2], doubled[..., ::2]
    if layout == "expanded" and shape and shape[0] > 1 and not distinct:
        return tensor[:1].expand(*shape), np.broadcast_to(array[:1], shape)
    return tensor, array


def assert_same(tensor, array, exact=True):
    """Shape, dtype and values agree; NaN equals NaN."""
    array = np.asarray(array)
    assert tuple(tensor.shape) == array.shape
    assert str(tensor.dtype) == f"torch.{array.dtype}"
    got = np.array(tensor.tolist(), dtype=array.dtype).reshape(array.shape)
    if exact:
        np.testing.assert_array_equal(got, array)
    else:
        limit = {"float16": 1e-2, "float32": 1e-5, "float64": 1e-12}[str(array.dtype)]
        np.testing.assert_allclose(got, array, rtol=limit, atol=limit)
