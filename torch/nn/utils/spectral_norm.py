"""Spectral normalisation by a hook, as it was before parametrisations."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional as F
from torch.nn.parameter import Parameter
from torch.nn.utils._norms import as_matrix, spectral_dim

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn.modules.module import Module

__all__ = [
    "SpectralNorm",
    "SpectralNormLoadStateDictPreHook",
    "SpectralNormStateDictHook",
    "remove_spectral_norm",
    "spectral_norm",
]


class SpectralNorm:
    """The hook: computes the weight of <name>_orig, <name>_u and <name>_v before every forward()."""

    _version = 1  # of what is stored: version 0 had no <name>_v

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """The weight as a matrix."""
        return as_matrix(weight, self.dim)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """The weight divided by its largest singular value."""
        weight = getattr(module, self.name + "_orig")
        u, v = getattr(module, self.name + "_u"), getattr(module, self.name + "_v")
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps))
            # copies: the vectors change in the next call, and backward needs these
            u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))

    def remove(self, module: Module) -> None:
        """Makes the weight a parameter again."""
        with torch.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        delattr(module, self.name)
        for suffix in ("_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    def _solve_v(self, matrix, u):
        """v of the weight and u, for states of version 0."""
        v = torch.linalg.multi_dot([torch.linalg.pinv(matrix.t() @ matrix), matrix.t(), u.unsqueeze(1)]).squeeze(1)
        return v * (1 / torch.dot(u, torch.mv(matrix, v)))

    @staticmethod
    def apply(module: Module, name: str, n_power_iterations: int, dim: int, eps: float) -> SpectralNorm:
        """Adds the hook to a module. RuntimeError if there is one for that name, ValueError for a parameter of no shape."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        hook = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if isinstance(weight, torch.nn.parameter.UninitializedParameter):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters: run its forward() once before"
            )
        with torch.no_grad():
            matrix = as_matrix(weight, dim)
            u = F.normalize(weight.new_empty(matrix.size(0)).normal_(0, 1), dim=0, eps=eps)
            v = F.normalize(weight.new_empty(matrix.size(1)).normal_(0, 1), dim=0, eps=eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(hook)
        module._register_state_dict_hook(SpectralNormStateDictHook(hook))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(hook))
        return hook


class SpectralNormLoadStateDictPreHook:
    """Makes states of version 0 such of version 1, which have <name>_v and not <name>."""

    def __init__(self, fn) -> None:
        self.fn = fn

    def __call__(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs) -> None:
        name = self.fn.name
        version = local_metadata.get("spectral_norm", {}).get(name + ".version")
        if version is not None and version >= 1:
            return
        keys = {suffix: prefix + name + suffix for suffix in ("_orig", "", "_u", "_v")}
        if version is None and all(keys[s] in state_dict for s in ("_orig", "_u", "_v")) and keys[""] not in state_dict:
            return  # a new one whose metadata has been lost
        complete = True
        for suffix in ("_orig", "", "_u"):
            if keys[suffix] not in state_dict:
                complete = False
                if strict:
                    missing_keys.append(keys[suffix])
        if complete:
            with torch.no_grad():
                matrix = as_matrix(state_dict[keys["_orig"]], self.fn.dim)
                weight = state_dict.pop(keys[""])
                sigma = (state_dict[keys["_orig"]] / weight).mean()
                v = self.fn._solve_v(matrix, state_dict[keys["_u"]])
                state_dict[keys["_v"]] = v * (sigma / torch.dot(state_dict[keys["_u"]], torch.mv(matrix, v)))


class SpectralNormStateDictHook:
    """Stores the version."""

    def __init__(self, fn) -> None:
        self.fn = fn

    def __call__(self, module, state_dict, prefix, local_metadata) -> None:
        versions = local_metadata.setdefault("spectral_norm", {})
        key = self.fn.name + ".version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divides a parameter by its largest singular value before every forward(); what is learned is <name>_orig. Returns the
    module. torch.nn.utils.parametrizations.spectral_norm() does it without a hook."""
    SpectralNorm.apply(module, name, n_power_iterations, spectral_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module, name: str = "weight"):
    """Undoes spectral_norm(); returns the module. ValueError if it has none."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    for hooks, kind in (
        (module._state_dict_hooks, SpectralNormStateDictHook),
        (module._load_state_dict_pre_hooks, SpectralNormLoadStateDictPreHook),
    ):
        for key, hook in list(hooks.items()):
            hook = getattr(hook, "hook", hook)
            if isinstance(hook, kind) and hook.fn.name == name:
                del hooks[key]
    return module
