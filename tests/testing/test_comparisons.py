"""torch.testing: texts and errors as PyTorch's; the elements that make_tensor draws."""

import json
import pathlib

import pytest
import torch
from comparison_cases import told
from torch.testing import assert_close, make_tensor

TOLD = json.loads((pathlib.Path(__file__).resolve().parent / "data/comparisons.json").read_text())


@pytest.mark.parametrize("line", TOLD)
def test_line(line):
    found = told(line)
    assert found == TOLD[line]


FLOATING = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
INTEGRAL = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]


@pytest.mark.parametrize("dtype", [*FLOATING, *INTEGRAL, torch.bool, torch.complex64, torch.complex128], ids=str)
def test_elements(dtype):
    torch.manual_seed(1)
    drawn = make_tensor(20000, dtype=dtype, device="cpu")
    assert drawn.dtype == dtype and drawn.is_contiguous()
    if dtype.is_complex:
        drawn = torch.view_as_real(drawn)
    low, high = {torch.uint8: (0, 10), torch.bool: (0, 2)}.get(dtype, (-9, 10 if dtype in INTEGRAL else 9))
    values = drawn.double()
    assert values.min() >= low and values.max() <= high
    assert abs(values.mean() - ((low + high - (dtype in INTEGRAL or dtype is torch.bool)) / 2)) < 0.15
    if dtype in INTEGRAL:
        assert drawn.unique().numel() == high - low


def test_bounds_are_cut_to_the_dtype():
    drawn = make_tensor(2000, dtype=torch.float32, device="cpu", low=float("-inf"), high=float("inf"))
    assert drawn.isfinite().all() and drawn.min() < -1e38 < 1e38 < drawn.max()
    drawn = make_tensor(2000, dtype=torch.int8, device="cpu", low=-1000, high=1000)
    assert drawn.min() < -120 and drawn.max() > 120
    assert make_tensor(300, dtype=torch.int32, device="cpu", low=1.5, high=3.5).unique().tolist() == [2, 3]


@pytest.mark.parametrize("dtype", [*FLOATING, *INTEGRAL, torch.complex64], ids=str)
def test_options(dtype):
    noncontiguous = make_tensor(3, 4, dtype=dtype, device="cpu", noncontiguous=True)
    assert not noncontiguous.is_contiguous() and noncontiguous.shape == (3, 4)
    assert make_tensor(500, dtype=dtype, device="cpu", low=0, high=2, exclude_zero=True).ne(0).all()
    image = make_tensor(2, 3, 4, 5, dtype=dtype, device="cpu", memory_format=torch.channels_last)
    assert image.is_contiguous(memory_format=torch.channels_last)


def test_seeds():
    drawn = []
    for _ in range(2):
        torch.manual_seed(9)
        drawn.append(make_tensor(50, dtype=torch.float32, device="cpu"))
    assert torch.equal(*drawn)


def test_comparing_is_not_recorded():
    x = torch.ones(3, requires_grad=True)
    assert_close(x * 2, torch.full((3,), 2.0))
    with pytest.raises(AssertionError):
        assert_close(x * 2, x * 3)


@pytest.mark.parametrize(
    "dtype", [torch.uint16, torch.uint32, torch.uint64, torch.float8_e5m2, torch.complex32], ids=str
)
def test_dtypes_that_are_only_stored(dtype):
    one, two = (torch.tensor([1, value]).to(dtype) for value in (2, 4))
    assert_close(one, one.clone())
    with pytest.raises(AssertionError, match="Mismatched elements: 1 / 2"):
        assert_close(one, two)
