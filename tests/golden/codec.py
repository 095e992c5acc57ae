"""Results of golden cases as one-line text, and their comparison.

    "f32 2x3: 1.5 -2.25 0 3 nan inf"     a tensor: dtype, shape, values in row-major order
    "f32 3x2 @1,3+2: …"                  strides and storage offset, where they are not those of a new contiguous tensor
    "f32 3x2 @1,3+0 =a: …"               the same for views: always strides and offset, and whose storage it shares
    "int 3", "float 0.5", "dtype f32", "size 2x3", "str …", "none"
    "!IndexError"                        the call raises exactly this class
    "!IndexError out of range"           … and its message contains these words

A complex number is two numbers with a comma between them: "c64 2: 1.5,-2 0,nan".
Tuples and lists are JSON lists of such texts. Floats have the fewest digits that give the value back in their dtype.
"""

import math
import re
import struct

from .inputs import DTYPES, FLOAT8, FLOATS, PARTS

SHORT = {long: short for short, long in DTYPES.items()}
# Spacing of floats is 2**(exponent - digits); below 2**least it is constant.
DIGITS = {"f16": (10, -14), "bf16": (7, -126), "f32": (23, -126), "f64": (52, -1022)}
# How far a result may be from PyTorch's, in units in the last place of its dtype (of a complex number: of its larger
# part). Only "exact" compares the sign of 0.
TOLERANCES = {
    "equal": {"f16": 0, "bf16": 0, "f32": 0, "f64": 0},
    "exact": {"f16": 0, "bf16": 0, "f32": 0, "f64": 0},
    "ulp": {"f16": 1, "bf16": 1, "f32": 4, "f64": 4},
    "sum": {"f16": 2, "bf16": 2, "f32": 16, "f64": 16},
    "near": {"f16": 4, "bf16": 4, "f32": 1024, "f64": 1024},
    "wide": {"f16": 2, "bf16": 2, "f32": 64, "f64": 64},  # complex functions, which nobody rounds well
}
# "near" also takes a small error where the result is small: that of a solved equation is measured by its size.
NEAR = {"f16": 1e-2, "bf16": 1e-1, "f32": 2e-5, "f64": 1e-12}
# Of a tensor that is no view (a view's ends in its owner).
LAYOUT = re.compile(r"^(\w+ [\dx-]+) @[\d,]*(?:\+\d+)?(?=:)")


def bf16(x):
    """Round a float to the nearest bfloat16, ties to even."""
    if math.isnan(x) or math.isinf(x):
        return x
    scale = 2.0 ** (max(math.frexp(x)[1] - 1, -126) - 7) if x else 1.0
    rounded = round(x / scale) * scale
    return math.copysign(math.inf if abs(rounded) > 3.3895313892515355e38 else rounded, x)


def narrow(x, dtype):
    """Round a Python float to a dtype."""
    if dtype == "f64" or math.isnan(x) or math.isinf(x):
        return x
    if dtype == "bf16":
        return bf16(x)
    code = {"f16": "<e", "f32": "<f"}[dtype]
    try:
        return struct.unpack(code, struct.pack(code, x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def shortest(x, dtype):
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    for digits in range(1, 18):
        text = f"{x:.{digits}g}"
        if narrow(float(text), dtype) == x:
            return text
    raise AssertionError(x)


def number_text(x, dtype):
    if dtype in PARTS:
        return f"{shortest(x.real, PARTS[dtype])},{shortest(x.imag, PARTS[dtype])}"
    if dtype in FLOAT8:
        return shortest(x, "f64")
    return shortest(x, dtype) if dtype in FLOATS else str(int(x))


def name_of(dtype):
    name = str(dtype).removeprefix("torch.")
    return SHORT.get(name, name)


def shape_text(shape):
    return "x".join(map(str, shape)) or "-"


def flat(nested):
    if not isinstance(nested, list):
        return [nested]
    out = []
    for item in nested:
        out.extend(flat(item)) if isinstance(item, list) else out.append(item)
    return out


def first_byte(tensor):
    """Address of element 0 of the tensor's storage."""
    return tensor.data_ptr() - tensor.storage_offset() * tensor.element_size()


def contiguous(shape):
    strides, step = [], 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= max(n, 1)
    return tuple(strides)


def layout_text(tensor):
    """Strides and offset where they are not those of a new contiguous tensor."""
    offset = f"+{tensor.storage_offset()}" if tensor.storage_offset() else ""
    if not offset and tensor.stride() == contiguous(tensor.shape):
        return ""
    return f" @{','.join(map(str, tensor.stride()))}{offset}"


def without_layout(answer):
    """An answer of which only dtypes, shapes and values are told."""
    if isinstance(answer, list):
        return [without_layout(a) for a in answer]
    return LAYOUT.sub(r"\1", answer)


def place_text(tensor, operands):
    """Strides, offset and owner of a view."""
    strides = ",".join(map(str, tensor.stride()))
    owner = next((n for n, t in operands.items() if tensor.numel() and first_byte(t) == first_byte(tensor)), "")
    return f" @{strides}+{tensor.storage_offset()} ={owner}"


def tensor_text(tensor, operands=None):
    """Dtype, shape, layout and values; with `operands` also where it lies in memory."""
    place = place_text(tensor, operands) if operands is not None else layout_text(tensor)
    dtype = name_of(tensor.dtype)
    text = (number_text(v, dtype) for v in flat(tensor.tolist()))
    return f"{dtype} {shape_text(tensor.shape)}{place}: {' '.join(text)}".rstrip()


def encode(result, torch, of_tensor=tensor_text):
    """A result as text (see the top of the file); `of_tensor` says what is told of a tensor."""
    if isinstance(result, torch.Tensor):
        return of_tensor(result)
    if isinstance(result, torch.Size):
        return f"size {shape_text(result)}"
    if isinstance(result, (tuple, list)):
        return [encode(r, torch, of_tensor) for r in result]
    if isinstance(result, torch.dtype):
        return f"dtype {name_of(result)}"
    if result is None:
        return "none"
    return f"{type(result).__name__} {result if isinstance(result, str) else repr(result)}"


def ulps(x, y, dtype):
    """Distance of two floats, counted in spacings of the dtype at the larger one."""
    digits, least = DIGITS[dtype]
    exponent = max(math.frexp(max(abs(x), abs(y)))[1] - 1, least)
    return abs(x - y) / 2.0 ** max(exponent - digits, -1074)


def same_number(got, want, dtype, tolerance):
    """Whether two texts denote values equal within the tolerance."""
    if got == want:
        return True
    if dtype in PARTS:
        return same_complex(got.split(","), want.split(","), PARTS[dtype], tolerance)
    if dtype not in FLOATS:
        return False
    x, y = narrow(float(got), dtype), narrow(float(want), dtype)
    allowed = TOLERANCES[tolerance][dtype]
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or math.isinf(y):
        return x == y or (math.isnan(x) and math.isnan(y))
    if x == y:
        return tolerance != "exact" or math.copysign(1, x) == math.copysign(1, y)
    if tolerance == "near" and abs(x - y) <= NEAR[dtype] * max(1, abs(y)):
        return True
    return ulps(x, y, dtype) <= allowed


def same_complex(got, want, part, tolerance):
    """Whether two pairs of texts denote complex numbers equal within the tolerance."""
    pairs = list(zip(got, want))
    if all(same_number(g, w, part, tolerance) for g, w in pairs):
        return True
    values = [(float(g), float(w)) for g, w in pairs]
    if not all(math.isfinite(x) for pair in values for x in pair):
        return False
    size = max(abs(w) for _, w in values)
    return all(ulps(size + x - y, size, part) <= TOLERANCES[tolerance][part] for x, y in values)


def same(got, want, tolerance="exact"):
    """Whether two encoded results agree."""
    if isinstance(got, list) or isinstance(want, list):
        return (
            isinstance(got, list)
            and isinstance(want, list)
            and len(got) == len(want)
            and all(same(g, w, tolerance) for g, w in zip(got, want))
        )
    if got == want:
        return True
    if want.startswith("!"):
        return got.split()[0] == want.split()[0] and want.partition(" ")[2] in got
    if want.startswith("float ") and got.startswith("float "):
        return same_number(got[6:], want[6:], "f64", tolerance)
    head, _, values = want.partition(":")
    got_head, _, got_values = got.partition(":")
    if head != got_head or head.split()[0] not in {*FLOATS, *PARTS}:
        return False
    x, y = got_values.split(), values.split()
    return len(x) == len(y) and all(same_number(g, w, head.split()[0], tolerance) for g, w in zip(x, y))
