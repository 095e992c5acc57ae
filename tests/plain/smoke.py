"""Uses an installed torch as examples/digits_knn.py does, and looks at what it has loaded.

python smoke.py PREFIX       PREFIX: where torch must come from
"""

import pathlib
import sys

import numpy
import torch

prefix = pathlib.Path(sys.argv[1]).resolve()

# Nearest neighbours among points around ten centres: every stranger must find home.
torch.manual_seed(0)
centres = torch.randn(10, 64) * 10
known = (centres.unsqueeze(1) + torch.randn(10, 50, 64)).view(500, 64)
labels = torch.arange(10).unsqueeze(1).expand(10, 50).contiguous().view(500)
strangers = (centres.unsqueeze(1) + torch.randn(10, 20, 64)).view(200, 64)
truth = torch.arange(10).unsqueeze(1).expand(10, 20).contiguous().view(200)
distances = (strangers * strangers).sum(1, keepdim=True) + (known * known).sum(1) - 2 * strangers.mm(known.t())
nearest = distances.topk(3, dim=1, largest=False)[1]
right = (labels[nearest[:, 0]] == truth).sum().item()
assert right == 200, f"{right} of 200 found home"

# The same numbers as numpy's, in shared memory, and as large a product as needs BLAS and its threads.
a, b = torch.randn(300, 200, dtype=torch.float64), torch.randn(200, 100, dtype=torch.float64)
difference = numpy.abs(a.mm(b).numpy() - a.numpy() @ b.numpy()).max()
assert difference < 1e-10, f"matrix products differ by {difference}"
array = numpy.zeros(3, dtype=numpy.float32)
torch.from_numpy(array).add_(1)
assert array.tolist() == [1, 1, 1], array

loaded = {line.split(maxsplit=5)[5].strip() for line in open("/proc/self/maps") if ".so" in line}
names = {
    "libTH.so.1",
    "libTHNN.so.1",
    "libTHS.so.1",
    "libTHPP.so.1",
    "libshm.so.1",
    "libtorch.so.1",
    "libtorch_python.so.1",
}
from_torch = {pathlib.Path(path) for path in loaded if pathlib.Path(path).name in names}
assert {path.name for path in from_torch} == names, f"loaded: {sorted(map(str, from_torch))}"
for path in from_torch | {pathlib.Path(torch.__file__), pathlib.Path(torch._C.__file__)}:
    assert path.is_relative_to(prefix), f"{path} is not from {prefix}"
print("ok")
