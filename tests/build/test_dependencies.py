"""The dependency check: every row both ways, the message and its command, prefixes, the cache."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import types

import pytest

from tools import cuda, dependencies, machine
from tools.dependencies import (
    DEPENDENCIES,
    MissingDependencies,
    check,
    install_command,
)
from tools.parts import FEATURES, specifications

ROWS = {row.name: row for row in DEPENDENCIES}
DEBIAN, UBUNTU = 'ID=debian\nVERSION_ID="13"\n', "NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian\n"
FEDORA, ROCKY, ARCH = "ID=fedora\n", 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', "ID=arch\n"
# What g++ writes for a machine that has everything.
HAS_ALL = [
    "probe.cpp:6:9: note: '#pragma message: torch:version:GNU 12'",
    "probe.cpp:12:9: note: '#pragma message: torch:header:cblas.h'",
    "probe.cpp:15:9: note: '#pragma message: torch:header:hwy/highway.h'",
    "probe.cpp:17:9: note: '#pragma message: torch:header:oneapi/dnnl/dnnl.hpp'",
    "probe.cpp:18:9: note: '#pragma message: torch:header:gemmi/third_party/pocketfft_hdronly.h'",
    "probe.cpp:20:9: note: '#pragma message: torch:header:gloo/allreduce.h'",
    "probe.cpp:21:9: note: '#pragma message: torch:header:openmpi/mpi.h'",
    "probe.cpp:21:9: note: '#pragma message: torch:header:pybind11/pybind11.h'",
    "probe.cpp:24:9: note: '#pragma message: torch:header:gtest/gtest.h'",
]


class World:
    """A machine whose programs are scripts in one folder, and all of whose Python modules are there."""

    def __init__(self, path, monkeypatch):
        self.bin, self.calls, self.monkeypatch = path / "bin", path / "calls", monkeypatch
        self.bin.mkdir()
        self.cache = path / "build/dependencies.json"
        monkeypatch.setenv("PATH", str(self.bin))
        self.tool("cc")
        self.tool("ninja")
        self.tool("cmake", "cmake version 3.20.0")
        self.compiler(*HAS_ALL)
        modules = path / "modules"
        headers = modules / "numpy/_core/include/numpy"
        headers.mkdir(parents=True)
        (headers / "arrayobject.h").touch()
        (modules / "numpy/__init__.py").touch()
        for name in ("setuptools", "yaml", "pycparser", "pybind11"):
            (modules / f"{name}.py").touch()
        for name in ("setuptools", "yaml", "pycparser", "pybind11", "numpy"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.syspath_prepend(modules)
        (path / "Python.h").touch()
        monkeypatch.setattr(sysconfig, "get_path", lambda name: str(path))
        self.modules = modules
        self.toolkit, self.arches = path / "cuda", ("8.0", "9.0a+PTX")
        self.nccl = path / "nccl"
        for file in (self.nccl / "include/nccl.h", self.nccl / "lib/libnccl.so"):
            file.parent.mkdir(parents=True)
            file.touch()
        self.nvcc()
        for file in ("include/cuda_runtime.h", "include/cccl/cub/cub.cuh", "include/cublas_v2.h",
                     "include/nvrtc.h", "include/nvtx3/nvToolsExt.h", "lib64/libnvrtc.so",
                     "lib64/libcudart.so", "lib64/libcublas.so"):  # fmt: skip
            (self.toolkit / file).parent.mkdir(parents=True, exist_ok=True)
            (self.toolkit / file).touch()
        self.runtime(13000)

    def nvcc(self, release="13.0", fails=""):
        """A compiler of CUDA that works, or one that says why not."""
        (self.toolkit / "bin").mkdir(parents=True, exist_ok=True)
        file = self.toolkit / "bin/nvcc"
        file.write_text(
            '#!/bin/sh\ncase $1 in\n--version) echo "Cuda compilation tools, release '
            f'{release}, V{release}.1" ;;\n--list-gpu-arch) echo compute_80; echo compute_90; echo compute_100 ;;\n'
            f"*) [ -z '{fails}' ] || {{ echo note: in a header; echo '{fails}'; exit 1; }} ;;\nesac\n"
        )
        file.chmod(0o755)

    def runtime(self, version):
        (self.toolkit / "include/cuda_runtime_api.h").write_text(f"#define CUDART_VERSION  {version}\n")

    def options(self, **more):
        home = str(self.toolkit) if self.toolkit else ""
        nccl = {"nccl_root": str(self.nccl), "nccl_include": "", "nccl_lib": ""}
        return types.SimpleNamespace(cuda=True, cuda_home=home, cuda_arch_list=self.arches, **nccl, **more)

    def tool(self, name, says="", status=0):
        file = self.bin / name
        file.write_text(
            f"#!/bin/sh\necho {name} >>'{self.calls}'\nwhile read -r line; do echo \"$line\"; done <<'END'\n"
            f"{says}\nEND\nexit {status}\n"
        )
        file.chmod(0o755)

    def compiler(self, *says, status=0):
        self.tool("c++", "\n".join(says), status)

    def remove(self, *names):
        for name in names:
            (self.bin / name).unlink()

    def problem(self, row):
        return ROWS[row].probe(dependencies.this_machine(self.options()))

    def check(self, libraries=None):
        # Everything is asked for: the C++ tests, too.
        options = self.options(tests=libraries is None, mkldnn=libraries is None)
        check(options, specifications(FEATURES) if libraries is None else libraries, cache=self.cache)

    def message(self):
        with pytest.raises(MissingDependencies) as error:
            self.check()
        return str(error.value)

    def compilations(self):
        return self.calls.read_text().split().count("c++") if self.calls.exists() else 0


@pytest.fixture
def world(tmp_path, monkeypatch, no_variables):
    return World(tmp_path, monkeypatch)


def lacking(world, *, modules=(), tools=()):
    for name in modules:
        world.monkeypatch.setitem(sys.modules, name, None)
    world.remove(*tools)


# ---- every row, both ways


@pytest.mark.parametrize("name", ROWS)
def test_each_row_is_content_with_a_machine_that_has_all(world, name):
    assert world.problem(name) is None


def old(world):
    world.compiler(HAS_ALL[0].replace("12'", "11'"), *HAS_ALL[1:])


def broken(world):
    world.compiler("c++: fatal error: Killed signal terminated program cc1plus", status=1)


def without(world, *libraries, header=""):
    lines = [line for line in HAS_ALL if not header or f"header:{header}" not in line]
    lines += [f"/usr/bin/ld: cannot find -l{library}: No such file or directory" for library in libraries]
    world.compiler(*lines, status=1 if libraries else 0)


def no_blas(world):
    without(world, "openblas", "cblas")


def no_numpy_headers(world):
    shutil.rmtree(world.modules / "numpy/_core")


def no_python_headers(world):
    world.monkeypatch.setattr(sysconfig, "get_path", lambda name: "/nowhere")


def no_pybind11(world):
    lacking(world, modules=["pybind11"])
    without(world, header="pybind11")


def no_toolkit(world):
    world.toolkit = None
    world.monkeypatch.setattr(cuda, "DEFAULT", "/nowhere/cuda")


def no_cublas(world):
    (world.toolkit / "include/cublas_v2.h").unlink()
    (world.toolkit / "lib64/libcublas.so").unlink()


def for_devices(*arches):
    return lambda world: setattr(world, "arches", arches)


CASES = [
    ("CUDA toolkit", no_toolkit, "no nvcc: CUDA_HOME is not set, PATH has none, /nowhere/cuda/bin neither"),
    ("CUDA toolkit", lambda w: w.nvcc("12.4"), "bin/nvcc is of CUDA 12.4; 13.0 or newer is needed"),
    ("CUDA toolkit", lambda w: w.nvcc("?"), "bin/nvcc --version does not say which release it is"),
    ("CUDA toolkit", lambda w: w.runtime(12080), "is of CUDA 13.0, and cuda_runtime.h beside it of 12.8"),
    (
        "CUDA toolkit",
        for_devices("9.0", "12.0+PTX", "12.1a"),
        "'9.0;12.0+PTX;12.1a': {nvcc} does not compile for 12.0+PTX, 12.1a; it does for 8.0 9.0 10.0",
    ),
    (
        "CUDA toolkit",
        lambda w: w.nvcc(fails="host_config.h: error: #error -- unsupported GNU version!"),
        "bin/c++: host_config.h: error: #error -- unsupported GNU version!",
    ),
    ("cudart", lambda w: (w.toolkit / "lib64/libcudart.so").unlink(), "no libcudart.so in"),
    ("CCCL", lambda w: (w.toolkit / "include/cccl/cub/cub.cuh").unlink(), "no cub/cub.cuh in"),
    ("NVRTC", lambda w: (w.toolkit / "lib64/libnvrtc.so").unlink(), "no libnvrtc.so in"),
    ("NVTX", lambda w: (w.toolkit / "include/nvtx3/nvToolsExt.h").unlink(), "no nvtx3/nvToolsExt.h in"),
    ("nccl", lambda w: (w.nccl / "lib/libnccl.so").unlink(), "no libnccl.so in {nccl} (NCCL_ROOT), "),
    ("cuBLAS", no_cublas, "no cublas_v2.h, no libcublas.so in"),
    ("C++ compiler", lambda w: w.remove("c++"), "no c++, g++ or clang++ in PATH"),
    (
        "C++ compiler",
        lambda w: w.monkeypatch.setenv("CXX", "g++-99 -m64"),
        "CXX='g++-99 -m64' is not in PATH",
    ),
    ("C++ compiler", old, "is GCC 11; 12 or newer is needed"),
    ("C++ compiler", broken, "fails on a tiny C++20 program: c++: fatal error: Killed signal"),
    ("C compiler", lambda w: w.remove("cc"), "no cc, gcc or clang in PATH"),
    ("C compiler", lambda w: w.monkeypatch.setenv("CC", "gcc-99"), "CC='gcc-99' is not in PATH"),
    ("cmake", lambda w: w.remove("cmake"), "not in PATH"),
    ("cmake", lambda w: w.tool("cmake", "cmake version 3.18.4"), "is 3.18; 3.20 or newer is needed"),
    (
        "cmake",
        lambda w: w.tool("cmake", "libz.so: cannot open", 127),
        "--version says 'libz.so: cannot open'",
    ),
    ("ninja", lambda w: w.remove("ninja"), "not in PATH"),
    ("Python's headers", no_python_headers, "no Python.h in /nowhere"),
    ("setuptools", lambda w: lacking(w, modules=["setuptools"]), "cannot import setuptools"),
    ("numpy", lambda w: lacking(w, modules=["numpy"]), "cannot import numpy"),
    ("numpy", no_numpy_headers, "no numpy/arrayobject.h in"),
    ("yaml", lambda w: lacking(w, modules=["yaml"]), "cannot import yaml"),
    ("pycparser", lambda w: lacking(w, modules=["pycparser"]), "cannot import pycparser"),
    ("OpenBLAS", lambda w: without(w, header="cblas"), "no cblas.h in CMAKE_PREFIX_PATH (empty)"),
    ("OpenBLAS", no_blas, "no libopenblas.so in"),
    ("Highway", lambda w: without(w, header="hwy"), "no hwy/highway.h in"),
    ("Highway", lambda w: without(w, "hwy_contrib"), "no libhwy_contrib.so in"),
    ("oneDNN", lambda w: without(w, header="oneapi"), "no oneapi/dnnl/dnnl.hpp in CMAKE_PREFIX_PATH (empty)"),
    ("oneDNN", lambda w: without(w, "dnnl"), "no libdnnl.so in"),
    ("pocketfft", lambda w: without(w, header="gemmi"), "no pocketfft_hdronly.h in CMAKE_PREFIX_PATH (empty)"),
    ("gloo", lambda w: without(w, header="gloo"), "no gloo/allreduce.h in CMAKE_PREFIX_PATH (empty)"),
    ("MPI", lambda w: without(w, header="openmpi"), "no mpi.h in CMAKE_PREFIX_PATH (empty)"),
    ("MPI", lambda w: without(w, "mpi"), "no libmpi.so in"),
    ("OpenMP", lambda w: without(w, "gomp"), "c++ -fopenmp does not work"),
    (
        "OpenMP",
        lambda w: w.compiler(*HAS_ALL, "error: cannot read spec file 'libgomp.spec'", status=1),
        "-fopenmp",
    ),
    (
        "OpenMP",
        lambda w: w.compiler(*HAS_ALL, "x.cpp:30:9: note: '#pragma message: torch:noopenmp:'"),
        "c++ -fopenmp does not work",
    ),
    ("pybind11", no_pybind11, "no pybind11/pybind11.h in CMAKE_PREFIX_PATH"),
    ("GoogleTest", lambda w: without(w, header="gtest"), "no gtest/gtest.h in CMAKE_PREFIX_PATH"),
]


@pytest.mark.parametrize("name, spoil, text", CASES, ids=[f"{name}-{i}" for i, (name, *_) in enumerate(CASES)])
def test_each_row_names_what_is_wrong_and_the_others_stay_content(world, name, spoil, text):
    spoil(world)
    text = text.replace("{nvcc}", f"{world.toolkit}/bin/nvcc").replace("{nccl}", str(world.nccl))
    assert text in world.problem(name)
    others = {other: problem for other in ROWS if other != name and (problem := world.problem(other))}
    if spoil is broken or name == "C++ compiler" and "PATH" in text:
        # No compiler to be asked: files in the system's folders decide, and they may be there or not.
        others = {other: problem for other, problem in others.items() if not ROWS[other].vendor and other != "pybind11"}
    assert others == {}
    assert text in world.message() and f"  {name}: {ROWS[name].why}" in world.message()


def test_every_row_has_a_case():
    assert {name for name, *_ in CASES} == set(ROWS)


# ---- the message


def test_blas_by_its_standard_names_will_do(world):
    without(world, "openblas")
    assert world.problem("OpenBLAS") is None
    without(world, "openblas", "lapack")
    assert world.problem("OpenBLAS").startswith("no libopenblas.so in ")
    without(world, "cblas", "lapack", "blas")
    assert world.problem("OpenBLAS") is None


def test_everything_that_is_missing_is_named_at_once_and_the_last_line_is_the_command(world, monkeypatch):
    lacking(world, modules=["yaml", "pycparser"], tools=["cmake", "ninja"])
    no_blas(world)
    no_python_headers(world)
    monkeypatch.setattr(dependencies, "install_command", lambda rows: "INSTALL " + " ".join(row.name for row in rows))
    lines = world.message().splitlines()
    names = ["cmake", "ninja", "Python's headers", "yaml", "pycparser", "OpenBLAS"]
    assert lines[0] == "this machine lacks 6 things that the build needs:"
    assert [line.split(":")[0].strip() for line in lines if re.match("  [^ ]", line)] == names
    assert "./nixw develop" in lines[-3]
    assert lines[-1].strip() == "INSTALL " + " ".join(names)


def test_without_a_compiler_nothing_is_said_of_openmp(world):
    world.remove("c++")
    assert "C++ compiler" in world.message() and "OpenMP" not in world.message()


def test_without_a_compiler_the_folders_themselves_are_looked_at(world, tmp_path):
    world.remove("c++")
    world.monkeypatch.setattr(machine, "SYSTEM_PREFIXES", (tmp_path / "system",))
    files = ("include/cblas.h", "include/hwy/highway.h", "lib/libopenblas.so", "lib/libhwy.a")
    files += ("include/oneapi/dnnl/dnnl.hpp", "lib/libdnnl.so", "include/pocketfft_hdronly.h", "include/gtest/gtest.h")
    files += ("include/gloo/allreduce.h", "lib/libgloo.so", "include/openmpi/mpi.h", "lib/libmpi.so")
    for file in (*files, "lib/libhwy_contrib.so"):
        assert "  Highway: " in world.message()
        (tmp_path / "system" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "system" / file).touch()
    assert world.message().splitlines()[0] == "this machine lacks 1 thing that the build needs:"
    (tmp_path / "system").rename(tmp_path / "prefix")
    assert "  OpenBLAS: " in world.message()
    world.monkeypatch.setenv("CMAKE_PREFIX_PATH", str(tmp_path / "prefix"))
    assert "  OpenBLAS: " not in world.message()


def system_python(monkeypatch, own_environment):
    monkeypatch.setattr(dependencies, "OF_DISTRIBUTION", True)
    monkeypatch.setattr(sys, "prefix", "/venv" if own_environment else sys.base_prefix)
    monkeypatch.setattr(sys, "executable", "/venv/bin/python" if own_environment else "/usr/bin/python3")


@pytest.mark.parametrize(
    "release, own_environment, root, command",
    [
        (DEBIAN, False, True, "apt-get install g++ python3-yaml libopenblas-openmp-dev"),
        (
            DEBIAN,
            True,
            False,
            "sudo apt-get install g++ libopenblas-openmp-dev && /venv/bin/python -m pip install pyyaml",
        ),
        (UBUNTU, False, False, "sudo apt-get install g++ python3-yaml libopenblas-openmp-dev"),
        (FEDORA, False, False, "sudo dnf install gcc-c++ python3-pyyaml openblas-devel"),
        ("ID='rhel'\n", False, False, "sudo dnf install gcc-c++ python3-pyyaml openblas-devel"),
        (ROCKY, False, False, "sudo dnf install gcc-c++ python3-pyyaml openblas-devel"),
        (ARCH, False, True, "pacman -S --needed gcc python-yaml openblas"),
        ("ID=plan9\n", False, True, None),
    ],
)
def test_one_command_for_each_system(monkeypatch, release, own_environment, root, command):
    system_python(monkeypatch, own_environment)
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    twice = [ROWS["C++ compiler"], ROWS["C++ compiler"], ROWS["yaml"], ROWS["OpenBLAS"]]
    assert install_command(twice, release) == command


def test_where_pip_is_enough_no_system_has_to_be_known(monkeypatch):
    system_python(monkeypatch, own_environment=True)
    assert (
        install_command([ROWS["yaml"], ROWS["numpy"]], "ID=plan9\n") == "/venv/bin/python -m pip install pyyaml numpy"
    )


def test_what_no_package_has_is_not_promised(world, monkeypatch):
    world.compiler(*(line for line in HAS_ALL if "gemmi" not in line and "cblas" not in line))
    monkeypatch.setattr(dependencies, "_system", lambda release=None: "arch")
    lines = world.message().splitlines()
    assert lines[-2] == "To install all of the above, but pocketfft, which no package here has:"
    assert lines[-1].endswith("pacman -S --needed openblas")


def test_an_unknown_system_gets_the_list_of_packages(world, monkeypatch):
    world.remove("ninja")
    monkeypatch.setattr(dependencies, "install_command", lambda rows: None)
    assert world.message().endswith("What Debian calls them: ninja-build")


@pytest.mark.skipif(
    not shutil.which("apt-cache") or "debian" not in open("/etc/os-release").read(), reason="needs Debian"
)
def test_debian_has_the_packages_of_the_table():
    known = subprocess.run(["apt-cache", "pkgnames"], text=True, capture_output=True, check=True).stdout.split()
    if len(known) < 10000:
        pytest.skip("apt has no lists")
    assert not {row.debian for row in DEPENDENCIES if row.debian} - set(known)


# ---- which libraries


def test_vendors_of_libraries_that_are_not_built_are_not_needed(world):
    world.compiler(
        HAS_ALL[0],
        "ld: cannot find -lopenblas",
        "ld: cannot find -lhwy",
        "ld: cannot find -lhwy_contrib",
        status=1,
    )
    world.check({})
    world.check({"THPP": {"vendor": []}, "THNN": {"vendor": ["openmp"]}})
    with pytest.raises(MissingDependencies, match="lacks 1 thing.*\n  Highway"):
        world.check({"TH": {"vendor": ["libhwy"]}})


def test_an_optional_vendor_is_needed_only_where_somebody_insists(world):
    without(world, header="oneapi")
    libraries = {"THNN": {"vendor": ("openmp", "oneDNN"), "optional": ("oneDNN",)}}
    world.check(libraries)
    with pytest.raises(MissingDependencies, match="lacks 1 thing.*\n  oneDNN"):
        check(world.options(mkldnn=True), libraries, cache=world.cache)


def test_every_vendor_of_libraries_toml_has_a_row():
    vendors = {vendor for table in specifications().values() for vendor in table["vendor"]}
    assert vendors and vendors <= {row.vendor for row in DEPENDENCIES}


def test_a_vendor_without_a_row_says_where_to_add_it(world):
    with pytest.raises(MissingDependencies, match="THX needs vendor 'libx', .*add a row to DEPENDENCIES"):
        world.check({"THX": {"vendor": ["libx"]}})


# ---- the cache


def test_a_success_is_remembered_and_a_failure_is_not(world):
    world.check()
    world.check()
    assert world.compilations() == 1 and world.cache.exists()
    world.cache.unlink()
    without(world, header="hwy")
    for _ in range(2):
        world.message()
    assert world.compilations() == 3 and not world.cache.exists()


CHANGES = {
    "compiler": lambda w: old(w),
    "PATH": lambda w: w.monkeypatch.setenv("PATH", f"{w.bin}:/nowhere"),
    "flags": lambda w: w.monkeypatch.setenv("CXXFLAGS", "-O1"),
    "prefix": lambda w: w.monkeypatch.setenv("CMAKE_PREFIX_PATH", str(w.modules)),
    "cmake": lambda w: w.tool("cmake", "cmake version 3.25.1"),
    "garbage": lambda w: w.cache.write_text("{"),
    "another's": lambda w: w.cache.write_text("[1]"),
    "packages": lambda w: w.monkeypatch.setattr(machine, "PACKAGE_DATABASES", (str(w.bin),)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_the_answer_makes_the_compiler_be_asked_again(world, change):
    world.check()
    CHANGES[change](world)
    if change == "compiler":
        assert "is GCC 11" in world.message()
    else:
        world.check()
    assert world.compilations() == 2


def test_a_new_file_in_a_prefix_is_a_change(world, tmp_path):
    (tmp_path / "prefix/include").mkdir(parents=True)
    world.monkeypatch.setenv("CMAKE_PREFIX_PATH", str(tmp_path / "prefix"))
    world.check()
    os.utime(tmp_path / "prefix/include", (1, 1))
    world.check()
    assert world.compilations() == 2


def test_modules_and_tools_are_looked_at_every_time(world):
    world.check()
    lacking(world, modules=["yaml"], tools=["ninja"])
    assert "  yaml: " in world.message() and "  ninja: " in world.message()


def test_a_tree_that_cannot_be_written_can_be_checked(world, tmp_path):
    (tmp_path / "file").touch()
    world.cache = tmp_path / "file/dependencies.json"
    world.check()


def test_a_repeated_check_takes_milliseconds(world):
    world.check()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        world.check()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.02


def test_what_installing_by_hand_needs(world):
    """pip and wheel are asked for by `make install` alone; a setuptools that makes wheels itself is enough."""
    rows = {row.name: row for row in dependencies.INSTALLATION}
    for name in ("pip", "wheel"):
        world.monkeypatch.setitem(sys.modules, name, None)
    world.monkeypatch.setitem(sys.modules, "setuptools.command.bdist_wheel", None)
    with pytest.raises(MissingDependencies) as error:
        check(None, {}, None, rows.values())
    assert "  pip: " in str(error.value) and "  wheel: " in str(error.value)
    check(None, {}, None)
    for name in ("pip", "wheel"):
        (world.modules / f"{name}.py").touch()
        world.monkeypatch.delitem(sys.modules, name)
    check(None, {}, None, rows.values())
