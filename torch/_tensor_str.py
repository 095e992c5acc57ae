"""How a tensor looks on the screen.

All numbers of a tensor are formatted alike: the largest and smallest of them decide between `1.`, `1.5000` and
`1.5000e+00`, the longest text is the column's width. Above `threshold` elements only `edgeitems` at either end of
each dimension are shown (and looked at).
"""

from __future__ import annotations

import math
from typing import Any

import torch


class _Options:
    precision = 4
    threshold = 1000
    edgeitems = 3
    linewidth = 80
    sci_mode = None


OPTIONS = PRINT_OPTS = _Options()  # the second is PyTorch's name

_PROFILES = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Set how tensors are printed: digits after the point, number of elements above which only the edges are shown,
    how many at each edge, characters per line, and whether to use scientific notation (None: as the values ask for).
    `profile` is "default", "short" or "full"; the other options change single values of it."""
    changes = dict(_PROFILES.get(profile, {}))
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    changes.update({name: value for name, value in given.items() if value is not None})
    for name, value in changes.items():
        setattr(OPTIONS, name, value)
    OPTIONS.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """The options as a dict that set_printoptions(**options) understands."""
    return {name: getattr(OPTIONS, name) for name in ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")}


class printoptions:
    """set_printoptions for the length of a with statement."""

    def __init__(self, **options):
        self.options = options

    def __enter__(self):
        self.before = get_printoptions()
        set_printoptions(**self.options)

    def __exit__(self, *error):
        set_printoptions(**self.before)


# ---- one number --------------------------------------------------------------------------------------------
def _float_format(values):
    """(function that formats one float, width) for all of these."""
    shown = [v for v in values if v and math.isfinite(v)]
    whole = all(v == math.floor(v) for v in shown)
    scientific, width = False, 1
    if shown:
        largest, smallest = max(map(abs, shown)), min(map(abs, shown))
        scientific = OPTIONS.sci_mode
        if scientific is None:
            scientific = largest / smallest > 1000.0 or largest > 1e8 or (not whole and smallest < 1e-4)
        digits = OPTIONS.precision
        if scientific:
            width = max(len(f"{v:.{digits}e}") for v in shown)
        elif whole:
            width = max(len(f"{v:.0f}") for v in shown) + 1  # the point
        else:
            width = max(len(f"{v:.{digits}f}") for v in shown)
    if scientific:
        return f"{{:{width}.{OPTIONS.precision}e}}".format, width
    if whole:
        return lambda v: f"{v:.0f}." if math.isfinite(v) else f"{v:.0f}", width
    return f"{{:.{OPTIONS.precision}f}}".format, width


def _formatter(values, dtype):
    """A function from a number to its text, and the width that all texts are padded to."""
    if dtype.is_complex:
        real, width = _formatter([v.real for v in values], dtype.to_real())
        imag, imag_width = _formatter([v.imag for v in values], dtype.to_real())

        def parts(v):
            second = imag(v.imag).lstrip()
            return real(v.real) + ("" if second[0] == "-" else "+") + second + "j"

        return parts, width + imag_width + 1
    if dtype.is_floating_point:
        text, width = _float_format(values)
    else:
        text, width = str, max([1, *(len(str(v)) for v in values)])
    return lambda v: text(v).rjust(width), width


# ---- nested lists ------------------------------------------------------------------------------------------
def get_summarized_data(self):
    """What is shown of a tensor above the threshold, as a tensor: of every dimension of more than twice `edgeitems`
    only the elements at either end. Shape: min(size, 2 * edgeitems) in each dimension; the dtype stays."""
    edge = OPTIONS.edgeitems
    for dim, size in enumerate(self.shape):
        if size > 2 * edge:
            self = torch.cat((self.narrow(dim, 0, edge), self.narrow(dim, size - edge, edge)), dim)
    return self


def _edges(tensor):
    """Nested lists of the elements that are shown, with `...` in the gaps."""
    if tensor.dim() == 0:
        return tensor.item()
    edge, size = OPTIONS.edgeitems, len(tensor)
    if size <= 2 * edge:
        return tensor.tolist() if tensor.dim() == 1 else [_edges(row) for row in tensor]
    first, last = tensor[:edge], tensor[size - edge :]
    return [*map(_edges, first), ..., *map(_edges, last)]


def _flatten(nested, out):
    """The numbers of nested lists, in order."""
    for item in nested:
        if isinstance(item, list):
            _flatten(item, out)
        elif item is not ...:
            out.append(item)
    return out


def _vector_text(items, indent, text, width):
    per_line = max(1, (OPTIONS.linewidth - indent) // (width + 2))
    texts = [" ..." if item is ... else text(item) for item in items]
    lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _nested_text(items, dim, indent, text, width):
    if dim == 1:
        return _vector_text(items, indent, text, width)
    rows = ["..." if item is ... else _nested_text(item, dim - 1, indent + 1, text, width) for item in items]
    return "[" + ("," + "\n" * (dim - 1) + " " * (indent + 1)).join(rows) + "]"


def _elements_text(tensor, indent):
    dim, summary = tensor.dim(), tensor.numel() > OPTIONS.threshold
    if summary and not OPTIONS.edgeitems:
        return "[...]"
    nested = _edges(tensor) if summary else tensor.tolist()
    values = [nested] if dim == 0 else _flatten(nested, [])
    text, width = _formatter(values, tensor.dtype)
    return text(nested) if dim == 0 else _nested_text(nested, dim, indent, text, width)


# ---- the whole ---------------------------------------------------------------------------------------------
def _with_suffixes(text, suffixes, indent, new_line=False):
    """Suffixes after commas, on lines of their own where the last one would become too long; the first one on one anyway with
    `new_line`."""
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if new_line or used + len(suffix) + 2 > OPTIONS.linewidth:
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
            new_line = False
        else:
            text += ", " + suffix
            used += len(suffix) + 2
    return text + ")"


def _gradient_suffix(tensor):
    """What says whether a tensor is recorded: the node that computed it, or that its user wants gradients."""
    try:
        node = tensor.grad_fn
    except RuntimeError:  # of a view whose base was written since in a way that cannot be retraced
        return ["grad_fn=<Invalid>"]
    if node is not None:
        return [f"grad_fn=<{type(node).__name__}>"]
    return ["requires_grad=True"] if tensor.requires_grad else []


def tensor_text(tensor, contents=None):
    """What repr() says; `contents` stands in the elements' place."""
    kind = type(tensor)
    is_plain = kind is torch.Tensor or vars(kind).get("_prints_as_tensor", False)  # an nn.Parameter does
    prefix = "tensor(" if is_plain else f"{kind.__name__}("
    indent = len(prefix)
    default = torch.get_default_dtype()
    complex_default = torch.complex128 if default == torch.float64 else torch.complex64
    suffixes = [] if tensor.is_cpu else [f"device='{tensor.device}'"]
    if tensor.layout != torch.strided and contents is None:
        from torch.sparse import _printing

        return _printing.text(tensor, prefix, suffixes, _gradient_suffix(tensor))
    if tensor.is_meta:
        body = "..." if contents is None else contents
        suffixes.append(f"size={tuple(tensor.shape)}")
        if tensor.dtype != default:
            suffixes.append(f"dtype={tensor.dtype}")
    elif tensor.numel() == 0 and contents is None:
        body = "[]"
        if tensor.dim() != 1:
            suffixes.append(f"size={tuple(tensor.shape)}")
        if tensor.dtype != default:
            suffixes.append(f"dtype={tensor.dtype}")
    else:
        body = _elements_text(tensor.detach(), indent) if contents is None else contents
        if not OPTIONS.edgeitems and contents is None:
            suffixes.append(f"size={tuple(tensor.shape)}")
        if tensor.dtype not in (default, complex_default, torch.int64, torch.bool):
            suffixes.append(f"dtype={tensor.dtype}")
    suffixes += _gradient_suffix(tensor)
    return _with_suffixes(prefix + body, suffixes, indent)


# ---- PyTorch's names, which libraries with tensors of their own print by -------------------------------------
def _tensor_str(self, indent):
    """The elements, `indent` columns from the left."""
    if self.numel() == 0:
        return "[]"
    return _elements_text(self.detach(), indent)


def _add_suffixes(tensor_str, suffixes, indent, force_newline=False):
    """The text with what is said after it; `force_newline`: on a line of its own."""
    return _with_suffixes(tensor_str, suffixes, indent, force_newline)


def _str_intern(inp, *, tensor_contents=None):
    """What repr() of a tensor says."""
    return tensor_text(inp, tensor_contents)


def _str(self, *, tensor_contents=None):
    """What repr() of a tensor says; nothing in it is recorded, and no mode hears of it."""
    with torch.no_grad(), torch._C.DisableTorchFunctionSubclass():
        return tensor_text(self, tensor_contents)
