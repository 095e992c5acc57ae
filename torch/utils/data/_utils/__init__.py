"""The parts of a DataLoader: from bottom to top collate, fetch, pin_memory, transport (messages between processes),
worker (what a worker process runs), workers (their processes, seen from the parent), iterate (the iterators)."""

# How often, in seconds, a process looks whether the one at the other end still lives where nothing tells it sooner, and
# how long it waits for that one to end.
MP_STATUS_CHECK_INTERVAL = 5.0

from . import collate, fetch, pin_memory, worker  # noqa: E402, I001 - they read the number above
