"""One library, everything, and nothing; an edit of each kind."""

import os
import re

from checkout import (
    ACTIVATION,
    CLOSE,
    LIBRARIES,
    SIGMOID,
    SOURCE_OF_SIGMOID,
    VERSION,
    run,
    site_packages,
    state,
    watched,
)

# Python takes isclose's rtol and what follows it by name alone. The C++ function is the same, so one file is compiled.
ONLY_BY_NAME = ("isclose(Tensor self, Tensor other, float rtol", "isclose(Tensor self, Tensor other, *, float rtol")


def test_one_library(tree, setup, python, tmp_path):
    with watched(tree) as ran:
        setup("build_deps", "--only", "TH")
    prefix = tree / "build/tmp_install"
    assert len(ran.objects) > 20 and all(output.startswith("TH/") for output in ran.objects)
    assert [path.name for path in sorted((prefix / "lib").glob("lib*.so.1"))] == ["libTH.so.1"]
    assert (prefix / "include/TH/TH.h").exists() and not (prefix / "include/THNN").exists()
    # The prefix is one: a library of somebody else's finds it there.
    (tmp_path / "mine.cpp").write_text(
        '#include <TH/TH.h>\nextern "C" int dimensions() {\n  THTensor *t = THTensor_new(TH_Float);\n'
        "  const int result = int(t->ndim);\n  THTensor_free(t);\n  return result;\n}\n"
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(mine CXX)\nfind_package(TH CONFIG REQUIRED)\n"
        "add_library(mine SHARED mine.cpp)\ntarget_link_libraries(mine TH::TH)\n"
    )
    run("cmake", "-G", "Ninja", "-S", ".", "-B", "b", f"-DTH_DIR={prefix}/lib/cmake/TH", cwd=tmp_path)
    run("cmake", "--build", "b", cwd=tmp_path)
    code = f"import ctypes; print(ctypes.CDLL('{tmp_path}/b/libmine.so').dimensions())"
    assert run(python, "-c", code, cwd="/") == "1\n"


def test_develop(tree, setup, python, says):
    with watched(tree) as ran:
        output = setup("develop")
    assert not [output for output in ran.objects if output.startswith("TH/")], "TH had been built"
    assert {output.split("/")[0] for output in ran.objects} == {
        "THNN",
        "THPP",
        "THS",
        "shm",
        "torch",
        "torch_python",
        "modules",
    }
    assert "commands, " in output
    assert says("import torch; print(torch.__file__, torch.__version__)") == f"{tree}/torch/__init__.py {VERSION}"
    assert run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tree / "tests/test_tiny.py", cwd="/")
    for name in LIBRARIES:
        assert os.readlink(tree / f"torch/lib/lib{name}.so.1") == f"../../build/tmp_install/lib/lib{name}.so.1"
    dist = "import importlib.metadata as m; print(m.version('torch'), m.distribution('torch').read_text('direct_url.json'))"
    assert says(dist).startswith(f"{VERSION} ") and tree.as_uri() in says(dist)
    assert "torch" in run(python.parent / "torch-collect-env", cwd="/")
    assert (tree / "compile_commands.json").resolve() == tree / "build/cmake/compile_commands.json"


def test_develop_again_does_nothing(tree, setup, python):
    folders = (tree / "torch", tree / "build/tmp_install", site_packages(python.parent.parent))
    before = state(*folders)
    with watched(tree) as ran:
        output = setup("develop")
    assert ran.outputs == set() and "command" not in output
    assert state(*folders) == before
    with watched(tree) as ran:
        setup("rebuild")
        setup("build_deps")
    assert ran.outputs == set() and state(*folders) == before


def test_python_is_live(tree, says):
    (tree / "torch/mine.py").write_text("value = 41\n")
    assert says("import torch.mine; print(torch.mine.value)") == "41"
    (tree / "torch/mine.py").write_text("value = 42  # edited\n")
    assert says("import torch.mine; print(torch.mine.value)") == "42"
    (tree / "torch/mine.py").unlink()


def test_a_source_compiles_that_object_alone(tree, setup, edit, says):
    assert says(SIGMOID) == "0.25"
    edit(*SOURCE_OF_SIGMOID, "return g * (1 - y) * y * 3;")
    with watched(tree) as ran:
        setup("build_deps", "--only", "THNN")
    assert ran.objects == {ACTIVATION}
    assert says(SIGMOID) == "0.75"
    edit.back()
    setup("rebuild")
    assert says(SIGMOID) == "0.25"


def test_a_new_source_is_found_and_a_removed_one_forgotten(tree, setup):
    source, library = tree / "lib/THNN/src/activation/mine.cpp", tree / "torch/lib/libTHNN.so.1"
    source.write_text('extern "C" __attribute__((visibility("default"))) int mine() { return 7; }\n')
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == {"THNN/CMakeFiles/THNN.dir/src/activation/mine.cpp.o"}
    assert b"\0mine\0" in library.read_bytes()
    source.unlink()
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == set() and b"\0mine\0" not in library.read_bytes()


def test_a_removed_header_is_not_left_behind(tree, setup):
    (tree / "lib/THNN/include/THNN/Mine.h").write_text("/* mine */\n")
    setup("build_deps", "--only", "THNN")
    assert (tree / "torch/lib/include/THNN/Mine.h").read_text() == "/* mine */\n"
    (tree / "lib/THNN/include/THNN/Mine.h").unlink()
    with watched(tree) as ran:
        setup("build_deps", "--only", "THNN")
    assert ran.objects == set()
    installed, ours = (tree / "torch/lib/include/THNN", tree / "lib/THNN/include/THNN")
    assert {path.name for path in installed.iterdir()} == {path.name for path in ours.iterdir()} > {"THNN.h"}


def test_a_header_compiles_who_includes_it(tree, setup, edit):
    """One at a time, as MAX_JOBS says, and with whole commands, as VERBOSE says."""
    header = "csrc/python/storage/storage_ref.h"
    listed = run("ninja", "-C", "build/cmake", "-t", "deps", cwd=tree)
    who = {block.split(":")[0] for block in listed.split("\n\n") if f"/{header}\n" in f"{block}\n"}
    assert who >= {
        f"torch_python/CMakeFiles/torch_python.dir/storage/{name}.cpp.o" for name in ("buffer", "dlpack", "storage")
    }
    edit.append(header, "// edited\n")
    with watched(tree) as ran:
        output = setup("develop", MAX_JOBS="1", VERBOSE="1")
    assert ran.objects == who
    assert all(end <= start for (_, end), (start, _) in zip(ran.times, ran.times[1:])), ran.times
    compiled = [line for line in output.splitlines() if re.search(r" -c .*csrc/python/storage/buffer\.cpp", line)]
    assert len(compiled) == 1 and " -O2 " in compiled[0], output


def test_a_declaration(tree, setup, edit, says):
    assert says(CLOSE) == "True"
    edit("codegen/declarations/comparison.cwrap", *ONLY_BY_NAME)
    with watched(tree) as ran:
        setup("develop")
    assert says(f"try:\n  {CLOSE}\nexcept TypeError:\n  print('refused')") == "refused"
    assert says(CLOSE.replace("0.5", "rtol=0.5")) == "True"
    assert ran.objects == {"torch_python/CMakeFiles/torch_python.dir/__/generated/python/python_comparison.cpp.o"}


def test_a_new_generated_source_is_compiled_at_once(tree, setup, edit):
    source = 'extern "C" __attribute__((visibility("default"))) int mine() { return 7; }\n'
    line = f'    output.write(arguments.out / "src/Mine.cpp", {source!r})\n'
    edit("codegen/__main__.py", "    extension.emit(", f"{line}    extension.emit(")
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == {"THPP/CMakeFiles/THPP.dir/__/generated/thpp/src/Mine.cpp.o"}
    assert b"\0mine\0" in (tree / "torch/lib/libTHPP.so.1").read_bytes()
    edit.back()
    setup("develop")
    assert not (tree / "build/cmake/generated/thpp/src/Mine.cpp").exists()
    assert b"\0mine\0" not in (tree / "torch/lib/libTHPP.so.1").read_bytes()


def test_documentation_compiles_nothing(tree, setup, edit, says):
    edit("codegen/declarations/comparison.cwrap", "Infinities are close to themselves only;", "Edited words;")
    with watched(tree) as ran:
        setup("develop")
    assert ran.outputs and not [output for output in ran.outputs if output.endswith((".o", ".so", ".so.1"))]
    assert says("import torch; print('Edited words;' in torch.isclose.__doc__)") == "True"
    with watched(tree) as ran:
        setup("develop")
    assert ran.outputs == set()
