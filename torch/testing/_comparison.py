"""assert_close: pairs of values, compared by what they are; containers by their parts.

A pair is tried as None, bools, numbers, then tensors and what becomes one; the first kind that takes both decides.
Containers are gone through first, so that nothing is compared where they do not match; the first failure is raised.
"""

from __future__ import annotations

import cmath
import collections.abc
import warnings

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__all__ = ["assert_allclose", "assert_close", "default_tolerances"]

_TOLERANCES = {  # dtype: (rtol, atol)
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex32: (1e-3, 1e-5),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}


def default_tolerances(*inputs, dtype_precisions=None):
    """The largest (rtol, atol) of the inputs' dtypes: of tensors or dtypes. (0, 0) for bools and integers."""
    dtypes = []
    for x in inputs:
        if not isinstance(x, (torch.Tensor, torch.dtype)):
            raise TypeError(f"Expected a torch.Tensor or a torch.dtype, but got {type(x)} instead.")
        dtypes.append(x.dtype if isinstance(x, torch.Tensor) else x)
    pairs = [(dtype_precisions or _TOLERANCES).get(dtype, (0.0, 0.0)) for dtype in dtypes]
    return max(r for r, _ in pairs), max(a for _, a in pairs)


class _Mismatch(Exception):
    """What is told of values that differ, or cannot be compared."""

    def __init__(self, kind, text, path=()):
        self.kind, self.text, self.path = kind, text, path

    def error(self, msg):
        """The exception to raise: `msg` in place of the text, or what `msg` makes of it."""
        text = self.text
        if self.path:
            text += f"\n\nThe failure occurred for item {''.join(f'[{at!r}]' for at in self.path)}"
        if msg is not None:
            text = msg(text) if callable(msg) else msg
        return self.kind(text)


class _Options:
    def __init__(self, rtol, atol, **checks):
        if (rtol is None) != (atol is None):
            missing = "atol" if atol is None else "rtol"
            raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
        self.rtol, self.atol = rtol, atol
        self.__dict__.update(checks)

    def tolerances(self, *dtypes):
        """(rtol, atol), as they were given or as the dtypes have them."""
        return default_tolerances(*dtypes) if self.rtol is None else (self.rtol, self.atol)


def _text_of_scalars(actual, expected, absolute, relative, rtol, atol, kind="Scalars"):
    equal = rtol == 0 and atol == 0

    def line(name, difference, tolerance):
        return f"{name} difference: {difference}" + ("" if equal else f" (up to {tolerance} allowed)")

    head = f"{kind} are not {'equal' if equal else 'close'}!\n\nExpected {expected} but got {actual}.\n"
    return head + line("Absolute", absolute, atol) + "\n" + line("Relative", relative, rtol)


# ---- pairs --------------------------------------------------------------------------------------------------


def _compare_none(actual, expected, options):
    if actual is not expected:
        raise _Mismatch(AssertionError, f"None mismatch: {actual} is not {expected}")


def _compare_bools(actual, expected, options):
    actual, expected = bool(actual), bool(expected)
    if actual is not expected:
        raise _Mismatch(AssertionError, f"Booleans mismatch: {actual} is not {expected}")


_DTYPES = {int: torch.int64, float: torch.float64, complex: torch.complex128}


def _number(x):
    """A number as Python's; NumPy's become such."""
    return x if type(x) in _DTYPES or isinstance(x, bool) else x.item() if hasattr(x, "item") else x


def _compare_numbers(actual, expected, options):
    actual, expected = _number(actual), _number(expected)
    if options.check_dtype and type(actual) is not type(expected):
        raise _Mismatch(AssertionError, f"The (d)types do not match: {type(actual)} != {type(expected)}.")
    rtol, atol = options.tolerances(*(_DTYPES[int if isinstance(x, bool) else type(x)] for x in (actual, expected)))
    if actual == expected or (options.equal_nan and cmath.isnan(actual) and cmath.isnan(expected)):
        return
    difference = abs(actual - expected)
    if cmath.isfinite(difference) and difference <= atol + rtol * abs(expected):
        return
    relative = float("inf") if expected == 0 else difference / abs(expected)
    raise _Mismatch(AssertionError, _text_of_scalars(actual, expected, difference, relative, rtol, atol))


def _as_tensor(x):
    if isinstance(x, torch.Tensor):
        return x
    try:
        return torch.as_tensor(x)
    except Exception:  # noqa: BLE001 - then it is no tensor-like
        return None


def _check_attributes(actual, expected, options):
    def check(name, a, b):
        if a != b:
            raise _Mismatch(AssertionError, f"The values for attribute '{name}' do not match: {a} != {b}.")

    check("shape", actual.shape, expected.shape)
    if options.check_device:
        check("device", actual.device, expected.device)
    if options.check_layout:
        check("layout", actual.layout, expected.layout)
    if options.check_dtype:
        check("dtype", actual.dtype, expected.dtype)
    if options.check_stride:
        check("stride()", actual.stride(), expected.stride())


_EXACT = (torch.uint16, torch.uint32, torch.uint64)  # which few operators take


def _alike(actual, expected):
    """Both on one device and of one dtype, which operators take."""
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    if actual.dtype != expected.dtype:
        dtype = torch.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(dtype), expected.to(dtype)
    if actual.dtype in _EXACT:
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    elif actual.dtype.is_floating_point and actual.dtype.itemsize == 1:
        actual, expected = actual.float(), expected.float()
    return actual, expected


def _compare_tensors(actual, expected, options):
    actual, expected = _as_tensor(actual), _as_tensor(expected)
    _check_attributes(actual, expected, options)
    rtol, atol = options.tolerances(actual, expected)
    if actual.device.type == "meta" or expected.device.type == "meta":
        return
    actual, expected = _alike(actual.detach(), expected.detach())
    if actual.layout != expected.layout:
        actual, expected = (t if t.layout == torch.strided else t.to_dense() for t in (actual, expected))
    if actual.layout != torch.strided:
        return _compare_sparse(actual, expected, options, rtol, atol)
    _compare_elements("Tensor-likes", actual, expected, options, rtol, atol)


_INDICES = {
    torch.sparse_coo: ("_indices",),
    torch.sparse_csr: ("crow_indices", "col_indices"),
    torch.sparse_csc: ("ccol_indices", "row_indices"),
    torch.sparse_bsr: ("crow_indices", "col_indices"),
    torch.sparse_bsc: ("ccol_indices", "row_indices"),
}


def _compare_sparse(actual, expected, options, rtol, atol):
    """Of one layout: places are equal, and values close."""
    kind = str(actual.layout).removeprefix("torch.sparse_").upper()
    if actual._nnz() != expected._nnz():
        text = f"The number of specified values in sparse {kind} tensors does not match"
        raise _Mismatch(AssertionError, f"{text}: {actual._nnz()} != {expected._nnz()}")
    for name in _INDICES[actual.layout]:
        indices = (getattr(t, name)().to(torch.int64) for t in (actual, expected))
        _compare_elements(f"Sparse {kind} {name.removeprefix('_')}", *indices, options, 0, 0)
    _compare_elements(f"Sparse {kind} values", actual._values(), expected._values(), options, rtol, atol)


def _compare_elements(what, actual, expected, options, rtol, atol):
    matches = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=options.equal_nan)
    if matches.all():
        return
    if actual.numel() == 1 and not actual.dim():
        a, e = actual.item(), expected.item()
        if isinstance(a, bool):
            a, e = int(a), int(e)
        absolute = abs(a - e)
        relative = float("inf") if e == 0 else absolute / abs(e)
        shown = _text_of_scalars(actual.item(), expected.item(), absolute, relative, rtol, atol)
        raise _Mismatch(AssertionError, shown)
    raise _Mismatch(AssertionError, _text_of_tensors(what, actual, expected, matches, rtol, atol))


def _text_of_tensors(what, actual, expected, matches, rtol, atol):
    """How many elements differ, and where the most."""
    equal = rtol == 0 and atol == 0
    wrong, total = matches.numel() - int(matches.sum()), matches.numel()
    if not (actual.is_floating_point() or actual.is_complex()):
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    absolute = (actual - expected).abs()
    absolute[matches] = 0
    relative = absolute / expected.abs()
    relative[matches] = 0

    def greatest(name, differences, tolerance):
        place = int(differences.flatten().argmax())
        at = tuple(int(i) for i in torch.unravel_index(torch.tensor(place), differences.shape))
        allowed = "" if equal else f" (up to {tolerance} allowed)"
        return f"Greatest {name} difference: {differences.flatten()[place].item()} at index {at}{allowed}"

    return "\n".join(
        [
            f"{what} are not {'equal' if equal else 'close'}!\n",
            f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})",
            greatest("absolute", absolute, atol),
            greatest("relative", relative, rtol),
        ]
    )


def _is_number(x):
    return isinstance(x, (int, float, complex)) or (
        _is_of_numpy(x) and hasattr(x, "item") and not hasattr(x, "__len__")
    )


def _is_of_numpy(x):
    return type(x).__module__ == "numpy"


def _is_bool(x):
    return isinstance(x, bool) or (_is_of_numpy(x) and type(x).__name__ in ("bool", "bool_"))


def _fits_tensors(actual, expected, options):
    """Both are tensors, or both of one type that becomes one."""
    direct = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if not direct or (not options.allow_subclasses and type(actual) is not type(expected)):
        return False
    return _as_tensor(actual) is not None and _as_tensor(expected) is not None


def _comparison(actual, expected, options):
    """The function that compares the pair."""
    if actual is None or expected is None:
        return _compare_none
    if _is_bool(actual) and _is_bool(expected):
        return _compare_bools
    if _is_number(actual) and _is_number(expected):
        return _compare_numbers
    if _fits_tensors(actual, expected, options):
        return _compare_tensors
    raise _Mismatch(
        TypeError, f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}."
    )


# ---- containers -----------------------------------------------------------------------------------------------


def _pairs(actual, expected, options, path=()):
    """(comparison, actual, expected, path) of all parts, in order."""

    def both(kind):
        return isinstance(actual, kind) and isinstance(expected, kind)

    if both(collections.abc.Sequence) and not isinstance(actual, str) and not isinstance(expected, str):
        if len(actual) != len(expected):
            text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            raise _Mismatch(AssertionError, text, path)
        return [
            pair
            for i, (a, e) in enumerate(zip(actual, expected, strict=True))
            for pair in _pairs(a, e, options, (*path, i))
        ]
    if both(collections.abc.Mapping):
        missing, more = (set(a) - set(b) for a, b in ((expected, actual), (actual, expected)))
        if missing or more:
            raise _Mismatch(
                AssertionError,
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {sorted(missing)}\n"
                f"Additional keys in the actual mapping: {sorted(more)}",
                path,
            )
        keys = list(actual)
        try:
            keys.sort()
        except TypeError:  # then as they come
            pass
        return [pair for key in keys for pair in _pairs(actual[key], expected[key], options, (*path, key))]
    try:
        return [(_comparison(actual, expected, options), actual, expected, path)]
    except _Mismatch as mismatch:
        raise _Mismatch(mismatch.kind, mismatch.text, path) from None


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
):
    """Raise AssertionError unless `actual` and `expected` are close: \\|actual - expected\\| <= atol + rtol · \\|expected\\|.

    Both are tensors, or what torch.as_tensor takes, of one type or one derived from the other's; numbers; bools; None; or
    sequences and mappings of such, whose parts are compared.

    Args:
        actual, expected: what is compared
        allow_subclasses (bool): whether types may differ as long as one is derived from the other
        rtol, atol (float, optional): tolerances, both or neither; by default float64's and complex128's are 1e-7 and 1e-7,
            float32's 1.3e-6 and 1e-5, bfloat16's 1.6e-2 and 1e-5, float16's 1e-3 and 1e-5, and 0 for bools and integers
        equal_nan (bool): whether NaN is close to NaN
        check_device, check_dtype, check_layout, check_stride (bool): whether these must be the same. Tensors whose dtypes
            differ are promoted where that is allowed
        msg (str or callable, optional): the text of the error where values differ, or what makes it of the text that there
            would be

    Raises ValueError for one tolerance without the other, TypeError for values that are not compared.

    Example::

        >>> torch.testing.assert_close(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.1]))
        Traceback (most recent call last):
        ...
        AssertionError: Tensor-likes are not close!
        ...
    """
    __tracebackhide__ = True  # of pytest
    options = _Options(
        rtol,
        atol,
        allow_subclasses=allow_subclasses,
        equal_nan=equal_nan,
        check_device=check_device,
        check_dtype=check_dtype,
        check_layout=check_layout,
        check_stride=check_stride,
    )
    try:
        pairs = _pairs(actual, expected, options)
    except _Mismatch as mismatch:
        raise mismatch.error(None) from None
    for compare, a, e, path in pairs:
        try:
            compare(a, e, options)
        except _Mismatch as mismatch:
            mismatch.path = path
            raise mismatch.error(msg) from None


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """assert_close as it once was, with a FutureWarning: of what becomes a tensor, whatever its type, dtype and device."""
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. Please use "
        "`torch.testing.assert_close()` instead.",
        FutureWarning,
        stacklevel=2,
    )
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        precisions = {torch.float16: (1e-3, 1e-3), torch.float32: (1e-4, 1e-5), torch.float64: (1e-5, 1e-8)}
        rtol, atol = default_tolerances(actual, expected, dtype_precisions=precisions)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_device=True,
        check_dtype=False,
        check_stride=False,
        msg=msg or None,
    )
