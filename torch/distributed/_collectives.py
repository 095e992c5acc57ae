"""Collective operations of tensors, in a group of which `group=None` means the default one.

Each returns when it is done, or with async_op=True at once, with a Work: work.wait(). A process that is not in the group
gets a warning and None. Ranks named src, dst and peer are those of the default group; group_src, group_dst and group_peer
those of the group.
"""

from __future__ import annotations

import contextlib
import datetime
import warnings

import torch
from torch.distributed import _options
from torch.distributed._coalescing import begun_together, gathers
from torch.distributed._options import ReduceOp
from torch.distributed._world import default_group, get_group_rank, get_rank, is_outside, resolved, world


def _outside(group, operation):
    if not is_outside(group):
        return False
    warnings.warn(f"{operation}: rank {get_rank()} is not in the group that is given, and does nothing", stacklevel=3)
    return True


def _check_tensor(tensor, name):
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"`{name}` must be a torch.Tensor, not {type(tensor).__name__}")


def _check_tensors(tensors, name):
    if not isinstance(tensors, list) or not all(isinstance(t, torch.Tensor) for t in tensors):
        kinds = sorted({type(t).__name__ for t in tensors}) if isinstance(tensors, (list, tuple)) else []
        raise TypeError(
            f"`{name}` must be a list of torch.Tensor, not {type(tensors).__name__} of {', '.join(kinds) or 'none'}"
        )


def _place(group, rank, group_rank, word, first=None):
    """The place in the group that two arguments name, of which one is given; `first`: where neither is."""
    if rank is not None and group_rank is not None:
        raise ValueError(f"{word} and group_{word} name the same rank: give one of them")
    if group_rank is not None:
        return group_rank
    if rank is None:
        if first is None:
            raise ValueError(f"{word} or group_{word} must be given")
        rank = first
    return rank if group is world.default else get_group_rank(group, rank)


def _finish(work, async_op):
    manager = gathers()
    if manager is not None:
        manager.append(work)
        return None
    if async_op:
        return work
    if work is not None:
        work.wait()
    return None


def _asked(options, async_op, **values):
    made = options()
    made.asyncOp = async_op or gathers() is not None
    for name, value in values.items():
        setattr(made, name, value)
    return made


def broadcast(tensor, src=None, group=None, async_op: bool = False, group_src=None):
    """src's tensor, for all."""
    group = resolved(group) if not is_outside(group) else group
    if _outside(group, "broadcast"):
        return None
    _check_tensor(tensor, "tensor")
    root = _place(group, src, group_src, "src")
    return _finish(group.broadcast([tensor], _asked(_options.BroadcastOptions, async_op, rootRank=root)), async_op)


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op: bool = False):
    """What all ranks' tensors add up to (or what `op` says), for all, in place. Ranks get the same bits."""
    if _outside(group, "all_reduce"):
        return None
    _check_tensor(tensor, "tensor")
    work = resolved(group).allreduce([tensor], _asked(_options.AllreduceOptions, async_op, reduceOp=op))
    return _finish(work, async_op)


def all_reduce_coalesced(tensors, op=ReduceOp.SUM, group=None, async_op: bool = False):
    """all_reduce() of several tensors of one dtype at once. With async_op a Future, of the tensors."""
    tensors = [tensors] if isinstance(tensors, torch.Tensor) else tensors
    if _outside(group, "all_reduce_coalesced"):
        return None
    _check_tensors(tensors, "tensor")
    options = _asked(_options.AllreduceCoalescedOptions, async_op, reduceOp=op)
    work = _finish(resolved(group).allreduce_coalesced(tensors, options), async_op)
    return work and work.get_future()


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op: bool = False, group_dst=None):
    """all_reduce() whose result dst alone gets."""
    group = resolved(group) if not is_outside(group) else group
    if _outside(group, "reduce"):
        return None
    _check_tensor(tensor, "tensor")
    root = _place(group, dst, group_dst, "dst")
    options = _asked(_options.ReduceOptions, async_op, reduceOp=op, rootRank=root)
    return _finish(group.reduce([tensor], options), async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """tensor_list[r]: rank r's tensor, which may have sizes of its own."""
    if _outside(group, "all_gather"):
        return None
    _check_tensors(tensor_list, "tensor_list")
    _check_tensor(tensor, "tensor")
    work = resolved(group).allgather([tensor_list], [tensor], _asked(_options.AllgatherOptions, async_op))
    return _finish(work, async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """all_gather() of tensors of one size into one tensor, joined or stacked along its first dimension."""
    if _outside(group, "all_gather_into_tensor"):
        return None
    _check_tensor(input_tensor, "input_tensor")
    _check_tensor(output_tensor, "output_tensor")
    work = resolved(group)._allgather_base(output_tensor, input_tensor, _asked(_options.AllgatherOptions, async_op))
    return _finish(work, async_op)


all_gather_single = all_gather_into_tensor


def _all_gather_base(output_tensor, input_tensor, group=None, async_op=False):
    """all_gather_into_tensor(), by its name of 2021."""
    return all_gather_into_tensor(output_tensor, input_tensor, group, async_op)


def all_gather_coalesced(output_tensor_lists, input_tensor_list, group=None, async_op: bool = False):
    """all_gather() of each of several tensors: output_tensor_lists[r][i] is rank r's tensor i. With async_op a Future."""
    if _outside(group, "all_gather_coalesced"):
        return None
    _check_tensors(input_tensor_list, "input_tensor_list")
    if not isinstance(output_tensor_lists, list):
        raise RuntimeError("output_tensor_lists must be a list, one of tensors for each rank")
    group = resolved(group)
    works = []
    for i, tensor in enumerate(input_tensor_list):
        received = [tensors[i] for tensors in output_tensor_lists]
        works.append(group.allgather([received], [tensor], _asked(_options.AllgatherOptions, async_op)))
    for work in [] if async_op else works:
        work.wait()
    if not async_op:
        return None
    all_of_them = torch.futures.collect_all([work.get_future() for work in works])
    return all_of_them.then(lambda done: [one.wait() for one in done.value()] and output_tensor_lists)


def _of_root(group, root, tensors, name, what):
    """[the list of tensors that root alone gives]; [] of other ranks."""
    if tensors:
        _check_tensors(tensors, name)
    if group.rank() == root:
        if not tensors:
            raise ValueError(f"{name} must be given where tensors {what}")
    elif tensors:
        raise ValueError(f"{name} is given where tensors {what} alone")
    return [tensors] if tensors else []


def gather(tensor, gather_list=None, dst=None, group=None, async_op: bool = False, group_dst=None):
    """At dst, gather_list[r]: rank r's tensor. Others give no list."""
    group = resolved(group) if not is_outside(group) else group
    if _outside(group, "gather"):
        return None
    _check_tensor(tensor, "tensor")
    root = _place(group, dst, group_dst, "dst", 0)
    received = _of_root(group, root, gather_list, "gather_list", "are gathered")
    return _finish(group.gather(received, [tensor], _asked(_options.GatherOptions, async_op, rootRank=root)), async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op: bool = False, group_src=None):
    """tensor: src's scatter_list[rank]. Others give no list."""
    group = resolved(group) if not is_outside(group) else group
    if _outside(group, "scatter"):
        return None
    _check_tensor(tensor, "tensor")
    root = _place(group, src, group_src, "src", 0)
    sent = _of_root(group, root, scatter_list, "scatter_list", "come from")
    return _finish(group.scatter([tensor], sent, _asked(_options.ScatterOptions, async_op, rootRank=root)), async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op: bool = False):
    """output: what ranks' input_list[rank] add up to."""
    if _outside(group, "reduce_scatter"):
        return None
    _check_tensor(output, "output")
    _check_tensors(input_list, "input_list")
    options = _asked(_options.ReduceScatterOptions, async_op, reduceOp=op)
    return _finish(resolved(group).reduce_scatter([output], [input_list], options), async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op: bool = False):
    """reduce_scatter() of the parts of one tensor, as many as there are ranks."""
    if _outside(group, "reduce_scatter_tensor"):
        return None
    _check_tensor(output, "output")
    _check_tensor(input, "input")
    options = _asked(_options.ReduceScatterOptions, async_op, reduceOp=op)
    return _finish(resolved(group)._reduce_scatter_base(output, input, options), async_op)


reduce_scatter_single = reduce_scatter_tensor


def _reduce_scatter_base(output, input, op=ReduceOp.SUM, group=None, async_op: bool = False):
    """reduce_scatter_tensor(), by its name of 2021."""
    return reduce_scatter_tensor(output, input, op, group, async_op)


def all_to_all_single(
    output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op: bool = False
):
    """Rows of `input` go to the ranks, as many to each or as input_split_sizes says; those that come make up `output`."""
    if _outside(group, "all_to_all_single"):
        return None
    _check_tensor(output, "output")
    _check_tensor(input, "input")
    sizes = list(output_split_sizes or []), list(input_split_sizes or [])
    work = resolved(group).alltoall_base(output, input, *sizes, _asked(_options.AllToAllOptions, async_op))
    return _finish(work, async_op)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op: bool = False):
    """output_tensor_list[r]: rank r's input_tensor_list[rank]."""
    if _outside(group, "all_to_all"):
        return None
    _check_tensors(output_tensor_list, "output_tensor_list")
    _check_tensors(input_tensor_list, "input_tensor_list")
    options = _asked(_options.AllToAllOptions, async_op)
    return _finish(resolved(group).alltoall(output_tensor_list, input_tensor_list, options), async_op)


def barrier(group=None, async_op: bool = False, device_ids=None, timeout=None):
    """Done when all ranks have come here."""
    if _outside(group, "barrier"):
        return None
    options = _asked(_options.BarrierOptions, async_op)
    options.device_ids = tuple(device_ids or ())
    if timeout is not None:
        options.timeout = timeout
    return _finish(resolved(group).barrier(options), async_op)


def monitored_barrier(group=None, timeout: datetime.timedelta | None = None, wait_all_ranks: bool = False):
    """barrier() by way of rank 0, which says who did not come: the first, or with wait_all_ranks all."""
    if _outside(group, "monitored_barrier"):
        return
    resolved(group).monitored_barrier(timeout, wait_all_ranks)


# ---- one to one --------------------------------------------------------------------------------------------
def isend(tensor, dst=None, group=None, tag: int = 0, group_dst=None):
    """Begins to send; the tensor is not to be written before the Work is done."""
    group = resolved(group) if not is_outside(group) else group
    if _outside(group, "isend"):
        return None
    _check_tensor(tensor, "tensor")
    to = _place(group, dst, group_dst, "dst")
    if to == group.rank():
        raise ValueError(f"rank {to} cannot send to itself")
    return group.send([tensor], to, tag)


def irecv(tensor, src=None, group=None, tag: int = 0, group_src=None):
    """Begins to receive, from src or from whoever sends first."""
    group = resolved(group) if not is_outside(group) else group
    if _outside(group, "irecv"):
        return None
    _check_tensor(tensor, "tensor")
    if src is None and group_src is None:
        return group.recv_anysource([tensor], tag)
    return group.recv([tensor], _place(group, src, group_src, "src"), tag)


def send(tensor, dst=None, group=None, tag: int = 0, group_dst=None) -> None:
    """Sends a tensor to one process, which calls recv() with the same tag."""
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(tensor, src=None, group=None, tag: int = 0, group_src=None) -> int:
    """Receives a tensor, from src or from whoever sends first. Returns the sender; -1: this process is not in the group."""
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    if src is not None:
        return src
    group = resolved(group)
    sender = work.source_rank() if group_src is None else group_src
    return sender if group is world.default else list(world.joined[group].ranks)[sender]


class P2POp:
    """One of batch_isend_irecv(): P2POp(dist.isend, tensor, peer)."""

    def __init__(self, op, tensor, peer=None, group=None, tag: int = 0, group_peer=None):
        if op not in (isend, irecv):
            raise ValueError("op must be torch.distributed.isend or torch.distributed.irecv")
        _check_tensor(tensor, "tensor")
        self.op, self.tensor, self.group, self.tag = op, tensor, resolved(group), tag
        self.group_peer = _place(self.group, peer, group_peer, "peer")
        self.peer = peer if peer is not None else list(world.joined[self.group].ranks)[group_peer]

    def __repr__(self):
        return f"P2POp({self.op.__name__}, peer={self.peer}, tag={self.tag}, shape={tuple(self.tensor.shape)})"


def batch_isend_irecv(p2p_op_list):
    """Begins all of a list of P2POp; returns their Works."""
    if not isinstance(p2p_op_list, list) or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError("p2p_op_list must be a list of torch.distributed.P2POp")
    if len({op.group for op in p2p_op_list}) > 1:
        raise ValueError("operations of one batch must be of one group")
    if not p2p_op_list:
        return []
    works = []
    with begun_together(p2p_op_list[0].group, works.append):
        for op in p2p_op_list:
            begin = op.group.send if op.op is isend else op.group.recv
            works.append(begin([op.tensor], op.group_peer, op.tag))
    return [work for work in works if work is not None]


@contextlib.contextmanager
def record_comm(name: str):
    """What is done within has the name in profiles."""
    with torch.profiler.record_function(name):
        yield


def breakpoint(rank: int = 0, skip: int = 0, timeout_s=3600):  # noqa: A001 - torch's name
    """A debugger in one process; the others wait for it."""
    if skip > 0:
        _skipped[0] += 1
        if _skipped[0] <= skip:
            return
    group = default_group()
    if get_rank() == rank:
        import pdb  # noqa: T100

        pdb.Pdb().set_trace()
    barrier(group, timeout=datetime.timedelta(seconds=timeout_s))


_skipped = [0]
