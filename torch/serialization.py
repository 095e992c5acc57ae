"""Objects with tensors in files: save writes PyTorch's zip format, load reads that and what came before it."""

import enum
import io
import os
import pickle
import re
import sys
import warnings
from collections.abc import Callable as _Callable
from mmap import MAP_PRIVATE, MAP_SHARED
from typing import Any

import torch
from torch._serialization import archive, files, legacy, unpickler, zipped
from torch._serialization.location import default_restore_location, location_tag, register_package
from torch._tensor import _get_layout

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.types import FileLike

__all__ = [
    "LoadEndianness",
    "SourceChangeWarning",
    "add_safe_globals",
    "clear_safe_globals",
    "default_restore_location",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "location_tag",
    "register_package",
    "safe_globals",
    "save",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
    "skip_data",  # noqa: F822 - by __getattr__
]
DEFAULT_PROTOCOL = 2
_layout_of_name = _get_layout  # pickles call it by the name that it has here

_UNSAFE = (
    "`weights_only` set to False loads every file, and lets it run whatever its author wrote into it: that is for files from a "
    "source that you trust."
)
_DOCS = "\n\nWhat `weights_only=True` loads by itself is said by help(torch.load)."


class SourceChangeWarning(Warning):
    """The source of a class in a file is not what it was. Raised no more: files keep no sources."""


# ---- options -----------------------------------------------------------------------------------------------
class LoadEndianness(enum.Enum):
    """Byte orders."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


_options = {"endianness": None, "crc32": True, "mmap": MAP_PRIVATE}


def get_default_load_endianness() -> "LoadEndianness | None":
    """The byte order of files that do not say theirs; None: little."""
    return _options["endianness"]


def set_default_load_endianness(endianness):
    """See get_default_load_endianness."""
    if not isinstance(endianness, LoadEndianness) and endianness is not None:
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    _options["endianness"] = endianness


def get_crc32_options() -> bool:
    """Whether save computes checksums, and load compares them."""
    return _options["crc32"]


def set_crc32_options(compute_crc32: bool):
    """See get_crc32_options."""
    _options["crc32"] = bool(compute_crc32)


def get_default_mmap_options() -> int | None:
    """How load(mmap=True) maps the file: MAP_PRIVATE, or MAP_SHARED, with which writing to a tensor writes to the
    file."""
    return _options["mmap"]


class set_default_mmap_options:  # noqa: N801 - PyTorch's name
    """See get_default_mmap_options. As a context manager it ends with the block."""

    def __init__(self, flags: int) -> None:
        if flags not in (MAP_PRIVATE, MAP_SHARED):
            raise ValueError(
                f"Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE or mmap.MAP_SHARED, "
                f"but got {flags}"
            )
        self._before, _options["mmap"] = _options["mmap"], flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception) -> None:
        _options["mmap"] = self._before


# ---- what weights_only=True may call -----------------------------------------------------------------------
_allowed = []


def _set_allowed(values):
    named = {}
    for value in values:
        if isinstance(value, tuple):
            if len(value) != 2:
                raise ValueError(
                    f"Expected tuple of length 2 (global, str of callable full path), but got tuple of length: {len(value)}"
                )
            if not isinstance(value[1], str):
                raise TypeError(
                    f"Expected second item in tuple to be str of callable full path, but got: {type(value[1])}"
                )
            named[value[1]] = value[0]
        else:
            named[f"{value.__module__}.{value.__qualname__}"] = value
    _allowed[:] = values
    unpickler.user_globals.clear()
    unpickler.user_globals.update(named)


def add_safe_globals(safe_globals: list[_Callable | tuple[_Callable, str]]) -> None:
    """Allows weights_only=True to use these classes and functions, or pairs of one and its full name in the file."""
    _set_allowed([*_allowed, *(value for value in safe_globals if value not in _allowed)])


def get_safe_globals() -> list[_Callable | tuple[_Callable, str]]:
    """What add_safe_globals has allowed."""
    return list(_allowed)


def clear_safe_globals() -> None:
    """Forgets what add_safe_globals has allowed."""
    _set_allowed([])


class safe_globals:  # noqa: N801 - PyTorch's name
    """Allows classes and functions inside a `with` block only."""

    def __init__(self, safe_globals):
        self._more = list(safe_globals)

    def __enter__(self):
        self._before = get_safe_globals()
        add_safe_globals(self._more)

    def __exit__(self, *exception):
        _set_allowed(self._before)


def get_unsafe_globals_in_checkpoint(f: "FileLike") -> list[str]:
    """Names of what a file would use and weights_only=True does not allow. Nothing of it is imported."""
    import pickletools

    with _opened(f) as file:
        if not _is_zip(file):
            raise ValueError("Expected input to be a checkpoint returned by torch.save")
        data = archive.Reader(file, file.tell(), get_crc32_options()).read("data.pkl")
    names = set()
    for operation, argument, _ in pickletools.genops(data):
        if operation.name == "GLOBAL":
            names.add(unpickler.full_name(*argument.split(" ", 1))[1])
    return sorted(name for name in names if not unpickler.is_allowed(name))


# ---- save --------------------------------------------------------------------------------------------------
def _is_path(f):
    return isinstance(f, (str, os.PathLike))


def save(
    obj: object,
    f: "FileLike",
    pickle_module: Any = pickle,
    pickle_protocol: int = DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Writes `obj` to a file, given by name, path or as an object with `write`. Tensors that share memory still do when
    they are loaded. A file given by name is complete or what it was before: it is written beside, brought to the disk
    and renamed. A file object is flushed."""
    if not _use_new_zipfile_serialization:
        raise NotImplementedError("the format before PyTorch 1.6 is read, not written")
    how = pickle_module, pickle_protocol, get_crc32_options(), not _disable_byteorder_record
    if _is_path(f):
        with files.replaced(os.fspath(f)) as file:
            zipped.save(obj, file, zipped.stem_of(f), *how)
    elif hasattr(f, "write"):
        zipped.save(obj, f, "archive", *how)
        if hasattr(f, "flush"):
            f.flush()
    else:
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")


# ---- load --------------------------------------------------------------------------------------------------
_SEEKABLE = (
    "You can only torch.load from a file that is seekable. One that is not can be read into an io.BytesIO first."
)


class _Borrowed:
    """A file object of the caller's, which stays open."""

    def __init__(self, file):
        self._file = file

    def __enter__(self):
        return self._file

    def __exit__(self, *exception):
        pass


def _opened(f):
    if _is_path(f):
        return open(f, "rb")
    for name in ("read", "seek", "tell"):
        if not hasattr(f, name):
            raise AttributeError(f"'{type(f).__name__}' object has no attribute '{name}'. {_SEEKABLE}")
    try:
        f.seek(f.tell())
    except io.UnsupportedOperation as error:
        raise io.UnsupportedOperation(f"{error}. {_SEEKABLE}") from None
    return _Borrowed(f)


def _is_zip(file):
    start = file.tell()
    head = file.read(4)
    file.seek(start)
    return head == b"PK\3\4"


def _flag(name):
    return os.environ.get(name, "0").lower() in ("1", "y", "yes", "true")


def _trust(weights_only, pickle_module):
    """Whether only weights are loaded."""
    force, force_not = _flag("TORCH_FORCE_WEIGHTS_ONLY_LOAD"), _flag("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
    if force and force_not:
        raise RuntimeError(
            "`TORCH_FORCE_WEIGHTS_ONLY_LOAD` and `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` contradict each other, and both were set."
        )
    if force:
        weights_only = True
    elif weights_only is None:
        weights_only = pickle_module is None
        if force_not:
            warnings.warn(
                "forcing weights_only=False: the environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD is set, and the call "
                "says nothing.",
                UserWarning,
                stacklevel=3,
            )
            weights_only = False
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    return weights_only


def _explained(message):
    """What an UnpicklingError of weights_only=True says."""
    if re.search(r"GLOBAL (\S+) was not an allowed global by default.", message):
        text = (
            f"Weights only load failed. Two ways are left to load the file.\n\t(1) {_UNSAFE}\n\t(2) `weights_only=True` "
            f"loads it when the names that it uses have been allowed one by one.\n\tWeightsUnpickler error: {message}"
        )
    elif re.search(r"whose module (\S+) is blocked", message):
        text = f"Weights only load failed. {_UNSAFE}\n\n\n{message}"
    else:
        text = f"Weights only load failed. {_UNSAFE}\nWeightsUnpickler error: {message}"
    return text + _DOCS


def load(
    f: "FileLike",
    map_location: _Callable[[Any, str], Any] | torch.device | str | dict[str, str] | None = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """The object in a file that torch.save has written, here or in PyTorch of any version.

    `f` is a name, a path or a seekable file object. `map_location` says where the storages of other devices go: a device
    or its name, a dict from names to names, or a function of a storage and its place. With `weights_only` (the default)
    a file can make tensors, numbers, texts and containers of them, and what torch.serialization.add_safe_globals allows;
    without it, whoever made the file runs code of his choice. `mmap`: the elements stay in the file until they are read
    for."""
    weights_only = _trust(weights_only, pickle_module)
    if weights_only and pickle_load_args:
        warnings.warn("pickle_load_args only works if `weights_only=False`.", stacklevel=2)
    pickle_load_args.setdefault("encoding", "utf-8")
    if _is_path(f) and os.fspath(f).endswith(".safetensors"):
        return _load_safetensors(os.fspath(f), map_location)
    try:
        with _opened(f) as file:
            return _load(f, file, map_location, pickle_module or pickle, weights_only, mmap, pickle_load_args)
    except pickle.UnpicklingError as error:
        if not weights_only:
            raise
        raise pickle.UnpicklingError(_explained(str(error))) from None


def _load(f, file, map_location, pickle_module, weights_only, mmap, pickle_args):
    base = file.tell()
    if not _is_zip(file):
        if mmap:
            raise RuntimeError(
                "mmap can only be used with files in the zip format: load this one without it, and save it again."
            )
        if legacy.is_tar(file):
            if weights_only:
                raise RuntimeError(
                    "Cannot use ``weights_only=True`` with files saved in the legacy .tar format. " + _UNSAFE
                )
            return legacy.load_tar(file, map_location, pickle_module, pickle_args)
        return legacy.load(file, map_location, weights_only, pickle_module, pickle_args)
    if mmap and not _is_path(f):
        raise ValueError("f must be a file path in order to use the mmap argument")
    reader = archive.Reader(file, base, get_crc32_options())
    if "constants.pkl" in reader:
        raise RuntimeError("this is a TorchScript archive, which this build of torch does not run")
    mapped = None
    if mmap:  # read when it is used: no checksums, they would read it all now
        shared = get_default_mmap_options() == MAP_SHARED
        mapped = torch.UntypedStorage.from_file(os.fspath(f), shared, file.seek(0, 2))
    endianness = get_default_load_endianness()
    order = {LoadEndianness.BIG: "big", LoadEndianness.NATIVE: sys.byteorder}.get(endianness, "little")
    return zipped.load(reader, map_location, mapped, order, weights_only, pickle_module, pickle_args)


def _load_safetensors(path, map_location):
    """A file of the safetensors library, by way of NumPy arrays; bfloat16, which NumPy lacks, from its bytes."""
    if map_location is not None and not isinstance(map_location, (str, bytes, torch.device)):
        raise RuntimeError(
            f"map_location for a safetensors file is a device or its name, not {type(map_location).__name__}"
        )
    from torch.utils import safetensors

    place = map_location.decode() if isinstance(map_location, bytes) else map_location
    return safetensors.load_file(path, "cpu" if place is None else place)


def __getattr__(name):
    from torch._serialization import names

    if name.startswith("__") or getattr(names, name, None) is None:
        raise AttributeError(f"module 'torch.serialization' has no attribute '{name}'")
    return getattr(names, name)
