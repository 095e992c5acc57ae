"""What the kernel says a process does."""

from __future__ import annotations

from torch._absent import rest_of

__all__ = ["is_uninterruptible_state", "read_proc_state"]


def read_proc_state(pid: int) -> str | None:
    """Its letter in /proc/PID/stat: R runs, S sleeps, D waits for a device, Z has ended; None: there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return None


def is_uninterruptible_state(state: str | None) -> bool:
    """Whether no signal reaches a process in it, not even SIGKILL."""
    return state == "D"


__getattr__, __dir__ = rest_of(__name__)
