"""Assertions about sizes."""

__all__ = ["insert_deferred_runtime_asserts"]


def insert_deferred_runtime_asserts(gm, shape_env, name, export=False):
    """NotImplementedError: there are no symbolic sizes here of which something would have to be asserted later."""
    raise NotImplementedError("insert_deferred_runtime_asserts: this torch has no symbolic sizes (ShapeEnv)")
