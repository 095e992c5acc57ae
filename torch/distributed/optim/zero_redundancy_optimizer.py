"""An optimiser of which each rank keeps the state of some parameters (ZeRO, stage 1)."""

from __future__ import annotations

import torch
from torch.distributed import _objects as objects
from torch.distributed._world import default_group
from torch.distributed.algorithms.join import Join, Joinable, JoinHook
from torch.nn.parallel import _ddp

__all__ = ["ZeroRedundancyOptimizer"]


class _ZeROJoinHook(JoinHook):
    def __init__(self, zero):
        self.zero = zero

    def main_hook(self):
        """The step of the others: this rank's parameters move, too."""
        self.zero.step()


class ZeroRedundancyOptimizer(torch.optim.Optimizer, Joinable):
    """An optimiser whose ranks each update some of the parameters, and send these to the others: each keeps its part of the
    state alone.

    Args:
        params: the same on all ranks, all of one device.
        optimizer_class: of the optimiser that each rank makes for its part.
        process_group: whose ranks; None: the default group.
        parameters_as_bucket_view: a rank's parameters lie in one piece of memory, and are sent without a copy.
        overlap_with_ddp: not supported; ValueError.
        defaults: options of optimizer_class.

    TypeError, ValueError: as torch.optim.Optimizer. RuntimeError of state_dict(): call consolidate_state_dict() first, on
    all ranks.
    """

    def __init__(
        self,
        params,
        optimizer_class,
        process_group=None,
        parameters_as_bucket_view=False,
        overlap_with_ddp=False,
        **defaults,
    ):
        if overlap_with_ddp:
            raise ValueError("overlap_with_ddp=True is not supported: the step begins when the backward pass has ended")
        if isinstance(params, torch.Tensor):
            raise TypeError("params must be an iterable of tensors or of groups, not a tensor")
        params = list(params)
        self.process_group = default_group() if process_group is None else process_group
        self.world_size, self.rank = self.process_group.size(), self.process_group.rank()
        self._making = True
        torch.optim.Optimizer.__init__(self, params, defaults)
        Joinable.__init__(self)
        self._making = False
        tensors = [p for group in self.param_groups for p in group["params"]]
        if len({p.device for p in tensors}) != 1:
            raise ValueError("ZeroRedundancyOptimizer needs all parameters on one device")
        self.parameters_as_bucket_view = parameters_as_bucket_view
        self.initialized = True
        self._optim_constructor, self._optim_defaults = optimizer_class, defaults
        self._all_state_dicts = None
        self._divide()

    # ---- who has what ----------------------------------------------------------------------------------------
    def _partition_parameters(self):
        """For each rank its parameters of each group: the largest first, to whom has least."""
        loads = [0] * self.world_size
        parts = [[] for _ in range(self.world_size)]
        for group in self.param_groups:
            mine = [[] for _ in range(self.world_size)]
            for parameter in sorted(group["params"], key=lambda p: p.numel(), reverse=True):
                rank = loads.index(min(loads))
                mine[rank].append(parameter)
                loads[rank] += parameter.numel() if parameter.requires_grad else 0
            for part, own in zip(parts, mine, strict=True):
                part.append({**group, "params": own})
        return parts

    def _divide(self):
        self._parts = self._partition_parameters()
        self._indices = {p: i for i, p in enumerate(p for group in self.param_groups for p in group["params"])}
        if self.parameters_as_bucket_view:
            for part in self._parts:
                _lay_together([p for group in part for p in group["params"]])
        kept = {id(p): state for p, state in self.optim.state.items()} if hasattr(self, "optim") else {}
        mine = [{**group, "params": list(group["params"])} for group in self._parts[self.rank]]
        if not any(group["params"] for group in mine):
            # An optimiser wants at least one parameter; nothing becomes of this one.
            mine[0]["params"] = [torch.empty(0, device=next(iter(self._indices)).device)]
        self.optim = self._optim_constructor(mine, **self._optim_defaults)
        for group in self.optim.param_groups:
            for parameter in group["params"]:
                if id(parameter) in kept:
                    self.optim.state[parameter] = kept[id(parameter)]
        for key, value in self.optim.defaults.items():  # options that were not given, as schedulers look for them
            self.defaults.setdefault(key, value)
            for group in self.param_groups:
                group.setdefault(key, value)

    def add_param_group(self, param_group):
        """Adds a group, and divides all anew; the state stays with parameters whose rank does not change."""
        torch.optim.Optimizer.add_param_group(self, param_group)
        if not self._making:
            self._divide()

    # ---- steps -----------------------------------------------------------------------------------------------
    def _copy_options(self, source, target):
        for a, b in zip(source, target, strict=True):
            for key in set(a) - {"params"}:
                b[key] = a[key]

    def step(self, closure=None, **kwargs):
        """This rank's part makes a step; then all have all parameters. Returns the closure's value."""
        if self._join_config.enable:
            Join.notify_join_context(self)
        self._copy_options(self.param_groups, self.optim.param_groups)
        loss = self.optim.step(**kwargs) if closure is None else self.optim.step(closure=closure, **kwargs)
        self._copy_options(self.optim.param_groups, self.param_groups)
        self._all_state_dicts = None
        for rank, part in enumerate(self._parts):
            tensors = [p for group in part for p in group["params"]]
            _ddp.broadcast_coalesced(self.process_group, tensors, src=rank)
        return loss

    def join_hook(self, **kwargs):
        """For torch.distributed.algorithms.Join, beside a DistributedDataParallel."""
        return _ZeROJoinHook(self)

    @property
    def join_device(self):
        """Where the parameters are."""
        return next(iter(self._indices)).device

    @property
    def join_process_group(self):
        """The optimiser's group."""
        return self.process_group

    # ---- state -----------------------------------------------------------------------------------------------
    def _own_state(self):
        return {self._indices[p]: state for p, state in self.optim.state.items() if p in self._indices}

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Rank `to` of the group gets the state of all; called on all ranks."""
        if not 0 <= to < self.world_size:
            raise ValueError(f"to must be a rank of the group, 0 to {self.world_size - 1}, not {to}")
        parts = [None] * self.world_size if self.rank == to else None
        objects.gather_object(self._own_state(), parts, group=self.process_group, group_dst=to)
        self._all_state_dicts = parts

    def state_dict(self):
        """The state of all parameters, as the optimiser alone would have it."""
        if self._all_state_dicts is None:
            raise RuntimeError(
                f"the state of all ranks is not on rank {self.rank}: call consolidate_state_dict(to={self.rank}) on all of "
                "them first, after the last step"
            )
        whole = torch.optim.Optimizer.state_dict(self)
        states = {index: state for part in self._all_state_dicts for index, state in part.items()}
        whole["state"] = dict(sorted(states.items()))
        return whole

    def load_state_dict(self, state_dict):
        """Of state_dict(), or of the optimiser alone: each rank takes what is of its parameters."""
        own = {i for p, i in self._indices.items() if any(p is q for g in self._parts[self.rank] for q in g["params"])}
        mine = {**state_dict, "state": {i: state for i, state in state_dict["state"].items() if i in own}}
        torch.optim.Optimizer.load_state_dict(self, mine)
        by_index = {i: p for p, i in self._indices.items()}
        for i in own:
            parameter = by_index[i]
            if parameter in self.state:
                self.optim.state[parameter] = self.state[parameter]
        self.state.clear()
        self._copy_options(self.param_groups, self.optim.param_groups)
        self._all_state_dicts = None


def _lay_together(parameters):
    """Parameters of one dtype become parts of one tensor, with the elements that they have."""
    kinds = {}
    for parameter in parameters:
        kinds.setdefault(parameter.dtype, []).append(parameter)
    for members in kinds.values():
        flat = torch.cat([p.detach().reshape(-1) for p in members])
        for parameter, part in zip(members, flat.split([p.numel() for p in members]), strict=True):
            parameter.data = part.view(parameter.shape)
