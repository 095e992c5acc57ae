"""index.py FOLDER: writes wheels without contents, a local index of packages that ask for torch, beside a newer torch."""

import pathlib
import sys
import zipfile

PACKAGES = (
    ("asks-torch", "1.0", ["torch>=2.0,<99"]),
    ("asks-more", "1.0", ["torch>=2.14"]),
    ("torch", "99.0", []),
    ("typing_extensions", "4.15.0", []),
)


def write(folder, name, version, requirements):
    stem = f"{name.replace('-', '_')}-{version}"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        wanted = "".join(f"Requires-Dist: {requirement}\n" for requirement in requirements)
        archive.writestr(
            f"{stem}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{wanted}"
        )
        archive.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{stem}.dist-info/RECORD", "")


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir()
    for package in PACKAGES:
        write(target, *package)
