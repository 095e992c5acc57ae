"""What torch.compile makes of a module."""

from torch.nn import Module

__all__ = ["OptimizedModule"]


class OptimizedModule(Module):
    """A module around the one that was to be compiled, `_orig_mod`, which runs as it is. Names in state_dict() and the
    like begin with "_orig_mod.", as PyTorch's do; attributes are those of the original."""

    def __init__(self, mod, dynamo_ctx=None):
        super().__init__()
        del self.__dict__["training"]  # it is the original's
        super().__setattr__("_orig_mod", mod)

    def forward(self, *args, **kwargs):
        return self._orig_mod(*args, **kwargs)

    @property
    def training(self):
        """Whether the original is trained."""
        return self._orig_mod.training

    @training.setter
    def training(self, mode):
        self._orig_mod.training = mode

    def __getattr__(self, name):
        modules = self.__dict__.get("_modules")
        if name == "_orig_mod" or not modules:  # before __init__
            return super().__getattr__(name)
        return getattr(modules["_orig_mod"], name)

    def __setattr__(self, name, value):
        if name in self.__dict__ or name == "_orig_mod" or hasattr(type(self), name):
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)

    def __delattr__(self, name):
        delattr(self._orig_mod, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self._orig_mod)})

    def __len__(self):
        return len(self._orig_mod)

    def __reduce__(self):
        return type(self), (self._orig_mod, None)
