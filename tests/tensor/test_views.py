"""Views against NumPy: any chain of views has NumPy's shape, strides and values, and writes reach the base."""

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import assert_same, shapes, steps, twins


def draw_dim(draw, tensor):
    return draw(st.integers(-tensor.dim(), tensor.dim() - 1))


def transpose(draw, tensor, array):
    i, j = draw_dim(draw, tensor), draw_dim(draw, tensor)
    return tensor.transpose(i, j), array.swapaxes(i, j)


def permute(draw, tensor, array):
    order = draw(st.permutations(range(tensor.dim())))
    return tensor.permute(tuple(order)), array.transpose(order)


def cut(draw, tensor, array):
    key = steps(draw, tensor.dim())
    return tensor[key], array[key]


def select(draw, tensor, array):
    dim = draw_dim(draw, tensor)
    if tensor.shape[dim] == 0:
        return tensor, array
    i = draw(st.integers(-tensor.shape[dim], tensor.shape[dim] - 1))
    return tensor.select(dim, i), np.moveaxis(array, dim, 0)[i, ...]


def narrow(draw, tensor, array):
    dim = draw_dim(draw, tensor)
    start = draw(st.integers(0, tensor.shape[dim]))
    length = draw(st.integers(0, tensor.shape[dim] - start))
    return tensor.narrow(dim, start, length), np.moveaxis(np.moveaxis(array, dim, 0)[start : start + length], 0, dim)


def unsqueeze(draw, tensor, array):
    dim = draw(st.integers(-tensor.dim() - 1, tensor.dim()))
    return tensor.unsqueeze(dim), np.expand_dims(array, dim)


def squeeze(draw, tensor, array):
    return tensor.squeeze(), array.squeeze()


def unfold(draw, tensor, array):
    dim = draw_dim(draw, tensor)
    if tensor.shape[dim] == 0:
        return tensor, array
    size, step = draw(st.integers(1, tensor.shape[dim])), draw(st.integers(1, 3))
    windows = np.lib.stride_tricks.sliding_window_view(array, size, axis=dim, writeable=True)
    return tensor.unfold(dim, size, step), windows[(slice(None),) * (dim % array.ndim) + (slice(None, None, step),)]


def expand(draw, tensor, array):
    front = draw(shapes(max_dims=2, min_side=1, max_side=3))
    size = front + tuple(3 if n == 1 else n for n in tensor.shape)
    return tensor.expand(size), np.broadcast_to(array, size)


def split(draw, tensor, array):
    dim = draw_dim(draw, tensor)
    parts = tensor.split(2, dim)
    which = draw(st.integers(0, len(parts) - 1))
    return parts[which], np.moveaxis(np.moveaxis(array, dim, 0)[2 * which : 2 * which + 2], 0, dim)


def unbind(draw, tensor, array):
    return (tensor.unbind(-1)[-1], array[..., -1]) if tensor.shape[-1] else (tensor, array)


NEED_DIMS = (transpose, cut, select, narrow, unfold, split, unbind)
DISJOINT = (transpose, permute, cut, select, narrow, unsqueeze, squeeze, split, unbind)
ALL = (*DISJOINT, unfold, expand)


def chain(draw, tensor, array, operations):
    """Up to four view operations on both twins."""
    for operation in draw(st.lists(st.sampled_from(operations), max_size=4)):
        if tensor.dim() or operation not in NEED_DIMS:
            tensor, array = operation(draw, tensor, array)
    return tensor, array


def assert_laid_out_alike(tensor, array, base):
    """Same place in memory; strides of dimensions without a second element mean nothing."""
    if array.size == 0:
        return
    strides = [(s, t // array.itemsize) for s, t, n in zip(tensor.stride(), array.strides, array.shape) if n > 1]
    assert all(mine == theirs for mine, theirs in strides)
    start = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    assert tensor.storage_offset() == start // array.itemsize


@given(st.data(), twins(dtypes=("float32", "int16", "bool"), plain=True))
def test_chain_of_views(data, pair):
    tensor, base = pair
    view, array = chain(data.draw, tensor, base, ALL)
    assert_same(view, array)
    assert_laid_out_alike(view, array, base)
    assert view.numel() == array.size and view.dim() == array.ndim


@given(st.data(), twins(dtypes=("float32", "int16", "uint8"), plain=True))
def test_writing_through_a_chain_reaches_the_base(data, pair):
    tensor, base = pair
    view, array = chain(data.draw, tensor, base, DISJOINT)
    if data.draw(st.booleans()):
        view.fill_(99)
        array[...] = 99
    else:
        view.mul_(2)
        array *= 2
    assert_same(tensor, base)


@given(twins(dtypes=("float64", "int8")))
def test_contiguous_copies_only_when_it_must(pair):
    tensor, array = pair
    copy = tensor.contiguous()
    assert copy.is_contiguous()
    assert copy.stride() == (tensor.stride() if tensor.is_contiguous() else torch.empty(tensor.shape).stride())
    assert_same(copy, array)
    if tensor.numel():
        assert (copy.data_ptr() == tensor.data_ptr()) == tensor.is_contiguous()


@given(twins(), st.data())
def test_reshape(pair, data):
    tensor, array = pair
    sides = [n for n in range(1, array.size + 1) if array.size % n == 0]
    size = (data.draw(st.sampled_from(sides)), -1) if sides else (0,)
    result = tensor.reshape(*size)
    assert_same(result, array.reshape(size))
    if tensor.is_contiguous():
        assert_same(tensor.view(*size), array.reshape(size))
    assert_same(tensor.flatten(), array.reshape(-1))


@given(twins(min_dims=1, min_side=1), st.data())
def test_view_succeeds_exactly_when_no_copy_is_needed(pair, data):
    """Merging two neighbouring dimensions is a view exactly when their strides fit."""
    tensor, array = pair
    if tensor.dim() < 2:
        return
    dim = data.draw(st.integers(0, tensor.dim() - 2))
    size = (*tensor.shape[:dim], tensor.shape[dim] * tensor.shape[dim + 1], *tensor.shape[dim + 2 :])
    fits = 1 in tensor.shape[dim : dim + 2] or tensor.stride(dim) == tensor.shape[dim + 1] * tensor.stride(dim + 1)
    try:
        view = tensor.view(size)
    except RuntimeError:
        assert not fits
    else:
        assert fits and view.data_ptr() == tensor.data_ptr()
        assert_same(view, array.reshape(size))


@given(twins(min_dims=1, dtypes=("float32", "uint8")), st.integers(1, 5), st.data())
def test_chunk_and_split_put_together_again(pair, count, data):
    tensor, array = pair
    dim = data.draw(st.integers(-tensor.dim(), tensor.dim() - 1))
    assert_same(torch.cat(tensor.chunk(count, dim), dim), array)
    assert_same(torch.cat(tensor.split(count, dim), dim), array)
    if tensor.shape[dim]:
        assert_same(torch.stack(tensor.unbind(dim), dim), array)


@given(twins(min_dims=1), st.data())
def test_cat_and_stack(pair, data):
    a, x = pair
    dim = data.draw(st.integers(-a.dim(), a.dim() - 1))
    pieces = data.draw(st.lists(st.booleans(), min_size=1, max_size=3))
    tensors = [a if whole else a.narrow(dim, 0, a.shape[dim] // 2) for whole in pieces]
    arrays = [x if whole else np.moveaxis(np.moveaxis(x, dim, 0)[: x.shape[dim] // 2], 0, dim) for whole in pieces]
    assert_same(torch.cat(tensors, dim), np.concatenate(arrays, dim))
    assert_same(torch.stack([a, a], dim), np.stack([x, x], dim))


@given(twins(dtypes=("float32", "bool", "float16")))
def test_copy_between_layouts(pair):
    tensor, array = pair
    backwards = tuple(reversed(range(tensor.dim())))
    for target in (
        torch.zeros(tensor.shape, dtype=tensor.dtype),
        torch.zeros(tensor.shape[::-1], dtype=tensor.dtype).permute(backwards),
    ):
        assert target.copy_(tensor) is target
        assert_same(target, array)
    clone = tensor.clone()
    assert_same(clone, array)
    assert not tensor.numel() or clone.data_ptr() != tensor.data_ptr()


@pytest.mark.parametrize("far", [2**62, 2**63 - 1])
def test_nothing_may_be_anywhere(far):
    """Strides and offset of a tensor without elements can be any numbers; nothing is computed with them."""
    base = torch.empty(0)
    for shape in ((0,), (0, 5), (5, 0), (3, 0, 1)):
        t = base.as_strided(shape, (far,) * len(shape), far)
        assert t.stride() == (far,) * len(shape) and t.storage_offset() == far
        kept = tuple(shape[1:])
        assert torch.equal(t.sum(0), torch.zeros(kept))
        assert (t + 1).shape == t.abs_().shape == t.clone().shape == t.contiguous().shape == shape
        assert t.exp().tolist() == t.tolist() == torch.empty(shape).tolist()
        assert (
            t[..., None].shape == (*shape, 1) and t.flip(0).shape == shape and t.mT.numel() == 0 if t.dim() > 1 else 1
        )
        assert t.sort().values.shape == t.cumsum(0).shape == t.uniform_().shape == t.to(torch.int64).shape == shape
        assert all(part.numel() == 0 for part in t.unbind(shape.index(max(shape))))
        assert t[:, 1:].numel() == 0 if t.dim() > 1 else True
        assert t.numpy().shape == shape
        z = torch.empty(0, dtype=torch.complex64).as_strided(shape, (far,) * len(shape), far)
        assert z.normal_().shape == z.real.shape == shape
    assert torch.fft.fft(base.as_strided((0,), (far,)), 4).tolist() == [0] * 4


@pytest.mark.parametrize("size", [(2, 3), ((2, 3),), ([2, 3],), (torch.Size([2, 3]),)])
def test_broadcast_to_takes_sizes_one_by_one(size):
    tensor = torch.arange(3)
    assert tensor.broadcast_to(*size).tolist() == [[0, 1, 2]] * 2
    assert tensor.broadcast_to(*size).data_ptr() == tensor.data_ptr()
    assert tensor.broadcast_to(size=(2, 3)).shape == (2, 3)
