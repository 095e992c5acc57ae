"""The golden tables, one file per family. FAMILIES maps a family's name to its rows; OURS are the families of operators that
PyTorch does not have, whose answers are worked out by hand and whose gradients are judged by finite differences alone."""

import importlib
import pathlib

_MODULES = {
    path.stem: importlib.import_module(f"{__name__}.{path.stem}")
    for path in sorted(pathlib.Path(__file__).parent.glob("[a-z]*.py"))
}
FAMILIES = {family: module.ROWS for family, module in _MODULES.items()}
OURS = {family for family, module in _MODULES.items() if getattr(module, "OURS", False)}
