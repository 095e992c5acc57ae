"""How arguments of operators have to lie, in letters as of einsum: each dimension of an argument or a result that may be
split has one, dimensions with the same letter are split alike, and a letter that no result has is joined by the rule's
reduction. Of all ways that a rule allows that one is taken which moves the fewest elements."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch.distributed.tensor._dtensor_spec import local_shape_and_offset
from torch.distributed.tensor.placement_types import Partial, Replicate, Shard


@dataclasses.dataclass
class Plan:
    """One call's rule."""

    ins: list[tuple]  # a letter or None for each dimension of each tensor that is given
    outs: list[tuple]
    reduce: str | None = None  # how terms are joined that are made by splitting a letter no result has
    additive: bool = False  # of terms of all arguments the results are terms
    linear: tuple[int, ...] = ()  # of terms of one of these arguments, the others being whole, the results are terms
    even: dict[Any, tuple[int, ...]] = dataclasses.field(
        default_factory=dict
    )  # letters split into equal parts alone: sizes
    arguments: Callable | None = None  # (args, kwargs, mesh, results, wanted) -> those of the call on parts
    function: Callable | None = None  # called on parts, instead of the one that was called


def whole(tensors):
    """The rule of what has none: everything is whole."""
    return Plan([(None,) * t.dim() for t in tensors], [])


# ---- the choice ------------------------------------------------------------------------------------------------------
def _cost(now, wanted, numel):
    if now == wanted:
        return 0.0
    if now.is_replicate():
        return 0.01 * numel
    if now.is_shard():
        return float("inf") if wanted.is_partial() else numel * (0.9 if wanted.is_shard() else 1.0)
    return float("inf") if wanted.is_partial() else numel * (1.0 if wanted.is_shard() else 2.0)


def _candidates(plan):
    n, m = len(plan.ins), len(plan.outs)
    yield (Replicate(),) * n, (Replicate(),) * m, None
    letters = dict.fromkeys(letter for term in plan.ins for letter in term if letter is not None)
    for letter in letters:
        missing = [letter not in term for term in plan.outs]
        if any(missing) and plan.reduce is None:
            continue
        ins = tuple(Shard(term.index(letter)) if letter in term else Replicate() for term in plan.ins)
        outs = tuple(Shard(t.index(letter)) if letter in t else Partial(plan.reduce) for t in plan.outs)
        yield ins, outs, letter
    for op in ("sum", "avg"):
        if plan.additive:
            yield (Partial(op),) * n, (Partial(op),) * m, None
        for k in plan.linear:
            yield tuple(Partial(op) if j == k else Replicate() for j in range(n)), (Partial(op),) * m, None


def choose(plan, specs, i, mesh, fixed=None):
    """(placements of the arguments, of the results, letter) along dimension i of the mesh."""
    best, least = None, float("inf")
    split = fixed is not None or any(s.placements[i].is_shard() for s in specs)  # nothing is split that was not
    for ins, outs, letter in _candidates(plan):
        if letter is not None and not split:
            continue
        if fixed is not None and (ins[0] != fixed or any(o != fixed for o in outs)):
            continue
        cost = sum(_cost(s.placements[i], p, max(s.shape.numel(), 1)) for s, p in zip(specs, ins))
        if cost < least:
            best, least = (ins, outs, letter), cost
    return best or next(_candidates(plan))


def even(plan, specs, choice, mesh):
    """The choice without letters whose parts would be of several sizes, where these must not be."""
    for letter, sizes in plan.even.items():
        parts = 1
        for i, (_, _, chosen) in enumerate(choice):
            if chosen == letter:
                parts *= mesh.size(i)
        if any(size % parts for size in sizes):
            choice = [next(_candidates(plan)) if c[2] == letter else c for c in choice]
    return choice


# ---- rules by name: function(args, kwargs, tensors, results on whole tensors) -> Plan or None ---------------------------
def _first(tree):
    while isinstance(tree, (list, tuple)):
        tree = tree[0]
    return tree


def _letters(shape, result):
    """Letters of the dimensions of a result that an argument of `shape` is broadcast to."""
    skip = len(result) - len(shape)
    return tuple(skip + d if size == result[skip + d] else None for d, size in enumerate(shape))


_LINEAR_ALONE = (
    "neg neg_ negative clone detach contiguous to float double half bfloat16 type positive zeros_like empty_like alias "
    "detach_ view_as_real conj real imag type_as __neg__ data copy_"
).split()
_ADDITIVE = "add add_ sub sub_ __add__ __radd__ __iadd__ __sub__ __isub__".split()
_MULTILINEAR = "mul mul_ multiply __mul__ __rmul__ __imul__".split()
_QUOTIENT = "div div_ true_divide __truediv__ __itruediv__".split()
POINTWISE = set(
    _LINEAR_ALONE
    + _ADDITIVE
    + _MULTILINEAR
    + _QUOTIENT
    + """abs acos acosh asin asinh atan atan2 atanh absolute addcdiv addcmul bitwise_and bitwise_not bitwise_or bitwise_xor
    ceil clamp clamp_max clamp_min clip copysign cos cosh deg2rad digamma elu eq erf erfc erfinv exp exp2 expm1 float_power
    floor floor_divide fmax fmin fmod frac ge gelu gt hardsigmoid hardswish hardtanh heaviside hypot i0 isfinite isinf isnan
    ldexp le leaky_relu lerp lgamma log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
    logit logsigmoid lt masked_fill maximum minimum mish mvlgamma nan_to_num ne nextafter not_equal pow rad2deg reciprocal
    relu relu6 remainder round rsqrt rsub selu sigmoid sign signbit silu sin sinc sinh softplus softsign sqrt square
    subtract tan tanh tanhshrink threshold trunc where xlogy ones_like full_like fill_ long int bool short char byte
    __abs__ __and__ __eq__ __floordiv__ __ge__ __gt__ __invert__ __le__ __lt__ __mod__ __ne__ __or__ __pow__ __rpow__
    __rsub__ __rtruediv__ __rdiv__ __rfloordiv__ __xor__ __ipow__ __iand__ __ior__ celu greater less greater_equal
    less_equal""".split()
)


def _pointwise(name, args, kwargs, tensors, result):
    shape = _first(result).shape
    if any(len(t.shape) > len(shape) for t in tensors):
        return None
    both = len(tensors) == 2 and len(args) >= 2
    plan = Plan([_letters(t.shape, shape) for t in tensors], [_letters(shape, shape)])
    floating = _first(result).is_floating_point() or _first(result).is_complex()
    if not floating:
        return plan
    if name in _ADDITIVE:
        plan.additive = both
    elif name in _MULTILINEAR:
        plan.linear = (0, 1) if both else (0,)
    elif name in _QUOTIENT and kwargs.get("rounding_mode") is None:
        plan.linear = (0,)
    elif name == "copy_":
        plan.additive = True
    elif name in _LINEAR_ALONE:
        plan.linear = (0,)
    return plan


def _matmul(name, args, kwargs, tensors, result):
    if len(tensors) != 2:
        return None
    a, b = tensors if name != "__rmatmul__" else tensors[::-1]
    n = result.dim() - (a.dim() > 1) - (b.dim() > 1)  # dimensions of batches

    def batch(t, own):
        return tuple(n - own + d if t.shape[d] == result.shape[n - own + d] else None for d in range(own))

    one = (*batch(a, max(a.dim() - 2, 0)), *("r", "k")[-min(a.dim(), 2) :])
    two = (*batch(b, max(b.dim() - 2, 0)), *(("k", "c") if b.dim() > 1 else ("k",)))
    out = (*range(n), *(("r",) if a.dim() > 1 else ()), *(("c",) if b.dim() > 1 else ()))
    ins = [one, two] if name != "__rmatmul__" else [two, one]
    return Plan(ins, [out], reduce="sum", linear=(0, 1))


def reduced_dims(dim, ndim):
    """The dimensions that an argument `dim` names."""
    if dim is None or dim == ():
        return set(range(ndim))
    return {d % max(ndim, 1) for d in ((dim,) if isinstance(dim, int) else dim)}


def _argument(args, kwargs, at, name, default=None):
    return kwargs.get(name, args[at] if len(args) > at else default)


def _reduction(reduce, linear):
    def rule(name, args, kwargs, tensors, result):
        (t,) = tensors
        if not isinstance(result, torch.Tensor):
            return None
        dim = _argument(args, kwargs, 1, "dim")
        if isinstance(dim, torch.dtype):
            return None
        dims = reduced_dims(dim, t.dim())
        kept = [d for d in range(t.dim()) if d not in dims]
        same = result.dim() == t.dim()
        out = tuple(d if d not in dims else None for d in range(t.dim())) if same and t.dim() else tuple(kept)
        plan = Plan([tuple(range(t.dim()))], [out], reduce=reduce, linear=(0,) if linear else ())
        if not linear:
            plan.even = {d: (t.shape[d],) for d in dims}  # of no elements there is no largest
        return plan

    return rule


def _along(at, key="dim", first=0, default=None):
    """Dimensions that an operator computes along are not split."""

    def rule(name, args, kwargs, tensors, result):
        t = tensors[0]
        dim = _argument(args, kwargs, at, key, default)
        if len(tensors) != 1 or not isinstance(dim, (int, tuple, list)) or isinstance(dim, bool):
            return None
        dims = reduced_dims(dim, t.dim())
        kept = tuple(d if d not in dims else None for d in range(t.dim()))
        outs = []
        for out in result if isinstance(result, (list, tuple)) else [result]:
            outs.append(kept if out.dim() == t.dim() else tuple(d for d in kept if d is not None))
        return Plan([kept], outs)

    return rule


def _softmax(name, args, kwargs, tensors, result):
    return _along(1)(name, args, kwargs, tensors, result)


def _layer_norm(name, args, kwargs, tensors, result):
    t = tensors[0]
    shape = _argument(args, kwargs, 1, "normalized_shape")
    n = t.dim() - (1 if isinstance(shape, int) else len(shape))
    letters = tuple(d if d < n else None for d in range(t.dim()))
    return Plan([letters, *((None,) * w.dim() for w in tensors[1:])], [letters])


def _shape_of_part(result):
    """Arguments of reshape(): the result's part."""

    def arguments(args, kwargs, mesh, results, wanted):
        return (args[0], local_shape_and_offset(result.shape, mesh, results[0])[0]), {}

    return arguments


def _groups(source, target):
    """Runs of dimensions, of the one and the other, with the same number of elements, and none of fewer."""
    i = j = 0
    while i < len(source) or j < len(target):
        one, two = [], []
        a = b = 1
        while True:
            if a <= b and i < len(source) and (a < b or not one or source[i] == 1):
                a *= source[i]
                one.append(i)
                i += 1
            elif b < a or (j < len(target) and not two) or (j < len(target) and target[j] == 1 and a == b):
                b *= target[j]
                two.append(j)
                j += 1
            else:
                break
        yield one, two


def _view(name, args, kwargs, tensors, result):
    (t,) = tensors
    if not isinstance(result, torch.Tensor) or result.dtype != t.dtype or not result.numel():
        return None
    ins, outs, sizes = [None] * t.dim(), [None] * result.dim(), {}
    for letter, (one, two) in enumerate(_groups(t.shape, result.shape)):
        one, two = [d for d in one if t.shape[d] != 1], [d for d in two if result.shape[d] != 1]
        if one and two:
            ins[one[0]] = outs[two[0]] = letter
            if len(one) > 1 or len(two) > 1:
                sizes[letter] = t.shape[one[0]], result.shape[two[0]]
    return Plan(
        [tuple(ins)], [tuple(outs)], linear=(0,), even=sizes, arguments=_shape_of_part(result), function=torch.reshape
    )


_STRIDES = (101, 211, 307, 401, 503, 601, 701, 809, 907, 1009, 1103, 1201)


def _strided(*, reshaped=False, expanded=False):
    """Views that take dimensions as they are, or leave them out: strides say which is which."""

    def rule(name, args, kwargs, tensors, result):
        (t,) = tensors
        if t.dim() > len(_STRIDES):
            return None
        probe = torch.empty_strided(t.shape, _STRIDES[: t.dim()], dtype=t.dtype, device="meta")
        function = _FUNCTIONS.get(name) or getattr(torch.Tensor, name)
        views = function(probe, *args[1:], **kwargs)
        several = isinstance(views, (list, tuple))
        outs = []
        for view in views if several else [views]:
            at = {stride: d for d, stride in enumerate(_STRIDES[: t.dim()])}
            outs.append(
                tuple(
                    at[stride] if stride in at and size == t.shape[at[stride]] else None
                    for size, stride in zip(view.shape, view.stride())
                )
            )
        kept = set.intersection(*map(set, outs)) if outs else set()
        outs = [tuple(d if d in kept else None for d in out) for out in outs]
        plan = Plan([tuple(d if d in kept else None for d in range(t.dim()))], outs, linear=(0,))
        if reshaped:
            plan.arguments, plan.function = _shape_of_part(result), torch.reshape
        if expanded:
            plan.arguments, plan.function = _shape_of_part(result), torch.Tensor.expand
        return plan

    return rule


_FUNCTIONS = {"T": torch.t}


def _getitem(name, args, kwargs, tensors, result):
    if len(tensors) != 1 or not isinstance(result, torch.Tensor):
        return None
    index = args[1] if isinstance(args[1], tuple) else (args[1],)
    if not all(i is None or i is Ellipsis or isinstance(i, (int, slice)) and not isinstance(i, bool) for i in index):
        return None
    return _strided()(name, args, kwargs, tensors, result)


def _cat(name, args, kwargs, tensors, result):
    dim = _argument(args, kwargs, 1, "dim", 0) % result.dim()
    if any(t.dim() != tensors[0].dim() for t in tensors):
        return None
    if name == "stack":
        letters = tuple(range(result.dim() - 1))
        return Plan([letters] * len(tensors), [(*letters[:dim], None, *letters[dim:])], additive=True)
    letters = tuple(d if d != dim else None for d in range(result.dim()))
    return Plan([letters] * len(tensors), [letters], additive=True)


def _embedding(name, args, kwargs, tensors, result):
    index, weight = tensors
    names = ("input", "weight", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse")
    given = dict(zip(names, args)) | kwargs
    if given["input"] is not index or any(given.get(n) for n in ("max_norm", "scale_grad_by_freq", "sparse")):
        return None
    letters = tuple(range(index.dim()))
    rows, padding = weight.shape[0], given.get("padding_idx")

    def arguments(args, kwargs, mesh, results, wanted):
        own = dict(zip(names, args)) | kwargs
        size, offset = local_shape_and_offset(weight.shape, mesh, wanted[1])
        return (own["input"], own["weight"], size[0], offset[0]), {}

    def function(index, weight, count, start):
        own = padding if padding is None else (padding + rows) % rows - start
        own = own if own is not None and 0 <= own < count else None
        if count == rows:
            return torch.nn.functional.embedding(index, weight, own)
        if not count:
            return weight.new_zeros((*index.shape, weight.shape[1])) + weight.sum()
        here = (index >= start) & (index < start + count)
        found = torch.nn.functional.embedding(torch.where(here, index - start, 0), weight)
        if own is not None:
            at = here & (index == start + own)
            found = torch.where(at[..., None], found.detach(), found)
        return found * here[..., None].to(found.dtype)

    return Plan([letters, ("v", "d")], [(*letters, "d")], reduce="sum", arguments=arguments, function=function)


def _attention(name, args, kwargs, tensors, result):
    if len(tensors) != 3 or kwargs.get("dropout_p") or len(args) > 3 or any(t.dim() != 4 for t in tensors):
        return None
    if len({t.shape[:2] for t in tensors}) != 1:
        return None
    letters = ("b", "h", None, None)
    return Plan([letters] * 3, [letters])


_view_rules = dict.fromkeys("view reshape flatten unflatten".split(), _view)
_strided_rules = dict.fromkeys(
    "transpose t permute movedim moveaxis swapaxes swapdims select narrow chunk split unbind tensor_split "
    "split_with_sizes".split(),
    _strided(),
)
RULES = (
    dict.fromkeys(("matmul", "__matmul__", "__rmatmul__", "mm", "bmm", "mv", "dot", "inner"), _matmul)
    | _view_rules
    | _strided_rules
    | dict.fromkeys(("unsqueeze", "squeeze"), _strided(reshaped=True))
    | {"expand": _strided(expanded=True)}
    | {"sum": _reduction("sum", True), "amax": _reduction("max", False), "amin": _reduction("min", False)}
    | dict.fromkeys(("softmax", "log_softmax", "softmin"), _softmax)
    | dict.fromkeys("argmax argmin cumsum cumprod logsumexp var std prod argsort flip all any".split(), _along(1))
    | {"sort": _along(1, default=-1), "topk": _along(2, default=-1), "unflatten": _view}
    | {"max": None, "min": None}
    | dict.fromkeys(("layer_norm", "rms_norm"), _layer_norm)
    | dict.fromkeys(("cat", "concat", "stack"), _cat)
    | {"embedding": _embedding, "scaled_dot_product_attention": _attention, "__getitem__": _getitem}
)


def _extreme(name, args, kwargs, tensors, result):
    """max(), of a tensor alone, along a dimension, or of two."""
    if len(tensors) == 2:
        return _pointwise(name, args, kwargs, tensors, result)
    if isinstance(result, torch.Tensor):
        return _reduction(name, False)(name, args[:1], {}, tensors, result)
    return _along(1)(name, args, kwargs, tensors, result)


RULES |= {"max": _extreme, "min": _extreme}


def find(name, args, kwargs, tensors, result):
    """The call's Plan, or None: everything has to be whole. `result`: of whole tensors, without elements."""
    rule = RULES.get(name)
    if rule is not None:
        return rule(name, args, kwargs, tensors, result)
    if name in POINTWISE or (name.endswith("_") and not name.endswith("__") and name[:-1] in POINTWISE):
        return _pointwise(name, args, kwargs, tensors, result)
    return None
