"""torch.__config__.show() and torch.utils.collect_env name every library of the process and where it comes from.

The strays are copies of real libraries, so no compiler is needed. (Of ours alone: no statement about PyTorch.)
"""

import ast
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import torch
from package_copy import PACKAGE, copied, python, smallest_vendor
from torch.utils import _elf, _mapped, collect_env

SHOW = "import torch; torch.ones(2).sum(); print(torch.__config__.show())"
LIBTH = os.path.realpath(PACKAGE / "lib" / "libTH.so.1")


def show(folder, before="", **options):
    done = python("-c", before + SHOW, folder=folder, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def load(path):
    """Python that loads a library as an unrelated extension module would."""
    return f"import ctypes; ctypes.CDLL({str(path)!r}, mode=ctypes.RTLD_LOCAL)\n"


def line_of(text, name):
    """The line about the library whose path ends so."""
    lines = [line for line in text.splitlines() if line.startswith("  - ") and line.endswith(name)]
    assert len(lines) == 1, f"{name}: {lines}\n{text}"
    return lines[0]


# ---- the clean case -------------------------------------------------------------------------------------------------


def test_clean(tmp_path):
    text = show(tmp_path)
    assert "WARNING" not in text and "FOREIGN" not in text
    for library in (
        "libTH.so.1",
        "libTHNN.so.1",
        "libTHPP.so.1",
        "libshm.so.1",
        "libtorch.so.1",
        "libtorch_python.so.1",
    ):
        assert line_of(text, library).startswith("  - ours")
    assert line_of(text, "libc.so.6").startswith("  - C library")
    assert "threads: " in text and "CUDA: not built" in text


def test_every_mapped_file_is_listed(tmp_path):
    done = python("-c", SHOW + "\nprint('=' * 9)\nprint(open('/proc/self/maps').read())", folder=tmp_path)
    text, _, maps = done.stdout.partition("=" * 9)
    mapped = {line.split(maxsplit=5)[5] for line in maps.splitlines() if " r-xp " in line and "/" in line}
    assert len(mapped) > 8
    for path in mapped:
        line_of(text, path)


def test_vendors_are_told_from_the_rest(tmp_path):
    text = show(tmp_path, "import numpy\n")
    assert "WARNING" not in text
    # A wheel brings some of them in torch/lib, as its own.
    vendors = [line for line in text.splitlines() if line.startswith(("  - linked with ours", "  - ours"))]
    assert any("blas" in line for line in vendors) and any("libgomp" in line for line in vendors)
    assert any("multiarray" in line and "package numpy" in line for line in text.splitlines())


# Where the calls of each mapped library lead that needs BLAS or LAPACK.
BLAS = """
import ctypes, os, torch
from torch.utils import _mapped

def blas():
    class Info(ctypes.Structure):
        _fields_ = [("file", ctypes.c_char_p), ("b", ctypes.c_void_p), ("name", ctypes.c_char_p), ("a", ctypes.c_void_p)]
    found, info, dladdr = set(), Info(), ctypes.CDLL(None).dladdr
    for path in _mapped.mapped_files():
        if ".so" not in os.path.basename(path) or os.path.basename(path).startswith("ld-linux"):
            continue
        library = ctypes.CDLL(path, os.RTLD_NOLOAD | os.RTLD_LAZY)
        for symbol in ("cblas_dgemm", "dgemm_", "dgesdd_"):
            if hasattr(library, symbol):
                assert dladdr(getattr(library, symbol), ctypes.byref(info))
                found.add(os.path.realpath(info.file.decode()))
    return sorted(found)

before = blas()
import numpy
print(numpy.__file__, repr(before), repr(blas()), sep="\\n")
"""


def test_numpy_brings_no_other_blas(tmp_path):
    done = python("-c", BLAS, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    where, before, after = done.stdout.splitlines()
    if not where.startswith("/nix/store/"):
        pytest.skip("a NumPy from elsewhere has a BLAS of its own")
    before, after = ast.literal_eval(before), ast.literal_eval(after)
    assert before == after
    names = [os.path.basename(path).partition(".so")[0] for path in after]
    # nixpkgs' packages are copies of one library by these names.
    assert len(names) == 1 or set(names) <= {"libblas", "libcblas", "liblapack"} and len(set(names)) == len(names)


# ---- strays ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["libTH.so.1", "libTHNN.so.1", "innocent.so"])
def test_stray_library_is_named(tmp_path, name):
    stray = tmp_path / "stray" / name
    stray.parent.mkdir()
    shutil.copyfile(PACKAGE / "lib" / (name if name.startswith("lib") else "libTH.so.1"), stray)
    text = show(tmp_path, "import torch\n" + load(stray))  # what it needs in its turn is there then
    assert line_of(text, str(stray)).startswith("  - FOREIGN")
    warning = text[text.index("WARNING") :]
    assert "1 library is not torch's own" in warning and str(stray) in warning


def test_stray_vendor_library_is_named(tmp_path):
    vendor = smallest_vendor()
    stray = tmp_path / vendor.soname
    shutil.copyfile(vendor.path, stray)
    text = show(tmp_path, load(stray))
    assert f"{stray} (named {vendor.soname}, " in text[text.index("WARNING") :]


def test_stray_that_won_is_told_from_one_that_lost(tmp_path):
    package = copied(tmp_path)  # linked by soname: a library that is loaded already wins there
    stray = tmp_path / "libTH.so.1"
    shutil.copyfile(package / "lib" / "libTH.so.1", stray)
    text = show(tmp_path, load(stray), path=tmp_path)
    assert f"{stray} (named libTH.so.1, loaded instead of {package}/lib/libTH.so.1)" in text
    # Loaded after torch it cannot win.
    text = show(tmp_path, "import torch\n" + load(stray), path=tmp_path)
    assert f"{stray} (named libTH.so.1, loaded beside {package}/lib/libTH.so.1)" in text


def test_compiled_decoy(tmp_path):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler: the decoy is made by one; the other tests here use copies")
    decoy = tmp_path / "libTH.so.1"
    (tmp_path / "decoy.c").write_text("int decoy = 1;\n")
    subprocess.run(
        [compiler, "-shared", "-nostdlib", "-Wl,-soname,libTH.so.1", "-o", decoy, tmp_path / "decoy.c"], check=True
    )
    # Loaded first it would stop the import, where libraries go by soname: test_import.py has that.
    assert line_of(show(tmp_path, "import torch\n" + load(decoy)), str(decoy)).startswith("  - FOREIGN")


@pytest.mark.parametrize(
    "path, origin", [("/usr/lib/x86_64-linux-gnu/libopenblas.so.0", "vendor"), ("/opt/y/libopenblas.so.0", "foreign")]
)
def test_what_is_left_to_the_system(path, origin):
    """A build without Nix finds OpenBLAS where the system has its libraries; another one is a stray."""
    wanted = _mapped.Expected({}, {}, frozenset({"libopenblas.so.0"}))
    assert _mapped._library(path, wanted, [path], set(), set(), {}, str(PACKAGE)).origin == origin


def test_library_of_another_name_is_no_stray(tmp_path):
    """A program may load what it likes."""
    other = tmp_path / "libmine.so"
    library = (PACKAGE / "lib" / "libTHNN.so.1").read_bytes()
    other.write_bytes(library.replace(b"\0libTHNN.so.1\0", b"\0libMINE.so.1\0"))
    text = show(tmp_path, "import torch\n" + load(other))
    assert "WARNING" not in text
    assert line_of(text, str(other)).startswith("  - loaded by this program")


def test_checkout_tells_what_was_built_in_it(tmp_path):
    checkout, prefix = tmp_path / "checkout", tmp_path / "prefix"
    checkout.mkdir()
    package = copied(checkout)
    (checkout / "lib").mkdir()
    (checkout / "lib" / "libraries.toml").touch()
    for library, home in (("libTH.so.1", prefix / "lib"), ("libTHNN.so.1", checkout / "build" / "tmp_install" / "lib")):
        home.mkdir(parents=True)
        shutil.move(package / "lib" / library, home / library)
        (package / "lib" / library).symlink_to(home / library)
    text = show(tmp_path, path=checkout)
    assert "WARNING" not in text
    assert line_of(text, "libTH.so.1").startswith(f"  - ours, prebuilt in {prefix} ")
    assert line_of(text, "libTHNN.so.1").startswith("  - ours, built in this checkout ")


# ---- the environment ------------------------------------------------------------------------------------------------


def test_ld_library_path(tmp_path):
    shutil.copyfile(LIBTH, tmp_path / "libTH.so.1")
    text = show(tmp_path, LD_LIBRARY_PATH=str(tmp_path))
    assert f"LD_LIBRARY_PATH={tmp_path} (no effect: nothing that is loaded lies there)" in text
    assert "WARNING" not in text
    text = show(tmp_path, load("libTH.so.1"), LD_LIBRARY_PATH=str(tmp_path))
    assert f"LD_LIBRARY_PATH={tmp_path} ({tmp_path}/libTH.so.1 came from there)" in text
    assert "WARNING" in text


def test_ld_preload(tmp_path):
    stray = tmp_path / "libTH.so.1"
    shutil.copyfile(LIBTH, stray)
    text = show(tmp_path, LD_PRELOAD=str(stray))
    assert f"LD_PRELOAD={stray} ({stray} is loaded, its symbols before all others)" in text
    assert str(stray) in text[text.index("WARNING") :]


def test_pythonpath(tmp_path):
    package = copied(tmp_path / "here")
    assert f"PYTHONPATH={tmp_path / 'here'}" in show(tmp_path, path=package.parent)
    assert "(torch came from there)" in show(tmp_path, path=package.parent)
    if not os.environ.get("PYTHONPATH"):
        (tmp_path / "elsewhere").mkdir()
        assert "(neither torch nor numpy came from there)" in show(tmp_path, path=tmp_path / "elsewhere")


@pytest.mark.parametrize("value, effect", [("1", "in effect"), ("many", "not in effect: torch uses ")])
def test_omp_num_threads(tmp_path, value, effect):
    assert f"OMP_NUM_THREADS={value} ({effect}" in show(tmp_path, OMP_NUM_THREADS=value)


def test_two_runtimes_of_a_kind_are_noted():
    def library(path):
        return _mapped.Library(path, "package", "of the package x", os.path.basename(path))

    assert _mapped.notes([library("/a/libgomp.so.1"), library("/a/libopenblas.so.0")]) == []
    two = _mapped.notes([library("/a/libgomp.so.1"), library("/b/libomp.so.5"), library("/c/libiomp5.so")])
    assert len(two) == 1 and two[0].startswith("3 OpenMP runtimes")
    assert (
        "2 BLAS libraries"
        in _mapped.notes([library("/a/libopenblas.so.0"), library("/b/libscipy_openblas64_-32a4b2a6.so")])[0]
    )
    assert "2 BLAS libraries" in _mapped.notes([library("/a/libblas.so.3"), library("/b/libopenblas.so.0")])[0]


def test_a_library_that_calls_the_other_is_no_second_one(monkeypatch):
    def library(path):
        return _mapped.Library(path, "vendor", "linked with ours", os.path.basename(path))

    needed = {"/a/libblas.so.3": ("libopenblas.so.0", "libc.so.6"), "/a/libopenblas.so.0": ("libc.so.6",)}
    monkeypatch.setattr(_mapped._elf, "read", lambda path: _mapped._elf.Dynamic(path, None, needed[path], (), ()))
    assert _mapped.notes([library(path) for path in needed]) == []


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_maps(tmp_path):
    maps = tmp_path / "maps"
    maps.write_text("""\
00400000-00401000 r-xp 00000000 08:01 1 /bin/program
7f0000000000-7f0000001000 r-xp 00000000 08:01 2                          /a folder/libx.so.1 (deleted)
7f0000001000-7f0000002000 rw-p 00000000 08:01 2                          /a folder/libx.so.1 (deleted)
7f0000002000-7f0000003000 r--p 00000000 08:01 3                          /data.bin
7f0000003000-7f0000004000 r-xp 00000000 00:00 0
7f0000004000-7f0000005000 r-xp 00000000 00:00 0                          [vdso]
""")
    assert _mapped.mapped_files(maps) == ["/bin/program", "/a folder/libx.so.1 (deleted)"]
    gone = _mapped.libraries(maps=maps)[-1]
    assert gone.path == "/a folder/libx.so.1" and "replaced since it was loaded" in gone.detail
    assert _mapped.mapped_files(tmp_path / "none") == []


def test_elf():
    dynamic = _elf.read(PACKAGE / "lib" / "libTH.so.1")
    assert dynamic.soname == "libTH.so.1" and "libc.so.6" in dynamic.needed
    assert str(PACKAGE / "lib") in dynamic.rpath and dynamic.runpath == ()


def test_elf_refuses_what_is_none(tmp_path):
    whole = (PACKAGE / "lib" / "libTHNN.so.1").read_bytes()
    file = tmp_path / "file"
    for content in [b"", b"#!/bin/sh\n", *(whole[:length] for length in (4, 16, 63, 64, 100, 500, 4096))]:
        file.write_bytes(content)
        with pytest.raises(_elf.ElfError, match=str(file)):
            _elf.read(file)
    with pytest.raises(OSError):
        _elf.read(tmp_path / "none")


def test_rpath_is_followed_as_the_linker_does():
    def dynamic(rpath=(), runpath=()):
        return _elf.Dynamic("x", None, (), rpath, runpath)

    assert _elf.search_path([dynamic(("/program",)), dynamic(("/library",))]) == ("/library", "/program")
    assert _elf.search_path([dynamic(("/program",)), dynamic(("/library",), ("/run",))]) == ("/run",)
    assert _elf.search_path([dynamic(("/program",), ("/run",)), dynamic()]) == ()
    assert _elf.find("/somewhere/libx.so", [dynamic()]) == "/somewhere/libx.so"


# ---- collect_env ----------------------------------------------------------------------------------------------------


def test_collect_env(tmp_path):
    done = python("-m", "torch.utils.collect_env", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for label in (
        "PyTorch version: " + torch.__version__,
        "Is debug build: ",
        "CUDA used to build PyTorch: ",
        "OS: ",
        "GCC version: ",
        "CMake version: ",
        "Libc version: glibc",
        "Python version: ",
        "Python platform: ",
        "CPU:",
        "Versions of relevant libraries:",
        "[pip3] numpy==",
        "Libraries in this process:",
    ):
        assert label in done.stdout
    assert "WARNING" not in done.stdout


def test_collect_env_info():
    info = collect_env.get_env_info()
    assert info.torch_version == torch.__version__ and not info.torch_error
    assert info.torch_path == str(PACKAGE)
    assert {lib.soname for lib in info.libraries} >= {"libTH.so.1", "libTHPP.so.1", "libc.so.6"}
    assert collect_env.get_pretty_env_info().startswith("PyTorch version: ")


def test_collect_env_without_programs(tmp_path):
    """A machine that has neither gcc nor cmake is described as well."""
    done = python("-m", "torch.utils.collect_env", folder=tmp_path, PATH=str(tmp_path))
    assert "GCC version: Could not collect\n" in done.stdout and "CMake version: Could not collect\n" in done.stdout


def test_collect_env_as_a_script(tmp_path):
    script = pathlib.Path(collect_env.__file__)
    done = python(script, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"Imported from: {PACKAGE}\n" in done.stdout and "WARNING" not in done.stdout


def test_collect_env_of_a_broken_torch(tmp_path):
    package = copied(tmp_path)
    (package / "lib" / "libTH.so.1").unlink()
    done = python(package / "utils" / "collect_env.py", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "torch cannot be imported:\n" in done.stdout
    assert "libTH.so.1, a library that it needs, is missing" in done.stdout
    assert "PyTorch version: N/A" in done.stdout and f"Python version: {sys.version.split()[0]}" in done.stdout
    assert "C library" in done.stdout and "libc.so.6" in done.stdout


def test_functions_that_other_reports_call():
    """transformers, lightning and others put their reports together of these."""
    run = collect_env.run
    assert run("echo hi") == (0, "hi", "") and run(["false"])[0] == 1 and run("no-such-program")[0] == 127
    assert run(["no-such-program"])[0] == 127
    assert (
        collect_env.run_and_read_all(run, "echo a; echo b") == "a\nb"
        and collect_env.run_and_read_all(run, "false") is None
    )
    assert collect_env.run_and_parse_first_match(run, "echo x 12", r"(\d+)") == "12"
    assert collect_env.run_and_return_first_line(run, "echo a; echo b") == "a"
    assert collect_env.get_platform() == "linux" and collect_env.get_libc_version().startswith("glibc-")
    version, packages = collect_env.get_pip_packages(run)
    assert version == "pip3" and "numpy==" in packages
    assert collect_env.get_os(run).endswith(")") and collect_env.is_xnnpack_available() is False


def test_collect_env_has_the_fields_of_pytorch():
    info = collect_env.get_env_info()
    for name in (
        "cuda_runtime_version",
        "nvidia_gpu_models",
        "cudnn_version",
        "conda_packages",
        "caching_allocator_config",
    ):
        assert hasattr(info, name)
    text = collect_env.pretty_str(info)
    for label in (
        "ROCM used to build PyTorch: N/A",
        "GPU models and configuration: ",
        "Is XPU available: False",
        "[conda] ",
    ):
        assert label in text
