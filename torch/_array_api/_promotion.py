"""The standard's promotion of dtypes: by dtypes alone. torch's lets a 0-dim tensor yield to one with dimensions."""

import torch

_KINDS = {
    "bool": {torch.bool},
    "signed integer": {torch.int8, torch.int16, torch.int32, torch.int64},
    "unsigned integer": {torch.uint8, torch.uint16, torch.uint32, torch.uint64},
    "real floating": {torch.float32, torch.float64, torch.float16, torch.bfloat16},
    "complex floating": {torch.complex64, torch.complex128, torch.complex32},
}
_KINDS["integral"] = _KINDS["signed integer"] | _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] | _KINDS["real floating"] | _KINDS["complex floating"]


def isdtype(dtype, kind):
    """Whether `dtype` is of a kind: a dtype, one of the standard's words, or a tuple of such."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, torch.dtype):
        return dtype == kind
    if kind not in _KINDS:
        raise ValueError(f"isdtype(): kind must be a dtype or one of {', '.join(map(repr, _KINDS))}, but got {kind!r}")
    return dtype in _KINDS[kind]


def result_type(*arrays_and_dtypes):
    """The dtype that those of arrays, dtypes and Python numbers promote to; of these at least one is no number."""
    dtypes = [x if isinstance(x, torch.dtype) else x.dtype for x in arrays_and_dtypes if not _is_number(x)]
    if not dtypes:
        raise ValueError("result_type(): at least one argument must be an array or a dtype, got Python numbers alone")
    found = dtypes[0]
    for dtype in dtypes[1:]:
        found = torch.promote_types(found, dtype)
    for number in filter(_is_number, arrays_and_dtypes):
        found = _with_number(found, number)
    return found


def can_cast(from_, to, /):
    """Whether a dtype, or an array's, promotes to `to`, or by torch's looser rule can be written into it."""
    return torch.can_cast(from_ if isinstance(from_, torch.dtype) else from_.dtype, to)


def _is_number(x):
    return isinstance(x, (bool, int, float, complex)) and not isinstance(x, torch.Tensor)


def _with_number(dtype, number):
    """A number is of the array's dtype where that holds its kind of numbers."""
    if isinstance(number, complex) and not dtype.is_complex:
        return torch.complex128 if dtype == torch.float64 else torch.complex64
    if isinstance(number, float) and not (dtype.is_floating_point or dtype.is_complex):
        return torch.get_default_dtype()
    if isinstance(number, int) and not isinstance(number, bool) and dtype == torch.bool:
        return torch.int64
    return dtype


def promoted(*arrays):
    """The arrays and numbers as torch's functions have to get them: arrays of one dtype where torch would choose another."""
    tensors = [x for x in arrays if isinstance(x, torch.Tensor)]
    if len(tensors) < 2 or len({x.dtype for x in tensors}) == 1 or len({x.dim() == 0 for x in tensors}) == 1:
        return arrays
    dtype = result_type(*arrays)
    return tuple(x.to(dtype) if isinstance(x, torch.Tensor) else x for x in arrays)
