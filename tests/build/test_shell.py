"""Entering the development shell: the virtual environment, the links, the message. In a copied tree, as a program."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import venv

import pytest

from tools.parts import ROOT, parts

# The Python whose packages these tests run with; in a development shell it is not the one that runs them.
PYTHON = pathlib.Path(pytest.__file__).parents[4] / "bin" / f"python{sysconfig.get_python_version()}"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
SOURCES = {"torch/__init__.py": "here = __file__\n", "lib/TH/src/general.cpp": "// as it was\n"}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def prefix(folder, *names):
    """A prefix with these parts, made from the tree's files as SOURCES has them."""
    for name in names:
        if name == "modules":
            write(folder / f"python/torch/_C{SUFFIX}", name)
        else:
            write(folder / f"lib/lib{name}.so.1", name)
            write(folder / f"include/{name}/{name}.h", name)
    for name in ("codegen", *names):
        write(folder / "share/torch/sources" / name, "")
    if "TH" in names:
        script = 'source "$0"; writeManifest TH lib/TH/src; installManifest'
        (folder.parent / "top").mkdir()
        place = {"NIX_BUILD_TOP": str(folder.parent / "top"), "out": str(folder)}
        command = ["bash", "-euc", script, str(ROOT / "nix/manifest.sh")]
        subprocess.run(command, cwd=folder.parent / "checkout", env={**os.environ, **place}, check=True)
    return folder


@pytest.fixture
def root(tmp_path):
    """A checkout: the tools, and what they read."""
    root = tmp_path / "checkout"
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("lib/libraries.toml", "version.txt"):
        write(root / file, (ROOT / file).read_text())
    for file, text in SOURCES.items():
        write(root / file, text)
    return root


@pytest.fixture
def store(root, tmp_path):
    return prefix(tmp_path / "store", *parts())


def enter(root, store="", python=PYTHON, **variables):
    """What entering prints, as lines. It always lets you in."""
    own = ("TORCH_PREBUILT", "PYTHONPATH", "VIRTUAL_ENV", "DEBUG", "REL_WITH_DEB_INFO")
    environment = {name: value for name, value in os.environ.items() if name not in own}
    environment |= {"TORCH_PREBUILT": str(store), "PYTHONPATH": str(root)} | variables
    command = [str(python), "-B", "-m", "tools.shell"]
    done = subprocess.run(command, cwd=root.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stdout and "Traceback" not in done.stderr, done.stderr
    return done.stderr.splitlines()


def run(*command, cwd, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=cwd, env=environment | variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def listing(folder):
    return {str(path): (path.lstat().st_ino, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


def another_python(folder):
    """A Python with another path and other packages, as another shell would have."""
    venv.EnvBuilder(symlinks=True).create(folder)
    return folder / "bin/python"


# ---- git's hook


def test_the_hook_is_installed_and_never_replaces_another(root, store):
    hook = root / ".git/hooks/commit-msg"
    (root / ".git").mkdir()
    enter(root, store)
    assert hook.resolve() == (root / "tools/commit-msg").resolve()
    hook.unlink()
    hook.write_text("mine")
    enter(root, store)
    assert hook.read_text() == "mine" and not hook.is_symlink()


# ---- the environment


def test_it_is_made_once(root, store):
    enter(root, store)
    before = listing(root)
    assert str(root / ".venv/pyvenv.cfg") in before
    enter(root, store)
    assert listing(root) == before


def test_it_sees_the_checkout_and_the_packages_of_the_shell(root, store, tmp_path):
    enter(root, store)
    python = str(root / ".venv/bin/python")
    assert run(python, "-c", "import torch; print(torch.here)", cwd=tmp_path) == str(root / "torch/__init__.py")
    seen = run(python, "-c", "import sys, pytest; print(sys.prefix, pytest.__file__)", cwd=tmp_path).split()
    assert seen == [str(root / ".venv"), pytest.__file__]


def test_python_files_are_live(root, store, tmp_path):
    enter(root, store)
    write(root / "torch/__init__.py", "here = 'edited'\n")
    command = [str(root / ".venv/bin/python"), "-Bc", "import torch; print(torch.here)"]
    assert run(*command, cwd=tmp_path) == "edited"


def test_scripts_run_with_its_python(root, store, tmp_path):
    """The shell's own pytest would start the shell's own Python, for which there is no torch."""
    enter(root, store)
    write(tmp_path / "tests/test_it.py", "import sys, torch\ndef test():\n    print('of', sys.prefix, torch.here)\n")
    said = run(str(root / ".venv/bin/pytest"), "-q", "-s", "-p", "no:cacheprovider", "tests", cwd=tmp_path)
    assert f"of {root / '.venv'} {root / 'torch/__init__.py'}" in said and "1 passed" in said


def test_what_is_installed_into_it_is_found_before_the_packages_of_the_shell(root, store, tmp_path):
    enter(root, store)
    site = next((root / ".venv/lib").glob("python*/site-packages"))
    write(site / "pytest.py", "mine = 'mine'\n")
    command = [str(root / ".venv/bin/python"), "-Bc", "import pytest; print(pytest.mine)"]
    assert run(*command, cwd=tmp_path) == "mine"


def test_another_python_gets_a_new_one(root, store, tmp_path):
    enter(root, store)
    (root / ".venv/of-the-first").touch()
    other = another_python(tmp_path / "other")
    enter(root, store, other)
    assert not (root / ".venv/of-the-first").exists()
    packages = run(str(root / ".venv/bin/python"), "-c", "import sys; print(*sys.path)", cwd=tmp_path)
    assert str(tmp_path / "other/lib") in packages
    before = listing(root / ".venv")
    enter(root, store, other)
    assert listing(root / ".venv") == before


def test_one_that_somebody_else_made_is_left_alone(root, store):
    write(root / ".venv/pyvenv.cfg", "home = /usr/bin\n")
    write(root / ".venv/lib/mine.txt", "mine")
    before = listing(root / ".venv")
    lines = enter(root, store)
    assert listing(root / ".venv") == before
    assert str(root / ".venv") in lines[0] and "move it away" in lines[0]
    assert (root / "torch/lib/libTH.so.1").is_symlink(), "the checkout can be imported all the same"


def test_one_that_was_interrupted_is_made_again(root, store, tmp_path):
    """Ctrl-C while it is made must not leave what looks like somebody else's."""
    interrupted = """if True:
        import runpy, venv
        def interrupt(*arguments):
            raise KeyboardInterrupt
        venv.EnvBuilder.setup_scripts = interrupt
        runpy.run_module("tools.shell", run_name="__main__")"""
    done = subprocess.run(
        [sys.executable, "-Bc", interrupted],
        cwd=root,
        env={**os.environ, "TORCH_PREBUILT": str(store)},
        capture_output=True,
        text=True,
    )
    assert done.returncode and "KeyboardInterrupt" in done.stderr
    assert (root / ".venv/pyvenv.cfg").exists()
    assert len(enter(root, store)) == 4
    assert run(str(root / ".venv/bin/python"), "-c", "import torch; print(1)", cwd=tmp_path) == "1"


# ---- the message


def said(lines):
    """The first of four lines; the others say what to type, whatever the state is."""
    assert len(lines) == 4 and all(len(line) < 160 for line in lines), lines
    for command in ("pytest tests/test_tiny.py", "python setup.py build_deps --only", "./nixw flake check"):
        assert any(command in line for line in lines[1:]), command
    return lines[0]


def test_from_the_store(root, store):
    version = (root / "version.txt").read_text().strip()
    first = f"torch {version}: import torch is this checkout, its compiled parts from the store"
    assert said(enter(root, store)) == first
    assert os.readlink(root / "torch/lib/libTH.so.1") == str(store / "lib/libTH.so.1")
    assert f'__version__ = "{version}"' in (root / "torch/version.py").read_text()


def test_edited_and_not_built(root, store):
    write(root / "lib/TH/src/general.cpp", "// edited\n")
    line = said(enter(root, store))
    assert "edited and not built yet: TH (python setup.py develop)" in line


def test_built_in_the_tree(root, store):
    write(root / "lib/TH/src/general.cpp", "// edited\n")
    prefix(root / "build/tmp_install", "THNN")
    # What the tree's prefix was made with, as a build would write it.
    code = "from tools import cmake; cmake._ENVIRONMENT_FILE.write_text(cmake.environment())"
    run(sys.executable, "-Bc", code, cwd=root)
    assert "edited and not built yet: TH (" in said(enter(root, store))
    write(root / "lib/TH/src/general.cpp", SOURCES["lib/TH/src/general.cpp"])
    assert said(enter(root, store)).endswith("built in the tree: THNN; the rest from the store")
    assert os.readlink(root / "torch/lib/libTHNN.so.1") == "../../build/tmp_install/lib/libTHNN.so.1"


def test_nothing_is_prebuilt(root):
    assert enter(root) == ["torch: nothing is built yet: python setup.py develop"]
    assert not (root / "torch/lib").exists() and (root / ".venv/bin/pytest").exists()


def test_without_the_store_everything_must_be_built_here(root, tmp_path):
    prefix(root / "build/tmp_install", *(name for name in parts() if name != "TH"))
    prefix_th = root / "build/tmp_install/lib/libTH.so.1"
    write(prefix_th, "TH")
    write(root / "build/tmp_install/include/TH/TH.h", "TH")
    code = "from tools import cmake; cmake._ENVIRONMENT_FILE.write_text(cmake.environment())"
    run(sys.executable, "-Bc", code, cwd=root)
    assert said(enter(root)).endswith("import torch is this checkout, built in the tree")
    prefix_th.unlink()
    assert enter(root) == ["torch: nothing is built yet: python setup.py develop"]


def test_a_wrong_option_is_said_in_a_line(root, store):
    lines = enter(root, store, DEBUG="maybe")
    assert len(lines) == 1 and "DEBUG=maybe" in lines[0]


def test_a_prefix_without_a_part_is_said_in_a_line(root, tmp_path):
    lines = enter(root, prefix(tmp_path / "store", "TH", "THNN"))
    assert len(lines) == 1 and "THPP, torch, torch_python, modules" in lines[0]


def test_another_shell_hooks_only_its_own_environment():
    """nix/shell.nix puts .venv on PATH if this module made it: the file that it looks for is the one written here."""
    from tools import shell

    name = str(shell._ORIGIN.relative_to(ROOT))
    assert name in (pathlib.Path(ROOT) / "nix/shell.nix").read_text()
