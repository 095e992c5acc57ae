"""Why `import torch` failed, and what to type: read only when it did."""

import importlib.machinery
import os
import re
import sys

PACKAGE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(PACKAGE)


def explained(error):
    """The ImportError to raise in place of `error`; `error` itself if it is not about torch's own parts."""
    try:
        reason = _reason(error)
    except Exception:  # whatever goes wrong here, the first error is the one that matters
        reason = None
    if reason is None:
        return error
    return ImportError("\n".join([*reason, *_advice()]), name=error.name, path=error.path)


def _reason(error):
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing == "torch._C":
        return _no_extension()
    if missing in ("torch.version", "torch._torch_docs", "torch._python_bodies"):
        file = missing.removeprefix("torch.") + ".py"
        return [f"torch is incomplete: {os.path.join(PACKAGE, file)}, which the build writes, is missing."]
    if missing:
        return None
    ours = (error.path or "").startswith(PACKAGE + os.sep) or error.name == "torch._C"
    if not ours:
        return None
    text = str(error)
    if text.startswith("cannot import name"):
        name = text.split("'")[1]
        return [
            f"torch's compiled part is of another version than its Python files: it has no '{name}'.",
            f"  compiled part: {error.path}",
        ]
    absent = re.match(r"(.+?): cannot open shared object file", text)
    if absent:
        return _no_library(absent[1])
    return [f"torch's compiled part cannot be loaded: {text}", *_hint(text)]


def _no_extension():
    suffixes = importlib.machinery.EXTENSION_SUFFIXES
    others = sorted(name for name in os.listdir(PACKAGE) if name.startswith("_C.") and name.endswith(".so"))
    if others and not any(name == "_C" + suffix for name in others for suffix in suffixes):
        version = re.match(r"_C\.cpython-(\d)(\d+)(t?)-", others[0])
        built_for = f"Python {version[1]}.{version[2]}{version[3]}" if version else "another Python"
        return [
            f"torch was built for {built_for}, and this is Python {sys.version_info[0]}.{sys.version_info[1]}"
            f" ({sys.executable}).",
            f"  found:  {os.path.join(PACKAGE, others[0])}",
            f"  wanted: _C{suffixes[0]}",
        ]
    dangling = next((name for name in others if not os.path.exists(os.path.join(PACKAGE, name))), None)
    if dangling:
        link = os.path.join(PACKAGE, dangling)
        return ["torch's compiled part, torch._C, is gone.", f"  {link} is a link to {os.readlink(link)}"]
    if _in_checkout():
        return ["torch has not been built in this checkout: its compiled part, torch._C, is missing."]
    return [f"torch is incomplete: {os.path.join(PACKAGE, '_C' + suffixes[0])} is missing."]


def _no_library(library):
    from torch.utils import _elf

    name = os.path.basename(library)
    lines = [f"torch cannot be loaded: {name}, a library that it needs, is missing."]
    asking = next((chain for chain in _objects(_elf) if library in chain[-1].needed), None)
    folders = [os.path.dirname(library)] if "/" in library else []
    if asking:
        lines.append(f"  needed by:    {asking[-1].path}")
        folders = folders or [*_elf.search_path(asking)]
    if folders:
        lines += [f"  looked for in {folder}" for folder in folders]
    if "/" not in library:
        through = os.environ.get("LD_LIBRARY_PATH")
        lines.append(
            f"  {'and' if folders else 'looked for'} in {through + ' (LD_LIBRARY_PATH) and ' if through else ''}"
            "the system's own folders"
        )
    for folder in folders:
        link = os.path.join(folder, name)
        if os.path.islink(link) and not os.path.exists(link):
            lines.append(f"  {link} is a link to {os.readlink(link)}, which is gone")
    return lines


def _objects(_elf):
    """The shared objects of this package, each as a list that ends with it and begins with who loads it."""
    modules = [os.path.join(PACKAGE, "_C" + suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES]
    waiting, seen = [[path] for path in modules if os.path.exists(path)], set()
    while waiting:
        *loaders, path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        try:
            chain = [*loaders, _elf.read(path)]
        except (OSError, _elf.ElfError):
            continue
        yield chain
        waiting += [[*chain, found] for found in (_elf.find(needed, chain) for needed in chain[-1].needed) if found]


def _hint(text):
    if "undefined symbol" in text:
        from torch.utils import _mapped

        strays = _mapped.warnings(_mapped.libraries(PACKAGE))
        if strays:
            return ["  A foreign library is in this process:", *(f"    {stray}" for stray in strays)]
        return ["  Its libraries do not come from the same build."]
    if "GLIBC" in text or "CXXABI" in text:
        return ["  It was built on a newer system than this one; build it here."]
    if any(words in text for words in ("invalid ELF header", "file too short", "wrong ELF class")):
        return ["  The file is damaged, or is for another machine."]
    return []


def _in_checkout():
    return os.path.exists(os.path.join(ROOT, "lib", "libraries.toml"))


def _advice():
    if _in_checkout():
        return [
            f"In {ROOT}:",
            "  ./nixw develop               a shell where import torch works at once (needs nothing installed)",
            "  python setup.py develop      builds torch in place, with this machine's compiler; builds again, too",
            "  pip install -e .             the same through pip",
            "  ./nixw run . -- script.py    builds torch and runs a script with it",
            "Or run Python from another folder, if an installed torch was meant.",
        ]
    if PACKAGE.startswith("/nix/store/"):
        return [
            f"The store's copy is damaged: nix-store --verify-path {'/'.join(os.path.realpath(PACKAGE).split('/')[:4])}"
        ]
    return ["Install it again:  python -m pip install --force-reinstall torch"]
