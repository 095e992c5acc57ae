"""An optimiser's state from a checkpoint, divided as the model's parameters are."""

from __future__ import annotations

import torch
from torch._absent import rest_of
from torch.distributed.checkpoint._nested_dict import set_element
from torch.distributed.checkpoint._shares import _is_dtensor
from torch.distributed.checkpoint.metadata import BytesStorageMetadata
from torch.distributed.checkpoint.state_dict_loader import load_state_dict

__all__ = ["load_sharded_optimizer_state_dict"]


def load_sharded_optimizer_state_dict(model_state_dict, optimizer_key: str, storage_reader, planner=None) -> dict:
    """{optimizer_key: what the checkpoint has of it}, by names; a parameter's state lies as the parameter in the model's.

    RuntimeError: the checkpoint has nothing under the key.
    """
    metadata, found = storage_reader.read_metadata(), {}
    for name, meta in metadata.state_dict_metadata.items():
        path = (metadata.planner_data or {}).get(name, tuple(name.split(".")))
        if path[0] != optimizer_key:
            continue
        value = None
        if not isinstance(meta, BytesStorageMetadata):
            value = torch.empty(meta.size, dtype=meta.properties.dtype)
            parameter = model_state_dict.get(path[2]) if len(path) > 2 else None
            if _is_dtensor(parameter) and parameter.shape == meta.size:
                from torch.distributed.tensor import distribute_tensor

                lies = parameter.device_mesh, parameter.placements
                value = distribute_tensor(value, *lies, src_data_rank=None)
        set_element(found, path, value)
    if not found:
        raise RuntimeError(f"the checkpoint has nothing under {optimizer_key!r}")
    load_state_dict(found, storage_reader, planner=planner)
    return found


__getattr__, __dir__ = rest_of(__name__)
