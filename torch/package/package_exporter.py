"""Writes packages: objects, files, and the modules that they need, each of which is taken along, left to the machine that
reads, mocked or refused, as the first pattern says that fits its name."""

from __future__ import annotations

import collections
import enum
import importlib.util
import io
import pickle
import pickletools
import platform
import sys
import types

import torch
from torch._serialization.location import location_tag
from torch.package.find_file_dependencies import find_files_source_depends_on
from torch.package.glob_group import GlobGroup
from torch.package.importer import Importer, OrderedImporter, demangle, is_mangled, sys_importer

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch.utils.hooks import RemovableHandle


__all__ = ["EmptyMatchError", "PackageExporter", "PackagingError", "PackagingErrorReason"]


class PackagingErrorReason(enum.Enum):
    """Why a module could not be packaged."""

    IS_EXTENSION_MODULE = "Module is a C extension module: only modules with a Python source go into packages."
    NO_DUNDER_FILE = "Module had no __file__ defined, so its source cannot be found."
    SOURCE_FILE_NOT_FOUND = "Module had a __file__, and there is no such file."
    DEPENDENCY_RESOLUTION_FAILED = "Dependency resolution failed."
    NO_ACTION = "Module did not match against any action pattern: say intern, extern or mock of it."
    DENIED = "Module was denied by a pattern."
    MOCKED_BUT_STILL_USED = "Module was mocked out, but is still being used by an object in the package."


class EmptyMatchError(Exception):
    """A pattern with allow_empty=False has fitted no module."""


class PackagingError(Exception):
    """Modules could not be packaged: `broken`, {name: reason}; `edges`, the pairs (who needs, what) in the order in which
    they were found."""

    def __init__(self, broken, edges=()) -> None:
        self.broken, self.edges = broken, list(edges)
        by_reason = collections.defaultdict(list)
        for name, (reason, context) in broken.items():
            by_reason[reason].append(f"    {name}" + (f"\n      Context: {context}" if context else ""))
        lines = [f"\n* {reason.value}\n" + "\n".join(names) for reason, names in by_reason.items()]
        super().__init__("".join(lines))


_MOCK = '''
"""Stands for modules that were left out of the package: names can be taken from it, and nothing can be done with them."""


class MockedObject:
    _name: str

    def __new__(cls, *args, **kwargs):
        if not kwargs.get("_suppress_err"):
            raise NotImplementedError(f"Object '{cls._name}' was mocked out during packaging: it cannot be used")
        return super().__new__(cls)

    def __init__(self, name: str, _suppress_err: bool):
        self.__dict__["_name"] = name

    def __repr__(self):
        return f"MockedObject({self._name})"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return MockedObject(f"{self._name}.{name}", _suppress_err=True)

    def _refuse(self, *args, **kwargs):
        raise NotImplementedError(f"Object '{self._name}' was mocked out during packaging: it cannot be used")

    __call__ = __setattr__ = __iter__ = __len__ = __getitem__ = __setitem__ = _refuse
'''
_MOCKED = """from _mock import MockedObject


def __getattr__(attr: str):
    if attr.startswith("__"):
        raise AttributeError(attr)
    return MockedObject(__name__ + "." + attr, _suppress_err=True)
"""
_Rule = collections.namedtuple("_Rule", "action patterns allow_empty used")


class PackageExporter:
    """A package to be written to a file, by name or as an object that can be written, in a with statement:

    with PackageExporter("model.pt") as exporter:
        exporter.intern("mine.**")
        exporter.extern("numpy.**")
        exporter.save_pickle("model", "model.pkl", model)
    """

    def __init__(self, f, importer: Importer | Sequence[Importer] = sys_importer, debug: bool = False) -> None:
        self.buffer = f
        self.importer = importer if isinstance(importer, Importer) else OrderedImporter(*importer)
        self._records, self._rules = {}, []
        self._modules, self._edges, self._broken = {}, [], {}
        self._storages, self._counter = {}, 0
        self._hooks = {"extern": [], "mock": [], "intern": []}

    # ---- rules ---------------------------------------------------------------------------------------------
    def _rule(self, action, include, exclude, allow_empty=True):
        self._rules.append(_Rule(action, GlobGroup(include, exclude=exclude), allow_empty, []))

    def intern(self, include, *, exclude=(), allow_empty: bool = True):
        """Modules of these names go into the package."""
        self._rule("intern", include, exclude, allow_empty)

    def extern(self, include, *, exclude=(), allow_empty: bool = True):
        """Modules of these names are those of the machine that reads the package."""
        self._rule("extern", include, exclude, allow_empty)

    def mock(self, include, *, exclude=(), allow_empty: bool = True):
        """Modules of these names are left out: they can be imported, and what is taken from them cannot be used."""
        self._rule("mock", include, exclude, allow_empty)

    def deny(self, include, *, exclude=()):
        """No module of these names may be needed."""
        self._rule("deny", include, exclude)

    def _register(self, action, hook):
        import torch.utils.hooks as hooks

        registered = collections.OrderedDict()
        handle = hooks.RemovableHandle(registered)
        registered[handle.id] = hook
        self._hooks[action].append(registered)
        return handle

    def register_extern_hook(self, hook) -> RemovableHandle:
        """Calls hook(self, name) for each module that is left to the machine; returns a handle with remove()."""
        return self._register("extern", hook)

    def register_mock_hook(self, hook) -> RemovableHandle:
        """The same for modules that are mocked."""
        return self._register("mock", hook)

    def register_intern_hook(self, hook) -> RemovableHandle:
        """The same for modules that go into the package."""
        return self._register("intern", hook)

    # ---- what goes in --------------------------------------------------------------------------------------
    def save_source_string(self, module_name: str, src: str, is_package: bool = False, dependencies: bool = True):
        """A module with this source."""
        self._modules[module_name] = "intern"
        self._write(_path_of(module_name, is_package), src.encode())
        if not dependencies:
            return
        package = module_name if is_package else module_name.rpartition(".")[0]
        try:
            needed = find_files_source_depends_on(src, package)
        except (SyntaxError, ImportError) as error:
            self._broken[module_name] = PackagingErrorReason.DEPENDENCY_RESOLUTION_FAILED, str(error)
            return
        for name, item in needed:
            below = f"{name}.{item}" if item else None
            found = below if below and self._is_module(below) else name
            self._edges.append((module_name, found))
            self._need(found)

    def save_source_file(self, module_name: str, file_or_directory: str, dependencies=True):
        """A module from a file, or a package from a folder."""
        import os

        path = os.fspath(file_or_directory)
        if not os.path.isdir(path):
            with open(path) as file:
                return self.save_source_string(module_name, file.read(), path.endswith("__init__.py"), dependencies)
        for folder, _, files in os.walk(path):
            for name in sorted(files):
                if name.endswith(".py"):
                    inner = os.path.relpath(os.path.join(folder, name), os.path.dirname(path)).removesuffix(".py")
                    parts = [module_name, *inner.split(os.sep)[1:]]
                    is_package = parts[-1] == "__init__"
                    with open(os.path.join(folder, name)) as file:
                        self.save_source_string(
                            ".".join(parts[:-1] if is_package else parts), file.read(), is_package, dependencies
                        )
        return None

    def save_module(self, module_name: str, dependencies=True):
        """A module that is loaded, by its name."""
        if not isinstance(module_name, str):
            raise TypeError(f"save_module() takes the name of a module, not {type(module_name).__name__}")
        self._intern(module_name, dependencies)

    def save_text(self, package: str, resource: str, text: str):
        """A file with text."""
        self.save_binary(package, resource, text.encode())

    def save_binary(self, package, resource, binary: bytes):
        """A file with bytes."""
        self._write(f"{package.replace('.', '/')}/{resource}" if package else resource, binary)

    def save_pickle(self, package: str, resource: str, obj: Any, dependencies: bool = True, pickle_protocol: int = 3):
        """A file with an object, whose classes and functions come from modules of the package or of the machine."""
        if pickle_protocol not in (3, 4):
            raise ValueError("pickle_protocol must be 3 or 4")
        data = io.BytesIO()
        _Pickler(self, data, pickle_protocol).dump(obj)
        self.save_binary(package, resource, data.getvalue())
        if not dependencies:
            return
        name = f"<{package}.{resource}>" if package else f"<{resource}>"
        for module in sorted(_modules_of(data.getvalue())):
            self._edges.append((name, module))
            self._need(module)
            if self._modules.get(module) == "mock":
                self._broken[module] = PackagingErrorReason.MOCKED_BUT_STILL_USED, f"used by {name}"

    def get_unique_id(self) -> str:
        """A number that no other resource has been given, as text."""
        self._counter += 1
        return str(self._counter)

    def _write(self, path, data):
        if path in self._records:
            if self._records[path] == data:
                return
            raise RuntimeError(f"Attempted to write two different files to {path} in the package")
        self._records[path] = data

    # ---- dependencies --------------------------------------------------------------------------------------
    def _is_module(self, name):
        try:
            module = self.importer.import_module(name)
        except Exception:
            return False
        return isinstance(module, types.ModuleType) and demangle(module.__name__) == name

    def _need(self, name):
        """Decides what becomes of a module."""
        name = demangle(name) if is_mangled(name) else name
        if name in self._modules:
            return
        if _is_left_to_the_machine(name):
            self._modules[name] = "extern"
            return
        for rule in self._rules:
            if rule.patterns.matches(name):
                rule.used.append(name)
                break
        else:
            self._modules[name] = "none"
            self._broken[name] = PackagingErrorReason.NO_ACTION, None
            return
        self._modules[name] = rule.action
        for registered in self._hooks.get(rule.action, ()):
            for hook in registered.values():
                hook(self, name)
        if rule.action == "intern":
            self._intern(name, True)
        elif rule.action == "deny":
            self._broken[name] = PackagingErrorReason.DENIED, None
        elif rule.action == "mock":
            self._write("_mock.py", _MOCK.encode())
            self._write(_path_of(name, self._has_modules_below(name)), _MOCKED.encode())

    def _has_modules_below(self, name):
        try:
            return hasattr(self.importer.import_module(name), "__path__")
        except Exception:
            return False

    def _intern(self, name, dependencies):
        self._modules[name] = "intern"
        try:
            module = self.importer.import_module(name)
        except ImportError as error:
            self._broken[name] = PackagingErrorReason.DEPENDENCY_RESOLUTION_FAILED, str(error)
            return
        parent = name.rpartition(".")[0]
        if parent:
            self._need(parent)
        source = _source_of(module)
        if isinstance(source, PackagingErrorReason):
            self._broken[name] = source, None
        else:
            self.save_source_string(name, source, hasattr(module, "__path__"), dependencies)

    def _named(self, action):
        return sorted(name for name, of in self._modules.items() if of == action)

    def externed_modules(self) -> list[str]:
        """The names of the modules that are left to the machine."""
        return self._named("extern")

    def interned_modules(self) -> list[str]:
        """The names of the modules in the package."""
        return self._named("intern")

    def mocked_modules(self) -> list[str]:
        """The names of the modules that are mocked."""
        return self._named("mock")

    def denied_modules(self) -> list[str]:
        """The names of the modules that are refused."""
        return self._named("deny")

    def get_rdeps(self, module_name: str) -> list[str]:
        """The names of what needs a module directly."""
        if module_name not in self._modules:
            return []
        return sorted({source for source, target in self._edges if target == module_name})

    def dependency_graph_string(self) -> str:
        """Who needs whom, in the language of Graphviz."""
        lines = "\n".join(f'"{source}" -> "{target}";' for source, target in self._edges)
        return f"digraph G {{\nrankdir = LR;\nnode [shape=box];\n{lines}\n}}\n"

    # ---- the file ------------------------------------------------------------------------------------------
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.close()

    def close(self):
        """Writes the file. PackagingError for modules that could not be packaged, EmptyMatchError for patterns with
        allow_empty=False that fitted none: nothing is written then."""
        if self._broken:
            raise PackagingError(self._broken, self._edges)
        for rule in self._rules:
            if not rule.allow_empty and not rule.used:
                raise EmptyMatchError(
                    f"Exporter did not match any modules to {rule.patterns}, which was marked as allow_empty=False"
                )
        from torch._serialization import archive, files, zipped

        def write(file, stem):
            writer = archive.Writer(file, stem)
            for path, data in self._records.items():
                writer.record(path, data)
            for key, storage in self._storages.values():
                with memoryview(storage.cpu()) as view:
                    writer.record(f".data/{key}.storage", view)
            writer.record(".data/extern_modules", "\n".join(self.externed_modules()).encode())
            writer.record(".data/python_version", platform.python_version().encode())
            writer.close()

        if hasattr(self.buffer, "write"):
            write(self.buffer, "archive")
        else:
            with files.replaced(str(self.buffer)) as file:
                write(file, zipped.stem_of(self.buffer))


def _path_of(name, is_package):
    return name.replace(".", "/") + ("/__init__.py" if is_package else ".py")


def _is_left_to_the_machine(name):
    top = name.partition(".")[0]
    return top == "torch" or top in sys.stdlib_module_names


def _source_of(module):
    """The source of a module, or why there is none."""
    loader = getattr(module, "__loader__", None)
    file = getattr(module, "__file__", None)
    if is_mangled(module.__name__):
        return loader.get_source(module.__name__)
    if file is None:
        return "" if hasattr(module, "__path__") else PackagingErrorReason.NO_DUNDER_FILE
    if file.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES)):
        return PackagingErrorReason.IS_EXTENSION_MODULE
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except OSError:
        return PackagingErrorReason.SOURCE_FILE_NOT_FOUND


def _modules_of(data):
    """The names of the modules that a pickle takes something from."""
    found, texts, memo = set(), [], {}
    for opcode, argument, _ in pickletools.genops(data):
        if opcode.name == "GLOBAL":
            found.add(argument.partition(" ")[0])
        elif opcode.name == "STACK_GLOBAL":
            found.add(texts[-2])
        elif opcode.name == "MEMOIZE":
            memo[len(memo)] = texts[-1] if texts else None
        elif opcode.name in ("BINGET", "LONG_BINGET") and isinstance(memo.get(argument), str):
            texts.append(memo[argument])
        elif isinstance(argument, str):
            texts.append(argument)
    return {demangle(name) for name in found}


class _Pickler(pickle._Pickler):
    """Names classes and functions by what the exporter's importer calls them."""

    dispatch = pickle._Pickler.dispatch.copy()

    def __init__(self, exporter, file, protocol):
        super().__init__(file, protocol=protocol)
        self.exporter = exporter

    def save_global(self, obj, name=None):
        module, name = self.exporter.importer.get_name(obj, name)
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + module.encode() + b"\n" + name.encode() + b"\n")
        self.memoize(obj)

    dispatch[types.FunctionType] = save_global

    def save_type(self, obj):
        if obj in (type(None), type(NotImplemented), type(...)):
            return self.save_reduce(
                type, ({type(None): None, type(NotImplemented): NotImplemented, type(...): ...}[obj],), obj=obj
            )
        return self.save_global(obj)

    dispatch[type] = save_type

    def persistent_id(self, obj):
        if torch.is_storage(obj) or isinstance(obj, torch.storage.TypedStorage):
            return self._storage(obj)
        if hasattr(obj, "__reduce_package__"):
            return "reduce_package", *obj.__reduce_package__(self.exporter)
        return None

    def _storage(self, obj):
        untyped = obj if isinstance(obj, torch.UntypedStorage) else obj.untyped()
        kept = self.exporter._storages
        key, _ = kept.setdefault(untyped._cdata, (str(len(kept)), untyped))
        if isinstance(obj, torch.storage.TypedStorage):
            cls, count = torch.storage.TYPES[obj.pickle_storage_type()], obj.size()
        else:
            cls, count = torch.UntypedStorage, untyped.nbytes()
        return "storage", cls, key, location_tag(untyped), count
