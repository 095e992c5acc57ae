"""DLPack: tensors to and from other libraries over the same memory."""

from __future__ import annotations

import enum

import torch
from torch import _C

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


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
    _check_exportable(tensor)
    return _C._to_dlpack(tensor, versioned, copied)  # refuses what has no memory


def _check_exportable(tensor):
    if tensor.layout != torch.strided:
        raise BufferError(f"Can't export tensors with layout other than torch.strided, got {tensor.layout}")
    if tensor.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if getattr(tensor, "is_conj", bool)():
        raise BufferError("Can't export tensors with the conjugate bit set")


def tensor_dlpack(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    """A DLPack capsule over the tensor's memory, or with copy=True over that of a copy. `max_version` is what the
    consumer understands: from (1, 0) on the capsule says its version. `dl_device`: where the consumer wants it, which
    copies unless it is there; with copy=False that is refused (ValueError). `stream`, of a tensor on a GPU: the
    consumer's, the address of a cudaStream_t, which waits for the current one; 1 is the default one, which None means;
    -1: it need not wait."""
    _check_exportable(self)
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if self.is_cpu and stream not in (None, -1):
        raise AssertionError("stream should be None on cpu.")
    if self.is_cuda:
        _check_stream(stream)
    if copy is not None and not isinstance(copy, bool):
        raise TypeError(f"__dlpack__(): argument 'copy' must be bool or None, not {type(copy).__name__}")
    versioned = max_version is not None and max_version[0] >= 1
    exported = self
    if dl_device is not None:
        target = _device_of(dl_device)
        if target != self.device:
            if copy is False:
                raise ValueError(f"cannot move (i.e. copy=False) tensor from {self.device} to {target} without copying")
            if target.type == "cuda" and not torch.cuda._is_compiled():
                raise NotImplementedError(
                    f"no tensor can be exported to {target}: Torch not compiled with CUDA enabled"
                )
            exported = self.to(target)
    if copy and exported is self:
        exported = self.clone()
    if exported.is_cuda:  # after what writes the copy
        _let_wait(stream, exported.device)
    return _exported(exported, versioned, exported is not self)


def _device_of(dl_device):
    """The torch.device of DLPack's (kind, index)."""
    kind, index = dl_device
    if kind == DLDeviceType.kDLCPU:
        return torch.device("cpu")
    if kind != DLDeviceType.kDLCUDA:
        raise BufferError(f"Unsupported device_type: {int(kind)}: torch exports to the CPU and to CUDA")
    return torch.device("cuda", index)


def _check_stream(stream):
    if stream == 2:
        raise BufferError("per-thread default stream is not supported.")
    if stream is not None and stream < 1 and stream != -1:
        raise AssertionError(
            f"unsupported stream on CUDA: {stream}: it is -1, None, 1 or the address of a cudaStream_t"
        )


def _let_wait(stream, device):
    """A consumer's stream waits for the current one of the tensor's device."""
    if stream == -1:
        return
    current = torch.cuda.current_stream(device)
    other = torch.cuda.ExternalStream(0 if stream in (None, 1) else stream, device)
    if other != current:
        other.wait_stream(current)


def tensor_dlpack_device(self):
    """DLPack's number of the kind of device, and the device's index; memory of the host that GPUs read is a kind of its
    own. ValueError for a tensor on the device meta."""
    if self.is_cuda:
        return DLDeviceType.kDLCUDA, self.device.index
    if not self.is_cpu:
        raise ValueError(f"Unknown device type {self.device.type} for Dlpack")
    return DLDeviceType.kDLCUDAHost if self.is_pinned() else DLDeviceType.kDLCPU, 0


def from_dlpack(ext_tensor: Any, *, device=None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of an object with `__dlpack__`, or of a capsule. `copy=True` makes a copy, `copy=False`
    refuses to; None copies where it must."""
    if not hasattr(ext_tensor, "__dlpack__"):
        if device is not None or copy is not None:
            raise AssertionError("device and copy kwargs not supported when ext_tensor is already a DLPack capsule.")
        return _C._from_dlpack(ext_tensor)[0]
    target = None
    if device is not None:
        place = torch.empty(0, device=device)  # raises where no tensor can be
        if place.is_meta:
            raise BufferError(f"Cannot pack tensors on {torch.device(device).type}")
        target = place.device
    kind, index = ext_tensor.__dlpack_device__()
    wishes = {}
    if kind == DLDeviceType.kDLCUDA:
        source = torch.empty(0, device=torch.device("cuda", index)).device  # raises where there is none
        wishes["stream"] = torch.cuda.current_stream(source).cuda_stream or 1
    elif kind in (DLDeviceType.kDLCPU, DLDeviceType.kDLCUDAHost):
        source = torch.device("cpu")
    else:
        raise BufferError(
            f"tensors on DLPack device {(int(kind), index)} cannot be used: only the CPU and CUDA are known"
        )
    if target not in (None, source):
        if copy is False:
            raise ValueError(f"cannot move DLPack tensor from device {source} to {target} without copying")
        return _consumed(ext_tensor, wishes).to(target)  # which copies already
    if target is not None:
        wishes["dl_device"] = (int(kind), index)
    return _consumed(ext_tensor, wishes, copy)


def _consumed(ext_tensor, wishes, copy=None):
    """A tensor over what `__dlpack__` gives. An object that knows fewer arguments is asked with fewer; then the copy that
    it could not be asked for is made here."""
    wishes["max_version"] = (1, 0)
    if copy is not None:
        wishes["copy"] = copy
    for unknown in (None, "max_version", "copy", "dl_device"):
        wishes.pop(unknown, None)
        try:
            capsule = ext_tensor.__dlpack__(**wishes)
        except TypeError:
            if unknown == "dl_device":
                raise
        else:
            break
    tensor = _C._from_dlpack(capsule)[0]
    return tensor.clone() if copy and "copy" not in wishes else tensor
