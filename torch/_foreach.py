"""torch._foreach_add and its kin: an operator on each tensor of a list.

Each is a loop over the operator, recorded and dispatched as that is. The forms in place give the list back that they were
given, the others a tuple. What a form in place refuses it refuses before it has changed any tensor.
"""

import torch

UNARY = """abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round
    rsqrt sigmoid sign sin sinh sqrt tan tanh trunc""".split()
BINARY = "add sub mul div pow maximum minimum clamp_max clamp_min".split()
TERNARY = "addcdiv addcmul".split()
_WITH_ALPHA = ("add", "sub")
_MISSING = object()


# ---- arguments ---------------------------------------------------------------------------------------------
def _tensors(name, what, value):
    if not isinstance(value, (list, tuple)):
        raise TypeError(
            f"{name}() received an invalid combination of arguments: {what} must be a list of Tensors, "
            f"not {type(value).__name__}"
        )
    for index, one in enumerate(value):
        if not isinstance(one, torch.Tensor):
            raise TypeError(
                f"expected Tensor as element {index} in argument '{what}' of {name}(), but got {type(one).__name__}"
            )
    return value


def _filled(name, what, value):
    if not _tensors(name, what, value):
        raise RuntimeError("Tensor list must have at least one tensor.")
    return value


def _as_many(name, self, what, value):
    if len(_tensors(name, what, value)) != len(self):
        raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(self)} and {len(value)}")
    return value


def _holds_tensors(value):
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], torch.Tensor)


def _each(name, self, value):
    """One operand for each of `self`: of a list of tensors or numbers, a number, a tensor without dimensions."""
    if _holds_tensors(value):
        return _as_many(name, self, "other", value)
    if isinstance(value, (list, tuple)):
        if len(value) != len(self):
            raise RuntimeError("Tensor list must have same number of elements as scalar list.")
        return value
    if isinstance(value, torch.Tensor) and value.dim():
        raise RuntimeError(
            f"scalar tensor expected to be 0 dim but it has {value.dim()} dimensions and {value.numel()} elements."
        )
    return [value] * len(self)


def _fits(self, *others):
    """Whether results go into `self`: asked of all before the first is written."""
    for tensor, *operands in zip(self, *others):
        for operand in operands:
            if not isinstance(operand, torch.Tensor):
                continue
            if operand.shape != tensor.shape and torch.broadcast_shapes(tensor.shape, operand.shape) != tensor.shape:
                raise RuntimeError(
                    f"output with shape {list(tensor.shape)} doesn't match the broadcast shape "
                    f"{list(torch.broadcast_shapes(tensor.shape, operand.shape))}"
                )
            result = torch.result_type(tensor, operand)
            if not torch.can_cast(result, tensor.dtype):
                raise RuntimeError(f"result type {result} can't be cast to the desired output type {tensor.dtype}")


def _one_of(name, given):
    """The value of the one argument that was given."""
    found = [value for value in given if value is not _MISSING]
    if len(found) != 1:
        raise TypeError(f"{name}() received an invalid combination of arguments: a list and one operand are expected")
    return found[0]


# ---- functions ---------------------------------------------------------------------------------------------
def _unary(name):
    function, method = getattr(torch, name), getattr(torch.Tensor, name + "_")

    def plain(self):
        return tuple(map(function, _filled("_foreach_" + name, "self", self)))

    def inplace(self):
        for tensor in _filled(f"_foreach_{name}_", "self", self):
            method(tensor)
        return self

    return plain, inplace


def _binary(name):
    function, method = getattr(torch, name), getattr(torch.Tensor, name + "_", None)
    if name in ("maximum", "minimum"):
        bound = torch.clamp_min if name == "maximum" else torch.clamp_max

        def function(tensor, other):
            return getattr(torch, name)(tensor, other) if isinstance(other, torch.Tensor) else bound(tensor, other)

        def method(tensor, other):
            return tensor.copy_(function(tensor, other))

    def arguments(self, given, alpha, who):
        other = _one_of(who, given)
        _filled(who, "self", self)
        return _each(who, self, other), {} if alpha is _MISSING else {"alpha": alpha}

    def compute(self, other=_MISSING, *, scalar=_MISSING, scalars=_MISSING, exponent=_MISSING, alpha=_MISSING):
        others, options = arguments(self, (other, scalar, scalars, exponent), alpha, "_foreach_" + name)
        return tuple(function(tensor, one, **options) for tensor, one in zip(self, others))

    def compute_inplace(self, other=_MISSING, *, scalar=_MISSING, scalars=_MISSING, exponent=_MISSING, alpha=_MISSING):
        others, options = arguments(self, (other, scalar, scalars, exponent), alpha, f"_foreach_{name}_")
        if name != "div" or all(tensor.dtype.is_floating_point or tensor.dtype.is_complex for tensor in self):
            _fits(self, others)
        else:
            raise RuntimeError(
                "_foreach_div_: integers are divided into floats: result type Float can't be cast to theirs"
            )
        for tensor, one in zip(self, others):
            method(tensor, one, **options)
        return self

    if name in _WITH_ALPHA:
        return compute, compute_inplace

    def plain(self, other=_MISSING, *, scalar=_MISSING, scalars=_MISSING, exponent=_MISSING):
        if name == "pow" and not isinstance(self, (list, tuple)):
            bases = _filled("_foreach_pow", "exponent", _one_of("_foreach_pow", (other, exponent)))
            return tuple(torch.pow(self, one) for one in bases)
        return compute(self, other, scalar=scalar, scalars=scalars, exponent=exponent)

    def inplace(self, other=_MISSING, *, scalar=_MISSING, scalars=_MISSING, exponent=_MISSING):
        return compute_inplace(self, other, scalar=scalar, scalars=scalars, exponent=exponent)

    return plain, inplace


def _ternary(name):
    function, method = getattr(torch, name), getattr(torch.Tensor, name + "_")

    def numbers(who, self, value, scalars):
        values = value if scalars is _MISSING else scalars
        if isinstance(values, torch.Tensor):
            if values.dim() != 1 or values.numel() != len(self):
                raise RuntimeError(
                    f"Expected length of scalars to match input of length {len(self)} but got {values.numel()} instead."
                )
            values = values.tolist()
        return _each(who, self, values)

    def plain(self, tensor1, tensor2, value=1, *, scalars=_MISSING):
        who = "_foreach_" + name
        _filled(who, "self", self)
        first, second = (_as_many(who, self, *pair) for pair in (("tensor1", tensor1), ("tensor2", tensor2)))
        values = numbers(who, self, value, scalars)
        return tuple(function(a, b, c, value=factor) for a, b, c, factor in zip(self, first, second, values))

    def inplace(self, tensor1, tensor2, value=1, *, scalars=_MISSING):
        who = f"_foreach_{name}_"
        _filled(who, "self", self)
        first, second = (_as_many(who, self, *pair) for pair in (("tensor1", tensor1), ("tensor2", tensor2)))
        values = numbers(who, self, value, scalars)
        _fits(self, first, second)
        for a, b, c, factor in zip(self, first, second, values):
            method(a, b, c, value=factor)
        return self

    return plain, inplace


def _foreach_lerp(self, tensors1, weight=_MISSING, *, weights=_MISSING):
    """Between each tensor of `self` and of `tensors1`; `weight`: a number, numbers or tensors."""
    _filled("_foreach_lerp", "self", self)
    parts = _each("_foreach_lerp", self, _one_of("_foreach_lerp", (weight, weights)))
    return tuple(map(torch.lerp, self, _as_many("_foreach_lerp", self, "tensors1", tensors1), parts))


def _foreach_lerp_(self, tensors1, weight=_MISSING, *, weights=_MISSING):
    """The same in place."""
    _filled("_foreach_lerp_", "self", self)
    parts = _each("_foreach_lerp_", self, _one_of("_foreach_lerp_", (weight, weights)))
    _fits(self, _as_many("_foreach_lerp_", self, "tensors1", tensors1), parts)
    for tensor, end, part in zip(self, tensors1, parts):
        tensor.lerp_(end, part)
    return self


def _foreach_norm(self, ord=2, dtype=None):  # noqa: A002 - torch's name
    """The norm of each tensor as a vector."""
    _filled("_foreach_norm", "self", self)
    return tuple(torch.linalg.vector_norm(tensor, ord, dtype=dtype) for tensor in self)


def _foreach_powsum(self, ord=2, dtype=None):  # noqa: A002 - torch's name
    """The sum of the magnitudes of each tensor to the power of `ord`."""
    _filled("_foreach_powsum", "self", self)
    return tuple(tensor.abs().pow(ord).sum(dtype=dtype) for tensor in self)


def _foreach_max(self):
    """The largest element of each tensor."""
    for tensor in _filled("_foreach_max", "self", self):
        if not tensor.numel():
            raise RuntimeError(
                "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined."
            )
    return tuple(tensor.max() for tensor in self)


def _foreach_mm(self, mat2):
    """The matrix product of each pair."""
    _filled("_foreach_mm", "self", self)
    return tuple(map(torch.mm, self, _as_many("_foreach_mm", self, "mat2", mat2)))


def _foreach_clone(self, *, memory_format=torch.preserve_format):
    """A copy of each tensor."""
    return tuple(tensor.clone(memory_format=memory_format) for tensor in _filled("_foreach_clone", "self", self))


def _foreach_zero_(self):
    """Zeros, in place."""
    for tensor in _filled("_foreach_zero_", "self", self):
        tensor.zero_()
    return self


def _foreach_copy_(self, src, non_blocking=False):
    """Copies each tensor of `src` into that of `self`."""
    _filled("_foreach_copy_", "self", self)
    _as_many("_foreach_copy_", self, "src", src)
    for tensor, source in zip(self, src):
        if tensor.shape != source.shape and torch.broadcast_shapes(tensor.shape, source.shape) != tensor.shape:
            raise RuntimeError(
                f"_foreach_copy_: a tensor of shape {list(source.shape)} does not go into {list(tensor.shape)}"
            )
    for tensor, source in zip(self, src):
        tensor.copy_(source, non_blocking)
    return self


def _all():
    made = {name: value for name, value in globals().items() if name.startswith("_foreach_")}
    for names, make in ((UNARY, _unary), (BINARY, _binary), (TERNARY, _ternary)):
        for name in names:
            for suffix, function in zip(("", "_"), make(name)):
                function.__name__ = function.__qualname__ = f"_foreach_{name}{suffix}"
                function.__doc__ = f"torch.{name}{' in place' if suffix else ''} for each tensor of a list."
                made[function.__name__] = function
    return made


FUNCTIONS = _all()
globals().update(FUNCTIONS)
