"""Weight normalisation by a hook, as it was before parametrisations."""

from __future__ import annotations

import warnings
from typing import Any

from torch.nn.parameter import Parameter
from torch.nn.utils._norms import norm_except_dim, weight_of

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.nn.modules.module import Module

__all__ = [
    "WeightNorm",
    "remove_weight_norm",
    "weight_norm",
]


class WeightNorm:
    """The hook: computes the weight of <name>_g and <name>_v before every forward()."""

    def __init__(self, name: str, dim: int) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """g * v / |v|."""
        return weight_of(getattr(module, self.name + "_g"), getattr(module, self.name + "_v"), self.dim)

    @staticmethod
    def apply(module, name: str, dim: int) -> WeightNorm:
        """Adds the hook to a module. RuntimeError if there is one for that name."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        hook = WeightNorm(name, dim)
        weight = getattr(module, name)
        del module._parameters[name]
        module.register_parameter(name + "_g", Parameter(norm_except_dim(weight, hook.dim).data))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, hook.compute_weight(module))
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module: Module) -> None:
        """Makes the weight a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"]
        del module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Module, name: str = "weight", dim: int = 0):
    """Makes a parameter g * v / |v| of two that are learned, <name>_g and <name>_v; returns the module. Deprecated:
    torch.nn.utils.parametrizations.weight_norm() does it without a hook."""
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name: str = "weight"):
    """Undoes weight_norm(); returns the module. ValueError if it has none."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
