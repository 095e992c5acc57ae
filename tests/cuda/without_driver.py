"""What torch with CUDA does on a machine without a driver. Run by tests/cuda/toolkit with NVIDIA's toolkit."""

import sys

import torch

loaded = {line.rsplit("/", 1)[-1].split(".so")[0] for line in open("/proc/self/maps") if ".so" in line}
assert not loaded & {"libTHC", "libcudart", "libcublas", "libtorch_cuda", "libnccl", "libnvrtc"}, (
    f"import torch loads {loaded}"
)
assert torch.version.cuda == "13.0", torch.version.cuda
assert torch.backends.cuda.is_built()
# NCCL itself needs no driver to say which it is; communicators do, and say what is missing.
assert torch.cuda.nccl.version() >= (2, 0), torch.cuda.nccl.version()
print("1 passed: NCCL", torch.cuda.nccl.version(), "and an id of", len(torch.cuda.nccl.unique_id()), "bytes")
assert torch.cuda.device_count() == 0
try:
    torch.ones(3, device="cuda")
except RuntimeError as error:
    print("1 passed: no device:", error)
else:
    sys.exit("a tensor on a device that there is not")
try:
    torch.cuda.nccl.init_rank(1, bytes(128), 0)
except RuntimeError as error:
    print("1 passed: no communicator:", error)
else:
    sys.exit("a communicator without a device")
assert torch.ones(3).sum().item() == 3
