"""Which prebuilt parts were made from other sources than those of this tree.

A prefix of TORCH_PREBUILT holds, beside a part's files, share/torch/sources/<part>: the hash of every
file that it was built from, and the folders that it was given as a whole:

    folder lib/TH/src
    <sha256>  lib/TH/src/general.cpp

So what a developer edits decides what is built in the tree; the rest stays as it is in the store. Prefixes with the
objects of a family of sources have a manifest of that family, <part>.<family>: of a part that is built in the tree, what
was not edited, and includes nothing that was, is linked, not compiled.
"""

import hashlib
import re

from .parts import ROOT, parts

SOURCES, HEADERS = (".cpp", ".cu"), (".h", ".hpp", ".cuh")


def _is_source(path):
    """Not what Python, tests and editors leave beside the files of a part: caches, swap files, backups."""
    return not any(part == "__pycache__" or part.startswith(".") or part.endswith("~") for part in path.parts)


def sources(name, prefixes):
    """The manifest of a part, or None where no prefix has it."""
    return next((file for prefix in prefixes if (file := prefix / "share/torch/sources" / name).is_file()), None)


def _read(manifest):
    """{file: hash} and the folders of a manifest."""
    hashes, folders = {}, []
    for line in manifest.read_text().splitlines():
        key, path = line.split(maxsplit=1)
        if key == "folder":
            folders.append(path)
        else:
            hashes[path] = key
    return hashes, folders


def changed(manifest, root=ROOT):
    """The files, relative to root, that differ from the manifest: edited, removed or new."""
    hashes, folders = _read(manifest)
    found = {path for path in hashes if (root / path).is_file()}
    for folder in folders:
        for file in (root / folder).rglob("*"):
            relative = file.relative_to(root)
            if _is_source(relative) and file.is_file():
                found.add(str(relative))
    return {
        path
        for path in found | set(hashes)
        if path not in found or path not in hashes or _sha256(root / path) != hashes[path]
    }


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _otherwise(part, prefixes, mkldnn):
    """Whether the prefix that has it links it with, or without, an optional vendor, and the build wants it otherwise."""
    if mkldnn is None or not part.optional:
        return False
    manifest = sources(part.name, prefixes)
    record = manifest and manifest.parents[1] / "optional" / f"{part.name}.txt"
    return bool(manifest) and (record.is_file() and bool(record.read_text().strip())) != mkldnn


def _to_build(prefixes, features, root, mkldnn=None):
    """{part that has to be built in the tree: whether all of it has to be compiled, not only what was edited}"""
    result = {}
    manifest = sources("codegen", prefixes)
    generator = manifest is None or bool(changed(manifest, root))
    interfaces = {"codegen"} if generator else set()  # whose dependents have to be compiled again
    for part in parts(features).values():
        manifest = sources(part.name, prefixes)
        edited = None if manifest is None else changed(manifest, root)
        affected = (part.generated and generator) or bool(interfaces.intersection(part.needs))
        if edited is None or edited or affected or _otherwise(part, prefixes, mkldnn):
            result[part.name] = edited is None or affected
            # The headers of a part that is affected may include the changed ones.
            if edited is None or affected or any("/include/" in path for path in edited):
                interfaces.add(part.name)
    return result


def stale(prefixes, features=(), root=ROOT, mkldnn=None):
    """The parts that have to be built in the tree because no prefix has them as the tree says; `features`: see parts();
    `mkldnn`: whether those with optional vendors are to have them, None: either will do."""
    return set(_to_build(prefixes, features, root, mkldnn))


def _affected(edited, names, root):
    """The edited files, and those of `names` that include one of them, or what may be meant by its name."""
    includes = {
        name: re.findall(r'^\s*#\s*include\s*[<"](?:\.\./)*([^>"]+)[>"]', (root / name).read_text(), re.MULTILINE)
        for name in names
        if edited and (root / name).is_file()
    }
    affected = set(edited)
    while more := {
        name
        for name in includes.keys() - affected
        if any(f"/{file}".endswith(f"/{included}") for included in includes[name] for file in affected)
    }:
        affected |= more
    return affected


def _of_family(folder, manifest, root):
    """The objects of a family in `folder` that are as they would be compiled here."""
    edited = changed(manifest, root)
    if not all(path.endswith(SOURCES + HEADERS) for path in edited):
        return set()  # how it is compiled
    names = _read(manifest)[0].keys() | edited
    affected = _affected(edited, names, root)
    headers = not all(path.endswith(SOURCES) for path in edited)
    found = set()
    for file in folder.rglob("*.o"):
        path = f"/{file.relative_to(folder)}".removesuffix(".o")
        sources = {name for name in names if name.endswith(path)}  # none: it was generated, and may include any header
        if not (sources & affected if sources else headers):
            found.add(file)
    return found


def objects(prefixes, features=(), root=ROOT, mkldnn=None, chosen=()):
    """The prebuilt objects that take the place of their sources in the parts that are built in the tree: stale ones, and
    those that are `chosen` although they are as in the store, because they were named or had been edited before.

    Beside the manifest share/torch/sources/<part>.<family> a prefix holds objects/<part>/<source>.o. An object is as it
    would be compiled here if neither its source nor what that includes was edited. A part that links another's kit gets
    the objects of that family, too.
    """
    to_build = _to_build(prefixes, features, root, mkldnn)
    linked = [parts(features)[name] for name in {*to_build, *chosen} if not to_build.get(name)]
    families = {(part.name, "*") for part in linked} | {(part.kit, "kit") for part in linked if part.kit}
    found = set()
    for name, family in families:
        for prefix in prefixes:
            for manifest in (prefix / "share/torch/sources").glob(f"{name}.{family}"):
                found |= _of_family(prefix / "objects" / name, manifest, root)
    return sorted(found)
