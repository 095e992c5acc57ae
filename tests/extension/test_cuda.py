"""Extensions with CUDA: how nvcc is called, what is refused, and, where there is a toolkit, that they compile and link.

Most of it looks at commands alone, so it runs with any torch: `toolkit` is a folder that looks like one, whose nvcc
answers questions and writes down what it is asked to compile. What compiles needs a torch with CUDA and $CUDA_HOME;
what runs needs a device, too (or the host CUDA of tests/host-cuda).
"""

import os
import pathlib
import re
import shutil

import pytest
import torch
from torch.utils import cpp_extension
from torch.utils._extension import jit, locations, ninja, toolkit as cuda

HERE = pathlib.Path(__file__).parent

NVCC = """#!{shell}
case "$*" in
  --version) echo "Cuda compilation tools, release {release}, V{release}.88" ;;
  --list-gpu-arch) printf 'compute_%s\\n' 75 80 90 100 103 ;;
  *) echo "$0 $*" >> {log}; exit 7 ;;
esac
"""


@pytest.fixture
def with_cuda(monkeypatch):
    """This torch, as if it were built with CUDA, without a device and without a toolkit."""
    monkeypatch.setattr(torch.cuda, "_is_compiled", lambda: True)
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    monkeypatch.setattr(cpp_extension, "CUDA_HOME", None)
    for name in ("TORCH_CUDA_ARCH_LIST", "CUDA_HOME", "CUDA_PATH", "PYTORCH_NVCC"):
        monkeypatch.delenv(name, raising=False)
    cuda._answer.cache_clear()
    yield monkeypatch
    cuda._answer.cache_clear()


def make_toolkit(folder, release="13.0"):
    """Returns the root of what looks like a toolkit."""
    for name in ("bin", "include", "lib"):
        (folder / name).mkdir(parents=True)
    (folder / "lib/libcudart.so.13").touch()
    (folder / "bin/nvcc").write_text(NVCC.format(shell=shutil.which("sh"), release=release, log=folder / "log"))
    (folder / "bin/nvcc").chmod(0o755)
    return folder


@pytest.fixture
def toolkit(with_cuda, tmp_path):
    root = make_toolkit(tmp_path / "toolkit")
    with_cuda.setattr(cpp_extension, "CUDA_HOME", str(root))
    with_cuda.setenv("TORCH_CUDA_ARCH_LIST", "9.0")
    return root


# ---- where the toolkit is ----


def test_home(with_cuda, tmp_path):
    in_path = make_toolkit(tmp_path / "in_path")
    with_cuda.setenv("PATH", f"{in_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert cuda.find_home() == str(in_path)
    with_cuda.setenv("CUDA_PATH", "/second")
    assert cuda.find_home() == "/second"
    with_cuda.setenv("CUDA_HOME", "/first")
    assert cuda.find_home() == "/first"
    with_cuda.setattr(torch.cuda, "_is_compiled", lambda: False)
    assert cuda.find_home() is None, "a torch without CUDA looks for no toolkit"


def test_no_toolkit(with_cuda):
    for call in (
        lambda: cpp_extension.include_paths("cuda"),
        lambda: cpp_extension.library_paths("cuda"),
        lambda: cpp_extension.CUDAExtension("x", ["x.cu"]),
        lambda: cpp_extension.load_inline("x", "", cuda_sources="int x;"),
        lambda: cpp_extension.load_inline("x", "", with_cuda=True),
    ):
        with pytest.raises(
            OSError, match=r"(?s)CUDA_HOME environment variable is not set.*CUDA 13\.0.*nixw develop \.#cuda"
        ):
            call()


def test_incomplete_toolkit(toolkit):
    (toolkit / "lib/libcudart.so.13").unlink()
    with pytest.raises(OSError, match=r"no libcudart\.so in .*/toolkit/lib"):
        cpp_extension.CUDAExtension("x", ["x.cu"])
    (toolkit / "bin/nvcc").unlink()
    with pytest.raises(OSError, match=r"there is no .*/toolkit/bin/nvcc"):
        cuda.command([])


def test_paths(toolkit):
    assert cpp_extension.include_paths("cuda") == [str(locations.INCLUDE), str(toolkit / "include")]
    assert cpp_extension.include_paths(device_type="cuda", torch_include_dirs=False) == [str(toolkit / "include")]
    assert cpp_extension.library_paths("cuda") == [str(locations.LIB), str(toolkit / "lib")]
    (toolkit / "lib64").mkdir()
    assert cpp_extension.library_paths("cuda")[1:] == [str(toolkit / "lib64")]
    assert cpp_extension.include_paths() == [str(locations.INCLUDE)]
    with pytest.raises(ValueError, match="'cpu' or 'cuda', not 'xpu'"):
        cpp_extension.include_paths("xpu")


def test_versions(toolkit, tmp_path, monkeypatch):
    monkeypatch.setattr(cpp_extension, "CUDA_HOME", str(make_toolkit(tmp_path / "twelve", "12.9")))
    with pytest.raises(RuntimeError, match=r"CUDA version \(12\.9\) mismatches .* torch \(13\.0\)"):
        cuda.command([])
    monkeypatch.setattr(cpp_extension, "CUDA_HOME", str(make_toolkit(tmp_path / "newer", "13.4")))
    with pytest.warns(UserWarning, match=r"CUDA 13\.4, torch of CUDA 13\.0"):
        cuda.command([])


# ---- what it compiles for ----


@pytest.mark.parametrize(
    "text, codes",
    [
        ("9.0", ["90,code=sm_90"]),
        ("8.0;9.0+PTX", ["80,code=sm_80", "90,code=sm_90", "90,code=compute_90"]),
        ("8.0 10.3", ["80,code=sm_80", "103,code=sm_103"]),
        ("9.0a", ["90a,code=sm_90a"]),
        ("8.0;8.0", ["80,code=sm_80"]),
        ("Turing", ["75,code=sm_75", "75,code=compute_75"]),
    ],
)
def test_capabilities(toolkit, monkeypatch, text, codes):
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", text)
    assert cuda.capability_flags([]) == [f"-gencode=arch=compute_{code}" for code in codes]
    assert cuda.capability_flags(["-O3", "-arch=sm_90"]) == [], "the caller's own count alone"


@pytest.mark.parametrize("text", ["7.0", "9", "sm_90", "9.0+ptx", "Ampere", "9.0b", "All"])
def test_capabilities_that_nvcc_lacks(toolkit, monkeypatch, text):
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", f"9.0;{text}")
    with pytest.raises(ValueError, match=r"Unknown CUDA arch \(.*compiles for 7\.5, 8\.0, 9\.0, 10\.0, 10\.3"):
        cuda.capabilities()


@pytest.mark.parametrize("text", ["", "native"])
def test_capabilities_of_the_devices(toolkit, monkeypatch, text):
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", text)
    with pytest.raises(RuntimeError, match=r"(?s)no device .* set TORCH_CUDA_ARCH_LIST.* 7\.5, 8\.0"):
        cuda.capabilities()
    present = [(9, 0), (8, 0), (12, 0), (9, 0)]
    monkeypatch.setattr(torch.cuda, "device_count", lambda: len(present))
    monkeypatch.setattr(torch.cuda, "get_device_capability", present.__getitem__, raising=False)
    assert cuda.capabilities() == ["8.0", "9.0", "10.3+PTX"], "each once, and no newer one than nvcc knows"


# ---- how nvcc is called ----


def test_command(toolkit, monkeypatch):
    monkeypatch.setenv("CXX", f"env {shutil.which('g++')} -m64")
    words = cuda.command(["-lineinfo"])
    assert words[0] == str(toolkit / "bin/nvcc")
    assert words[-1] == "-lineinfo"
    for expected in ("-O2", "-std=c++20", "--expt-relaxed-constexpr", "-gencode=arch=compute_90,code=sm_90"):
        assert words.count(expected) == 1
    assert words[words.index("-ccbin") + 1] == shutil.which("g++")
    assert words[words.index("-m64") - 1] == "-Xcompiler"
    for own in (["-O3"], ["-std=c++23"], ["-ccbin", "g++"], ["--compiler-bindir=g++"], ["--optimize=1"]):
        words = cuda.command(own)  # nvcc refuses an option of these that comes twice
        once = [word for word in words if re.match(r"-O|-std|-ccbin|--compiler-b|--optim", word)]
        assert len(once) == 3, words
    monkeypatch.setenv("PYTORCH_NVCC", "ccache")
    with pytest.raises((OSError, RuntimeError)):
        cuda.command([])


def compiled(root):
    return [line.split() for line in (root / "log").read_text().splitlines()]


def test_inline_sources_go_to_nvcc(toolkit):
    with pytest.raises(RuntimeError, match="Error building extension 'inline'"):
        cpp_extension.load_inline(
            "inline", "", cuda_sources="__global__ void k() {}", functions=["f"], extra_cuda_cflags=["-lineinfo"]
        )
    (words,) = compiled(toolkit)
    source = pathlib.Path(words[words.index("-c") + 1])
    assert source == jit.build_folder("inline") / "cuda.cu"
    assert "#include <torch/cuda.h>\n__global__ void k() {}" in source.read_text()
    assert "__global__" not in (source.parent / "main.cpp").read_text()
    assert {"-lineinfo", "-DTORCH_EXTENSION_NAME=inline", str(locations.INCLUDE), str(toolkit / "include")} <= set(
        words
    )


@pytest.mark.parametrize("use_ninja", [True, False])
def test_setuptools_calls_nvcc(toolkit, tmp_path, monkeypatch, use_ninja):
    from setuptools import Distribution

    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernel.cu").write_text("__global__ void k() {}")
    extension = cpp_extension.CUDAExtension(
        "a.b", ["kernel.cu"], extra_compile_args={"cxx": ["-g"], "nvcc": ["-O3"]}, define_macros=[("SIZE", "2")]
    )
    assert str(toolkit / "lib/libcudart.so.13") in extension.extra_link_args
    command = cpp_extension.BuildExtension(Distribution({"ext_modules": [extension]}), use_ninja=use_ninja)
    command.build_lib, command.build_temp = "build", "temp"
    command.ensure_finalized()
    with pytest.raises(Exception, match=r"nvcc|compiling objects for extension 'a\.b'"):
        command.run()
    (words,) = compiled(toolkit)
    assert {"-O3", "-DSIZE=2", "-DTORCH_EXTENSION_NAME=b"} <= set(words)
    assert "-O2" not in words and "-g" not in words
    assert words[words.index("-c") + 1].endswith("kernel.cu")


def test_what_is_refused(toolkit):
    with pytest.raises(ValueError, match=r"kernel\.cu: CppExtension\('x'\) is without CUDA"):
        cpp_extension.CppExtension("x", ["x.cpp", "kernel.cu"])
    with pytest.raises(ValueError, match="dlink"):
        cpp_extension.CUDAExtension("x", ["x.cu"], dlink=True)
    with pytest.raises(ValueError, match=r"with_cuda=False, but .*kernel\.cu"):
        cpp_extension.load("x", ["kernel.cu"], with_cuda=False)
    with pytest.raises(ValueError, match="with_cuda=False, but cuda_sources"):
        cpp_extension.load_inline("x", "", cuda_sources="x", with_cuda=False)
    with pytest.raises(TypeError, match="not as the str '-O3'"):
        cpp_extension.load_inline("x", "", cuda_sources="x", extra_cuda_cflags="-O3")


def test_two_sources_of_one_name(toolkit, tmp_path, monkeypatch):
    from setuptools import Distribution

    monkeypatch.chdir(tmp_path)
    extension = cpp_extension.CUDAExtension("x", ["x.cpp", "x.cu"])
    command = cpp_extension.BuildExtension(Distribution({"ext_modules": [extension]}))
    command.ensure_finalized()
    with pytest.raises(ValueError, match=r"x\.cpp and x\.cu make the same object"):
        command.run()


# ---- that it works ----

SCALE_CPP = "torch::Tensor scale(torch::Tensor x, double factor);"
# Launches by the runtime's template, which the host CUDA has, too: it is compiled by a C++ compiler, without <<<>>>.
SCALE_CUDA = """
template <class T> __global__ void scale_kernel(T *r, const T *x, T factor, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) r[i] = x[i] * factor;
}
torch::Tensor scale(torch::Tensor x, double factor) {
  TORCH_CHECK(x.is_cuda(), "scale: x is on ", x.device());
  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor from = x.contiguous(), r = torch::empty_like(from);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", [&] {
    scalar_t *to = r.data_ptr<scalar_t>();
    const scalar_t *data = from.data_ptr<scalar_t>();
    scalar_t times = scalar_t(factor);
    int64_t n = x.numel();
    void *arguments[] = {&to, &data, &times, &n};
    C10_CUDA_CHECK(cudaLaunchKernel(scale_kernel<scalar_t>, dim3((n + 255) / 256), dim3(256), arguments,
                                    0, at::cuda::getCurrentCUDAStream()));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return r;
}
"""

needs_toolkit = pytest.mark.skipif(
    cpp_extension.CUDA_HOME is None or not os.path.exists(os.path.join(cpp_extension.CUDA_HOME, "bin/nvcc")),
    reason="needs a torch with CUDA and a toolkit",
)
needs_device = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


@pytest.fixture
def one_capability(monkeypatch):
    if not torch.cuda.is_available():
        monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", "9.0")


@needs_toolkit
def test_compiles_and_links(one_capability, tmp_path, run):
    """A plain library, which is not loaded: that takes no device."""
    source = tmp_path / "scale.cu"
    source.write_text(f"#include <torch/torch.h>\n#include <torch/cuda.h>\n{SCALE_CPP}{SCALE_CUDA}")
    plan = jit.make_plan("scale", [source], [], [], [], tmp_path / "build", "library", [])
    jit._build(plan, 0, False)
    entries = run("readelf", "-d", tmp_path / "build/scale.so")
    assert {"libTHC.so.1", "libcudart.so.13", "libTHPP.so.1"} <= set(re.findall(r"\[(lib\w+\.so\.\d+)\]", entries))
    assert "(RPATH)" in entries and "(RUNPATH)" not in entries
    headers = {pathlib.Path(path).name for path in ninja.headers(plan.folder)}
    assert {"cuda.h", "THCGeneral.h", "scale.cu"} <= headers, "a change in these compiles it again"


@needs_toolkit
def test_error_of_nvcc(one_capability):
    with pytest.raises(RuntimeError, match=r"Error building extension 'broken': .*cuda\.cu.*error.*unknown"):
        cpp_extension.load_inline("broken", "", cuda_sources="int f() { return unknown; }", no_implicit_headers=True)


@needs_toolkit
@needs_device
def test_runs():
    module = cpp_extension.load_inline("scale", SCALE_CPP, cuda_sources=SCALE_CUDA, functions=["scale"])
    for dtype in (torch.float32, torch.float64):
        x = torch.arange(1000, dtype=dtype).reshape(20, 50)
        assert torch.equal(module.scale(x.cuda().t(), 3.0).cpu(), x.t() * 3)
    with pytest.raises(RuntimeError, match="scale: x is on CPU"):
        module.scale(x, 2.0)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        y = module.scale(x.cuda(), 2.0)
    stream.synchronize()
    assert torch.equal(y.cpu(), x * 2)
