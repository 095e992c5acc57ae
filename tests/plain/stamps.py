"""Which machines have passed with the same inputs before, so that they need not be made again.

The inputs: the files of the checkout that a build or this test reads, the wheel, what is asked for, and Debian's release
file, which changes with its packages. What pip's index has is not known, so no stamp is good for longer than a week.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import time

from machine import checkout_files

WEEK = 7 * 24 * 3600
# A build reads none of these, but of tests/ what the machines run.
UNREAD = ("benchmarks/", "docs/", "examples/", "nix/", "templates/", "tests/", ".ci/")
READ = ("tests/plain/", "tests/test_tiny.py")


def folder() -> pathlib.Path:
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache, "torch-plain")


def is_read(name: str) -> bool:
    return name.startswith(READ) or not name.startswith(UNREAD)


def key(checkout: pathlib.Path, suite: str, release: str, wheel: pathlib.Path | None, asked: list) -> str:
    """A name for all that a suite's machine depends on."""
    files = {name: checkout / name for name in checkout_files(checkout) if is_read(name)}
    if wheel:
        files[wheel.name] = wheel
    found = hashlib.sha256(repr((suite, release, asked)).encode())
    for name, path in files.items():
        if path.is_symlink():
            content = os.readlink(path).encode()
        else:
            content = path.read_bytes() if path.is_file() else b""
        found.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return f"{suite}-{found.hexdigest()}"


@dataclasses.dataclass(frozen=True)
class Stamp:
    """What a machine's account was when it passed."""

    time: float
    passed: int
    has_wheel: bool

    @property
    def date(self) -> str:
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(self.time))


def find(name: str) -> Stamp | None:
    """The stamp of a run that passed within the last week."""
    try:
        stamp = Stamp(**json.loads((folder() / name).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return stamp if 0 <= time.time() - stamp.time < WEEK else None


def leave(name: str, passed: int, has_wheel: bool) -> None:
    folder().mkdir(parents=True, exist_ok=True)
    (folder() / name).write_text(json.dumps(dataclasses.asdict(Stamp(time.time(), passed, has_wheel))) + "\n")
