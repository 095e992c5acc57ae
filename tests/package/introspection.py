"""What a torch says of itself to programs that ask: signatures of functions, annotations of modules."""

import importlib
import inspect
import types
import typing
import warnings

MODULES = """torch torch.Tensor torch.accelerator torch.amp torch.autograd torch.autograd.forward_ad
    torch.autograd.functional torch.autograd.graph torch.autograd.profiler torch.backends torch.backends.cuda
    torch.backends.cudnn torch.backends.mkl torch.backends.mkldnn torch.backends.mps torch.backends.openmp
    torch.backends.opt_einsum torch.compiler torch.cpu torch.cuda torch.cuda.amp torch.cuda.comm torch.cuda.memory
    torch.cuda.nvtx torch.cuda.random torch.distributed torch.distributions torch.distributions.kl torch.fft
    torch.functional torch.jit torch.linalg torch.mps torch.multiprocessing torch.nn torch.nn.attention
    torch.nn.functional torch.nn.init torch.nn.parallel torch.nn.utils torch.nn.utils.parametrizations
    torch.nn.utils.parametrize torch.nn.utils.prune torch.nn.utils.rnn torch.nn.utils.stateless torch.optim
    torch.optim.lr_scheduler torch.optim.swa_utils torch.overrides torch.random torch.serialization torch.special
    torch.storage torch.testing torch.utils torch.utils.checkpoint torch.utils.collect_env torch.utils.data
    torch.utils.dlpack torch.utils.hooks torch.xpu""".split()
# Of these the classes, too, whose signature is that of their constructor.
WITH_CLASSES = ("torch.nn", "torch.optim", "torch.optim.lr_scheduler", "torch.utils.data", "torch.distributions")
LITERALS = (bool, int, float, str, tuple, list, dict, type(None))
ANY = "<...>"  # a default that is no literal
SAYS_NOTHING = "(*args, **kwargs)"


class _Any:
    def __repr__(self):
        return ANY


def signature_text(function):
    """(input, p='fro', dim=None, …) without annotations; None where inspect knows no signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    parameters = [
        p.replace(
            annotation=p.empty,
            default=p.default if p.default is p.empty or isinstance(p.default, LITERALS) else _Any(),
        )
        for p in signature.parameters.values()
    ]
    return str(inspect.Signature(parameters))


def place_of(path):
    """The module or class of that name; None where this torch has none."""
    try:
        return importlib.import_module(path)
    except ImportError:
        module, _, name = path.rpartition(".")
        return getattr(importlib.import_module(module), name, None) if module else None


def public_functions(path):
    """(name, function or class) of what torch has made and a module, or torch.Tensor, offers under a public name."""
    place = place_of(path)
    for name in sorted(dir(place)) if place is not None else ():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(place, name, None)
        if name.startswith("_") or not callable(value):
            continue
        if isinstance(value, type) and path not in WITH_CLASSES:
            continue
        if (getattr(value, "__doc__", None) or "").startswith("PyTorch's. "):  # refuses: torch._absent made it
            continue
        if (getattr(value, "__module__", None) or "torch").split(".")[0] == "torch":
            yield name, value


def hint_text(hint):
    """A type as text, the same for every way to write it, and in every Python."""
    if hint is type(None):
        return "None"
    if hint is ...:
        return "..."
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(sorted(map(hint_text, parts)))
    if origin is typing.Literal:
        return f"Literal{list(parts)}"
    if isinstance(hint, list):
        return f"[{', '.join(map(hint_text, hint))}]"
    name = getattr(origin or hint, "__qualname__", None) or repr(hint).removeprefix("typing.")
    return f"{name}[{', '.join(map(hint_text, parts))}]" if parts else name


def hints_of(owner):
    """{name: type} that typing finds of a class or object."""
    return {name: hint_text(hint) for name, hint in sorted(typing.get_type_hints(owner).items())}
