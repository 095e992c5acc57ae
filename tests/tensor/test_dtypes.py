"""dtype objects and the default dtype."""

import copy
import pickle

import pytest
import torch
from strategies import DTYPES as ALL


@pytest.fixture
def default_dtype():
    """Whatever the test sets, float32 is the default again afterwards."""
    yield torch.set_default_dtype
    torch.set_default_dtype(torch.float32)


def test_default_dtype_decides_what_python_floats_become(default_dtype):
    default_dtype(torch.float64)
    assert torch.get_default_dtype() is torch.float64
    for made in (
        torch.tensor(1.5),
        torch.zeros(1),
        torch.ones(1),
        torch.empty(1),
        torch.rand(1),
        torch.randn(1),
        torch.eye(1),
        torch.full((1,), 1.0),
        torch.arange(1.0),
        torch.linspace(0, 1, 2),
        torch.tensor([]),
        torch.tensor([1]) / 2,
        torch.tensor([1]) + 1.5,
        torch.exp(torch.tensor([1])),
    ):
        assert made.dtype is torch.float64
    assert torch.tensor(1).dtype is torch.int64 and torch.tensor(True).dtype is torch.bool
    assert (torch.ones(1, dtype=torch.float32) + 1.5).dtype is torch.float32
    assert repr(torch.tensor([1.5])) == "tensor([1.5000])"
    assert repr(torch.tensor([1.5], dtype=torch.float32)) == "tensor([1.5000], dtype=torch.float32)"


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_as_default(default_dtype, dtype):
    default_dtype(dtype)
    assert torch.tensor(1.5).dtype is dtype and (torch.tensor([1, 2]) * 0.5).dtype is dtype
    assert torch.tensor(1.5).tolist() == 1.5


def test_the_default_is_floating(default_dtype):
    for wrong in (torch.int64, torch.bool, "float32", None, 3, float):
        with pytest.raises(TypeError):
            default_dtype(wrong)
        assert torch.get_default_dtype() is torch.float32


def test_dtypes_are_themselves():
    assert len(set(ALL)) == len(ALL)
    for dtype in ALL:
        assert torch.zeros(1, dtype=dtype).dtype is dtype
        assert copy.deepcopy(dtype) is dtype and pickle.loads(pickle.dumps(dtype)) is dtype
        assert isinstance(dtype, torch.dtype) and repr(dtype).startswith("torch.")
        assert torch.zeros(1, dtype=dtype).element_size() == dtype.itemsize


def test_aliases():
    pairs = {
        "float": "float32",
        "double": "float64",
        "half": "float16",
        "short": "int16",
        "int": "int32",
        "long": "int64",
        "cfloat": "complex64",
        "cdouble": "complex128",
    }
    for alias, name in pairs.items():
        assert getattr(torch, alias) is getattr(torch, name)


def test_promotion_is_a_lattice():
    for a in ALL:
        assert torch.promote_types(a, a) is a and torch.promote_types(a, torch.bool) is a
        for b in ALL:
            ab = torch.promote_types(a, b)
            assert ab is torch.promote_types(b, a)
            assert torch.promote_types(a, ab) is ab and torch.can_cast(a, ab)


def test_finfo_and_iinfo():
    assert (
        torch.iinfo(torch.int8).max == 127 and torch.iinfo(torch.uint8).min == 0 and torch.iinfo(torch.int64).bits == 64
    )
    assert torch.finfo(torch.float32).eps == 2**-23 and torch.finfo(torch.float16).max == 65504
    assert torch.finfo(torch.bfloat16).tiny == 2**-126 and torch.finfo(torch.float64).bits == 64
