"""A checkout, and how it is worked with: programs that are run in it, and what they did."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import types
import venv

import pytest

from tools import option_table
from tools.parts import ROOT, parts

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
VERSION = (ROOT / "version.txt").read_text().strip()
LIBRARIES = [name for name in parts() if name != "modules"]
MODULES = {f"_C{SUFFIX}": "$ORIGIN/lib", f"_dl{SUFFIX}": None, f"_thnn/_THNN{SUFFIX}": "$ORIGIN/../lib"}
SOURCE = ["CMakeLists.txt", "LICENSE", "MANIFEST.in", "README.md", "codegen", "csrc", "lib", "pyproject.toml",
          "setup.py", "tools", "torch", "version.txt"]  # fmt: skip
PACKAGES = pathlib.Path(pytest.__file__).parent.parent  # in the development shell another folder than purelib
SOURCE_OF_SIGMOID = ("lib/THNN/src/activation/rectifiers.cpp", "return g * (1 - y) * y;")
ACTIVATION = "THNN/CMakeFiles/THNN.dir/src/activation/rectifiers.cpp.o"
SIGMOID = (
    "import torch; from torch._thnn import _THNN as nn; r = torch.empty(0); "
    "nn.FloatSigmoid_updateGradInput(None, torch.ones(1), r, torch.zeros(1) + 0.5); print(r.item())"
)
CLOSE = "import torch; print(torch.isclose(torch.ones(1), torch.ones(1) * 1.25, 0.5).item())"


class Edits:
    """edit(path, old, new) changes a file of a tree, edit.append(path, text) another; .back() puts all of them back."""

    def __init__(self, tree):
        self.tree = tree
        self.before = {}
        self.made = False

    def __call__(self, path, old, new):
        text = (self.tree / path).read_text()
        assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}: write this test anew"
        self._write(path, text, text.replace(old, new))

    def append(self, path, text):
        before = (self.tree / path).read_text()
        self._write(path, before, before + text)

    def _write(self, path, before, text):
        self.made = True
        self.before.setdefault(path, before)
        (self.tree / path).write_text(text)

    def back(self):
        while self.before:
            path, text = self.before.popitem()
            (self.tree / path).write_text(text)


def compiler_of(path, arguments, *before):
    """Makes `path` a C++ compiler: the one that CXX names, with arguments for bash, after other commands of its."""
    real = shutil.which(os.environ.get("CXX", "c++"))
    path.write_text("\n".join([f"#!{shutil.which('bash')}", *before, f"exec {real} {arguments}\n"]))
    path.chmod(0o755)
    return path


def make_venv(folder):
    """A virtual environment that sees the packages of this Python."""
    venv.EnvBuilder(symlinks=True).create(folder)
    (site_packages(folder) / "packages.pth").write_text(f"{PACKAGES}\n")
    return folder / "bin/python"


def site_packages(prefix):
    return prefix / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"


def generated(folder, names):
    """What the checkout that is copied may have besides its sources."""
    linked = (
        {
            "lib",
            "share",
            "version.py",
            "_torch_docs.py",
            "_python_bodies.py",
            "_operators.py",
            "_sharding.py",
            "_methods.pyi",
            "return_types.pyi",
        }
        if folder == str(ROOT / "torch")
        else set()
    )
    return {
        name for name in names if name in linked or name == "__pycache__" or name.endswith((".so", "functions.pyi"))
    }


def paths(folder):
    """Every file, link and folder; caches of Python do not count."""
    found = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    return {path for path in found if "__pycache__" not in path and ".pytest_cache" not in path}


def environment(**variables):
    ours = {*option_table.spellings()} - {"CMAKE_PREFIX_PATH", "MAX_JOBS"}
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


def commands(folder):
    """Ninja's log: {output, in the folder: (start, end, …) of the last command that made it}"""
    log = folder / ".ninja_log"
    lines = log.read_text().splitlines()[1:] if log.exists() else []
    # CMake names what a custom command makes by its whole path.
    return {line.split("\t")[3].removeprefix(f"{folder}/"): tuple(line.split("\t")) for line in lines}


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


def contents(folder):
    """What is in the files; when they were written does not count."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def is_refused(tree, output, *words):
    """A mistake was answered in its own words, without a traceback, and nothing was built for it."""
    assert "Traceback" not in output
    for word in words:
        assert word in output, output
    assert not (tree / "build/cmake").exists() and not (tree / "build/tmp_install").exists()


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


def check_installed(site, tree, elf, name="torch", version=VERSION):
    """The layout of the seeds, nothing besides, and nothing that knows where it was built."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    assert {path.name for path in site.iterdir()} - {"packages.pth", "__pycache__"} == {"torch", info}
    package = site / "torch"
    # What is prebuilt comes with torch.distributed, whole.
    distributed = (package / "lib/libTHD.so.1").exists()
    libraries = [*LIBRARIES, *(["THD"] if distributed else [])]
    modules = {**MODULES, **({f"_distributed{SUFFIX}": "$ORIGIN/lib"} if distributed else {})}
    assert {path.name for path in (package / "lib").iterdir()} == {
        *(f"lib{name}.so.1" for name in libraries), "include", "THNN.h"}  # fmt: skip
    assert {"TH", "THNN", "THPP", "torch_python"} <= {path.name for path in (package / "lib/include").iterdir()}
    for path in ("lib/include/TH/TH.h", "lib/include/THPP/Functions.h", "lib/include/THNN/THNN.h", "version.py",
                 "_torch_docs.py", "_python_bodies.py", "_operators.py", "_sharding.py", "share/cmake/Torch/TorchConfig.cmake", "utils/collect_env.py", *modules):  # fmt: skip
        assert (package / path).is_file(), path
    assert not [path for path in package.rglob("*") if path.is_symlink()]
    assert len([*package.rglob("*.so*")]) == len(libraries) + len(modules)
    assert f'__version__ = "{version}"' in (package / "version.py").read_text()
    assert "torch-collect-env = torch.utils.collect_env:main" in (site / info / "entry_points.txt").read_text()

    rpaths = {**modules, **{f"lib/lib{name}.so.1": "$ORIGIN" for name in libraries}}
    for path, rpath in rpaths.items():
        section = elf(package / path)
        assert "RUNPATH" not in section, path
        folders = [folder for entry in section.get("RPATH", []) for folder in entry.split(":")]
        # Nix gives torch._dl, which needs none of ours, what it gives torch._C.
        own = rpath or "$ORIGIN/lib"
        assert folders[:1] == [own] or not rpath, path
        # Only a Nix compiler adds folders: those where its own libraries are.
        others = folders[1:] if folders[:1] == [own] else folders
        assert all(folder.startswith("/nix/store/") for folder in others), path
    assert {"libTH.so.1", "libTHNN.so.1"} <= set(elf(package / "lib/libTHPP.so.1")["NEEDED"])
    for path in package.rglob("*"):
        assert path.is_dir() or os.fsencode(tree) not in path.read_bytes(), f"{path} knows where it was built"


def imported_from(python, site, **variables):
    code = f"import torch; from torch._thnn import _THNN; print(torch.__file__); assert torch.ones(2).sum() == 2; {SIGMOID}"
    *_, file, value = run(python, "-c", code, cwd="/", **variables).splitlines()
    assert (file, value) == (f"{site}/torch/__init__.py", "0.25")
