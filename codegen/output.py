"""Writing generated files."""

import pathlib

_written = set()


def write(path, text):
    """Writes the text unless the file holds it already, so that builds see no change."""
    path = pathlib.Path(path)
    _written.add(path.resolve())
    data = text.encode()
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def remove_others(folder):
    """Removes the files of a folder that have not been written by this process: what an earlier one wrote for declarations
    that are gone since."""
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file() and path.resolve() not in _written:
            path.unlink()
