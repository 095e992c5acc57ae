"""DLPack: tensors to and from other libraries over the same memory."""

import enum

import torch
from torch import _C

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]


class DLDeviceType(enum.IntEnum):
    """DLPack's numbers of devices."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


def to_dlpack(tensor):
    """A capsule over the tensor's memory, for one consumer."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"_to_dlpack(): argument 'data' (position 1) must be Tensor, not {type(tensor).__name__}")
    return _exported(tensor, False, False)


def _exported(tensor, versioned, copied):
    if tensor.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if getattr(tensor, "is_conj", bool)():
        raise BufferError("Can't export tensors with the conjugate bit set")
    return _C._to_dlpack(tensor, versioned, copied)  # refuses what is not on the CPU


def tensor_dlpack(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    """A DLPack capsule over the tensor's memory, or with copy=True over that of a copy. `max_version` is what the
    consumer understands: from (1, 0) on the capsule says its version. `dl_device`: only the CPU, (1, 0). `stream` is
    for other devices."""
    if stream is not None and not isinstance(stream, int):
        raise TypeError("stream must be ``int`` or ``none``")
    if stream is not None and stream != -1:
        raise AssertionError("stream should be None on cpu.")
    if copy is not None and not isinstance(copy, bool):
        raise TypeError(f"__dlpack__(): argument 'copy' must be bool or None, not {type(copy).__name__}")
    if dl_device is not None:
        if tuple(dl_device) != (DLDeviceType.kDLCPU, 0):
            raise BufferError(f"a tensor on {self.device} cannot be exported to DLPack device {tuple(dl_device)}")
        self = self.cpu()
    versioned = max_version is not None and max_version[0] >= 1
    return _exported(self.clone() if copy else self, versioned, bool(copy))


def tensor_dlpack_device(self):
    """DLPack's number of the CPU, and 0. ValueError for a tensor elsewhere."""
    if not self.is_cpu:
        raise ValueError(f"Unknown device type {self.device.type} for Dlpack")
    return DLDeviceType.kDLCPU, 0


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor over the memory of an object with `__dlpack__`, or of a capsule. `copy=True` makes a copy, `copy=False`
    refuses to; None copies where it must."""
    if device is not None and not torch.empty(0, device=device).is_cpu:  # raises where no tensor can be
        raise BufferError(f"Cannot pack tensors on {torch.device(device).type}")
    if hasattr(ext_tensor, "__dlpack__"):
        kind, index = ext_tensor.__dlpack_device__()
        if kind == DLDeviceType.kDLCUDA:
            torch.empty(0, device="cuda")
        if kind != DLDeviceType.kDLCPU:
            raise BufferError(f"tensors on DLPack device {(int(kind), index)} cannot be used: only the CPU is known")
        wishes = {"max_version": (1, 0)}
        if copy is not None:
            wishes["copy"] = copy
        if device is not None:
            wishes["dl_device"] = (int(DLDeviceType.kDLCPU), 0)
        try:
            capsule = ext_tensor.__dlpack__(**wishes)
        except TypeError:  # an object of the time before max_version
            capsule = ext_tensor.__dlpack__()
            tensor, _ = _C._from_dlpack(capsule)
            return tensor.clone() if copy else tensor
    else:
        if device is not None or copy is not None:
            raise AssertionError("device and copy kwargs not supported when ext_tensor is already a DLPack capsule.")
        capsule = ext_tensor
    return _C._from_dlpack(capsule)[0]
