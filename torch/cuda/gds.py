"""Files that a GPU reads and writes itself, by GPUDirect Storage: this torch is built without."""

import os

__all__ = ["GdsFile", "gds_deregister_buffer", "gds_register_buffer"]


def _refuse(name):
    raise RuntimeError(f"torch.cuda.gds.{name} is not supported on this platform: this torch is built without cuFile")


def gds_register_buffer(s):
    """Prepares a storage on a GPU for such files. RuntimeError here."""
    _refuse("gds_register_buffer")


def gds_deregister_buffer(s):
    """Ends that. RuntimeError here."""
    _refuse("gds_deregister_buffer")


class GdsFile:
    """A file, opened by its name with flags of `os`. RuntimeError here; OSError for a file that cannot be opened."""

    def __init__(self, filename, flags):
        # Opened without what the flags would change: the file stays as it was.
        os.close(os.open(filename, flags & ~(os.O_TRUNC | os.O_CREAT)))
        _refuse("GdsFile")
