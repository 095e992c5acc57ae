"""torch.finfo and torch.iinfo: what a dtype can hold."""

import torch


def _checked(type, name):  # noqa: A002 - torch's name
    if not isinstance(type, torch.dtype):
        raise TypeError(f"{name}(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}")
    return type


class finfo:
    """Limits of a floating-point dtype: bits, eps, max, min, smallest_normal (or tiny), resolution."""

    bits: int
    min: float
    max: float
    eps: float
    tiny: float
    smallest_normal: float
    resolution: float
    dtype: str

    def __init__(self, type: torch.dtype | None = None) -> None:  # noqa: A002
        dtype = _checked(type or torch.get_default_dtype(), "finfo").to_real()
        if not dtype.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        digits, self.max, smallest = dtype._limits()
        self.dtype = str(dtype).removeprefix("torch.")
        self.bits = 8 * dtype.itemsize
        self.eps = 2.0 ** (1 - digits)
        if dtype == torch.float8_e5m2fnuz:
            self.eps /= 2  # PyTorch's answer, although the next number after 1 is 1.25
        self.min = -self.max
        self.smallest_normal = self.tiny = smallest
        self.resolution = float(f"1e-{int((digits - 1) * 0.30103)}")

    __hash__ = None

    def __eq__(self, other):
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __repr__(self):
        fields = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{f}={getattr(self, f):g}' for f in fields)}, dtype={self.dtype})"


class iinfo:
    """Limits of an integer dtype: bits, max, min."""

    bits: int
    min: int
    max: int
    dtype: str

    def __init__(self, type: torch.dtype) -> None:  # noqa: A002
        dtype = _checked(type, "iinfo")
        if dtype.is_floating_point or dtype.is_complex:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if dtype == torch.bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        self.dtype = str(dtype).removeprefix("torch.")
        self.bits = 8 * dtype.itemsize
        self.max = 2 ** (self.bits - dtype.is_signed) - 1
        self.min = -(2 ** (self.bits - 1)) if dtype.is_signed else 0

    __hash__ = None

    def __eq__(self, other):
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
