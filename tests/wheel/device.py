"""Computes on a device with the torch that is installed, in an environment that has nothing besides it and a CUDA toolkit.

python device.py [--without-toolkit | --preload LIBRARY]
"""

import ctypes
import importlib
import pathlib
import sys

if "--preload" in sys.argv:
    ctypes.CDLL(sys.argv[sys.argv.index("--preload") + 1], mode=ctypes.RTLD_LOCAL)

import torch  # noqa: E402

CUDA = ("libTHC", "libtorch_cuda", "libcudart", "libcublas", "libnccl", "libnvrtc")
PACKAGE = pathlib.Path(torch.__file__).resolve().parent


def mapped():
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    files = {pathlib.Path(line.split()[-1]) for line in lines if line.split()[-1].startswith("/")}
    return {path for path in files if path.name.startswith(CUDA)}


assert torch.__version__.endswith(".cu130"), torch.__version__
assert not mapped(), f"import torch loads {mapped()}"
if "--without-toolkit" in sys.argv:
    assert not torch.cuda.is_available() and torch.cuda.device_count() == 0
    try:
        torch.ones(3, device="cuda")
    except RuntimeError as error:
        assert "libcudart.so.13" in str(error) and torch.ones(3).sum().item() == 3
        print(error)
        sys.exit()
    sys.exit("a tensor on a device, and no toolkit")
for file in sorted(PACKAGE.rglob("_*.so")):
    importlib.import_module(".".join(("torch", *file.relative_to(PACKAGE).parts)).partition(".cpython")[0])
a = torch.ones(3, 3, device="cuda") + 1
if (a @ a).tolist() != [[12.0] * 3] * 3:
    sys.exit("wrong product")
strays = [str(path) for path in mapped() if not path.is_relative_to(PACKAGE.parent)]
if strays:
    sys.exit(f"mapped from elsewhere: {strays}")
found = sorted(str(path.relative_to(PACKAGE.parent)) for path in mapped())
for wanted in ("cu13/lib/libcudart", "cu13/lib/libcublas", "cu13/lib/libnvrtc", "nccl/lib/libnccl"):
    if not any(name.startswith(f"nvidia/{wanted}") for name in found):
        sys.exit(f"no nvidia/{wanted} among {found}")
print("computed with", *found)
