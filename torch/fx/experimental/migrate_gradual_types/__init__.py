"""Constraints on shapes, as they would be handed to a solver; torch does without one (z3)."""

from torch._absent import rest_of

__getattr__, __dir__ = rest_of(__name__)
