"""The wheel as a file: what goes in, WHEEL and RECORD, and a zip that has the same bits each time."""

import base64
import csv
import hashlib
import io
import pathlib
import re
import shutil
import zipfile

# pip writes the first three itself, and RECORD is made anew.
OF_AN_INSTALLATION = {"INSTALLER", "REQUESTED", "direct_url.json", "RECORD"}
# The oldest time that a zip can say; the store's 1970 is before it.
TIME = (1980, 1, 1, 0, 0, 0)


def copy_installed(site: pathlib.Path, names: list[str], root: pathlib.Path):
    """Copies these folders of site-packages. Bytecode is left out: pip makes its own."""

    def unwanted(folder, entries):
        return [
            entry
            for entry in entries
            if entry == "__pycache__"
            or entry.endswith(".pyc")
            or folder.endswith(".dist-info")
            and entry in OF_AN_INSTALLATION
        ]

    for name in names:
        shutil.copytree(site / name, root / name, ignore=unwanted)
    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)  # the store's files are read-only


def write_metadata(info: pathlib.Path, platform: str, required: list[str] = ()):
    """Replaces the platform in the tag of WHEEL, and adds requirements. The rest of the metadata is as it was built."""
    wheel = info / "WHEEL"
    text, count = re.subn(r"(?m)^(Tag: [^-\n]+-[^-\n]+)-[^-\n]+$", rf"\1-{platform}", wheel.read_text())
    if count != 1:
        raise ValueError(f"{info.name}/WHEEL has {count} tags of the form a-b-c; expected is one")
    wheel.write_text(text)
    metadata = info / "METADATA"
    if required:
        head, blank, body = metadata.read_text().partition("\n\n")
        lines = [head.rstrip("\n"), *(f"Requires-Dist: {requirement}" for requirement in required)]
        metadata.write_text("\n".join(lines) + (blank + body or "\n"))


def require_absent(root: pathlib.Path, store: str):
    """ValueError where a file names a path of the store, that is with a hash; `store` alone is a word."""
    path_of_store = re.compile(re.escape(store.encode()) + rb"/[0-9a-z]{32}-[\w.+/-]*")
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        if found := path_of_store.search(path.read_bytes()):
            raise ValueError(f"{path.relative_to(root)} names {found[0].decode()}")


def digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def pack(root: pathlib.Path, info: str, out: pathlib.Path) -> pathlib.Path:
    """Writes OUT/<name>-<version>-<tag>.whl: sorted, the metadata last, one time stamp, two modes."""
    tag = re.search(r"(?m)^Tag: (.+)$", (root / info / "WHEEL").read_text())[1]
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{info.removesuffix('.dist-info')}-{tag}.whl"
    names = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
    names.sort(key=lambda name: (name.startswith(info), name))
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def add(name: str, data: bytes, executable: bool):
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: the modes count
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data, compresslevel=9)

        for name in names:
            data = (root / name).read_bytes()
            lines.writerow([name, digest(data), len(data)])
            add(name, data, bool((root / name).stat().st_mode & 0o100))
        lines.writerow([f"{info}/RECORD", "", ""])
        add(f"{info}/RECORD", record.getvalue().encode(), False)
    return wheel
