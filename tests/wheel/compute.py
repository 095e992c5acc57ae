"""Compute with the installed wheel, and testify where each library of this process comes from.

    python compute.py [--preload LIBRARY]

--preload loads a library first (RTLD_LOCAL), as an unrelated extension module might have done.
"""

import ctypes
import pathlib
import sys

preloaded = None
if "--preload" in sys.argv:
    preloaded = pathlib.Path(sys.argv[sys.argv.index("--preload") + 1]).resolve()
    ctypes.CDLL(str(preloaded), mode=ctypes.RTLD_LOCAL)

# After the preloaded one, and all three modules.
import torch  # noqa: E402
import torch._dl  # noqa: E402
import torch._thnn._THNN  # noqa: E402

a = torch.arange(6.0).view(2, 3)
if (a @ a.t()).tolist() != [[5.0, 14.0], [14.0, 50.0]]:
    sys.exit("wrong product")
big = torch.ones(400, 400)
if (big @ big).sum().item() != 400.0**3:
    sys.exit("wrong large product")
if torch.arange(100000).sort(descending=True).values[0].item() != 99999:
    sys.exit("wrong order")
if "numpy" in sys.modules:
    sys.exit("importing torch imported numpy, which a bare environment does not have")

package = pathlib.Path(torch.__file__).resolve().parent
lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
mapped = sorted({pathlib.Path(line.split()[-1]) for line in lines if line.split()[-1].startswith("/")})
ours = [path.name for path in mapped if path.is_relative_to(package)]
for name in (
    "libTH.so.1",
    "libTHNN.so.1",
    "libTHS.so.1",
    "libTHPP.so.1",
    "libshm.so.1",
    "libtorch.so.1",
    "libtorch_python.so.1",
    "libblas-torch.so.3",
    "libgomp-torch.so.1",
    "libdnnl-torch.so.3.6",
):
    if name not in ours:
        sys.exit(f"{name} is not mapped out of {package}, which gave {ours}")
for path in mapped:
    vendors = any(word in path.name for word in ("blas", "gomp", "gfortran", "hwy", "dnnl"))
    if vendors and path != preloaded and not path.is_relative_to(package):
        sys.exit(f"{path} is mapped from outside the package")
print(len(ours), "libraries out of the package:", *ours)
