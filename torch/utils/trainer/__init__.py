"""A training loop that other objects look over the shoulder of: Trainer, and plugins for it."""

from .trainer import Trainer

__all__ = ["Trainer"]
