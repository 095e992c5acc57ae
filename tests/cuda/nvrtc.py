"""NVRTC compiles where there is no driver, and marks go nowhere where there is no profiler. Run by tests/cuda/toolkit with
NVIDIA's toolkit."""

import torch._nvrtc
from torch.cuda import _utils, nvtx

source = "template <class T> __global__ void fill(T *to, int value) { to[threadIdx.x] = T(value); }"
options = ["--gpu-architecture=compute_90"]
ptx, (name,) = torch._nvrtc.compile(source, "fill.cu", options, expressions=["fill<float>"])
assert b".target sm_90" in ptx and name.encode() in ptx, ptx.decode()
code, _ = _utils._nvrtc_compile(source, "fill<float>", "90")
assert code.startswith(b"\x7fELF"), code[:16]
try:
    torch._nvrtc.compile("__global__ void f() { missing(); }", "wrong.cu", options)
except RuntimeError as error:
    assert 'wrong.cu(1): error: identifier "missing" is undefined' in str(error), error
else:
    raise SystemExit("NVRTC takes what does not compile")
with nvtx.range("step {}", 1):
    assert nvtx.range_push("inner") == nvtx.range_pop() == -2
print(f"1 passed: NVRTC {torch._nvrtc.version()} compiles {name} for sm_90, driver or not")
