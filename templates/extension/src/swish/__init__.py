"""swish(x) = x * sigmoid(x), in one pass over the elements, with its gradient."""

import torch  # noqa: F401 - its types come before those made of them

from swish._C import swish

__all__ = ["swish"]
