"""The whole house in a second: one short walk through every room. Run this first."""

import numpy as np
import pytest
import torch


def test_make():
    assert torch.tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert torch.zeros(2, 3).shape == (2, 3)
    assert torch.arange(4).dtype == torch.int64
    assert torch.linspace(0, 1, 3).tolist() == [0.0, 0.5, 1.0]
    assert torch.eye(2).sum().item() == 2.0


def test_print():
    assert repr(torch.tensor([1.0, 2.5])) == "tensor([1.0000, 2.5000])"
    assert repr(torch.tensor([1, 20], dtype=torch.int8)) == "tensor([ 1, 20], dtype=torch.int8)"


def test_calculate():
    a = torch.tensor([1.0, -2.0, 3.0])
    assert (a + a * 2 - 1).tolist() == [2.0, -7.0, 8.0]
    assert (2 / a).tolist() == pytest.approx([2.0, -1.0, 2 / 3])
    assert torch.exp(torch.zeros(2)).tolist() == [1.0, 1.0]
    assert a.abs_() is a and a.tolist() == [1.0, 2.0, 3.0]
    assert (a > 1.5).tolist() == [False, True, True]


def test_promote_and_broadcast():
    sum_ = torch.arange(3).reshape(3, 1) + torch.tensor([0.5, 1.5])
    assert sum_.dtype == torch.float32
    assert sum_.tolist() == [[0.5, 1.5], [1.5, 2.5], [2.5, 3.5]]


def test_view():
    a = torch.arange(6)
    m = a.view(2, 3).t()
    m[0, 1] = 30
    assert a.tolist() == [0, 1, 2, 30, 4, 5]
    assert m.stride() == (1, 3) and not m.is_contiguous()
    assert m.data_ptr() == a.data_ptr()


def test_index():
    a = torch.arange(12).reshape(3, 4)
    assert a[1, ::2].tolist() == [4, 6]
    assert a[[0, 2], [1, 3]].tolist() == [1, 11]
    a[a > 5] = 0
    assert a.sum().item() == 15


def test_reduce_and_sort():
    a = torch.tensor([[3.0, 1.0], [2.0, 4.0]])
    assert a.sum().item() == 10 and a.mean(0).tolist() == [2.5, 2.5]
    values, positions = a.max(1)
    assert values.tolist() == [3.0, 4.0] and positions.tolist() == [0, 1]
    assert a.view(-1).sort().indices.tolist() == [1, 2, 0, 3]
    assert torch.topk(a.view(-1), 2).values.tolist() == [4.0, 3.0]


def test_multiply_matrices():
    a, b = torch.arange(6.0).view(2, 3), torch.ones(3, 2)
    assert (a @ b).tolist() == [[3.0, 3.0], [12.0, 12.0]]
    assert torch.mv(a, torch.tensor([1.0, 0.0, 0.0])).tolist() == [0.0, 3.0]


def test_numpy_and_back():
    array = np.arange(3.0)
    tensor = torch.from_numpy(array)
    tensor[0] = 7
    assert array[0] == 7 and tensor.numpy()[0] == 7


def test_random():
    torch.manual_seed(1)
    first = torch.rand(5)
    torch.manual_seed(1)
    assert first.equal(torch.rand(5))
    assert 0 <= first.min() and first.max() < 1


def test_refuse():
    with pytest.raises(RuntimeError):
        torch.ones(2) + torch.ones(3)
    with pytest.raises(IndexError):
        torch.ones(2)[2]
    with pytest.raises(TypeError):
        torch.exp("x")
