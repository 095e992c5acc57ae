"""Composes torch/: the libraries, headers and modules of all parts come together in one package folder.

    torch/lib/lib*.so.1, torch/lib/include/, torch/lib/THNN.h, torch/bin/, torch/share/, torch/_C*.so, ...

For an installation they are copied. In a checkout they are links, so that a library that is built
again is in place at once: the loader takes $ORIGIN from the folder through which a file was opened.
"""

import os
import pathlib
import shutil

from . import cmake
from .parts import FEATURES, ROOT, parts

PACKAGE = ROOT / "torch"


def _own():
    """The tree's own prefix, if it has one."""
    return [cmake.PREFIX] if cmake.is_ours() else []


def sources(prefixes):
    """The prefix of each part: the first that has it. Raises FileNotFoundError if a part is nowhere."""
    found, missing = {}, []
    for part in parts().values():
        prefix = next((p for p in prefixes if part.file(p)), None)
        if prefix is None:
            missing.append(part.name)
        else:
            found[part.name] = prefix
    if missing:
        raise FileNotFoundError(
            f"{', '.join(missing)}: not built yet (python setup.py build), "
            f"and in no prefix of {':'.join(map(str, prefixes)) or 'TORCH_PREBUILT, which is not set'}"
        )
    return found


def added(prefixes):
    """What features add, by name, each with the first prefix that has it; nothing where they are off.

    Raises FileNotFoundError if there is some of what CUDA adds, and not the rest.
    """
    found = {name: [p for p in prefixes if part.file(p)] for name, part in parts(FEATURES).items() if part.feature}
    cuda = {name: places for name, places in found.items() if parts(FEATURES)[name].feature == "cuda"}
    missing = [name for name, places in cuda.items() if not places]
    if missing and any(cuda.values()):
        raise FileNotFoundError(f"{', '.join(missing)}: in no prefix of {':'.join(map(str, prefixes))}")
    return {name: places[0] for name, places in found.items() if places}


def cuda_version(prefixes):
    """The version of CUDA that what it adds was compiled with, "13.0", or None where CUDA is off.

    Raises ValueError if it was compiled with several.
    """
    files = [prefix / f"share/torch/cuda/{name}.txt" for name, prefix in added(prefixes).items()]
    versions = {file.read_text().strip() for file in files if file.exists()}
    if len(versions) > 1:
        raise ValueError(f"libraries compiled with CUDA {' and '.join(sorted(versions))} do not go together")
    return versions.pop() if versions else None


def contents(prefixes):
    """{path in the package: file or folder that belongs there}, for what is not in the source tree.

    Of two prefixes with the same part the first one wins.
    """
    result, found = {}, sources(prefixes)
    for name, prefix in found.items():
        if name == "modules":
            for file in sorted((prefix / "python/torch").rglob("*.so")):
                result[str(file.relative_to(prefix / "python/torch"))] = file
            result["share/cmake"] = prefix / "share/cmake"
        else:
            result[f"lib/lib{name}.so.1"] = prefix / f"lib/lib{name}.so.1"
        if program := parts()[name].program:
            result[f"bin/{program}"] = prefix / f"bin/{program}"
    for name, prefix in added(prefixes).items():
        found[name] = prefix
        result[f"lib/lib{name}.so.1"] = prefix / f"lib/lib{name}.so.1"
        for module in parts(FEATURES)[name].modules:
            for file in (prefix / "python/torch").glob(f"{module}.*.so"):
                result[str(file.relative_to(prefix / "python/torch"))] = file
    for prefix in reversed(prefixes):
        for file in (prefix / "python/torch").rglob("*.py*"):  # generated apart from what is compiled
            result[str(file.relative_to(prefix / "python/torch"))] = file
    owners = {part.headers: part.name for part in parts(FEATURES).values()}
    for prefix in found.values():
        for folder in (prefix / "include").glob("*"):
            if found.get(owners.get(folder.name), prefix) == prefix:  # else of a part that is taken from elsewhere
                result[f"lib/include/{folder.name}"] = folder
    for name in ("THNN", "THCUNN"):
        if folder := result.get(f"lib/include/{name}"):
            result[f"lib/{name}.h"] = folder / f"{name}.h"
    return {path: source for path, source in result.items() if source.exists()}


def places(prebuilt):
    """Where a checkout's parts are: what the tree built first."""
    return [*_own(), *prebuilt]


def install(package, prebuilt, own=True):
    """Copies everything into the package folder of an installation or a wheel; `own`: what the tree built, first."""
    for folder in ("lib", "bin"):
        shutil.rmtree(package / folder, ignore_errors=True)
    for path, source in contents([*(_own() if own else []), *prebuilt]).items():
        target = package / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, copy_function=shutil.copyfile, dirs_exist_ok=True)
            for folder in (target, *filter(pathlib.Path.is_dir, target.rglob("*"))):
                folder.chmod(folder.stat().st_mode | 0o200)  # those of the store cannot be removed
        else:
            shutil.copyfile(source, target)
            if path.startswith("bin/"):
                target.chmod(0o755)


def link(prebuilt):
    """Makes the checkout importable: links in torch/. What is right already is left alone."""
    wanted = contents(places(prebuilt))
    for path in list(_generated()):
        if path.is_symlink() and str(path.relative_to(PACKAGE)) not in wanted:
            path.unlink()
    for path, source in wanted.items():
        target = PACKAGE / path
        inside = source.is_relative_to(ROOT)
        text = os.path.relpath(source, target.parent) if inside else str(source)
        if target.is_symlink() and os.readlink(target) == text:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)  # in whose place no link can be put
        # Under another name first: a program that starts meanwhile finds the old one or the new one.
        temporary = target.with_name(f"{target.name}.{os.getpid()}")
        temporary.symlink_to(text)
        temporary.replace(target)


def unlink():
    """Takes everything that is not source out of the checkout's torch/."""
    for path in _generated():
        _remove(path)
    for folder in ("bin", "lib", "share"):
        shutil.rmtree(PACKAGE / folder, ignore_errors=True)
    (PACKAGE / "version.py").unlink(missing_ok=True)


def _generated():
    """What `link` may have put into torch/."""
    yield from PACKAGE.glob("*.so")
    yield from PACKAGE.glob("_thnn/*.so")
    yield from (PACKAGE / name for name in ("_torch_docs.py", "_python_bodies.py", "_operators.py", "_sharding.py"))
    yield from (PACKAGE / name for name in ("_methods.pyi", "return_types.pyi"))
    yield from PACKAGE.glob("_*functions.pyi")
    yield from PACKAGE.glob("bin/*")
    yield from PACKAGE.glob("lib/*")
    yield from PACKAGE.glob("lib/include/*")
    yield from PACKAGE.glob("share/*")


def _remove(path: pathlib.Path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
