"""CppExtension and BuildExtension: the project in setuptools/, built and run in fresh processes."""

import os
import pathlib
import re
import shutil
import sys

import pytest
from torch.utils import cpp_extension
from torch.utils._extension import locations, ninja

HERE = pathlib.Path(__file__).parent

USE = """
import lltm_cpp, lltm.inner, torch
x = torch.randn(2, 3)
h, c = lltm_cpp.forward(x, torch.randn(9, 6), torch.randn(9), torch.randn(2, 3), torch.randn(2, 3))
assert h.shape == c.shape == (2, 3)
s = x.sigmoid()
assert torch.equal(lltm_cpp.d_sigmoid(x), (1 - s) * s)
assert lltm_cpp.trace(torch.arange(6).view(2, 3)) == 4
assert lltm.inner.shifted(torch.zeros(2)).tolist() == [10, 10]
print("factor", lltm_cpp.factor())
"""


@pytest.fixture
def project(tmp_path):
    return shutil.copytree(HERE / "setuptools", tmp_path / "project")


@pytest.fixture
def build(project, run):
    return lambda *more, **options: run(
        sys.executable, "setup.py", "build_ext", "--inplace", *more, cwd=project, **options
    )


def dynamic(path, run):
    return run("readelf", "-d", path)


def test_build_use_change(project, build, python, run):
    output = build()
    assert "ninja: Entering directory" in output
    assert python(USE, cwd=project) == "factor 2\n"
    # The module brings its libraries with it; torch itself is imported when a tensor comes by.
    code = "import lltm_cpp, sys; assert 'torch' not in sys.modules; print(lltm_cpp.factor())"
    assert python(code, cwd=project) == "2\n"

    # Nothing changed; then a header did, which setuptools alone would not see.
    assert build().count("ninja: no work to do") == 2
    (project / "factor.h").write_text("#define FACTOR 3\n")
    output = build()
    assert output.count("ninja: no work to do") == 1
    assert "lltm.cpp" in output
    assert python(USE, cwd=project) == "factor 3\n"

    # The libraries are looked up where torch lies, before the environment is asked; or beside the extension.
    module, inner = next(project.glob("lltm_cpp*.so")), next(project.glob("lltm/inner*.so"))
    for path, origin in ((module, "$ORIGIN/torch/lib"), (inner, "$ORIGIN/../torch/lib")):
        entries = dynamic(path, run)
        assert "(RUNPATH)" not in entries
        rpath = re.search(r"\(RPATH\).*\[(.*)\]", entries)[1].split(":")
        assert str(locations.LIB) in rpath
        assert origin in rpath
        assert rpath.index(str(locations.LIB)) < rpath.index(origin)
        assert {"libTH.so.1", "libTHPP.so.1", "libtorch_python.so.1"} <= set(
            re.findall(r"\[(lib\w+\.so\.1)\]", entries)
        )


def test_without_ninja(project, build, python):
    output = build(WITHOUT_NINJA="1")
    assert "ninja" not in output
    assert python(USE, cwd=project) == "factor 2\n"


def test_install_by_pip(project, run, python, tmp_path):
    site = tmp_path / "site"
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        site,
        project,
    )
    assert (
        python(USE, cwd=tmp_path, PYTHONPATH=os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
        == "factor 2\n"
    )


def test_parallel_extensions(project, build, python):
    """build_ext --parallel: each thread compiles its own extension."""
    build("--parallel", "2")
    assert python(USE, cwd=project) == "factor 2\n"


@pytest.mark.parametrize("environment", [{}, {"WITHOUT_NINJA": "1"}])
def test_error(project, build, environment):
    (project / "lltm.cpp").write_text(
        "#include <torch/extension.h>\nint f() { return unknown; }\nint g() { return x; }"
    )
    output = build(fails=True, **environment)
    assert "lltm.cpp:2:" in output
    if not environment:
        last = output.strip().splitlines()[-1]
        assert re.match(r"error: Error compiling objects for extension 'lltm_cpp': .*lltm\.cpp:2:.*unknown", last), last


def test_flags_of_other_compilers(project, build):
    setup = project / "setup.py"
    setup.write_text(setup.read_text().replace('{"cxx"', '{"nvcc": [], "cxx"'))
    assert "flags for nvcc" in build(fails=True)


def test_what_is_refused():
    with pytest.raises(RuntimeError, match="without CUDA"):
        cpp_extension.CUDAExtension("x", ["x.cpp"])
    with pytest.raises(RuntimeError, match="kernel.cu: .*without CUDA"):
        cpp_extension.CppExtension("x", ["x.cpp", "kernel.cu"])
    with pytest.raises(ValueError, match="py_limited_api"):
        cpp_extension.CppExtension("x", ["x.cpp"], py_limited_api=True)
    with pytest.raises(ValueError, match="'cpu', not 'cuda'"):
        cpp_extension.include_paths("cuda")
    with pytest.raises(ValueError, match="cross_target_platform"):
        cpp_extension.library_paths(cross_target_platform="win")
    with pytest.raises(AttributeError, match="Nonsense"):
        cpp_extension.Nonsense  # noqa: B018


def test_extension_keeps_what_it_was_given():
    extension = cpp_extension.CppExtension(
        "a.b",
        ["x.cpp"],
        include_dirs=["mine"],
        library_dirs=["lib"],
        extra_link_args=["-lmine"],
        define_macros=[("A", "1")],
    )
    assert extension.include_dirs == ["mine", *cpp_extension.include_paths()]
    assert extension.library_dirs == ["lib", *cpp_extension.library_paths()]
    assert extension.extra_link_args[0] == "-lmine"
    assert extension.define_macros == [("A", "1")]
    assert extension.language == "c++"


def test_suffix_of_the_file_name():
    from setuptools import Distribution

    command = cpp_extension.BuildExtension.with_options(no_python_abi_suffix=True)(Distribution())
    assert command.get_ext_filename("a.b") == os.path.join("a", "b.so")
    assert cpp_extension.BuildExtension(Distribution()).get_ext_filename("b") != "b.so"


def test_fallback_is_said(monkeypatch):
    from setuptools import Distribution

    monkeypatch.setattr(ninja, "ninja", lambda: None)
    command = cpp_extension.BuildExtension(Distribution())
    with pytest.warns(UserWarning, match="found no ninja"):
        command.finalize_options()
    assert not command.use_ninja


def test_throwaway_environments_are_not_searched_later(monkeypatch, tmp_path):
    """pip compiles against a torch in the folder of temporary files, which is gone afterwards."""
    kept = locations.link_options()
    assert f"-Wl,-rpath,{locations.LIB}" in kept
    gone = tmp_path / "pip-build-env-x1y2/overlay/torch/lib"
    gone.mkdir(parents=True)
    (gone / "libTH.so.1").touch()
    monkeypatch.setattr(locations, "LIB", pathlib.Path(gone))
    assert not [
        option
        for option in locations.link_options(origin="$ORIGIN/torch/lib")
        if option.startswith("-Wl,-rpath,") and str(gone) in option
    ]
