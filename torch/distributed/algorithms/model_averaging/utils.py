"""Means of parameters."""

from __future__ import annotations

import itertools

import torch
from torch.distributed import _collectives as collectives
from torch.distributed._groups import ProcessGroup
from torch.distributed._world import default_group, group

__all__ = ["average_parameters", "average_parameters_or_parameter_groups", "get_params_to_average"]


def average_parameters(params, process_group: ProcessGroup | None):
    """Parameters become the mean of the ranks' ones, in place; they are sent in one piece for each dtype."""
    ranks = process_group or group.WORLD or default_group()  # which raises where there is none
    kinds = {}
    for parameter in params:
        kinds.setdefault((parameter.dtype, parameter.device), []).append(parameter)
    with torch.no_grad():
        for parameters in kinds.values():
            flat = torch.cat([p.detach().reshape(-1) for p in parameters]).div_(ranks.size())
            collectives.all_reduce(flat, group=ranks)
            for parameter, mean in zip(parameters, flat.split([p.numel() for p in parameters]), strict=True):
                parameter.copy_(mean.view(parameter.shape))


def get_params_to_average(params):
    """Those of parameters, or of groups of an optimizer, that have gradients."""
    found = []
    for item in params:
        if isinstance(item, torch.nn.Parameter):
            members = [item]
        elif isinstance(item, dict):
            members = item["params"]
        else:
            raise NotImplementedError(f"parameters or an optimizer's groups can be averaged, not {type(item).__name__}")
        found += [p for p in members if p.grad is not None]
    return found


def average_parameters_or_parameter_groups(params, process_group):
    """average_parameters() of those that have gradients."""
    average_parameters(iter(get_params_to_average(itertools.chain(params))), process_group)
