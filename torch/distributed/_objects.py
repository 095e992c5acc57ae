"""Collective operations of Python's objects, which travel pickled. Whoever can send to this process can run code in it, as
with any pickle."""

from __future__ import annotations

import io
import pickle

import torch
from torch.distributed import _collectives as collectives
from torch.distributed._world import get_world_size, resolved, world


def _packed(obj, device):
    """(bytes, their number), as tensors of the device that the group talks for."""
    text = io.BytesIO()
    pickle.Pickler(text).dump(obj)
    data = torch.frombuffer(bytearray(text.getbuffer()), dtype=torch.uint8)
    return data.to(device), torch.tensor([data.numel()], dtype=torch.int64, device=device)


def _unpacked(data):
    return pickle.loads(data.cpu().numpy().tobytes())


def _object_to_tensor(obj, device, group):
    """(its bytes, their number), as tensors of a device."""
    return _packed(obj, device)


def _tensor_to_object(tensor, tensor_size, group):
    """The object of the first `tensor_size` bytes of a tensor."""
    return _unpacked(tensor.cpu()[: int(tensor_size)])


def _check_list(objects, name):
    if not isinstance(objects, list):
        raise TypeError(f"`{name}` must be a list of objects, not {type(objects).__name__}")


def all_gather_object(object_list, obj, group=None):
    """object_list[r]: rank r's obj."""
    if collectives._outside(group, "all_gather_object"):
        return
    _check_list(object_list, "object_list")
    device = resolved(group)._own_device()
    data, size = _packed(obj, device)
    sizes = [torch.zeros_like(size) for _ in range(get_world_size(group))]
    collectives.all_gather(sizes, size, group)
    parts = [data.new_empty(int(n)) for n in sizes]
    collectives.all_gather(parts, data, group)
    for rank, part in enumerate(parts):
        object_list[rank] = _unpacked(part)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    """At dst, object_gather_list[r]: rank r's obj. Others give no list."""
    if collectives._outside(group, "gather_object"):
        return
    group = resolved(group)
    root = collectives._place(group, dst, group_dst, "dst", 0)
    if (group.rank() == root) != bool(object_gather_list):
        raise ValueError("object_gather_list must be given where objects are gathered, and nowhere else")
    data, size = _packed(obj, group._own_device())
    sizes = [torch.zeros_like(size) for _ in range(group.size())]
    collectives.all_gather(sizes, size, group)
    most = max(int(n) for n in sizes)
    padded = data.new_zeros(most)
    padded[: data.numel()] = data
    here = group.rank() == root
    received = [torch.empty_like(padded) for _ in sizes] if here else None
    collectives.gather(padded, received, group=group, group_dst=root)
    for rank in range(group.size()) if here else ():
        object_gather_list[rank] = _unpacked(received[rank][: int(sizes[rank])])


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    """object_list: src's, of the same length."""
    if collectives._outside(group, "broadcast_object_list"):
        return
    _check_list(object_list, "object_list")
    group = resolved(group)
    root = collectives._place(group, src, group_src, "src", 0)
    here = group.rank() == root
    device = torch.device(device) if device is not None else group._own_device()
    packed = [_packed(obj, device)[0] for obj in object_list] if here else []
    sizes = torch.tensor([data.numel() for data in packed] or [0] * len(object_list), dtype=torch.int64, device=device)
    collectives.broadcast(sizes, group=group, group_src=root)
    joined = torch.cat(packed) if here and packed else torch.empty(int(sizes.sum()), dtype=torch.uint8, device=device)
    collectives.broadcast(joined, group=group, group_src=root)
    if not here:
        for i, data in enumerate(joined.split(sizes.tolist())):
            object_list[i] = _unpacked(data)


def scatter_object_list(
    scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None
):
    """scatter_object_output_list[0]: src's scatter_object_input_list[rank]."""
    if collectives._outside(group, "scatter_object_list"):
        return
    if not isinstance(scatter_object_output_list, list) or len(scatter_object_output_list) < 1:
        raise ValueError("scatter_object_output_list must be a list with room for one object")
    group = resolved(group)
    root = collectives._place(group, src, group_src, "src", 0)
    here = group.rank() == root
    if here and (scatter_object_input_list is None or len(scatter_object_input_list) != group.size()):
        raise ValueError(f"src gives an object for each rank, {group.size()}")
    device = group._own_device()
    packed = [_packed(obj, device)[0] for obj in scatter_object_input_list] if here else []
    sizes = torch.tensor([data.numel() for data in packed] or [0] * group.size(), dtype=torch.int64, device=device)
    collectives.broadcast(sizes, group=group, group_src=root)
    most = int(sizes.max())
    mine = torch.empty(most, dtype=torch.uint8, device=device)
    parts = [torch.cat([data, data.new_zeros(most - data.numel())]) for data in packed] if here else None
    collectives.scatter(mine, parts, group=group, group_src=root)
    scatter_object_output_list[0] = _unpacked(mine[: int(sizes[group.rank()])])


def send_object_list(object_list, dst=None, group=None, device=None, group_dst=None, use_batch: bool = False):
    """Sends objects to one process, which calls recv_object_list()."""
    if collectives._outside(group, "send_object_list"):
        return
    _check_list(object_list, "object_list")
    group = resolved(group)
    to = collectives._place(group, dst, group_dst, "dst")
    device = torch.device(device) if device is not None else group._own_device()
    packed = [_packed(obj, device)[0] for obj in object_list]
    sizes = torch.tensor([data.numel() for data in packed], dtype=torch.int64, device=device)
    collectives.send(sizes, group=group, group_dst=to)
    collectives.send(torch.cat(packed), group=group, group_dst=to)


def recv_object_list(object_list, src=None, group=None, device=None, group_src=None, use_batch: bool = False):
    """Receives as many objects as the list has. Returns the sender; -1: this process is not in the group."""
    if collectives._outside(group, "recv_object_list"):
        return -1
    _check_list(object_list, "object_list")
    group = resolved(group)
    device = torch.device(device) if device is not None else group._own_device()
    sizes = torch.empty(len(object_list), dtype=torch.int64, device=device)
    begun = (
        group.recv_anysource([sizes], 0)
        if src is None and group_src is None
        else group.recv([sizes], collectives._place(group, src, group_src, "src"), 0)
    )
    begun.wait()
    sender = begun.source_rank()
    joined = torch.empty(int(sizes.sum()), dtype=torch.uint8, device=device)
    collectives.recv(joined, group=group, group_src=sender)
    for i, data in enumerate(joined.split(sizes.tolist())):
        object_list[i] = _unpacked(data)
    return sender if group is world.default else list(world.joined[group].ranks)[sender]


__all__ = [name for name in globals() if name.endswith(("_object", "_object_list"))]
