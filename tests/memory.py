"""What several tests of memory use."""

import gc
import pathlib
import resource


def megabytes():
    """What the process occupies now."""
    gc.collect()
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20
