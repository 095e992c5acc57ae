"""Operators that C++ registered by TORCH_LIBRARY (torch/library.h), and libraries that do so when they are loaded.

C++ keeps what was registered in order; `synchronise` takes what is new into the table of operators, so that a call from
Python finds both sides' kernels there. A call from C++ of an operator that Python has to do with comes back here.
"""

import ctypes
import os

from torch import _C
from torch._library import dispatch, keys, table
from torch._library.schema import parse

_seen = 0
MODULES = {}  # {namespace: the module of Python that has more of its operators}

# What PyTorch's own binaries are made of; ours are libtorch.so.1 and libtorch_python.so.1.
_FOREIGN = ("libc10.so", "libc10_cuda.so", "libtorch.so", "libtorch_cpu.so", "libtorch_cuda.so", "libtorch_python.so")


class NativeKernel(table.Kernel):
    """A function of C++, by its number there. `signature`: its types, as a schema without a name."""

    of_python = False

    def __init__(self, number, signature, falls_through, where):
        super().__init__(table.fallthrough if falls_through else None, where=where)
        self.number, self.signature = number, signature

    def __call__(self, operator, values):
        return _C._operator_run(self.number, values, keys.mask())


def synchronise():
    """Takes what C++ has registered since the last time. RuntimeError, once, for what is wrong with it."""
    global _seen
    if _C._operator_event_count() == _seen:
        return
    wrong, touched = [], {}
    events = _C._operator_events(_seen)
    _seen += len(events)
    for kind, space, text, key, signature, where, number, falls_through in events:
        try:
            if kind == "owner":
                table.own(space, where)
            elif kind == "definition":
                operator = table.define(space, text, where)
                touched[operator.qualified] = operator
            elif kind == "implementation":
                name = text.removeprefix(f"{space}::")
                table.implement(space, name, NativeKernel(number, signature, falls_through, where), key, where)
                operator = table.entry(space, *_parts(name))
                touched[operator.qualified] = operator
                if key.startswith("Autocast"):
                    _C._operator_in_python(operator.qualified)  # where autocast is known
            elif kind == "module":
                MODULES[space] = text
            else:
                wrong.append(f"{where}: {text}")
        except (RuntimeError, ValueError, NotImplementedError) as error:
            wrong.append(f"{where}: {error}")
    for operator in touched.values():
        wrong += _lies(operator)
    if wrong:
        raise RuntimeError("\n".join(wrong))


def _parts(name):
    name, _, overload = name.partition(".")
    return name, overload


def _lies(operator):
    """What is wrong with its functions: types that are not the schema's. They are taken out of the table."""
    found = []
    if operator.schema is None:
        return found
    wanted = _types(operator.schema)
    for key, kernel in list(operator.kernels.items()):
        signature = getattr(kernel, "signature", "")
        if signature and _types(parse(f"f{signature}")) != wanted:
            del operator.kernels[key]
            found.append(
                "Inferred operator schema for a C++ kernel function doesn't match the expected function schema.\n"
                f"  operator: {operator.qualified}\n  expected: {operator.schema}, registered at {operator.where}\n"
                f"  inferred: {signature} for {key}, registered at {kernel.where}"
            )
    return found


def _types(schema):
    """Types of arguments and results, less what functions of C++ do not tell apart."""
    shown = [str(each.real_type).replace("Optional[List[Optional", "Optional[List[") for each in schema.arguments]
    return shown, [str(each.real_type) for each in schema.returns]


def _defines(qualified):
    return table.find(qualified) is not None


def _called(qualified, values, excluded):
    """A call from C++, of values for every argument."""
    operator = table.found(qualified)
    with keys.from_mask(excluded):
        return dispatch.run(operator, operator.binder.bind(*operator.binder.split(values)))


def load(path):
    """Loads a library. Returns its path, without links. OSError where that cannot be done."""
    from torch.utils import _elf

    path = os.path.realpath(path)
    try:
        needed = _elf.read(path).needed
    except OSError as error:
        raise OSError(f"Could not load this library: {path}: {error.strerror}") from error
    except _elf.ElfError as error:
        raise OSError(f"Could not load this library: {error}") from error
    foreign = [name for name in needed if name in _FOREIGN]
    if foreign:
        raise OSError(
            f"Could not load this library: {path} was compiled for PyTorch's own binaries: it needs {', '.join(foreign)}, "
            "whose classes in C++ have another layout than this torch's. Compile its source against the headers here "
            "(torch.utils.cpp_extension.load(name, sources, is_python_module=False))"
        )
    try:
        ctypes.CDLL(path)
    except OSError as error:
        raise OSError(f"Could not load this library: {path}: {error}") from error
    synchronise()
    return path


_C._operator_python_side(_defines, _called)
table.synchronise = synchronise
