"""torch.distributed.tensor: tensors that lie on several processes."""

from torch._absent import rest_of
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh  # noqa: F401 - names of PyTorch's
from torch.distributed.tensor._api import (
    DTensor,
    distribute_module,
    distribute_tensor,
    empty,
    full,
    ones,
    rand,
    randn,
    zeros,
)
from torch.distributed.tensor.placement_types import Partial, Placement, Replicate, Shard

__all__ = [
    "DTensor",
    "Partial",
    "Placement",
    "Replicate",
    "Shard",
    "distribute_module",
    "distribute_tensor",
    "empty",
    "full",
    "ones",
    "rand",
    "randn",
    "zeros",
]

__getattr__, __dir__ = rest_of(__name__)
