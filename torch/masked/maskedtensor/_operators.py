"""What functions do to a MaskedTensor: to its elements, and to its mask."""

import copy

import torch
from torch import Tensor
from torch.masked._ops import _dims
from torch.masked.maskedtensor.core import (
    MaskedTensor,
    aligned,
    counted,
    data_of,
    is_masked_tensor,
    made,
    on_values,
    same_places,
    with_values,
)

# One element at a time, by their names as functions; those in place end in `_`.
_UNARY = frozenset(
    """abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_not ceil clamp
    clip conj_physical cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 fix floor frac i0 isnan lgamma log log10 log1p
    log2 logit nan_to_num neg negative positive pow rad2deg reciprocal round rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt
    square tan tanh trunc psi gammaln expit conj float_power isfinite isreal real resolve_conj resolve_neg""".split()
)
_UNARY_IN_PLACE = frozenset(f"{name}_" for name in _UNARY - {"angle", "positive", "signbit", "isnan", "float_power"})
_BINARY = frozenset(
    """add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor div divide eq
    floor_divide fmax fmin fmod ge greater greater_equal gt le less less_equal logaddexp logaddexp2 lt maximum minimum mul
    multiply ne nextafter not_equal remainder sub subtract true_divide""".split()
)
_BINARY_IN_PLACE = frozenset(
    f"{name}_" for name in _BINARY - {"logaddexp", "logaddexp2", "fmin", "fmax", "minimum", "maximum"}
)
# Python's operators that have no method of their own name.
_PYTHON = {
    "__and__": "bitwise_and",
    "__rand__": "bitwise_and",
    "__iand__": "bitwise_and_",
    "__or__": "bitwise_or",
    "__ror__": "bitwise_or",
    "__ior__": "bitwise_or_",
    "__xor__": "bitwise_xor",
    "__rxor__": "bitwise_xor",
    "__ixor__": "bitwise_xor_",
    "__eq__": "eq",
    "__ne__": "ne",
    "__invert__": "bitwise_not",
    "__floordiv__": "floor_divide",
    "__rfloordiv__": "floor_divide",
    "__rmod__": "remainder",
    "__rtruediv__": "div",
    "__rdiv__": "div",
}
# The same to the elements and to the mask.
_VIEWS = frozenset(
    """__getitem__ adjoint atleast_1d atleast_2d atleast_3d broadcast_to cat chunk column_stack concat concatenate dstack
    expand expand_as flatten hsplit hstack meshgrid narrow ravel reshape reshape_as row_stack select split stack swapaxes
    swapdims t tensor_split transpose unflatten unfold unsqueeze view view_as vsplit vstack""".split()
)
_CONVERSIONS = frozenset(
    "bfloat16 bool byte char cpu cuda double float half int long pin_memory short to type type_as".split()
)
# What asks for no element.
_QUESTIONS = frozenset(
    """__hash__ __len__ data_ptr dim element_size get_device has_names is_complex is_contiguous is_conj is_floating_point
    is_inference is_neg is_same_size is_shared is_signed ndimension nelement numel requires_grad_ result_type retain_grad
    register_post_accumulate_grad_hook size storage_offset stride __dir__ __reduce_ex__ __deepcopy__ _nnz is_coalesced
    sparse_dim dense_dim indices _indices crow_indices col_indices ccol_indices row_indices""".split()
)
# Those with a mirrored twin that PyTorch lacks: Python's own TypeError.
_UNANSWERED = frozenset(["__rsub__", "__rpow__", "__matmul__", "__rmatmul__", "__lshift__", "__rshift__"])


def call(func, args, kwargs):
    """func(*args, **kwargs), with a MaskedTensor among them."""
    if func is torch.autograd.grad:
        return _gradients(*args, **kwargs)
    name = getattr(func, "__name__", str(func))
    if name == "__get__":
        return _attribute(func, *args)
    if name == "__set__":
        return func(args[0], *(_gradient_data(arg) if is_masked_tensor(arg) else arg for arg in args[1:]))
    name = _PYTHON.get(name, name).removeprefix("special_")
    if name in _MEANINGS:
        return _MEANINGS[name](*args, **kwargs)
    if name in ("max", "min") and isinstance((*args, *kwargs.values())[-1], Tensor) and len(args) + len(kwargs) == 2:
        name = f"{name}imum"
    for names, does in _KINDS:
        if name in names:
            return does(func, name, args, kwargs)
    if name in _UNANSWERED:
        return NotImplemented
    refuse(name)


def refuse(name):
    raise TypeError(
        f"{name}() is not implemented for MaskedTensor: of its elements get_data() and to_tensor(value) make a plain tensor"
    )


def _data(value):
    """With plain tensors in place of masked ones, in lists and tuples too."""
    return _replaced(value, data_of)


def _replaced(value, by):
    if is_masked_tensor(value):
        return by(value)
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return type(value)(_replaced(each, by) for each in value)
    return value


def _positional(args, kwargs, *names):
    """The arguments in `names`, which may be given by name, in front; (args, other kwargs)."""
    kwargs, args = dict(kwargs), list(args)
    for name in names:
        if name in kwargs:
            args.insert(0 if name == "input" else len(args), kwargs.pop(name))
    return args, kwargs


# ---- one element at a time ---------------------------------------------------------------------------------
def _unary(func, name, args, kwargs):
    args, kwargs = _positional(args, kwargs, "input")
    if {"out", "decimals"} & set(kwargs):
        raise ValueError(f"{name}() of a MaskedTensor: len(kwargs) must equal 0, got {sorted(kwargs)}")
    masked = args[0]
    if not is_masked_tensor(masked) or any(isinstance(value, Tensor) for value in (*args[1:], *kwargs.values())):
        raise TypeError(f"{name}() of a MaskedTensor takes no other tensor, masked or not")
    if name in _UNARY_IN_PLACE:
        return _in_place(func, masked, *args[1:], **kwargs)
    return made(on_values(func, data_of(masked), *args[1:], **kwargs), masked.get_mask())


def _in_place(func, masked, *args, **kwargs):
    if masked.layout == torch.strided:
        return func(masked, *args, **kwargs)
    written = on_values(lambda values, *rest: func(values.clone(), *rest, **kwargs), data_of(masked), *args)
    return masked.copy_(written)


def _binary(func, name, args, kwargs):
    args, kwargs = _positional(args, kwargs, "input", "other")
    if kwargs:
        raise ValueError(f"{name}() of a MaskedTensor: len(kwargs) must equal 0, got {sorted(kwargs)}")
    if any(isinstance(value, Tensor) for value in args[2:]):
        raise TypeError(f"{name}() of a MaskedTensor takes no tensor beside its two operands")
    left, right = args[:2]
    if is_masked_tensor(left) and is_masked_tensor(right) and not _equal(left.get_mask(), right.get_mask()):
        raise ValueError(
            f"{name}(): Input masks must match, and those of shapes {tuple(left.shape)} and {tuple(right.shape)} differ"
        )
    if name in _BINARY_IN_PLACE:
        if not is_masked_tensor(left):
            raise TypeError(f"{name}() of a plain tensor takes no MaskedTensor")
        return _in_place(func, left, *_operands(left, (right,)), *args[2:])
    masked = left if is_masked_tensor(left) else right
    result = on_values(func, *_operands(masked, (left, right)), *args[2:])
    mask = masked.get_mask()
    return made(result, mask.expand(result.shape) if mask.layout == torch.strided else mask)


def _equal(one, other):
    if one.layout != other.layout or one.dim() != other.dim():
        return False
    if one.layout != torch.strided:
        return one.shape == other.shape and same_places(one, other) and torch.equal(one.values(), other.values())
    return bool(torch.eq(one, other).all())


def _operands(masked, values):
    """The operands as plain tensors, gradients of those that are plain flowing from what counts only."""
    return [_plain_operand(masked, value) for value in values]


def _plain_operand(masked, value):
    if is_masked_tensor(value):
        return data_of(value)
    if not isinstance(value, Tensor) or not value.requires_grad or not torch.is_grad_enabled():
        return value
    if value.dim() == 0:  # where() gives it dimensions, which would say more in promotion
        value = value.to(torch.result_type(data_of(masked), value))
    if masked.layout != torch.strided:
        return value
    shape = torch.broadcast_shapes(masked.shape, value.shape)
    return counted(value, masked.get_mask().expand(shape))


def _where(condition, input, other):
    if is_masked_tensor(condition) or not isinstance(condition, Tensor):
        raise TypeError(f"where() of MaskedTensors: the condition is a plain tensor, got {type(condition).__name__}")
    data = torch.where(condition, _data(input), _data(other))
    masks = [
        value.get_mask() if is_masked_tensor(value) else torch.ones((), dtype=torch.bool, device=data.device)
        for value in (input, other)
    ]
    return made(data, torch.where(condition, *masks))


# ---- shapes ------------------------------------------------------------------------------------------------
def _view(func, name, args, kwargs):
    if name == "__getitem__" and is_masked_tensor(args[1]):
        raise TypeError("a MaskedTensor is no index: get_data() & get_mask() is one")
    values = [*args[0]] if isinstance(args[0], (list, tuple)) else args[:1]
    if any(isinstance(value, Tensor) and not is_masked_tensor(value) for value in values):
        raise TypeError(f"{name}() takes plain tensors or MaskedTensors, not both: the mask of the former is not known")
    if any(isinstance(value, torch.dtype) for value in args):
        raise TypeError(
            f"{name}(): the bytes of a MaskedTensor are not seen as another dtype, as its mask has no such view"
        )
    mask_of = MaskedTensor.get_mask
    if func is torch.nn.functional.unfold:  # which has no kernel for bool
        mask_of = lambda masked: masked.get_mask().to(masked.dtype)  # noqa: E731
    data = func(*_data(args), **_shapes(kwargs))
    masks = func(*(_replaced(arg, mask_of) for arg in args), **_shapes(kwargs))
    return _wrapped(data, masks)


def _shapes(kwargs):
    return {name: _data(value) for name, value in kwargs.items()}


def _wrapped(data, mask):
    """Of views of the elements copies, as PyTorch makes: what is written to them is written to them alone."""
    if isinstance(data, (list, tuple)):
        return type(data)(_wrapped(*pair) for pair in zip(data, mask))
    return made(*aligned(data.clone(), mask.to(torch.bool)))


def _converted(func, name, args, kwargs):
    masked = args[0]
    if not is_masked_tensor(masked):
        return func(*_data(args), **_shapes(kwargs))
    data = data_of(masked)
    result = func(data, *_data(args[1:]), **_shapes(kwargs))
    return masked if result is data else made(result, masked.get_mask().to(result.device))


# ---- reductions --------------------------------------------------------------------------------------------
def _reduction(name):
    def reduced(input, dim=None, keepdim=False, dtype=None):
        mask = input.get_mask()
        result = getattr(torch.masked, name)(input, dim=dim, keepdim=keepdim, dtype=dtype, mask=mask)
        if result.layout != torch.strided:
            return _counting(result)
        return made(result, _any(mask, dim, keepdim))

    return reduced


def _any(mask, dim, keepdim):
    """Which results are of anything that counts."""
    dims = _dims(dim, mask.dim())
    return mask.any(dims, keepdim) if dims else mask


def _counting(result):
    """A sparse result as a MaskedTensor: what it has counts. That of a reduction over all dimensions is strided."""
    if not result.dim():
        return made(result.to_dense(), torch.tensor(result._nnz() > 0, device=result.device))
    result = result.coalesce() if result.layout == torch.sparse_coo else result
    return made(result, with_values(result, torch.ones_like(result.values(), dtype=torch.bool)))


def _all(input, dim=None, keepdim=False):
    mask = input.get_mask()
    if mask.layout != torch.strided:
        bits = on_values(lambda values: values.bool().to(torch.uint8), data_of(input))
        return _counting(torch.masked.amin(bits, dim, keepdim=keepdim, mask=mask).to(torch.bool))
    data = data_of(input).masked_fill(~mask, True)
    dims = _dims(dim, data.dim())
    return made(data.all(dims, keepdim) if dims else data.bool(), _any(mask, dim, keepdim))


def _norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    result = torch.masked.norm(input, 2.0 if p in ("fro", None) else p, dim, keepdim=keepdim, dtype=dtype)
    if result.layout != torch.strided:
        return _counting(result)
    return made(result, _any(input.get_mask(), dim, keepdim))


def _softmax(input, dim, _stacklevel=3, dtype=None):
    result = torch.masked.softmax(input, dim, dtype=dtype)
    if result.layout != torch.strided:
        return _counting(result)
    return made(counted(result, input.get_mask()), input.get_mask())


# ---- what concerns one tensor ------------------------------------------------------------------------------
def _attribute(func, masked, *rest):
    name = func.__self__.__name__
    if name in ("T", "mT", "H", "mH"):
        if name == "T":
            refuse("T")
        return made(*aligned(getattr(data_of(masked), name).clone(), masked.get_mask().mT))
    if name in ("data", "real"):
        data = data_of(masked)
        return made((data.detach() if name == "data" else data).clone(), masked.get_mask())
    value = func(masked, *rest)
    return _of_mask(masked, value) if name == "grad" else value


def _of_mask(masked, gradient):
    """A gradient of `masked`, as one."""
    if gradient is None or is_masked_tensor(gradient):
        return gradient
    return made(gradient, masked.get_mask())


def _gradient_data(gradient):
    """What arrives as the gradient: 0 where nothing counts."""
    return gradient.to_tensor(0) if is_masked_tensor(gradient) else gradient


def _tuple(values):
    return (values,) if isinstance(values, Tensor) or values is None else tuple(values)


def _gradients(outputs, inputs, grad_outputs=None, *args, **kwargs):
    inputs = _tuple(inputs)
    starts = None if grad_outputs is None else [_gradient_data(each) for each in _tuple(grad_outputs)]
    found = torch.autograd.grad(outputs, inputs, starts, *args, **kwargs)
    return tuple(
        _of_mask(input, gradient) if is_masked_tensor(input) else gradient for input, gradient in zip(inputs, found)
    )


def _backward(self, gradient=None, *args, **kwargs):
    return Tensor.backward(self, _gradient_data(gradient), *args, **kwargs)


def _register_hook(self, hook):
    if not is_masked_tensor(self):
        return self.register_hook(hook)

    def masked_hook(gradient):
        return _gradient_data(hook(_of_mask(self, gradient)))

    return self.register_hook(masked_hook)


def _number(method):
    def number(self, *args):
        if self.numel() == 1 and not self.get_mask().all():
            raise ValueError(f"{method}(): the only element of this MaskedTensor does not count")
        return getattr(data_of(self), method)(*args)

    return number


def _copy_in_place(self, source, non_blocking=False):
    if not is_masked_tensor(self):
        raise TypeError(
            "copy_() of a MaskedTensor to a plain tensor: to_tensor(value) says what stands for what is masked"
        )
    self.copy_(_data(source), non_blocking)
    return self


# ---- layouts -----------------------------------------------------------------------------------------------
def _converted_to(layout, convert):
    def to_layout(input, *args, **kwargs):
        if args or kwargs:
            raise TypeError(f"a MaskedTensor becomes one of the layout {layout} without further arguments")
        if input.layout == layout:
            return input
        mask = convert(input.get_mask())
        mask = mask.coalesce() if layout == torch.sparse_coo else mask
        data = data_of(input)
        return made(convert(data) if layout == torch.strided else data.sparse_mask(mask), mask)

    return to_layout


def _dense_question(name):
    """What has an answer for a strided tensor alone."""

    def ask(input, *args, **kwargs):
        if input.layout != torch.strided:
            raise ValueError(f"a MaskedTensor of layout {input.layout} has no {name}()")
        return getattr(Tensor, name)(input, *args, **kwargs)

    return ask


def _contiguous(input, **kwargs):
    if _dense_question("is_contiguous")(input, **kwargs):
        return input
    return made(data_of(input).contiguous(**kwargs), input.get_mask().contiguous())


def _dropout(input, p=0.5, training=True, inplace=False):
    if training:
        refuse("dropout")
    return input


def _refused(error, text):
    def raises(*args, **kwargs):
        raise error(text)

    return raises


_MEANINGS = {
    **{name: _reduction(name) for name in "sum mean amin amax argmin argmax prod var std".split()},
    "all": _all,
    "norm": _norm,
    "softmax": _softmax,
    "where": lambda *args, **kwargs: _where_method(args, kwargs),
    "backward": _backward,
    "register_hook": _register_hook,
    "copy_": _copy_in_place,
    "clone": lambda input, **kwargs: made(data_of(input).clone(**kwargs), input.get_mask()),
    "detach": lambda input: made(data_of(input).detach().clone(), input.get_mask()),
    "detach_": lambda input: input.detach_(),
    "ones_like": lambda input, **kwargs: made(on_values(torch.ones_like, data_of(input), **kwargs), input.get_mask()),
    "contiguous": _contiguous,
    "is_contiguous": _dense_question("is_contiguous"),
    "to_dense": _converted_to(torch.strided, Tensor.to_dense),
    "to_sparse": _converted_to(torch.sparse_coo, Tensor.to_sparse),
    "to_sparse_coo": _converted_to(torch.sparse_coo, Tensor.to_sparse),
    "values": lambda input: made(data_of(input).values(), input.get_mask().values()),
    "_values": lambda input: made(data_of(input)._values(), input.get_mask()._values()),
    "coalesce": lambda input: input,
    "to_sparse_csc": _converted_to(torch.sparse_csc, Tensor.to_sparse_csc),
    "to_sparse_csr": _converted_to(torch.sparse_csr, Tensor.to_sparse_csr),
    **{name: _number(name) for name in "item __float__ __int__ __bool__ __index__ __complex__".split()},
    "is_nonzero": lambda input: _number("__bool__")(input),
    "__format__": lambda input, spec: format(repr(input), spec),
    "__setitem__": _refused(
        TypeError, "a MaskedTensor cannot be written by index: torch.where() chooses between two of them"
    ),
    "numpy": _refused(RuntimeError, ".numpy() is not supported for tensor subclasses: to_tensor(value).numpy() is"),
    "__array__": _refused(RuntimeError, ".numpy() is not supported for tensor subclasses: to_tensor(value).numpy() is"),
    "tolist": _refused(RuntimeError, ".tolist() is not supported for tensor subclasses: to_tensor(value).tolist() is"),
    "__copy__": lambda input: copy.deepcopy(input),
    "dropout": _dropout,
}


def _where_method(args, kwargs):
    if len(args) != 3 or kwargs:
        raise ValueError(f"where() of MaskedTensors: len(args) must be 3, got {len(args)} and {sorted(kwargs)} by name")
    return _where(*args)


def _question(func, name, args, kwargs):
    return func(*args, **kwargs)


_KINDS = (
    (_UNARY, _unary),
    (_UNARY_IN_PLACE, _unary),
    (_BINARY, _binary),
    (_BINARY_IN_PLACE, _binary),
    (_VIEWS, _view),
    (_CONVERSIONS, _converted),
    (_QUESTIONS, _question),
)
