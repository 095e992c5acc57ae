"""Programs with their objects in one file: the modules that were written for them go along, others are named and found on
the machine that reads it. PyTorch's torch.package reads what is written here, and the other way round."""

from __future__ import annotations

from torch.package.file_structure_representation import Directory
from torch.package.glob_group import GlobGroup
from torch.package.importer import Importer, ObjMismatchError, ObjNotFoundError, OrderedImporter, sys_importer
from torch.package.package_exporter import EmptyMatchError, PackageExporter, PackagingError, PackagingErrorReason
from torch.package.package_importer import PackageImporter

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any


__all__ = [
    "Directory",
    "EmptyMatchError",
    "GlobGroup",
    "Importer",
    "ObjMismatchError",
    "ObjNotFoundError",
    "OrderedImporter",
    "PackageExporter",
    "PackageImporter",
    "PackagingError",
    "PackagingErrorReason",
    "is_from_package",
    "sys_importer",
]


def is_from_package(obj: Any) -> bool:
    """Whether an object, or the module of its class or function, comes from a package."""
    from torch.package.importer import is_mangled

    name = obj.__name__ if type(obj) is type(__import__("sys")) else getattr(obj, "__module__", type(obj).__module__)
    return is_mangled(name)
