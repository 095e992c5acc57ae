"""What needs no kernel works for dtypes that have none."""

import pytest
import torch

OTHERS = [torch.bool, torch.uint8, torch.int64, torch.complex64]


@pytest.mark.parametrize("dtype", OTHERS, ids=str)
@pytest.mark.parametrize("function", [torch.softmax, torch.log_softmax])
def test_the_softmax_of_nothing(function, dtype):
    for shape in ((0,), (0, 3), (3, 0), (2, 0, 3)):
        for dim in range(-len(shape), len(shape)):
            nothing = torch.zeros(shape, dtype=dtype)
            for result in (function(nothing, dim), function(torch.zeros(shape), dim, dtype)):
                assert result.dtype == dtype and result.shape == shape and result is not nothing
    assert function(torch.zeros(0, dtype=dtype), 0, torch.float64).dtype == torch.float64
    assert function(torch.zeros(0, dtype=dtype), 0, out=torch.zeros(0, dtype=dtype)).shape == (0,)
    for shape in ((), (2,), (1, 1)):
        with pytest.raises(NotImplementedError, match="not implemented for"):
            function(torch.zeros(shape, dtype=dtype), 0)
        with pytest.raises(NotImplementedError, match="not implemented for"):
            function(torch.zeros(shape), 0, dtype)
    with pytest.raises(IndexError):
        function(torch.zeros(0, dtype=dtype), 1)


@pytest.mark.parametrize("value", [True, False, 3 + 1j])
@pytest.mark.parametrize("keepdim", [False, True])
def test_the_smallest_of_one(value, keepdim):
    one = torch.tensor(value)
    for dim in (0, -1):
        values, indices = torch.kthvalue(one, 1, dim, keepdim)
        assert values.dtype == one.dtype and values.shape == () and values.item() == value
        assert indices.dtype == torch.int64 and indices.shape == () and indices.item() == 0
        assert values.data_ptr() != one.data_ptr()
    out = torch.zeros((), dtype=one.dtype), torch.tensor(7)
    result = torch.kthvalue(one, 1, out=out)
    assert result[0] is out[0] and [t.item() for t in out] == [value, 0]
    for k in (0, 2):
        with pytest.raises(RuntimeError, match="selected number k out of range"):
            torch.kthvalue(one, k)
    with pytest.raises(NotImplementedError, match="not implemented for '(Bool|ComplexFloat)'"):
        torch.kthvalue(one.reshape(1), 1)
