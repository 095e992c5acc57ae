"""Spoils a wheel in one way: check.py must find each, else its silence would mean nothing.

python spoil.py WHEEL MISTAKE OUT STORE
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile


def patch(data: bytes, *arguments: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "library"
        path.write_bytes(data)
        subprocess.run(["patchelf", *arguments, path], check=True)
        return path.read_bytes()


wheel, mistake, out, store = sys.argv[1:]

# Name of the mistake: which file, and what happens to its bytes (None: the file goes).
MISTAKES = {
    "record": ("torch/version.py", lambda data: data + b"\n"),
    "missing": ("torch/random.py", lambda data: None),
    "runpath": ("torch/lib/libTH.so.1", lambda data: patch(data, "--set-rpath", "$ORIGIN")),
    "rpath": ("torch/lib/libTHNN.so.1", lambda data: patch(data, "--force-rpath", "--set-rpath", "/usr/lib")),
    "soname": ("torch/lib/libgomp-torch.so.1", lambda data: patch(data, "--set-soname", "libgomp.so.1")),
    "needed": ("torch/lib/libTHPP.so.1", lambda data: patch(data, "--add-needed", "libblas.so.3")),
    "store": ("torch/lib/NOTICE.txt", lambda data: data + f"{store}/{'a1' * 16}-gcc\n".encode()),
    # Of the wheel with CUDA.
    "requirement": (None, lambda data: data.replace(b"Requires-Dist: nvidia-cublas", b"Requires-Dist: nvidia-cuda")),
    "beside": ("torch/lib/libTHC.so.1", lambda data: patch(data, "--force-rpath", "--set-rpath", "$ORIGIN")),
    "inside": ("torch/lib/libTHC.so.1", lambda data: data),
    "version": ("torch/lib/libTH.so.1", lambda data: patch(data, "--remove-needed", "libgomp-torch.so.1")),
}

victim, change = MISTAKES[mistake]
with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as new:
    for entry in old.infolist():
        data = old.read(entry)
        if mistake == "inside":
            if entry.filename == victim:
                new.writestr("torch/lib/libcudart.so.13", data)
        elif entry.filename == victim or victim is None and entry.filename.endswith(".dist-info/METADATA"):
            changed = change(data)
            if changed == data:
                sys.exit(f"{mistake}: {victim} did not change")
            data = changed
        if data is not None:
            entry.compress_type = zipfile.ZIP_STORED
            new.writestr(entry, data)
