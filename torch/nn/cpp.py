"""Modules that C++ has, as modules of torch.nn. What they wrap has `_parameters`, `_buffers` and `_modules` with items(), keys()
and so on, `training` and `train(mode)`, as pybind11 binds them."""

from torch.nn.modules.module import Module


class OrderedDictWrapper:
    """A dictionary of a C++ module, looked up again at each use, since C++ may have changed it."""

    def __init__(self, cpp_module, attr):
        self.cpp_module, self.attr = cpp_module, attr

    @property
    def cpp_dict(self):
        return getattr(self.cpp_module, self.attr)

    def items(self):
        return self.cpp_dict.items()

    def keys(self):
        return self.cpp_dict.keys()

    def values(self):
        return self.cpp_dict.values()

    def __iter__(self):
        return iter(self.cpp_dict)

    def __len__(self):
        return len(self.cpp_dict)

    def __contains__(self, key):
        return key in self.cpp_dict

    def __getitem__(self, key):
        return self.cpp_dict[key]


class ModuleWrapper(Module):
    """A C++ module as one of torch.nn: its public attributes, its parameters, its mode."""

    def __init__(self, cpp_module):
        self.cpp_module = cpp_module  # before Module's constructor, which sets the mode
        super().__init__()
        for attr in ("_parameters", "_buffers", "_modules"):
            self.__dict__[attr] = OrderedDictWrapper(cpp_module, attr)
        for attr in dir(cpp_module):
            if not attr.startswith("_") and attr not in ("training", "train"):
                self.__dict__[attr] = getattr(cpp_module, attr)

    def train(self, mode=True):
        self.cpp_module.train(mode)
        return self

    def _apply(self, fn, recurse=True):
        """Converts in place: C++ keeps its tensors."""
        for tensor in (*self.parameters(), *self.buffers()):
            tensor.data = fn(tensor.data)
            if tensor.grad is not None:
                tensor.grad.data = fn(tensor.grad.data)
        return self

    @property
    def training(self):
        return self.cpp_module.training

    @training.setter
    def training(self, mode):
        self.cpp_module.train(mode)

    def __repr__(self):
        return repr(self.cpp_module)
