"""Settings that are attributes of modules: `torch.backends.cudnn.benchmark = True`. A module's class gets a Setting for
each; `disable_global_flags` freezes them all, save for `flags()` contexts."""

import contextlib
import sys
import types

_frozen = False


def flags_frozen():
    """Whether `disable_global_flags` was called."""
    return _frozen


def disable_global_flags():
    """From now on settings change by `flags()` contexts only; assigning to them raises RuntimeError."""
    global _frozen
    _frozen = True


class Setting:
    """An attribute that remembers what it was set to. `kind`: the type of what it takes, where that matters."""

    def __init__(self, default, kind=None):
        self.default, self.kind = default, kind

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, kind=None):
        return self if owner is None else self.read(owner)

    def __set__(self, owner, value):
        if _frozen:
            raise RuntimeError(
                f"not allowed to set {owner.__name__} flags after disable_global_flags: {self.name} can be changed by "
                f"the context manager {owner.__name__}.flags()"
            )
        self.write(owner, value)

    def read(self, owner):
        """The value."""
        return owner.__dict__.get("_" + self.name, self.default)

    def write(self, owner, value):
        """Sets it, frozen or not."""
        if self.kind is not None and type(value) is not self.kind:
            raise RuntimeError(
                f"{owner.__name__}.{self.name} expects a {self.kind.__name__}, but got {type(value).__name__} {value!r}"
            )
        owner.__dict__["_" + self.name] = value

    def keep(self, owner):
        """A function that makes it what it is now."""
        value = self.read(owner)
        return lambda: owner.__dict__.update({"_" + self.name: value})


class SettingsModule(types.ModuleType):
    """The class of a module with Settings."""

    def _set(self, **values):
        """Sets each, None and "none" meaning no change; the values before, in this order."""
        before = tuple(getattr(self, name) for name in values)
        kept = [getattr(type(self), name).keep(self) for name in values]
        try:
            for name, value in values.items():
                if value is not None and value != "none":
                    getattr(type(self), name).write(self, value)
        except BaseException:
            for restore in kept:
                restore()
            raise
        return before

    @contextlib.contextmanager
    def _changed(self, **values):
        """A context in which the settings have these values."""
        kept = [getattr(type(self), name).keep(self) for name in values]
        self._set(**values)
        try:
            yield
        finally:
            for restore in kept:
                restore()


def has_settings(name, settings, base=SettingsModule):
    """Gives the module of that name Settings: {name: Setting}. Returns it."""
    module = sys.modules[name]
    module.__class__ = type(name.rpartition(".")[2], (base,), settings)
    return module
