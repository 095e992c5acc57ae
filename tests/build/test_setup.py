"""setup.py for real: every command, in a copy of the tree, from a mistake in the first minute to `clean`.

One tree is built once and worked with by all the tests, in the order in which they stand here; each leaves it
importable. What a command has compiled is read from Ninja's log. No network, no prebuilt parts.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import types
import venv
import zipfile

import pytest

from tools import options
from tools.parts import ROOT, parts

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
VERSION = (ROOT / "version.txt").read_text().strip()
LIBRARIES = [name for name in parts() if name != "modules"]
MODULES = {f"_C{SUFFIX}": "$ORIGIN/lib", f"_dl{SUFFIX}": None, f"_thnn/_THNN{SUFFIX}": "$ORIGIN/../lib"}
SOURCE = ["CMakeLists.txt", "LICENSE", "MANIFEST.in", "README.md", "codegen", "csrc", "lib", "pyproject.toml",
          "setup.py", "tools", "torch", "version.txt"]  # fmt: skip
ACTIVATION = "THNN/CMakeFiles/THNN.dir/src/activation.cpp.o"
SIGMOID = (
    "import torch; from torch._thnn import _THNN as nn; r = torch.empty(0); "
    "nn.FloatSigmoid_updateGradInput(None, torch.ones(1), r, torch.zeros(1) + 0.5); print(r.item())"
)
CLOSE = "import torch; print(torch.isclose(torch.ones(1), torch.ones(1) * 1.25).item())"


# ---- the tree, and how it is worked with


def make_venv(folder):
    """A virtual environment that sees the packages of this Python."""
    venv.EnvBuilder(symlinks=True).create(folder)
    (site_packages(folder) / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin/python"


def site_packages(prefix):
    return prefix / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"


def generated(folder, names):
    """What the checkout that is copied may have besides its sources."""
    linked = {"lib", "share", "version.py", "_torch_docs.py"} if folder == str(ROOT / "torch") else set()
    return {name for name in names if name in linked or name == "__pycache__" or name.endswith(".so")}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A checkout, as somebody has just cloned it."""
    root = tmp_path_factory.mktemp("checkout") / "tree"
    root.mkdir()
    for name in SOURCE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=generated)
        else:
            shutil.copyfile(ROOT / name, root / name)
    (root / "tests").mkdir()
    shutil.copyfile(ROOT / "tests/test_tiny.py", root / "tests/test_tiny.py")
    for path in root.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return root


@pytest.fixture(scope="module")
def untouched(tree):
    """All paths of the tree before anything was built."""
    return paths(tree)


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The Python of the developer's environment."""
    return make_venv(tmp_path_factory.mktemp("environment") / "venv")


def paths(folder):
    """Every file, link and folder; caches of Python do not count."""
    found = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    return {path for path in found if "__pycache__" not in path and ".pytest_cache" not in path}


def environment(**variables):
    ours = {name for option in options.OPTIONS for name in option.spellings} - {"CMAKE_PREFIX_PATH", "MAX_JOBS"}
    kept = {name: value for name, value in os.environ.items() if name not in ours | {"PYTHONPATH", "VIRTUAL_ENV"}}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **variables}


def run(*command, cwd, status=0, **variables):
    """What a program prints, both streams as a terminal shows them."""
    command = [str(argument) for argument in command]
    done = subprocess.run(
        command, cwd=cwd, env=environment(**variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == status, f"{command} ended with status {done.returncode}:\n{done.stdout}"
    return done.stdout


@pytest.fixture
def setup(tree, python):
    """setup("build_deps", "--only", "TH", MAX_JOBS="1") runs setup.py in the tree."""
    return lambda *arguments, **variables: run(python, "setup.py", *arguments, cwd=tree, **variables)


@pytest.fixture
def says(python):
    """What a program prints, run where no torch/ is; it ends with its last line."""
    return lambda code, **variables: run(python, "-c", code, cwd="/", **variables).splitlines()[-1]


@pytest.fixture
def edit(tree):
    """edit(path, old, new) changes a file; edit.back() puts all of them back as they were."""
    before = {}

    def replace(path, old, new):
        text = (tree / path).read_text()
        assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}: write this test anew"
        before.setdefault(path, text)
        (tree / path).write_text(text.replace(old, new))

    def back():
        for path, text in before.items():
            (tree / path).write_text(text)

    replace.back = back
    return replace


def commands(folder):
    """Ninja's log: {output: (start, end, …) of the last command that made it}"""
    log = folder / ".ninja_log"
    lines = log.read_text().splitlines()[1:] if log.exists() else []
    return {line.split("\t")[3]: tuple(line.split("\t")) for line in lines}


@contextlib.contextmanager
def watched(tree):
    """What Ninja did inside the block: .outputs of all commands, .objects of the compiler, .times of those."""
    folder, seen = tree / "build/cmake", types.SimpleNamespace()
    before = commands(folder)
    yield seen
    new = {output: entry for output, entry in commands(folder).items() if before.get(output) != entry}
    seen.outputs = {output for output in new if not output.endswith("cmake.verify_globs")}  # looking for new files
    seen.objects = {output for output in new if output.endswith(".o")}
    seen.times = sorted((int(new[output][0]), int(new[output][1])) for output in seen.objects)


def state(*folders):
    """Which files there are, and when each was written."""
    return {str(path): path.lstat().st_mtime_ns for folder in folders for path in folder.rglob("*") if path.is_file()}


def is_refused(tree, output, *words):
    """A mistake was answered in its own words, without a traceback, and nothing was built for it."""
    assert "Traceback" not in output
    for word in words:
        assert word in output, output
    assert not (tree / "build/cmake").exists() and not (tree / "build/tmp_install").exists()


# ---- before anything is built


def test_every_command_is_listed(tree, untouched, setup):
    listed = dict(re.findall(r"^  (\w+)  +(.+)$", setup("--help-commands"), re.MULTILINE))
    for command in ("build", "build_deps", "build_ext", "build_module", "build_py", "clean", "create_version_file",
                    "develop", "install", "rebuild", "sdist"):  # fmt: skip
        assert len(listed[command]) > 10, command
    assert setup("--version").split() == [VERSION]
    assert setup("--version", TORCH_BUILD_VERSION="2.3.4+local").split() == ["2.3.4+local"]
    assert setup("--name", TORCH_PACKAGE_NAME="torch-nightly").split() == ["torch-nightly"]
    assert paths(tree) == untouched


def test_wrong_options_are_refused_all_at_once(tree, setup):
    output = setup("build", status=1, DEBUG="maybe", USE_CUDA="1", MAX_JOBS="0", USE_CUDDA="1")
    is_refused(tree, output, "DEBUG=maybe", "USE_CUDA=1", "MAX_JOBS=0", "did you mean USE_CUDA?", "allowed: ")
    output = setup("develop", status=1, DEBUG="1", REL_WITH_DEB_INFO="1")
    is_refused(tree, output, "DEBUG=1 and REL_WITH_DEB_INFO=1 contradict each other")


def test_an_unknown_part_is_refused_with_the_list(tree, setup):
    output = setup("build_deps", "--only", "TH,THX", status=1)
    is_refused(tree, output, "no 'THX'", ", ".join(parts()))


def test_a_missing_compiler_is_said_before_anything_is_built(tree, setup):
    output = setup("build_deps", status=1, CXX="/nowhere/c++")
    is_refused(tree, output, "C++ compiler", "/nowhere/c++", "nixw develop")


def test_nothing_can_be_built_again_before_it_was_built(tree, setup):
    is_refused(tree, setup("rebuild", status=1), "nothing has been built here yet", "python setup.py build")


def test_the_version_file_alone(tree, setup):
    setup("create_version_file", TORCH_BUILD_VERSION="1.2.3+local", DEBUG="1")
    assert (tree / "torch/version.py").read_text().splitlines()[:3] == [
        '__version__ = "1.2.3+local"', "debug = True", "cuda = None"]  # fmt: skip
    assert not (tree / "build").exists()
    (tree / "torch/version.py").unlink()


def test_an_unbuilt_checkout_says_what_to_type(tree, python):
    assert "python setup.py develop" in run(python, "-c", "import torch", cwd=tree, status=1)


def last_lines(output, step, log, *error):
    """A failed step ends with what failed, the command, the log's path and the first error; returns the log."""
    lines = output.splitlines()
    number = next(n for n, line in enumerate(lines) if re.match(rf"setup\.py: {step}\b.* failed with status ", line))
    assert lines[number + 1].startswith("command: ") and lines[number + 2] == f"log: {log}", output
    assert len(lines) - number < 20, "the first error only"
    said = "\n".join(lines[number + 3 :])
    for word in error:
        assert word in said, output
    assert lines[-1].strip() in log.read_text()


def test_a_wrong_declaration_in_the_first_build(tree, setup, edit):
    path = "codegen/declarations/arithmetic.cwrap"
    edit(path, "  name: sub\n", "  name: sub\n  nmae: sub\n")
    output = setup("build_deps", "--only", "TH", status=1)
    edit.back()
    (log,) = (tree / "build/logs").glob("configure*.log")
    last_lines(output, "configure", log, "CMake Error", f"{path}:", "nmae")
    assert re.search(rf"{path}:\d+: .*nmae", output.splitlines()[-1]), output
    assert not (tree / "build/tmp_install/lib").exists()


# ---- one library, everything, and nothing


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
    assert {output.split("/")[0] for output in ran.objects} == {"THNN", "THPP", "torch_python", "modules"}
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


# ---- an edit of each kind


def test_python_is_live(tree, says):
    (tree / "torch/mine.py").write_text("value = 41\n")
    assert says("import torch.mine; print(torch.mine.value)") == "41"
    (tree / "torch/mine.py").write_text("value = 42  # edited\n")
    assert says("import torch.mine; print(torch.mine.value)") == "42"
    (tree / "torch/mine.py").unlink()


def test_a_source_compiles_that_object_alone(tree, setup, edit, says):
    assert says(SIGMOID) == "0.25"
    edit("lib/THNN/src/activation.cpp", "return g * (1 - y) * y;", "return g * (1 - y) * y * 3;")
    with watched(tree) as ran:
        setup("build_deps", "--only", "THNN")
    assert ran.objects == {ACTIVATION}
    assert says(SIGMOID) == "0.75"
    edit("lib/THNN/src/activation.cpp", "* y * 3;", "* y;")
    setup("rebuild")
    assert says(SIGMOID) == "0.25"


def test_a_new_source_is_found_and_a_removed_one_forgotten(tree, setup):
    source, library = tree / "lib/THNN/src/mine.cpp", tree / "torch/lib/libTHNN.so.1"
    source.write_text('extern "C" __attribute__((visibility("default"))) int mine() { return 7; }\n')
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == {"THNN/CMakeFiles/THNN.dir/src/mine.cpp.o"}
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
    assert {path.name for path in (tree / "torch/lib/include/THNN").iterdir()} == {"THNN.h"}


def test_a_header_compiles_who_includes_it(tree, setup, edit):
    """One at a time, as MAX_JOBS says, and with whole commands, as VERBOSE says."""
    header = "lib/THPP/src/create.h"
    listed = run("ninja", "-C", "build/cmake", "-t", "deps", cwd=tree)
    who = {block.split(":")[0] for block in listed.split("\n\n") if f"/{header}\n" in f"{block}\n"}
    assert who >= {f"THPP/CMakeFiles/THPP.dir/src/{name}.cpp.o" for name in ("create", "random", "structure")}
    with open(tree / header, "a") as file:
        file.write("// edited\n")
    with watched(tree) as ran:
        output = setup("develop", MAX_JOBS="1", VERBOSE="1")
    assert ran.objects == who
    assert all(end <= start for (_, end), (start, _) in zip(ran.times, ran.times[1:])), ran.times
    compiled = [line for line in output.splitlines() if re.search(r" -c .*lib/THPP/src/create\.cpp", line)]
    assert len(compiled) == 1 and " -O3 " in compiled[0], output


def test_a_declaration(tree, setup, edit, says):
    assert says(CLOSE) == "False"
    declaration = "  name: isclose\n  cname: thpp::isclose\n  return: THTensor*\n  arguments:\n    - THTensor* self\n" \
        "    - THTensor* other\n    - arg: double rtol\n      default: "  # fmt: skip
    edit("codegen/declarations/comparison.cwrap", declaration + "1e-05", declaration + "0.5")
    with watched(tree) as ran:
        setup("develop")
    assert says(CLOSE) == "True"
    assert "torch_python/CMakeFiles/torch_python.dir/__/generated/python/python_operators.cpp.o" in ran.objects
    assert not [output for output in ran.objects if output.startswith(("TH/", "THNN/", "modules/"))]


def test_a_new_generated_source_is_compiled_at_once(tree, setup, edit):
    source = 'extern "C" __attribute__((visibility("default"))) int mine() { return 7; }\n'
    line = f'    (arguments.out / "src/Mine.cpp").write_text({source!r})\n'
    edit("codegen/__main__.py", "    nn.emit_cpp(", f"{line}    nn.emit_cpp(")
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == {"THPP/CMakeFiles/THPP.dir/__/generated/thpp/src/Mine.cpp.o"}
    assert b"\0mine\0" in (tree / "torch/lib/libTHPP.so.1").read_bytes()
    edit.back()
    (tree / "build/cmake/generated/thpp/src/Mine.cpp").unlink(missing_ok=True)
    setup("develop")
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


# ---- mistakes


def test_a_syntax_error(tree, setup, edit, says):
    before = state(tree / "build/tmp_install")
    path = "csrc/python/layout.cpp"
    source = (tree / path).read_text()
    (tree / path).write_text(source + "int broken(\n")
    output = setup("develop", status=1)
    last_lines(output, "build_ext", tree / "build/logs/build_ext.log", "FAILED: ", f"{path}:", "error: ")
    assert "error: " in output.splitlines()[-1]
    assert state(tree / "build/tmp_install") == before and says(SIGMOID) == "0.25"
    (tree / path).write_text(source)
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == {"torch_python/CMakeFiles/torch_python.dir/layout.cpp.o"}
    assert says(SIGMOID) == "0.25"


def test_a_wrong_declaration(tree, setup, edit, says):
    path = "codegen/declarations/comparison.cwrap"
    edit(path, "  name: isclose\n", "  name: isclose\n  nmae: isclose\n")
    output = setup("develop", status=1)
    last_lines(output, "codegen", tree / "build/logs/codegen.log", "FAILED: ", f"{path}:", "nmae")
    assert re.search(rf"{path}:\d+: ", output.splitlines()[-1]), output
    assert says(CLOSE) == "True"
    edit.back()
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == set(), "it is as it was"


# ---- what is installed


@pytest.fixture(scope="module")
def elf():
    """The dynamic section of a file, as readelf shows it: {tag: values}"""

    def read(path):
        text = subprocess.run(["readelf", "-dW", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        found = {}
        for tag, value in re.findall(r"\((\w+)\).*\[(.*)\]", text):
            found.setdefault(tag, []).append(value)
        return found

    return read


def check_installed(site, tree, elf, name="torch", version=VERSION):
    """The layout of the seeds, nothing besides, and nothing that knows where it was built."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    assert {path.name for path in site.iterdir()} - {"packages.pth", "__pycache__"} == {"torch", info}
    package = site / "torch"
    assert {path.name for path in (package / "lib").iterdir()} == {
        *(f"lib{name}.so.1" for name in LIBRARIES), "include", "THNN.h"}  # fmt: skip
    assert {"TH", "THNN", "THPP", "torch_python"} <= {path.name for path in (package / "lib/include").iterdir()}
    for path in ("lib/include/TH/TH.h", "lib/include/THPP/Functions.h", "lib/include/THNN/THNN.h", "version.py",
                 "_torch_docs.py", "share/cmake/Torch/TorchConfig.cmake", "utils/collect_env.py", *MODULES):  # fmt: skip
        assert (package / path).is_file(), path
    assert not [path for path in package.rglob("*") if path.is_symlink()]
    assert len([*package.rglob("*.so*")]) == len(LIBRARIES) + len(MODULES)
    assert f'__version__ = "{version}"' in (package / "version.py").read_text()
    assert "torch-collect-env = torch.utils.collect_env:main" in (site / info / "entry_points.txt").read_text()

    rpaths = {**MODULES, **{f"lib/lib{name}.so.1": "$ORIGIN" for name in LIBRARIES}}
    for path, rpath in rpaths.items():
        section = elf(package / path)
        assert "RUNPATH" not in section, path
        folders = [folder for entry in section.get("RPATH", []) for folder in entry.split(":")]
        assert folders[: 1 if rpath else 0] == ([rpath] if rpath else []), path
        # Only a Nix compiler adds folders: those where its own libraries are.
        assert all(folder.startswith("/nix/store/") for folder in folders[1 if rpath else 0 :]), path
    assert {"libTH.so.1", "libTHNN.so.1"} <= set(elf(package / "lib/libTHPP.so.1")["NEEDED"])
    for path in package.rglob("*"):
        assert path.is_dir() or os.fsencode(tree) not in path.read_bytes(), f"{path} knows where it was built"


def imported_from(python, site, **variables):
    code = f"import torch; from torch._thnn import _THNN; print(torch.__file__); assert torch.ones(2).sum() == 2; {SIGMOID}"
    *_, file, value = run(python, "-c", code, cwd="/", **variables).splitlines()
    assert (file, value) == (f"{site}/torch/__init__.py", "0.25")


def test_the_package_without_the_libraries(tree, setup):
    with watched(tree) as ran:
        (tree / "torch/mine.py").touch()
        setup("build_py")
        (tree / "torch/mine.py").unlink()
        setup("build_py")
        (folder,) = (tree / "build").glob("lib*")
        built = paths(folder / "torch")
        assert {"__init__.py", "version.py", "utils/collect_env.py"} <= built
        assert "mine.py" not in built and not [path for path in built if ".so" in path]
        setup("build_ext")
        assert {*MODULES, "lib/libTHPP.so.1", "lib/include/TH/TH.h", "_torch_docs.py"} <= paths(folder / "torch")
        shutil.rmtree(folder)
        setup("build_module")
        assert {"__init__.py", "version.py", *MODULES} <= paths(folder / "torch")
    assert ran.outputs == set()


def test_install_in_a_prefix(tree, setup, python, elf, tmp_path):
    prefix = pathlib.Path(os.path.relpath(tmp_path / "relative", tree))
    with watched(tree) as ran:
        setup("install", f"--prefix={prefix}")
    assert ran.objects == set()
    site = site_packages(tmp_path / "relative")
    check_installed(site, tree, elf)
    assert (tmp_path / "relative/bin/torch-collect-env").exists()
    imported_from(python, site, PYTHONPATH=str(site))


def test_install_below_a_root(tree, setup, tmp_path):
    setup("build", "install", "--root", tmp_path / "image", "--prefix", "/opt/torch")
    (package,) = (tmp_path / "image").rglob("site-packages/torch")
    assert package.is_relative_to(tmp_path / "image/opt/torch") and (package / "lib/libTH.so.1").is_file()
    assert "not known here" in setup("install", "--home", tmp_path / "home", status=1)
    assert not (tmp_path / "home").exists()


def test_pip_install_into_a_new_environment(tree, elf, tmp_path):
    python = make_venv(tmp_path / "venv")
    site = site_packages(tmp_path / "venv")
    before = paths(tmp_path / "venv")
    with watched(tree) as ran:
        run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", ".", cwd=tree)
    assert ran.objects == set()
    check_installed(site, tree, elf)
    imported_from(python, site)
    assert str(site) in run(tmp_path / "venv/bin/torch-collect-env", cwd="/")
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tree / "tests/test_tiny.py", cwd="/")
    run(python, "-m", "pip", "uninstall", "-y", "torch", cwd="/")
    assert paths(tmp_path / "venv") == before
    with watched(tree) as ran:
        run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "-e", ".", cwd=tree)
    assert ran.objects == set()
    imported_from(python, tree)


def test_another_name_and_version(tree, python, tmp_path):
    variables = {"TORCH_PACKAGE_NAME": "torch-nightly", "TORCH_BUILD_VERSION": "1.2.3.dev4+local"}
    with watched(tree) as ran:
        run(python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", tmp_path, ".",
            cwd=tree, **variables)  # fmt: skip
    assert ran.objects == set()
    (wheel,) = tmp_path.iterdir()
    assert re.fullmatch(r"torch_nightly-1\.2\.3\.dev4\+local-cp3\d+-cp3\d+-linux_x86_64\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        assert b'__version__ = "1.2.3.dev4+local"' in archive.read("torch/version.py")
        assert "torch_nightly-1.2.3.dev4+local.dist-info/METADATA" in archive.namelist()


def test_the_checkout_is_still_what_is_imported(tree, setup, says):
    setup("develop")
    assert says("import torch; print(torch.__file__, torch.__version__)") == f"{tree}/torch/__init__.py {VERSION}"


# ---- a source distribution, and parts that were built elsewhere


@pytest.fixture(scope="module")
def archive(tree, python, tmp_path_factory):
    """The source distribution, unpacked where nothing has been built."""
    folder = tmp_path_factory.mktemp("sdist")
    run(python, "-m", "build", "--no-isolation", "--sdist", "--outdir", folder, cwd=tree)
    (file,) = folder.iterdir()
    with tarfile.open(file) as unpacked:
        unpacked.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    assert file.name == f"torch-{VERSION}.tar.gz"
    return folder / f"torch-{VERSION}"


def test_a_source_distribution_has_the_sources_and_nothing_that_is_built(tree, untouched, archive, python):
    names = paths(archive)
    for path in untouched:
        if path.startswith(("tests", "codegen/tests")) or (tree / path).is_dir():
            continue
        assert path in names, f"{path} is missing"
    built = {"torch.egg-info", "PKG-INFO", "setup.cfg"}
    assert {name for name in names if name.split("/")[0] not in built} <= untouched
    assert run(python, "setup.py", "--version", cwd=archive).split() == [VERSION]


@pytest.fixture(scope="module")
def prebuilt(tree, archive, tmp_path_factory):
    """What was built in the tree, as a prefix that says what it was made from."""
    prefix = tmp_path_factory.mktemp("prebuilt") / "prefix"
    shutil.copytree(tree / "build/tmp_install", prefix, symlinks=True)
    (prefix / "environment.txt").unlink()
    cmake = ["lib/cmake/TorchLibrary.cmake"]
    made_from = {name: [f"lib/{name}", *cmake] for name in ("TH", "THNN", "THPP")}
    made_from |= {"torch_python": ["csrc/python"], "modules": ["csrc/modules"], "codegen": ["codegen"]}
    (prefix / "top").mkdir()
    for name, sources in made_from.items():
        script = 'source "$0"; writeManifest "$@"; installManifest'
        command = ["bash", "-euc", script, ROOT / "nix/manifest.sh", name, *sources]
        run(*command, cwd=archive, NIX_BUILD_TOP=str(prefix / "top"), out=str(prefix))
    return prefix


def test_a_wheel_from_the_source_distribution(archive, prebuilt, python, tmp_path):
    run(python, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, cwd=archive,
        TORCH_PREBUILT=str(prebuilt))  # fmt: skip
    assert not (archive / "build/cmake").exists(), "everything was there"
    (wheel,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(tmp_path / "site")
    imported_from(python, tmp_path / "site", PYTHONPATH=str(tmp_path / "site"))


def test_only_what_was_edited_is_built_where_the_rest_is_prebuilt(archive, prebuilt, python):
    path = archive / "lib/THNN/src/activation.cpp"
    path.write_text(path.read_text().replace("return g * (1 - y) * y;", "return g * (1 - y) * y * 5;"))
    with watched(archive) as ran:
        run(python, "setup.py", "build_deps", cwd=archive, TORCH_PREBUILT=str(prebuilt))
        run(python, "setup.py", "build_ext", "--inplace", cwd=archive, TORCH_PREBUILT=str(prebuilt))
    assert ACTIVATION in ran.objects and all(output.startswith("THNN/") for output in ran.objects)
    assert os.readlink(archive / "torch/lib/libTH.so.1") == str(prebuilt / "lib/libTH.so.1")
    assert (archive / "torch/lib/libTHNN.so.1").resolve() == (archive / "build/tmp_install/lib/libTHNN.so.1").resolve()
    assert run(python, "-c", SIGMOID, cwd=archive) == "1.25\n"


def test_another_compiler_and_build_type_build_anew(archive, prebuilt, python, tmp_path):
    """Objects of two compilers never come together; what is prebuilt stays."""
    compiler, calls = tmp_path / "c++", tmp_path / "calls"
    real = shutil.which(os.environ.get("CXX", "c++"))
    compiler.write_text(f'#!{shutil.which("bash")}\necho "$@" >> {calls}\nexec {real} "$@"\n')
    compiler.chmod(0o755)
    with watched(archive) as ran:
        run(python, "setup.py", "build_deps", "--only", "THNN", cwd=archive, TORCH_PREBUILT=str(prebuilt),
            CXX=str(compiler), DEBUG="1", CCACHE_DISABLE="1")  # fmt: skip
    compiled = [line for line in calls.read_text().splitlines() if re.search(r" -c .*activation\.cpp", line)]
    assert ran.objects >= {ACTIVATION} and len(compiled) == 1
    assert "-g" in compiled[0].split() and "-DNDEBUG" not in compiled[0].split()
    assert "debug = True" in (archive / "torch/version.py").read_text()
    assert run(python, "-c", SIGMOID, cwd=archive) == "1.25\n"


def test_cmake_by_hand(archive, prebuilt, elf, tmp_path):
    configure = ["cmake", "-G", "Ninja", "-B", tmp_path / "b", "-S", ".", f"-DPython3_EXECUTABLE={sys.executable}"]
    output = run(*configure, "-DTORCH_PARTS=THX", cwd=archive, status=1)
    assert "there is no part 'THX'" in output
    run(*configure, "-DTORCH_PARTS=THNN", f"-DTORCH_PREBUILT={prebuilt}", cwd=archive)
    run("cmake", "--build", tmp_path / "b", cwd=archive)
    run("cmake", "--install", tmp_path / "b", "--prefix", tmp_path / "p", cwd=archive)
    assert {"lib/libTHNN.so.1", "lib/cmake/THNN/THNNConfig.cmake", "include/THNN/THNN.h"} <= paths(tmp_path / "p")
    assert not (tmp_path / "p/lib/libTH.so.1").exists()
    assert "libTH.so.1" in elf(tmp_path / "p/lib/libTHNN.so.1")["NEEDED"]


# ---- and away with it


def test_clean_removes_what_was_built_and_nothing_else(tree, untouched, setup, python):
    mine = ["torch/mine.py", "lib/TH/build.txt", "notes/build/plan.txt"]
    for path in mine:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("mine")
    assert paths(tree) - untouched - {*mine, "notes", "notes/build"}
    before = {path: (tree / path).read_bytes() for path in untouched if (tree / path).is_file()}
    setup("clean")
    assert paths(tree) - {*mine, "notes", "notes/build"} == untouched
    assert {path: (tree / path).read_bytes() for path in before} == before
    assert "python setup.py develop" in run(python, "-c", "import torch", cwd=tree, status=1)
    setup("clean")
