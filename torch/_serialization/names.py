"""What else programs ask of torch.serialization: old constants and questions about devices."""

from __future__ import annotations

import collections.abc
import sys
from tempfile import mkdtemp  # noqa: F401

import torch
from torch._serialization import location
from torch._storage.typed import DTYPES, TypedStorage
from torch.storage import UntypedStorage

SHORT_SIZE, INT_SIZE, LONG_SIZE = 2, 4, 4  # bytes, in the format before zip
MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001
STORAGE_KEY_SEPARATOR = ","
IS_WINDOWS = sys.platform == "win32"

STORAGE = TypedStorage | UntypedStorage
MAP_LOCATION = collections.abc.Callable[[STORAGE, str], STORAGE] | torch.device | str | dict[str, str] | None


class StorageType:
    """Says in a pickle which storage is meant. There are none here: pickles name the class."""

    def __new__(cls, name):
        raise NotImplementedError("torch.serialization.StorageType: pickles name the class of a storage here")


def check_module_version_greater_or_equal(module, req_version_tuple, error_if_malformed=True):
    """Whether `module.__version__` is at least `req_version_tuple`. RuntimeError for a version that cannot be compared."""
    try:
        parts = tuple(type(wanted)(part) for wanted, part in zip(req_version_tuple, module.__version__.split(".")))
        return parts >= tuple(req_version_tuple)
    except Exception as error:
        text = f"'{module.__name__}' module version is malformed: '{module.__version__}' is compared with {req_version_tuple}"
        if error_if_malformed:
            raise RuntimeError(text) from error
        import warnings

        warnings.warn(f"{text}; it is taken for a new one", stacklevel=2)
        return True


def normalize_storage_type(storage_type):
    """The class of a storage by the name that torch has for it: torch.cuda.FloatStorage is torch.FloatStorage."""
    return getattr(torch, storage_type.__name__)


def storage_to_tensor_type(storage):
    """The type of tensor over a storage: torch.FloatTensor of a torch.FloatStorage."""
    name = type(storage).__name__
    if name not in DTYPES:
        raise TypeError(f"there is no tensor type that belongs to {name}")
    return getattr(torch, name.replace("Storage", "Tensor"))


def validate_cuda_device(location):
    """The index of a CUDA device that a file names. RuntimeError where there is none."""
    if not torch.cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. "
            "map_location=torch.device('cpu') brings the storages to the CPU"
        )
    index = torch.device(location).index or 0
    if index >= torch.cuda.device_count():
        raise RuntimeError(
            f"Attempting to deserialize object on CUDA device {index} but torch.cuda.device_count() is "
            f"{torch.cuda.device_count()}"
        )
    return index


def validate_hpu_device(location):
    """RuntimeError: there is no HPU."""
    raise RuntimeError(
        "The HPU device module is not registered. map_location=torch.device('cpu') brings the storages to the CPU"
    )


def _get_restore_location(map_location):
    """The function (storage, place) -> storage that `map_location` means."""
    return location.default_restore_location if map_location is None else location.restorer(map_location)


class skip_data:  # noqa: N801 - PyTorch's name
    """A context in which torch.save leaves the place of storages empty: the file has its size, and zeros."""

    def __init__(self, materialize_fake_tensors: bool = False) -> None:
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self):
        from torch._serialization import zipped

        self._before, zipped.leave_empty = zipped.leave_empty, True

    def __exit__(self, *error):
        from torch._serialization import zipped

        zipped.leave_empty = self._before
        return False
