"""What print_readable() prints."""

import torch


def _indented(text, by):
    return "\n".join(f"{by}{line}" if line.strip() else line for line in text.split("\n"))


def readable(module, name, **options):
    """The class of a GraphModule as source code, with those of the GraphModules in it."""
    code = module._graph.python_code("self", verbose=True, **options).src
    body = _indented(code.strip("\n").rstrip(), "    ")
    text = f"class {name}(torch.nn.Module):\n{body}\n"
    for inner_name, inner in module.named_children():
        if isinstance(inner, torch.fx.GraphModule):
            text += "\n" + _indented(readable(inner, inner_name, **options).rstrip("\n"), "    ") + "\n"
    return text
