"""torch.distributed.tensor: tensors that lie on several processes."""

from torch._absent import rest_of
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh  # noqa: F401 - names of PyTorch's
from torch.distributed.tensor._api import (
    DTensor,
    _rebuilt,
    distribute_module,
    distribute_tensor,
    empty,
    full,
    ones,
    rand,
    randn,
    zeros,
)
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
from torch.distributed.tensor.placement_types import Partial, Placement, Replicate, Shard, _StridedShard
from torch.serialization import add_safe_globals

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

# What torch.save() writes of a DTensor.
add_safe_globals([_rebuilt, DTensorSpec, TensorMeta, DeviceMesh, Partial, Replicate, Shard, _StridedShard])

__getattr__, __dir__ = rest_of(__name__)
