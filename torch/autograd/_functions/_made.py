"""Makes classes of functions."""

import importlib
import inspect

import torch
from torch.autograd.function import Function


class OldFunction(Function):
    """`apply(*args)` computes; an instance holds options, and computes when it is called with tensors. The options come
    after all tensors, or after the first one where `after_first` says so."""

    after_first = False
    tensor_options = False  # whether the first option is a tensor

    def __new__(cls, *options, **named):
        if options and isinstance(options[0], torch.Tensor) and not cls.tensor_options:
            return cls.apply(*options, **named)  # as functions were called that had no options
        return super().__new__(cls)

    def __init__(self, *options, **named):
        self.options, self.named = options, named

    def __call__(self, *tensors):
        if self.after_first:
            return self.apply(tensors[0], *self.options[:1], *tensors[1:], *self.options[1:], **self.named)
        return self.apply(*tensors, *self.options, **self.named)


def classes(module, functions, after_first=()):
    """{name: class} of {name: function}; `module` is where they are."""
    return {
        name: type(
            name,
            (OldFunction,),
            {
                "__module__": module,
                "__doc__": f"{name}.apply{_arguments(function)}: of 2017; today's operator computes it.",
                "apply": staticmethod(function),
                "after_first": name in after_first,
            },
        )
        for name, function in functions.items()
    }


def _arguments(function):
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return "(…)"


def methods(table):
    """{name: function} of "Name method …" pairs: methods of tensors."""
    words = table.split()
    return {name: getattr(torch.Tensor, method) for name, method in zip(words[::2], words[1::2])}


def in_place(method, count):
    """The method, whose argument after `count` others says whether it writes into the first."""

    def function(*args):
        writes = len(args) > count and args[count]
        return getattr(args[0], method + ("_" if writes else ""))(*args[1:count])

    return function


def refused(module, names, why):
    """{name: class} that refuse."""
    from torch import _absent

    for name in names:
        _absent.REASONS[f"{module}.{name}"] = why
    return {name: _absent.absent_class(f"{module}.{name}") for name in names}


def submodules(package, names):
    """`__getattr__` of a package that imports these modules when they are asked for."""

    def __getattr__(name):
        if name in names:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module '{package}' has no attribute '{name}'")

    return __getattr__
