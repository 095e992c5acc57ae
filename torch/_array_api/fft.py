"""The standard's extension `fft`."""

import torch

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def _of_one(name):
    function = getattr(torch.fft, name)

    def call(x, /, *, n=None, axis=-1, norm="backward"):
        return function(x, n=n, dim=axis, norm=norm)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"torch.fft.{name} along `axis`."
    return call


def _of_several(name):
    function = getattr(torch.fft, name)

    def call(x, /, *, s=None, axes=None, norm="backward"):
        return function(x, s=s, dim=axes, norm=norm)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"torch.fft.{name} along `axes`."
    return call


fft, ifft = _of_one("fft"), _of_one("ifft")
rfft, irfft = _of_one("rfft"), _of_one("irfft")
hfft, ihfft = _of_one("hfft"), _of_one("ihfft")
fftn, ifftn = _of_several("fftn"), _of_several("ifftn")
rfftn, irfftn = _of_several("rfftn"), _of_several("irfftn")


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of fft's results."""
    return torch.fft.fftfreq(n, d, dtype=dtype, device=device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of rfft's results."""
    return torch.fft.rfftfreq(n, d, dtype=dtype, device=device)


def fftshift(x, /, *, axes=None):
    """Frequency 0 in the middle."""
    return torch.fft.fftshift(x, axes)


def ifftshift(x, /, *, axes=None):
    """Frequency 0 at the beginning."""
    return torch.fft.ifftshift(x, axes)
