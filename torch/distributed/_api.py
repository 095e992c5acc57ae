"""The names of torch.distributed.distributed_c10d, gathered from where they are written."""

from __future__ import annotations

import enum
import os

from torch import _distributed as _thd
from torch._absent import rest_of
from torch.distributed import _collectives, _objects, _options, _world
from torch.distributed._collectives import (
    P2POp,
    all_gather,
    all_gather_coalesced,
    all_gather_into_tensor,
    all_gather_single,
    all_reduce,
    all_reduce_coalesced,
    all_to_all,
    all_to_all_single,
    barrier,
    batch_isend_irecv,
    breakpoint,  # noqa: A004 - torch's name
    broadcast,
    gather,
    irecv,
    isend,
    monitored_barrier,
    record_comm,
    recv,
    reduce,
    reduce_scatter,
    reduce_scatter_single,
    reduce_scatter_tensor,
    scatter,
    send,
)
from torch.distributed._groups import GroupName, ProcessGroup, ProcessGroupGloo, Work
from torch.distributed._objects import (
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from torch.distributed._options import (
    AllgatherOptions,
    AllreduceCoalescedOptions,
    AllreduceOptions,
    AllToAllOptions,
    BarrierOptions,
    BroadcastOptions,
    GatherOptions,
    ReduceOp,
    ReduceOptions,
    ReduceScatterOptions,
    ScatterOptions,
)
from torch.distributed._world import (
    Backend,
    BackendConfig,
    GroupMember,
    default_group as _get_default_group,
    destroy_process_group,
    get_backend,
    get_backend_config,
    get_global_rank,
    get_group_rank,
    get_node_local_rank,
    get_pg_count,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    init_process_group,
    is_initialized,
    new_group,
    new_subgroups,
    new_subgroups_by_enumeration,
    shrink_group,
    split_group,
    world as _joined_groups,
)

DistError, DistBackendError = _thd.DistError, _thd.DistBackendError
DistNetworkError, DistStoreError, QueueEmptyError = _thd.DistNetworkError, _thd.DistStoreError, _thd.QueueEmptyError
Store, HashStore, FileStore = _thd.Store, _thd.HashStore, _thd.FileStore
PrefixStore, TCPStore = _thd.PrefixStore, _thd.TCPStore
for _class in (Store, HashStore, FileStore, PrefixStore, TCPStore, ProcessGroup, ProcessGroupGloo):
    _class.__module__ = "torch.distributed"
_pg_map = _joined_groups.joined
GradBucket, Reducer = _thd.GradBucket, _thd.Reducer
for _class in (GradBucket, Reducer):
    _class.__module__ = "torch.distributed"


class DebugLevel(enum.IntEnum):
    """What TORCH_DISTRIBUTED_DEBUG says. With DETAIL ranks compare what they are about to do before each operation."""

    OFF, INFO, DETAIL = range(3)


def get_debug_level() -> DebugLevel:
    """As the environment says, or as it has been set."""
    return DebugLevel(_thd.debug_level())


def set_debug_level(level: DebugLevel) -> None:
    """Sets it, for operations that begin from now on. ValueError: there is no such level."""
    _thd.set_debug_level(int(DebugLevel(level)))


def set_debug_level_from_env() -> None:
    """Reads TORCH_DISTRIBUTED_DEBUG again. ValueError: it is none of OFF, INFO and DETAIL."""
    _thd.set_debug_level_from_environment()


def is_gloo_available() -> bool:
    """Whether groups can talk by gloo."""
    return True


def is_mpi_available() -> bool:
    """Whether groups can talk by MPI."""
    return False


def is_nccl_available() -> bool:
    """Whether groups can talk by NCCL."""
    return False


def is_ucc_available() -> bool:
    """Whether groups can talk by UCC."""
    return False


def is_xccl_available() -> bool:
    """Whether groups can talk by XCCL."""
    return False


def is_backend_available(backend: str) -> bool:
    """Whether groups can talk by `backend`, a name."""
    return _world.is_available(backend)


def is_torchelastic_launched() -> bool:
    """Whether torchrun has started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


def get_default_backend_for_device(device) -> str:
    """The name of what a group of tensors on `device` talks by."""
    kind = str(device).partition(":")[0]
    if kind not in Backend.default_device_backend_map:
        raise RuntimeError(f"no backend is known for the device {device}")
    return Backend.default_device_backend_map[kind]


class _ReduceOpOfOld:
    """The reductions under the name of 2018."""

    def __getattr__(self, name):
        return getattr(ReduceOp, name)


reduce_op = _ReduceOpOfOld()


def supports_complex(reduceOp: ReduceOp) -> bool:  # noqa: N803 - torch's name
    """Whether the reduction is one of complex numbers, too."""
    without = (ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PRODUCT, ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)
    return getattr(reduceOp, "op", reduceOp) not in without


__all__ = sorted(
    name
    for name in globals()
    if not name.startswith("_") and name not in ("annotations", "enum", "os", "rest_of", "reduce_op")
)
__getattr__, __dir__ = rest_of("torch.distributed.distributed_c10d")
