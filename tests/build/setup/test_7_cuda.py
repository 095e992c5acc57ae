"""What CUDA adds, on the toolkit that CUDA_HOME names (nix/checks/setup-py.nix: the host's), over parts that are there."""

import os
import pathlib
import re

import pytest
from checkout import SUFFIX, contents, is_refused, make_venv, paths, run, site_packages, watched

from tools.parts import added

pytestmark = pytest.mark.skipif(not os.environ.get("CUDA_HOME"), reason="CUDA_HOME names no toolkit")
TOOLKIT = pathlib.Path(os.environ.get("CUDA_HOME", ""))
OF_CUDA = {name: part for name, part in added().items() if part.feature in ("cuda", "nccl")}
MODULES = {f"{module}{SUFFIX}" for part in OF_CUDA.values() for module in part.modules}
ADDED = {f"lib{part.name}.so.1" for part in OF_CUDA.values() if part.shared}
BOUND = {part.name for part in OF_CUDA.values() if part.binds}
ONES = "import torch; print(torch.version.cuda, (torch.ones(3, device='cuda') + 1).tolist())"
EDITED = ("lib/THC/src/copy/copy.cu", "THC/CMakeFiles/THC.dir/src/copy/copy.cu.o")


@pytest.fixture
def cuda(tree, python, prebuilt):
    """cuda("develop") runs setup.py in the tree with CUDA, for two kinds of device."""

    def setup(*arguments, **variables):
        settings = {"USE_CUDA": "1", "CUDA_HOME": str(TOOLKIT), "TORCH_CUDA_ARCH_LIST": "8.0;9.0+PTX",
                    "USE_NCCL": "1", "NCCL_ROOT": os.environ["NCCL_ROOT"]} | variables  # fmt: skip
        return run(python, "setup.py", *arguments, cwd=tree, status=settings.pop("status", 0),
                   TORCH_PREBUILT=prebuilt, **settings)  # fmt: skip

    return setup


def toolkit_without(folder, *names):
    """A copy of the toolkit, of links, that lacks some files."""
    for file in TOOLKIT.rglob("*"):
        if file.is_file() and not file.name.startswith(names):
            copy = folder / file.relative_to(TOOLKIT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(file)
    return folder


def test_mistakes_are_told_before_anything_is_built(tree, cuda, setup, tmp_path):
    is_refused(tree, setup("build_deps", "--only", "THC", status=1), "'THC' is there only with USE_CUDA=1")
    for variables, words in (
        ({"CUDA_HOME": str(tmp_path)}, ["there is no program bin/nvcc in it"]),
        ({"TORCH_CUDA_ARCH_LIST": "Ampere"}, ["'Ampere' is no known architecture; allowed: All, or any of 7.5 8.0"]),
        ({"USE_CUDNN": "1"}, ["USE_CUDNN=1: nothing here uses cuDNN yet", "allowed: 0"]),
        ({"USE_CUDA": "0"}, ["TORCH_CUDA_ARCH_LIST='8.0;9.0+PTX': allowed only with USE_CUDA=1"]),
        ({"USE_NCCL": "0"}, [": allowed only with USE_NCCL=1"]),
    ):
        is_refused(tree, cuda("build_deps", "--only", "THC", status=1, **variables), *words)


def test_a_toolkit_that_will_not_do_is_told_before_anything_is_built(tree, cuda, tmp_path):
    without = toolkit_without(tmp_path / "without", "libcublas.so", "cublas")
    said = cuda("develop", status=1, CUDA_HOME=str(without))
    is_refused(tree, said, "this machine lacks 1 thing", f"no cublas_v2.h, no libcublas.so in {without}")
    said = cuda("develop", status=1, NCCL_ROOT=str(tmp_path))
    is_refused(tree, said, "this machine lacks 1 thing", f"no nccl.h, no libnccl.so in {tmp_path} (NCCL_ROOT)")
    old = toolkit_without(tmp_path / "old", "nvcc")
    (old / "bin").mkdir()
    script = (TOOLKIT / "bin/nvcc").read_text()
    for was, now, words in (
        ("release 13.0, V13.0.88", "release 12.4, V12.4.99", "is of CUDA 12.4; 13.0 or newer is needed"),
        ("release 13.0, V13.0.88", "release 13.1, V13.1.15", "is of CUDA 13.1, and cuda_runtime.h beside it of 13.0"),
        ("known='75 80 86", "known='75 86", "does not compile for 8.0; it does for 7.5 8.6 8.7"),
        ("set -eu", 'set -eu; case "$*" in *-ccbin*) echo "error: unsupported GNU version"; exit 1; esac',
         "c++: error: unsupported GNU version"),
    ):  # fmt: skip
        assert script.count(was) == 1
        (old / "bin/nvcc").write_text(script.replace(was, now))
        (old / "bin/nvcc").chmod(0o755)
        is_refused(tree, cuda("develop", status=1, CUDA_HOME=str(old)), f"{old}/bin/nvcc", words)


def test_one_library(tree, cuda, elf):
    with watched(tree) as ran:
        cuda("build_deps", "--only", "THC")
    assert len(ran.objects) > 20 and all(output.startswith("THC/") for output in ran.objects)
    rpath = elf(tree / "build/tmp_install/lib/libTHC.so.1")["RPATH"][0].split(":")
    assert rpath[:2] == ["$ORIGIN", str((TOOLKIT / "lib").resolve())], "torch/lib, then the toolkit"
    built = (tree / "build/cmake/build.ninja").read_text()
    codes = set(re.findall(r"-gencode=arch=compute_\d+,code=\w+", built))
    assert {code.rpartition("=")[2] for code in codes} == {"sm_80", "sm_90", "compute_90"}


def test_develop_adds_the_rest(tree, cuda, says):
    with watched(tree) as ran:
        cuda("develop")
    libraries = OF_CUDA.keys() - BOUND - {"THC"}
    compiled = {output.split("/")[0] for output in ran.objects}
    assert compiled - {"THC"} == BOUND | libraries, "and nothing of the CPU's"
    assert says(ONES) == "13.0 [2.0, 2.0, 2.0]"
    assert says("import torch._nccl, torch._nvrtc, torch._nvtx; print('there')") == "there"
    assert all((tree / "torch" / module).exists() for module in MODULES)
    assert ADDED <= {path.name for path in (tree / "torch/lib").iterdir()}
    with watched(tree) as ran:
        assert "command" not in cuda("develop")
    assert ran.outputs == set()


def test_a_kernels_source_compiles_that_object_alone(tree, cuda, says):
    source, target = EDITED
    before = (tree / source).read_text()
    (tree / source).write_text(f"{before}// edited\n")
    try:
        with watched(tree) as ran:
            cuda("develop")
        assert ran.objects == {target}
    finally:
        (tree / source).write_text(before)
    assert says(ONES) == "13.0 [2.0, 2.0, 2.0]"


def test_install(tree, cuda, elf, tmp_path):
    python = make_venv(tmp_path / "venv")
    site = site_packages(tmp_path / "venv")
    with watched(tree) as ran:
        cuda("bdist_wheel", "--dist-dir", str(tmp_path / "wheels"))
    assert ran.objects <= {EDITED[1]}
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", *(tmp_path / "wheels").iterdir(), cwd="/")
    assert run(python, "-c", ONES, cwd="/") == "13.0 [2.0, 2.0, 2.0]\n"
    assert ADDED <= paths(site / "torch/lib") and MODULES <= paths(site / "torch")
    assert elf(site / f"torch/_cuda{SUFFIX}")["RPATH"][0].split(":")[0] == "$ORIGIN/lib"
    assert (site / "torch/lib/include/THC/THC.h").exists()
    for path in (site / "torch").rglob("*"):
        assert path.is_dir() or os.fsencode(tree) not in path.read_bytes(), f"{path} knows where it was built"


def test_cmake_by_hand_with_the_options_of_the_seeds(tree, python, prebuilt, tmp_path):
    command = ["cmake", tree, f"-DPYTHON_EXECUTABLE={python}", "-DUSE_CUDA=ON", f"-DCUDA_TOOLKIT_ROOT_DIR={TOOLKIT}",
               "-DCUDA_ARCH_LIST=86;90"]  # fmt: skip
    cudnn = "-DCUDNN_LIBRARY=/path/to/cudnn/lib64/libcudnn.so"
    said = run(*command, cudnn, "-B", tmp_path / "refused", cwd="/", status=1, TORCH_PREBUILT=prebuilt)
    assert "CUDNN_LIBRARY=/path/to/cudnn/lib64/libcudnn.so: nothing is compiled against cuDNN" in " ".join(said.split())
    said = run(*command, "-B", tmp_path / "build", cwd="/", TORCH_PREBUILT=prebuilt)
    assert "CMake Warning" not in said
    made = (tmp_path / "build/THC/CMakeFiles/THC.dir/build.make").read_text()
    assert f"{TOOLKIT}/bin/nvcc" in made and "code=sm_86" in made and "code=sm_90" in made and "sm_80" not in made
    assert (tmp_path / "build/generated/cuda/rows.cpp").exists()


def test_without_cuda_again(tree, cuda, setup, says, prebuilt):
    setup("develop", TORCH_PREBUILT=prebuilt)
    code = "import torch; print(torch.version.cuda, torch.cuda.is_available(), torch.ones(3).sum().item())"
    assert says(code) == "None False 3.0"
    assert not ADDED & {path.name for path in (tree / "torch/lib").iterdir()}
    assert not (tree / "torch/lib/include/THC").exists()
    assert not any((tree / "torch" / module).exists() for module in MODULES)
    before = contents(tree / "build/tmp_install")
    setup("develop", TORCH_PREBUILT=prebuilt)
    assert contents(tree / "build/tmp_install") == before


def test_clean(tree, cuda, untouched):
    cuda("develop")
    assert (tree / "torch/lib/libTHC.so.1").exists()
    cuda("clean")
    assert not (tree / "build").exists() and not (tree / "torch/lib/libTHC.so.1").exists()
