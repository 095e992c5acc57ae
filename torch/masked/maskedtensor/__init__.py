"""The class MaskedTensor, and what makes its instances."""

from torch.masked.maskedtensor.core import MaskedTensor, is_masked_tensor
