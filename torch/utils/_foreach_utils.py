"""Lists of tensors by device and dtype, for optimisers that work on lists."""

import torch


def _get_foreach_kernels_supported_devices():
    """The kinds of devices, besides the CPU, for which optimisers work on lists where nothing else is said."""
    return ["cuda", "xpu", "mtia", torch._C._get_privateuse1_backend_name()]


def _get_fused_kernels_supported_devices():
    """The kinds of devices with whole steps of optimisers."""
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", torch._C._get_privateuse1_backend_name()]


def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """{(device, dtype): (lists, places)} of lists of equal length: the first list's tensors say what belongs together;
    another list may have None. `places`: where in the lists they stood, where that is asked for, else []."""
    groups = {}
    first, *others = tensorlistlist
    for other in others:
        if len(other) not in (0, len(first)):
            raise RuntimeError(f"_group_tensors_by_device_and_dtype: lists of {len(first)} and {len(other)} tensors")
    for place, tensor in enumerate(first):
        lists, places = groups.setdefault((tensor.device, tensor.dtype), ([[] for _ in tensorlistlist], []))
        for made, given in zip(lists, tensorlistlist):
            if given:
                made.append(given[place])
        if with_indices:
            places.append(place)
    return groups


def _device_has_foreach_support(device):
    """Whether there are operators on lists for a device."""
    return device.type in (*_get_foreach_kernels_supported_devices(), "cpu")


def _has_foreach_support(tensors, device):
    """Whether there are operators on lists for tensors on a device."""
    return _device_has_foreach_support(device) and all(
        t is None or type(t) in (torch.Tensor, torch.nn.Parameter) for t in tensors
    )
