"""Discrete Fourier transforms in one, two or n dimensions, of complex and of real numbers, and their inverses."""

from torch._C import _functions

globals().update(
    {_name.removeprefix("fft_"): getattr(_functions, _name) for _name in dir(_functions) if _name.startswith("fft_")}
)
