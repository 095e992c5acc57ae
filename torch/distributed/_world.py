"""The groups that this process has joined: which there are, who is in them, and how they are made and left."""

from __future__ import annotations

import dataclasses
import datetime
import operator
import threading

import torch
from torch import _distributed as _thd
from torch.distributed._backends import Backend, BackendConfig, is_available
from torch.distributed._groups import ProcessGroup, ProcessGroupFake, ProcessGroupGloo, ProcessGroupMPI
from torch.distributed._options import _DistributedBackendOptions
from torch.distributed.constants import default_pg_nccl_timeout, default_pg_timeout
from torch.distributed.rendezvous import fitting, rendezvous

HashStore, PrefixStore = _thd.HashStore, _thd.PrefixStore
Backend._makers[Backend.FAKE] = ProcessGroupFake, False
_NOT_INITIALIZED = "Default process group has not been initialized: init_process_group() makes it"


@dataclasses.dataclass
class _Joined:
    """What is known of a group."""

    backend: str
    config: BackendConfig
    ranks: dict[int, int]  # global: in the group


class _Groups:
    def __init__(self):
        self.default = None
        self.joined: dict[ProcessGroup, _Joined] = {}
        self.count = 0


def _of_this_rank(name):
    return property(
        lambda self: getattr(self._groups(), name), lambda self, value: setattr(self._groups(), name, value)
    )


class _World:
    """All of them. Processes make groups in the same order, so a number names one for all. A thread that is a rank of its own
    (torch.distributed._threads) has groups of its own; all other threads have the process's."""

    def __init__(self):
        self._process, self._thread = _Groups(), threading.local()

    def _groups(self):
        return getattr(self._thread, "groups", self._process)

    default, joined, count = map(_of_this_rank, ("default", "joined", "count"))

    def enter(self):
        """From now on this thread has groups of its own."""
        self._thread.groups = _Groups()

    def leave(self):
        """This thread has the process's groups again."""
        del self._thread.groups


world = _World()


class _Meta(type):
    """`WORLD`, which comes and goes, of classes that have no instances."""

    @property
    def WORLD(cls):  # noqa: N802 - torch's name
        return world.default

    @WORLD.setter
    def WORLD(cls, group):  # noqa: N802
        world.default = group


class GroupMember(metaclass=_Meta):
    """WORLD: the default group, None before init_process_group(). NON_GROUP_MEMBER: what who is not in a new group gets."""

    NON_GROUP_MEMBER = -100


class group(metaclass=_Meta):  # noqa: N801 - torch's name
    """group.WORLD: the default group."""


# ---- questions ---------------------------------------------------------------------------------------------
def is_initialized() -> bool:
    """Whether the process has joined a group."""
    return world.default is not None


def default_group():
    """The default group. ValueError: there is none."""
    if world.default is None:
        raise ValueError(_NOT_INITIALIZED)
    return world.default


def is_outside(group) -> bool:
    """Whether `group` is what new_group() gives to processes that are not in it."""
    return group is GroupMember.NON_GROUP_MEMBER or (isinstance(group, int) and group == GroupMember.NON_GROUP_MEMBER)


def resolved(group):
    """The group that an argument means. ValueError: it is none."""
    if group is None:
        return default_group()
    if not isinstance(group, ProcessGroup):
        raise ValueError(f"a process group, or None for the default one, not {group!r}")
    return group


def _known(group):
    group = resolved(group)
    if group not in world.joined:
        raise ValueError("this is no process group that this process has joined")
    return world.joined[group]


def get_rank(group=None) -> int:
    """This process's place in the group; -1: it is not in it. ValueError before init_process_group()."""
    if is_outside(group):
        return -1
    if group is None or group is world.default:
        return default_group().rank()
    return get_group_rank(group, default_group().rank())


def get_world_size(group=None) -> int:
    """How many processes the group has; -1: this one is not in it."""
    return -1 if is_outside(group) else resolved(group).size()


def get_group_rank(group, global_rank: int) -> int:
    """The place in `group` of the process whose place in the default group is `global_rank`."""
    if group is world.default:  # None, too, while there is none
        return global_rank
    if not isinstance(group, ProcessGroup) or group not in world.joined:
        raise ValueError(f"{group} is no group that this process has joined by new_group()")
    ranks = world.joined[group].ranks
    if global_rank not in ranks:
        raise ValueError(f"rank {global_rank} of the default group is not in {group}")
    return ranks[global_rank]


def get_global_rank(group, group_rank: int) -> int:
    """The place in the default group of the process whose place in `group` is `group_rank`."""
    if group is world.default:  # None, too, while there is none
        return group_rank
    if not isinstance(group, ProcessGroup) or group not in world.joined:
        raise ValueError(f"{group} is no group that this process has joined by new_group()")
    for global_rank, rank in world.joined[group].ranks.items():
        if rank == group_rank:
            return global_rank
    raise ValueError(f"{group} has no rank {group_rank}")


def get_process_group_ranks(group) -> list[int]:
    """The places in the default group of the processes of `group`, in its order."""
    return list(_known(group).ranks)


def get_backend(group=None) -> Backend:
    """The name of what the group talks by."""
    return Backend(_known(group).backend)


def get_backend_config(group=None) -> str:
    """What talks for which device, as in "cpu:gloo"."""
    return str(_known(group).config)


def get_pg_count() -> int:
    """How many groups the process has made or helped to make, since it joined the default one."""
    return world.count


# ---- making and leaving ------------------------------------------------------------------------------------
def _checked_timeout(timeout, backend):
    if timeout is None:
        return default_pg_nccl_timeout or default_pg_timeout if backend == Backend.NCCL else default_pg_timeout
    if not isinstance(timeout, datetime.timedelta):
        raise TypeError(f"timeout must be a datetime.timedelta, not {timeout!r}")
    return timeout


def _made(backend, kind, store, rank, size, timeout, pg_options, ranks, name):
    if backend == Backend.GLOO:
        if isinstance(pg_options, ProcessGroupGloo._Options):
            timeout = pg_options
        return ProcessGroupGloo(store, rank, size, timeout)
    if backend == Backend.MPI and is_available(backend):
        return ProcessGroupMPI(store, rank, size, timeout)
    if backend == Backend.NCCL and is_available(backend):
        from torch.distributed._nccl import ProcessGroupNCCL

        options = pg_options if isinstance(pg_options, ProcessGroupNCCL.Options) else ProcessGroupNCCL.Options()
        options._timeout = timeout
        return ProcessGroupNCCL(store, rank, size, options)
    if backend in Backend._makers:
        make, extended = Backend._makers[backend]
        if not extended:
            return make(store, rank, size, timeout)
        options = _DistributedBackendOptions()
        options.store, options.group_rank, options.group_size = store, rank, size
        options.timeout, options.group_id, options.global_ranks_in_group = timeout, name, list(ranks)
        return make(options, pg_options)
    raise RuntimeError(f"Distributed package doesn't have {backend.upper()} built in")


def _join(ranks, rank, backend, store, timeout, pg_options, desc, device_id=None):
    """A group of `ranks` of the default group, in which this process has the place `rank`; None: it is not among them."""
    name = str(world.count)
    world.count += 1
    if rank is None:
        return GroupMember.NON_GROUP_MEMBER
    config = BackendConfig(backend)
    made = ProcessGroup(PrefixStore(f"{name}/", store), rank, len(ranks))
    kinds = {}  # one engine for each backend, whichever devices it serves
    for device, kind in config.get_device_backend_map().items():
        if not is_available(kind) and device != "cpu":
            continue  # of a device that is not there
        if kind == Backend.NCCL and str(backend) in ("", Backend.UNDEFINED) and not torch.cuda.device_count():
            continue  # nobody has asked for it
        if kind not in kinds:
            own = PrefixStore(f"{kind}/", made.get_group_store())
            kinds[kind] = _made(kind, device, own, rank, len(ranks), timeout, pg_options, ranks, name)
            inner = getattr(kinds[kind], "_group", None)
            if inner is not None:
                inner.name, inner.description = name, desc
        made._register_backend(device, kinds[kind])
        if device_id is not None and hasattr(kinds[kind], "eager_connect_single_device"):
            kinds[kind].eager_connect_single_device(device_id)
    made.group_name, made.group_desc, made.bound_device_id = name, desc, device_id
    kind = Backend(str(backend)) if ":" not in str(backend) else str(backend)
    shown = next(iter(config.get_device_backend_map().values())) if kind in ("", Backend.UNDEFINED) else kind
    world.joined[made] = _Joined(shown, config, {r: i for i, r in enumerate(ranks)})
    return made


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout: datetime.timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store=None,
    group_name: str = "",
    pg_options=None,
    device_id=None,
    _ranks: list[int] | None = None,
) -> None:
    """Joins the default group: all processes call this, and it returns when all have.

    Args:
        backend: "gloo", "mpi", "nccl", "cpu:gloo,cuda:nccl", or one that was registered; None: gloo for tensors of the CPU, and
            NCCL for those of GPUs where torch was built with it.
        init_method: how processes find each other, a URL (torch.distributed.rendezvous); "env://" where neither this nor
            `store` is given.
        timeout: how long operations wait for other ranks; 30 minutes, over NCCL alone 10.
        world_size, rank: how many processes there are, and which one this is; needed with `store`. Over MPI, mpirun says
            that, and `init_method` or `store` need not be given.
        store: keys and values that the processes share already.
        device_id: the GPU of this process; its communicator over NCCL is made at once, and not at its first use.

    ValueError: it has been called before, or what is given does not fit together.
    """
    if world.default is not None:
        raise ValueError("the default process group is there already: init_process_group() has been called before")
    if store is not None and init_method is not None:
        raise AssertionError("init_method and store both say how processes find each other: give one of them")
    timeout = _checked_timeout(timeout, str(backend or "").lower())
    backend = Backend(backend) if backend else Backend.UNDEFINED
    kinds = BackendConfig(backend).get_device_backend_map().values()
    for kind in kinds:
        if kind not in Backend.backend_list:
            raise ValueError(f"Invalid backend: '{kind}'")
    if Backend.MPI in kinds and is_available(Backend.MPI):
        from torch.distributed import _mpi

        rank, world_size = _mpi.place(rank, world_size)
        if store is None and init_method is None:
            store = _mpi.meeting_point(rank, world_size, timeout)
    if store is not None:
        if world_size <= 0:
            raise AssertionError("with a store, world_size must be given")
        if rank < 0:
            raise AssertionError("with a store, rank must be given")
        if rank >= world_size:
            raise ValueError(f"rank must be less than world_size, not {rank} of {world_size}")
    if store is None and backend == Backend.FAKE:
        store, rank = HashStore(), max(rank, 0)  # nobody else is there to be found
        if not rank < world_size:
            raise ValueError(f"rank must be 0 to world_size - 1, not {rank} of {world_size}")
    elif store is None:
        store, rank, world_size = next(rendezvous(init_method or "env://", rank, world_size, timeout=timeout))
        fitting(rank, world_size)
        store.set_timeout(timeout)
        store = PrefixStore("default_pg", store)
    made = _join(list(range(world_size)), rank, backend, store, timeout, pg_options, "default_pg", device_id)
    world.default = made


def new_group(
    ranks=None,
    timeout=None,
    backend=None,
    pg_options=None,
    use_local_synchronization: bool = False,
    group_desc=None,
    device_id: torch.device | None = None,
    sort_ranks: bool = True,
):
    """A group of some of the processes; all of them call this, or with use_local_synchronization those of `ranks` alone.

    Who is not in it gets GroupMember.NON_GROUP_MEMBER. `ranks`: places in the default group; None: all.
    """
    whole = default_group()
    known = world.joined[whole]
    if ranks is None:
        ranks = list(range(whole.size()))
    else:
        ranks = sorted(map(operator.index, ranks)) if sort_ranks else list(map(operator.index, ranks))
        if len(ranks) > whole.size():
            raise ValueError(f"a new group has ranks of the default group, which has {whole.size()}, not {len(ranks)}")
        for rank in ranks:
            if rank < 0 or rank >= whole.size():
                raise ValueError(f"a new group has ranks of the default group, 0 to {whole.size() - 1}, not {rank}")
        if len(set(ranks)) != len(ranks):
            raise ValueError(f"ranks of a group are different ones: {ranks}")
    mine = whole.rank()
    store = whole.get_group_store()
    if use_local_synchronization:
        # Those that are not in it do not come here, and count no group: its name is made of its ranks.
        if mine not in ranks:
            return None
        store = PrefixStore("ranks " + ",".join(map(str, ranks)), store)
        store = PrefixStore(str(store.add(f"rank {mine}", 1)), store)
    made = _join(
        ranks,
        ranks.index(mine) if mine in ranks else None,
        backend or known.backend,
        store,
        _checked_timeout(timeout, backend or known.backend),
        pg_options,
        group_desc or "undefined",
        device_id,
    )
    return made


def new_subgroups(group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None):
    """(this process's group, all groups): neighbours of the default group, group_size each."""
    size = get_world_size(group)
    if group_size is None:
        raise ValueError("group_size: how many processes a group has is not to be guessed without GPUs; give it")
    if group_size <= 0:
        raise ValueError(f"group_size must be positive, not {group_size}")
    if size < group_size:
        raise ValueError(f"group_size, {group_size}, must not exceed the world size, {size}")
    if size % group_size:
        raise ValueError(f"a world of {size} cannot be divided into groups of {group_size}")
    everyone = get_process_group_ranks(group)
    lists = [everyone[at : at + group_size] for at in range(0, size, group_size)]
    return new_subgroups_by_enumeration(lists, timeout, backend, pg_options, group_desc)


def new_subgroups_by_enumeration(ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None):
    """(this process's group or None, all groups) of lists of ranks, none of which is in two."""
    if not ranks_per_subgroup_list:
        raise ValueError("ranks_per_subgroup_list names no group")
    owners = {}
    for ranks in ranks_per_subgroup_list:
        for rank in ranks:
            if rank in owners:
                raise ValueError(f"rank {rank} is in two groups: {owners[rank]} and {ranks}")
            owners[rank] = ranks
    mine, groups = None, []
    for ranks in ranks_per_subgroup_list:
        made = new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
        groups.append(made)
        if get_rank() in ranks:
            mine = made
    return mine, groups


def split_group(parent_pg=None, split_ranks=None, timeout=None, pg_options=None, group_desc=None, backend=None):
    """The group of this process among the lists of `split_ranks`, places in `parent_pg`; None: it is in none of them."""
    if not split_ranks:
        raise ValueError("split_ranks names no group")
    parent = resolved(parent_pg)
    everyone = get_process_group_ranks(parent)
    for ranks in split_ranks:
        if any(not 0 <= rank < parent.size() for rank in ranks):
            raise ValueError(
                f"split_ranks are places in the group that is split, 0 to {parent.size() - 1}, not {ranks}"
            )
    found = None
    nccl = parent._backends.get("cuda")
    split = nccl.split(split_ranks, group_desc) if getattr(nccl, "supports_splitting", False) else None
    for ranks in split_ranks:
        made = new_group(
            [everyone[rank] for rank in ranks], timeout, backend or world.joined[parent].backend, pg_options,
            group_desc=group_desc, use_local_synchronization=True, sort_ranks=False,
        )  # fmt: skip
        if made is not None:
            found = made
    if split is not None:
        found._get_backend("cuda").adopt(split)
    return found


def shrink_group(ranks_to_exclude: list[int], group=None, shrink_flags: int = 0, pg_options=None):
    """A group without some of its processes, which need not answer any more. RuntimeError: the backend cannot do that; none
    of this torch's can. new_group() of the ranks that remain makes such a group."""
    whole = resolved(group)
    backend = whole._backend_of(None)
    if not getattr(backend, "supports_shrinking", False):
        raise RuntimeError(
            f"a group over {whole.name()} cannot be shrunk by ranks {sorted(ranks_to_exclude)}; new_group() makes one of the rest"
        )
    return backend.shrink(ranks_to_exclude, shrink_flags, pg_options)


def destroy_process_group(group=None) -> None:
    """Leaves a group; without one, all of them, the default group too. ValueError: it is none, or has been left."""
    if is_outside(group):
        return
    whole = resolved(group)
    if whole not in world.joined:
        raise ValueError("this is no process group that this process has joined")
    if group is None or group is world.default:
        for other in reversed(list(world.joined)):
            other.shutdown()
        world.default = None
        world.joined.clear()
        world.count = 0
    else:
        whole.shutdown()
        del world.joined[whole]
