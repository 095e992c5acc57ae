"""torch.load and files that are damaged or that mean harm: an exception each time, nothing called, no crash."""

import io
import pickle
import resource
import struct
import subprocess
import sys
import time
import zipfile

import pytest
import torch
from fuzz import files


def archive(data, records=(), compression=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as target:
        for name, record in [("data.pkl", data), *records]:
            target.writestr(f"archive/{name}", record)
    out.seek(0)
    return out


def test_ten_thousand_inputs():
    """In a process of its own: a crash is a failure here, not the end of the tests."""
    code = f"import sys; sys.path[:0] = {sys.path!r}; from fuzz import files; print(files.run(10_000))"
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert 100 < int(done.stdout) < 5000  # some are harmless, most are not
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start < 300


def test_the_fuzzer_sees_a_call():
    """The control: with trust, hostile files do what they want."""
    files.calls.clear()
    torch.load(archive(pickle.dumps(files.Hostile(files.boom, 1), 2)), weights_only=False)
    assert files.calls == [(1,)]
    files.calls.clear()


@pytest.mark.parametrize("where", range(0, 2500, 61))
def test_every_truncation(where):
    data = files.seeds()[0]
    with pytest.raises((RuntimeError, EOFError, pickle.UnpicklingError)):
        torch.load(io.BytesIO(data[: min(where, len(data) - 1)]))


def test_flipped_elements_are_found():
    data = bytearray(files.seeds()[0])
    at = bytes(data).index(struct.pack("<2f", 1, 2))
    data[at] ^= 1
    with pytest.raises(RuntimeError, match="checksum"):
        torch.load(io.BytesIO(bytes(data)))


def load_pickle(data, **options):
    return torch.load(archive(b"\x80\x02" + data, [("data/0", bytes(48)), ("version", b"3\n")]), **options)


STORAGE = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpu%btQ"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"cbuiltins\neval\nX\x01\0\0\x001\x85R.", "GLOBAL eval was not an allowed global"),
        (b"cos\nsystem\nX\x02\0\0\0ls\x85R.", "posix is blocked|os is blocked"),
        (b"c__builtin__\nbytearray\n\x8a\x06\0\0\0\0\0\x01\x85R.", "bytearray takes bytes"),
        (b"c_codecs\nencode\nX\x01\0\0\0aX\x05\0\0\0idnas\x86R.", "latin1|corrupt"),
        (b"K\1K\1\x85R.", "unrecognized function"),
        (b"K\1)\x81.", "Can only create new object"),
        (b"K\1}b.", "Can only build"),
        (b"}K\1a.", "Can only append to lists"),
        (b"]K\1K\1s.", "Can only SETITEM for dict"),
        (b"K\1Q.", "storage"),
        (b"N\x85Q.", "Only persistent_load of storage"),
        (b"e.", "has not begun"),
        (b".", "more than it has put"),
        (b"h\x05.", "Memo value not found"),
        (b"X\xff\xff\xff\xff.", "truncated"),
        (b"I1\n.", "Unsupported operand 73"),
        (b"}" + b")" + b"\x85" * 100_000 + b"Ns.", "key of more than"),
        (b"}" + b")" + b"q\0h\0\x86" * 60 + b"Ns.", "key of more than"),
        (b"c__builtin__\nset\n](" + b")" + b"\x85" * 100_000 + b"e\x85R.", "key of more than"),
    ],
)
def test_pickles_that_are_refused(data, text):
    start = time.monotonic()
    with pytest.raises((pickle.UnpicklingError, RuntimeError), match=text):
        load_pickle(data)
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    ("count", "rest", "text"),
    [
        (b"\x8a\x08" + b"\xff" * 7 + b"\x7f", b"K\0)", "record"),
        (b"K\x0d", b"K\0)", "record"),
        (b"\x8a\x01\xff", b"K\0)", "must say"),
        (b"K\x0c", b"K\x0c)", "out of bounds"),
        (b"K\x0c", b"\x8a\x08" + b"\xff" * 7 + b"\x7f)", "overflow|out of bounds"),
        (b"K\x0c", b"\x8a\x01\xff)", "offset"),
        (b"K\x0c", b"K\0(\x8a\x08" + b"\xff" * 7 + b"\x7fK\x10t", "overflow|out of bounds"),
        (b"K\x0c", b"K\0(" + b"K\x01" * 70 + b"t", "dimensions"),
        (b"K\x0c", b"K\0(\x8a\x01\xfft", "egative"),
    ],
)
def test_absurd_sizes(count, rest, text):
    sizes = rest[rest.index(b"(") :] if b"(" in rest else b")"
    data = b"ctorch._utils\n_rebuild_tensor_v2\n(" + STORAGE % count + rest + sizes + b"\x89)tR."
    with pytest.raises((pickle.UnpicklingError, RuntimeError), match=text):
        load_pickle(data)


def test_zip_bombs():
    big = pickle.dumps(b"", 2) + bytes(100_000_000)
    with pytest.raises(RuntimeError, match="are believed"):
        torch.load(archive(big, compression=zipfile.ZIP_DEFLATED))
    # One run of bytes under many names.
    data = bytearray(files.seeds()[0])
    first, second = (data.index(b"PK\1\2"), data.index(b"PK\1\2", data.index(b"PK\1\2") + 1))
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    with pytest.raises(RuntimeError, match="zip archive"):
        torch.load(io.BytesIO(bytes(data)))


def test_what_is_no_file_of_ours():
    for data in (b"", b"\x80", b"hello", b"PK\3\4", bytes(5000), pickle.dumps([1], 2), b"\x89PNG\r\n\x1a\n" * 100):
        with pytest.raises((RuntimeError, EOFError, pickle.UnpicklingError)):
            torch.load(io.BytesIO(data))
