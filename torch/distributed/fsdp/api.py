"""What FullyShardedDataParallel is told: how it divides, in which dtypes, and what its state dicts hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import torch
from torch.nn.modules.batchnorm import _BatchNorm

__all__ = [
    "BackwardPrefetch",
    "CPUOffload",
    "FullOptimStateDictConfig",
    "FullStateDictConfig",
    "LocalOptimStateDictConfig",
    "LocalStateDictConfig",
    "MixedPrecision",
    "OptimStateDictConfig",
    "ShardedOptimStateDictConfig",
    "ShardedStateDictConfig",
    "ShardingStrategy",
    "StateDictConfig",
    "StateDictSettings",
    "StateDictType",
]


class ShardingStrategy(Enum):
    """FULL_SHARD: whole parameters are let go of after forward and backward. SHARD_GRAD_OP: after backward. NO_SHARD: all
    ranks have all, as with DistributedDataParallel. HYBRID_SHARD, _HYBRID_SHARD_ZERO2: the first two within groups of
    ranks, and the third between them."""

    FULL_SHARD = auto()
    SHARD_GRAD_OP = auto()
    NO_SHARD = auto()
    HYBRID_SHARD = auto()
    _HYBRID_SHARD_ZERO2 = auto()


class BackwardPrefetch(Enum):
    """Whether the next module's parameters are gathered in backward before or after this one's gradients are computed; they
    are gathered beside that here in both cases."""

    BACKWARD_PRE = auto()
    BACKWARD_POST = auto()


@dataclass(frozen=True)
class MixedPrecision:
    """Dtypes of whole parameters, of gradients while they are added up (None: the first), and of buffers; None: as they are.

    cast_forward_inputs, cast_root_forward_inputs: inputs of a wrapped module, of the outermost one, get param_dtype.
    keep_low_precision_grads: accepted; gradients have their parameters' dtype. _module_classes_to_ignore: modules that
    auto_wrap_policy wraps by themselves, as they are.
    """

    param_dtype: torch.dtype | None = None
    reduce_dtype: torch.dtype | None = None
    buffer_dtype: torch.dtype | None = None
    keep_low_precision_grads: bool = False
    cast_forward_inputs: bool = False
    cast_root_forward_inputs: bool = True
    _module_classes_to_ignore: Sequence[type[torch.nn.Module]] = (_BatchNorm,)


@dataclass
class CPUOffload:
    """Whether parts lie in the CPU's memory, as those of CPU tensors do."""

    offload_params: bool = False


class StateDictType(Enum):
    """FULL_STATE_DICT: whole tensors. LOCAL_STATE_DICT: this rank's parts, as plain tensors. SHARDED_STATE_DICT: DTensors."""

    FULL_STATE_DICT = auto()
    LOCAL_STATE_DICT = auto()
    SHARDED_STATE_DICT = auto()


@dataclass
class StateDictConfig:
    """offload_to_cpu: tensors of the CPU."""

    offload_to_cpu: bool = False


@dataclass
class FullStateDictConfig(StateDictConfig):
    """rank0_only: the other ranks' state dicts are empty."""

    rank0_only: bool = False


@dataclass
class LocalStateDictConfig(StateDictConfig):
    """As StateDictConfig."""


@dataclass
class ShardedStateDictConfig(StateDictConfig):
    """_use_dtensor: accepted; parts are DTensors."""

    _use_dtensor: bool = False


@dataclass
class OptimStateDictConfig:
    """offload_to_cpu: tensors of the CPU."""

    offload_to_cpu: bool = True


@dataclass
class FullOptimStateDictConfig(OptimStateDictConfig):
    """rank0_only: the other ranks' state dicts are empty."""

    rank0_only: bool = False


@dataclass
class LocalOptimStateDictConfig(OptimStateDictConfig):
    """As OptimStateDictConfig."""

    offload_to_cpu: bool = False


@dataclass
class ShardedOptimStateDictConfig(OptimStateDictConfig):
    """_use_dtensor: accepted; parts are DTensors."""

    _use_dtensor: bool = False


@dataclass
class StateDictSettings:
    """What a module's state dicts hold now."""

    state_dict_type: StateDictType
    state_dict_config: StateDictConfig
    optim_state_dict_config: OptimStateDictConfig
