"""Attributes of modules that a pass wants on the nodes that call them."""

import torch

__all__ = ["default_matching", "extract_attrs_for_lowering", "lift_lowering_attrs_to_nodes"]


def default_matching(name, target_version):
    """The name, whatever the version."""
    return name


def _attributes(*names):
    return (1, list(names), default_matching)


_CONVOLUTION = "weight bias kernel_size stride padding dilation groups padding_mode".split()

# {module: (its version, attributes, how a name is called in a version)}
module_fetch_book = {
    torch.nn.modules.linear.Linear: _attributes("weight", "bias"),
    torch.nn.modules.conv.Conv2d: _attributes(*_CONVOLUTION),
    torch.nn.modules.batchnorm.BatchNorm2d: (
        2,
        ["weight", "bias", "running_mean", "running_var", "eps"],
        default_matching,
    ),
    torch.nn.modules.pooling.AdaptiveAvgPool2d: _attributes(),
    torch.nn.modules.pooling.MaxPool2d: _attributes(
        "kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"
    ),
    torch.nn.modules.activation.ReLU: _attributes("inplace"),
}


def extract_attrs_for_lowering(mod):
    """{"name": the module's type, attribute: value}. RuntimeError for a module that is newer than what is known of it."""
    attributes = {"name": f"{type(mod).__module__}.{type(mod).__qualname__}"}
    if type(mod) in module_fetch_book:
        version, names, matching = module_fetch_book[type(mod)]
        if version < mod._version:
            raise RuntimeError(
                f"the attributes of {attributes['name']} are known of version {version}, not {mod._version}"
            )
        for name in names:
            attributes[name] = getattr(mod, matching(name, mod._version))
    return attributes


def lift_lowering_attrs_to_nodes(fx_module):
    """Notes in node.attrs_for_lowering the attributes of called modules, in submodules, too."""
    submodules = dict(fx_module.named_modules())
    for node in fx_module.graph.nodes:
        if node.op == "call_module":
            module = submodules[node.target]
            if isinstance(module, torch.fx.GraphModule):
                lift_lowering_attrs_to_nodes(module)
            else:
                node.attrs_for_lowering = extract_attrs_for_lowering(module)
