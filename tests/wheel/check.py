"""Is this wheel whole, and does it keep to the house's rules?

    python check.py WHEEL --installed SITE_PACKAGES --store DIR [--beside REQUIREMENT FOLDER STEM]...

Compares it with the installed package that it was made of, and reads its shared objects with readelf:
nothing of tools/wheel is used here. Prints every complaint and exits 1, or prints what was seen.
"""

import argparse
import base64
import csv
import hashlib
import io
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile
import zipfile

# On any machine whose glibc fits; `auditwheel show` has the last word on them.
HOST = {
    "libc.so.6",
    "libm.so.6",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "libgcc_s.so.1",
    "libstdc++.so.6",
}


def check_archive(archive: zipfile.ZipFile):
    """Sorted, dated and moded the same on every machine."""
    if archive.testzip() is not None:
        yield f"{archive.testzip()} is damaged"
    entries = archive.infolist()
    names = [entry.filename for entry in entries]
    if len(set(names)) != len(names):
        yield "a name is there twice"
    metadata = [name for name in names if ".dist-info/" in name]
    if names != sorted(set(names) - set(metadata)) + sorted(set(metadata) - {metadata[-1]}) + [metadata[-1]]:
        yield "the names are not sorted"
    for entry in entries:
        if entry.date_time != (1980, 1, 1, 0, 0, 0):
            yield f"{entry.filename} is dated {entry.date_time}"
        if entry.external_attr >> 16 not in (0o100644, 0o100755):
            yield f"{entry.filename} has the mode {entry.external_attr >> 16:o}"


def check_record(archive: zipfile.ZipFile, info: str):
    """RECORD lists every file once, with its size and hash, and itself without."""
    listed = {}
    for name, digest, size in csv.reader(io.StringIO(archive.read(f"{info}/RECORD").decode())):
        listed[name] = (digest, size)
    if listed.pop(f"{info}/RECORD", None) != ("", ""):
        yield "RECORD does not list itself, or with a hash"
    names = set(archive.namelist()) - {f"{info}/RECORD"}
    for name in sorted(names ^ listed.keys()):
        yield f"RECORD and the files differ in {name}"
    for name in sorted(names & listed.keys()):
        data = archive.read(name)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        if listed[name] != (f"sha256={digest}", str(len(data))):
            yield f"RECORD has {listed[name]} for {name}"


def check_names(wheel: pathlib.Path, archive: zipfile.ZipFile, info: str):
    """The file's name, its folder of metadata and its tag say the same."""
    text = archive.read(f"{info}/WHEEL").decode()
    tags = re.findall(r"(?m)^Tag: (.*)$", text)
    if wheel.name != f"{info.removesuffix('.dist-info')}-{'.'.join(tags)}.whl":
        yield f"the name {wheel.name} does not fit {info} with the tags {tags}"
    if not all(re.fullmatch(r"cp\d+-cp\d+-manylinux_2_\d+_x86_64", tag) for tag in tags):
        yield f"the tags are {tags}"
    if "Root-Is-Purelib: false" not in text:
        yield "WHEEL calls it pure Python"


def check_requirements(archive: zipfile.ZipFile, installed: pathlib.Path, info: str, beside: list):
    """METADATA is what was installed, and requires what is beside."""
    before = (installed / info / "METADATA").read_text()
    head, _, body = archive.read(f"{info}/METADATA").decode().partition("\n\n")
    lines = head.splitlines()
    for requirement in sorted({requirement for requirement, _, _ in beside}):
        if (line := f"Requires-Dist: {requirement}") in lines:
            lines.remove(line)
        else:
            yield f"METADATA does not require {requirement}"
    if "\n\n".join(["\n".join(lines), body]).rstrip() != before.rstrip():
        yield "METADATA differs from what was installed"


def check_contents(archive: zipfile.ZipFile, installed: pathlib.Path, info: str):
    """What was installed is there, byte for byte where it is no ELF file; what else is there, is bundled."""
    made_by_installer = {f"{info}/{name}" for name in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")}
    expected = {
        path.relative_to(installed).as_posix(): path
        for top in ("torch", info)
        for path in (installed / top).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    expected = {name: path for name, path in expected.items() if name not in made_by_installer}
    names = set(archive.namelist()) - {f"{info}/RECORD"}
    for name in sorted(expected.keys() - names):
        yield f"{name} is missing"
    for name in sorted(names - expected.keys()):
        if not re.fullmatch(r"torch/lib/(lib[a-z_]+-torch\.so(\.\d+)*|NOTICE\.txt)", name):
            yield f"{name} is nothing that was installed, and no bundled library"
    for name in sorted(names & expected.keys() - {f"{info}/WHEEL", f"{info}/METADATA"}):
        data = expected[name].read_bytes()
        if data[:4] != b"\x7fELF" and archive.read(name) != data:
            yield f"{name} differs from what was installed"


def check_bytes(archive: zipfile.ZipFile, store: str):
    """No file names anything in the store, and none is bytecode."""
    for name in archive.namelist():
        data = archive.read(name)
        if found := re.search(re.escape(store.encode()) + rb"/\w{32}-[\w.+-]*", data):
            yield f"{name} names {found[0].decode()}"
        if name.endswith(".pyc"):
            yield f"{name} is bytecode"


def check_shared_objects(root: pathlib.Path, ours: set[str], beside: list):
    """Every library is found by soname in torch/lib or beside through a DT_RPATH, or is the host's."""
    lib = root / "torch" / "lib"
    seen = 0
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        if path.read_bytes()[:4] != b"\x7fELF":
            continue
        seen += 1
        name = path.relative_to(root)
        text = subprocess.run(["readelf", "-dVW", path], capture_output=True, text=True, check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
        if "(RUNPATH)" in text:
            yield f"{name} has a RUNPATH"
        others = {
            library: root / folder
            for _, folder, stem in beside
            for library in needed
            if library.startswith(f"{stem}.so.")
        }
        ways = [
            posixpath.join("$ORIGIN", posixpath.relpath(folder, path.parent)).removesuffix("/.")
            for folder in dict.fromkeys([lib, *others.values()])
        ]
        if (rpath := re.findall(r"\(RPATH\).*\[(.*)\]", text)) != [":".join(ways)]:
            yield f"{name} has the RPATH {rpath}, expected is {':'.join(ways)}"
        if path.name.startswith(tuple(stem for _, _, stem in beside)):
            yield f"{name} belongs to another distribution"
        for library in needed:
            if library in others:
                continue
            if library not in HOST and not (lib / library).is_file():
                yield f"{name} needs {library}, which is neither in torch/lib nor the host's"
        # The loader stops the process where versions are asked of a library that is not needed.
        if stray := set(re.findall(r"File: (\S+)", text)) - set(needed):
            yield f"{name} wants versions of {sorted(stray)}, which it does not need"
        if path.parent == lib:
            if (soname := re.findall(r"\(SONAME\).*\[(.*)\]", text)) != [path.name]:
                yield f"{name} has the soname {soname}"
            if path.name not in ours and "-torch.so" not in path.name:
                yield f"{name} is a vendor's library under its public name"
    if len(ours) < 4 or seen < len(ours) + 3:
        yield f"there are only {seen} shared objects"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("--installed", type=pathlib.Path, required=True)
    parser.add_argument("--store", required=True)
    parser.add_argument("--beside", nargs=3, action="append", default=[], metavar=("REQUIREMENT", "FOLDER", "STEM"))
    options = parser.parse_args()
    with zipfile.ZipFile(options.wheel) as archive, tempfile.TemporaryDirectory() as folder:
        (info,) = {name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name}
        archive.extractall(folder)
        ours = {path.name for path in options.installed.glob("torch/lib/*.so*")}
        complaints = [
            *check_archive(archive),
            *check_record(archive, info),
            *check_names(options.wheel, archive, info),
            *check_requirements(archive, options.installed, info, options.beside),
            *check_contents(archive, options.installed, info),
            *check_bytes(archive, options.store),
            *check_shared_objects(pathlib.Path(folder), ours, options.beside),
        ]
        print(*complaints or [f"{len(archive.namelist())} files, no complaint"], sep="\n")
        sys.exit(1 if complaints else 0)


main()
