"""Reads packages: their modules are modules of their own, under names that begin with <torch_package_0>."""

from __future__ import annotations

import builtins
import importlib
import importlib.machinery
import importlib.util
import io
import itertools
import linecache
import os
import pickle
import types

import torch
from torch.package.file_structure_representation import _create_directory_from_file_list
from torch.package.importer import Importer, OrderedImporter, sys_importer

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.package.file_structure_representation import Directory

_numbers = itertools.count()
# What a package may import from the machine although it names nothing.
_ALWAYS = ("torch", "builtins")


class _FolderReader:
    """A package that has been unpacked."""

    def __init__(self, folder):
        self._folder = os.fspath(folder)

    def get_all_records(self):
        names = []
        for folder, _, files in os.walk(self._folder):
            names += [os.path.relpath(os.path.join(folder, name), self._folder) for name in files]
        return names

    def has_record(self, name):
        return os.path.isfile(os.path.join(self._folder, name))

    def get_record(self, name):
        if not self.has_record(name):
            raise RuntimeError(f"{self._folder} has no file {name}")
        with open(os.path.join(self._folder, name), "rb") as file:
            return file.read()


class PackageImporter(Importer):
    """Modules and objects of a package: a file by name or as an object that can be read, or an unpacked folder.

    module_allowed: says of the name of a module that the package takes from the machine whether it may."""

    def __init__(self, file_or_buffer, module_allowed: Callable[[str], bool] = lambda module_name: True) -> None:
        if isinstance(file_or_buffer, (str, os.PathLike)) and os.path.isdir(file_or_buffer):
            self.filename, self.zip_reader = os.fspath(file_or_buffer), _FolderReader(file_or_buffer)
        else:
            named = isinstance(file_or_buffer, (str, os.PathLike))
            self.filename = os.fspath(file_or_buffer) if named else "<binary>"
            self.zip_reader = torch._C.PyTorchFileReader(file_or_buffer)
        self._mangle = f"<torch_package_{next(_numbers)}>"
        self.modules, self.last_map_location = {}, None
        self._files = set(self.zip_reader.get_all_records())
        self.extern_modules = self._lines(".data/extern_modules")
        for name in self.extern_modules:
            if not module_allowed(name):
                raise ImportError(f"package '{self.filename}' needs the external module '{name}', which is disallowed")
        self.patched_builtins = {**builtins.__dict__, "__import__": self.__import__}

    def _lines(self, record):
        return self.zip_reader.get_record(record).decode().splitlines() if record in self._files else []

    def id(self):
        """What the names of its modules begin with."""
        return self._mangle

    def python_version(self):
        """The version of Python that wrote it; None where that is not said."""
        found = self._lines(".data/python_version")
        return found[0].strip() if found else None

    def file_structure(self, *, include="**", exclude=()) -> Directory:
        """What it holds, a Directory."""
        return _create_directory_from_file_list(self.filename, sorted(self._files), include, exclude)

    # ---- modules -------------------------------------------------------------------------------------------
    def import_module(self, name: str, package=None):
        """A module of the package, or one of the machine that it says it needs."""
        if package is not None or name.startswith("."):
            name = importlib.util.resolve_name(name, package)
        return self._find(name)

    def _find(self, name):
        if name in self.modules:
            return self.modules[name]
        if self._is_external(name):
            self.modules[name] = importlib.import_module(name)
            return self.modules[name]
        parent, _, child = name.rpartition(".")
        if parent:
            holder = self._find(parent)
            if name in self.modules:
                return self.modules[name]
        path = self._source_of(name)
        if path is None and not self._is_folder(name):
            raise ModuleNotFoundError(
                f'No module named "{name}" in self-contained archive "{self.filename}", and it is none of the modules that '
                f"the archive takes from this machine: {self.extern_modules}",
                name=name,
            )
        module = self._make(name, path)
        if parent:
            setattr(holder, child, module)
        return module

    def _is_external(self, name):
        return any(name == known or name.startswith(known + ".") for known in (*self.extern_modules, *_ALWAYS))

    def _source_of(self, name):
        base = name.replace(".", "/")
        return next((path for path in (f"{base}/__init__.py", f"{base}.py") if path in self._files), None)

    def _is_folder(self, name):
        return any(path.startswith(name.replace(".", "/") + "/") for path in self._files)

    def _make(self, name, path):
        mangled = f"{self._mangle}.{name}"
        is_package = path is None or path.endswith("__init__.py")
        module = types.ModuleType(mangled)
        file = f"{self._mangle}.{path or name}"
        module.__dict__.update(__file__=file, __loader__=self, __torch_package__=True)
        module.__dict__["__builtins__"] = self.patched_builtins
        module.__package__ = mangled if is_package else mangled.rpartition(".")[0]
        module.__spec__ = importlib.machinery.ModuleSpec(mangled, self, is_package=is_package)
        if is_package:
            module.__path__ = [file]
        self.modules[name] = module
        if path is None:
            return module
        source = self.zip_reader.get_record(path).decode()
        linecache.lazycache(file, module.__dict__)
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        try:
            exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
        except BaseException:
            del self.modules[name]
            raise
        return module

    def __import__(self, name, globals=None, locals=None, fromlist=(), level=0):  # noqa: A002 - Python's names
        """What the import statement calls in the package's modules."""
        if level:
            package = (globals or {}).get("__package__") or ""
            package = package.removeprefix(self._mangle).removeprefix(".")
            name = importlib.util.resolve_name("." * level + name, package)
        module = self._find(name)
        if not fromlist:
            return self._find(name.partition(".")[0]) if not level else module
        for item in fromlist:
            if item != "*" and not hasattr(module, item) and hasattr(module, "__path__"):
                try:
                    self._find(f"{name}.{item}")
                except ModuleNotFoundError:
                    pass
        return module

    def get_source(self, module_name) -> str:
        """The source of a module."""
        name = module_name.removeprefix(self._mangle + ".")
        path = self._source_of(name)
        if path is None:
            raise ModuleNotFoundError(f"{self.filename} has no module {name}")
        return self.zip_reader.get_record(path).decode()

    # ---- resources -----------------------------------------------------------------------------------------
    def _path(self, package, resource):
        if "/" in resource or os.sep in resource:
            raise ValueError(f"{resource!r} is a path: the name of a file in {package!r} is expected")
        return f"{package.replace('.', '/')}/{resource}" if package else resource

    def load_binary(self, package: str, resource: str) -> bytes:
        """The bytes of a file in a package."""
        return self.zip_reader.get_record(self._path(package, resource))

    def load_text(self, package: str, resource: str, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The text of a file in a package."""
        return self.load_binary(package, resource).decode(encoding, errors)

    def load_pickle(self, package: str, resource: str, map_location=None) -> Any:
        """The object of a file in a package; its tensors go where `map_location` says, as in torch.load()."""
        from torch.serialization import _get_restore_location

        restore, storages, reduced = _get_restore_location(map_location), {}, {}
        importer = OrderedImporter(self, sys_importer)

        def storage_of(kind, key, place, numel):
            dtype = torch.uint8 if kind is torch.UntypedStorage else kind.dtype
            if key not in storages:
                data = bytearray(self.zip_reader.get_record(f".data/{key}.storage"))
                storage = torch.UntypedStorage(len(data))
                with memoryview(storage) as view:
                    view[:] = data
                storages[key] = restore(storage, place)
            return torch.storage.TypedStorage(wrap_storage=storages[key], dtype=dtype)

        def persistent_load(named):
            if not isinstance(named, tuple):
                raise RuntimeError(
                    f"{resource}: a tuple is expected where an object is named, got {type(named).__name__}"
                )
            kind, *data = named
            if kind == "storage":
                return storage_of(*data)
            if kind == "reduce_package":
                if len(data) == 2:
                    function, arguments = data
                    return function(self, *arguments)
                number, function, arguments = data
                if number not in reduced:
                    reduced[number] = function(self, *arguments)
                return reduced[number]
            raise RuntimeError(
                f"Unknown typename for persistent_load, expected 'storage' or 'reduce_package' but got '{kind}'"
            )

        class Unpickler(pickle.Unpickler):
            def find_class(self, module, name):
                if module in ("torch", "torch.storage") and name in torch.storage.TYPES:
                    return torch.storage.TYPES[name]
                found = importer.import_module(module)
                for part in name.split("."):
                    found = getattr(found, part)
                return found

        unpickler = Unpickler(io.BytesIO(self.load_binary(package, resource)))
        unpickler.persistent_load = persistent_load
        return unpickler.load()

    def __repr__(self):
        return f"PackageImporter({self.filename!r})"
