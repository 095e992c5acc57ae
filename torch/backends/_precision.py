"""How exact products of float32 matrices have to be on devices that can trade exactness for speed.

"ieee": float32 throughout; "tf32", "bf16": factors may be rounded to these; "none": as the setting above says, in the
order operation (matmul, conv, rnn of a backend), backend ("all"), all backends ("generic"). On the CPU here they are
float32 throughout, whatever is set.
"""

from torch.backends._settings import Setting

_GENERIC = ("generic", "all")
_TAKEN = {"generic": ("ieee", "tf32", "bf16", "none"), "cuda": ("ieee", "tf32", "none")}
_TAKEN["mkldnn"] = _TAKEN["generic"]
_given = {}
_DEFAULTS = {("cuda", "conv"): "tf32", ("cuda", "rnn"): "tf32"}


def precision(key):
    """What holds for `key`, a pair (backend, operation)."""
    for place in (key, (key[0], "all"), _GENERIC):
        if _given.get(place, "none") != "none":
            return _given[place]
    return _given.get(key, _DEFAULTS.get(key, "none"))


def set_precision(key, value):
    """Sets it for `key`. RuntimeError for a word that its backend does not take."""
    if not isinstance(value, str):
        raise TypeError(f"fp32_precision must be a str, got {type(value).__name__} {value!r}")
    if value not in _TAKEN["generic"]:
        raise RuntimeError(f"Unknown precision: {value}")
    if value not in _TAKEN[key[0]]:
        raise RuntimeError(f"backend '{key[0]}' does not support precision '{value}'")
    _given[key] = value


class Precision(Setting):
    """The attribute `fp32_precision` of a module or operation."""

    def __init__(self, backend, operation):
        super().__init__("none")
        self.key = backend, operation

    def read(self, owner):
        return precision(self.key)

    def write(self, owner, value):
        set_precision(self.key, value)

    def keep(self, owner):
        return keep((self.key,))


def keep(keys):
    """A function that makes what was set for these keys what it is now."""
    before = {key: _given[key] for key in keys if key in _given}

    def restore():
        for key in keys:
            _given.pop(key, None)
        _given.update(before)

    return restore


def operation(module, backend, name):
    """An object with the attribute `fp32_precision` for one operation of a backend: torch.backends.cudnn.conv."""
    doc = f"How exact {name} of {backend} has to be: `fp32_precision`."
    members = {"fp32_precision": Precision(backend, name), "__module__": module, "__name__": module, "__doc__": doc}
    return type(name, (), members)()


# ---- the settings from before there were operations --------------------------------------------------------
_CUDA_MATMUL, _MKLDNN_MATMUL = ("cuda", "matmul"), ("mkldnn", "matmul")
_WORDS = {"highest": ("ieee", "ieee"), "high": ("tf32", "tf32"), "medium": ("tf32", "bf16")}
_matmul = "highest"


def set_float32_matmul_precision(precision):
    """How exact products of float32 matrices must be: "highest", "high" or "medium". On the CPU they always are float32's."""
    global _matmul
    if precision not in _WORDS:
        raise RuntimeError(f"float32_matmul_precision must be one of highest, high, medium, but got {precision}")
    _matmul = precision
    _given[_CUDA_MATMUL], _given[_MKLDNN_MATMUL] = _WORDS[precision]


def get_float32_matmul_precision():
    """What set_float32_matmul_precision has set."""
    return _matmul


class MatmulTF32(Setting):
    """`torch.backends.cuda.matmul.allow_tf32`: whether products may be those of TF32."""

    def __init__(self):
        super().__init__(False, bool)

    def read(self, owner):
        return precision(_CUDA_MATMUL) == "tf32"

    def write(self, owner, value):
        global _matmul
        if not isinstance(value, bool):
            raise RuntimeError(f"allow_tf32 expects a bool, but got {type(value).__name__} {value!r}")
        _matmul = "high" if value else "highest"
        _given[_CUDA_MATMUL] = "tf32" if value else "ieee"


class CudnnTF32(Setting):
    """`torch.backends.cudnn.allow_tf32`: the same for convolutions and recurrent cells together."""

    keys = ("cuda", "conv"), ("cuda", "rnn")

    def __init__(self):
        super().__init__(True, bool)

    def read(self, owner):
        conv, rnn = map(precision, self.keys)
        if conv != rnn:
            raise RuntimeError(
                f"allow_tf32 is neither True nor False: fp32_precision of conv is '{conv}', of rnn '{rnn}'"
            )
        return conv == "tf32"

    def write(self, owner, value):
        if not isinstance(value, bool):
            raise RuntimeError(f"allow_tf32 expects a bool, but got {type(value).__name__} {value!r}")
        for key in self.keys:
            _given[key] = "tf32" if value else "ieee"

    def keep(self, owner):
        return keep(self.keys)
