"""An optimiser after whose steps modules are averaged."""

from __future__ import annotations

import warnings

import torch

__all__ = ["PostLocalSGDOptimizer"]


class PostLocalSGDOptimizer(torch.optim.Optimizer):
    """optim, each of whose steps an averager follows (torch.distributed.algorithms.model_averaging.averagers).

    With DistributedDataParallel and post_localSGD_hook: gradients are averaged in the first steps, modules later."""

    def __init__(self, optim, averager):
        self.optim, self.averager = optim, averager
        self.param_groups = optim.param_groups

    @property
    def state(self):
        """That of optim."""
        return self.optim.state

    def __repr__(self):
        return repr(self.optim)

    def state_dict(self):
        """That of optim, and the averager's step as "step"."""
        return {**self.optim.state_dict(), "step": self.averager.step}

    def load_state_dict(self, state_dict):
        """Of state_dict(). Without a step it warns, and the averager begins anew."""
        self.optim.load_state_dict(state_dict)
        self.param_groups = self.optim.param_groups
        if "step" not in state_dict:
            warnings.warn("the state has no step of an averager: this one begins with 0", stacklevel=2)
        self.averager.step = state_dict.get("step", 0)

    def step(self):
        """optim.step(), then the averager's."""
        self.optim.step()
        self.averager.average_parameters(params=self.param_groups)

    def zero_grad(self, set_to_none: bool = True):
        """optim.zero_grad()."""
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group):
        """optim.add_param_group()."""
        self.optim.add_param_group(param_group)
