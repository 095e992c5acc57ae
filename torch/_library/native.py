"""Shared libraries whose TORCH_LIBRARY blocks define operators."""


def load(path):
    """Loads one. Returns its path, absolute."""
    raise NotImplementedError("torch.ops.load_library")
