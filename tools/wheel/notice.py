"""Says in the wheel which libraries of others it brings, and under which licences."""

import pathlib

KNOWN = {
    "libblas": "OpenBLAS: BSD-3-Clause",
    "libopenblas": "OpenBLAS: BSD-3-Clause",
    "libhwy": "Highway: Apache-2.0 or BSD-3-Clause",
    "libhwy_contrib": "Highway: Apache-2.0 or BSD-3-Clause",
    "libdnnl": "oneDNN: Apache-2.0",
    "libgloo": "gloo: BSD-3-Clause",
    "libssl": "OpenSSL: Apache-2.0",
    "libcrypto": "OpenSSL: Apache-2.0",
    "libz": "zlib: Zlib",
    "libzstd": "Zstandard: BSD-3-Clause",
    "libgomp": "GCC's OpenMP runtime: GPL-3.0-or-later with the GCC Runtime Library Exception 3.1",
    "libgfortran": "GCC's Fortran runtime: GPL-3.0-or-later with the GCC Runtime Library Exception 3.1",
    "libquadmath": "GCC's quad-precision mathematics: LGPL-2.1-or-later",
}


def write(lib: pathlib.Path, bundled: dict[pathlib.Path, str], more: list[pathlib.Path] = ()):
    """Writes lib/NOTICE.txt: a line for each library, then the copyright files that came with them.

    `more` are the licences of what our own libraries contain, in folders of its name.

    ValueError for a library that nobody has looked at yet: add it to KNOWN.
    """
    lines = [
        "Libraries of others in this folder. Changed were only their names, and where",
        "they look for each other.",
        "",
    ]
    texts = {}
    for path, name in sorted(bundled.items(), key=lambda item: item[1]):
        stem = name.partition("-")[0]
        if stem not in KNOWN:
            raise ValueError(f"{path} would be bundled, and tools/wheel/notice.py does not know its licence")
        lines.append(f"  {name}  {KNOWN[stem]}")
        documents = path.parent.parent / "share" / "doc"
        texts |= {text.read_text(): name for text in sorted(documents.glob("*/copyright"))}
    texts |= {path.read_text(): f"{path.parent.name}, in libTH" for path in more}
    for text, name in texts.items():
        lines += ["", "-" * 80, name, "", text.rstrip()]
    (lib / "NOTICE.txt").write_text("\n".join(lines) + "\n")
