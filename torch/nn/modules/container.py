"""Modules that hold modules or parameters, as lists and dicts do."""

import operator
from collections import OrderedDict, abc
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from itertools import chain
from typing import Any, Self, overload

import torch
from torch.nn.modules.module import Module, _addindent
from torch.nn.parameter import Parameter

__all__ = [
    "Container",
    "ModuleDict",
    "ModuleList",
    "ParameterDict",
    "ParameterList",
    "Sequential",
]


class Container(Module):
    """A module with submodules of given names, as it was written in 2017. Deprecated."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        import warnings

        warnings.warn(
            "nn.Container is deprecated. All of it's functionality is now implemented in nn.Module. Subclass that instead.",
            FutureWarning,
            stacklevel=2,
        )
        for name, module in kwargs.items():
            self.add_module(name, module)


def _index(length, index):
    """An index from the start. IndexError outside the list."""
    index = operator.index(index)
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of range")
    return index % length


class _Numbered(Module):
    """What Sequential and ModuleList share: submodules with the names 0, 1, …"""

    def _renumber(self, modules):
        """Names the modules again, in order."""
        self._modules = dict(zip(map(str, range(len(modules))), modules))

    def __len__(self):
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def pop(self, key):
        """Takes out a module, or those of a slice, and returns it."""
        found = self[key]
        del self[key]
        return found


class Sequential(_Numbered):
    """Modules one after the other, each taking the result of the one before: Sequential(a, b, …), or of an OrderedDict with
    their names."""

    _modules: dict[str, Module]

    @overload
    def __init__(self, *args: Module) -> None: ...

    @overload
    def __init__(self, arg: OrderedDict[str, Module]) -> None: ...

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def _key(self, index):
        return list(self._modules)[_index(len(self), index)]

    def __getitem__(self, idx: slice | int) -> "Sequential | Module":
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._key(idx)]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, self._key(idx), module)

    def __delitem__(self, idx: slice | int) -> None:
        if isinstance(idx, slice):
            for key in list(self._modules)[idx]:
                delattr(self, key)
        else:
            delattr(self, self._key(idx))
        self._renumber(list(self._modules.values()))

    def __add__(self, other) -> "Sequential":
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return Sequential(*self, *other)

    def __iadd__(self, other) -> Self:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        for module in list(other):
            self.append(module)
        return self

    def _check_factor(self, other):
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")

    def __mul__(self, other: int) -> "Sequential":
        self._check_factor(other)
        return Sequential(*list(self) * other)

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Self:
        self._check_factor(other)
        for module in list(self) * (other - 1):
            self.append(module)
        return self

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def append(self, module: Module) -> Self:
        """Adds a module at the end; returns the container."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """Adds a module before that index; returns the container. IndexError outside it."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Self:
        """Adds modules at the end; returns the container."""
        for module in list(sequential):
            self.append(module)
        return self


class ModuleList(_Numbered):
    """Modules in a list, registered as submodules."""

    _modules: dict[str, Module]

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    @overload
    def __getitem__(self, idx: slice) -> "ModuleList": ...

    @overload
    def __getitem__(self, idx: int) -> Module: ...

    def __getitem__(self, idx: int | slice) -> "Module | ModuleList":
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[str(_index(len(self), idx))]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, str(_index(len(self), idx)), module)

    def __delitem__(self, idx: int | slice) -> None:
        if isinstance(idx, slice):
            for k in range(len(self))[idx]:
                delattr(self, str(k))
        else:
            delattr(self, str(_index(len(self), idx)))
        self._renumber(list(self._modules.values()))

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> "ModuleList":
        combined = ModuleList()
        for i, module in enumerate(chain(self, other)):
            combined.add_module(str(i), module)
        return combined

    def __repr__(self) -> str:
        """Equal neighbours in one line."""
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        lines, start = [], 0
        for i, text in enumerate(texts):
            if i + 1 == len(texts) or texts[i + 1] != text:
                count = i + 1 - start
                line = f"({start}): {text}" if count == 1 else f"({start}-{i}): {count} x {text}"
                lines.append("  " + _addindent(line, 2))
                start = i + 1
        return self._get_name() + "(\n" + "\n".join(lines) + "\n)"

    def insert(self, index: int, module: Module) -> None:
        """Adds a module before that index."""
        modules = list(self)
        modules.insert(index, module)
        for i, member in enumerate(modules):  # each is checked as it is registered
            self._modules.pop(str(i), None)
            self.add_module(str(i), member)

    def append(self, module: Module) -> Self:
        """Adds a module at the end; returns the list."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Adds modules at the end; returns the list."""
        if not isinstance(modules, abc.Iterable):
            raise TypeError("ModuleList.extend should be called with an iterable, but got " + type(modules).__name__)
        offset = len(self)
        for i, module in enumerate(modules):
            self.add_module(str(offset + i), module)
        return self


class ModuleDict(Module):
    """Modules in a dict, registered as submodules; of a mapping or of (name, module) pairs. The order is that of adding."""

    _modules: dict[str, Module]

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Takes out all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Takes out a module and returns it."""
        found = self[key]
        del self[key]
        return found

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def items(self) -> ItemsView[str, Module]:
        """(name, module) of all."""
        return self._modules.items()

    def values(self) -> ValuesView[Module]:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Mapping[str, Module]) -> None:
        """Adds the modules of a mapping or of (name, module) pairs. TypeError and ValueError for others."""
        for key, module in _pairs("ModuleDict", modules):
            self[key] = module


def _pairs(name, given):
    """(key, value) of a mapping or of pairs."""
    if not isinstance(given, abc.Iterable):
        raise TypeError(
            f"{name}.update should be called with an iterable of key/value pairs, but got {type(given).__name__}"
        )
    if isinstance(given, (OrderedDict, ModuleDict, ParameterDict, abc.Mapping)):
        return list(given.items())
    found = []
    for i, pair in enumerate(given):
        if not isinstance(pair, abc.Iterable):
            raise TypeError(f"{name} update sequence element #{i} should be Iterable; is {type(pair).__name__}")
        pair = tuple(pair)
        if len(pair) != 2:
            raise ValueError(f"{name} update sequence element #{i} has length {len(pair)}; 2 is required")
        found.append(pair)
    return found


def _described(value, type_name):
    """A line of extra_repr()."""
    if not isinstance(value, torch.Tensor):
        return f"Object of type: {type(value).__name__}"
    size = "x".join(map(str, value.size()))
    place = "" if value.is_cpu else f" ({value.device})"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{kind} containing: [{type_name(value)} of size {size}{place}]"


def _as_parameter(value):
    return Parameter(value) if isinstance(value, torch.Tensor) and not isinstance(value, Parameter) else value


class ParameterList(Module):
    """Values in a list; tensors are made parameters and registered."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            result = type(self)()
            for i in range(len(self))[idx]:
                result.append(self[i])
            return result
        return getattr(self, str(_index(len(self), idx)))

    def __setitem__(self, idx: int, param: Any) -> None:
        setattr(self, str(_index(len(self), idx)), _as_parameter(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, parameters: Iterable[Any]) -> Self:
        return self.extend(parameters)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> Self:
        """Adds a value at the end; returns the list."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Adds values at the end; returns the list."""
        if not isinstance(values, abc.Iterable) or isinstance(values, torch.Tensor):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return "\n".join(f"  ({i}): {_described(value, lambda t: t.dtype)}" for i, value in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """Values in a dict; tensors are made parameters and registered. Keys are strings; the order is that of adding."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _key_to_attr(self, key: str) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"'{type(key).__name__}')"
            )
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._key_to_attr(key))

    def __setitem__(self, key: str, value: Any) -> None:
        name = self._key_to_attr(key)
        self._keys[key] = None
        setattr(self, name, _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._key_to_attr(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def copy(self) -> "ParameterDict":
        """Another dict of the same parameters."""
        return ParameterDict(OrderedDict((key, self[key]) for key in self._keys))

    def setdefault(self, key: str, default: Any | None = None) -> Any:
        """The value of a key, which is `default` if there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Takes out everything."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Takes out a value and returns it."""
        found = self[key]
        del self[key]
        return found

    def popitem(self) -> tuple[str, Any]:
        """Takes out what was added last; returns (key, value)."""
        key = next(reversed(self._keys), None)
        if key is None:
            raise KeyError("popitem(): the ParameterDict is empty")
        return key, self.pop(key)

    def get(self, key: str, default: Any | None = None) -> Any:
        """The value of a key, or `default`."""
        return self[key] if key in self else default

    def fromkeys(self, keys: Iterable[str], default: Any | None = None) -> "ParameterDict":
        """A dict with `default` for each of the keys."""
        return ParameterDict((key, default) for key in keys)

    def keys(self) -> KeysView[str]:
        """The keys."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """(key, value) of all."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: "Mapping[str, Any] | ParameterDict") -> None:
        """Adds the values of a mapping, in the order of its keys unless it has one of its own, or of (key, value) pairs."""
        pairs = _pairs("ParameterDict", parameters)
        if isinstance(parameters, abc.Mapping) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs)
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(f"  ({key}): {_described(value, torch.typename)}" for key, value in self.items())

    def __call__(self, input):
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other: "ParameterDict") -> "ParameterDict":
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other: "ParameterDict") -> "ParameterDict":
        result = other.copy()
        result.update(self)
        return result

    def __ior__(self, other: "ParameterDict") -> Self:
        self.update(other)
        return self
