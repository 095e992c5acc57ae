"""All parameters as one vector and back."""

from __future__ import annotations

from collections.abc import Iterable

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "parameters_to_vector",
    "vector_to_parameters",
]


def _same_device(parameter, device):
    """The device of all parameters so far. TypeError for another."""
    here = parameter.get_device() if parameter.is_cuda else -1
    if device is not None and here != device:
        raise TypeError("Found two parameters on different devices, this is currently not supported.")
    return here


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters, one after the other. TypeError if they are on several devices."""
    device, parts = None, []
    for parameter in parameters:
        device = _same_device(parameter, device)
        parts.append(parameter.reshape(-1))
    return torch.cat(parts)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Makes the parts of a vector the elements of the parameters, which share them then."""
    if not isinstance(vec, torch.Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {torch.typename(vec)}")
    device, start = None, 0
    for parameter in parameters:
        device = _same_device(parameter, device)
        parameter.data = vec[start : start + parameter.numel()].view_as(parameter).data
        start += parameter.numel()
