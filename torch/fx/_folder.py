"""A GraphModule as a package of source code."""

import warnings

import torch

# Modules whose repr() makes them anew.
_BY_REPR = {
    *(
        "Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d BatchNorm1d BatchNorm2d BatchNorm3d "
        "LayerNorm GroupNorm ReLU ReLU6 Sigmoid Tanh GELU SiLU Softmax Dropout Identity MaxPool2d AvgPool2d "
        "AdaptiveAvgPool2d Embedding Flatten"
    ).split()
}


def _made_by_repr(module):
    """Whether evaluating repr(module) in torch.nn gives such a module."""
    if type(module).__module__.partition(".")[0] != "torch" or type(module).__name__ not in _BY_REPR:
        return False
    try:
        made = eval(repr(module), {**vars(torch.nn), "inf": float("inf")})  # noqa: S307 - its own repr
    except Exception:  # noqa: BLE001 - then it is pickled
        return False
    return repr(made) == repr(module) and made.state_dict().keys() == module.state_dict().keys()


def to_folder(module, folder, class_name):
    """Writes __init__.py, module.py, state_dict.pt, and a file for each module that has to be pickled."""
    from torch.fx.graph_module import _custom_builtins, _format_import_block

    folder.mkdir(parents=True, exist_ok=True)
    torch.save(module.state_dict(), folder / "state_dict.pt")
    python_code = module.graph.python_code("self")
    lines, pickled = [], []
    for name, inner in module.named_children():
        if _made_by_repr(inner):
            lines.append(f"        setattr(self, {name!r}, {inner!r})")
            continue
        pickled.append(name)
        torch.save(inner, folder / f"{name}.pt")
        lines.append(f"        setattr(self, {name!r}, torch.load(_HERE / {name + '.pt'!r}, weights_only=False))")
    for name, buffer in module._buffers.items():
        if buffer is not None:
            persistent = name not in module._non_persistent_buffers_set
            made = f"torch.empty({list(buffer.shape)}, dtype={buffer.dtype})"
            lines.append(f"        self.register_buffer({name!r}, {made}, persistent={persistent})")
    for name, parameter in module._parameters.items():
        if parameter is not None:
            made = f"torch.empty({list(parameter.shape)}, dtype={parameter.dtype})"
            lines.append(f"        setattr(self, {name!r}, torch.nn.Parameter({made}, {parameter.requires_grad}))")
    for name in ("_in_spec", "_out_spec"):
        if name in module.__dict__:
            torch.save(module.__dict__[name], folder / f"{name}.pt")
            lines.append(f"        self.{name} = torch.load(_HERE / '{name}.pt', weights_only=False)")
    used = dict(python_code.globals)
    imports = _format_import_block({**{k: v.obj for k, v in _custom_builtins.items()}, **used})
    body = "\n".join(f"    {line}" if line.strip() else "" for line in python_code.src.split("\n"))
    wraps = [line for line in python_code.src.split("\n") if line.startswith("torch.fx._symbolic_trace.wrap(")]
    for line in wraps:
        body = body.replace(f"    {line}", "")
    newline = "\n"
    (folder / "module.py").write_text(
        f"import pathlib\n\n{imports}\nimport torch.fx\nfrom torch.nn import *\n\n"
        f"_HERE = pathlib.Path(__file__).resolve().parent\n{newline.join(wraps)}\n\n"
        f"class {class_name}(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"{newline.join(lines)}\n        self.load_state_dict(torch.load(_HERE / 'state_dict.pt'))\n{body}\n"
    )
    (folder / "__init__.py").write_text("from .module import *\n")
    if pickled:
        warnings.warn(
            f"Was not able to save the following children modules as reprs -saved as pickled files instead: {pickled}",
            stacklevel=3,
        )
