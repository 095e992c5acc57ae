"""FlopCounterMode: how many floating-point operations of products, convolutions and attention a program computes, by module
and operator.

It counts what runs below recording, the parts of a backward pass among it. A multiplication and an addition are two. Of
operators that are given their result (`out=`) it does not hear. Attention on the CPU counts here as on other devices,
where PyTorch counts nothing.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from math import prod

import torch
from torch import _C
from torch._ops import ops, overload_of
from torch.utils._pytree import tree_map
from torch.utils.module_tracker import ModuleTracker

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any


__all__ = ["FlopCounterMode", "register_flop_formula"]

aten = ops.aten

# ---- formulas ------------------------------------------------------------------------------------------------
flop_registry = {}


def get_shape(i):
    """A tensor's shape; anything else as it is."""
    return i.shape if isinstance(i, torch.Tensor) else i


def shape_wrapper(f):
    """`f`, given shapes where the operator has tensors."""

    @functools.wraps(f)
    def counted(*args, out_val=None, **kwargs):
        args, kwargs, shapes = tree_map(get_shape, (args, kwargs, out_val))
        return f(*args, out_shape=shapes, **kwargs)

    return counted


def register_flop_formula(targets, get_raw=False):
    """A decorator: the function counts for these operators, such as torch.ops.aten.mm. It is called as the operator is, with
    shapes for tensors and that of the result as `out_shape`; with `get_raw`, with the tensors themselves and the result as
    `out_val`."""

    def register(formula):
        counted = formula if get_raw else shape_wrapper(formula)
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            packet = getattr(target, "overloadpacket", target)
            if packet in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[packet] = counted
        return formula

    return register


@register_flop_formula(aten.mm)
def mm_flop(a_shape, b_shape, *args, out_shape=None, **kwargs):
    """Of a product of two matrices."""
    m, k = a_shape
    k2, n = b_shape
    if k != k2:
        raise AssertionError(f"matmul: inner dimensions must match (k == k2), got {k} and {k2}")
    return m * n * 2 * k


@register_flop_formula(aten.addmm)
def addmm_flop(self_shape, a_shape, b_shape, out_shape=None, **kwargs):
    """Of the product in it."""
    return mm_flop(a_shape, b_shape)


@register_flop_formula(aten.bmm)
def bmm_flop(a_shape, b_shape, out_shape=None, **kwargs):
    """Of products of two matrices each."""
    b, m, k = a_shape
    b2, k2, n = b_shape
    if b != b2 or k != k2:
        raise AssertionError(f"bmm: batches and inner dimensions must match, got {tuple(a_shape)} and {tuple(b_shape)}")
    return b * m * n * 2 * k


@register_flop_formula(aten.baddbmm)
def baddbmm_flop(self_shape, a_shape, b_shape, out_shape=None, **kwargs):
    """Of the products in it."""
    return bmm_flop(a_shape, b_shape)


def conv_flop_count(x_shape, w_shape, out_shape, transposed=False):
    """Of a convolution: at each position of the result (of the input, if it is transposed) one use of the whole weight."""
    positions = prod((x_shape if transposed else out_shape)[2:])
    c_out, c_in, *filter_size = w_shape
    return prod(filter_size) * x_shape[0] * positions * c_out * c_in * 2


@register_flop_formula([aten.convolution, aten._convolution] if hasattr(aten, "_convolution") else aten.convolution)
def conv_flop(x_shape, w_shape, _bias, _stride, _padding, _dilation, transposed, *args, out_shape=None, **kwargs):
    """Of a forward convolution."""
    return conv_flop_count(x_shape, w_shape, out_shape, transposed=transposed)


def _t(shape):
    return [shape[1], shape[0], *shape[2:]]


def conv_backward_flop(
    grad_out_shape,
    x_shape,
    w_shape,
    _bias,
    _stride,
    _padding,
    _dilation,
    transposed,
    _output_padding,
    _groups,
    output_mask,
    out_shape,
    **kwargs,
):
    """Of a convolution's gradients: `output_mask` says of which arguments they are wanted."""
    count = 0
    if output_mask[0]:
        count += conv_flop_count(grad_out_shape, w_shape, get_shape(out_shape[0]), not transposed)
    if output_mask[1]:
        given = (grad_out_shape, x_shape) if transposed else (x_shape, grad_out_shape)
        count += conv_flop_count(*map(_t, (*given, get_shape(out_shape[1]))), transposed=False)
    return count


def _conv_weight_flop(moved_shape, window_shape, *args, out_shape=None, **kwargs):
    """Of the weight's gradient alone."""
    return conv_flop_count(_t(moved_shape), _t(window_shape), _t(out_shape), transposed=False)


def sdpa_flop_count(query_shape, key_shape, value_shape):
    """Of attention: scores, and what they weigh."""
    b, h, s_q, d_q = query_shape
    b2, h2, s_k, d_k = key_shape
    b3, h3, s_v, d_v = value_shape
    if not (b == b2 == b3 and h == h2 == h3 and d_q == d_k and s_k == s_v):
        shapes = ", ".join(str(tuple(shape)) for shape in (query_shape, key_shape, value_shape))
        raise AssertionError(f"attention: query, key and value do not fit: {shapes}")
    return bmm_flop((b * h, s_q, d_q), (b * h, d_k, s_k)) + bmm_flop((b * h, s_q, s_k), (b * h, s_v, d_v))


def sdpa_flop(query_shape, key_shape, value_shape, *args, out_shape=None, **kwargs):
    """Of attention's forward pass."""
    return sdpa_flop_count(query_shape, key_shape, value_shape)


def sdpa_backward_flop_count(grad_out_shape, query_shape, key_shape, value_shape):
    """Of attention's gradients: the scores once more, and two products for each of theirs."""
    b, h, s_q, d_q = query_shape
    _, _, s_k, _ = key_shape
    d_v = value_shape[-1]
    scores = bmm_flop((b * h, s_q, d_q), (b * h, d_q, s_k))
    weighed = bmm_flop((b * h, s_q, d_v), (b * h, d_v, s_k))
    grads = bmm_flop((b * h, s_k, s_q), (b * h, s_q, d_v)) + 2 * bmm_flop((b * h, s_q, s_k), (b * h, s_k, d_q))
    return scores + weighed + grads


def sdpa_backward_flop(grad_out_shape, query_shape, key_shape, value_shape, *args, out_shape=None, **kwargs):
    """Of attention's backward pass."""
    return sdpa_backward_flop_count(grad_out_shape, query_shape, key_shape, value_shape)


def _register_known(names, formula):
    """For those of these operators of PyTorch's that are here."""
    register_flop_formula([getattr(aten, name) for name in names if hasattr(aten, name)])(formula)


_KINDS = ("flash_attention", "efficient_attention", "cudnn_attention", "flash_attention_for_cpu")
_register_known([f"_scaled_dot_product_{kind}" for kind in _KINDS], sdpa_flop)
_register_known([f"_scaled_dot_product_{kind}_backward" for kind in _KINDS], sdpa_backward_flop)
_register_known(["convolution_backward"], conv_backward_flop)

# ---- numbers as text -----------------------------------------------------------------------------------------
suffixes = ["", "K", "M", "B", "T"]


def get_suffix_str(number):
    """The largest suffix with which the number has two digits more than it needs."""
    index = max(0, min(len(suffixes) - 1, (len(str(number)) - 2) // 3))
    return suffixes[index]


def convert_num_with_suffix(number, suffix):
    """1500, "K" -> "1.500K"."""
    return f"{number / 1000 ** suffixes.index(suffix):.3f}{suffix}"


def convert_to_percent_str(num, denom):
    """A part as "12.50%"; "0%" of nothing."""
    return f"{num / denom:.2%}" if denom else "0%"


def normalize_tuple(x):
    """A one-element tuple's element."""
    return x if isinstance(x, tuple) else (x,)


def _in_table(count, suffix):
    return convert_num_with_suffix(count, suffix) if suffix else str(count)


def _table(rows, header):
    """Text in columns, the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    widths = [max(width, len(title) + 2) for width, title in zip(widths, header)]

    def line(row):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        return "  ".join(cells).rstrip()

    return "\n".join([line(header), "  ".join("-" * width for width in widths), *map(line, rows)])


# ---- calls -------------------------------------------------------------------------------------------------------
@functools.cache
def _keywords(op):
    """(how many arguments, how many of them by position, [(name, default)] of the others), by the operator's schema."""
    try:
        text = str(op._schema)
    except RuntimeError:  # nothing here has that signature
        return None
    parameters = [p for p in re.sub(r"\[.*?\]", "", text.partition("(")[2].rpartition(") ->")[0]).split(", ") if p]
    if "*" not in parameters:
        return len(parameters), len(parameters), []
    star = parameters.index("*")
    others = [parameter.split(" ")[-1].partition("=")[::2] for parameter in parameters[star + 1 :]]
    return len(parameters) - 1, star, others


def _call(op, args):
    """(args, kwargs) as a call of PyTorch's operator has them: without keywords that have their defaults."""
    known = _keywords(op)
    if known is None or known[0] != len(args):
        return args, {}
    _, star, others = known
    kwargs = {name: arg for (name, default), arg in zip(others, args[star:]) if str(arg) != default}
    return args[:star], kwargs


# ---- the mode ------------------------------------------------------------------------------------------------
class FlopCounterMode:
    """A context that counts. Afterwards `get_total_flops()` says how many, `get_flop_counts()` by module and operator,
    `get_table()` as text, which is printed at the end if `display`. `depth`: how deep modules in modules are shown, None: all.
    `custom_mapping`: {torch.ops.aten.NAME: formula} for operators besides those of register_flop_formula; a formula with
    an attribute `_get_raw` that is true is given tensors, others shapes."""

    def __init__(
        self,
        mods: torch.nn.Module | list[torch.nn.Module] | None = None,
        depth: int = 2,
        display: bool = True,
        custom_mapping: dict[Any, Any] | None = None,
    ) -> None:
        if mods is not None:
            import warnings

            warnings.warn("mods argument is not needed anymore, you can stop passing it", stacklevel=2)
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        self.depth = depth
        self.display = display
        self.mod_tracker = ModuleTracker()
        custom = {
            op: f if getattr(f, "_get_raw", False) else shape_wrapper(f) for op, f in (custom_mapping or {}).items()
        }
        self.flop_registry = {**flop_registry, **custom}

    def get_total_flops(self) -> int:
        """All that was counted."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """{name of a module: {operator: operations}}; the whole program is "Global"."""
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth=None):
        """The counts as a table."""
        depth = self.depth if depth is None else depth
        depth = 999999 if depth is None else depth
        total = self.get_total_flops()
        suffix = get_suffix_str(total)
        inside = False  # whether a module has all that was counted

        def rows_of(name):
            counts = self.flop_counts[name]
            count = sum(counts.values())
            nonlocal inside
            inside |= count >= total
            rows = [[name, _in_table(count, suffix), convert_to_percent_str(count, total)]]
            for op, of_op in counts.items():
                rows.append([f"- {op}", _in_table(of_op, suffix), convert_to_percent_str(of_op, total)])
            return rows

        rows = []
        for name in sorted(self.flop_counts):
            if name != "Global" and name.count(".") < depth:
                rows += rows_of(name)
        if "Global" in self.flop_counts and not inside:
            rows = rows_of("Global") + rows
        if not rows:
            rows = [["Global", "0", "0%"]]
        return _table(rows, ["Module", "FLOP", "% Total"])

    def __enter__(self):
        self.flop_counts.clear()
        self.mod_tracker.__enter__()
        _C._enter_dispatch_mode(self._asked)
        return self

    def __exit__(self, *args):
        _C._leave_dispatch_mode()
        self.mod_tracker.__exit__(*args)
        if self.display:
            print(self.get_table(self.depth))

    def _asked(self, number, args):
        """Counts a call when its results are there. A convolution's gradients are convolutions here, and counted as what they
        are part of."""
        op = overload_of(number, args)
        packet = op.overloadpacket
        if packet is ops.torch._convolution_weight:
            return lambda results: self._count("convolution_backward", _conv_weight_flop, results[0].shape, args)
        formula = self.flop_registry.get(packet)
        if formula is None:
            return None
        if packet is aten.convolution and _C._current_autograd_node() is not None:
            return lambda results: self._count("convolution_backward", conv_flop, results[0].shape, args)

        def count(results):
            self._count_flops(packet, results[0] if len(results) == 1 else tuple(results), *_call(op, args))

        return count

    def _count(self, name, formula, out_shape, args):
        self._add(getattr(aten, name, f"aten.{name}"), formula(*map(get_shape, args), out_shape=out_shape))

    def _count_flops(self, func_packet, out, args, kwargs):
        """Counts a call, if there is a formula for it; returns its result."""
        if func_packet in self.flop_registry:
            self._add(func_packet, self.flop_registry[func_packet](*args, **kwargs, out_val=out))
        return out

    def _add(self, packet, count):
        for name in set(self.mod_tracker.parents):
            self.flop_counts[name][packet] += count
