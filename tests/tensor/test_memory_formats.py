"""Memory formats: what keeps them, what hands the tensor itself back, and that conversions move every element."""

import copy
import io
import pickle

import pytest
import torch

LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
SHAPES = [(2, 3, 4, 5), (1, 64, 7, 9), (3, 17, 1, 33), (2, 8, 31, 1), (2, 3, 2, 4, 5), (1, 33, 3, 5, 7)]
DTYPES = [torch.bool, torch.uint8, torch.float16, torch.float32, torch.int64, torch.complex128]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)


def numbered(shape, dtype=torch.float32):
    return torch.arange(torch.Size(shape).numel()).remainder(251).reshape(shape).to(dtype)


@pytest.mark.parametrize("format", [*LAST.values(), torch.contiguous_format, torch.preserve_format], ids=str)
def test_formats_are_single_objects(format):
    assert pickle.loads(pickle.dumps(format)) is format
    assert copy.deepcopy(format) is copy.copy(format) is format
    assert getattr(torch, repr(format).removeprefix("torch.")) is format


@shapes
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_element_moves(shape, dtype):
    x = numbered(shape, dtype)
    last = x.contiguous(memory_format=LAST[len(shape)])
    assert last.is_contiguous(memory_format=LAST[len(shape)])
    assert last.tolist() == x.tolist()
    rows = last.permute(0, *range(2, x.dim()), 1)
    assert rows.is_contiguous() and rows.tolist() == x.movedim(1, -1).tolist()
    back = last.contiguous()
    assert back.is_contiguous() and back.tolist() == x.tolist()


@shapes
def test_a_tensor_that_is_laid_out_so_is_handed_back(shape):
    format = LAST[len(shape)]
    x = torch.empty(shape, memory_format=format)
    assert x.contiguous(memory_format=format) is x
    assert x.to(memory_format=torch.preserve_format) is x
    assert x.to(torch.float32, copy=True, memory_format=format) is not x


def test_to_asks_what_strides_suggest():
    x = numbered((2, 4, 3, 5)).contiguous(memory_format=torch.channels_last)
    part = x[:, :3]  # gaps, but channels last
    assert part.to(memory_format=torch.channels_last) is part
    assert not part.is_contiguous(memory_format=torch.channels_last)
    assert part.to(memory_format=torch.contiguous_format).is_contiguous()


@shapes
def test_files_and_copies_keep_strides(shape):
    x = numbered(shape).contiguous(memory_format=LAST[len(shape)])
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    for y in (torch.load(file), pickle.loads(pickle.dumps(x)), copy.deepcopy(x), copy.copy(x)):
        assert y.stride() == x.stride() and y.tolist() == x.tolist()


@shapes
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_joined_images_keep_their_format(shape, dim):
    x = numbered(shape)
    last = x.contiguous(memory_format=LAST[len(shape)])
    for join in (torch.cat, torch.stack):
        assert join([last, last], dim).tolist() == join([x, x], dim).tolist()
    out = torch.empty(0)
    torch.cat([last, last], dim, out=out)
    assert out.tolist() == torch.cat([x, x], dim).tolist()


@shapes
def test_padding_keeps_values(shape):
    x = numbered(shape)
    last = x.contiguous(memory_format=LAST[len(shape)])
    for pad in ((1, 2), (0, 1, 2, 0), (-1, 1) if shape[-1] > 1 else (0, 1), (0, 0, 0, 0), (0, -1)):
        assert torch.constant_pad_nd(last, pad, 7).tolist() == torch.constant_pad_nd(x, pad, 7).tolist()


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 3, 1), (3, 2, 1, 0), (1, 3, 0, 2)], ids=str)
@pytest.mark.parametrize(
    "index",
    [
        ([1, 0, 1],),
        (slice(None), [[2, 0], [1, 1]]),
        (slice(None), slice(None), [3, 0, 0], [1, 2, 0]),
        ([[0], [1]], [0, 2]),
        ([0, 1], slice(None), [3, 3]),
        (slice(None), [[0, 1, 2]], slice(1, 3)),
        (slice(None), torch.tensor([[2, 0, 1], [1, 1, 0]]).T),
    ],
    ids=str,
)
def test_elements_chosen_from_any_order_of_strides(order, index):
    x = numbered((2, 3, 4, 5))
    turned = x.permute(order).contiguous().permute([order.index(d) for d in range(4)])
    assert turned.tolist() == x.tolist()
    assert turned[index].tolist() == x[index].tolist()


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("n", [None, 2, 9])
def test_transforms_of_any_order_of_strides(dim, n):
    x = numbered((3, 4, 5), torch.float64)
    for y in (x.permute(2, 0, 1).contiguous().permute(1, 2, 0), x.transpose(0, 1).contiguous().transpose(0, 1)):
        for transform in (torch.fft.fft, torch.fft.rfft, torch.fft.ihfft, torch.fft.irfft, torch.fft.hfft):
            assert torch.allclose(transform(y, n, dim), transform(x, n, dim))
        for transform in (torch.fft.fftn, torch.fft.rfftn, torch.fft.irfftn):
            dims = [d for d in range(3) if d != dim]
            sizes = None if n is None else [n, 4]
            assert torch.allclose(transform(y, sizes, dims), transform(x, sizes, dims))


def test_what_does_not_fit_changes_nothing():
    x = torch.ones(2, 3)
    for bad in (torch.channels_last, torch.channels_last_3d):
        with pytest.raises(RuntimeError, match="required rank"):
            x.contiguous(memory_format=bad)
        with pytest.raises(RuntimeError, match="required rank"):
            x.clone(memory_format=bad)
    assert x.tolist() == [[1.0] * 3] * 2 and x.stride() == (3, 1)


@pytest.mark.parametrize("size", [(2**40, 2**40, 1, 1), (1, 2**62, 4, 1), (-1, 2, 3, 4)], ids=str)
def test_sizes_that_nobody_has(size):
    with pytest.raises(RuntimeError):
        torch.empty(size, memory_format=torch.channels_last)
    with pytest.raises(RuntimeError):
        torch.empty(0).resize_(size, memory_format=torch.channels_last)


def test_transforms_that_nobody_has_memory_for():
    x = torch.zeros(2, 3)
    for transform in (torch.fft.fft, torch.fft.irfft):
        with pytest.raises(RuntimeError):
            transform(x, 2**61)


@pytest.mark.parametrize("part", [lambda x: x, lambda x: x.as_strided((7,), (1,)), lambda x: x[:1]])
@pytest.mark.parametrize("format", [torch.contiguous_format, torch.channels_last], ids=str)
def test_cat_into_its_own_operand_is_refused(format, part):
    x = numbered((2, 3, 4, 5)).contiguous(memory_format=format)
    before = x.clone()
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        torch.cat([x, x], out=part(x))
    assert torch.equal(x, before) and x.stride() == before.stride()
