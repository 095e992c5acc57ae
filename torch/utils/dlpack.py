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
    consumer understands: from (1, 0) on the capsule says its version. `dl_device`: the tensor's own, or the CPU, (1, 0).
    `stream`, of a tensor on a GPU: the consumer's, the address of a cudaStream_t, which waits for the current one; 1 is
    the default one, which None means; -1: it need not wait."""
    if stream is not None and not isinstance(stream, int):
        raise TypeError("stream must be ``int`` or ``none``")
    if self.is_cpu and stream is not None and stream != -1:
        raise AssertionError("stream should be None on cpu.")
    if copy is not None and not isinstance(copy, bool):
        raise TypeError(f"__dlpack__(): argument 'copy' must be bool or None, not {type(copy).__name__}")
    if dl_device is not None:
        if tuple(dl_device) == (DLDeviceType.kDLCPU, 0):
            self = self.cpu()
        elif not self.is_cuda or tuple(dl_device) != tensor_dlpack_device(self):
            raise BufferError(f"a tensor on {self.device} cannot be exported to DLPack device {tuple(dl_device)}")
    if copy:
        self = self.clone()
    if self.is_cuda:  # after what writes the copy
        _let_wait(stream, self.device)
    versioned = max_version is not None and max_version[0] >= 1
    return _exported(self, versioned, bool(copy))


def _let_wait(stream, device):
    """A consumer's stream waits for the current one of the tensor's device."""
    if stream == -1:
        return
    if stream == 0:
        raise AssertionError("unsupported stream on CUDA: 0 could mean the default stream or the thread's own")
    with torch.cuda.device(device):
        current = torch.cuda.current_stream()
        other = torch.cuda.ExternalStream(0 if stream in (None, 1) else stream)
        if other != current:
            other.wait_stream(current)


def tensor_dlpack_device(self):
    """DLPack's number of the kind of device, and the device's index. ValueError for a tensor on the device meta."""
    if self.is_cuda:
        return DLDeviceType.kDLCUDA, self.device.index
    if not self.is_cpu:
        raise ValueError(f"Unknown device type {self.device.type} for Dlpack")
    return DLDeviceType.kDLCPU, 0


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor over the memory of an object with `__dlpack__`, or of a capsule. `copy=True` makes a copy, `copy=False`
    refuses to; None copies where it must."""
    target = None
    if device is not None:
        place = torch.empty(0, device=device)  # raises where no tensor can be
        if place.is_meta:
            raise BufferError(f"Cannot pack tensors on {torch.device(device).type}")
        target = tensor_dlpack_device(place)
    if hasattr(ext_tensor, "__dlpack__"):
        kind, index = ext_tensor.__dlpack_device__()
        wishes = {"max_version": (1, 0)}
        if kind == DLDeviceType.kDLCUDA:
            torch.empty(0, device=torch.device("cuda", index))  # raises where there is none
            wishes["stream"] = torch.cuda.current_stream(index).cuda_stream or 1
        elif kind not in (DLDeviceType.kDLCPU, DLDeviceType.kDLCUDAHost):
            raise BufferError(
                f"tensors on DLPack device {(int(kind), index)} cannot be used: only the CPU and CUDA are known"
            )
        if copy is not None:
            wishes["copy"] = copy
        if target is not None:
            wishes["dl_device"] = tuple(map(int, target))
        try:
            capsule = ext_tensor.__dlpack__(**wishes)
        except TypeError:  # an object of the time before max_version
            capsule = ext_tensor.__dlpack__(**({"stream": wishes["stream"]} if "stream" in wishes else {}))
            tensor, _ = _C._from_dlpack(capsule)
            return tensor.clone() if copy else tensor
    else:
        if device is not None or copy is not None:
            raise AssertionError("device and copy kwargs not supported when ext_tensor is already a DLPack capsule.")
        capsule = ext_tensor
    return _C._from_dlpack(capsule)[0]
