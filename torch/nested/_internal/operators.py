"""What functions mean for nested tensors: of values where rows do not matter, row by row where they do."""

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nested._internal.nested_tensor import (
    NestedTensor,
    Ragged,
    like,
    made,
    packed,
    ragged_of,
    row_lengths,
    row_numbers,
    rows,
    shape_of,
    without_holes,
)

# One element at a time, by their names as functions; those in place end in `_`, operators are __add__, __radd__, __iadd__.
_POINTWISE = frozenset(
    """abs absolute acos acosh add addcdiv addcmul alpha_dropout angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    asin asinh atan atan2 atanh bernoulli bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
    bitwise_xor ceil celu clamp clamp_max clamp_min clip conj conj_physical copy_ copysign cos cosh deg2rad digamma div divide
    dropout elu eq erf erfc erfinv exp exp2 expm1 exponential_ fill fill_ fix float_power floor floor_divide fmax fmin fmod
    frac ge gelu greater greater_equal gt hardshrink hardsigmoid hardswish hardtanh heaviside hypot i0 igamma igammac imag
    isclose isfinite isinf isnan isneginf isposinf isreal ldexp le leaky_relu lerp less less_equal lgamma log log10 log1p log2
    logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit logsigmoid lt masked_fill maximum minimum mish
    mul multiply nan_to_num ne neg negative nextafter normal_ not_equal polygamma positive pow rad2deg random_ real reciprocal
    relu relu6 remainder round rrelu rsqrt rsub selu sgn sigmoid sign signbit silu sin sinc sinh softplus softshrink softsign
    sqrt square sub subtract tan tanh tanhshrink threshold true_divide trunc type type_as uniform_ where xlogy zero_
    truediv floordiv mod and or xor lshift rshift invert pos
    clone contiguous_format detach to cpu cuda float double half bfloat16 int long short char byte bool
    zeros_like ones_like empty_like full_like rand_like randn_like randint_like real pin_memory""".split()
)


def call(func, args, kwargs):
    """func(*args, **kwargs), with a nested tensor among them."""
    name = getattr(func, "__name__", str(func))
    if name == "__get__":
        return _attribute(func, *args)
    if name == "__set__":
        return func(*(packed(arg) if isinstance(arg, NestedTensor) and i else arg for i, arg in enumerate(args)))
    if name in _MEANINGS:
        return _MEANINGS[name](*args, **kwargs)
    short = name.removeprefix("_").strip("_")
    for form in (name, name.rstrip("_"), short, short.removeprefix("r"), short.removeprefix("i")):
        if form in _POINTWISE:
            return _pointwise(func, name, args, kwargs)
    raise NotImplementedError(f"{name}() is not built for nested tensors")


# ---- attributes --------------------------------------------------------------------------------------------------
def _attribute(func, nested, *rest):
    name = func.__self__.__name__
    if name in _ATTRIBUTES:
        return _ATTRIBUTES[name](nested)
    value = func(nested, *rest)
    return _wrapped_gradient(nested, value) if name == "grad" else value


def _wrapped_gradient(nested, gradient):
    return gradient if gradient is None else like(nested, packed(gradient))


_ATTRIBUTES = {
    "shape": shape_of,
    "ndim": lambda nested: packed(nested).dim() + 1,
    "is_nested": lambda nested: True,
    "layout": lambda nested: torch.jagged,
    "data": lambda nested: like(nested, packed(nested).detach()),
}


def _size(nested, dim=None):
    shape = shape_of(nested)
    return shape if dim is None else shape[dim]


# ---- one element at a time ---------------------------------------------------------------------------------------------
def _pointwise(func, name, args, kwargs):
    nested = [value for value in (*args, *kwargs.values()) if isinstance(value, NestedTensor)]
    first = nested[0]
    if any(ragged_of(other) is not ragged_of(first) or other._ragged_idx != first._ragged_idx for other in nested):
        shapes = " and ".join(str(tuple(shape_of(each))) for each in nested)
        raise RuntimeError(
            f"cannot call binary pointwise function {name} with inputs of shapes {shapes}: their rows differ"
        )
    args = [_operand(first, arg) for arg in args]
    result = func(*args, **{key: _operand(first, value) for key, value in kwargs.items()})
    if (name.endswith("_") and not name.endswith("__")) or (name.startswith("__i") and name != "__invert__"):
        return first  # it has been written
    return like(first, result) if isinstance(result, Tensor) else result


def _operand(nested, value):
    """What stands for an operand beside the values."""
    if isinstance(value, NestedTensor):
        return packed(value)
    if not isinstance(value, Tensor) or value.dim() == 0:
        return value
    dims, ragged, batch = packed(nested).dim() + 1, nested._ragged_idx, len(nested._offsets) - 1
    refusal = RuntimeError(
        f"a tensor of {tuple(value.shape)} does not broadcast to the nested tensor {tuple(shape_of(nested))}"
    )
    if value.dim() > dims:
        raise refusal
    value = value[(None,) * (dims - value.dim())]
    if value.shape[ragged] != 1:
        raise refusal
    if value.shape[0] == 1:
        return value.squeeze(0)
    if value.shape[0] != batch:
        raise refusal
    return value.squeeze(ragged).index_select(0, row_numbers(nested)).movedim(0, ragged - 1)


# ---- dimensions ----------------------------------------------------------------------------------------------------------
def _dim(nested, dim, name, extra=0):
    """A dimension from the left. RuntimeError for that of the rows."""
    dims = packed(nested).dim() + 1 + extra
    if not -dims <= dim < dims:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-dims}, {dims - 1}], but got {dim})")
    dim %= dims
    if dim == 0:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on dim=0")
    return dim


def _not_ragged(nested, dim, name):
    dim = _dim(nested, dim, name)
    if dim == nested._ragged_idx:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim")
    return dim


def _transpose(nested, dim0, dim1):
    one, other = (_dim(nested, dim, "transpose") for dim in (dim0, dim1))
    ragged = {one: other, other: one}.get(nested._ragged_idx, nested._ragged_idx)
    return like(nested, packed(nested).transpose(one - 1, other - 1), ragged)


def _permute(nested, *dims):
    dims = list(dims[0]) if len(dims) == 1 and not isinstance(dims[0], int) else list(dims)
    if dims[0] != 0:
        raise RuntimeError("permute(): not supported for NestedTensor on dim=0")
    dims = [_dim(nested, dim, "permute") for dim in dims[1:]]
    values = packed(nested).permute([dim - 1 for dim in dims])
    return like(nested, values, dims.index(nested._ragged_idx) + 1)


def _unsqueeze(nested, dim):
    dim = _dim(nested, dim, "unsqueeze", 1)
    return like(nested, packed(nested).unsqueeze(dim - 1), nested._ragged_idx + (dim <= nested._ragged_idx))


def _squeeze(nested, dim=None):
    if dim is None:
        raise RuntimeError("squeeze(): For NestedTensors, dim must be specified: the rows' size is never squeezed")
    dim = _not_ragged(nested, dim, "squeeze")
    if packed(nested).shape[dim - 1] != 1:
        return nested
    return like(nested, packed(nested).squeeze(dim - 1), nested._ragged_idx - (dim < nested._ragged_idx))


def _view(nested, *shape):
    """To other sizes: the first is the number of rows, and the one that differs is -1, or itself, where it was."""
    shape = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
    batch = len(nested._offsets) - 1
    at = [i for i, size in enumerate(shape) if isinstance(size, Ragged)] or [nested._ragged_idx]
    place = at[0]
    if (
        not shape
        or shape[0] not in (batch, -1)
        or len(at) > 1
        or place >= len(shape)
        or (shape[place] is not ragged_of(nested) and shape[place] != -1)
    ):
        raise RuntimeError(f"view(): cannot view shape {tuple(shape_of(nested))} as {tuple(shape)}")
    sizes = shape[1:]
    sizes[place - 1] = packed(nested).shape[nested._ragged_idx - 1]
    return like(nested, packed(nested).reshape(sizes), place)


def _unflatten(nested, dim, sizes):
    dim = _not_ragged(nested, dim, "unflatten")
    shift = (len(sizes) - 1) * (dim < nested._ragged_idx)
    return like(nested, packed(nested).unflatten(dim - 1, sizes), nested._ragged_idx + shift)


def _flatten(nested, start_dim=0, end_dim=-1):
    start, end = (_dim(nested, dim, "flatten") for dim in (start_dim, end_dim))
    if start <= nested._ragged_idx <= end and start != end:
        raise RuntimeError("flatten(): not supported for NestedTensor on ragged dim")
    shift = (end - start) * (end < nested._ragged_idx)
    return like(nested, packed(nested).flatten(start - 1, end - 1), nested._ragged_idx - shift)


def _select(nested, dim, index):
    if dim in (0, -packed(nested).dim() - 1):
        return rows(nested)[index]
    dim = _not_ragged(nested, dim, "select")
    return like(nested, packed(nested).select(dim - 1, index), nested._ragged_idx - (dim < nested._ragged_idx))


def _getitem(nested, index):
    index = index if isinstance(index, tuple) else (index,)
    if any(part is not Ellipsis and not isinstance(part, (int, slice)) for part in index):
        raise NotImplementedError("nested tensors are indexed by numbers, slices and `...`")
    dims, whole = packed(nested).dim() + 1, slice(None)
    if Ellipsis in index:
        at = index.index(Ellipsis)
        index = index[:at] + (whole,) * (dims - len(index) + 1) + index[at + 1 :]
    index += (whole,) * (dims - len(index))
    if isinstance(index[0], int):
        return rows(nested)[index[0]][index[1:]]
    for place, name in ((0, "dim=0"), (nested._ragged_idx, "ragged dim")):
        if index[place] != whole:
            raise RuntimeError(f"slice(): not supported for NestedTensor on {name}")
    gone = sum(isinstance(part, int) for part in index[: nested._ragged_idx])
    return like(nested, packed(nested)[index[1:]], nested._ragged_idx - gone)


def _split(nested, split_size, dim=0):
    if dim in (0, -packed(nested).dim() - 1):
        sizes = split_size
        if isinstance(sizes, int):
            count = len(nested._offsets) - 1
            sizes = [min(split_size, count - i) for i in range(0, count, split_size)]
        parts = iter(rows(nested))
        return tuple(_of_rows([next(parts) for _ in range(size)], nested._ragged_idx) for size in sizes)
    dim = _not_ragged(nested, dim, "split")
    return tuple(like(nested, part) for part in packed(nested).split(split_size, dim - 1))


def _chunk(nested, chunks, dim=0):
    size = len(nested._offsets) - 1 if dim in (0, -packed(nested).dim() - 1) else shape_of(nested)[dim]
    if isinstance(size, Ragged):
        raise RuntimeError("chunk(): not supported for NestedTensor on ragged dim")
    return _split(nested, max(1, -(-size // chunks)), dim)


def _of_rows(parts, ragged):
    """A nested tensor of rows of its own."""
    lengths = torch.tensor([part.shape[ragged - 1] for part in parts], device=parts[0].device)
    return made(torch.cat(parts, ragged - 1), F.pad(lengths.cumsum(0), (1, 0)), None, ragged)


def _joined(join, name, extra):
    def joined(tensors, dim=0, **options):
        first = tensors[0]
        if not all(isinstance(each, NestedTensor) and ragged_of(each) is ragged_of(first) for each in tensors):
            raise RuntimeError(f"{name}(): expects nested tensors with the same rows")
        at = _dim(first, dim, name, extra)
        if not extra and at == first._ragged_idx:
            raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim")
        ragged = first._ragged_idx + (extra and at <= first._ragged_idx)
        return like(first, join([packed(each) for each in tensors], at - 1, **options), ragged)

    return joined


# ---- reductions, and what is done along a dimension -----------------------------------------------------------------------
def _reduction(name):
    def reduced(nested, dim=None, keepdim=False, **options):
        function = getattr(torch, name)
        nested = without_holes(nested)
        if dim is None:
            return function(packed(nested), **options)
        total = packed(nested).dim() + 1
        dims = sorted({d % total for d in ((dim,) if isinstance(dim, int) else dim)})
        ragged = nested._ragged_idx
        if 0 in dims and ragged not in dims:
            raise RuntimeError(
                f"{name}(): reducing along the batch dimension but not the ragged dimension is not supported for nested "
                "tensors"
            )
        if ragged in dims and 0 not in dims:
            if len(dims) > 1:
                raise RuntimeError(
                    f"{name}(): reducing along a ragged and non-batch dimension is not supported for nested tensors"
                )
            parts = [function(part, dim=ragged - 1, keepdim=keepdim, **options) for part in rows(nested)]
            if isinstance(parts[0], Tensor):
                return torch.stack(parts)
            return type(parts[0])(torch.stack(each) for each in zip(*parts))
        own = [d - 1 for d in dims if d]
        result = function(packed(nested), dim=own[0] if len(own) == 1 else own, keepdim=keepdim, **options)
        if 0 in dims:
            return result.unsqueeze(0) if keepdim else result
        place = ragged - (0 if keepdim else sum(d < ragged for d in dims))
        if isinstance(result, Tensor):
            return like(nested, result, place)
        return type(result)(like(nested, each, place) for each in result)

    return reduced


def _extreme(name):
    reduced, pointwise = _reduction(name), {"max": torch.maximum, "min": torch.minimum}[name]

    def extreme(nested, dim=None, keepdim=False, **options):
        if isinstance(dim, Tensor) or not isinstance(nested, NestedTensor):
            return _pointwise(pointwise, name, (nested, dim), {})
        return reduced(nested, dim, keepdim, **options)

    return extreme


def _along(name):
    """softmax and what keeps the sizes: along the rows, one by one."""

    def along(nested, dim, *arguments, **options):
        function = getattr(F if name in ("softmax", "log_softmax", "softmin", "normalize") else torch, name)
        total = packed(nested).dim() + 1
        if dim % total == 0:
            raise RuntimeError(f"{name}(): not supported when reducing across the batch dimension for NestedTensor")
        at = _dim(nested, dim, name)
        if at != nested._ragged_idx:
            return like(nested, function(packed(nested), at - 1, *arguments, **options))
        nested = without_holes(nested)
        parts = [function(part, at - 1, *arguments, **options) for part in rows(nested)]
        return like(nested, torch.cat(parts, at - 1))

    return along


# ---- products and layers ---------------------------------------------------------------------------------------------------
def _last_is_whole(nested, name, count=1):
    if nested._ragged_idx > packed(nested).dim() - count:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim: {tuple(shape_of(nested))}")


def _linear(input, weight, bias=None):
    if not isinstance(input, NestedTensor):
        raise RuntimeError("linear(): weight and bias cannot be nested tensors")
    _last_is_whole(input, "linear")
    return like(input, F.linear(packed(input), weight, bias))


def _norm(name):
    def normalised(input, normalized_shape, *arguments, **options):
        _last_is_whole(input, name, len(normalized_shape))
        return like(input, getattr(F, name)(packed(input), normalized_shape, *arguments, **options))

    return normalised


def _embedding(input, weight, *arguments, **options):
    return like(input, F.embedding(packed(input), weight, *arguments, **options))


def _matmul(one, other):
    shapes = [tuple(shape_of(each) if isinstance(each, NestedTensor) else each.shape) for each in (one, other)]
    refusal = RuntimeError(f"matmul(): not supported between inputs of shapes {shapes[0]} and {shapes[1]}")
    if not isinstance(one, NestedTensor):
        last = packed(other).dim()
        if one.dim() > 2 or other._ragged_idx != last:
            raise refusal
        return like(other, one @ packed(other))
    place, dims = one._ragged_idx, packed(one).dim() + 1
    if not isinstance(other, NestedTensor):
        if place == dims - 1:
            raise refusal
        if other.dim() <= 2:
            return like(one, packed(one) @ other)
        if other.dim() != dims or place != dims - 2 or other.shape[0] != len(one._offsets) - 1:
            raise refusal
        one = without_holes(one)
        return like(one, torch.cat([part @ each for part, each in zip(rows(one), other)], place - 1))
    if place < dims - 2 and place == other._ragged_idx and ragged_of(one) is ragged_of(other):
        return like(one, packed(one) @ packed(other))
    if place == dims - 1 and other._ragged_idx == dims - 2 and packed(other).dim() + 1 == dims:
        return torch.stack([a @ b for a, b in zip(rows(one), rows(other), strict=True)])
    raise refusal


def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    operands = query, key, value
    if not all(isinstance(each, NestedTensor) for each in operands):
        raise RuntimeError("scaled_dot_product_attention(): query, key and value must all be nested tensors, or none")
    if attn_mask is not None:
        raise RuntimeError("scaled_dot_product_attention(): attn_mask is not supported for nested tensors")
    for each in operands:
        if each._ragged_idx != packed(each).dim() - 1:
            raise RuntimeError(
                "scaled_dot_product_attention(): nested tensors are (B, heads, j, width), got "
                f"{tuple(shape_of(each))}; transpose(1, 2) makes them so"
            )
    lengths = [row_lengths(each).tolist() for each in operands]
    if len({len(each) for each in lengths}) > 1 or lengths[1] != lengths[2]:
        raise RuntimeError("scaled_dot_product_attention(): the rows of query, key and value do not belong together")
    options = {"dropout_p": dropout_p, "is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
    parts = [
        F.scaled_dot_product_attention(*(row.unsqueeze(0) for row in each), **options)[0]
        for each in zip(*map(rows, operands), strict=True)
    ]
    query = without_holes(query)
    return like(query, torch.cat(parts, query._ragged_idx - 1))


# ---- and back -----------------------------------------------------------------------------------------------------------------
def to_padded(nested, padding, output_size=None):
    if nested._lengths is not None:
        raise RuntimeError("to_padded_tensor(): not supported for nested tensors with holes")
    place, lengths = nested._ragged_idx, row_lengths(nested)
    batch = len(lengths)
    values = packed(nested).movedim(place - 1, 0)
    longest = int(lengths.max()) if batch else 0
    numbers = row_numbers(nested)
    columns = torch.arange(len(values), device=values.device) - nested._offsets[:-1][numbers]
    if output_size is not None:
        sizes = list(output_size)
        others = [size for i, size in enumerate(sizes) if i not in (0, place)]
        if len(sizes) != packed(nested).dim() + 1 or sizes[0] != batch or others != list(values.shape[1:]):
            raise RuntimeError(f"to_padded_tensor(): output_size {tuple(sizes)} does not fit {tuple(shape_of(nested))}")
        longest = sizes[place]
        inside = columns < longest
        values, numbers, columns = values[inside], numbers[inside], columns[inside]
    out = values.new_full((batch, longest, *values.shape[1:]), padding)
    return out.index_put((numbers, columns), values).movedim(1, place)


def _contiguous(nested, *, memory_format=torch.contiguous_format):
    nested = without_holes(nested)
    return nested if packed(nested).is_contiguous() else like(nested, packed(nested).contiguous())


def _backward(nested, gradient=None, *arguments, **options):
    gradient = packed(gradient) if isinstance(gradient, NestedTensor) else gradient
    return torch.autograd.backward(packed(nested), gradient, *arguments, **options)


def _plain(name):
    def method(nested, *arguments, **options):
        arguments = [packed(each) if isinstance(each, NestedTensor) else each for each in arguments]
        return getattr(Tensor, name)(nested, *arguments, **options)

    return method


def _refused(text):
    def refuse(nested, *arguments, **options):
        raise RuntimeError(text)

    return refuse


_MEANINGS = {
    "size": _size,
    "dim": lambda nested: packed(nested).dim() + 1,
    "ndimension": lambda nested: packed(nested).dim() + 1,
    "numel": lambda nested: packed(nested).numel(),
    "nelement": lambda nested: packed(nested).numel(),
    "__len__": lambda nested: len(nested._offsets) - 1,
    "__iter__": lambda nested: iter(rows(nested)),
    "__bool__": lambda nested: bool(packed(nested)),
    "is_contiguous": lambda nested, *rest, **options: nested._lengths is None and packed(nested).is_contiguous(),
    "unbind": lambda nested, dim=0: rows(nested) if dim == 0 else _refused("unbind(): only supported on dim=0")(nested),
    "to_padded_tensor": to_padded,
    "contiguous": _contiguous,
    "backward": _backward,
    "transpose": _transpose,
    "swapaxes": _transpose,
    "permute": _permute,
    "unsqueeze": _unsqueeze,
    "squeeze": _squeeze,
    "view": _view,
    "reshape": _view,
    "unflatten": _unflatten,
    "flatten": _flatten,
    "select": _select,
    "__getitem__": _getitem,
    "split": _split,
    "chunk": _chunk,
    "cat": _joined(torch.cat, "cat", 0),
    "concat": _joined(torch.cat, "cat", 0),
    "stack": _joined(torch.stack, "stack", 1),
    "linear": _linear,
    "embedding": _embedding,
    "matmul": _matmul,
    "bmm": _matmul,
    "__matmul__": _matmul,
    "__rmatmul__": lambda one, other: _matmul(other, one),
    "scaled_dot_product_attention": _attention,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "tolist": _refused(".tolist() is not supported for nested tensors: [row.tolist() for row in x.unbind()] is"),
    "numpy": _refused(".numpy() is not supported for nested tensors: x.values().numpy() is"),
    **{name: _norm(name) for name in ("layer_norm", "rms_norm")},
    **{name: _along(name) for name in ("softmax", "log_softmax", "softmin", "cumsum", "cumprod")},
    **{
        name: _reduction(name)
        for name in ("sum", "mean", "prod", "amax", "amin", "any", "all", "argmax", "argmin", "var", "std", "logsumexp")
    },
    **{
        name: _plain(name)
        for name in (
            *(
                "retain_grad",
                "register_hook",
                "register_post_accumulate_grad_hook",
                "element_size",
                "is_floating_point",
            ),
            *("is_complex", "is_signed", "get_device", "data_ptr", "untyped_storage", "is_pinned", "is_shared"),
            *("is_inference", "storage_offset", "requires_grad_"),
        )
    },
}
