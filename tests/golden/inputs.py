"""Operands of golden cases, built from a short text so that every library builds the same ones.

    "f32 2x3"            float32, shape (2, 3), contiguous, small mixed values
    "f32 2x3 T"          the same shape, strides of a transposed tensor
    "f32 2x3x4x5 L"      channels last: dimension 1 is the innermost
    "i64 12 ext"         int64, extreme values
    "f32 - ;u8 0x3"      two operands `a` and `b`: a 0-dim one, an empty one

First the dtype, then the shape (`-` is 0-dim), then at most one layout and one value pattern, in any order.
Operands of one case are separated by `;` and are called a, b, c. Nothing here is random.
"""

import math

# Short name in specs and data -> name in the torch module.
DTYPES = {
    "b1": "bool",
    "u8": "uint8",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "e4m3fn": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e5m2fnuz": "float8_e5m2fnuz",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "c32": "complex32",
    "c64": "complex64",
    "c128": "complex128",
}
FLOATS = ("f16", "bf16", "f32", "f64")
FLOAT8 = ("e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz")
UNSIGNED = ("u8", "u16", "u32", "u64")
PARTS = {"c32": "f16", "c64": "f32", "c128": "f64"}  # the dtype of a complex number's parts
NAMES = "abc"
LAYOUTS = ("T", "S", "E", "L")

MIX_INT = (3, -2, 0, 1, 7, -5, 2, -1, 4, -7, 6, 5)
MIX_FLOAT = (1.5, -2.25, 0.0, 3.0, -0.5, 0.125, 7.0, -1.0, 2.5, -6.0, 0.75, -3.5)
MIX_BOOL = (True, False, True, True, False, False, True, False, False, True, False)
NONZERO = (3, -2, 1, 7, -5, 2, -3, 4, -7, 6, 5)
SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0)
# From the smallest steps to the largest: what elementary functions are asked in practice.
WAVE = (
    0.0,
    -0.0,
    1e-3,
    -1e-3,
    0.1,
    -0.1,
    0.5,
    -0.5,
    0.875,
    1.0,
    -1.0,
    1.5,
    -1.75,
    2.0,
    3.14159,
    -4.0,
    6.5,
    -10.0,
    20.0,
    -30.0,
    80.0,
    -80.0,
    100.0,
    1000.0,
    -1000.0,
    30000.0,
    math.nan,
    math.inf,
    -math.inf,
)
BITS = {
    "u8": (0, 2**8 - 1),
    "i8": (-(2**7), 2**7 - 1),
    "i16": (-(2**15), 2**15 - 1),
    "i32": (-(2**31), 2**31 - 1),
    "i64": (-(2**63), 2**63 - 1),
    "u16": (0, 2**16 - 1),
    "u32": (0, 2**32 - 1),
    "u64": (0, 2**64 - 1),
}


def extremes(dtype):
    """Values at the edges of what a dtype can hold."""
    if dtype in BITS:
        low, high = BITS[dtype]
        return (low, high, 0, 1, high - 1, low + 1, 2, high // 2, 7, 100)
    tiny, least, most = {
        "e4m3fn": (2.0**-9, 2.0**-6, 448.0),
        "e5m2": (2.0**-16, 2.0**-14, 57344.0),
        "e4m3fnuz": (2.0**-10, 2.0**-7, 240.0),
        "e5m2fnuz": (2.0**-17, 2.0**-15, 57344.0),
        "f16": (2.0**-24, 2.0**-14, 65504.0),
        "bf16": (2.0**-133, 2.0**-126, 3.3895313892515355e38),
        "f32": (2.0**-149, 2.0**-126, 3.4028234663852886e38),
        "f64": (2.0**-1074, 2.0**-1022, 1.7976931348623157e308),
    }[dtype]
    return (tiny, -tiny, least, -least, most, -most, math.inf, -math.inf, math.nan, 0.0, -0.0, 1.0)


def value(pattern, dtype, i, turn):
    """The i-th value of a pattern; `turn` is the operand's position, so that a and b differ."""
    if dtype in PARTS:
        part = PARTS[dtype]
        return complex(value(pattern, part, i, turn), value(pattern, part, 3 * i + i // 10 + 2, turn))
    floating = dtype in FLOATS + FLOAT8
    if pattern.startswith("ix"):  # indices below N
        return (5 * i + 1 + turn) % int(pattern[2:])
    if dtype == "b1":
        return MIX_BOOL[(i + 3 * turn) % len(MIX_BOOL)]
    if pattern == "mix":
        table = MIX_FLOAT if floating else MIX_INT
        v = table[(i + 5 * turn) % len(table)]
    elif pattern == "nonzero":
        v = NONZERO[(i + 4 * turn) % len(NONZERO)] * (0.5 if floating else 1)
    elif pattern == "count":  # small and not negative: shifts, exponents
        v = (3 * i + turn) % 6
    elif pattern == "distinct":
        v = (37 * i + 11 * turn) % 101 - 50
    elif pattern == "dup":
        v = (7 * i + i // 3 + turn) % 4
    elif pattern == "nans":
        v = math.nan if (i + turn) % 5 == 2 else MIX_FLOAT[i % len(MIX_FLOAT)]
    elif pattern == "ones":
        v = 1
    else:
        table = {"special": SPECIAL, "wave": WAVE}.get(pattern) or extremes(dtype)
        v = table[i % len(table)]
    return abs(v) if dtype in UNSIGNED else v


def numel(shape):
    return math.prod(shape)


def nest(flat, shape):
    """A flat list as nested lists of the given shape."""
    if not shape:
        return flat[0]
    step = numel(shape[1:])
    return [nest(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def parse_shape(text):
    return [] if text == "-" else [int(n) for n in text.split("x")]


def stored(spec, torch, turn=0):
    """One operand from its text, as it is stored, with its shape and layout: laid_out() of them is the operand."""
    dtype, shape, *rest = spec.split()
    shape = parse_shape(shape)
    layout = next((w for w in rest if w in LAYOUTS), "")
    pattern = next((w for w in rest if w not in LAYOUTS), "mix")
    sizes = list(shape)
    if layout == "T":
        sizes = sizes[::-1]
    elif layout == "S":
        sizes[-1] = 2 * sizes[-1] + 1
    elif layout == "E":
        sizes[0] = 1
    elif layout == "L":
        sizes.append(sizes.pop(1))
    flat = [value(pattern, dtype, i, turn) for i in range(numel(sizes))]
    tensor = torch.tensor(nest(flat, sizes), dtype=getattr(torch, DTYPES[dtype]))
    if tensor.shape != torch.Size(sizes):  # an empty nested list has lost its inner sizes
        tensor = tensor.reshape(sizes)
    return tensor, shape, layout


def laid_out(tensor, shape, layout):
    """The view of a stored tensor that has the shape and the layout."""
    if layout == "T":
        return tensor.permute(*reversed(range(len(shape))))
    if layout == "S":
        return tensor[..., 1::2]
    if layout == "E":
        return tensor.expand(*shape)
    if layout == "L":
        return tensor.movedim(-1, 1)
    return tensor


def build(spec, torch, turn=0):
    """One operand from its text."""
    return laid_out(*stored(spec, torch, turn))


def build_all(key, torch):
    """All operands of a case as a namespace {"a": tensor, …}."""
    specs = [s for s in key.split(";") if s.strip()]
    return {NAMES[turn]: build(spec, torch, turn) for turn, spec in enumerate(specs)}
