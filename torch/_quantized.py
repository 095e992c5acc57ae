"""The dtypes and storages of quantised and packed numbers, by name: libraries ask for them, and no tensor has them here."""

import types

from torch._absent import refuse


class AbsentDtype:
    """A dtype of PyTorch's that this torch has not: it can be compared, printed and looked up, and every function that is
    given it refuses it."""

    is_complex = False

    def __init__(self, name, itemsize, is_signed, is_floating_point=False):
        self._name, self.itemsize, self.is_signed = name, itemsize, is_signed
        self.is_floating_point = is_floating_point

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        return self._name

    @property
    def to_real(self):
        """Itself: it is not complex."""
        return lambda: self


_QUANTIZED = {
    "qint8": (1, True),
    "quint8": (1, False),
    "qint32": (4, True),
    "quint4x2": (1, False),
    "quint2x4": (1, False),
}
_BITS = {f"bits{name}": (int(name == "16") + 1, False) for name in ("1x8", "2x4", "4x2", "8", "16")}
_SMALL = {f"{kind}{bits}": (1, kind == "int") for kind in ("int", "uint") for bits in range(1, 8)}
for _name, _facts in {**_QUANTIZED, **_BITS, **_SMALL}.items():
    globals()[_name] = AbsentDtype(_name, *_facts)
float8_e8m0fnu = AbsentDtype("float8_e8m0fnu", 1, False, True)
float4_e2m1fn_x2 = AbsentDtype("float4_e2m1fn_x2", 1, True, True)
bit = globals()["uint1"]


class qscheme:  # noqa: N801 - torch's name
    """How numbers are quantised: a name."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        return self._name


for _name in (
    "tensor_affine",
    "tensor_symmetric",
    "channel_affine",
    "channel_symmetric",
    "channel_affine_float_qparams",
):
    globals()[f"per_{_name}"] = qscheme(f"per_{_name}")


def _storage(name, dtype):
    def __new__(cls, *args, **kwargs):
        raise NotImplementedError(f"torch.{cls.__name__}: this torch does not quantize, and has no storage of {dtype}")

    doc = f"A storage of {dtype}. There are none here: this torch does not quantize."
    return type(name, (), {"__module__": "torch", "__doc__": doc, "__new__": __new__, "dtype": dtype})


for _name in _QUANTIZED:
    _long = _name.replace("quint", "QUInt").replace("qint", "QInt") + "Storage"
    globals()[_long] = _storage(_long, globals()[_name])


class _Classes(types.ModuleType):
    """torch.classes: C++ classes that libraries have registered. There are none."""

    __file__ = "_classes.py"
    __path__ = ()
    loaded_libraries = frozenset()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"torch.classes has no '{name}'")
        raise RuntimeError(
            f"Tried to instantiate class '{name}', but it does not exist! Ensure that it is registered via torch::class_; "
            "this torch registers no classes"
        )

    def load_library(self, path):
        """NotImplementedError: no class of a library could be registered."""
        refuse("torch._C.classes.load_library")


classes = _Classes("torch.classes", _Classes.__doc__)
