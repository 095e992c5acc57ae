"""The golden tables, one file per family. FAMILIES maps a family's name to its rows."""

import importlib
import pathlib

FAMILIES = {
    path.stem: importlib.import_module(f"{__name__}.{path.stem}").ROWS
    for path in sorted(pathlib.Path(__file__).parent.glob("[a-z]*.py"))
}
