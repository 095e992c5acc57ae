"""Building in the tree: what to build, and in what order. The commands of setup.py call this."""

import shutil

from . import cmake, compose, dependencies, prebuilt, version_file
from .parts import ROOT, added, parts, specifications


class UnknownPart(ValueError):
    """A part was named that does not exist, or has not been built."""


def selected(only, options):
    """Names from a comma-separated list. Raises UnknownPart naming those that there are."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in parts(options.features):
            known = added().get(name)
            why = f"'{name}' is there only with USE_{known.feature.upper()}=1" if known else f"there is no '{name}'"
            raise UnknownPart(f"--only: {why}; parts: {', '.join(parts(options.features))}")
    return names


def _plan(options, only):
    """(parts for TORCH_PARTS, empty for all; parts to make now).

    Without prebuilt parts everything is configured, and Ninja makes what a part needs. With them, a
    part is built here if it was named, if its sources differ from those it was built from, or
    if it has been built here before.
    """
    if not options.prebuilt:
        return [], only or list(parts(options.features))
    here = cmake.built() | (
        set(only) if only else prebuilt.stale(options.prebuilt, options.features, mkldnn=options.mkldnn)
    )
    chosen = [name for name in parts(options.features) if name in here]
    return chosen, only or chosen


def build(name, options, kind, only=None):
    """Builds parts of a kind ("libraries", "bindings") into build/tmp_install; returns how many commands Ninja ran.

    Raises MissingDependencies before anything is built, StepFailed where a step fails.
    """
    if not (ROOT / "CMakeLists.txt").exists():
        return 0  # a source tree without libraries: everything is prebuilt
    # Of a build with other features, which would go into the package.
    cmake.remove(added().keys() - parts(options.features).keys())
    chosen, now = _plan(options, only)
    targets = [part for part in now if only or parts(options.features)[part].binds == (kind != "libraries")]
    if not targets:
        return 0
    dependencies.check(options, specifications(options.features))
    linked = prebuilt.objects(options.prebuilt, options.features, mkldnn=options.mkldnn, chosen=chosen)
    cmake.configure(options, chosen, linked)
    return cmake.build(name, options, targets)


def again(options):
    """Builds what is configured, without looking whether it should be configured otherwise."""
    built = [name for name in parts(options.features) if name in cmake.built()]
    if not built:
        raise UnknownPart("rebuild: nothing has been built here yet; python setup.py build does that")
    return cmake.build("rebuild", options, built)


def link(options):
    """Makes the checkout's torch/ importable with what has been built and what is prebuilt."""
    compose.link(options.prebuilt)
    version_file.write(compose.PACKAGE, options, compose.cuda_version(compose.places(options.prebuilt)))


def editor(options):
    """compile_commands.json in the root, for editors and clang tools: every file, built here or not."""
    folder = cmake.FOLDER
    if options.prebuilt:  # the build folder has only what was edited
        folder = cmake.EDITOR
        if not (folder / "compile_commands.json").exists():
            cmake.configure(options, [], folder=folder)
    link = ROOT / "compile_commands.json"
    if (folder / "compile_commands.json").exists() and not link.exists():
        link.unlink(missing_ok=True)
        link.symlink_to((folder / "compile_commands.json").relative_to(ROOT))


def clean(options):
    """Removes all that was built in the tree; what is prebuilt is linked again."""
    compose.unlink()
    for name in ("build", "dist"):
        shutil.rmtree(ROOT / name, ignore_errors=True)
    for path in ROOT.glob("*.egg-info"):
        shutil.rmtree(path)
    (ROOT / "compile_commands.json").unlink(missing_ok=True)
    if options.prebuilt:
        link(options)
