"""Random arguments, as text: what Python would have to be typed to make them. Right ones by the kind that a signature
asks for, and wrong ones of every kind."""

import math

DTYPES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
# Those with storage and little arithmetic, which most calls refuse: one tensor in ten has such a dtype.
STORED = "uint16 uint32 uint64 complex32 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz".split()
_LIMITS = {"uint8": (0, 255), "int8": (-128, 127), "int16": (-(2**15), 2**15 - 1), "int32": (-(2**31), 2**31 - 1)}
_LIMITS["int64"] = (-(2**63), 2**63 - 1)
_LIMITS |= {f"uint{bits}": (0, 2**bits - 1) for bits in (16, 32, 64)}
_FLOATS = ["nan", "inf", "-inf", "-0.0", "0.5", "1.5", "-2.5", "1e-45", "6e4", "1e30", "3.0", "-1.0"]

HUGE = "2**31-1 2**31 -2**31-1 2**32 2**40 2**53+1 2**61 2**62 2**63-1 -2**63 2**63 -2**63-1 2**64 10**30".split()
NUMPY = ["np.float32(1.5)", "np.int64(2)", "np.int8(-1)", "np.bool_(True)", "np.uint64(2**63)", "np.float16(.5)"]
NUMPY += ["np.complex64(1j)", "np.array(2)", "np.float64('nan')"]
NUMBERS = ["0", "1", "-1", "2", "3", "7", "0.0", "-0.0", "0.5", "-1.5", "1e-30", "1e300", "nan", "inf", "-inf"]
NUMBERS += ["True", "False", "1j", "1+2j", "complex(nan, inf)", "torch.tensor(2)", "torch.tensor(2.5)", *NUMPY]
WRONG = [
    "None",
    "'x'",
    "''",
    "'cpu'",
    "'sum'",
    "b'x'",
    "[]",
    "()",
    "{}",
    "object()",
    "[[1, [2]]]",
    "slice(None)",
    "...",
    "range(3)",
]
WRONG += [
    "np.arange(6).reshape(2, 3)",
    "np.array('x')",
    "np.zeros((2, 0))",
    "np.arange(6.)[::-1]",
    "[1, 'x']",
    "[None]",
    "(1, 2.5)",
]
WRONG += [
    "torch",
    "int",
    "len",
    "torch.Tensor",
    "torch.float32",
    "torch.device('cpu')",
    "torch.strided",
    "torch.Size([2])",
    "iter([1, 2])",
]
WRONG += [
    "torch.Generator()",
    "torch.UntypedStorage(8)",
    "torch.tensor([1., 2.])",
    "[torch.ones(2), 3]",
    "'\\0'",
    "'\\ud800'",
    "2**2000",
]
WRONG += [
    "deep()",
    "Raises()",
    "Returns(2**70)",
    "Returns('x')",
    "Returns(None)",
    "Returns(1)",
    "clears()",
    "grows()",
    "Subclass()",
]
WRONG += [
    "itself()",
    "{1: 2}",
    "{1, 2}",
    "memoryview(b'abcd')",
    "bytearray(8)",
    "array.array('d', [1, 2])",
    "Length(2**62)",
    "Length(-1)",
]


# ---- objects that behave badly while they are looked at ----------------------------------------------------
class Raises:
    """Whatever it is asked, it raises."""

    def _raise(self, *_):
        raise ValueError("asked")

    __index__ = __int__ = __float__ = __complex__ = __bool__ = __len__ = __getitem__ = __iter__ = __array__ = _raise


class Returns:
    """Whatever it is asked, it answers the same."""

    def __init__(self, answer):
        self.answer = answer

    def _answer(self, *_, **__):
        return self.answer

    __index__ = __int__ = __float__ = __complex__ = __bool__ = __array__ = _answer


class Length:
    """A sequence that lies about its length; it ends after some."""

    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, at):
        if at > 100:
            raise IndexError
        return at


class _Edits:
    def __init__(self, edit):
        self.edit = edit

    def __index__(self):
        self.edit()
        return 1

    __int__ = __float__ = __index__


def clears():
    """A list that is empty once its first element has been looked at."""
    items = []
    items[:] = [_Edits(items.clear), 1, 1, 1]
    return items


def grows():
    """A list that is longer each time."""
    items = []
    items[:] = [_Edits(lambda: items.extend([1] * 1000)), 1]
    return items


def itself():
    """A list that contains itself."""
    items = []
    items.append(items)
    return items


def deep():
    """Lists in lists."""
    items = 1
    for _ in range(3000):
        items = [items]
    return items


# ---- tensors -----------------------------------------------------------------------------------------------
def shape(chance):
    """A small shape; now and then one that fills vectors, or many dimensions."""
    kind = chance.random()
    if kind < 0.06:
        return (chance.choice((17, 33, 65, 130, 300, 5000)),)
    if kind < 0.09:
        return (chance.choice((3, 9)), chance.choice((33, 70, 200)))
    if kind < 0.11:
        return (1, 2) * chance.randrange(2, 5)
    side = (0, 1, 2, 2, 3, 3, 4) if kind < 0.4 else (1, 2, 3, 3)
    return tuple(chance.choice(side) for _ in range(chance.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))))


def _elements(chance, dtype, count):
    """Text of a list of values; some at the ends of what the dtype holds."""
    if dtype == "bool":
        return [chance.choice(("True", "False")) for _ in range(count)]
    if dtype in _LIMITS:
        low, high = _LIMITS[dtype]
        wild = chance.random() < 0.3
        return [
            str(chance.choice((low, high, low + 1, high // 2))) if wild else str(chance.randrange(max(low, -3), 4))
            for _ in range(count)
        ]
    if chance.random() < 0.4:
        values = [chance.choice(_FLOATS) for _ in range(count)]
    else:
        values = [repr(round(chance.uniform(-3, 3), 2)) for _ in range(count)]
    if dtype.startswith("complex"):
        return [f"complex({v}, {chance.choice(_FLOATS[2:])})" for v in values]
    return values


def tensor(chance, size=None, dtype=None):
    """Text of a tensor: values, then perhaps a layout."""
    size = shape(chance) if size is None else size
    dtype = dtype or chance.choice(STORED if chance.random() < 0.1 else DTYPES)
    count = math.prod(size)
    layout = chance.random()
    if layout < 0.06:
        base = f"torch.arange({max(count, 8)}).to(torch.{dtype})"
        strides = tuple(chance.choice((0, 1, 1, 2)) for _ in size)
        reach = sum((n - 1) * s for n, s in zip(size, strides))
        if count == 0 or 0 <= reach < max(count, 8):
            return f"{base}.as_strided({size}, {strides})"
    full = (*size[:-1], size[-1] * 2) if layout > 0.9 and size else size
    if math.prod(full) > 16:
        text = f"torch.arange({math.prod(full)}).to(torch.{dtype})"
    else:
        text = f"torch.tensor([{', '.join(_elements(chance, dtype, math.prod(full)))}], dtype=torch.{dtype})"
    if len(full) != 1:
        text += f".reshape({full})"
    if full != size:
        return text + "[..., ::2]"
    if layout < 0.16 and len(size) > 1:
        return text + f".transpose({chance.randrange(len(size))}, -1)"
    if layout < 0.22:
        return text + f".expand({(chance.choice((0, 2, 3)), *size)})"
    if layout < 0.26:
        return text + "[None]"
    return text + "[1:]" if layout < 0.3 and size else text


class Theme:
    """What the tensors of one call have in common, so that many calls are right ones."""

    def __init__(self, chance):
        self.chance = chance
        self.shape = shape(chance)
        if chance.random() < 0.2:
            side = chance.choice((1, 2, 3))
            self.shape = (*self.shape[:1], side, side)
        self.dtype = chance.choice(DTYPES if chance.random() < 0.5 else ("float32", "float64", "int64", "complex64"))

    def tensor(self):
        """Alike, of a shape that broadcasts, of another dtype, an index, or anything."""
        chance, kind = self.chance, self.chance.random()
        if kind < 0.55:
            return tensor(chance, self.shape, self.dtype)
        if kind < 0.65:
            return tensor(chance, tuple(chance.choice((1, n)) for n in self.shape), self.dtype)
        if kind < 0.75:
            return tensor(chance, self.shape)
        if kind < 0.85:
            return tensor(chance, self.shape if kind < 0.8 else None, "int64")
        if kind < 0.9:
            return tensor(chance, self.shape, "bool")
        return tensor(chance)


def integer(chance):
    return chance.choice(HUGE) if chance.random() < 0.12 else str(chance.choice((0, 0, 1, 1, 2, 3, 4, -1, -1, -2, -3)))


def index(chance, theme, depth=0):
    """Something between square brackets."""
    kind = chance.randrange(14 if depth == 0 else 11)
    if kind < 3:
        return integer(chance)
    if kind == 3:
        parts = [chance.choice(("", integer(chance))) for _ in range(3)]
        return f"slice({', '.join(p or 'None' for p in parts)})"
    if kind in (4, 5):
        return chance.choice(("slice(None)", "None", "...", "True", "False"))
    if kind == 6:
        return str([chance.randrange(-3, 3) for _ in range(chance.randrange(4))])
    if kind == 7:
        return tensor(chance, None if chance.random() < 0.5 else (chance.randrange(4),), "int64")
    if kind == 8:
        return tensor(chance, theme.shape, chance.choice(("bool", "bool", "uint8")))
    if kind == 9:
        return chance.choice(WRONG + NUMBERS)
    if kind == 10:
        return chance.choice(
            ("np.array([0, 1])", "np.array(True)", "range(2)", "[True, False]", "[[0], [1]]", "(0, [0])")
        )
    return "(" + "".join(index(chance, theme, 1) + ", " for _ in range(chance.choice((1, 2, 2, 3, 5, 70)))) + ")"


def argument(chance, kind, theme, tensors):
    """Text for a parameter of this kind. `tensors` are names that exist; new ones are defined by the caller through
    theme.tensor()."""
    draw = chance.random()
    if draw < 0.1:
        return chance.choice(WRONG + NUMBERS)
    if kind == "Tensor":
        return chance.choice(tensors) if tensors and chance.random() < 0.15 else None
    if kind == "TensorOrNumber":
        return chance.choice(NUMBERS) if chance.random() < 0.4 else None
    if kind == "Number":
        return chance.choice(NUMBERS if chance.random() < 0.85 else HUGE)
    if kind == "int":
        return integer(chance)
    if kind == "float":
        return chance.choice(NUMBERS[:15] if chance.random() < 0.8 else NUMBERS + HUGE)
    if kind == "bool":
        return chance.choice(("True", "False"))
    if kind == "ints":
        if chance.random() < 0.2:
            return integer(chance)
        if chance.random() < 0.3:
            return str(theme.shape)
        items = [integer(chance) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4, 70)))]
        return chance.choice(("({},)", "[{}]", "torch.Size([{}])")).format(", ".join(items)) if items else "()"
    if kind == "floats":
        return "[" + ", ".join(chance.choice(NUMBERS[:15]) for _ in range(chance.randrange(4))) + "]"
    if kind == "tensors":
        items = [
            chance.choice(tensors) if tensors and chance.random() < 0.5 else theme.tensor()
            for _ in range(chance.choice((0, 1, 2, 2, 3)))
        ]
        return chance.choice(("[{}]", "({},)" if items else "({})")).format(", ".join(items))
    if kind == "str":
        words = "sum mean prod amax amin floor trunc linear lower higher midpoint nearest left right fro nuc reduced complete r ij xy reflect"
        return repr(chance.choice([*words.split(), "ij,jk->ik", "...i->i", "fill\0", "ö"]))
    if kind == "dtype":
        return (
            "torch." + chance.choice(DTYPES + STORED)
            if chance.random() < 0.9
            else chance.choice(("float", "int", "bool", "complex"))
        )
    if kind == "device":
        return chance.choice(("'cpu'", "torch.device('cpu')", "'cuda'", "0", "'meta'", "'cpu:0'", "'cpu:99999999999'"))
    if kind == "layout":
        return "torch.strided"
    if kind == "memory_format":
        return "torch." + chance.choice(("contiguous_format", "preserve_format", "channels_last", "channels_last_3d"))
    if kind == "Generator":
        return chance.choice(("torch.Generator()", "torch.default_generator", "None"))
    return chance.choice(WRONG + NUMBERS) if chance.random() < 0.5 else None
