"""python -m tools.wheel SITE_PACKAGES --store DIR --out DIR

Makes the wheel of the package `torch` that is installed in the folder SITE_PACKAGES of a store output.
Needs patchelf. The last line of output is the name of the wheel; any mistake is said in one line.
"""

import argparse
import pathlib
import shutil
import sys
import tempfile

from . import archive, bundle, libraries, notice, platform_tag

PACKAGE = "torch"


def main():
    parser = argparse.ArgumentParser(prog="python -m tools.wheel", description=__doc__.splitlines()[2])
    parser.add_argument("site_packages", type=pathlib.Path)
    parser.add_argument("--store", required=True, help="the store's folder; the wheel may name nothing in it")
    parser.add_argument("--notice", type=pathlib.Path, action="append", default=[], help="a file for NOTICE.txt")
    parser.add_argument(
        "--beside",
        nargs=3,
        action="append",
        default=[],
        metavar=("REQUIREMENT", "FOLDER", "STEM"),
        help="the library STEM.so.* is not brought in: the distribution REQUIREMENT has it in site-packages/FOLDER",
    )
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()

    beside = [libraries.Beside(*given) for given in options.beside]
    site = options.site_packages.resolve()
    infos = sorted(site.glob(f"{PACKAGE}-*.dist-info"))
    if len(infos) != 1:
        raise ValueError(f"{site} holds {len(infos)} folders {PACKAGE}-*.dist-info; expected is one")
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        archive.copy_installed(site, [PACKAGE, infos[0].name], root)
        bundled = bundle.bundle(site / PACKAGE, root / PACKAGE, beside)
        required = bundle.relink(site / PACKAGE, root / PACKAGE, bundled, beside)
        notice.write(root / PACKAGE / "lib", bundled, options.notice)
        for path in libraries.shared_objects(root / PACKAGE):
            libraries.erase_dead(path, options.store)
        tag = platform_tag.lowest(libraries.shared_objects(root / PACKAGE), beside)
        archive.write_metadata(root / infos[0].name, tag, required)
        archive.require_absent(root, options.store)
        wheel = archive.pack(root, infos[0].name, options.out)
    for requirement in required:
        print(f"requires {requirement}")
    for original, name in sorted(bundled.items()):
        print(f"bundled {name} ({original.stat().st_size:,} bytes)")
    print(f"{wheel.name} ({wheel.stat().st_size:,} bytes)")


if not shutil.which("patchelf"):
    sys.exit("tools.wheel: patchelf is not in PATH")
try:
    main()
except (OSError, ValueError) as error:
    sys.exit(f"tools.wheel: {error}")
