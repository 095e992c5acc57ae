"""Why processes failed: they write it down (record), who started them reads it (ProcessFailure, ChildFailedError)."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import json
import logging
import os
import signal
import time

from torch._absent import rest_of
from torch.distributed.elastic.multiprocessing.errors.error_handler import ErrorHandler

__all__ = ["ChildFailedError", "ErrorHandler", "ProcessFailure", "get_error_handler", "record"]

logger = logging.getLogger(__name__)
_NO_FILE = "<N/A>"


def get_error_handler() -> ErrorHandler:
    """What record() writes by where it is given nothing else."""
    return ErrorHandler()


def ended(exit_code):
    """How a process ended, in words: an exit code, or a signal's name."""
    if exit_code >= 0:
        return f"exit code {exit_code}"
    try:
        return f"killed by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"killed by signal {-exit_code}"


@dataclasses.dataclass
class ProcessFailure:
    """A process that ended, and not well. message, error_file_data and time: what it wrote, and when it failed."""

    local_rank: int
    pid: int
    exitcode: int
    error_file: str
    error_file_data: dict = dataclasses.field(init=False, default_factory=dict)
    message: str = dataclasses.field(init=False, default="")
    timestamp: int = dataclasses.field(init=False)

    def __post_init__(self):
        self.time, self.trace = time.time(), ""
        try:
            with open(self.error_file) as file:
                self.error_file_data = json.load(file)
            said = self.error_file_data["message"]
        except (OSError, ValueError, KeyError, TypeError):
            self.error_file = _NO_FILE
            self.message = f"the process was {ended(self.exitcode)}" if self.exitcode < 0 else ""
        else:
            more = said.get("extraInfo", {}) if isinstance(said, dict) else {}
            self.message = str(said.get("message", "")) if isinstance(said, dict) else str(said)
            self.trace = str(more.get("py_callstack", ""))
            try:
                self.time = float(more.get("time") or more.get("timestamp") or self.time)
            except (TypeError, ValueError):
                pass  # somebody else's file: the time at which it was seen
        self.timestamp = int(self.time)

    def signal_name(self) -> str:
        """The signal that ended it; "<N/A>": none did."""
        try:
            return signal.Signals(-self.exitcode).name if self.exitcode < 0 else _NO_FILE
        except ValueError:
            return _NO_FILE

    def timestamp_isoformat(self) -> str:
        """When it failed."""
        return datetime.datetime.fromtimestamp(self.time).isoformat(sep="_", timespec="milliseconds")


def table(failures):
    """What failed, first things first, with the first one's traceback; `failures`: (rank, host, ProcessFailure)."""
    failures = sorted(failures, key=lambda failure: failure[2].time)
    lines = [f"{len(failures)} of the processes failed. The first:"]
    for number, (rank, host, failure) in enumerate(failures):
        if number == 1:
            lines.append("Then:")
        lines.append(
            f"  rank {rank} (local rank {failure.local_rank}, pid {failure.pid} on {host}): {ended(failure.exitcode)} "
            f"at {failure.timestamp_isoformat()}"
        )
        if number == 0:
            if text := failure.trace or failure.message:
                lines += ["    " + line for line in text.rstrip().splitlines()]
            else:
                lines.append(
                    "    no traceback: torch.distributed.elastic.multiprocessing.errors.record writes one down"
                )
    return "\n".join(lines)


class ChildFailedError(Exception):
    """Processes failed: `failures`, by rank, of what is called `name`. Its text says which was the first, and why."""

    def __init__(self, name: str, failures: dict[int, ProcessFailure]):
        if not failures:
            raise AssertionError("ChildFailedError is of one failure at least")
        self.name, self.failures = name, failures
        super().__init__(self.format_msg())

    def get_first_failure(self) -> tuple[int, ProcessFailure]:
        """(rank, failure) of the one that failed first."""
        rank = min(self.failures, key=lambda rank: self.failures[rank].time)
        return rank, self.failures[rank]

    def format_msg(self, boarder_delim="=", section_delim="-"):
        """The table of what failed."""
        here = os.uname().nodename
        rows = [(rank, getattr(failure, "host", here), failure) for rank, failure in self.failures.items()]
        return f"{self.name}: {table(rows)}"


def record(fn, error_handler: ErrorHandler | None = None):
    """Decorates a program's main function: what it raises is written down for torchrun, and raised.

    @record
    def main(): ...
    """
    handler = error_handler or get_error_handler()

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        handler.initialize()
        try:
            return fn(*args, **kwargs)
        except SystemExit as exit:
            if exit.code not in (0, None):
                raise
            return None
        except ChildFailedError as error:
            _, first = error.get_first_failure()
            if first.error_file_data:
                handler._pass_on(first.error_file_data, first.error_file, first.exitcode)
            else:
                logger.error("local rank %s failed and wrote nothing down", first.local_rank)  # noqa: TRY400
            raise
        except Exception as error:
            handler.record_exception(error)
            raise

    return wrapper


__getattr__, __dir__ = rest_of(__name__)
