"""Hostile files for torch.load: damaged ones, archives with damaged pickles inside, pickles made of random operations.

Each must raise an exception or give an object whose tensors can be read; what was only damaged outside the pickle must
give what was saved. Nothing that a pickle names is called. Inputs are made by their number: one that fails is found by
it."""

import io
import pickle
import random
import struct
import time
import warnings
import zipfile

import torch

calls = []


def boom(*args):
    """What hostile pickles want to call."""
    calls.append(args)


class Hostile:
    """Pickled as a call."""

    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


def seeds():
    """What is damaged: files of both formats."""
    base = torch.arange(12.0).view(3, 4)
    obj = {
        "a": base,
        "b": base[1:, ::2],
        "c": [1, 2.5, "x", None, (True, {3: b"y"})],
        "d": torch.ones(2, dtype=torch.int8),
    }
    file = io.BytesIO()
    torch.save(obj, file)
    return [file.getvalue()]


def texts(obj):
    """Something to compare objects by; reads every element. Cyclic and deep objects count as odd."""
    out, rest = [], [obj]
    while rest:
        one = rest.pop()
        if len(out) > 2000:
            return ["odd"]
        if isinstance(one, torch.Tensor):
            # (2**40, 0) is a shape, and strides of 0 make 2**62 elements of one.
            count = one.numel()
            values = one.tolist() if 0 < count < 5000 else one.sum().item() if count < 10**6 else None
            out.append((str(one.dtype), tuple(one.shape), values))
        elif isinstance(one, dict):
            out.append(len(one))
            rest.extend(one)
            rest.extend(one.values())
        elif isinstance(one, (list, tuple)):
            out.append(len(one))
            rest.extend(one)
        elif isinstance(one, (int, str, float, bytes, type(None))):
            out.append(one)
        else:
            out.append(type(one).__name__)
    return out


# ---- what is done to a file --------------------------------------------------------------------------------
_EDGES = [0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def damaged(random, data):
    """Some bytes otherwise."""
    data = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8))):
        kind, at = random.randrange(6), random.randrange(len(data) or 1)
        if kind == 0:
            data = data[:at]
        elif kind == 1 and data:
            data[at] ^= 1 << random.randrange(8)
        elif kind == 2 and data:
            data[at] = random.randrange(256)
        elif kind == 3:
            data[at:at] = random.randbytes(random.randrange(1, 9))
        elif kind == 4:
            del data[at : at + random.randrange(1, 40)]
        else:
            size = random.choice((2, 4, 8))
            value = random.choice(_EDGES) * random.choice((1, 1, 2**32)) % 2 ** (8 * size)
            data[at : at + size] = value.to_bytes(size, "little")
        if not data:
            break
    return bytes(data)


def repacked(random, data, edit):
    """The archive with another data.pkl, and checksums that are right: so that the unpickler is reached."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for info in source.infolist():
            record = source.read(info)
            target.writestr(info.filename, edit(record) if info.filename.endswith("data.pkl") else record)
    return out.getvalue()


_NAMES = ["os system", "builtins eval", "builtins exec", "torch FloatStorage", "torch._utils _rebuild_tensor_v2"]
_NAMES += ["collections OrderedDict", "__builtin__ set", "_codecs encode", "__builtin__ bytearray", "torch Size"]
_NAMES += [
    "fuzz.files boom",
    "torch device",
    "torch float32",
    "torch._tensor _rebuild_from_type_v2",
]
_NAMES += ["torch Tensor", "torch.storage UntypedStorage", "torch._utils _rebuild_parameter", "collections Counter"]


def _operation(random):
    kind = random.randrange(14)
    if kind == 0:
        return b"c" + random.choice(_NAMES).replace(" ", "\n").encode() + b"\n"
    if kind == 1:
        text = random.choice(["storage", "0", "1", "cpu", "latin1", "x" * 40]).encode()
        return b"X" + struct.pack("<I", random.choice([len(text), len(text), len(text), 2**32 - 1])) + text
    if kind == 2:
        return b"K" + bytes([random.randrange(256)])
    if kind == 3:
        return b"J" + struct.pack("<I", random.choice(_EDGES))
    if kind == 4:
        count = random.randrange(12)
        return b"\x8a" + bytes([count]) + random.randbytes(count)
    if kind == 5:
        return b"q" + bytes([random.randrange(5)])
    if kind == 6:
        return b"h" + bytes([random.randrange(5)])
    if kind == 7:
        return b"G" + random.randbytes(8)
    if kind == 8:
        return b"r" + struct.pack("<I", random.choice(_EDGES))
    return random.choice(
        [b"(", b"t", b"\x85", b"\x86", b"\x87", b"N", b"\x88", b"\x89", b")", b"]", b"}", b"R", b"R"]
        + [b"b", b"Q", b"a", b"e", b"s", b"u", b"\x81", b"0", b"2", b"\x8f", b"\x90", b"."]
    )


def program(random):
    """A pickle of random operations."""
    return b"\x80\x02" + b"".join(_operation(random) for _ in range(random.randrange(1, 60))) + b"."


_STORAGE = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0%bX\x03\0\0\0cpu%btQ"


def geometry(random):
    """A tensor with a random number of elements, offset, sizes and strides over a storage of the file."""

    def number():
        value = random.choice([0, 1, 2, 3, 12, 13, -1, -5, 2**31, 2**40, 2**62, 2**63 - 1, 2**63, 2**64, -(2**63)])
        data = pickle.encode_long(value)
        return b"\x8a" + bytes([len(data)]) + data

    def numbers():
        return b"(" + b"".join(number() for _ in range(random.choice([0, 1, 2, 3, 70]))) + b"t"

    storage = _STORAGE % (random.choice([b"0", b"1", b"7"]), random.choice([b"K\x0c", number()]))
    return b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number() + numbers() + numbers() + b"\x89)tR."


def nested(random):
    """Depth: tuples in tuples, as values or as keys."""
    depth = 100_000 if random.random() < 0.02 else random.choice([10, 500, 3000])
    tuples = b")" + random.choice([b"\x85", b"2\x86"]).replace(b"2", b"q\0h\0") * depth
    return b"\x80\x02" + random.choice(
        [tuples + b".", b"}" + tuples + b"Ns.", b"c__builtin__\nset\n](" + tuples + b"e\x85R."]
    )


def bomb(random):
    """Records that grow, or say so."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        target.writestr("a/data.pkl", pickle.dumps([0] * random.choice([1, 100_000]), 2))
        target.writestr("a/data/0", bytes(random.choice([10, 1_000_000])))
    data = bytearray(out.getvalue())
    at = data.rfind(b"PK\1\2") if random.random() < 0.5 else data.find(b"PK\1\2")
    struct.pack_into("<L", data, at + random.choice([20, 24, 42]), random.choice([2**31, 2**32 - 2, 2**30, 0]))
    return bytes(data)


def hostile(random):
    """Calls of dangerous things, as pickle writes them."""
    function = random.choice([boom, eval, exec, print, open, getattr, __import__, bytearray, memoryview, torch.empty])
    args = random.choice([(), (1,), ("calls.append(1)",), (2**62,), (boom, "__call__")])
    obj = random.choice([Hostile(function, *args), [1, Hostile(function, *args)], {"a": Hostile(function, *args)}])
    return pickle.dumps(obj, random.choice([2, 2, 2, 0, 3, 4, 5]))


def legacy_seed():
    """A file of the format before 1.6, as PyTorch 1.5 writes it, with one storage."""
    parts = [pickle.dumps(n, 2) for n in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True})]
    storage = _STORAGE.replace(b"tQ", b"NtQ") % (b"0", b"K\x0c")
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\0(K\x03K\x04t(K\x04K\x01t\x89)tR"
    parts += [b"\x80\x02" + tensor + b".", pickle.dumps(["0"], 2), struct.pack("<q12f", 12, *range(12))]
    return parts


def make(number, seed, files, legacy):
    """Input `number`: (bytes, whether it must be as before if it loads)."""
    chance = random.Random(seed * 10**9 + number)
    kind = number % 10
    if kind in (0, 1):
        return damaged(chance, chance.choice(files)), True
    if kind == 2:
        return damaged(chance, b"".join(legacy)), False
    if kind == 3:
        inside = chance.choice([program, hostile, nested])(chance)
        return b"".join([*legacy[:3], inside, *legacy[4:]]), False
    if kind == 4:
        return bomb(chance), False
    if kind == 5:
        return repacked(chance, files[0], lambda record: damaged(chance, record)), False
    inside = {6: program, 7: geometry, 8: hostile, 9: chance.choice([nested, program, geometry])}[kind](chance)
    return repacked(chance, files[0], lambda record: inside), False


def run(count, seed=0, first=0):
    """Feeds `count` inputs; returns how many loaded. Raises at the first that breaks a promise."""
    files, legacy = seeds(), legacy_seed()
    want = texts(torch.load(io.BytesIO(files[0])))
    assert torch.load(io.BytesIO(b"".join(legacy))).sum().item() == 66
    loaded = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(first, first + count):
            data, as_before = make(number, seed, files, legacy)
            start = time.process_time()
            try:
                got = torch.load(io.BytesIO(data))
            except MemoryError:
                raise AssertionError(f"input {number} of seed {seed} asks for too much memory") from None
            except Exception:  # noqa: BLE001 - any will do
                got = None
            else:
                loaded += 1
                found = texts(got)
                assert not as_before or found == want, f"input {number} of seed {seed} loads as something else"
            assert not calls, f"input {number} of seed {seed} called {calls}"
            took = time.process_time() - start
            assert took < 10, f"input {number} of seed {seed} took {took:.1f} s"
    return loaded
