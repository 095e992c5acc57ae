"""Writes down PyTorch's names, with PyTorch itself:

    python tests/golden/generate_names.py

tests/golden/names-all.txt: every public module with its public names; those are the ones in `__all__`, or else what
the module defines itself under a name without an underscore. And torch/_absent/table.py: of the modules that this torch
does not have, what the names are, with the private names that libraries ask (tests/golden/names-private.txt).
"""

import contextlib
import enum
import importlib
import inspect
import io
import pathlib
import pkgutil
import sys
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
TREES = """torch.distributed torch.ao torch.quantization torch.onnx torch.export torch.func torch.nn.intrinsic
    torch.nn.qat torch.nn.quantizable torch.nn.quantized torch.jit torch.sparse torch._dynamo
    torch._functorch torch._higher_order_ops torch._inductor torch._subclasses torch.nn.parallel
    torch.fx.experimental torch.utils.hipify torch.utils.mkldnn""".split()
# Programs to be started, which parse their arguments on import or are asked by nobody.
WITHOUT = ("torch.onnx._internal", "torch.distributed.benchmarks")


def modules(name, found):
    """{name: module} of `name` and the public modules below it."""
    if name.startswith(WITHOUT):
        return found
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            found[name] = importlib.import_module(name)
    except Exception as error:
        print(f"left out: {name}: {error!r}", file=sys.stderr)
        return found
    for below in pkgutil.iter_modules(getattr(found[name], "__path__", ())):
        if not below.name.startswith("_"):
            modules(f"{name}.{below.name}", found)
    return found


def public(path, module):
    """The public names of a module."""
    if hasattr(module, "__all__"):
        return sorted({name for name in module.__all__ if hasattr(module, name)})
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == path and not inspect.ismodule(value)
    )


def base(value):
    """Of which of the classes that matter a class is, as torch._absent names them."""
    if issubclass(value, torch.nn.Module):
        return ":Module"
    if issubclass(value, torch.Tensor):
        return ":Tensor"
    if issubclass(value, torch.optim.Optimizer):
        return ":Optimizer"
    builtin = next((one.__name__ for one in value.__mro__ if one.__module__ == "builtins"), "object")
    return "" if builtin == "object" else f":{builtin}"


def inside(path):
    """Whether a module belongs to one of the trees, or to their compiled parts."""
    return path.startswith("torch._C._distributed") or any(
        path == tree or path.startswith(tree + ".") for tree in TREES
    )


def entry(path, name, value):
    """What torch._absent is told of a name; None for what is neither function nor class."""
    home = _home(path, name, value)
    if isinstance(value, type):
        if home:
            return f"+{name}@{home}"
        if issubclass(value, enum.Enum):
            members = [(key, one.value) for key, one in value.__members__.items()]
            if members and all(isinstance(number, int) for _, number in members):
                return f"+{name}{{{','.join(f'{key}={int(number)}' for key, number in members)}}}"
            return f"+{name}"
        return f"+{name}{base(value)}"
    if callable(value) and type(value).__name__ not in (
        "TypeVar",
        "_LiteralGenericAlias",
        "_UnionGenericAlias",
        "_GenericAlias",
    ):
        return f"{name}@{home}" if home else name
    return None


def _home(path, name, value):
    """The other module that really has what `path` offers as `name`; None where it is this one."""
    home = getattr(value, "__module__", None) or ""
    if home == path or not inside(home) or getattr(value, "__qualname__", None) != name:
        return None
    try:
        return home if getattr(importlib.import_module(home), name, None) is value else None
    except ImportError:
        return None


def offered(path, module):
    """The public names, and what the module has taken from others below torch without saying so in `__all__`."""
    taken = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and inside(str(getattr(value, "__module__", "")))
    }
    return taken | set(public(path, module))


def table(found):
    """{module: entries}, with what others of them are said to come from."""
    wanted = {path: offered(path, module) for path, module in found.items() if inside(path)}
    for line in (HERE / "names-private.txt").read_text().splitlines():
        if not line.startswith("#"):
            path, _, name = line.rpartition(".")
            wanted.setdefault(path, set()).add(name)
    compiled = torch._C
    wanted["torch._C"] = {
        name for name in found["torch"].__all__ + dir(torch) if isinstance(getattr(compiled, name, None), type)
    } | {"Graph", "Node", "Value"}
    entries = {}
    while wanted:
        path = min(wanted)
        module = importlib.import_module(path)
        for name in sorted(wanted.pop(path)):
            value = getattr(module, name, None)
            text = None if value is None or inspect.ismodule(value) else entry(path, name, value)
            if text is None or text in entries.setdefault(path, []):
                continue
            entries[path].append(text)
            home = text.partition("@")[2]
            if home:
                wanted.setdefault(home, set()).add(name)
        parent = path.rpartition(".")[0]
        while inside(parent):
            entries.setdefault(parent, [])
            parent = parent.rpartition(".")[0]
    return {path: " ".join(sorted(texts)) for path, texts in sorted(entries.items())}


def wrapped(text, width=108):
    """The words in lines of at most `width`."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def main():
    warnings.simplefilter("ignore")
    found = modules("torch", {})
    names = {path: public(path, module) for path, module in found.items()}
    lines = [f"{path}: {' '.join(of)}" for path, of in sorted(names.items()) if of]
    count = sum(map(len, names.values()))
    head = f"# The {count} public names of PyTorch {torch.__version__.split('+')[0]} in {len(lines)} modules: generate_names.py\n"
    (HERE / "names-all.txt").write_text(head + "\n".join(lines) + "\n")
    text = [
        '"""Names of PyTorch\'s, by module, as torch._absent reads them: written by tests/golden/generate_names.py."""\n'
    ]
    text.append("NAMES = {")
    for path, entries in table(found).items():
        text += [f'    "{path}": """{chr(10).join(wrapped(entries))}""",'] if entries else [f'    "{path}": "",']
    (HERE.parents[1] / "torch/_absent/table.py").write_text("\n".join(text) + "\n}\n")


if __name__ == "__main__":
    main()
