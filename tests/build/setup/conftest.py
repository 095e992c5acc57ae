"""setup.py for real: every command, in a copy of the tree, from a mistake in the first minute to `clean`.

One tree is built once and worked with by all the files here, in the order of their names, and of the tests in each;
every test leaves it as it found it: whatever was edited is put back, and built as it was. What a command has compiled
is read from Ninja's log. No network; prebuilt parts for test_4, test_5 and test_7 alone, which need no built tree where
they are given the store's (the fixture `prebuilt`). test_7 is of CUDA, and skipped where CUDA_HOME names no toolkit.

All else is compiled here from nothing, by the commands that a developer's compiler gets; only, this compiler does not
optimise, and compiles loops for one set of instructions, which saves three quarters of the time. So edits are of what
compiles in a second or two.
"""

import os
import re
import shutil
import subprocess
import tarfile

import pytest
from checkout import SOURCE, SOURCE_OF_SIGMOID, VERSION, Edits, compiler_of, generated, make_venv, paths, run

from tools.parts import ROOT


@pytest.fixture(scope="session", autouse=True)
def unoptimised(tmp_path_factory):
    """CXX, for all that is run here: the compiler, with -O0 as the last word, and Highway's baseline alone."""
    compiler = compiler_of(tmp_path_factory.mktemp("compiler") / "c++", '"$@" -O0 -DHWY_COMPILE_ONLY_STATIC')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CXX", str(compiler))
        patch.setenv("CCACHE_COMPILERCHECK", "content")  # the shell's tells compilers apart by their store path
        yield


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def untouched(tree):
    """All paths of the tree before anything was built."""
    return paths(tree)


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """The Python of the developer's environment."""
    return make_venv(tmp_path_factory.mktemp("environment") / "venv")


@pytest.fixture
def setup(tree, python):
    """setup("build_deps", "--only", "TH", MAX_JOBS="1") runs setup.py in the tree."""
    return lambda *arguments, **variables: run(python, "setup.py", *arguments, cwd=tree, **variables)


@pytest.fixture
def says(python):
    """What a program prints, run where no torch/ is; it ends with its last line."""
    return lambda code, **variables: run(python, "-c", code, cwd="/", **variables).splitlines()[-1]


@pytest.fixture
def edit(tree, setup):
    """Changes files of the tree, see Edits. However the test ends, they are put back and what they changed is built."""
    edits = Edits(tree)
    yield edits
    edits.back()
    if edits.made and (tree / "build/tmp_install/lib").exists():
        setup("develop")


@pytest.fixture(scope="session")
def elf():
    """The dynamic section of a file, as readelf shows it: {tag: values}"""

    def read(path):
        text = subprocess.run(["readelf", "-dW", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        found = {}
        for tag, value in re.findall(r"\((\w+)\).*\[(.*)\]", text):
            found.setdefault(tag, []).append(value)
        return found

    return read


@pytest.fixture(scope="session")
def archive(tree, python, tmp_path_factory):
    """The source distribution, unpacked where nothing has been built."""
    folder = tmp_path_factory.mktemp("sdist")
    run(python, "-m", "build", "--no-isolation", "--sdist", "--outdir", folder, cwd=tree)
    (file,) = folder.iterdir()
    with tarfile.open(file) as unpacked:
        unpacked.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    assert file.name == f"torch-{VERSION}.tar.gz"
    return folder / f"torch-{VERSION}"


@pytest.fixture(scope="module")
def edited(archive):
    """The unpacked sources, with a derivative five times too large."""
    edits = Edits(archive)
    edits(*SOURCE_OF_SIGMOID, "return g * (1 - y) * y * 5;")
    yield archive
    edits.back()


@pytest.fixture(scope="session")
def prebuilt(request, archive, tmp_path_factory):
    """Prefixes, with colons between them, that have all parts and say that they were made from these sources.

    Those that PARTS names, as nix/checks/setup-py.nix does; else what is built in the tree.
    """
    if given := os.environ.get("PARTS"):
        return given
    tree = request.getfixturevalue("tree")
    run(request.getfixturevalue("python"), "setup.py", "develop", cwd=tree)
    prefix = tmp_path_factory.mktemp("prebuilt") / "prefix"
    shutil.copytree(tree / "build/tmp_install", prefix, symlinks=True)
    (prefix / "environment.txt").unlink()
    cmake = ["lib/cmake/TorchLibrary.cmake"]
    made_from = {name: [f"lib/{name}", *cmake] for name in ("TH", "THNN", "THS", "THPP", "shm")}
    made_from |= {"torch": ["csrc/autograd"], "torch_python": ["csrc/python"], "modules": ["csrc/modules"]}
    # An archive has no tests of it, which the generator is not made of.
    generator = [path.name for path in (archive / "codegen").iterdir() if path.name not in ("tests", "__pycache__")]
    made_from["codegen"] = sorted(f"codegen/{name}" for name in generator)
    (prefix / "top").mkdir()
    for name, sources in made_from.items():
        script = 'source "$0"; writeManifest "$@"; installManifest'
        command = ["bash", "-euc", script, ROOT / "nix/manifest.sh", name, *sources]
        run(*command, cwd=archive, NIX_BUILD_TOP=str(prefix / "top"), out=str(prefix))
    return str(prefix)
