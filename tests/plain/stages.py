"""What is tried on a clean machine, step by step, and the account of it."""

import contextlib
import pathlib
import re
import time
import tomllib
import traceback

from machine import HOME, CommandFailed, Machine

SOURCE, ELSEWHERE = f"{HOME}/source", f"{HOME}/away"
PYTHON = f"{HOME}/venv/bin/python"
TESTS = "/tmp/tests"  # a copy, so that the checkout can be moved away
# The text of MissingDependencies must name these on a machine that has Python and nothing else.
NAMED = ("C++ compiler", "C compiler", "cmake", "ninja", "Python's headers", "OpenBLAS", "Highway", "pocketfft")
NO_OP_SECONDS = 5  # for `develop` where nothing has changed; it takes about one


class Failed(Exception):
    """A step's expectation does not hold; the text says what was expected and what was there."""


class Stopped(Exception):
    """A step failed, so those after it make no sense."""


class Report:
    """Prints each step of a machine with its time, a line when it has ended, and counts.

    A failed step ends the machine's part of the test, unless what follows does not depend on it (`goes_on`).
    """

    def __init__(self, suite: str):
        self.passed = self.failed = 0
        self.has_wheel = False  # has a wheel been tried there?
        self.suite = suite

    def line(self, text: str) -> None:
        print(f"{self.suite}: {text}\n", end="", flush=True)  # in one piece: other machines print, too

    @contextlib.contextmanager
    def machine(self):
        start = time.monotonic()
        with contextlib.suppress(Stopped):
            yield
        self.line(f"{time.monotonic() - start:.0f} s in all")

    @contextlib.contextmanager
    def step(self, name: str, goes_on: bool = False):
        start = time.monotonic()

        def ended(text: str) -> None:
            self.line(f"{name:<58}{time.monotonic() - start:6.1f} s  {text}")

        try:
            yield
        except (CommandFailed, Failed, OSError) as error:
            self.failed += 1
            trace = traceback.format_exc() if isinstance(error, OSError) else ""
            ended(f"FAILED\n{error}\n{trace}".rstrip())
            if not goes_on:
                raise Stopped from None
            return
        self.passed += 1
        ended("ok")


def expect(condition, text: str) -> None:
    if not condition:
        raise Failed(text)


# ---------------------------------------------------------------------- the two ways


def build_and_use(machine: Machine, report: Report, checkout: pathlib.Path, optimised: bool) -> None:
    """From the sources, with Debian's own compiler and libraries."""
    step = report.step
    with step("copy the checkout"):
        machine.copy_checkout(checkout, SOURCE)
    with step("pip install . names what is missing and the command"):
        command = missing(machine)
    with step(f"{command.partition(' && ')[0][:56]}"):
        machine.as_root("sh", "-c", command)
    before = files(machine)
    if not optimised:
        machine.environment["CXX"] = unoptimised(machine)
    with step("pip install . builds" + ("" if optimised else ", without optimising")):
        machine.as_user(PYTHON, "-m", "pip", "install", ".", cwd=SOURCE)
    with step("the layout of what is installed", goes_on=True):
        layout(machine, before)
    with step("RPATHs", goes_on=True):
        elf(machine)
    with step("works with the checkout moved away"):
        machine.as_root("mv", SOURCE, ELSEWHERE)
        use(machine)
        machine.as_root("mv", ELSEWHERE, SOURCE)
    with step("pip uninstall leaves nothing", goes_on=True):
        uninstall(machine, before)
    with step("pip install -e ."):
        machine.as_user(PYTHON, "-m", "pip", "install", "-e", ".", cwd=SOURCE)
        expect(
            where(machine) == f"{SOURCE}/torch/__init__.py",
            f"import torch gives {where(machine)}, not the checkout",
        )
        machine.as_user(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{TESTS}/test_tiny.py")
    with step("an edit in torch/*.py is there at once", goes_on=True):
        with machine.path(f"{SOURCE}/torch/__init__.py").open("a") as module:
            module.write("\nplain_machine = 42\n")
        said = machine.as_user(PYTHON, "-c", "import torch; print(torch.plain_machine)").strip()
        expect(said == "42", f"the edited torch says {said!r} instead of 42")
    with step("what a build needs, by pip, for setup.py itself"):
        machine.as_user(PYTHON, "-m", "pip", "install", *requirements(machine))
        machine.as_user(PYTHON, "setup.py", "develop", cwd=SOURCE)
    with step("python setup.py develop with nothing to do", goes_on=True):
        start = time.monotonic()
        machine.as_user(PYTHON, "setup.py", "develop", cwd=SOURCE)
        took = time.monotonic() - start
        expect(took < NO_OP_SECONDS, f"it took {took:.1f} s; it should take less than {NO_OP_SECONDS}")
    with step("an edit in lib/THNN/src is compiled, and nothing else", goes_on=True):
        with machine.path(f"{SOURCE}/lib/THNN/src/softmax/softmax.cpp").open("a") as source:
            source.write("\n// edited\n")
        machine.as_user(PYTHON, "setup.py", "develop", cwd=SOURCE)
        changed = machine.as_user(
            "find", "build/cmake", "-name", "*.o", "-newer", "lib/THNN/src/softmax/softmax.cpp", cwd=SOURCE
        )
        objects = [pathlib.Path(line).name for line in changed.split()]
        expect(objects == ["softmax.cpp.o"], f"compiled again: {objects or 'nothing'}")
    with step("pip uninstall of the checkout"):
        machine.as_user(PYTHON, "-m", "pip", "uninstall", "-y", "torch")
        lookup = "import importlib.util as u; print(u.find_spec('torch'))"
        said = machine.as_user(PYTHON, "-c", lookup).strip()
        expect(said == "None", f"after the uninstallation torch is still found: {said}")


def use_wheel(machine: Machine, report: Report, wheel: pathlib.Path) -> None:
    """From a wheel, on a machine that has no compiler."""
    step = report.step
    before = files(machine)
    with step(f"pip install {wheel.name[:42]}"):
        machine.path(f"/tmp/{wheel.name}").write_bytes(wheel.read_bytes())
        machine.as_user(PYTHON, "-m", "pip", "install", f"/tmp/{wheel.name}")
    with step("the layout of what is installed", goes_on=True):
        layout(machine, before)
    with step("works, without a compiler on the machine"):
        compilers = [name for name in ("cc", "gcc", "g++", "clang") if machine.path(f"/usr/bin/{name}").exists()]
        expect(not compilers, f"the machine is not as bare as it should be, it has {compilers}")
        use(machine)
    with step("RPATHs"):
        machine.as_root("apt-get", "install", "binutils")
        elf(machine)
    with step("pip uninstall leaves nothing", goes_on=True):
        uninstall(machine, before)


# ---------------------------------------------------------------------- steps


def make(machine: Machine, report: Report, checkout: pathlib.Path) -> None:
    with report.step("debootstrap"):
        machine.bootstrap()
    with report.step("apt-get install python3-venv"):
        machine.as_root("apt-get", "-qq", "update")
        machine.as_root("apt-get", "install", "python3-venv")
        machine.carry_pip_settings()
    with report.step("make a virtual environment"):
        virtual_environment(machine, checkout)


def virtual_environment(machine: Machine, checkout: pathlib.Path) -> None:
    machine.as_user("python3", "-m", "venv", f"{HOME}/venv")
    machine.as_user(PYTHON, "-m", "pip", "install", "numpy", "pytest", "typing_extensions")
    machine.path(TESTS).mkdir()
    for file in (checkout / "tests/test_tiny.py", checkout / "tests/plain/smoke.py"):
        machine.path(f"{TESTS}/{file.name}").write_bytes(file.read_bytes())


def is_for(wheel: pathlib.Path, machine: Machine) -> bool:
    version = machine.as_user(PYTHON, "-c", "import sys; print('cp%d%d' % sys.version_info[:2])").strip()
    return version in wheel.name.split("-")


def unoptimised(machine: Machine) -> str:
    """The machine's compiler, with -O0 as the last word, and loops for one set of instructions."""
    compiler = "/usr/local/bin/unoptimised-c++"
    machine.path(compiler).write_text('#!/bin/sh\nexec c++ "$@" -O0 -DHWY_COMPILE_ONLY_STATIC\n')
    machine.path(compiler).chmod(0o755)
    return compiler


def missing(machine: Machine) -> str:
    """Lets `pip install .` fail for want of everything; returns the command that its message gives."""
    try:
        machine.as_user(PYTHON, "-m", "pip", "install", ".", cwd=SOURCE)
    except CommandFailed as error:
        said = error.output
    else:
        raise Failed("pip install . succeeded on a machine without a compiler")
    unnamed = [name for name in NAMED if f"{name}: " not in said]
    expect(not unnamed, f"the message does not name {unnamed}:\n{said}")
    expect("./nixw develop" in said, f"the message does not name the other way, ./nixw develop:\n{said}")
    found = re.search(r"sudo (apt-get install .+)", said)
    expect(found, f"the message gives no command:\n{said}")
    return found[1].strip()


def files(machine: Machine) -> set[str]:
    """Everything in the virtual environment except what Python itself caches while it runs."""
    root = machine.path(f"{HOME}/venv")
    return {str(path.relative_to(root)) for path in root.rglob("*") if "__pycache__" not in path.parts}


def site_packages(machine: Machine) -> pathlib.Path:
    return next(machine.path(f"{HOME}/venv/lib").glob("python3*/site-packages"))


def layout(machine: Machine, before: set[str]) -> None:
    """Where the seeds' users look for things."""
    site = site_packages(machine)
    version = machine.as_user(PYTHON, "-c", "import torch; print(torch.__version__)").strip()
    wanted = (
        "torch/__init__.py",
        "torch/version.py",
        "torch/_C.*.so",
        "torch/_dl.*.so",
        "torch/_thnn/_THNN.*.so",
        "torch/lib/libTH.so.1",
        "torch/lib/libTHNN.so.1",
        "torch/lib/libTHS.so.1",
        "torch/lib/libTHPP.so.1",
        "torch/lib/libshm.so.1",
        "torch/lib/libtorch.so.1",
        "torch/lib/libtorch_python.so.1",
        "torch/bin/torch_shm_manager",
        "torch/lib/THNN.h",
        "torch/lib/include/TH/TH.h",
        "torch/lib/include/THNN/THNN.h",
        "torch/lib/include/THPP/THPP.h",
        "torch/lib/include/torch/torch.h",
        "torch/lib/include/pybind11/pybind11.h",
        f"torch-{version}.dist-info/METADATA",
        f"torch-{version}.dist-info/RECORD",
        "../../../bin/torch-collect-env",
        "torch/share/cmake/Torch/TorchConfig.cmake",
    )
    absent = [pattern for pattern in wanted if not list(site.glob(pattern))]
    expect(not absent, f"not installed: {absent}")
    new = files(machine) - before
    strange = sorted(
        name
        for name in new
        if not re.match(
            r"lib(64)?/python3[^/]*/site-packages/torch[-/]|bin/torch(-|run)|"
            r"lib(64)?/python3[^/]*/site-packages/torch$",
            name,
        )
    )
    expect(not strange, f"installed outside torch/: {strange}")
    said = machine.as_user(f"{HOME}/venv/bin/torch-collect-env")
    expect(
        version in said and f"{HOME}/venv" in said,
        f"torch-collect-env says neither version nor place:\n{said}",
    )


def elf(machine: Machine) -> None:
    """DT_RPATH, which comes before LD_LIBRARY_PATH, with $ORIGIN alone; never DT_RUNPATH."""
    site = site_packages(machine)
    found = sorted([*site.glob("torch/lib/*.so.*"), *site.glob("torch/*.so"), *site.glob("torch/_thnn/*.so")])
    expect(len(found) >= 7, f"only {[file.name for file in found]}")
    ours = {file.name for file in found}
    for file in found:
        said = machine.as_root("readelf", "-dW", "/" + str(file.relative_to(machine.root)))
        rpath = re.findall(r"\(RPATH\).*\[(.*)\]", said)
        up = {"lib": "$ORIGIN", "torch": "$ORIGIN/lib", "_thnn": "$ORIGIN/../lib"}[file.parent.name]
        needs_ours = ours & set(re.findall(r"\(NEEDED\).*\[(.*)\]", said))
        expect("RUNPATH" not in said, f"{file.name} has a RUNPATH")
        expect(rpath == [up] or not rpath and not needs_ours, f"{file.name}: RPATH is {rpath}, should be {up}")


def use(machine: Machine) -> None:
    place = where(machine)
    expect(place.startswith(f"{HOME}/venv/"), f"import torch gives {place}")
    machine.as_user(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{TESTS}/test_tiny.py")
    machine.as_user(PYTHON, f"{TESTS}/smoke.py", f"{HOME}/venv")


def where(machine: Machine) -> str:
    return machine.as_user(PYTHON, "-c", "import torch; print(torch.__file__)").strip()


def uninstall(machine: Machine, before: set[str]) -> None:
    machine.as_user(PYTHON, "-m", "pip", "uninstall", "-y", "torch")
    left = sorted(files(machine) - before)
    expect(not left, f"left behind: {left}")


def requirements(machine: Machine) -> list[str]:
    """pyproject.toml's list of what a build needs."""
    text = machine.path(f"{SOURCE}/pyproject.toml").read_text()
    return tomllib.loads(text)["build-system"]["requires"]
