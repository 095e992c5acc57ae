"""Modules whose activations are computed again in backward."""

from torch._absent import rest_of

__getattr__, __dir__ = rest_of(__name__)
