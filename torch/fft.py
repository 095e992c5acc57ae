"""Discrete Fourier transforms in one, two or n dimensions, of complex and of real numbers, and their inverses."""

from torch._namespaces import functions_of as _functions_of

globals().update(_functions_of("fft"))
