"""What modules of devices share: the index that a `device` argument means."""

import torch


def device_index(device, kind):
    """The index that `device` names: an int, "cuda:1", torch.device("cuda", 1). None: the current device, that is -1.
    ValueError for a device of another kind, or of no index."""
    if device is None:
        return -1
    if isinstance(device, int):
        return device
    found = torch.device(device)
    if found.type != kind:
        raise ValueError(f"Expected a {kind} device, but got: {found}")
    if found.index is None:
        raise ValueError(f"Expected a device with an index, such as '{kind}:0', but got: {found}")
    return found.index
