"""Process groups: what THD's groups (torch._distributed) are in Python, under PyTorch's names.

A ProcessGroup passes each operation on to the backend of its tensors' device. A backend is a ProcessGroupGloo, or whatever
Backend.register_backend() was told of. Operations return a Work; it is done when they return, where the options' asyncOp
is False.
"""

from __future__ import annotations

import datetime
import enum
from typing import NewType

import torch
from torch import _distributed as _thd
from torch.distributed import _options
from torch.distributed._coalescing import Together
from torch.distributed._options import reduction

Work = _thd.Work
GroupName = NewType("GroupName", str)
_UNSET = datetime.timedelta(0)  # THD's word for the group's own timeout


def _get_future(self):
    """A torch.futures.Future of the tensors that the operation fills."""
    future = torch.futures.Future()

    def done():
        error = self.exception()
        if error is None:
            future.set_result(self._tensors())
        else:
            future.set_exception(error)

    self._then(done)
    return future


Work.get_future = _get_future
Work.__module__ = "torch.distributed"


def _call(opts, timeout=None):
    """(async, timeout) of options, or of a timeout alone, which is one that waits for nothing."""
    if opts is None:
        return True, timeout if timeout is not None else _UNSET
    return opts.asyncOp, _UNSET if opts.timeout < _UNSET else opts.timeout


def _one(tensors, operation):
    """The tensor of a list that may hold one alone: ranks have one device each."""
    tensors = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
    if len(tensors) != 1:
        raise ValueError(f"{operation}: a rank gives one tensor, not {len(tensors)}")
    return tensors[0]


def _takes(opts, cls):
    return isinstance(opts, cls) or opts is None


class _OfTHD:
    """A group of THD's, `_group`, with the methods of a backend."""

    def name(self):
        """What it talks by, as in "gloo"."""
        return self._group.backend

    _get_backend_name = name

    def rank(self):
        """This process's place in the group."""
        return self._group.rank()

    def size(self):
        """How many processes it has."""
        return self._group.size()

    # Each takes what the method of ProcessGroup of the same name takes.
    def broadcast(self, tensors, opts):
        return self._group.broadcast(_one(tensors, "broadcast"), opts.rootRank, *_call(opts))

    def allreduce(self, tensors, opts):
        tensor = _one(tensors, "all_reduce")
        if tensor.layout == torch.sparse_coo:
            return self._sparse_allreduce(tensor, opts)
        return self._group.all_reduce([tensor], *reduction(opts.reduceOp), *_call(opts))

    def allreduce_coalesced(self, tensors, opts):
        return self._group.all_reduce(list(tensors), *reduction(opts.reduceOp), *_call(opts))

    def reduce(self, tensors, opts):
        return self._group.reduce(_one(tensors, "reduce"), opts.rootRank, *reduction(opts.reduceOp), *_call(opts))

    def allgather(self, outputs, inputs, opts):
        return self._group.all_gather(list(_one(outputs, "all_gather")), _one(inputs, "all_gather"), *_call(opts))

    def _allgather_base(self, output, input, opts):
        return self._group.all_gather_into(output, input, *_call(opts))

    def gather(self, outputs, inputs, opts):
        received = list(outputs[0]) if outputs else []
        return self._group.gather(received, _one(inputs, "gather"), opts.rootRank, *_call(opts))

    def scatter(self, outputs, inputs, opts):
        sent = list(inputs[0]) if inputs else []
        return self._group.scatter(_one(outputs, "scatter"), sent, opts.rootRank, *_call(opts))

    def reduce_scatter(self, outputs, inputs, opts):
        sent = list(_one(inputs, "reduce_scatter"))
        return self._group.reduce_scatter(
            _one(outputs, "reduce_scatter"), sent, *reduction(opts.reduceOp), *_call(opts)
        )

    def _reduce_scatter_base(self, output, input, opts):
        return self._group.reduce_scatter_from(output, input, *reduction(opts.reduceOp), *_call(opts))

    def alltoall(self, outputs, inputs, opts):
        return self._group.all_to_all(list(outputs), list(inputs), *_call(opts))

    def alltoall_base(self, output, input, output_split_sizes, input_split_sizes, opts):
        return self._group.all_to_all_single(output, input, output_split_sizes, input_split_sizes, *_call(opts))

    def send(self, tensors, rank, tag):
        return self._group.send(_one(tensors, "send"), rank, tag, True, _UNSET)

    def recv(self, tensors, rank, tag):
        return self._group.receive(_one(tensors, "recv"), rank, tag, True, _UNSET)

    def recv_anysource(self, tensors, tag):
        return self._group.receive(_one(tensors, "recv"), -1, tag, True, _UNSET)

    def barrier(self, opts):
        return self._group.barrier(*_call(opts))

    def monitored_barrier(self, timeout=None, wait_all_ranks=False):
        """Rank 0 waits for all others; RuntimeError there names who did not come."""
        self._group.monitored_barrier(timeout or _UNSET, bool(wait_all_ranks))

    def _sparse_allreduce(self, tensor, opts):
        """The sum of sparse tensors: entries of all ranks, added up where they meet."""
        if opts.reduceOp != _options.ReduceOp.SUM:
            raise ValueError(f"all_reduce of sparse tensors is a sum, not {opts.reduceOp!r}")
        mine = tensor.detach().coalesce()
        counts = [torch.zeros(1, dtype=torch.int64) for _ in range(self.size())]
        now = False, _call(opts)[1]
        self._group.all_gather(counts, torch.tensor([mine._nnz()]), *now).wait()
        places = [mine._indices().new_empty(mine.sparse_dim(), int(n)) for n in counts]
        values = [mine._values().new_empty(int(n), *mine._values().shape[1:]) for n in counts]
        self._group.all_gather(places, mine._indices(), *now).wait()
        work = self._group.all_gather(values, mine._values(), *now)
        work.wait()
        total = torch.sparse_coo_tensor(torch.cat(places, 1), torch.cat(values), mine.shape).coalesce()
        with torch.no_grad():
            tensor.copy_(total)
        return work

    def set_timeout(self, timeout):
        """How long operations wait that name no timeout of their own."""
        self._group.timeout = timeout

    _set_default_timeout = set_timeout

    def _get_sequence_number_for_group(self):
        return self._group.sequence_number

    def abort(self):
        """Ends what is under way, with an error, and all connections."""
        self._group.abort()

    def shutdown(self):
        """Waits for what is under way, and lets go of threads."""
        self._group.shutdown()

    supports_coalescing = supports_splitting = supports_shrinking = False


class ProcessGroupGloo(_OfTHD):
    """A group over gloo, of tensors of the CPU: ProcessGroupGloo(store, rank, size, timeout=…)."""

    class _Options:
        """How it is made: `_timeout`, and the interface whose address others connect with."""

        def __init__(self):
            self.backend = "gloo"
            self._timeout = datetime.timedelta(minutes=30)
            self._devices = []
            self._threads = 2
            self.global_ranks_in_group = []
            self.group_name = ""

    Options = _Options

    def __init__(self, store, rank, size, timeout=datetime.timedelta(minutes=30)):
        import os

        options = timeout if isinstance(timeout, self._Options) else None
        interface = os.environ.get("GLOO_SOCKET_IFNAME", "").partition(",")[0]
        if options is not None and options._devices:
            interface = options._devices[0].interface
        self.options = options or self._Options()
        self.options._timeout = options._timeout if options else timeout
        self._group = _thd.gloo_group(store, rank, size, self.options._timeout, interface)


class ProcessGroupMPI(_OfTHD):
    """A group over MPI, of tensors of the CPU: ranks of those processes that one mpirun has started."""

    def __init__(self, store, rank, size, timeout=datetime.timedelta(minutes=30)):
        from torch.distributed import _mpi

        self._group = _mpi.engine().group(store, rank, size, timeout)


class ProcessGroupThreaded(_OfTHD):
    """A group of threads of this process, for tests: torch.distributed._threads makes it."""

    def __init__(self, store, rank, size, timeout=datetime.timedelta(minutes=30)):
        self._group = _thd.threaded_group(store, rank, size, timeout)


class ProcessGroupFake(_OfTHD):
    """A group of this process alone that says it had `size` ranks: its operations are done at once, and nobody is waited for."""

    def __init__(self, store, rank, size, timeout=datetime.timedelta(minutes=30)):
        self._group = _thd.fake_group(store, rank, size, timeout)

    def monitored_barrier(self, timeout=None, wait_all_ranks=False):
        """Returns at once."""


def _nested(tensors, depth):
    """Tensors in `depth` lists: what stands in fewer is the rank's own. An empty list stays."""
    inner = tensors
    while isinstance(inner, (list, tuple)) and inner:
        inner, depth = inner[0], depth - 1
    if inner is not None and not isinstance(inner, (list, tuple)):
        for _ in range(depth):
            tensors = [tensors]
    return tensors


def _delegated(name, tensors_at=0):
    """A method of ProcessGroup that takes PyTorch's options, or their values, and passes them on to the backend of a
    tensor's device: allreduce([tensor], options) and allreduce(tensor, ReduceOp.MAX)."""
    options, depths, values = _OPTIONS[name]

    def method(self, *args, opts=None, timeout=None, **named):
        if args and isinstance(args[-1], options):
            *args, opts = args
        tensors, rest = list(args[: len(depths)]), args[len(depths) :]
        opts = opts or options()
        for value, given in [*zip(values, rest), *named.items()]:
            if value not in values:
                raise TypeError(f"ProcessGroup.{name}() takes {', '.join(values) or 'tensors'}, not {value!r}")
            setattr(opts, _SHORT[value], given)
        if len(rest) > len(values):
            timeout = rest[len(values)]
        if timeout is not None:
            opts.timeout = timeout
        tensors = [_nested(one, depth) if depth else one for one, depth in zip(tensors, depths)]
        return getattr(self._backend_of(tensors[tensors_at] if tensors else None), name)(*tensors, opts)

    method.__name__ = name
    method.__qualname__ = f"ProcessGroup.{name}"
    method.__doc__ = f"{name} of the backend of the tensors' device; see torch.distributed."
    return method


_SHORT = {"op": "reduceOp", "root": "rootRank"}
# Options, in how many lists a backend takes each tensor argument (0: as it is), values that may be given without options.
_OPTIONS = {
    "broadcast": (_options.BroadcastOptions, (1,), ("root",)),
    "allreduce": (_options.AllreduceOptions, (1,), ("op",)),
    "allreduce_coalesced": (_options.AllreduceCoalescedOptions, (0,), ()),
    "reduce": (_options.ReduceOptions, (1,), ("root", "op")),
    "allgather": (_options.AllgatherOptions, (2, 1), ()),
    "_allgather_base": (_options.AllgatherOptions, (0, 0), ()),
    "gather": (_options.GatherOptions, (2, 1), ("root",)),
    "scatter": (_options.ScatterOptions, (1, 2), ("root",)),
    "reduce_scatter": (_options.ReduceScatterOptions, (1, 2), ("op",)),
    "_reduce_scatter_base": (_options.ReduceScatterOptions, (0, 0), ()),
    "alltoall": (_options.AllToAllOptions, (0, 0), ()),
    "alltoall_base": (_options.AllToAllOptions, (0, 0, 0, 0), ()),
}


def _device_of(tensors):
    while isinstance(tensors, (list, tuple)) and tensors:
        tensors = tensors[0]
    return tensors.device.type if isinstance(tensors, torch.Tensor) else None


class ProcessGroup:
    """Processes that exchange tensors, each with a rank of 0 to size - 1. Made by init_process_group() and new_group()."""

    class BackendType(enum.IntEnum):
        """Backends by number."""

        UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL, CUSTOM = range(7)

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL, CUSTOM = BackendType

    def __init__(self, store, rank, size):
        self._store, self._rank, self._size = store, rank, size
        self._backends = {}  # by device type
        self.group_name, self.group_desc = "", ""
        self.bound_device_id = None

    def _register_backend(self, device, backend):
        self._backends[getattr(device, "type", device)] = backend

    def _get_backend(self, device):
        """What talks for tensors of a device. RuntimeError: nothing does."""
        kind = getattr(device, "type", device)
        if kind not in self._backends:
            raise RuntimeError(
                f"No backend type associated with device type {kind}: this group has {', '.join(self._backends) or 'none'}"
            )
        return self._backends[kind]

    def _backend_of(self, tensors):
        kind = _device_of(tensors)
        return self._get_backend(kind if kind is not None else next(iter(self._backends), "cpu"))

    def _own_device(self):
        """Where tensors lie that torch.distributed itself sends."""
        if "cpu" in self._backends or not self._backends:
            return torch.device("cpu")
        kind = next(iter(self._backends))
        if self.bound_device_id is not None:
            return torch.device(self.bound_device_id)
        return torch.device(kind, torch.cuda.current_device()) if kind == "cuda" else torch.device(kind)

    _device_types = property(lambda self: [torch.device(kind) for kind in self._backends])

    def rank(self):
        """This process's place in the group."""
        return self._rank

    def size(self):
        """How many processes it has."""
        return self._size

    def name(self):
        """The backend's name."""
        return next((backend.name() for backend in self._backends.values()), "undefined")

    _get_backend_name = name

    def get_group_store(self):
        """The store by which its processes found each other."""
        return self._store

    broadcast = _delegated("broadcast")
    allreduce = _delegated("allreduce")
    allreduce_coalesced = _delegated("allreduce_coalesced")
    reduce = _delegated("reduce")
    allgather = _delegated("allgather")
    _allgather_base = _delegated("_allgather_base")
    gather = _delegated("gather", 1)
    scatter = _delegated("scatter")
    reduce_scatter = _delegated("reduce_scatter")
    _reduce_scatter_base = _delegated("_reduce_scatter_base")
    alltoall = _delegated("alltoall")
    alltoall_base = _delegated("alltoall_base")
    all_gather_single, reduce_scatter_single, all_to_all_single = _allgather_base, _reduce_scatter_base, alltoall_base

    def allgather_coalesced(self, output_lists, input_list, opts=None):
        """allgather of each of several tensors: output_lists[r][i] is rank r's tensor i."""
        received = [[tensors[i] for tensors in output_lists] for i in range(len(input_list))]
        return Together([self.allgather([to], [t], opts=opts) for to, t in zip(received, input_list)])

    def allgather_into_tensor_coalesced(self, outputs, inputs, opts=None):
        """all_gather_single of each of several tensors."""
        return Together([self._allgather_base(to, t, opts=opts) for to, t in zip(outputs, inputs, strict=True)])

    def reduce_scatter_tensor_coalesced(self, outputs, inputs, opts=None):
        """reduce_scatter_single of each of several tensors."""
        return Together([self._reduce_scatter_base(to, t, opts=opts) for to, t in zip(outputs, inputs, strict=True)])

    all_gather_single_coalesced = allgather_into_tensor_coalesced
    reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced

    def send(self, tensors, dst_rank, tag):
        """send of the backend of the tensors' device."""
        return self._backend_of(tensors).send(tensors, dst_rank, tag)

    def recv(self, tensors, src_rank, tag):
        """recv of the backend of the tensors' device."""
        return self._backend_of(tensors).recv(tensors, src_rank, tag)

    def recv_anysource(self, tensors, tag):
        """recv from whoever sends first."""
        return self._backend_of(tensors).recv_anysource(tensors, tag)

    def barrier(self, opts=None, timeout=None):
        """Returns a Work that is done when all ranks have called this."""
        opts = opts or _options.BarrierOptions()
        if timeout is not None:
            opts.timeout = timeout
        return self._backend_of(None).barrier(opts)

    def monitored_barrier(self, timeout=None, wait_all_ranks=False):
        """As ProcessGroupGloo.monitored_barrier()."""
        self._get_backend("cpu").monitored_barrier(timeout, wait_all_ranks)

    def set_timeout(self, timeout):
        """How long operations wait that name no timeout of their own."""
        for backend in self._different():
            backend.set_timeout(timeout)

    def abort(self):
        """Ends what is under way, with an error."""
        for backend in self._different():
            backend.abort()

    def shutdown(self):
        """Waits for what is under way, and lets go of threads."""
        for backend in self._different():
            backend.shutdown()

    def _different(self):
        return list({id(backend): backend for backend in self._backends.values()}.values())

    def _get_sequence_number_for_group(self):
        return self._backend_of(None)._get_sequence_number_for_group()
