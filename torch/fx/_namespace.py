"""Names of values in a graph and of global variables in generated code: one each, and none that Python or the code needs."""

import builtins
import keyword
import re
from collections import defaultdict
from math import inf, nan
from typing import Any, NamedTuple

import torch
from torch.utils import _pytree as pytree


class _CustomBuiltin(NamedTuple):
    """A name that generated code has without saying where it comes from: how a file imports it, and what it is."""

    import_str: str
    obj: Any


_custom_builtins = {}


def _register_custom_builtin(name, import_str, obj):
    _custom_builtins[name] = _CustomBuiltin(import_str, obj)


_register_custom_builtin("inf", "from math import inf", inf)
_register_custom_builtin("nan", "from math import nan", nan)
_register_custom_builtin("NoneType", "NoneType = type(None)", type(None))
_register_custom_builtin("torch", "import torch", torch)
_register_custom_builtin("device", "from torch import device", torch.device)
_register_custom_builtin("fx_pytree", "import torch.fx._pytree as fx_pytree", None)  # filled by torch.fx.graph
_register_custom_builtin("pytree", "import torch.utils._pytree as pytree", pytree)

_illegal_names = {*keyword.kwlist, *dir(builtins), *_custom_builtins}

_NUMBERED = re.compile(r"(.*)_(\d+)$")
_FOREIGN = re.compile(r"[^0-9a-zA-Z_]+")
_CAMEL = re.compile(r"(?<=[a-z])([A-Z])")


def _snake_case(s):
    """camelCase as snake_case."""
    return _CAMEL.sub(r"_\1", s).lower()


class _Namespace:
    """Gives names that differ from all that it has given."""

    def __init__(self):
        self._obj_to_name = {}
        self._used_names = set()
        self._base_count = defaultdict(int)

    def create_name(self, candidate, obj):
        """A name like `candidate`; the one that `obj` has been given, if it has."""
        if obj is not None:
            known = self._named(obj)
            if known is not None:
                return known
        candidate = _FOREIGN.sub("_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        base, number = candidate, None
        match = _NUMBERED.match(candidate)
        if match and match.group(1):
            base, number = match.group(1), int(match.group(2))
        used = self._used_names
        if candidate in used or (candidate in _illegal_names and not self._is_builtin(candidate, obj)):
            number = self._base_count[base] if number is None else number
            while candidate in used or candidate in _illegal_names:
                number += 1
                candidate = f"{base}_{number}"
        if number is not None and number > self._base_count[base]:
            self._base_count[base] = number
        used.add(candidate)
        if obj is not None:
            self.associate_name_with_obj(candidate, obj)
        return candidate

    def _named(self, obj):
        try:
            return self._obj_to_name.get(obj)
        except TypeError:  # it has no hash
            return None

    @staticmethod
    def _is_builtin(name, obj):
        """Whether the name stands for just this object already."""
        if name in _custom_builtins:
            return _custom_builtins[name].obj is obj
        return obj is not None and getattr(builtins, name, None) is obj

    def associate_name_with_obj(self, name, obj):
        """`obj` is called `name` from now on."""
        try:
            self._obj_to_name.setdefault(obj, name)
        except TypeError:
            pass

    def _rename_object(self, obj, name):
        self._obj_to_name[obj] = name
        self._used_names.add(name)
