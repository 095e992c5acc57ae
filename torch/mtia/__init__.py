"""Devices MTIA: this torch is built without them."""

from torch._absent import rest_of

__getattr__, __dir__ = rest_of(__name__)
