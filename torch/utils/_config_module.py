"""Modules whose names are settings: those that exist can be read and set, for good or for as long as a context lasts."""

import contextlib
import importlib
import pickle
import sys
import types


def install(name, defaults, aliases=None):
    """Makes the module of that name one: {setting: default}; {further name: the setting that it stands for, here or,
    with a dotted name, in another module}."""
    module = sys.modules[name]
    module.__dict__.update(defaults, _defaults=dict(defaults), _aliases=dict(aliases or {}))
    module.__class__ = ConfigModule


class ConfigModule(types.ModuleType):
    """The class of such a module: a setting that does not exist cannot be set."""

    def _place(self, name):
        """(module, name in it) of what an alias stands for; None for a name that is no alias."""
        target = self._aliases.get(name)
        if target is None:
            return None
        path, _, name = target.rpartition(".")
        return (importlib.import_module(path) if path else self), name

    def __getattr__(self, name):
        place = None if name.startswith("__") else self._place(name)
        if place is None:
            raise AttributeError(f"{self.__name__}.{name} does not exist")
        return getattr(*place)

    def __setattr__(self, name, value):
        place = self._place(name)
        if place is not None:
            setattr(*place, value)
        elif name in self._defaults or name.startswith("__"):
            super().__setattr__(name, value)
        else:
            raise AttributeError(f"{self.__name__}.{name} does not exist")

    def __dir__(self):
        return sorted({*super().__dir__(), *self._aliases})

    def patch(self, arg1=None, arg2=None, **kwargs):
        """Settings for as long as a context or function lasts: patch(verbose=True), patch("verbose", True),
        patch({"verbose": True})."""
        if isinstance(arg1, str):
            kwargs = {arg1: arg2, **kwargs}
        elif arg1 is not None:
            kwargs = {**dict(arg1), **kwargs}
        return _Patch(self, kwargs)

    def get_config_copy(self):
        """The settings that are this module's own, {name: value}."""
        return {name: getattr(self, name) for name in self._defaults}

    to_dict = shallow_copy_dict = get_config_copy

    def save_config(self):
        """The same as bytes."""
        return pickle.dumps(self.get_config_copy(), protocol=2)

    def load_config(self, maybe_pickled_config):
        """Sets what `get_config_copy` or `save_config` has given."""
        config = maybe_pickled_config
        for name, value in (pickle.loads(config) if isinstance(config, bytes) else dict(config)).items():
            setattr(self, name, value)

    def get_type(self, config_name):
        """The type of a setting's default."""
        place = self._place(config_name)
        if place is not None and place[0] is not self:
            return place[0].get_type(place[1])
        name = place[1] if place else config_name
        if name not in self._defaults:
            raise AttributeError(f"{self.__name__}.{name} does not exist")
        return type(self._defaults[name])


class _Patch(contextlib.ContextDecorator):
    def __init__(self, module, changes):
        for name in changes:
            getattr(module, name)
        self.module, self.changes = module, changes

    def __enter__(self):
        self.before = {name: getattr(self.module, name) for name in self.changes}
        for name, value in self.changes.items():
            setattr(self.module, name, value)

    def __exit__(self, *error):
        for name, value in self.before.items():
            setattr(self.module, name, value)
        return False
