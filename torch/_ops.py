"""torch.ops.aten: operators by the names that PyTorch's dispatcher has for them, such as ``torch.ops.aten.mm.default``.

What is there stands for operators that run (torch.utils.checkpoint asks a policy about them), and can be called. An
overload is found by its operator's name here and by what a call is given.
"""

import functools

import torch
from torch import _C

__all__ = ["OpOverload", "OpOverloadPacket", "ops"]

# Operators that have another name there than here without "nn_" and, where they are a part of one that has this name, "_".
_NAMES = {
    "_batch_norm": "native_batch_norm",
    "_group_norm": "native_group_norm",
    "_layer_norm": "native_layer_norm",
    "_nll_loss": "nll_loss_forward",
    "_recurrent_layer": "mkldnn_rnn_layer",
    "_rms_norm": "_fused_rms_norm",
    "log_softmax": "_log_softmax",
    "softmax": "_softmax",
    **{
        name: name
        for name in (
            "_adaptive_avg_pool2d _adaptive_avg_pool3d _ctc_loss _embedding_bag _grouped_mm _linalg_det _linalg_slogdet _unique"
        ).split()
    },
}


def _given(place, yes):
    """The overload `yes` if the argument at this place is an int or a list that is not empty, else "default"."""

    def choose(args):
        value = args[place] if len(args) > place else None
        return yes if value or (isinstance(value, int) and not isinstance(value, bool)) else "default"

    return choose


def _if_tensor(place, yes, no):
    return lambda args: yes if isinstance(args[place], torch.Tensor) else no


def _power(args):
    return "_".join("Tensor" if isinstance(arg, torch.Tensor) else "Scalar" for arg in args[:2]).replace(
        "Scalar_Tensor", "Scalar"
    )


def _squeezed(args):
    return "default" if len(args) == 1 else "dim" if len(args[1]) == 1 else "dims"


# {name there: (overloads, how to tell which one by the arguments)}; the other operators have one, "default".
_OVERLOADS = {
    **dict.fromkeys(
        ("add sub mul div").split(),
        (("Tensor", "Scalar"), lambda args: "Tensor"),
    ),
    **dict.fromkeys(["slice", "split", "index"], (("Tensor",), lambda args: "Tensor")),
    **dict.fromkeys(
        (
            "eq ne lt le gt ge remainder fmod bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift "
            "copysign"
        ).split(),
        (("Tensor", "Scalar"), _if_tensor(1, "Tensor", "Scalar")),
    ),
    "masked_fill": (("Tensor", "Scalar"), _if_tensor(2, "Tensor", "Scalar")),
    **dict.fromkeys(["select", "unbind", "transpose"], (("int",), lambda args: "int")),
    **dict.fromkeys(
        ["var", "std", "var_mean", "std_mean"], (("correction", "default", "dim"), lambda args: "correction")
    ),
    **dict.fromkeys(["any", "all"], (("default", "dim", "dims"), _given(1, "dims"))),
    **dict.fromkeys(["max", "min"], (("default", "dim", "other"), lambda args: "default" if len(args) == 1 else "dim")),
    **dict.fromkeys(["median", "nanmedian"], (("default", "dim"), _given(1, "dim"))),
    **dict.fromkeys(["clamp", "clamp_min", "clamp_max"], (("default", "Tensor"), lambda args: "default")),
    **dict.fromkeys(["scatter"], (("src", "value"), _if_tensor(3, "src", "value"))),
    "bernoulli": (("default", "p"), lambda args: "default"),
    "embedding_bag": (("default", "padding_idx"), lambda args: "default"),
    "empty": (("memory_format", "names"), lambda args: "memory_format"),
    "full": (("default", "names"), lambda args: "default"),
    "lerp": (("Tensor", "Scalar"), _if_tensor(2, "Tensor", "Scalar")),
    "mean": (("default", "dim"), _given(1, "dim")),
    "norm": (("Scalar", "ScalarOpt_dim"), lambda args: "ScalarOpt_dim"),
    "normal": (("Tensor_Tensor", "Tensor_float", "float_Tensor", "float_float"), lambda args: "Tensor_Tensor"),
    "pow": (("Tensor_Tensor", "Tensor_Scalar", "Scalar"), _power),
    "prod": (("default", "dim_int"), _given(1, "dim_int")),
    "squeeze": (("default", "dim", "dims"), _squeezed),
    "sum": (("default", "dim_IntList"), _given(1, "dim_IntList")),
    "where": (("self", "default", "ScalarOther", "ScalarSelf", "Scalar"), lambda args: "self"),
}


def _overloads(name):
    """(all, how to choose) of the operator with this name."""
    return _OVERLOADS.get(name) or _OVERLOADS.get(name.removesuffix("_")) or (("default",), lambda args: "default")


@functools.cache
def _shown(name):
    """The name there of an operator here."""
    name = name.removeprefix("nn_")
    if name in _NAMES:
        return _NAMES[name]
    operators = _C._operator_names()
    part = name[1:] if name.startswith("_") else ""
    return part if part in operators or f"nn_{part}" in operators else name


@functools.cache
def _known():
    """The names there of all operators here, those that are made of others in Python among them."""
    functional = vars(torch.nn.functional).items()
    names = (
        {name for name, value in functional if callable(value) and name[0].islower()}
        | {"einsum"}
        | {*_C._operator_names()}
    )
    for name in _C._operator_names():
        names |= {_shown(name), _shown(name).removesuffix("_") + "_"}
    return frozenset(names)


def _function(name):
    """What computes it, by its name in Python; NotImplementedError if it has none there."""
    for place in (torch, _C._nn, torch.nn.functional, torch.Tensor):
        found = getattr(place, name, None)
        if found is not None:
            return found
    raise NotImplementedError(f"aten::{name} runs below other operators, and cannot be called by its name")


class OpOverload:
    """One overload of an operator. Calling it computes the operator."""

    def __init__(self, packet, overload):
        self.overloadpacket = self._overloadpacket = packet
        self._overloadname = overload
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__module__ = "torch._ops.aten"

    @property
    def namespace(self):
        """ "aten"."""
        return "aten"

    @property
    def op(self):
        """What is called."""
        return _function(self.overloadpacket.__name__)

    def name(self):
        """ "aten::mm", "aten::add.Tensor"."""
        suffix = "" if self._overloadname == "default" else f".{self._overloadname}"
        return f"aten::{self.overloadpacket.__name__}{suffix}"

    def __call__(self, /, *args, **kwargs):
        return self.op(*args, **kwargs)

    def __reduce__(self):
        return _found, (self.overloadpacket.__name__, self._overloadname)

    def __deepcopy__(self, memo):
        return self

    def __str__(self):
        return f"aten.{self.__name__}"

    def __repr__(self):
        return f"<OpOverload(op='aten.{self.overloadpacket.__name__}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """An operator: its overloads are attributes. Calling it computes the operator."""

    def __init__(self, name):
        self.__name__ = name
        self.__module__ = "torch._ops.aten"

    def overloads(self):
        """Names of its overloads."""
        return list(_overloads(self.__name__)[0])

    def __getattr__(self, overload):
        if overload.startswith("__") or overload not in _overloads(self.__name__)[0]:
            raise AttributeError(f"The underlying op of 'aten.{self.__name__}' has no overload name '{overload}'")
        made = OpOverload(self, overload)
        setattr(self, overload, made)
        return made

    def __call__(self, /, *args, **kwargs):
        return _function(self.__name__)(*args, **kwargs)

    def __reduce__(self):
        return _found, (self.__name__,)

    def __deepcopy__(self, memo):
        return self

    def __str__(self):
        return f"aten.{self.__name__}"

    def __repr__(self):
        return f"<OpOverloadPacket(op='aten.{self.__name__}')>"


class _OpNamespace:
    """Operators of one library. All are of "aten": no other library adds some."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, name):
        if name.startswith("__") or self.name != "aten" or name not in _known():
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        made = OpOverloadPacket(name)
        setattr(self, name, made)
        return made

    def __dir__(self):
        return sorted({*vars(self), *(_known() if self.name == "aten" else ())})


class _Ops:
    """Libraries of operators by name."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = _OpNamespace(name)
        setattr(self, name, made)
        return made


ops = _Ops()


def _found(name, overload=None):
    packet = getattr(ops.aten, name)
    return getattr(packet, overload) if overload else packet


def overload_of(name, args):
    """The OpOverload for a call of the operator with this name here."""
    shown = _shown(name)
    return _found(shown, _overloads(shown)[1](args))
