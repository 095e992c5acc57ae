"""The plans of save() and load(): nested dicts flat, each tensor written once, boxes read from whichever boxes are stored."""

from __future__ import annotations

import dataclasses
import io
import sys
from collections import defaultdict

import torch
from torch._absent import rest_of
from torch.distributed.checkpoint._nested_dict import flatten_state_dict, set_element
from torch.distributed.checkpoint.metadata import (
    BytesStorageMetadata,
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    TensorProperties,
    TensorStorageMetadata,
)
from torch.distributed.checkpoint.planner import (
    LoadItemType,
    LoadPlan,
    LoadPlanner,
    ReadItem,
    SavePlan,
    SavePlanner,
    TensorWriteData,
    WriteItem,
    WriteItemType,
)

__all__ = [
    "DefaultLoadPlanner",
    "DefaultSavePlanner",
    "create_default_global_load_plan",
    "create_default_global_save_plan",
    "create_default_local_load_plan",
    "create_default_local_save_plan",
]


def _as_dtensor(value):
    """The value, where it is a DTensor; whose module is not imported for the question."""
    module = sys.modules.get("torch.distributed.tensor")
    return value if module is not None and isinstance(value, module.DTensor) else None


def _local(value):
    """This rank's elements of a tensor, without its past."""
    found = _as_dtensor(value)
    return (value if found is None else found.to_local()).detach()


def _box(value):
    """The box of a tensor that this rank has; None: it has none of it."""
    found = _as_dtensor(value)
    if found is None:
        return ChunkStorageMetadata(torch.Size([0] * value.dim()), torch.Size(value.shape))
    from torch.distributed.tensor._dtensor_spec import local_shape_and_offset

    if any(placement.is_partial() for placement in found.placements):
        raise ValueError(f"a DTensor of terms that are not added up yet cannot be in a checkpoint: {found.placements}")
    if found.device_mesh.get_coordinate() is None:
        return None
    sizes, offsets = local_shape_and_offset(found.shape, found.device_mesh, found.placements)
    if found.numel() and not all(sizes):
        return None
    return ChunkStorageMetadata(torch.Size(offsets), torch.Size(sizes))


def _write_items(name, value):
    if not isinstance(value, torch.Tensor):
        return [WriteItem(MetadataIndex(name), WriteItemType.BYTE_IO)]
    box = _box(value)
    if box is None:
        return []
    kind = WriteItemType.TENSOR if _as_dtensor(value) is None else WriteItemType.SHARD
    data = TensorWriteData(box, TensorProperties.create_from_tensor(_local(value)), torch.Size(value.shape))
    data.properties.requires_grad = value.requires_grad
    return [WriteItem(MetadataIndex(name, box.offsets), kind, tensor_data=data)]


def create_default_local_save_plan(state_dict, is_coordinator: bool) -> SavePlan:
    """What a rank would write of a flat state dict: all that it has; each box is written once in the end."""
    return SavePlan([item for name, value in state_dict.items() for item in _write_items(name, value)])


def create_default_global_save_plan(all_plans, rewrite_index_hints: bool = True):
    """(plans with the places of boxes filled in, Metadata)"""
    found, plans = {}, []
    for plan in all_plans:
        items = []
        for item in plan.items:
            if item.type == WriteItemType.BYTE_IO:
                found.setdefault(item.index.fqn, BytesStorageMetadata())
                items.append(item)
                continue
            data = item.tensor_data
            meta = found.setdefault(item.index.fqn, TensorStorageMetadata(data.properties, data.size, []))
            index = item.index
            if rewrite_index_hints:
                index = dataclasses.replace(index, index=len(meta.chunks))
            meta.chunks.append(data.chunk)
            items.append(dataclasses.replace(item, index=index))
        plans.append(dataclasses.replace(plan, items=items))
    return plans, Metadata(found)


def _check(metadata):
    """ValueError: boxes of a tensor overlap, stand out, or do not cover it."""
    for name, meta in metadata.state_dict_metadata.items():
        if isinstance(meta, BytesStorageMetadata):
            continue
        covered = 0
        for chunk in meta.chunks:
            if any(at < 0 or at + n > size for at, n, size in zip(chunk.offsets, chunk.sizes, meta.size)):
                raise ValueError(f"{name}: a box of {chunk.sizes} at {chunk.offsets} stands out of {meta.size}")
            covered += chunk.sizes.numel()
        if covered != meta.size.numel():
            raise ValueError(f"{name}: ranks have {covered} of {meta.size.numel()} elements")


class DefaultSavePlanner(SavePlanner):
    """Takes nested state dicts apart; what several ranks have, one of them writes, so that ranks write about as much.

    dedup_save_to_lowest_rank: the first of them writes it. The other arguments are PyTorch's; plans are not kept for later.
    """

    def __init__(
        self,
        flatten_state_dict: bool = True,
        flatten_sharded_tensors: bool = True,
        dedup_replicated_tensors: bool | None = None,
        dedup_save_to_lowest_rank: bool = False,
        enable_plan_caching: bool = False,
    ):
        self.flatten_state_dict, self.dedup_save_to_lowest_rank = flatten_state_dict, dedup_save_to_lowest_rank
        self.mappings = {}

    def set_up_planner(self, state_dict, storage_meta=None, is_coordinator: bool = False) -> None:
        """Takes the state dict."""
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten_state_dict(state_dict)
        self.state_dict, self.is_coordinator = state_dict, is_coordinator

    def create_local_plan(self) -> SavePlan:
        """All that this rank has."""
        plan = create_default_local_save_plan(self.state_dict, self.is_coordinator)
        self.plan = dataclasses.replace(plan, planner_data=self.mappings) if self.flatten_state_dict else plan
        return self.plan

    def create_global_plan(self, all_plans):
        """Each box once. ValueError: ranks' boxes do not make up a tensor."""
        owners, loads = defaultdict(list), [0] * len(all_plans)
        for rank, plan in enumerate(all_plans):
            for item in plan.items:
                owners[item.index].append((rank, item))
        kept = [[] for _ in all_plans]
        for having in owners.values():
            ranks = [rank for rank, _ in having]
            first = self.dedup_save_to_lowest_rank or having[0][1].type == WriteItemType.BYTE_IO
            rank = min(ranks) if first else min(ranks, key=lambda r: (loads[r], r))
            item = next(item for r, item in having if r == rank)
            loads[rank] += item.tensor_storage_size() or 1
            kept[rank].append(item)
        plans = [dataclasses.replace(plan, items=items) for plan, items in zip(all_plans, kept)]
        plans, metadata = create_default_global_save_plan(plans)
        if self.flatten_state_dict:
            metadata.planner_data = {}
            for plan in all_plans:
                metadata.planner_data.update(plan.planner_data)
        _check(metadata)
        self.global_plan, self.metadata = plans, metadata
        return plans, metadata

    def finish_plan(self, new_plan):
        """Takes what was decided."""
        self.plan = new_plan
        return new_plan

    def resolve_data(self, write_item):
        """The tensor's elements on this rank, or the object pickled."""
        value = self.transform_object(write_item, self.lookup_object(write_item.index))
        return value

    def lookup_object(self, index):
        """What the flat state dict has under a name."""
        return self.state_dict[index.fqn]

    def transform_object(self, write_item, object):  # noqa: A002 - torch's name
        """What is written of it."""
        if write_item.type != WriteItemType.BYTE_IO:
            return _local(object)
        text = io.BytesIO()
        torch.save(object, text)
        text.seek(0)
        return text


def _read_items(name, meta, value):
    if isinstance(meta, BytesStorageMetadata):
        index, none = MetadataIndex(name), torch.Size([0])
        return [ReadItem(LoadItemType.BYTE_IO, index, none, index, none, none)]
    box = _box(value)
    items = []
    for i, chunk in enumerate(meta.chunks if box is not None else ()):
        low = [max(a, b) for a, b in zip(box.offsets, chunk.offsets)]
        high = [min(a + n, b + m) for a, n, b, m in zip(box.offsets, box.sizes, chunk.offsets, chunk.sizes)]
        if any(a >= b for a, b in zip(low, high)):
            continue
        items.append(
            ReadItem(
                LoadItemType.TENSOR,
                MetadataIndex(name, box.offsets, 0),
                torch.Size(a - b for a, b in zip(low, box.offsets)),
                MetadataIndex(name, chunk.offsets, i),
                torch.Size(a - b for a, b in zip(low, chunk.offsets)),
                torch.Size(b - a for a, b in zip(low, high)),
            )
        )
    return items


def create_default_local_load_plan(state_dict, metadata, strict: bool = True) -> LoadPlan:
    """What a rank reads into a flat state dict. RuntimeError: the checkpoint lacks it. ValueError: sizes differ."""
    items = []
    for name, value in state_dict.items():
        if name not in metadata.state_dict_metadata:
            if strict:
                raise RuntimeError(f"the checkpoint has no entry {name!r}")
            continue
        meta = metadata.state_dict_metadata[name]
        if isinstance(meta, TensorStorageMetadata):
            if not isinstance(value, torch.Tensor):
                raise ValueError(f"{name} is a tensor in the checkpoint, and {type(value).__name__} where it goes")
            if torch.Size(value.shape) != meta.size:
                raise ValueError(f"{name} has the size {list(meta.size)} in the checkpoint, not {list(value.shape)}")
        items += _read_items(name, meta, value)
    return LoadPlan(items)


def create_default_global_load_plan(all_plans):
    """The plans themselves."""
    return all_plans


class DefaultLoadPlanner(LoadPlanner):
    """Fills nested state dicts: tensors in place, other values by what was saved.

    allow_partial_load: what the checkpoint lacks stays as it is.
    """

    def __init__(
        self, flatten_state_dict: bool = True, flatten_sharded_tensors: bool = True, allow_partial_load: bool = False
    ):
        self.flatten_state_dict, self.allow_partial_load = flatten_state_dict, allow_partial_load
        self.original_state_dict, self.mappings = {}, {}

    def set_up_planner(self, state_dict, metadata=None, is_coordinator: bool = False) -> None:
        """Takes the state dict that is to be filled, and what the checkpoint has."""
        self.original_state_dict = state_dict
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten_state_dict(state_dict)
        self.state_dict, self.metadata, self.is_coordinator = state_dict, metadata, is_coordinator

    def create_local_plan(self) -> LoadPlan:
        """What this rank needs."""
        return create_default_local_load_plan(self.state_dict, self.metadata, not self.allow_partial_load)

    def create_global_plan(self, global_plan):
        """The plans themselves."""
        return create_default_global_load_plan(global_plan)

    def finish_plan(self, central_plan):
        """The plan itself."""
        return central_plan

    def load_bytes(self, read_item, value) -> None:
        """Unpickles, as any torch.load() of what may be any object: checkpoints are read from who is trusted."""
        name = read_item.dest_index.fqn
        loaded = torch.load(value, weights_only=False)
        if self.flatten_state_dict:
            set_element(self.original_state_dict, self.mappings[name], loaded)
        else:
            self.state_dict[name] = loaded

    def resolve_tensor(self, read_item):
        """The part of this rank's tensor that is filled."""
        part = self.transform_tensor(read_item, self.lookup_tensor(read_item.dest_index))
        return part

    def commit_tensor(self, read_item, tensor) -> None:
        """Nothing is left to do."""

    def lookup_tensor(self, index):
        """This rank's elements of a tensor."""
        return _local(self.state_dict[index.fqn])

    def transform_tensor(self, read_item, tensor):
        """The box that elements are copied into."""
        for dim, (at, count) in enumerate(zip(read_item.dest_offsets, read_item.lengths)):
            tensor = tensor.narrow(dim, at, count)
        return tensor


class _EmptyStateDictLoadPlanner(DefaultLoadPlanner):
    """Reads into an empty state dict all that the checkpoint has, or the entries whose names begin with those of `keys`."""

    def __init__(self, keys=None, *args, **kwargs):
        self.keys = keys
        super().__init__(*args, **kwargs)

    def _should_include_key(self, key, metadata):
        return self.keys is None or any(key == each or key.startswith(f"{each}.") for each in self.keys)

    def set_up_planner(self, state_dict, metadata=None, is_coordinator: bool = False) -> None:
        """Makes tensors for what there is."""
        if state_dict:
            raise ValueError(f"the state dict must be empty, not of {len(state_dict)} entries")
        paths = metadata.planner_data or {}
        for name, meta in metadata.state_dict_metadata.items():
            if self._should_include_key(name, metadata):
                value = None
                if isinstance(meta, TensorStorageMetadata):
                    value = torch.empty(meta.size, dtype=meta.properties.dtype)
                set_element(state_dict, paths.get(name, (name,)), value)
        super().set_up_planner(state_dict, metadata, is_coordinator)


__getattr__, __dir__ = rest_of(__name__)
