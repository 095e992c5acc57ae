"""Tensors joined along any dimension: whether their rows are copied one after the other, or piece by piece."""

import itertools

import numpy as np
import pytest
import torch


def of_shape(shape, dtype, start):
    return (torch.arange(start, start + int(np.prod(shape))) % 113).view(shape).to(dtype)


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "int64", "complex128"])
@pytest.mark.parametrize("widths", [(3, 5), (40, 100, 64), (70, 0, 130), (600, 700)], ids=str)
def test_along_every_dimension(dtype, widths):
    t = getattr(torch, dtype)
    for dim, rest in itertools.product(range(3), ((1, 2), (3, 5), (70, 4))):
        parts = [of_shape((*rest[:dim], width, *rest[dim:]), t, 7 * k) for k, width in enumerate(widths)]
        want = np.concatenate([part.numpy() for part in parts], dim)
        assert np.array_equal(torch.cat(parts, dim).numpy(), want)
        strided = torch.zeros(*want.shape, 2, dtype=t)[..., 1]
        assert np.array_equal(torch.cat(parts, dim, out=strided).numpy(), want)
        if t.is_floating_point:  # pieces with gaps, and of other dtypes
            mixed = [torch.stack([parts[0], parts[0]], -1)[..., 0], *(part.double() for part in parts[1:])]
            got = torch.cat(mixed, dim)
            assert got.dtype == torch.float64 and np.array_equal(got.numpy(), want)
            last = [*parts[:-1], parts[-1].mT.contiguous().mT]
            assert np.array_equal(torch.cat(last, dim).numpy(), want)


def test_nothing_beside_pieces():
    nothing = torch.zeros(0)
    rows = of_shape((50, 40), torch.float32, 0)
    assert torch.cat([nothing, rows, nothing, rows], 1).equal(torch.stack([rows, rows], 1).view(50, 80))
    assert torch.cat([rows[:, :0], rows[:, :0]], 1).shape == (50, 0)
    assert torch.cat([rows[:0], rows[:0]], 1).shape == (0, 80)
