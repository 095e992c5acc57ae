"""What a C++ library exports, by mangled names: the functions that its headers mark with its macro (THPP_API).

The compiler says them. Where the macro makes each declaration an alias of one empty function, a file that includes the
headers defines every symbol that they promise, and needs none of the bodies. Constructors, destructors and static
members are functions, too. Of a class the macro marks the members, one by one; a class with virtual functions of which
others are derived is marked itself as well, and its virtual destructor, which brings its vtable and typeinfo.
Variables cannot be exported: the compiler refuses such an alias.
"""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile

from .errors import DeclarationError, Where

EMPTY = "torch_stub"


def read(folders, macro, include=(), compiler=None):
    """The symbols, sorted, of all headers below these folders that have the macro in them."""
    headers = [
        header.relative_to(folder)
        for folder in map(pathlib.Path, folders)
        for header in sorted(folder.rglob("*.h*"))
        if re.search(rf"\b{macro}\b", header.read_text())
    ]
    if not headers:
        raise DeclarationError(Where(str(folders[0]), 1), f"no header marks anything with {macro}")
    lines = [f'extern "C" void {EMPTY}() {{}}', *(f"#include <{header}>" for header in headers)]
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work, "exports.cpp")
        source.write_text("\n".join(lines) + "\n")
        made = source.with_suffix(".o")
        _run(
            [
                *shlex.split(compiler or os.environ.get("CXX", "g++")),
                *("-std=c++20", "-O0", "-w", "-fPIC", "-fvisibility=hidden", "-fno-sanitize=all"),
                f'-D{macro}=__attribute__((visibility("default"), alias("{EMPTY}")))',
                *(f"-I{path}" for path in (*folders, *include)),
                *("-c", str(source), "-o", str(made)),
            ],
            f"{macro} cannot be read from the headers in {', '.join(map(str, folders))}",
        )
        listed = _run([os.environ.get("NM", "nm"), str(made)], "the compiler's output cannot be read")
    names = {line.split()[2] for line in listed.splitlines() if re.match(r"[0-9a-f]+ T ", line)} - {EMPTY}
    if not names:
        place = Where(str(headers[0]), 1)
        raise DeclarationError(place, f"{macro} does not mean what it was given as: define it under #ifndef")
    return sorted(_real(names))


def _real(names):
    """Without what only aliases have, with what the compiler makes of them where they have bodies."""
    for name in names:
        # The complete constructor and that of a base (C1, C2) once more, under a name that no object has.
        if any(f"{kind}4E" in name and name.replace(f"{kind}4E", f"{kind}1E") in names for kind in "CD"):
            continue
        yield name
        if virtual := re.fullmatch(r"_Z(N.+)D0Ev", name):  # D0: what `delete` calls, of virtual destructors alone
            yield from (f"_Z{table}{virtual[1]}E" for table in ("TV", "TI", "TS"))


def _run(command, failure):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DeclarationError(Where(command[0], 1), f"{failure}: {shlex.join(command)}\n{done.stderr}")
    return done.stdout
