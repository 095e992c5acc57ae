"""Products of groups of matrices, of matrices in 8 bits with scales, and what else torch.nn.functional has of that kind."""

import pytest
import torch
import torch.nn.functional as F
from torch.nn.functional import ScalingType, SwizzleType

ENDS = torch.tensor([2, 2, 8], dtype=torch.int32)
PARTS = [(0, 2), (2, 2), (2, 8)]


def by_hand(a, b):
    """The products group by group."""
    if a.dim() == b.dim() == 3:
        return torch.bmm(a, b)
    if a.dim() == 3:
        return torch.cat([a[i] @ b[:, s:e] for i, (s, e) in enumerate(PARTS)], 1)
    if b.dim() == 3:
        return torch.cat([a[s:e] @ b[i] for i, (s, e) in enumerate(PARTS)])
    return torch.stack([a[:, s:e] @ b[s:e] for s, e in PARTS])


# Rows begin every 16 bytes, as PyTorch wants it.
SHAPES = [((8, 16), (3, 16, 8)), ((3, 8, 16), (16, 8)), ((16, 8), (8, 24)), ((3, 8, 16), (3, 16, 24))]


@pytest.mark.parametrize(("left", "right"), SHAPES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_grouped_mm(left, right, dtype):
    torch.manual_seed(0)
    a, b = (torch.randn(shape).to(dtype).requires_grad_() for shape in (left, right))
    wide = [t.detach().double().requires_grad_() for t in (a, b)]
    offs = None if len(left) == len(right) == 3 else ENDS
    result, expected = F.grouped_mm(a, b, offs=offs), by_hand(*wide)
    assert result.dtype == dtype and result.is_contiguous()
    if offs is not None:
        assert result.grad_fn.name() == "GroupedMmBackward0"
    near = {"rtol": 1e-4, "atol": 1e-4} if dtype == torch.float32 else {"rtol": 2e-2, "atol": 5e-2}
    torch.testing.assert_close(result.double(), expected, **near)
    weight = torch.randn(result.shape).to(dtype)
    grads = torch.autograd.grad(result, (a, b), weight, create_graph=True)
    of_wide = torch.autograd.grad(expected, wide, weight.double(), create_graph=True)
    for got, want in zip(grads, of_wide):
        torch.testing.assert_close(got.double(), want, **near)
    if dtype == torch.float32:
        again = torch.autograd.grad(sum(g.square().sum() for g in grads), (a, b))
        for got, want in zip(again, torch.autograd.grad(sum(g.square().sum() for g in of_wide), wide)):
            torch.testing.assert_close(got.double(), want, rtol=1e-4, atol=1e-3)


def test_grouped_mm_of_strided_and_of_empty_operands():
    a, b = torch.randn(6, 8).t()[:, ::2], torch.randn(3, 5, 3).transpose(1, 2)
    torch.testing.assert_close(F.grouped_mm(a, b, offs=ENDS), by_hand(a, b))
    none = F.grouped_mm(torch.ones(0, 3), b, offs=torch.zeros(3, dtype=torch.int32))
    assert none.shape == (0, 5)
    assert F.grouped_mm(torch.ones(8, 0), torch.ones(3, 0, 2), offs=ENDS).tolist() == [[0, 0]] * 8
    assert F.grouped_mm(torch.ones(9, 1), torch.ones(3, 1, 2), offs=ENDS).tolist() == [[1, 1]] * 8 + [[0, 0]]


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        (((8, 4), (3, 4, 8)), {}, "Have to provide offsets if there is a 2d matrix"),
        (((3, 8, 4), (3, 4, 8)), {"offs": ENDS}, "or no offset if both matrices are 3d"),
        (((2, 8, 4), (3, 4, 8)), {}, "batched dimension has to match"),
        (((8, 4), (3, 8, 8)), {"offs": ENDS}, "contraction dimension of mat_a and mat_b must match"),
        (((8, 4), (2, 4, 8)), {"offs": ENDS}, "matrix batch sizes have to match"),
        (((8, 4), (3, 4, 8)), {"offs": ENDS.long()}, "Offsets have to be int32"),
        (((8, 4), (3, 4, 8)), {"offs": ENDS[None]}, "offs has to be 1D"),
        (((8,), (3, 4, 8)), {"offs": ENDS}, "mat_a has to be 2 or 3d"),
        (((8, 4), (4,)), {"offs": ENDS}, "mat_b has to be 2 or 3d"),
        (((8, 4), (3, 4, 8)), {"offs": ENDS, "bias": torch.ones(8)}, "Bias not supported yet"),
        (((8, 4), (3, 4, 8)), {"offs": ENDS, "out_dtype": torch.bfloat16}, "output dtype must match `mat_a` dtype"),
    ],
)
def test_grouped_mm_refuses(arguments, options, text):
    with pytest.raises(RuntimeError, match=text):
        F.grouped_mm(*(torch.ones(shape) for shape in arguments), **options)


@pytest.mark.parametrize("ends", [[2, 1, 8], [2, 3, 9], [-1, 2, 8]])
def test_offsets_that_leave_the_operand_are_refused(ends):
    with pytest.raises(RuntimeError, match="offsets must rise and stay within"):
        F.grouped_mm(torch.ones(8, 4), torch.ones(3, 4, 8), offs=torch.tensor(ends, dtype=torch.int32))


def test_grouped_mm_refuses_dtypes():
    for a, b, text in (
        (torch.ones(8, 4).double(), torch.ones(3, 4, 8).double(), "Expected mat_a to be Float32, BFloat16 or Float16"),
        (torch.ones(8, 8), torch.ones(3, 8, 8).bfloat16(), "expected m1 and m2 to have the same dtype"),
    ):
        with pytest.raises(RuntimeError, match=text):
            F.grouped_mm(a, b, offs=ENDS)


@pytest.fixture
def eights():
    torch.manual_seed(0)
    return torch.randn(16, 32).to(torch.float8_e4m3fn), torch.randn(16, 32).to(torch.float8_e4m3fn).t()


def test_scaled_mm_by_tensor_and_by_row(eights):
    a, b = eights
    product, two = a.float() @ b.float(), torch.tensor(2.0)
    whole = ScalingType.TensorWise
    got = F.scaled_mm(a, b, two, whole, [two], [whole], output_dtype=torch.float32, use_fast_accum=True)
    torch.testing.assert_close(got, 4 * product)
    with_bias = F.scaled_mm(a, b, two, whole, two, whole, bias=torch.full((16,), 3.0))
    assert with_bias.dtype == torch.bfloat16
    torch.testing.assert_close(with_bias.float(), 4 * product + 3, rtol=1e-2, atol=1e-1)
    rows, columns, by_row = torch.rand(16, 1), torch.rand(1, 16), ScalingType.RowWise
    got = F.scaled_mm(a, b, rows, by_row, columns, by_row, output_dtype=torch.float32)
    torch.testing.assert_close(got, product * rows * columns)
    assert F.scaled_mm(a, b, two, whole, two, whole, output_dtype=None).dtype == a.dtype
    turned = F.scaled_mm(a.t(), b, two, whole, two, whole, output_dtype=torch.float32, contraction_dim=(0, 0))
    torch.testing.assert_close(turned, 4 * product)


def test_scaled_mm_refuses(eights):
    a, b = eights
    one, whole, by_row = torch.tensor(1.0), ScalingType.TensorWise, ScalingType.RowWise
    for arguments, options, text in (
        ((a[:, :16], b, one, whole, one, whole), {}, r"shapes cannot be multiplied \(16x16 and 32x16\)"),
        ((a[None], b, one, whole, one, whole), {}, "mat_a must be a matrix"),
        ((a, b, one, whole, one, by_row), {}, "Invalid scaling configuration"),
        ((a, b, one.double(), whole, one, whole), {}, "Invalid scaling configuration"),
        ((a.float(), b.float(), one, whole, one, whole), {}, "Invalid scaling configuration"),
        ((a, b, one, ScalingType.BlockWise1x32, one, ScalingType.BlockWise1x32), {}, "Invalid scaling configuration"),
        ((a, b, [one, one], [whole, whole], one, whole), {}, "Invalid scaling configuration"),
        ((a, b, one, whole, one, whole), {"swizzle_a": SwizzleType.SWIZZLE_32_4_4}, "CPU does not support swizzle"),
        ((a, b, one, whole, one, whole), {"bias": torch.ones(5)}, "Bias must be size 16 but got 5"),
    ):
        with pytest.raises(ValueError, match=text):
            F.scaled_mm(*arguments, **options)
    with pytest.raises(NotImplementedError, match="Could not run"):
        F.scaled_grouped_mm(a, b, one, by_row, one, by_row)


def test_kinds_of_scales():
    assert [int(getattr(ScalingType, name)) for name in ("TensorWise", "RowWise", "BlockWise1x16")] == [0, 1, 2]
    assert [int(getattr(ScalingType, f"BlockWise{size}")) for size in ("1x32", "1x128", "128x128")] == [3, 4, 5]
    assert int(SwizzleType.NO_SWIZZLE) == 0 and int(SwizzleType.SWIZZLE_32_4_4) == 1


def test_helpers_of_functions():
    assert F.assert_int_or_pair(3, "k", "m") is None and F.assert_int_or_pair((1, 2), "k", "m") is None
    with pytest.raises(AssertionError, match="need a k of two"):
        F.assert_int_or_pair((1, 2, 3), "k", "need a {} of two")

    def true(x, flag=False):
        """What it does."""
        return "true", x

    def false(x, flag=False):
        return "false", x

    chosen = F.boolean_dispatch("flag", 1, False, true, false, "module", "name")
    assert (chosen(1), chosen(1, True), chosen(1, flag=True)) == (("false", 1), ("true", 1), ("true", 1))
    assert (chosen.__doc__, chosen.__name__, chosen.__module__) == ("What it does.", "name", "module")
    with pytest.raises(RuntimeError, match="only one function can have a docstring"):
        F.boolean_dispatch("flag", 1, False, true, true, None, None)
