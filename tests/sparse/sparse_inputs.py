"""Operands of the sparse programs, by name: every one is written out, none is random.

A name stands for a tensor of float64: `a`, `r`, `d`. With an ending it has another dtype (`a_f32`, `r_c128`), and the
values that this dtype can hold: an integer's are whole, a bool's say where something is, a complex one's have an
imaginary part. `operands(torch, names)` makes those that a program names, new ones for each program.
"""

import io

DTYPES = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "i64": "int64",
    "i32": "int32",
    "u8": "uint8",
    "bool": "bool",
    "c128": "complex128",
    "c64": "complex64",
}

# size, indices (one list per sparse dimension), values (a nested list where dimensions are dense), coalesced
COO = {
    "a": ((3, 4), [[0, 0, 1, 2], [1, 3, 2, 0]], [1.5, -2.0, 0.5, 3.0], True),
    "b": ((3, 4), [[0, 1, 1, 2], [1, 0, 2, 3]], [2.0, -1.0, 4.0, 0.25], True),
    "u": ((3, 4), [[2, 0, 1, 0, 2], [0, 3, 2, 3, 0]], [1.0, -2.0, 0.5, 4.0, 2.5], False),
    "w": ((3, 4), [[1, 0, 0, 1], [2, 1, 3, 2]], [0.5, 2.0, 3.0, -1.5], False),
    "ex": ((3, 4), [[0, 1, 2], [0, 1, 2]], [0.0, 2.0, 0.0], True),  # zeros that are entries
    "e": ((3, 4), [[], []], [], True),
    "p": ((3, 4), [[0, 0, 1, 2], [1, 3, 2, 0]], [1.5, 2.0, 0.5, 3.0], True),  # a, all positive
    "k": ((3, 4), [[0, 0, 1, 2], [1, 3, 2, 0]], [0.5, -0.25, 0.75, -0.5], True),  # a, all below one
    "n": ((3, 4), [[0, 1, 2], [1, 2, 3]], [float("nan"), float("inf"), -1.0], True),
    "row": ((1, 4), [[0, 0], [1, 3]], [2.0, -3.0], True),
    "col": ((3, 1), [[0, 2], [0, 0]], [2.0, -3.0], True),
    "sq": ((4, 4), [[0, 0, 1, 2, 2, 3], [0, 2, 1, 0, 3, 3]], [4.0, 1.0, 3.0, -1.0, 0.5, 2.0], True),
    "squ": ((4, 4), [[2, 0, 2, 1, 0], [3, 0, 3, 1, 2]], [0.5, 4.0, 0.25, 3.0, 1.0], False),
    "tall": ((4, 3), [[0, 1, 2, 3], [2, 0, 1, 1]], [1.0, -2.0, 0.5, 3.0], True),
    "tallu": ((4, 3), [[3, 0, 3, 1], [1, 2, 1, 0]], [1.0, -2.0, 0.5, 3.0], False),
    "v": ((4,), [[0, 2, 3]], [2.0, -1.0, 0.5], True),
    "vu": ((4,), [[3, 0, 3, 2]], [2.0, -1.0, 0.5, 4.0], False),
    "v3": ((3,), [[0, 2]], [2.0, -1.0], True),
    "t": ((2, 3, 4), [[0, 0, 1, 1], [0, 2, 1, 1], [1, 3, 0, 2]], [1.0, -2.0, 3.0, 0.5], True),
    "tu": ((2, 3, 4), [[1, 0, 1, 0], [1, 2, 1, 2], [0, 3, 0, 1]], [1.0, -2.0, 3.0, 0.5], False),
    "h": ((3, 4, 2), [[0, 1, 2], [1, 2, 0]], [[1.0, 2.0], [-3.0, 0.5], [0.0, 4.0]], True),
    "hu": ((3, 4, 2), [[2, 0, 2], [0, 1, 0]], [[1.0, 2.0], [-3.0, 0.5], [0.25, 4.0]], False),
    "hb": ((3, 4, 2), [[0, 1], [1, 0]], [[2.0, -1.0], [0.5, 1.0]], True),
    "g": ((5, 3), [[0, 3]], [[1.0, 2.0, -1.0], [0.5, 0.0, 4.0]], True),  # like a gradient of an embedding
    "gu": ((5, 3), [[3, 1, 3]], [[1.0, 2.0, -1.0], [0.5, 0.0, 4.0], [2.0, 1.0, 1.0]], False),
    "gv": ((5, 3), [[1, 3, 4]], [[1.0, 1.0, 1.0], [2.0, 0.5, -4.0], [3.0, 0.0, 1.0]], True),
    "g2": ((5, 2, 2), [[1, 4]], [[[1.0, 2.0], [3.0, 4.0]], [[-1.0, 0.5], [0.0, 2.0]]], True),
    "o": ((), [], [2.5], True),  # no dimension, one entry
    "z": ((0, 4), [[], []], [], True),
    "he": ((3, 4, 2), [[], []], [], True),
    "low": ((3, 3), [[0, 1, 1, 2, 2], [0, 0, 1, 1, 2]], [2.0, 1.0, 4.0, -1.0, 0.5], True),
}
# Larger ones, by formula: `big` has its entries in order, `bigu` 300 in none and some twice, `bigh` a dense dimension.
PLACES = sorted({((k * k * 3 + k) % 40, (k * 7 + k // 5) % 30) for k in range(200)})
SCATTERED = [((k * k * 7 + k) % 40, (k * 11 + k // 7) % 30) for k in range(300)]


def quarters(count):
    return [((k * 5 + 1) % 17 - 8) / 4 for k in range(count)]


COO["big"] = ((40, 30), [list(axis) for axis in zip(*PLACES)], quarters(len(PLACES)), True)
COO["bigu"] = ((40, 30), [list(axis) for axis in zip(*SCATTERED)], quarters(300), False)
COO["bigh"] = ((40, 3), [[(k * k + 5) % 40 for k in range(60)]], [quarters(3 * k + 3)[-3:] for k in range(60)], False)
# size, compressed indices, plain indices, values
CSR = {
    "r": ((3, 4), [0, 2, 3, 4], [1, 3, 2, 0], [1.5, -2.0, 0.5, 3.0]),
    "r2": ((3, 4), [0, 1, 3, 4], [1, 0, 2, 3], [2.0, -1.0, 4.0, 0.25]),
    "re": ((3, 4), [0, 0, 0, 0], [], []),
    "rp": ((3, 4), [0, 2, 3, 4], [1, 3, 2, 0], [1.5, 2.0, 0.5, 3.0]),
    "rk": ((3, 4), [0, 2, 3, 4], [1, 3, 2, 0], [0.5, -0.25, 0.75, -0.5]),
    "rsq": ((4, 4), [0, 2, 3, 5, 6], [0, 2, 1, 0, 3, 3], [4.0, 1.0, 3.0, -1.0, 0.5, 2.0]),
    "rtall": ((4, 3), [0, 1, 2, 3, 4], [2, 0, 1, 1], [1.0, -2.0, 0.5, 3.0]),
    "rlow": ((3, 3), [0, 1, 3, 5], [0, 0, 1, 1, 2], [2.0, 1.0, 4.0, -1.0, 0.5]),
    "rup": ((3, 3), [0, 2, 4, 5], [0, 1, 1, 2, 2], [2.0, 1.0, 4.0, -1.0, 0.5]),
    "rb": ((2, 3, 4), [[0, 1, 2, 3], [0, 2, 2, 3]], [[1, 3, 0], [0, 2, 1]], [[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]]),
    "rh": ((3, 4, 2), [0, 1, 2, 3], [1, 2, 0], [[1.0, 2.0], [-3.0, 0.5], [0.0, 4.0]]),
}
CSC = {
    "c": ((3, 4), [0, 1, 2, 3, 4], [2, 0, 1, 0], [3.0, 1.5, 0.5, -2.0]),
    "c2": ((3, 4), [0, 1, 2, 3, 4], [1, 0, 1, 2], [-1.0, 2.0, 4.0, 0.25]),
    "ce": ((3, 4), [0, 0, 0, 0, 0], [], []),
    "cp": ((3, 4), [0, 1, 2, 3, 4], [2, 0, 1, 0], [3.0, 1.5, 0.5, 2.0]),
    "csq": ((4, 4), [0, 2, 3, 4, 6], [0, 2, 1, 0, 2, 3], [4.0, -1.0, 3.0, 1.0, 0.5, 2.0]),
    "ctall": ((4, 3), [0, 1, 3, 4], [1, 2, 3, 0], [-2.0, 0.5, 3.0, 1.0]),
    "cb": ((2, 3, 4), [[0, 1, 2, 2, 3], [0, 1, 2, 3, 3]], [[2, 0, 1], [0, 2, 0]], [[3.0, 1.0, -2.0], [0.5, -1.0, 4.0]]),
}
BLOCKS = [[[1.0, 2.0], [0.0, -1.0]], [[3.0, 0.5], [1.0, 4.0]], [[-2.0, 1.0], [0.25, 0.0]]]
OTHER = [[[2.0, 1.0], [1.0, 0.0]], [[0.5, -1.0], [3.0, 2.0]]]
BSR = {
    "m": ((4, 6), [0, 2, 3], [0, 2, 1], BLOCKS),
    "m2": ((4, 6), [0, 1, 2], [0, 2], OTHER),
    "msq": ((4, 4), [0, 2, 3], [0, 1, 1], BLOCKS),
    "mb": ((2, 4, 6), [[0, 1, 2], [0, 0, 2]], [[0, 2], [1, 2]], [OTHER, BLOCKS[:2]]),
}
BSC = {
    "q": ((4, 6), [0, 1, 2, 3], [0, 1, 0], BLOCKS),
    "q2": ((4, 6), [0, 1, 1, 2], [0, 1], OTHER),
    "qsq": ((4, 4), [0, 1, 3], [0, 0, 1], BLOCKS),
    "qb": ((2, 4, 6), [[0, 1, 1, 2], [0, 0, 1, 2]], [[0, 1], [1, 0]], [OTHER, BLOCKS[:2]]),
}
COMPRESSED = {"sparse_csr_tensor": CSR, "sparse_csc_tensor": CSC, "sparse_bsr_tensor": BSR, "sparse_bsc_tensor": BSC}


def wave(*size):
    """A dense nested list of numbers that are exact in every float dtype and differ from their neighbours."""
    count = 1
    for length in size:
        count *= length
    flat = [((7 * i + 3) % 16 - 6) / 2 for i in range(count)]
    for length in reversed(size):
        flat = [flat[i : i + length] for i in range(0, len(flat), length)]
    return flat[0] if size else flat


STRIDED = {
    "d": (3, 4),
    "d1": (1,),
    "d33": (3, 3),
    "d43": (4, 3),
    "d44": (4, 4),
    "d42": (4, 2),
    "d32": (3, 2),
    "d24": (2, 4),
    "d53": (5, 3),
    "d46": (4, 6),
    "d64": (6, 4),
    "d62": (6, 2),
    "d4": (4,),
    "d3": (3,),
    "d6": (6,),
    "d14": (1, 4),
    "d31": (3, 1),
    "d234": (2, 3, 4),
    "d243": (2, 4, 3),
    "d233": (2, 3, 3),
    "d342": (3, 4, 2),
    "d40": (40,),
    "d30": (30,),
    "d3016": (30, 16),
    "d1640": (16, 40),
    "d4030": (40, 30),
    "d246": (2, 4, 6),
    "d264": (2, 6, 4),
}


def converted(value, short):
    """A number, or a nested list, as the dtype can hold it."""
    if isinstance(value, list):
        return [converted(item, short) for item in value]
    if short == "bool":
        return value != 0
    if short in ("i64", "i32"):
        return int(value) if abs(value) < 100 else 0
    if short == "u8":
        return abs(int(value)) if abs(value) < 100 else 0
    if short in ("c128", "c64"):
        return complex(value, value / 2 - 1)
    return value


def values_of(torch, nested, short, size=()):
    """A tensor of these values; `size` is its shape where there are none."""
    dtype = getattr(torch, DTYPES[short])
    return torch.tensor(converted(nested, short), dtype=dtype) if nested else torch.zeros(size, dtype=dtype)


def indices_of(torch, nested, width=0):
    made = torch.tensor(nested, dtype=torch.int64)
    return made.reshape(width, 0) if nested and not made.numel() and width else made


def make(torch, base, short):
    """The operand of this name and dtype, or None where there is none."""
    if base in COO:
        size, indices, values, coalesced = COO[base]
        entries = values_of(torch, values, short, (0, *size[len(indices) :]))
        places = indices_of(torch, indices) if indices else torch.zeros((0, 1), dtype=torch.int64)
        return torch.sparse_coo_tensor(places, entries, size, is_coalesced=coalesced or None)
    for constructor, table in COMPRESSED.items():
        if base in table:
            size, compressed, plain, values = table[base]
            entries = values_of(torch, values, short, (0,))
            return getattr(torch, constructor)(indices_of(torch, compressed), indices_of(torch, plain), entries, size)
    if base in STRIDED:
        return values_of(torch, wave(*STRIDED[base]), short)
    return None


def known(name):
    """(base, dtype) where the name is that of an operand."""
    base, _, short = name.partition("_")
    tables = (COO, CSR, CSC, BSR, BSC, STRIDED)
    if any(base in table for table in tables) and (not short or short in DTYPES):
        return base, short or "f64"
    return None


def saved_and_loaded(torch, tensor):
    """What torch.load gives of what torch.save wrote."""
    file = io.BytesIO()
    torch.save(tensor, file)
    file.seek(0)
    return torch.load(file)
