"""What makes masked tensors."""

from torch import Tensor
from torch.masked.maskedtensor.core import MaskedTensor

__all__ = ["as_masked_tensor", "masked_tensor"]


def masked_tensor(data: Tensor, mask: Tensor, requires_grad: bool = False) -> MaskedTensor:
    """A masked tensor of a copy of `data`, whose elements count where `mask` is True. It is a leaf: no gradient flows to
    `data`."""
    return MaskedTensor(data, mask, requires_grad)


def as_masked_tensor(data: Tensor, mask: Tensor) -> MaskedTensor:
    """The same with history: gradients flow to the elements of `data` that count, and are 0 elsewhere."""
    return MaskedTensor._from_values(data, mask)
