"""Where storages go: a file names the device of each ("cpu", "cuda:0"), `map_location` says what that means here."""

from __future__ import annotations

import torch

_packages = []  # (priority, tagger, deserializer)


def register_package(priority: int, tagger, deserializer):
    """Another kind of place: `tagger(storage)` returns its name or None, `deserializer(storage, location)` the storage
    there or None. Those of low priority are tried first."""
    _packages.append((priority, tagger, deserializer))
    _packages.sort(key=lambda package: package[0])


def location_tag(storage):
    """The place of a storage."""
    for _, tagger, _ in _packages:
        location = tagger(storage)
        if location:
            return location
    raise RuntimeError(f"don't know how to determine data location of {torch.typename(storage)}")


def default_restore_location(storage, location):
    """The storage in the place that a file names."""
    for _, _, deserializer in _packages:
        result = deserializer(storage, location)
        if result is not None:
            return result
    raise RuntimeError(
        f"don't know how to restore data location of torch.storage.UntypedStorage (tagged with {location})"
    )


def _tag(kind):
    return lambda storage: kind if storage.device.type == kind else None


def _on_cpu(storage, location):
    return storage if location == "cpu" else None


def _on_meta(storage, location):
    return torch.UntypedStorage(storage.nbytes(), device="meta") if location == "meta" else None


def _tag_cuda(storage):
    return str(storage.device) if storage.device.type == "cuda" else None


def _on_cuda(storage, location):
    if not isinstance(location, str) or not location.startswith("cuda"):
        return None
    if not torch.cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. "
            "map_location='cpu' brings it to the CPU."
        )
    device, count = torch.device(location), torch.cuda.device_count()
    if device.index is not None and device.index >= count:
        raise RuntimeError(
            f"Attempting to deserialize object on CUDA device {device.index} but torch.cuda.device_count() is {count}. "
            "map_location brings it to one of these."
        )
    return storage.cuda(device)


register_package(10, _tag("cpu"), _on_cpu)
register_package(20, _tag_cuda, _on_cuda)
register_package(22, _tag("meta"), _on_meta)


def restorer(map_location):
    """The function of a storage and its location that `map_location` means: None, a device or its name, a dict from
    names to names, or such a function itself."""
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(storage, map_location.get(location, location))
    if isinstance(map_location, (str, bytes)):
        name = map_location.decode() if isinstance(map_location, bytes) else map_location
        return lambda storage, location: default_restore_location(storage, name)
    if isinstance(map_location, torch.device):
        return lambda storage, location: default_restore_location(storage, str(map_location))

    def restore(storage, location):
        result = map_location(storage, location)
        return default_restore_location(storage, location) if result is None else result

    return restore


def as_untyped(storage):
    """What a restorer gave, checked."""
    if isinstance(storage, torch.TypedStorage):
        storage = storage.untyped()
    if not isinstance(storage, torch.UntypedStorage):
        raise TypeError(f"map_location must give a storage, got {type(storage).__name__}")
    return storage
