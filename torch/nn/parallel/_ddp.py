"""What DistributedDataParallel is made of beside its reducer: checks between ranks, sending a module's state, its log."""

from __future__ import annotations

import torch
from torch import _distributed as _thd
from torch.distributed import _collectives as collectives
from torch.distributed._options import ReduceOp

DEFAULT_BUCKET_MB = 25
FIRST_BUCKET_BYTES = 1 << 20
BROADCAST_BYTES = 250 << 20


def engine_of(group, device):
    """The THD group that talks for tensors of a device; None: it is somebody's own class."""
    return getattr(group._get_backend(device), "_group", None)


def broadcast_coalesced(group, tensors, size=BROADCAST_BYTES, src=0):
    """src's tensors, for all ranks of the group, about `size` bytes at a time; their versions stay."""
    tensors = [tensor.detach() for tensor in tensors]
    if not tensors:
        return
    engine = engine_of(group, tensors[0].device)
    if engine is not None:
        _thd.broadcast_coalesced(engine, tensors, size, src)
        return
    for tensor in tensors:
        collectives.broadcast(tensor, group=group, group_src=src)


def begin_all_reduce(group, device):
    """A function that begins the sum of a tensor in place and returns its work, or None: it is done. Tensors of the CPU, of
    which the group may know nothing, go by way of `device`."""

    def begin(tensor):
        if tensor.device.type in group._backends:
            return collectives.all_reduce(tensor, group=group, async_op=True)
        there = tensor.to(device)
        collectives.all_reduce(there, group=group)
        tensor.copy_(there)
        return None

    return begin


def _described(parameters):
    words = [len(parameters)]
    for parameter in parameters:
        words += [_number_of(parameter.dtype), int(parameter.requires_grad), parameter.dim(), *parameter.shape]
    return words


def _number_of(dtype):
    return sum(ord(letter) * 31**i for i, letter in enumerate(str(dtype))) % (1 << 40)


def verify_parameters(group, parameters, names):
    """RuntimeError on every rank where ranks' modules differ in the number, shapes or dtypes of parameters."""
    if group.size() == 1:
        return
    mine = torch.tensor(_described(parameters), dtype=torch.int64, device=group._own_device())
    lengths = [mine.new_zeros(1) for _ in range(group.size())]
    collectives.all_gather(lengths, mine.new_full((1,), mine.numel()), group)
    all_words = [mine.new_zeros(int(n)) for n in lengths]
    collectives.all_gather(all_words, mine, group)
    first = _parts(all_words[0].tolist())
    for rank, words in enumerate(all_words):
        theirs = _parts(words.tolist())
        if theirs == first:
            continue
        if len(theirs) != len(first):
            raise RuntimeError(
                f"DistributedDataParallel: ranks have different modules: rank 0 has {len(first)} parameters that require "
                f"grad, rank {rank} has {len(theirs)}"
            )
        at = next(i for i in range(len(first)) if first[i] != theirs[i])
        raise RuntimeError(
            f"DistributedDataParallel: ranks have different modules: parameter {at} ({names[at]} on rank {group.rank()}) has "
            f"the shape {first[at][1]} on rank 0 and {theirs[at][1]} on rank {rank}"
            + ("" if first[at][0] == theirs[at][0] else ", and dtypes differ")
        )


def _parts(words):
    """[(dtype and requires_grad, shape)] of what _described() gave."""
    parts, at = [], 1
    for _ in range(words[0]):
        dims = words[at + 2]
        parts.append((words[at : at + 2], words[at + 3 : at + 3 + dims]))
        at += 3 + dims
    return parts


def sync_module_states(module, group, size, src, ignored, broadcast_buffers=True):
    """src's parameters, and buffers, for all."""
    states = [p for name, p in module.named_parameters() if name not in ignored]
    if broadcast_buffers:
        states += [b for name, b in module.named_buffers() if name not in ignored]
    broadcast_coalesced(group, states, size, src)


def find_tensors(obj):
    """The tensors in what a forward() returns: in lists, tuples, dicts and data classes."""
    if isinstance(obj, torch.Tensor):
        return [obj]
    if isinstance(obj, (list, tuple)):
        return [tensor for item in obj for tensor in find_tensors(item)]
    if isinstance(obj, dict):
        return [tensor for item in obj.values() for tensor in find_tensors(item)]
    fields = getattr(obj, "__dataclass_fields__", None)
    if fields is not None:
        return [tensor for name in fields for tensor in find_tensors(getattr(obj, name))]
    return []


def max_over_ranks(group, number, device):
    """The greatest of the ranks' numbers."""
    tensor = torch.tensor([number], device=device)
    collectives.all_reduce(tensor, ReduceOp.MAX, group)
    return int(tensor.item())


class Logger:
    """What DistributedDataParallel is made of, and how long its last pass took: ddp._get_ddp_logging_data()."""

    def __init__(self, reducer):
        import weakref

        self._reducer = weakref.ref(reducer)
        self._texts, self._numbers = {}, {}

    def set_construction_data_and_log(
        self, module_name, device_ids, output_device, broadcast_buffers, has_sync_bn, static_graph
    ):
        """Notes how it was made."""
        self._texts |= {"module_name": module_name, "device_ids": ", ".join(map(str, device_ids))}
        self._numbers |= {
            "output_device": output_device,
            "broadcast_buffers": int(broadcast_buffers),
            "has_sync_bn": int(has_sync_bn),
            "static_graph": int(static_graph),
        }

    def _note(self, **values):
        for name, value in values.items():
            (self._texts if isinstance(value, str) else self._numbers)[name] = value

    def set_runtime_stats_and_log(self):
        """Nothing: they are asked of the reducer when somebody looks."""

    def set_error_and_log(self, error):
        """Notes what has gone wrong."""
        self._note(has_error=1, error=error)

    def _set_comm_hook_name(self, name):
        self._note(comm_hook=name)

    def _set_uneven_input_join(self):
        self._note(join_uneven_inputs=1)

    def _set_static_graph(self):
        self._note(static_graph=1)

    def _data(self):
        reducer = self._reducer()
        if reducer is None:
            return self._texts | self._numbers
        stats = reducer._stats()
        sizes = ", ".join(map(str, reducer._bucket_bytes()))
        which = "rebuilt_" if stats["rebuilt"] else "initial_"
        if not stats["rebuilt"]:
            self._texts["initial_bucket_sizes"] = sizes
        return {
            **self._texts,
            **self._numbers,
            which + "bucket_sizes": sizes,
            "has_rebuilt_buckets": int(stats["rebuilt"]),
            "num_iterations": stats["iterations"],
            "avg_forward_compute_time": stats["forward"],
            "avg_backward_compute_time": stats["backward_compute"],
            "avg_backward_comm_time": stats["backward_comm"],
            "avg_backward_compute_comm_overlap_time": stats["overlap"],
        }
