"""Backends under the name PrivateUse1, which this torch has not: its functions say so."""

from torch.utils._names import generate_methods_for_privateuse1_backend, rename_privateuse1_backend

__all__ = ["rename_privateuse1_backend", "generate_methods_for_privateuse1_backend"]
