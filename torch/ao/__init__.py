"""Quantisation and sparsifiers: there are none in this torch. The names are there for whoever imports them."""

from torch._absent import rest_of

__getattr__, __dir__ = rest_of(__name__)
