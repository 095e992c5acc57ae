"""The commands of setup.py, as the seeds name them. Each is a few lines; tools/tree.py does the work."""

import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys

from setuptools import Command
from setuptools.command.build import build as _build
from setuptools.command.build_ext import build_ext as _build_ext
from setuptools.command.build_py import build_py as _build_py
from setuptools.command.install import install as _install

from . import compose, options, tree, version_file
from .parts import ROOT


class _Simple(Command):
    """A command without options."""

    user_options = []

    def initialize_options(self):
        pass

    def finalize_options(self):
        pass


class BuildDeps(Command):
    """All backend libraries, in dependency order, into one prefix: build/tmp_install."""

    description = "build the backend libraries into build/tmp_install"
    user_options = [("only=", None, "only these parts, comma-separated: TH,THNN (what they need comes along)")]

    def initialize_options(self):
        self.only = None

    def finalize_options(self):
        self.names = tree.selected(self.only) if self.only else None

    def run(self):
        wanted = options.read()
        tree.build("build_deps", wanted, "libraries", self.names)
        # Whoever works with the checkout sees the new library at once.
        if self.names or (compose.PACKAGE / "lib").is_dir():
            try:
                tree.link(wanted)
            except FileNotFoundError:
                pass  # the bindings have not been built yet


class BuildExt(_build_ext):
    """libtorch_python and the extension modules, by the same CMake."""

    description = "build libtorch_python and the extension modules torch._C, torch._dl, torch._thnn._THNN"

    def run(self):
        self.run_command("build_deps")
        wanted = options.read()
        tree.build("build_ext", wanted, "bindings")
        if self.inplace or getattr(self, "editable_mode", False):
            tree.link(wanted)
        else:
            compose.install(pathlib.Path(self.build_lib) / "torch", wanted.prebuilt)

    # setuptools would compile by itself; it only has to know that this is no pure package.
    def get_outputs(self):
        return []

    def get_output_mapping(self):
        return {}


class BuildPy(_build_py):
    """The Python files, and version.py."""

    def run(self):
        package = pathlib.Path(self.build_lib) / "torch"
        for file in package.rglob("*.py"):  # of a build before; what has been removed would be installed
            if not (compose.PACKAGE / file.relative_to(package)).exists():
                file.unlink()
        super().run()
        if not getattr(self, "editable_mode", False):
            self.mkpath(str(package))
            version_file.write(package, options.read())


class Build(_build):
    """build_deps, build_py, build_ext."""

    def run(self):
        self.run_command("build_deps")
        super().run()


class BuildModule(_Simple):
    """The Python package without the libraries: build_py and build_ext."""

    description = "build the Python files and the extension modules"

    def run(self):
        self.run_command("build_py")
        self.run_command("build_ext")


class Rebuild(_Simple):
    """Compiles what has changed in what was built last, without configuring again."""

    description = "build again what has been built, without configuring"

    def run(self):
        wanted = options.read()
        tree.again(wanted)
        tree.link(wanted)


class Develop(_Simple):
    """Builds in the tree, and makes `import torch` mean this checkout."""

    description = "build in the tree and install the checkout itself (pip install -e .)"

    def run(self):
        wanted = options.read()
        self.run_command("build_deps")
        tree.build("build_ext", wanted, "bindings")
        tree.link(wanted)
        tree.editor(wanted)
        if not _is_editable(wanted):
            _pip("-e", str(ROOT))


class Install(_install):
    """Builds, and installs with pip: a dist-info that pip can uninstall."""

    def run(self):
        if "install" not in self.distribution.commands:  # bdist_wheel fills a folder with this command
            return super().run()
        given = {name: value for name, (_, value) in self.distribution.get_option_dict("install").items()}
        user = ["--user"] if given.pop("user", None) else []
        places = [f"--{name}={os.path.abspath(given.pop(name))}" for name in ("prefix", "root") if name in given]
        if given:
            raise SystemExit(
                f"setup.py: install: --{', --'.join(given)}: not known here; allowed: --prefix, --root, --user"
            )
        _pip(*places, *user, "--force-reinstall", str(ROOT))


class Clean(_Simple):
    """Removes everything that was built in the tree."""

    description = "remove what was built in the tree"
    user_options = [("all", "a", "accepted for compatibility: everything is removed in any case")]

    def initialize_options(self):
        self.all = None

    def run(self):
        tree.clean(options.read())


class CreateVersionFile(_Simple):
    """Writes torch/version.py."""

    description = "write torch/version.py"

    def run(self):
        version_file.write(compose.PACKAGE, options.read())


def _is_editable(wanted):
    """Is this checkout, in this version, what an `import torch` anywhere gives?"""
    for found in importlib.metadata.distributions(name=wanted.package_name):
        url = json.loads(found.read_text("direct_url.json") or "{}")
        if url.get("dir_info", {}).get("editable") and url.get("url") == ROOT.as_uri():
            return found.version == wanted.version
    return False


def _pip(*arguments):
    """pip without a network: all that the build needs is here."""
    status = subprocess.call(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-index",
            "--no-deps",
            "--no-build-isolation",
            "--disable-pip-version-check",
            "--quiet",
            *arguments,
        ],
        cwd="/",
    )
    if status:
        raise SystemExit(status)


COMMANDS = {
    "build": Build,
    "build_deps": BuildDeps,
    "build_ext": BuildExt,
    "build_module": BuildModule,
    "build_py": BuildPy,
    "clean": Clean,
    "create_version_file": CreateVersionFile,
    "develop": Develop,
    "install": Install,
    "rebuild": Rebuild,
}
