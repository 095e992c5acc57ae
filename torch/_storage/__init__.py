"""Storages as Python has them; torch/storage.py is what users call."""
