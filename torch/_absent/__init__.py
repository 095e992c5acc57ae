"""What PyTorch has and this torch has not: its names, module by module.

Libraries import names of processes, quantisation, export and the like without using them, for annotations, for
isinstance(), to derive from a class. They find them here, and whoever calls one hears what is missing. `table` holds the
names; a module of the tree is made when it is imported, unless a file in its place has real things to offer. Such a file
fetches what it lacks by `rest_of(__name__)`.
"""

import importlib
import importlib.machinery
import sys

# What is missing, by the module it would be in; the longest one that fits counts.
REASONS = {
    "torch._C": "there is no TorchScript in this torch",
    "torch._C._distributed_rpc": "this torch has no remote procedure calls; processes exchange tensors",
    "torch._C._distributed_autograd": "this torch has no remote procedure calls; processes exchange tensors",
    "torch.distributed.autograd": "this torch has no remote procedure calls; processes exchange tensors",
    "torch.distributed.nn.api": "this torch has no remote procedure calls; processes exchange tensors",
    "torch.distributed.nn.jit": "this torch has no remote procedure calls; processes exchange tensors",
    "torch.distributed.rpc": "this torch has no remote procedure calls; processes exchange tensors",
    "torch.ao": "this torch does not quantize",
    "torch.ao.pruning": "this torch has no sparsifiers; torch.nn.utils.prune is there",
    "torch.nn": "this torch does not quantize",
    "torch.quantization": "this torch does not quantize",
    "torch.onnx": "this torch writes no ONNX files",
    "torch.export": "this torch does not export programs",
    "torch.fx.experimental": "sizes are numbers in this torch, and there is no compiler that would not know them",
    "torch.fx.experimental.symbolic_shapes": "this torch's sizes are numbers: there are no symbolic sizes",
    "torch.fx.experimental.proxy_tensor": "sizes are numbers in this torch, which make_fx records as they are",
    "torch.jit": "there is no TorchScript in this torch",
    "torch._dynamo": "there is no compiler in this torch",
    "torch._functorch": "this torch has no vmap and no grad of functions",
    "torch._higher_order_ops": "there is no compiler in this torch",
    "torch._inductor": "there is no compiler in this torch",
    "torch._subclasses": "this torch has no fake tensors; tensors on the device meta have shapes and no elements",
    "torch.func": "this torch has no vmap and no grad of functions; torch.autograd.functional has jacobian, vjp and jvp",
    "torch.utils.hipify": "this torch does not translate sources for AMD's GPUs, and has no library for these",
    "torch.utils.mkldnn": "this torch has no tensors in oneDNN's own layout; its modules call oneDNN with plain tensors",
    "torch.sparse": "two of four elements being 0 speeds up products on tensor cores of GPUs, which this torch does not use so",
}

# The same of processes, where this torch was built with torch.distributed; without, that is the reason of them all.
_OF_PROCESSES = {
    "torch._C._distributed_c10d": "torch.distributed has process groups, and not this part of PyTorch's own",
    "torch.distributed": "torch.distributed has process groups, and not this part of PyTorch's",
    "torch.distributed._shard": "tensors in parts are DTensors here (torch.distributed.tensor), which came after ShardedTensor",
    "torch.distributed.algorithms.ddp_comm_hooks.quantization_hooks": "this torch does not quantize",
    "torch.distributed.checkpoint.hf_storage": "checkpoints are PyTorch's files here; safetensors reads and writes the others",
    "torch.distributed.checkpoint.quantized_hf_storage": "this torch does not quantize",
    "torch.distributed.debug": "this torch serves no pages about processes; TORCH_DISTRIBUTED_DEBUG=DETAIL says who differs",
    "torch.distributed.elastic.control_plane": "processes that torchrun starts serve no commands here",
    "torch.distributed.elastic.multiprocessing.subprocess_handler": "elastic.multiprocessing starts programs itself here",
    "torch.distributed.elastic.rendezvous.dynamic_rendezvous": "machines that meet by c10d meet at a store here: "
    "rendezvous.registry.get_rendezvous_handler() has the handler",
    "torch.distributed.elastic.rendezvous.etcd_rendezvous": "machines meet at a store of torch.distributed, not by etcd",
    "torch.distributed.elastic.rendezvous.etcd_rendezvous_backend": "machines meet at a store of torch.distributed, "
    "not by etcd",
    "torch.distributed.elastic.rendezvous.etcd_server": "machines meet at a store of torch.distributed, not by etcd",
    "torch.distributed.elastic.rendezvous.etcd_store": "machines meet at a store of torch.distributed, not by etcd",
    "torch.distributed.flight_recorder": "no flight recorder writes here what it reads",
    "torch.distributed.optim.optimizer": "DistributedOptimizer is one of remote procedure calls, which this torch has not",
    "torch.distributed.pipelining": "modules are not cut into stages here: fsdp and tensor.parallel divide them",
    "torch.nn.parallel": "torch.distributed has process groups, and not this part of PyTorch's",
}
# Whether this torch was built with process groups. By the path alone: torch's finder would ask this very module.
GROUPS_BUILT = importlib.machinery.PathFinder.find_spec("torch._distributed", sys.modules["torch"].__path__) is not None
REASONS |= {
    path: reason if GROUPS_BUILT else "this torch is built without distributed support"
    for path, reason in _OF_PROCESSES.items()
}


def reason_of(path):
    """Why `path`, a dotted name, is not there; None where nothing is said about it."""
    while path:
        if path in REASONS:
            return REASONS[path]
        path = path.rpartition(".")[0]
    return None


def refuse(path):
    """Raises NotImplementedError, a RuntimeError: `path`, a dotted name, is not there, and why."""
    raise NotImplementedError(f"{path}: {reason_of(path)}")


def absent_function(path):
    """A function that refuses."""
    module, _, name = path.rpartition(".")

    def function(*args, **kwargs):
        refuse(path)

    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__doc__ = f"PyTorch's. NotImplementedError here: {reason_of(path)}."
    function._is_absent = True
    return function


def _base(name):
    """The class that others derive from, by the name in the table."""
    if name == "Module":
        from torch.nn import Module as base
    elif name == "Tensor":
        from torch import Tensor as base
    elif name == "Optimizer":
        from torch.optim import Optimizer as base
    else:
        import builtins

        base = getattr(builtins, name)
    return base


def absent_class(path, base="object"):
    """A class that may be derived from and asked about, and that has no instances. Exceptions can be made."""
    module, _, name = path.rpartition(".")
    parent = _base(base)
    body = {"__module__": module, "__doc__": f"PyTorch's. There are none here: {reason_of(path)}.", "_is_absent": True}
    if not issubclass(parent, BaseException):
        body["__new__"] = lambda cls, *args, **kwargs: refuse(path)
    return type(name, (parent,), body)


def _enumeration(path, members):
    import enum

    module, _, name = path.rpartition(".")
    pairs = [(key, int(value)) for key, _, value in (member.partition("=") for member in members.split(","))]
    made = enum.Enum(name, pairs, module=module)
    made.__doc__ = "PyTorch's numbers; what they choose is not there."
    return made


def _made(module, entry):
    """The object for an entry of the table: `name`, a function; `+Name`, a class; `+Name:Base`; `+Name{A=1,B=2}`, an
    enumeration; `name@other.module`, what that module has."""
    entry, _, home = entry.partition("@")
    name = entry.lstrip("+").partition(":")[0].partition("{")[0]
    if home:
        return name, getattr(importlib.import_module(home), name)
    path = f"{module}.{name}"
    if not entry.startswith("+"):
        return name, absent_function(path)
    if "{" in entry:
        return name, _enumeration(path, entry.partition("{")[2].rstrip("}"))
    return name, absent_class(path, entry.partition(":")[2] or "object")


def _entries(module):
    from torch._absent import table

    return table.NAMES.get(module, "").split()


def _name_of(entry):
    return entry.lstrip("+").partition("@")[0].partition(":")[0].partition("{")[0]


def names_of(module):
    """The names that the table has for a module."""
    return [_name_of(entry) for entry in _entries(module)]


def is_absent(value):
    """Whether it is one of the functions and classes made here, which refuse; what is derived from such a class is not."""
    return "_is_absent" in getattr(value, "__dict__", ())


def rest_of(module):
    """(`__getattr__`, `__dir__`) for a module of which the table knows more names, or submodules, than its file has."""
    space = sys.modules[module].__dict__

    def __getattr__(name):
        for entry in _entries(module):
            if _name_of(entry) == name:
                space[name] = _made(module, entry)[1]
                return space[name]
        if not name.startswith("__") and "__path__" in space and _known(f"{module}.{name}"):
            return importlib.import_module(f"{module}.{name}")
        why = reason_of(module)
        raise AttributeError(
            f"module '{module}' has no attribute '{name}'" + (f": {why}" if why and module != "torch._C" else "")
        )

    def __dir__():
        return sorted({*space, *names_of(module)})

    return __getattr__, __dir__


# ---- modules without a file --------------------------------------------------------------------------------
def _known(module):
    """Whether the table has the module, or modules below it."""
    from torch._absent import table

    return module in table.NAMES


def spec_of(fullname):
    """How the module is made; None where it is not known."""
    if reason_of(fullname) is None or not _known(fullname):
        return None
    return importlib.machinery.ModuleSpec(fullname, _Loader, is_package=True)


class _Loader:
    """Fills a module with the names of the table, which are made when they are asked for."""

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        name = module.__name__
        module.__doc__ = f"A module of PyTorch's, of which this torch has the names: {reason_of(name)}."
        module.__all__ = [entry for entry in names_of(name) if not entry.startswith("_")]
        module.__getattr__, module.__dir__ = rest_of(name)
