"""The commands of setup.py, as the seeds name them. Each is a few lines; tools/tree.py does the work."""

import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from setuptools import Command
from setuptools.command.build import build as _build
from setuptools.command.build_ext import build_ext as _build_ext
from setuptools.command.build_py import build_py as _build_py
from setuptools.command.install import install as _install
from setuptools.command.sdist import sdist as _sdist

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
        self.names = tree.selected(self.only, options.read()) if self.only else None

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
        package = pathlib.Path(self.build_lib) / "torch"
        if built := self.get_finalized_command("build").built:
            return compose.install(package, built, own=False)
        self.run_command("build_deps")
        wanted = options.read()
        tree.build("build_ext", wanted, "bindings")
        if self.inplace or getattr(self, "editable_mode", False):
            tree.link(wanted)
        else:
            compose.install(package, wanted.prebuilt)

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
            wanted = options.read()
            version_file.write(package, wanted, compose.cuda_version(compose.places(wanted.prebuilt)))


class Build(_build):
    """build_deps, build_py, build_ext."""

    user_options = [
        *_build.user_options,
        ("built=", None, "take every part from these prefixes, separated by colons, and compile nothing"),
    ]

    def initialize_options(self):
        super().initialize_options()
        self.built = None

    def finalize_options(self):
        super().finalize_options()
        self.built = [pathlib.Path(folder) for folder in (self.built or "").split(":") if folder]

    def run(self):
        if not self.built:
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

    _packing = False  # is this a wheel's contents being gathered, for which bdist_wheel uses this command?

    def run(self):
        if self._packing or "install" not in self.distribution.commands:
            return super().run()
        given = {name: value for name, (_, value) in self.distribution.get_option_dict("install").items()}
        user = ["--user"] if given.pop("user", None) else []
        skip = given.pop("skip_build", None)
        places = [f"--{name}={os.path.abspath(given.pop(name))}" for name in ("prefix", "root") if name in given]
        if given:
            raise SystemExit(
                f"setup.py: install: --{', --'.join(given)}: not known here; "
                "allowed: --prefix, --root, --user, --skip-build"
            )
        with tempfile.TemporaryDirectory() as folder:
            what = self.pack(folder) if skip else ROOT
            if not places:
                return _pip(*user, "--force-reinstall", str(what))
            # What the environment has itself is none of this installation's business.
            self.remove(*places)
            _pip(*places, "--ignore-installed", str(what))

    def remove(self, *places):
        """Takes out what an earlier installation has put there; pip does that in its own environment only."""
        chosen = dict(place.removeprefix("--").split("=", 1) for place in places)
        prefix = chosen.get("prefix", sys.prefix)
        site = sysconfig.get_path("platlib", vars={"base": prefix, "platbase": prefix})
        if "root" in chosen:
            site = os.path.join(chosen["root"], site.lstrip("/"))
        for found in importlib.metadata.distributions(name=self.distribution.get_name(), path=[site]):
            files = [pathlib.Path(found.locate_file(file)) for file in found.files or ()]
            for file in files:
                file.unlink(missing_ok=True)
            for folder in {file.parent for file in files if file.parent.suffix == ".dist-info"}:
                shutil.rmtree(folder, ignore_errors=True)

    def pack(self, folder):
        """A wheel of what `build` has left, as it is; it lies in the folder."""
        built = pathlib.Path(self.get_finalized_command("build").build_lib)
        if not list(built.glob("torch/_C.*.so")):
            raise tree.UnknownPart(
                "install --skip-build: nothing has been built to install; python setup.py build does that"
            )
        wheel = self.distribution.get_command_obj("bdist_wheel")
        wheel.skip_build, wheel.dist_dir = True, folder
        self._packing = True
        try:
            self.run_command("bdist_wheel")
        finally:
            self._packing = False
        return next(pathlib.Path(folder).glob("*.whl"))


class Sdist(_sdist):
    """The sources, with the version that they have here: the archive holds no git repository to ask."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        file = pathlib.Path(base_dir, "version.txt")
        file.unlink(missing_ok=True)  # which may be a link to ours
        file.write_text(f"{self.distribution.get_version()}\n")


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
        wanted = options.read()
        version_file.write(compose.PACKAGE, wanted, compose.cuda_version(compose.places(wanted.prebuilt)))


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
    "sdist": Sdist,
}
