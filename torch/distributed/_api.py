"""The names of torch.distributed.distributed_c10d, gathered from where they are written."""

from __future__ import annotations

import enum

from torch import _distributed as _thd
from torch._absent import rest_of
from torch.distributed import _backends, _coalescing, _collectives, _objects, _world
from torch.distributed._backends import *  # noqa: F403
from torch.distributed._backends import BackendConfig, is_mpi_available, is_nccl_available
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
    reduce_op,  # noqa: F401 - distributed_c10d has it
    supports_complex,
)
from torch.distributed._world import (
    GroupMember,
    destroy_process_group,
    get_backend,
    get_backend_config,
    get_global_rank,
    get_group_rank,
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
_get_default_group, _rank_not_in_group, _get_group_size = _world.default_group, _world.is_outside, _world.get_world_size
_coalescing_manager, _CoalescingManager = _coalescing._coalescing_manager, _coalescing._CoalescingManager
_all_gather_base, _reduce_scatter_base = _collectives._all_gather_base, _collectives._reduce_scatter_base
_object_to_tensor, _tensor_to_object = _objects._object_to_tensor, _objects._tensor_to_object
_pg_map = _joined_groups.joined
GradBucket, Reducer = _thd.GradBucket, _thd.Reducer
for _class in (GradBucket, Reducer):
    _class.__module__ = "torch.distributed"


def _store_barrier(self, key, world_size, timeout=None):
    """Returns when `world_size` processes have called it with this key; then the key may be used again.

    DistStoreError: not all have within `timeout`, a timedelta; None: the store's.
    """
    if world_size < 1:
        raise ValueError(f"world_size must be at least 1, not {world_size}")
    came = self.add(f"{key}/came", 1)
    done = f"{key}/all {(came - 1) // world_size}"
    if came % world_size == 0:
        self.set(done, "")
    else:
        self.wait([done], *(() if timeout is None else (timeout,)))


_store_barrier.__name__, _store_barrier.__qualname__ = "barrier", "Store.barrier"
Store.barrier = _store_barrier


def _get_default_store() -> Store:
    """The store by which the processes of the default group found each other."""
    return _get_default_group().get_group_store()


def _get_process_group_name(pg: ProcessGroup) -> str:
    """A group's name."""
    return pg.group_name


def _set_pg_timeout(timeout, group: ProcessGroup | None = None) -> None:
    """How long a group's operations wait that name no timeout of their own; `timeout`: a timedelta."""
    _world.resolved(group).set_timeout(timeout)


def _get_pg_default_device(group: ProcessGroup | None = None):
    """The device whose tensors the group exchanges: the CPU, where it does."""
    return _world.resolved(group)._own_device()


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


__all__ = [  # noqa: PLE0604 - strings
    *_backends.__all__,
    "AllToAllOptions",
    "AllgatherOptions",
    "AllreduceCoalescedOptions",
    "AllreduceOptions",
    "BackendConfig",
    "BarrierOptions",
    "BroadcastOptions",
    "DebugLevel",
    "DistBackendError",
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "FileStore",
    "GatherOptions",
    "GradBucket",
    "GroupMember",
    "GroupName",
    "HashStore",
    "P2POp",
    "PrefixStore",
    "ProcessGroup",
    "ProcessGroupGloo",
    "QueueEmptyError",
    "ReduceOp",
    "ReduceOptions",
    "ReduceScatterOptions",
    "Reducer",
    "ScatterOptions",
    "Store",
    "TCPStore",
    "Work",
    "all_gather",
    "all_gather_coalesced",
    "all_gather_into_tensor",
    "all_gather_object",
    "all_gather_single",
    "all_reduce",
    "all_reduce_coalesced",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "batch_isend_irecv",
    "breakpoint",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_object",
    "get_backend",
    "get_backend_config",
    "get_debug_level",
    "get_global_rank",
    "get_group_rank",
    "get_pg_count",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "group",
    "init_process_group",
    "irecv",
    "is_initialized",
    "isend",
    "monitored_barrier",
    "new_group",
    "new_subgroups",
    "new_subgroups_by_enumeration",
    "record_comm",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_single",
    "reduce_scatter_tensor",
    "scatter",
    "scatter_object_list",
    "send",
    "send_object_list",
    "set_debug_level",
    "set_debug_level_from_env",
    "shrink_group",
    "split_group",
    "supports_complex",
]
if is_nccl_available():
    from torch.distributed._nccl import ProcessGroupNCCL  # noqa: F401

    __all__ += ["ProcessGroupNCCL"]

if is_mpi_available():
    from torch.distributed._groups import ProcessGroupMPI

    ProcessGroupMPI.__module__ = "torch.distributed"
    __all__.append("ProcessGroupMPI")

__getattr__, __dir__ = rest_of("torch.distributed.distributed_c10d")
