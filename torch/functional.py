"""Functions of torch that are written in Python: those that parse text, or take arguments in many forms.

Their documentation stands in codegen/declarations, as that of all operators.
"""

from __future__ import annotations

import collections
import math
import string
from collections.abc import Sequence
from typing import Any

import torch
from torch import _C
from torch._tensor_types import scalar_type
from torch.overrides import handle_torch_function, has_torch_function

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "cdist",
    "chain_matmul",
    "einsum",
    "get_device",
    "histogramdd",
    "ifft",
    "irfft",
    "is_inference",
    "lu",
    "rfft",
    "tensordot",
    "unravel_index",
]


def _assert(condition, message):
    """AssertionError with the message unless the condition, a bool or a tensor of one element, is true."""
    if type(condition) is not torch.Tensor and has_torch_function((condition,)):
        return handle_torch_function(_assert, (condition,), condition, message)
    if not condition:
        raise AssertionError(message)


_assert.__module__ = "torch"  # where programs call it


# ---- LU ----------------------------------------------------------------------------------------------------
def lu(A, *, pivot=True, get_infos=False, out=None):
    result = _C._VariableFunctions._lu_with_info(A, pivot, False)
    if out is not None:
        expected = 3 if get_infos else 2
        if not isinstance(out, (tuple, list)):
            raise TypeError(f"argument 'out' must be tuple of Tensors, not {type(out).__name__}")
        if len(out) != expected:
            raise TypeError(f"expected tuple of {expected} elements but got {len(out)}")
        for target, value in zip(out, result):
            target.resize_(value.shape).copy_(value)
        return out
    return result if get_infos else tuple(result[:2])


# ---- products ----------------------------------------------------------------------------------------------
def chain_matmul(*matrices, out=None):
    if len(matrices) == 1 and isinstance(matrices[0], (tuple, list)):
        matrices = matrices[0]
    return _C._VariableFunctions._chain_matmul(list(matrices), out=out)


def tensordot(a, b, dims=2, out: Tensor | None = None):
    if has_torch_function((a, b)):
        return handle_torch_function(torch.functional.tensordot, (a, b), a, b, dims=dims, out=out)
    if not isinstance(dims, (tuple, list, torch.Tensor, int)):
        raise RuntimeError(
            f"tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, "
            f"but got dims={dims}"
        )
    if isinstance(dims, torch.Tensor):
        dims = dims.item() if dims.numel() == 1 else dims.tolist()
    if isinstance(dims, (tuple, list)) and len(dims) == 2:
        dims_a, dims_b = ([d] if isinstance(d, int) else list(d) for d in dims)
    else:
        n = dims if isinstance(dims, int) else dims[0]
        if n < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={n}")
        if n > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={n}")
        dims_a, dims_b = list(range(-n, 0)), list(range(n))
    return _C._VariableFunctions._tensordot(a, b, dims_a, dims_b, out=out)


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    modes = (
        "use_mm_for_euclid_dist_if_necessary",
        "use_mm_for_euclid_dist",
        "donot_use_mm_for_euclid_dist",
    )
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    if isinstance(p, str):
        raise TypeError("cdist(): argument 'p' (position 3) must be float, not str")
    return _C._VariableFunctions._cdist(x1, x2, p)


# ---- einsum ------------------------------------------------------------------------------------------------
_ELLIPSIS = object()
_LETTERS = string.ascii_uppercase + string.ascii_lowercase  # as numbers in lists of subscripts


def _subscripts(text, start, what):
    """The labels of one operand (or of the output) of an equation; _ELLIPSIS stands for dimensions without names."""
    labels, i = [], 0
    while i < len(text):
        c = text[i]
        if c == ".":
            if _ELLIPSIS in labels:
                raise RuntimeError(f"einsum(): found '.' for {what} for which an ellipsis was already found")
            if text[i : i + 3] != "...":
                raise RuntimeError(f"einsum(): found '.' for {what} that is not part of any ellipsis")
            labels.append(_ELLIPSIS)
            i += 3
            continue
        if c != " ":
            if not (c.isascii() and c.isalpha()):
                raise RuntimeError(
                    f"einsum(): invalid subscript given at index {start + i} in the equation string, "
                    f"subscripts must be in [a-zA-Z]"
                )
            labels.append(c)
        i += 1
    return labels


def _parse_equation(equation, count):
    """Labels of each operand, and of the output (None where the equation leaves it out)."""
    left, arrow, right = equation.partition("->")
    inputs, start = [], 0
    for i, part in enumerate(left.split(",")):
        inputs.append(_subscripts(part, start, f"operand {i}"))
        start += len(part) + 1
    if len(inputs) > count:
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    if len(inputs) < count:
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    return inputs, _subscripts(right, len(left) + 2, "the output") if arrow else None


def _parse_lists(arguments):
    """The form einsum(a, [0, 1], b, [1, 2], [0, 2])."""

    def labels(numbers):
        if not isinstance(numbers, (tuple, list)):
            raise ValueError("einsum(): must specify the subscripts of each operand as a list")
        for n in numbers:
            if n is not Ellipsis and not (isinstance(n, int) and 0 <= n < len(_LETTERS)):
                raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
        return [_ELLIPSIS if n is Ellipsis else _LETTERS[n] for n in numbers]

    operands, inputs = list(arguments[: len(arguments) // 2 * 2 : 2]), arguments[1::2]
    output = labels(arguments[-1]) if len(arguments) % 2 else None
    return operands, [labels(numbers) for numbers in inputs], output


def _aligned(tensor, labels, place, total):
    """The operand with a dimension for every label, in the order of `place`; repeated labels are its diagonal."""
    seen = []
    for label in labels:
        if label in seen:
            tensor = tensor.diagonal(0, seen.index(label), len(seen)).movedim(-1, seen.index(label))
        else:
            seen.append(label)
    order = sorted(range(len(seen)), key=lambda i: place[seen[i]])
    tensor = tensor.permute(order)
    if len(seen) == total:
        return tensor
    shape = [1] * total
    for size, i in zip(tensor.shape, order):
        shape[place[seen[i]]] = size
    return tensor.reshape(shape)


def _contract(a, b, summed):
    """Products of two tensors with the same dimensions, summed over some: one bmm, of batch x rows x inner."""
    batch, left, right, inner = [], [], [], []
    for d in range(a.dim()):
        m, n = a.size(d), b.size(d)
        if d in summed:
            if m != 1 and n != 1:
                inner.append(d)
            elif n == 1:
                a = a.sum(d, keepdim=True, dtype=a.dtype)
            else:
                b = b.sum(d, keepdim=True, dtype=b.dtype)
        elif m != 1 and n != 1:
            batch.append(d)
        elif m != 1:
            left.append(d)
        else:
            right.append(d)
    gone = [d for d in range(a.dim()) if d in summed and d not in inner]
    if not inner:  # dtypes may differ then
        return a * b
    device = a.device.type
    # Autocast gives the product's factors one dtype; not every type of device has it.
    cast = torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)
    if a.dtype != b.dtype and not cast:
        raise RuntimeError(f"expected scalar type {scalar_type(a)} but found {scalar_type(b)}")
    if left and right and right[-1] < left[0]:  # the product's rows are to be the dimensions that come first
        a, b, left, right = b, a, right, left
    sizes = [a.size(d) for d in batch + left] + [b.size(d) for d in right] + [1] * (len(inner) + len(gone))

    def count(tensor, dims):
        n = 1
        for d in dims:
            n *= tensor.size(d)
        return n

    first = a.permute(batch + left + inner + right + gone)
    first = first.reshape(count(a, batch), count(a, left), count(a, inner))
    second = b.permute(batch + inner + right + left + gone)
    second = second.reshape(count(b, batch), count(b, inner), count(b, right))
    product = torch.bmm(first, second).reshape(sizes)
    order = batch + left + right + inner + gone
    return product.permute([order.index(d) for d in range(len(order))])


def _sizes_of(operands, inputs, dots):
    """The size of each label, having checked that they agree."""
    sizes = {}
    for i, (tensor, labels) in enumerate(zip(operands, inputs)):
        own = {}
        for label, size in zip(labels, tensor.shape):
            if label in own and own[label] != size:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {i} but the sizes don't match, "
                    f"{size} != {own[label]}"
                )
            own[label] = size
        for label, size in own.items():
            known = sizes.get(label, 1)
            if size != 1 and known != 1 and size != known:
                shown = "..." if label in dots else label
                raise RuntimeError(
                    f"einsum(): subscript {shown} has size {size} for operand {i} which does not broadcast with "
                    f"previously seen size {known}"
                )
            sizes[label] = known if size == 1 else size
    return sizes


def einsum(*args: Any) -> Tensor:
    operands = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args
    if has_torch_function(operands):
        return handle_torch_function(torch.functional.einsum, operands, *args)
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, "
            "or at least one operand and its subscripts list"
        )
    if isinstance(args[0], str):
        equation, operands = args[0], list(args[1:])
        if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
            operands = list(operands[0])
        inputs, output = _parse_equation(equation, len(operands))
    else:
        operands, inputs, output = _parse_lists(args)
    for i, operand in enumerate(operands):
        if not isinstance(operand, torch.Tensor):
            raise TypeError(f"einsum(): operand {i} must be Tensor, not {type(operand).__name__}")

    # An ellipsis becomes numbered labels: the last dimension is (0,), the one before (1,) …
    width = 0
    for i, (tensor, labels) in enumerate(zip(operands, inputs)):
        extra = tensor.dim() - (len(labels) - (_ELLIPSIS in labels))
        if extra < 0 or (extra and _ELLIPSIS not in labels):
            more = "" if _ELLIPSIS in labels else " and no ellipsis was given"
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(labels) - (_ELLIPSIS in labels)}) "
                f"{'is more than' if _ELLIPSIS in labels else 'does not match'} the number of dimensions "
                f"({tensor.dim()}) for operand {i}{more}"
            )
        if _ELLIPSIS in labels:
            at = labels.index(_ELLIPSIS)
            inputs[i] = labels[:at] + [(n,) for n in reversed(range(extra))] + labels[at + 1 :]
            width = max(width, extra)
    dots = [(n,) for n in reversed(range(width))]

    sizes = _sizes_of(operands, inputs, dots)
    letters = [label for labels in inputs for label in labels if isinstance(label, str)]
    if output is None:
        output = dots + sorted(label for label in set(letters) if letters.count(label) == 1)
    else:
        for label in output:
            if label is _ELLIPSIS:
                continue
            if label not in letters:
                raise RuntimeError(
                    f"einsum(): output subscript {label} does not appear in the equation for any input operand"
                )
            if output.count(label) > 1:
                raise RuntimeError(f"einsum(): output subscript {label} appears more than once in the output")
        if _ELLIPSIS in output:
            at = output.index(_ELLIPSIS)
            output = output[:at] + dots + output[at + 1 :]

    order = output + [label for label in sizes if label not in output]
    place = {label: i for i, label in enumerate(order)}
    aligned = [_aligned(t, labels, place, len(order)) for t, labels in zip(operands, inputs)]
    gone = set(range(len(output), len(order)))

    # Contracted by pairs; what a pair has that nobody else needs is summed with it.
    pool = [(tensor, {place[label] for label in labels}) for tensor, labels in zip(aligned, inputs)]
    for group in _path(pool, sizes, order, output):
        taken = [pool[i] for i in group]
        pool = [item for i, item in enumerate(pool) if i not in group]
        result, dims = taken[0]
        for n, (tensor, other) in enumerate(taken[1:], 2):
            summed = (gone & (dims | other)).difference(*(d for _, d in pool + taken[n:]))
            if n == 2:
                alone = [d for d in summed - other if result.size(d) != 1]
                result = result.sum(alone, keepdim=True, dtype=result.dtype) if alone else result
            result = _contract(result, tensor, summed)
            dims = (dims | other) - summed
        pool.append((result, dims))
    result, dims = pool[0]
    alone = [d for d in gone & dims if result.size(d) != 1]
    if alone:
        result = result.sum(alone, keepdim=len(alone) != len(gone), dtype=result.dtype)
    return result if result.dim() == len(output) else result.reshape(result.shape[: len(output)])


def _path(pool, sizes, order, output):
    """Which of the pool to contract at each step, by their places; the product goes to its end. From left to right,
    unless opt_einsum is there to find what costs less."""
    if len(pool) > 2 and torch.backends.opt_einsum.enabled:
        return torch.backends.opt_einsum.path(
            [dims for _, dims in pool], [sizes[label] for label in order], len(output)
        )
    return [(0, 1), *((len(pool) - 1 - n, 0) for n in range(1, len(pool) - 1))] if len(pool) > 1 else []


# ---- PyTorch 1.0's Fourier transforms: complex numbers are pairs in the last dimension -----------------------
def _legacy(signal_ndim, normalized):
    if not 1 <= signal_ndim <= 3:
        raise RuntimeError(f"Expected signal_ndim to be 1, 2, or 3, but got signal_ndim={signal_ndim}")
    return {"dim": tuple(range(-signal_ndim, 0)), "norm": "ortho" if normalized else "backward"}


def ifft(input, signal_ndim, normalized=False):
    pairs = torch.view_as_complex(input.contiguous())
    return torch.view_as_real(torch.fft.ifftn(pairs, **_legacy(signal_ndim, normalized)))


def rfft(input, signal_ndim, normalized=False, onesided=True):
    if input.is_complex():
        raise RuntimeError("rfft: expected a tensor of real numbers")
    transform = torch.fft.rfftn if onesided else torch.fft.fftn
    return torch.view_as_real(transform(input, **_legacy(signal_ndim, normalized)))


def irfft(input, signal_ndim, normalized=False, onesided=True, signal_sizes=None):
    pairs, options = torch.view_as_complex(input.contiguous()), _legacy(signal_ndim, normalized)
    if onesided:
        return torch.fft.irfftn(pairs, signal_sizes or None, **options)
    return torch.fft.irfftn(pairs, signal_sizes or pairs.shape[-signal_ndim:], **options)


# ---- coordinates -------------------------------------------------------------------------------------------
def unravel_index(indices: Tensor, shape: int | Sequence[int] | torch.Size) -> tuple[Tensor, ...]:
    if indices.is_complex() or indices.is_floating_point() or indices.dtype == torch.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, Sequence)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    sizes = [shape] if isinstance(shape, int) else list(shape)
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(size)}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(sizes)}")
    result, rest = [], indices.to(torch.int64)
    for size in reversed(sizes):
        result.append(rest % size)
        rest = rest // size
    return torch.stack(result[::-1], -1).unbind(-1) if result else ()


# ---- histograms --------------------------------------------------------------------------------------------
_HistogramDD = collections.namedtuple("histogramdd", "hist bin_edges", module="torch.return_types")


def histogramdd(input, bins, range=None, weight=None, density=False):
    if input.dim() < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    n = input.size(-1)
    points = input.reshape(-1, n)
    counts = [bins] * n if isinstance(bins, int) else list(bins)
    if len(counts) != n:
        raise RuntimeError("histogramdd: The size of bins must be equal to the innermost dimension of the input.")
    if not input.is_floating_point():
        raise NotImplementedError(f'"histogramdd" not implemented for {input.dtype}')
    if weight is not None and weight.shape != input.shape[:-1]:
        raise RuntimeError(
            f"torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
            f"excluding its innermost dimension, but got input with shape {list(input.shape)} and weight with shape "
            f"{list(weight.shape)}"
        )
    if weight is not None and weight.dtype != input.dtype:
        raise RuntimeError(
            f"torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, "
            f"but got input({input.dtype}), and weight({weight.dtype})"
        )
    for edge in counts:
        if isinstance(edge, torch.Tensor) and (edge.dim() != 1 or edge.dtype != input.dtype):
            raise RuntimeError("torch.histogramdd: bin edges must be vectors of the input's dtype")
    if range is not None and len(range) != 2 * n:
        raise RuntimeError(
            f"torch.histogramdd: for a {n}-dimensional histogram range should have {2 * n} elements, but got {len(range)}"
        )
    edges = [
        count if isinstance(count, torch.Tensor) else _edges(points[:, d], count, range and range[2 * d : 2 * d + 2])
        for d, count in enumerate(counts)
    ]
    shape = [e.numel() - 1 for e in edges]
    if input.is_meta:
        return _HistogramDD(input.new_empty(shape), tuple(edges))
    place = points.new_zeros(points.size(0), dtype=torch.int64)
    inside = points.new_ones(points.size(0), dtype=torch.bool)
    for d, edge in enumerate(edges):
        x = points[:, d].contiguous()
        box = torch.searchsorted(edge, x, right=True) - 1
        box = torch.where(x == edge[-1], shape[d] - 1, box)  # the last box has both its edges
        inside &= (box >= 0) & (box < shape[d])
        place = place * shape[d] + box
    total = 1
    for size in shape:
        total *= size
    weights = torch.ones_like(points[:, 0]) if weight is None else weight.reshape(-1)
    hist = input.new_zeros(total).index_add_(0, place[inside], weights[inside]).reshape(shape)
    if density:
        hist = hist / hist.sum()
        for d, edge in enumerate(edges):
            hist = hist / edge.diff().reshape([-1 if e == d else 1 for e, _ in enumerate(edges)])
    return _HistogramDD(hist, tuple(edges))


def _edges(x, count, limits):
    if count < 1:
        raise RuntimeError(f"torch.histogramdd: bins must be > 0, but got {count}")
    low, high = limits or ([float(x.min()), float(x.max())] if x.numel() and not x.is_meta else [0.0, 1.0])
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histogramdd: dimension range [{low}, {high}] is not finite")
    if low > high:
        raise RuntimeError(f"torch.histogramdd: min should not exceed max, but got min {low} max {high}")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return torch.linspace(low, high, count + 1, dtype=x.dtype, device=x.device)


# ---- what is the same for every tensor ---------------------------------------------------------------------
def is_inference(input):
    return _C._is_inference(input)


def get_device(input):
    return input.get_device()


_HERE_IN_PYTORCH = """atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod istft
    meshgrid norm pca_lowrank split stft svd_lowrank unique unique_consecutive""".split()


def __getattr__(name):
    if name in _HERE_IN_PYTORCH:  # torch's own
        return getattr(torch, name)
    raise AttributeError(f"module 'torch.functional' has no attribute '{name}'")
