"""load and load_inline: what is compiled, when, under which name, and what is said when it fails."""

import gc
import pathlib
import subprocess
import sys
import time

import pytest
import torch
from torch.utils import cpp_extension
from torch.utils._extension import compiler, jit, ninja

SIN_ADD = "at::Tensor sin_add(at::Tensor x, at::Tensor y) { return x.sin() + y.sin(); }"
# What is compiled to be run once need not be fast.
QUICK = ["-O0"]
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


IDENTITY = """
static at::Tensor kept;
at::Tensor same(at::Tensor x) { return x; }
std::vector<at::Tensor> list(std::vector<at::Tensor> tensors) { return tensors; }
void keep(at::Tensor x) { kept = x; }
at::Tensor give_back() { return std::exchange(kept, at::Tensor()); }
at::Tensor add_one(at::Tensor x) { return x.add_(1); }
at::Tensor view(at::Tensor x) { return x.view({-1}); }
"""


class Derived(torch.Tensor):
    pass


def test_a_tensor_comes_back_as_the_object_that_it_was():
    names = ["same", "list", "keep", "give_back", "add_one", "view"]
    module = cpp_extension.load_inline("identity", [IDENTITY], functions=names, extra_cflags=QUICK)
    for kind in (torch.Tensor, Derived):
        x = torch.zeros(2, 2).as_subclass(kind)
        x.name, before = "x", id(x)
        assert module.same(x) is x
        one, two = module.list([x, x])
        assert one is two is x
        module.keep(x)
        del x, one, two
        gc.collect()  # the object lives on with its tensor, which C++ alone knows now
        x = module.give_back()
        assert id(x) == before and type(x) is kind and x.name == "x"
        assert module.give_back() is None
        assert module.add_one(x) is x and x._version == 1
        view = module.view(x)
        assert view is not x and type(view) is torch.Tensor and not hasattr(view, "name")
        module.add_one(view)
        assert x._version == view._version == 2 and x.sum() == 8


def test_load_inline_of_the_documentation():
    module = cpp_extension.load_inline(name="inline_extension", cpp_sources=[SIN_ADD], functions=["sin_add"])
    x, y = torch.randn(2, 3), torch.randn(3)
    assert torch.equal(module.sin_add(x, y), x.sin() + y.sin())
    assert module.__name__ == "inline_extension"
    assert "sin_add(arg0: torch.Tensor, arg1: torch.Tensor) -> torch.Tensor" in module.sin_add.__doc__
    with pytest.raises(TypeError, match="incompatible function arguments"):
        module.sin_add(x, None)


def test_types_and_errors():
    """Every conversion of torch/python.h both ways, and each kind of error as the exception torch raises for it."""
    module = cpp_extension.load_inline(
        "conversions",
        [
            """
        py::object all(std::optional<torch::Tensor> t, std::vector<torch::Tensor> list, torch::Scalar number,
                       torch::ScalarType dtype, torch::IntArrayRef sizes) {
          return py::make_tuple(t, list, number, dtype, sizes);
        }
        torch::Tensor nothing() { return torch::Tensor(); }
        torch::Tensor of_nothing() { return nothing().exp(); }
        torch::Tensor cat_nothing() { return torch::cat({torch::ones(2), nothing()}); }
        torch::Tensor plus_nothing() { return nothing() + 1; }
        double first_double(torch::Tensor x) { return x.data_ptr<double>()[0]; }
        int out_of_range(torch::Tensor x) { return x.size(7); }
        void check(int kind) {
          TORCH_CHECK(kind != 0, "runtime ", kind);
          TORCH_CHECK_INDEX(kind != 1, "index ", kind);
          TORCH_CHECK_VALUE(kind != 2, "value ", kind);
          TORCH_CHECK_TYPE(kind != 3, "type ", kind);
          TORCH_CHECK_NOT_IMPLEMENTED(kind != 4, "not implemented ", kind);
          TORCH_CHECK(kind != 5);
          AT_ERROR("error ", kind);
        }
        """
        ],
        functions=[
            "all",
            "nothing",
            "of_nothing",
            "cat_nothing",
            "plus_nothing",
            "first_double",
            "out_of_range",
            "check",
        ],
        extra_cflags=QUICK,
    )
    x = torch.arange(3)
    t, tensors, number, dtype, sizes = module.all(x, [x, x.float()], 2.5, torch.float16, (2, 3))
    t.add_(1)
    assert x.tolist() == [1, 2, 3], "the tensor, not a copy"
    assert [one.dtype for one in tensors] == [torch.int64, torch.float32]
    assert (number, dtype, sizes) == (2.5, torch.float16, [2, 3])
    assert module.all(None, (), True, torch.bool, [])[:3] == (None, [], True)
    for given, got in ((7, 7), (torch.tensor(7), 7), (torch.tensor([0.5]), 0.5)):
        assert module.all(None, [], given, torch.bool, [])[2] == got
    for wrong in (
        (3, [], 1, torch.bool, []),
        (None, [None], 1, torch.bool, []),
        (None, [], "1", torch.bool, []),
        (None, [], 1, float, []),
        (None, [], 1, torch.bool, 3),
        (None, [], torch.ones(2), torch.bool, []),
    ):
        with pytest.raises(TypeError):
            module.all(*wrong)
    with pytest.raises(OverflowError):
        module.all(None, [], 2**64, torch.bool, [])
    assert module.nothing() is None
    for function in (module.of_nothing, module.cat_nothing, module.plus_nothing):
        with pytest.raises(RuntimeError, match="undefined"):
            function()
    with pytest.raises(RuntimeError, match="expected scalar type Double but found Long"):
        module.first_double(x)
    with pytest.raises(IndexError, match="Dimension out of range"):
        module.out_of_range(x)
    kinds = (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError)
    for kind, exception in enumerate(kinds):
        with pytest.raises(exception, match=f" {kind}$") as info:
            module.check(kind)
        assert info.type is exception
    with pytest.raises(RuntimeError, match="Expected kind != 5 to be true"):
        module.check(5)
    with pytest.raises(RuntimeError, match="error 6"):
        module.check(6)


def test_operators_of_cpp_agree_with_those_of_python():
    """One function with every operator and a good part of the methods; Python evaluates the same expressions."""
    rows = {
        "x + y - 2 * x / (y + 3.5)": None,
        "1 - x": None,
        "-x": None,
        "x % 2": None,
        "(x > 0).type_as(x) + (x <= y)": None,
        "(x == x) & (x != 1)": None,
        "(1 == x) | (y < 0)": None,
        "torch::where(x > 0, x, 0)": "torch.where(x > 0, x, 0)",
        "x.clamp(0, 1)": None,
        "x.clamp_min(y)": None,
        "x.pow(2) + torch::pow(2, x)": "x.pow(2) + torch.pow(2, x)",
        "x.sum(0, true)": "x.sum(0, True)",
        "x.sum({0, 1})": "x.sum((0, 1))",
        "x.mean()": None,
        "x[1][2]": None,
        "x.slice(1, 1, -1)": "x[:, 1:-1]",
        "x.slice(0, torch::nullopt, torch::nullopt, 2)": "x[::2]",
        "x.view({3, -1}).t().mm(x.reshape({3, 4}))": "x.view(3, -1).t().mm(x.reshape(3, 4))",
        "x.view(-1)": None,
        "std::get<0>(x.max(1))": "x.max(1)[0]",
        "torch::stack({x, y}, 1)": "torch.stack([x, y], 1)",
        "torch::cat(x.chunk(2, 1))": "torch.cat(x.chunk(2, 1))",
        "torch::zeros({2}, torch::kInt)": "torch.zeros(2, dtype=torch.int)",
        "torch::ones_like(x, torch::dtype(torch::kLong))": "torch.ones_like(x, dtype=torch.long)",
        "torch::full({2, 2}, 7, x.options())": "torch.full((2, 2), 7, dtype=x.dtype)",
        "torch::arange(0, 10, 3)": "torch.arange(0, 10, 3)",
        "torch::tensor({1.5, 2.5})": "torch.tensor([1.5, 2.5])",
        "torch::tensor({1, 2})": "torch.tensor([1, 2])",
        "torch::tensor(true)": "torch.tensor(True)",
        'x.to(torch::kDouble).div(3, "floor")': "x.to(torch.double).div(3, rounding_mode='floor')",
        "x.unsqueeze(0).squeeze()": None,
        "x.masked_fill(x > 0, 9)": None,
        "x.clone().add_(y, 2).mul_(3)": "x.clone().add_(y, alpha=2).mul_(3)",
        "x.argmax()": None,
        "x.permute({1, 0}).contiguous()": "x.permute(1, 0).contiguous()",
    }
    body = "\n".join(f"  results.push_back({code});" for code in rows)
    module = cpp_extension.load_inline(
        "expressions",
        f"""
        std::vector<torch::Tensor> all(torch::Tensor x, torch::Tensor y) {{
          std::vector<torch::Tensor> results;
        {body}
          return results;
        }}
        torch::Tensor parts(torch::Tensor x) {{
          x[0] = 5;
          x[1] = x[0] + 1;
          x[1][2] = -1;
          x += 1;
          torch::Tensor y = x;
          y = torch::zeros(1);  // another meaning of y, and no change of x
          return x;
        }}
        torch::Tensor blob(std::vector<double> values, py::list log) {{
          auto *memory = new std::vector<double>(std::move(values));
          auto release = [memory, log](void *) {{ delete memory; py::list(log).append("released"); }};
          return torch::from_blob(memory->data(), {{int64_t(memory->size())}}, release, torch::kDouble);
        }}""",
        functions=["all", "parts", "blob"],
        extra_cflags=QUICK,
    )
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    for (code, python), got in zip(rows.items(), module.all(x, y), strict=True):
        want = eval(python or code)  # noqa: S307 - the table above
        assert got.dtype == want.dtype, code
        assert torch.equal(got, want), code
    assert module.parts(torch.zeros(2, 3)).tolist() == [[6, 6, 6], [7, 7, 0]]
    log = []
    blob = module.blob([1, 2, 3], log)
    assert (blob * 2).tolist() == [2, 4, 6]
    assert log == []
    del blob
    assert log == ["released"]


def test_devices():
    module = cpp_extension.load_inline(
        "devices",
        """
        std::vector<torch::Tensor> made(torch::Tensor like) {
          const auto meta = torch::device(torch::kMeta);
          return {torch::empty({2, 3}, meta.dtype(torch::kInt)), torch::empty({2}, torch::kMeta),
                  torch::empty({4}, torch::dtype(torch::kDouble).device(torch::kCPU)), torch::empty({5}, like.options()),
                  torch::zeros_like(torch::ones({2}), torch::kLong)};
        }
        bool on_meta(torch::Tensor x) { return x.is_meta() && !x.is_cpu() && x.device() == torch::kMeta; }
        void blob() { double d; torch::from_blob(&d, {1}, torch::dtype(torch::kDouble).device(torch::kMeta)); }""",
        functions=["made", "on_meta", "blob"],
        extra_cflags=QUICK,
    )
    like = torch.empty(1, dtype=torch.int16, device="meta")
    assert [(x.device.type, x.dtype, tuple(x.shape)) for x in module.made(like)] == [
        ("meta", torch.int32, (2, 3)),
        ("meta", torch.float32, (2,)),
        ("cpu", torch.float64, (4,)),
        ("meta", torch.int16, (5,)),
        ("cpu", torch.int64, (2,)),
    ]
    assert module.on_meta(like) and not module.on_meta(torch.ones(1))
    with pytest.raises(ValueError, match="from_blob.*meta"):
        module.blob()


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
