"""Which names are public, where each is at home, and what kind of thing it is: read from the imported package."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import sys
import types
import warnings

import torch
from torch._absent import is_absent

# Where helpers are at home that modules import for their own use.
HELPERS = (
    "torch._absent",
    "torch._device_module",
    "torch._hub_progress",
    "torch._serialization.files",
    "torch.utils._pytree",
    "torch.utils.data.datapipes._checks",
)


@dataclasses.dataclass
class Name:
    path: str  # as users write it: torch.nn.Linear
    module: str
    value: object
    kind: str  # class, function, data
    aliases: list[str] = dataclasses.field(default_factory=list)

    @property
    def word(self):
        return self.path.removeprefix(self.module + ".")


def modules():
    """{path: module} of all that are public and can be imported here, sorted."""
    found = {"torch": torch}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for info in pkgutil.walk_packages(torch.__path__, "torch."):
            if any(part.startswith("_") and part != "__future__" for part in info.name.split(".")):
                continue
            try:
                found[info.name] = importlib.import_module(info.name)
            except ImportError:  # what needs a package that is not here
                continue
    return {path: module for path, module in sorted(found.items()) if not hidden(path, found)}


def hidden(path, found):
    """Whether a function has taken the module's name: torch.autograd.gradcheck."""
    parent, _, word = path.rpartition(".")
    return parent in found and getattr(found[parent], word, found[path]) is not found[path]


def own_names(path, module):
    """The public names of a module: what `__all__` says, else what it defines."""
    declared = None if module is torch else getattr(module, "__all__", None)
    words = dir(module) if declared is None else declared
    for word in sorted(set(words)):
        if word.startswith("_") and word != "__version__":
            continue
        try:
            value = getattr(module, word)
        except Exception:  # says why it is missing
            continue
        if isinstance(value, types.ModuleType) or is_absent(value):
            continue
        home = getattr(value, "__module__", None) or ""
        if declared is None and not home.startswith("torch") and word not in getattr(module, "__all__", ()):
            continue
        if declared is None and home in HELPERS:
            continue
        yield word, value


def kind_of(value):
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) and not isinstance(value, torch.Tensor) else "data"


def names(found):
    """{path: Name}, each thing once, at its shortest path."""
    result, by_identity = {}, {}
    for path in sorted(found, key=lambda p: (p.count("."), p)):
        for word, value in own_names(path, found[path]):
            full, kind = f"{path}.{word}", kind_of(value)
            known = by_identity.get(id(value)) if kind != "data" or isinstance(value, torch.dtype) else None
            if known and str(value) != full:
                known.aliases.append(full)
                continue
            if known:  # a dtype's own name before its short ones
                del result[known.path]
                known.aliases.append(known.path)
                known.path = full
                result[full] = known
                continue
            result[full] = Name(full, path, value, kind)
            by_identity[id(value)] = result[full]
    return result


def members(cls):
    """The public methods and attributes that a class itself, or a private base of it, documents: {name: value}."""
    found = {}
    for base in reversed(cls.__mro__):
        if base is not cls and not (base.__module__.startswith("torch") and base.__name__.startswith("_")):
            continue
        for word, value in vars(base).items():
            if not word.startswith("_") or word in ("__call__", "__getitem__", "__enter__"):
                if callable(value) or isinstance(value, (property, classmethod, staticmethod)):
                    if inspect.getdoc(getattr(cls, word, None)):
                        found[word] = value
    return dict(sorted(found.items()))


def signature(value):
    """The parameters as Python shows them, without addresses and modules; "" where nothing is known."""
    try:
        text = str(evaluated(value))
    except (TypeError, ValueError):
        told = re.match(r"[\w.]+(\((?:[^()]|\([^()]*\))*\))", inspect.getdoc(value) or "")
        return told[1] if told else "(...)"
    return tidy(bound(text, getattr(value, "__module__", None) or ""))


# Words of annotations that only checkers know, where several classes have the name.
SEVERAL = {"Module": "torch.nn.Module", "Node": "torch.fx.Node", "Graph": "torch.fx.Graph"}


def bound(text, module):
    """A signature in which each of these words is the class that is meant."""
    meant = SEVERAL | ({"Node": "torch.autograd.graph.Node"} if module.startswith("torch.autograd") else {})
    return re.sub(rf"(?<![\w.])({'|'.join(meant)})\b(?![\w.(])", lambda match: meant[match[1]], text)


def evaluated(value):
    """The signature with the types that its annotations mean; with their text where only checkers know the names."""
    told = inspect.signature(value)
    known = vars(sys.modules.get(getattr(value, "__module__", None), torch))

    def meant(annotation):
        try:
            return eval(annotation, dict(known)) if isinstance(annotation, str) else annotation
        except Exception:
            return annotation

    parameters = [p.replace(annotation=meant(p.annotation)) for p in told.parameters.values()]
    return told.replace(parameters=parameters, return_annotation=meant(told.return_annotation))


def tidy(text):
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    text = re.sub(r"<(?:class|enum) '([^']*)'>", r"\1", text)
    text = re.sub(r"<(function|object|module|bound method)?\s*([\w.]*)[^>]*>", r"\2", text)
    return text.replace("torch._tensor.", "").replace("typing.", "").replace("collections.abc.", "")
