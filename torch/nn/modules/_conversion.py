"""Modules on other devices, of other dtypes, in shared memory: what changes every parameter and buffer alike."""

from collections.abc import Callable
from typing import Any, Self

import torch
from torch.nn.parameter import Parameter

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.nn.modules.module import Module


def parse_to(args, kwargs):
    """(device, dtype, non_blocking, memory_format) of the arguments of Module.to(). TypeError for others, RuntimeError
    for copy, which tensors' to() takes: a module is never copied."""
    device = dtype = memory_format = None
    non_blocking = False
    places = list(args)
    kwargs = dict(kwargs)
    if places and isinstance(places[0], torch.Tensor) or "tensor" in kwargs:
        other = places.pop(0) if places else kwargs.pop("tensor")
        device, dtype = other.device, other.dtype
    elif places and isinstance(places[0], torch.dtype):
        dtype = places.pop(0)
    else:
        if places:
            device = places.pop(0)
        if places:
            dtype = places.pop(0)
    if places:
        non_blocking = places.pop(0)
    copies = [places.pop(0)] if places else []
    if "copy" in kwargs:
        copies.append(kwargs.pop("copy"))
    device = kwargs.pop("device", device)
    dtype = kwargs.pop("dtype", dtype)
    non_blocking = kwargs.pop("non_blocking", non_blocking)
    memory_format = kwargs.pop("memory_format", None)
    known = dtype is None or isinstance(dtype, torch.dtype)
    if places or kwargs or not known or not all(isinstance(flag, bool) for flag in (non_blocking, *copies)):
        raise TypeError(
            "to() received an invalid combination of arguments: it takes (device=None, dtype=None, non_blocking=False), "
            "(dtype, non_blocking=False) or (tensor, non_blocking=False), and memory_format"
        )
    if copies:
        raise RuntimeError(".to() does not accept copy argument")
    return None if device is None else torch.device(device), dtype, non_blocking, memory_format


class ModuleConversion:
    """Part of Module: functions of all its tensors."""

    def _apply(self, fn, recurse=True):
        """Gives every parameter, gradient and buffer the elements of `fn` of it. Parameters stay the objects they are,
        unless they move to the device meta or from it, or torch.__future__ says otherwise."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        swap = torch.__future__.get_swap_module_params_on_conversion()
        overwrite = torch.__future__.get_overwrite_module_params_on_conversion()
        for name, parameter in self._parameters.items():
            if parameter is None:
                continue
            with torch.no_grad():
                converted = fn(parameter)
            gradient = parameter.grad
            if swap:  # whoever else holds the parameter finds the new one in it
                parameter.grad = None
                torch.utils.swap_tensors(parameter, Parameter(converted, parameter.requires_grad))
                kept = parameter
            elif (
                not overwrite
                and converted.is_meta == parameter.is_meta
                and type(converted.data) is type(parameter.data)
            ):
                if gradient is not None:
                    parameter.grad = None  # it may have to change its dtype with the parameter's
                parameter.data = converted
                kept = parameter
            else:
                kept = Parameter(converted, parameter.requires_grad)
                self._parameters[name] = kept
            if gradient is not None:
                with torch.no_grad():
                    converted = fn(gradient)
                kept.grad = converted.detach().requires_grad_(gradient.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn: "Callable[[Module], None]") -> Self:
        """Calls fn(module) for all submodules, those below first, and the module itself; returns it."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def cuda(self, device=None) -> Self:
        """Moves all parameters and buffers to a GPU, the current one by default; returns the module."""
        return self._apply(lambda t: t.cuda(device))

    def xpu(self, device=None) -> Self:
        """Moves all parameters and buffers to an XPU; returns the module."""
        return self._apply(lambda t: t.to(_place("xpu", device)))

    def ipu(self, device=None) -> Self:
        """Moves all parameters and buffers to an IPU; returns the module."""
        return self._apply(lambda t: t.to(_place("ipu", device)))

    def mtia(self, device=None) -> Self:
        """Moves all parameters and buffers to an MTIA device; returns the module."""
        return self._apply(lambda t: t.to(_place("mtia", device)))

    def cpu(self) -> Self:
        """Moves all parameters and buffers to the CPU; returns the module."""
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type) -> Self:
        """Converts all parameters and buffers to a dtype or type; returns the module."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Self:
        """Converts all floating parameters and buffers to float32; returns the module."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Self:
        """Converts all floating parameters and buffers to float64; returns the module."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Self:
        """Converts all floating parameters and buffers to float16; returns the module."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self) -> Self:
        """Converts all floating parameters and buffers to bfloat16; returns the module."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def to_empty(self, *, device: torch.device | str | int | None, recurse: bool = True) -> Self:
        """Moves all parameters and buffers to a device without their elements, which are uninitialised then; returns
        the module. So come modules from the device meta."""
        return self._apply(lambda t: torch.empty_like(t, device=device), recurse=recurse)

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Moves and converts all parameters and buffers, in place; returns the module.

            to(device=None, dtype=None, non_blocking=False)
            to(dtype, non_blocking=False)
            to(tensor, non_blocking=False)     the device and dtype of a tensor
            to(memory_format=torch.channels_last)

        Only floating and complex tensors are converted; TypeError for another dtype.
        """
        device, dtype, non_blocking, memory_format = parse_to(args, kwargs)
        if dtype is not None:
            if not (dtype.is_floating_point or dtype.is_complex):
                raise TypeError(
                    f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
                )
            if dtype.is_complex:
                import warnings

                warnings.warn(
                    "Complex modules are a new feature under active development: what modules do with complex numbers may "
                    "change",
                    stacklevel=2,
                )

        def convert(t):
            wanted = dtype if t.is_floating_point() or t.is_complex() else None
            try:
                if memory_format is not None and t.dim() in (4, 5):
                    return t.to(device, wanted, non_blocking, memory_format=memory_format)
                return t.to(device, wanted, non_blocking)
            except NotImplementedError as error:
                if "Cannot copy out of meta tensor" not in str(error):
                    raise
                raise NotImplementedError(
                    f"{error} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() for a module on meta."
                ) from None

        return self._apply(convert)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Sets requires_grad of all parameters; returns the module."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forgets the gradients of all parameters, or fills them with zeros."""
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
                continue
            if parameter.grad.grad_fn is not None:
                parameter.grad.detach_()
            else:
                parameter.grad.requires_grad_(False)
            parameter.grad.zero_()

    def share_memory(self) -> Self:
        """Moves all parameters and buffers to memory that other processes can map; returns the module."""
        return self._apply(lambda t: t.share_memory_())


def _place(kind, device):
    if device is None:
        return torch.device(kind)
    return torch.device(kind, device) if isinstance(device, int) else torch.device(device)
