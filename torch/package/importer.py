"""Where modules come from, and by which name an object is found there."""

from __future__ import annotations

import importlib
import pickle
from abc import ABC, abstractmethod

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


__all__ = ["Importer", "ObjMismatchError", "ObjNotFoundError", "OrderedImporter", "sys_importer"]


def is_mangled(name):
    """Whether it is the name of a module of a package that has been read: <torch_package_0>.module."""
    return name.startswith("<torch_package_")


def demangle(name):
    """The name that such a module has in its package."""
    if not is_mangled(name):
        return name
    _, separator, rest = name.partition(".")
    return rest if separator else ""


class ObjNotFoundError(Exception):
    """No module has an object under its own name."""


class ObjMismatchError(Exception):
    """A module has another object under that name."""


class Importer(ABC):
    """A place where modules come from."""

    modules: dict

    @abstractmethod
    def import_module(self, module_name: str) -> ModuleType:
        """The module of that name."""

    def get_name(self, obj: Any, name: str | None = None) -> tuple[str, str]:
        """(module's name, name there) by which `obj` is found here. ObjNotFoundError, ObjMismatchError."""
        if name is None:
            reduced = getattr(obj, "__reduce__", None)
            given = reduced() if reduced is not None and not isinstance(obj, type) and not callable(obj) else None
            name = given if isinstance(given, str) else getattr(obj, "__qualname__", None) or obj.__name__
        module_name = demangle(self.whichmodule(obj, name))
        try:
            found = self.import_module(module_name)
            for part in name.split("."):
                found = getattr(found, part)
        except (ImportError, KeyError, AttributeError):
            raise ObjNotFoundError(f"{obj} was not found as {module_name}.{name}") from None
        if found is not obj:
            raise ObjMismatchError(
                f"The object {obj} is not what {module_name}.{name} is in {self!r}: it comes from another importer"
            )
        return module_name, name

    def whichmodule(self, obj: Any, name: str) -> str:
        """The name of the module that has an object."""
        module = getattr(obj, "__module__", None)
        return module if module is not None else "__main__"


class _SysImporter(Importer):
    """What `import` finds."""

    def import_module(self, module_name):
        return importlib.import_module(module_name)

    def whichmodule(self, obj, name):
        return pickle.whichmodule(obj, name)

    def __repr__(self):
        return "sys_importer"


sys_importer = _SysImporter()


class OrderedImporter(Importer):
    """Several places, asked one after the other."""

    def __init__(self, *args) -> None:
        self._importers = list(args)

    def import_module(self, module_name: str) -> ModuleType:
        error = None
        for importer in self._importers:
            if not isinstance(importer, Importer):
                raise TypeError(f"{importer} is no Importer")
            try:
                return importer.import_module(module_name)
            except ModuleNotFoundError as missing:
                error = missing
        raise error or ModuleNotFoundError(module_name)

    def get_name(self, obj: Any, name: str | None = None) -> tuple[str, str]:
        for importer in self._importers:
            try:
                return importer.get_name(obj, name)
            except (ObjNotFoundError, ObjMismatchError) as missing:
                error = missing
        raise error

    def whichmodule(self, obj: Any, name: str) -> str:
        for importer in self._importers:
            module = importer.whichmodule(obj, name)
            if module != "__main__":
                return module
        return "__main__"

    def __repr__(self):
        return f"OrderedImporter{tuple(self._importers)}"
