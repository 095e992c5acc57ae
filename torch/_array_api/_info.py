"""What this namespace can do: devices, dtypes, and what a program may ask of it."""

import torch
from torch._array_api._promotion import isdtype

_NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


class Info:
    """What `__array_namespace_info__()` returns."""

    __module__ = "torch"

    def capabilities(self):
        """What the standard leaves open."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        """Where arrays are made."""
        return torch.get_default_device()

    def default_dtypes(self, *, device=None):
        """The dtypes of arrays that are made of Python numbers, and of indices."""
        default = torch.get_default_dtype()
        return {
            "real floating": default,
            "complex floating": torch.complex128 if default == torch.float64 else torch.complex64,
            "integral": torch.int64,
            "indexing": torch.int64,
        }

    def devices(self):
        """All devices that arrays can be on."""
        gpus = [torch.device("cuda", i) for i in range(torch.cuda.device_count())]
        return [torch.device("cpu"), *gpus, torch.device("meta")]

    def dtypes(self, *, device=None, kind=None):
        """{name: dtype} of the standard's dtypes, of one kind or several, if given."""
        found = {name: getattr(torch, name) for name in _NAMES}
        return {name: dtype for name, dtype in found.items() if kind is None or isdtype(dtype, kind)}


def __array_namespace_info__():
    """What this namespace can do."""
    return Info()
