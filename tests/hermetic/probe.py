"""Import torch, compute, and testify: which files did this process map?

Usage: probe.py [--preload DECOY] [--without-numpy] [--cuda]. Prints what is wrong and exits 1, or prints the number of mapped
files and exits 0. --preload loads a decoy library first (RTLD_LOCAL), as an unrelated extension
module of the same process might have done. --without-numpy leaves NumPy out: it may find its BLAS,
and finds libstdc++, by name, and a decoy of those that is loaded already wins there. --cuda computes on a device, too,
with all extension modules loaded.
"""

import ctypes
import importlib
import os
import pathlib
import sys


def mapped():
    with open("/proc/self/maps") as maps:
        fields = [line.split(maxsplit=5) for line in maps]
    return sorted({f[5].strip() for f in fields if len(f) == 6 and f[5].startswith("/")})


def main():
    preloaded = None
    if "--preload" in sys.argv:
        preloaded = os.path.realpath(sys.argv[sys.argv.index("--preload") + 1])
        ctypes.CDLL(preloaded, mode=ctypes.RTLD_LOCAL)

    import torch

    a = torch.arange(6.0).view(2, 3)
    if (a @ a.t()).tolist() != [[5.0, 14.0], [14.0, 50.0]]:
        sys.exit("wrong product")
    if "--without-numpy" not in sys.argv and a.numpy().sum() != 15:
        sys.exit("wrong sum")

    if "--cuda" in sys.argv:
        package = pathlib.Path(torch.__file__).parent
        for file in package.rglob("_*.so"):
            importlib.import_module(".".join(("torch", *file.relative_to(package).parts)).partition(".cpython")[0])
        b = a.cuda() + 1
        if (b @ b.t()).tolist() != [[14.0, 32.0], [32.0, 77.0]]:
            sys.exit("wrong product on a device")

    strays = [path for path in mapped() if not path.startswith("/nix/store/") and path != preloaded]
    if strays:
        sys.exit("mapped from outside the store:\n" + "\n".join(strays))
    print(len(mapped()), "files mapped, all from the store")


main()
