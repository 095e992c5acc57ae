"""load and load_inline: what is compiled, when, under which name, and what is said when it fails."""

import pathlib
import subprocess
import sys
import time

import pytest
import torch
from torch.utils import cpp_extension
from torch.utils._extension import compiler, jit, ninja

SIN_ADD = "at::Tensor sin_add(at::Tensor x, at::Tensor y) { return x.sin() + y.sin(); }"
# No torch in it: compiles in a moment. What it needs of Python it says itself.
TINY = """
#include <Python.h>
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#ifdef WITH_HEADER
#include "value.h"
#endif
#ifndef VALUE
#define VALUE 1
#endif
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, TEXT(TORCH_EXTENSION_NAME)};
PyMODINIT_FUNC JOIN(PyInit_, TORCH_EXTENSION_NAME)() {
  PyObject *module = PyModule_Create(&definition);
  PyModule_AddIntConstant(module, "value", VALUE);
  return module;
}
"""


@pytest.fixture
def tiny(tmp_path):
    source = tmp_path / "tiny.cpp"
    source.write_text(TINY)
    return source


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    """Each test loads as if it were the first."""
    monkeypatch.setattr(jit, "loaded", {})


# ---- what comes out ----


def test_load_inline_of_the_documentation():
    module = cpp_extension.load_inline(name="inline_extension", cpp_sources=[SIN_ADD], functions=["sin_add"])
    x, y = torch.randn(2, 3), torch.randn(3)
    assert torch.equal(module.sin_add(x, y), x.sin() + y.sin())
    assert module.__name__ == "inline_extension"
    assert "sin_add(arg0: torch.Tensor, arg1: torch.Tensor) -> torch.Tensor" in module.sin_add.__doc__
    with pytest.raises(TypeError, match="incompatible function arguments"):
        module.sin_add(x, None)


def test_docstrings_and_several_sources():
    doc = 'what "it" does: 100 % \\ ??/ ünïcode\n  second line'
    module = cpp_extension.load_inline(
        "documented", ["int one() { return 1; }", "int two() { return one() + 1; }"], functions={"one": doc, "two": ""}
    )
    assert (module.one(), module.two()) == (1, 2)
    assert doc in module.one.__doc__


def test_plain_library_and_program(tmp_path, run):
    source = tmp_path / "answer.cpp"
    source.write_text(
        "#include <torch/torch.h>\n#include <iostream>\n"
        'extern "C" double answer() { return torch::full({6}, 7).sum().item<double>(); }\n'
        "int main() { std::cout << answer(); }"
    )
    import ctypes

    path = cpp_extension.load("answer", [source], is_python_module=False)
    library = ctypes.CDLL(path)
    library.answer.restype = ctypes.c_double
    assert library.answer() == 42
    program = cpp_extension.load("answer_program", [source], is_standalone=True)
    assert run(program) == "42"


# ---- when it is compiled ----


def test_nothing_is_compiled_twice(tiny, capfd):
    first = cpp_extension.load("tiny", [tiny], verbose=True)
    assert "tiny.o" in capfd.readouterr().err
    assert cpp_extension.load("tiny", [tiny], verbose=True) is first
    assert "No change" in capfd.readouterr().err
    jit.loaded.clear()  # as another process
    cpp_extension.load("tiny", [tiny], verbose=True)
    assert "ninja: no work to do" in capfd.readouterr().err


def test_a_change_makes_a_new_version(tiny, tmp_path):
    """Of the source, of a flag, of a header that it includes; the module that is loaded stays what it was."""
    first = cpp_extension.load("tiny", tiny)
    tiny.write_text(TINY.replace("VALUE 1", "VALUE 2"))
    second = cpp_extension.load("tiny", tiny)
    (tmp_path / "value.h").write_text("#define VALUE 3")
    flags = {"extra_cflags": ["-DWITH_HEADER"], "extra_include_paths": [tmp_path]}
    third = cpp_extension.load("tiny", tiny, **flags)
    (tmp_path / "value.h").write_text("#define VALUE 4444")
    fourth = cpp_extension.load("tiny", tiny, **flags)
    modules = [first, second, third, fourth]
    assert [module.value for module in modules] == [1, 2, 3, 4444]
    assert [module.__name__ for module in modules] == ["tiny", "tiny_v1", "tiny_v2", "tiny_v3"]
    assert cpp_extension.load("tiny", tiny, **flags) is fourth


def test_a_failure_does_not_use_up_a_version(tiny):
    cpp_extension.load("tiny", tiny)
    tiny.write_text("#error broken")
    with pytest.raises(RuntimeError):
        cpp_extension.load("tiny", tiny)
    tiny.write_text(TINY.replace("VALUE 1", "VALUE 5"))
    module = cpp_extension.load("tiny", tiny)
    assert (module.value, module.__name__) == (5, "tiny_v1")


def test_where_it_is_built(tiny, tmp_path, monkeypatch):
    module = cpp_extension.load("tiny", tiny)
    assert pathlib.Path(module.__file__) == tmp_path / "extensions/tiny/tiny.so"
    jit.loaded.clear()
    assert cpp_extension.load("tiny", tiny, build_directory=tmp_path / "here").__file__ == str(
        tmp_path / "here/tiny.so"
    )
    monkeypatch.delenv("TORCH_EXTENSIONS_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    jit.loaded.clear()
    python = f"py{sys.version_info.major}{sys.version_info.minor}{sys.abiflags}_cpu"
    folder = pathlib.Path(cpp_extension.get_default_build_root()) / python / "tiny"
    assert folder == tmp_path / "cache/torch_extensions" / python / "tiny"
    assert cpp_extension.load("tiny", tiny).__file__ == str(folder / "tiny.so")


def test_processes_wait_for_each_other(tiny):
    """Four at once on an empty folder: each gets the module, and one of them compiles it."""
    code = (
        "import sys; from torch.utils.cpp_extension import load\n"
        "print(load('tiny', sys.argv[1], extra_cflags=['-DVALUE=8'], verbose=True).value)"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", code, tiny], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    outputs = [child.communicate() for child in children]
    assert [out.strip() for out, _ in outputs] == ["8"] * 4, outputs
    assert sum("no work to do" in err for _, err in outputs) == 3, outputs


def test_a_lock_left_behind_is_no_obstacle(tiny, tmp_path):
    """A process that is killed while it builds leaves the file, but not the lock."""
    folder = tmp_path / "extensions/tiny"
    folder.mkdir(parents=True)
    code = (
        "import os, pathlib, sys; from torch.utils._extension import jit\n"
        f"with jit.locked(pathlib.Path({str(folder)!r}), True): print('locked', flush=True); os.read(0, 1)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"locked\n"
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from torch.utils.cpp_extension import load\n"
            "print(load('tiny', sys.argv[1], verbose=True).value)",
            tiny,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "Waiting for another process" in child.stderr.readline()
    time.sleep(0.2)
    assert child.poll() is None
    holder.kill()
    holder.wait()
    assert child.communicate(timeout=120)[0].strip() == "1"
    assert (folder / "lock").exists()


# ---- what is said when it does not work ----


def test_compile_error_names_the_first():
    with pytest.raises(RuntimeError) as info:
        cpp_extension.load_inline("bad", "int f() { return unknown; }\nint g() { return other; }", functions="f")
    first = str(info.value).splitlines()[0]
    assert first.startswith("Error building extension 'bad': ")
    assert "main.cpp:2:" in first and "unknown" in first
    assert "other" in str(info.value), "the whole output comes behind"


def test_link_error(tiny):
    with pytest.raises(RuntimeError, match="Error building extension 'tiny': .*cannot find.*nonexistent"):
        cpp_extension.load("tiny", tiny, extra_ldflags=["-lnonexistent"])


def test_old_standard_is_explained():
    with pytest.raises(RuntimeError, match="compile with -std=c\\+\\+20"):
        cpp_extension.load_inline("old", SIN_ADD, functions="sin_add", extra_cflags=["-std=c++11"])


def test_no_module_inside(tmp_path):
    source = tmp_path / "empty.cpp"
    source.write_text("int nothing;")
    with pytest.raises(ImportError, match="PyInit_empty"):
        cpp_extension.load("empty", source)


def test_missing_tools_are_named(tiny, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(RuntimeError, match="(?s)'no-such-compiler'.*apt install g\\+\\+"):
        cpp_extension.load("tiny", tiny)
    monkeypatch.delenv("CXX")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(RuntimeError, match="pip install ninja|C\\+\\+ compiler"):
        cpp_extension.load("tiny", tiny)
    monkeypatch.setattr(ninja, "ninja", lambda: None)
    assert not cpp_extension.is_ninja_available()
    with pytest.raises(RuntimeError, match="pip install ninja"):
        cpp_extension.verify_ninja_availability()


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ({"sources": []}, ValueError, "no sources"),
        ({"sources": ["missing.cpp"]}, FileNotFoundError, "missing.cpp"),
        ({"sources": ["kernel.cu"]}, RuntimeError, "without CUDA"),
        ({"with_cuda": True}, RuntimeError, "without CUDA"),
        ({"with_sycl": True}, RuntimeError, "without SYCL"),
        ({"name": "not-a-name"}, ValueError, "not-a-name"),
        ({"name": "a/b", "is_python_module": False}, ValueError, "a/b"),
        ({"extra_cflags": "-O3"}, TypeError, "in a list"),
    ],
)
def test_refused(tiny, arguments, error, text):
    with pytest.raises(error, match=text):
        cpp_extension.load(**{"name": "tiny", "sources": [tiny], **arguments})


def test_refused_inline():
    for more, error in (
        ({"cuda_sources": "x"}, RuntimeError),
        ({"use_pch": True}, RuntimeError),
        ({"functions": "a b"}, ValueError),
        ({"functions": "f", "is_python_module": False}, ValueError),
    ):
        with pytest.raises(error):
            cpp_extension.load_inline("refused", "", **more)


def test_max_jobs(tiny, monkeypatch):
    for bad in ("0", "-1", "many"):
        monkeypatch.setenv("MAX_JOBS", bad)
        with pytest.raises(ValueError, match="MAX_JOBS"):
            cpp_extension.load("tiny", tiny)
    monkeypatch.setenv("MAX_JOBS", "1")
    assert ninja.jobs() == ["-j", "1"]
    assert cpp_extension.load("tiny", tiny).value == 1


def test_compiler_check(tmp_path, monkeypatch):
    good, version = cpp_extension.get_compiler_abi_compatibility_and_version(" ".join(cpp_extension.get_cxx_compiler()))
    assert good and int(version.split(".")[0]) >= cpp_extension.MINIMUM_GCC_VERSION[0]

    def fake(name, text):
        script = tmp_path / name
        script.write_text(f"#!{sys.executable}\nprint({text!r})\n")
        script.chmod(0o755)
        return str(script)

    old = fake("old-g++", "#define __GNUC__ 9\n#define __GNUC_MINOR__ 4\n#define __GNUC_PATCHLEVEL__ 0")
    for command, said in (
        (old, "is GCC 9.4.0; torch's C\\+\\+20 headers need GCC 12"),
        (fake("other", "hello"), "is no GCC"),
        ("/nonexistent", "does not run"),
    ):
        with pytest.warns(UserWarning, match=said):
            assert not cpp_extension.check_compiler_abi_compatibility(command)
    monkeypatch.setenv("TORCH_DONT_CHECK_COMPILER_ABI", "1")
    assert cpp_extension.check_compiler_abi_compatibility(old)


def test_first_error_of_a_build():
    log = "[1/2] c++ -Werror x\nIn file included from x\nx.cpp:3:1: error: no\ny.cpp:1:1: error: later\n"
    assert compiler.first_error(log) == "x.cpp:3:1: error: no"
    log = "/usr/bin/ld: x.o: in function `f':\nx.cpp:(.text+0x5): undefined reference to `g'\ncollect2: error: ld returned 1\n"
    assert compiler.first_error(log) == "x.cpp:(.text+0x5): undefined reference to `g'"


def test_which_compiler(tmp_path):
    gcc = "__clang_major__" not in compiler._macros(compiler.get_cxx_compiler())
    assert cpp_extension.check_compiler_is_gcc(compiler.get_cxx_compiler()) is gcc
    assert cpp_extension.check_compiler_ok_for_platform(compiler.get_cxx_compiler())
    for other in ("no-such-compiler", "true"):
        assert not cpp_extension.check_compiler_is_gcc(other) and not cpp_extension.check_compiler_ok_for_platform(
            other
        )
    with pytest.raises(NotImplementedError, match="Intel"):
        cpp_extension.SyclExtension("a", ["a.sycl"])
    assert cpp_extension.remove_extension_h_precompiler_headers() is None
