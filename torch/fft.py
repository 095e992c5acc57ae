"""Discrete Fourier transforms in one, two or n dimensions, of complex and of real numbers, and their inverses."""

from torch._C import _functions

_NAMES = """
fft ifft fft2 ifft2 fftn ifftn rfft irfft rfft2 irfft2 rfftn irfftn hfft ihfft hfft2 ihfft2 hfftn ihfftn
fftfreq rfftfreq fftshift ifftshift
""".split()
globals().update({_name: getattr(_functions, f"fft_{_name}") for _name in _NAMES})
