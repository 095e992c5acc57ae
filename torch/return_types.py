"""The named tuples that functions with several results give: torch.max(a, 0) is a torch.return_types.max."""

from torch import _C


def __getattr__(name):
    """Each type is made by the first call that needs it."""
    found = _C._return_type(name)
    if found is None:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    return found
