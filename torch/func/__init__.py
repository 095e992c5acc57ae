"""Functions of functions: calls of modules with other parameters are there; vmap and the transforms for gradients say that
they are not."""

from __future__ import annotations

from torch._absent import rest_of

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from torch.nn import Module


__all__ = ["functional_call", "replace_all_batch_norm_modules_", "stack_module_state"]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: dict[str, Tensor] | Sequence[dict[str, Tensor]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """module(*args, **kwargs) with the parameters and buffers of a dict, or of several dicts that share no name, in the
    place of its own, which it has again afterwards."""
    from torch.nn.utils.stateless import functional_call as call

    given = parameter_and_buffer_dicts
    if isinstance(given, (list, tuple)):
        merged = {}
        for tensors in given:
            if not isinstance(tensors, dict):
                raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
            repeated = sorted(merged.keys() & tensors.keys())
            if repeated:
                raise ValueError(
                    f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
                )
            merged.update(tensors)
        given = merged
    elif not isinstance(given, dict):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(given)}"
        )
    return call(module, given, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models) -> tuple[dict[str, Any], dict[str, Any]]:
    """({name: parameter}, {name: buffer}) of several modules of one class, each stacked over the modules."""
    import torch

    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all(model.training for model in models) or all(not model.training for model in models)):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(model) is not type(models[0]) for model in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(tensors):
        together = torch.stack([tensor.detach() for tensor in tensors])
        return together.requires_grad_(tensors[0].requires_grad)

    parameters = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return tuple({name: stacked([one[name] for one in all_]) for name in all_[0]} for all_ in (parameters, buffers))


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """Takes the running statistics from all BatchNorm modules of `root`, in place; returns it."""
    from torch.nn.modules.batchnorm import _BatchNorm

    for module in root.modules():
        if isinstance(module, _BatchNorm):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


__getattr__, __dir__ = rest_of(__name__)
