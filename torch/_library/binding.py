"""Arguments of a call, by a schema: what is missing or too much, what has the wrong type, what stands for something else
(one int for int[2], a one-element tensor for a float)."""

import numbers

import torch


class _Wrong(Exception):
    """A value that is not of the type."""


def _tensor(value):
    if isinstance(value, torch.Tensor):
        return value
    raise _Wrong


def _number_of(value, wanted):
    """A one-element tensor's number, or the value itself."""
    if isinstance(value, torch.Tensor) and value.numel() == 1 and not value.requires_grad:
        return wanted(value.item())
    return value


def _int(value):
    if type(value) is int:
        return value
    value = _number_of(value, _int)
    if isinstance(value, bool) or not (isinstance(value, numbers.Integral) or hasattr(value, "__index__")):
        if isinstance(value, bool):
            return int(value)
        raise _Wrong
    return int(value)


def _float(value):
    if type(value) is float:
        return value
    value = _number_of(value, _float)
    if isinstance(value, numbers.Real):
        return float(value)
    raise _Wrong


def _bool(value):
    if isinstance(value, (bool, int)) or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise _Wrong


def _complex(value):
    if isinstance(value, numbers.Complex):
        return complex(value)
    raise _Wrong


def _scalar(value):
    if isinstance(value, (bool, int, float, complex)):
        return value
    if isinstance(value, numbers.Number) and hasattr(value, "item"):
        return value.item()
    raise _Wrong


def _device(value):
    if isinstance(value, torch.device):
        return value
    if isinstance(value, str):
        return torch.device(value)
    raise _Wrong


def _instance(kind):
    def check(value):
        if isinstance(value, kind):
            return value
        raise _Wrong

    return check


_CHECKS = {
    "Tensor": _tensor,
    "int": _int,
    "SymInt": _int,
    "float": _float,
    "bool": _bool,
    "SymBool": _bool,
    "complex": _complex,
    "Scalar": _scalar,
    "Device": _device,
    "str": _instance(str),
    "Dimname": _instance(str),
    "ScalarType": _instance(torch.dtype),
    "Layout": _instance(torch.layout),
    "MemoryFormat": _instance(torch.memory_format),
    "Generator": _instance(torch.Generator),
    "Storage": _instance(torch.UntypedStorage),
    "Stream": lambda value: value,
    "Any": lambda value: value,
}


def _list_of(element, size):
    def check(value):
        if size and not isinstance(value, (list, tuple)):
            return [element(value)] * size
        if not isinstance(value, (list, tuple)):
            raise _Wrong
        return [element(each) for each in value]

    return check


def _optional(inner):
    return lambda value: None if value is None else inner(value)


def check_of(type):
    """The function that takes a value to the type's, or raises _Wrong."""
    check = _CHECKS[type.base]
    for mark in type.shape:
        check = _optional(check) if mark == "?" else _list_of(check, type.size)
    return check


class Binder:
    """Takes what a call gives to all arguments of a schema, in its order."""

    def __init__(self, schema):
        self.schema = schema
        self.arguments = schema.arguments
        self._checks = [check_of(argument.real_type) for argument in self.arguments]
        self._positional = sum(not argument.kwarg_only for argument in self.arguments)
        self._places = {argument.name: place for place, argument in enumerate(self.arguments)}
        # A default is checked, too: torch.zeros' "cpu" becomes the device.
        self._defaults = [self._default(place) for place in range(len(self.arguments))]
        self._results = [check_of(result.real_type) for result in schema.returns]

    def _default(self, place):
        argument = self.arguments[place]
        if not argument.has_default_value() or argument.default_value is None:
            return None
        try:
            return self._checks[place](argument.default_value)
        except _Wrong:
            raise RuntimeError(
                f"default of argument '{argument.name}' is no {argument.real_type}: {argument.default_value!r} in {self.schema}"
            ) from None

    def bind(self, args, kwargs):
        """A list of values, one for each argument of the schema."""
        name = self.schema.name
        if len(args) > self._positional:
            raise RuntimeError(
                f"{name}() takes {self._positional} positional argument(s) but {len(args)} was/were given.  "
                f"Declaration: {self.schema}"
            )
        values = [self._value(place, value) for place, value in enumerate(args)]
        used = 0
        for place in range(len(args), len(self.arguments)):
            argument = self.arguments[place]
            if argument.name in kwargs:
                values.append(self._value(place, kwargs[argument.name]))
                used += 1
            elif argument.has_default_value():
                default = self._defaults[place]
                values.append(list(default) if isinstance(default, list) else default)
            else:
                raise RuntimeError(
                    f"{name}() is missing value for argument '{argument.name}'. Declaration: {self.schema}"
                )
        if used != len(kwargs):
            for keyword in kwargs:
                if keyword not in self._places:
                    raise RuntimeError(
                        f"Unknown keyword argument '{keyword}' for operator '{name}'. Schema: {self.schema}"
                    )
                if self._places[keyword] < len(args):
                    raise RuntimeError(
                        f"Argument '{keyword}' specified both as positional and keyword argument. Schema: {self.schema}"
                    )
        return values

    def _value(self, place, value):
        try:
            return self._checks[place](value)
        except _Wrong:
            argument = self.arguments[place]
            raise RuntimeError(
                f"{self.schema.name}() Expected a value of type '{argument.real_type}' for argument '{argument.name}' but "
                f"instead found type '{type(value).__name__}'.\nPosition: {place}\nValue: {value!r}\n"
                f"Declaration: {self.schema}"
            ) from None

    def split(self, values):
        """As a kernel in Python takes them: positional ones, and those that are keywords only."""
        if self._positional == len(values):
            return values, {}
        return values[: self._positional], {
            argument.name: value
            for argument, value in zip(self.arguments[self._positional :], values[self._positional :], strict=True)
        }

    def shortened(self, values):
        """The same, less what equals the default at the end: a kernel in Python need not name arguments that nobody gives."""
        positional, keywords = self.split(values)
        count = len(positional)
        while count and self._is_default(count - 1, positional[count - 1]):
            count -= 1
        if keywords:
            keywords = {
                name: value for name, value in keywords.items() if not self._is_default(self._places[name], value)
            }
        return positional[:count], keywords

    def _is_default(self, place, value):
        if not self.arguments[place].has_default_value() or isinstance(value, torch.Tensor):
            return False
        default = self._defaults[place]
        return type(value) is type(default) and value == default

    def results(self, found):
        """What a kernel returned, as the schema says it: None, one value, or a tuple."""
        checks = self._results
        if not checks:
            if found is not None:
                raise RuntimeError(
                    f"{self.schema.name}: the kernel returned {_short(found)}, but its schema has no results"
                )
            return None
        if len(checks) == 1:
            return self._result(0, found)
        if not isinstance(found, (tuple, list)) or len(found) != len(checks):
            count = f"{len(found)} values" if isinstance(found, (tuple, list)) else _short(found)
            raise RuntimeError(
                f"{self.schema.name}: the kernel returned {count}, but its schema has {len(checks)} results: {self.schema}"
            )
        return tuple([self._result(place, value) for place, value in enumerate(found)])

    def _result(self, place, value):
        try:
            return self._results[place](value)
        except _Wrong:
            wanted = self.schema.returns[place].real_type
            if wanted.base == "Tensor" and not wanted.shape and value is None:
                return None  # an undefined tensor
            raise RuntimeError(
                f"Unable to cast {_short(value)} to {wanted}: {self.schema.name} returned it as result {place} of {self.schema}"
            ) from None


def _short(value):
    text = repr(value)
    return text if len(text) < 80 else f"a {type(value).__name__}"
