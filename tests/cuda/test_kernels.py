"""torch.cuda._compile_kernel: kernels compiled in the running process."""

import gc

import pytest
import torch
from torch.cuda import _utils

SOURCE = r"""
#ifndef THC_DYNAMIC_SHARED
#define THC_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif
extern "C" __global__ void scale(float *to, const float *from, double by, int n) {
  const int i = int(threadIdx.x + blockIdx.x * blockDim.x);
  if (i < n) to[i] = float(from[i] * by);
}
extern "C" __global__ void sizes(double *to, bool flag, short small, long long large, float real) {
  to[0] = flag;
  to[1] = small;
  to[2] = double(large);
  to[3] = real;
}
extern "C" __global__ void places(int *to) {
  to[(threadIdx.x + threadIdx.y * blockDim.x) + blockIdx.z * (blockDim.x * blockDim.y)] =
      int(blockIdx.z * 100 + threadIdx.y * 10 + threadIdx.x);
}
extern "C" __global__ void last(int *to, int n) {
  THC_DYNAMIC_SHARED(int, buffer);
  buffer[n - 1] = 7;
  *to = buffer[n - 1];
}
template <class T>
__global__ void fill(T *to, int value) {
  to[threadIdx.x] = T(value);
}
extern "C" __global__ void nothing() {}
"""
_compiled = {}


def kernel(name):
    """The kernel of that name, compiled once."""
    if name not in _compiled:
        _compiled[name] = torch.cuda._compile_kernel(SOURCE, name)
    return _compiled[name]


def test_a_kernel():
    a, b = torch.arange(1000.0, device="cuda"), torch.zeros(1000, device="cuda")
    assert kernel("scale")(grid=(4, 1, 1), block=(256, 1, 1), args=[b, a, 2.5, 999]) is None
    assert b[:999].equal(a[:999] * 2.5) and b[999].item() == 0
    kernel("nothing")()
    kernel("nothing")((1, 1, 1), (1, 1, 1), [], 0, torch.cuda.current_stream())


def test_dimensions():
    found = torch.empty(2 * 3 * 4, dtype=torch.int32, device="cuda")
    kernel("places")(grid=(1, 1, 2), block=(4, 3, 1), args=[found])
    assert found.tolist() == [z * 100 + y * 10 + x for z in range(2) for y in range(3) for x in range(4)]


def test_numbers_take_the_room_of_their_parameters():
    found = torch.empty(4, dtype=torch.float64, device="cuda")
    kernel("sizes")(args=[found, True, -3, 2**40, 0.1])
    assert found.tolist() == [1, -3, 2**40, torch.tensor(0.1).double().item()]


def test_templates():
    for dtype, name in ((torch.int32, "fill<int>"), (torch.float64, "fill<double>")):
        a = torch.zeros(3, dtype=dtype, device="cuda")
        kernel(name)(block=(3, 1, 1), args=[a, 5])
        assert a.tolist() == [5, 5, 5]


def test_pinned_memory():
    a = torch.arange(8.0).pin_memory()
    b = torch.zeros(8, device="cuda")
    kernel("scale")(block=(8, 1, 1), args=[b, a, 1.0, 8])
    assert b.tolist() == a.tolist()


def test_streams():
    a, b = torch.ones(10, device="cuda"), torch.zeros(10, device="cuda")
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    kernel("scale")(block=(10, 1, 1), args=[b, a, 3.0, 10], stream=stream)
    stream.synchronize()
    assert b.tolist() == [3] * 10
    with torch.cuda.stream(torch.cuda.Stream()):
        kernel("scale")(block=(10, 1, 1), args=[b, b, 2.0, 10])
        assert b.tolist() == [6] * 10


def test_shared_memory():
    found, words = torch.zeros(1, dtype=torch.int32, device="cuda"), 16 * 1024
    own = torch.cuda._compile_kernel(SOURCE, "last")
    own(args=[found, 1024], shared_mem=4096)
    assert found.item() == 7
    with pytest.raises(RuntimeError, match=f"requires {4 * words} bytes of shared memory .* not configured"):
        own(args=[found, words], shared_mem=4 * words)
    own.set_shared_memory_config(4 * words)
    own(args=[found.zero_(), words], shared_mem=4 * words)
    assert found.item() == 7
    with pytest.raises(RuntimeError, match=f"only {4 * words} bytes configured"):
        own(args=[found, words], shared_mem=4 * words + 4)
    with pytest.raises(RuntimeError, match="exceeds device limit"):
        own.set_shared_memory_config(1 << 30)


def test_a_kernel_belongs_to_its_device(second):
    with torch.cuda.device(second):
        own = torch.cuda._compile_kernel(SOURCE, "scale")
        here = torch.ones(2, device="cuda")
    own(block=(2, 1, 1), args=[here, here, 4.0, 2])
    assert here.tolist() == [4, 4] and torch.cuda.current_device() == 0
    with pytest.raises(ValueError, match="argument 1 is on cuda:0, the kernel is on cuda:1"):
        own(args=[here, torch.ones(2, device="cuda:0"), 1.0, 2])
    with pytest.raises(ValueError, match="the stream is of cuda:0, the kernel on cuda:1"):
        own(args=[here, here, 1.0, 2], stream=torch.cuda.current_stream(0))


def test_wrong_arguments_change_nothing():
    scale, a = kernel("scale"), torch.ones(4, device="cuda")
    for call, error, words in (
        (lambda: scale(args=[a, a, 1.0]), ValueError, "takes 4 arguments, but got 3"),
        (lambda: scale(args=[a, a.cpu(), 1.0, 4]), ValueError, "pinned CPU tensors: argument 1 is on cpu"),
        (lambda: scale(args=[a, "x", 1.0, 4]), TypeError, "Unsupported argument type.*of argument 1"),
        (lambda: scale(args=[a, a, a, a]), TypeError, "argument 3 is a tensor, and the kernel's parameter, of 4 bytes"),
        (lambda: scale(args=[a, a, 1.0, 2**32]), ValueError, "argument 3 is 4294967296"),
        (lambda: scale(grid=(1, 1), args=[a, a, 1.0, 4]), ValueError, r"grid must be three ints.* not \(1, 1\)"),
        (lambda: scale(block=(0, 1, 1), args=[a, a, 1.0, 4]), ValueError, r"block must be .* not \(0, 1, 1\)"),
        (lambda: scale(args=[a, a, 1.0, 4], shared_mem=-1), ValueError, "not -1"),
        (
            lambda: scale(block=(1025, 1, 1), args=[a, a, 9.0, 4]),
            RuntimeError,
            r"invalid argument.*block=\(1025, 1, 1\)",
        ),
        (lambda: kernel("sizes")(args=[a, 1.5, 1, 1, 2.0]), TypeError, "argument 1 is a float, .* of 1 bytes"),
    ):
        with pytest.raises(error, match=words):
            call()
    torch.cuda.synchronize()
    assert a.tolist() == [1, 1, 1, 1]


def test_sources_that_do_not_compile():
    with pytest.raises(RuntimeError, match="(?s)Kernel compilation failed.*missing_name"):
        torch.cuda._compile_kernel('extern "C" __global__ void f(int *to) { *to = missing_name; }', "f")
    with pytest.raises(RuntimeError, match="Kernel compilation failed"):
        torch.cuda._compile_kernel(SOURCE, "no_such_kernel")
    with pytest.raises(RuntimeError, match="(?s)Kernel compilation failed.*no-such-option"):
        torch.cuda._compile_kernel(SOURCE, "nothing", nvcc_options=["--no-such-option"])
    with pytest.raises(ValueError, match="compute_capability='35' is none that NVRTC 13.0 compiles for: '75', '80'"):
        torch.cuda._compile_kernel(SOURCE, "nothing", "35")
    with pytest.raises(TypeError, match="kernel_source must be a str, not bytes"):
        torch.cuda._compile_kernel(b"", "f")
    with pytest.raises(TypeError, match="nvcc_options must hold strings, not int: 3"):
        torch.cuda._compile_kernel(SOURCE, "nothing", nvcc_options=[3])


def test_options_and_headers(tmp_path):
    (tmp_path / "by.h").write_text("#define BY WORD\n")
    source = '#include "by.h"\nextern "C" __global__ void f(int *to) { *to = BY; }'
    found = torch.zeros(1, dtype=torch.int32, device="cuda")
    own = torch.cuda._compile_kernel(source, "f", cuda_include_dirs=[str(tmp_path)], nvcc_options=["-DWORD=31"])
    own(args=[found])
    assert found.item() == 31


def test_ptx_is_loaded_as_a_module():
    import torch._nvrtc

    ptx, names = torch._nvrtc.compile(
        '#include "one.h"\n' + SOURCE,
        "source.cu",
        options=["--gpu-architecture=compute_80"],
        headers={"one.h": "#define ONE 1\n"},
        expressions=["fill<int>"],
    )
    assert b".target compute_80" in ptx.replace(b"sm_80", b"compute_80")
    module = _utils._cuda_load_module(ptx)
    a = torch.zeros(2, dtype=torch.int32, device="cuda")
    getattr(module, names[0])(block=(2, 1, 1), args=[a, 4])
    assert a.tolist() == [4, 4]
    with pytest.raises(AttributeError, match="No kernel named 'missing' in this module"):
        module.missing  # noqa: B018
    assert set(_utils._cuda_load_module(ptx.decode(), ["nothing"])) == {"nothing"}
    with pytest.raises(RuntimeError, match="CUDA_ERROR_INVALID"):
        _utils._cuda_load_module(b"no PTX at all")
    with pytest.raises(RuntimeError, match="neither PTX nor code"):
        _utils._cuda_load_module(b"x")


def test_code_that_is_cut_off():
    import torch._nvrtc

    arch = "--gpu-architecture=sm_{}{}".format(*torch.cuda.get_device_capability())
    image, _ = torch._nvrtc.compile(SOURCE, "source.cu", options=[arch], cubin=True)
    assert image[:4] == b"\x7fELF"
    _utils._cuda_load_module(image).nothing()
    for size in (4, 63, 64, len(image) // 2):
        with pytest.raises(RuntimeError, match=f"an image of {size} bytes is cut off"):
            _utils._cuda_load_module(image[:size])
    huge = image[:40] + b"\xff" * 8 + image[48:]  # where the section table begins
    with pytest.raises(RuntimeError, match=f"its section table begins at {2**64 - 1}"):
        _utils._cuda_load_module(huge)


def test_null_characters_are_refused():
    import torch._nvrtc

    for given in (
        {"options": ["-DWORD=1\0"]},
        {"expressions": ["fill<int>\0"]},
        {"headers": {"one\0.h": ""}},
        {"headers": {"one.h": "#define ONE 1\0"}},
    ):
        with pytest.raises(ValueError, match="must not hold a null character: '.*x00"):
            torch._nvrtc.compile(SOURCE, "source.cu", **given)


def test_code_of_another_generation_is_refused():
    major = torch.cuda.get_device_capability()[0]
    other = "100" if major != 10 else "90"
    with pytest.raises(RuntimeError, match="no kernel image is available"):
        torch.cuda._compile_kernel(SOURCE, "nothing", other)


def test_a_kernel_keeps_its_module():
    own = torch.cuda._compile_kernel(SOURCE, "scale")
    a = torch.ones(3, device="cuda")
    own.module = None
    gc.collect()
    own(block=(3, 1, 1), args=[a, a, 5.0, 3])
    del own  # before its work is done
    gc.collect()
    assert a.tolist() == [5, 5, 5]
