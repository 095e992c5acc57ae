"""Names of parameters without what wrappers add to them."""

from __future__ import annotations

from torch import nn

_ADDED = {"_fsdp_wrapped_module", "_checkpoint_wrapped_module", "_orig_mod"}


def _clean(model, name):
    module, kept = model, []
    for key in name.split("."):
        wraps = key in _ADDED or (key == "module" and isinstance(module, nn.parallel.DistributedDataParallel))
        if not wraps:
            kept.append(key)
        # Below what is no module, keys are names of a state of its own.
        module = module._modules.get(key) if isinstance(module, nn.Module) else None
    return ".".join(kept)


def names_of(model, names):
    """{name in the model: name in the unwrapped one}"""
    return {name: _clean(model, name) for name in names}


def parameter_names(model):
    """{parameter: name}: of several names the first one."""
    found = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        found.setdefault(parameter, _clean(model, name))
    return found
