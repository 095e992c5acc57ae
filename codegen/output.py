"""Writing generated files."""

import pathlib


def write(path, text):
    """Writes the text unless the file holds it already, so that builds see no change."""
    path = pathlib.Path(path)
    data = text.encode()
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
