"""Several processes that run one function, and what becomes of them: `spawn` and `start_processes`."""

import logging
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor

from torch import _C

__all__ = [
    "ENV_VAR_PARALLEL_START",
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "spawn",
    "start_processes",
]

log = logging.getLogger(__name__)

# "1": processes are started side by side. Not by fork, which copies a process that has threads.
ENV_VAR_PARALLEL_START = "TORCH_MP_PARALLEL_START"


class ProcessException(Exception):
    """What the errors below have in common: `msg`, `error_index`, the number of the process, and `error_pid`."""

    def __init__(self, msg, error_index, error_pid):
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.error_pid = error_pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.error_pid)


class ProcessRaisedException(ProcessException):
    """A process ended with an exception, whose traceback is the message."""


class ProcessExitedException(ProcessException):
    """A process ended otherwise: `exit_code`, and `signal_name` ("SIGKILL") where a signal was the reason, else None."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.error_pid, self.exit_code, self.signal_name)


def _wrap(fn, i, args, error_file):
    # A parent that was killed interrupts its children.
    _C._set_death_signal(signal.SIGINT)
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass  # the parent is gone, or has been interrupted, too
    except Exception:
        with open(error_file, "wb") as file:
            pickle.dump(traceback.format_exc(), file)
        sys.exit(1)


class ProcessContext:
    """Processes that `start_processes` started: `processes`, `sentinels` ({sentinel: number}), `error_files`."""

    def __init__(self, processes, error_files):
        self.error_files = error_files
        self.processes = processes
        self.sentinels = {process.sentinel: index for index, process in enumerate(processes)}

    def pids(self):
        """The list of their ids."""
        return [int(process.pid) for process in self.processes]

    def _join_procs_with_timeout(self, timeout):
        """Waits for all of them, `timeout` seconds at most."""
        end = time.monotonic() + timeout
        for process in self.processes:
            process.join(max(0, end - time.monotonic()))

    def join(self, timeout=None, grace_period=None):
        """Waits until one of them has ended, `timeout` seconds at most. True: all have ended well; False: some run.

        When one has failed the others are ended: by SIGTERM, and after `grace_period` seconds (30 unless given) by SIGKILL.
        Then ProcessRaisedException or ProcessExitedException says how it failed.
        """
        if not self.sentinels:
            return True
        failed = None
        for sentinel in multiprocessing.connection.wait(self.sentinels.keys(), timeout=timeout):
            index = self.sentinels.pop(sentinel)
            process = self.processes[index]
            process.join()
            if process.exitcode != 0:
                failed = index
                break
        if failed is None:
            return not self.sentinels
        self._end_others(30 if grace_period is None else grace_period)
        self._raise(failed)

    def _end_others(self, grace_period):
        for process in self.processes:
            if process.is_alive():
                log.warning("Terminating process %s via signal SIGTERM", process.pid)
                process.terminate()
        self._join_procs_with_timeout(grace_period)
        for process in self.processes:
            if process.is_alive():
                log.warning("Unable to shutdown process %s via SIGTERM, forcefully exiting via SIGKILL", process.pid)
                process.kill()
            process.join()

    def _raise(self, index):
        process, path = self.processes[index], self.error_files[index]
        if os.path.exists(path):
            with open(path, "rb") as file:
                text = pickle.load(file)
            os.unlink(path)
            raise ProcessRaisedException(
                f"\n\n-- Process {index} terminated with the following error:\n{text}", index, process.pid
            )
        code = process.exitcode
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = f"<Unknown signal {-code}>"
            raise ProcessExitedException(
                f"process {index} terminated with signal {name}", index, process.pid, code, name
            )
        raise ProcessExitedException(f"process {index} terminated with exit code {code}", index, process.pid, code)


class SpawnContext(ProcessContext):
    """The older name's type: a ProcessContext of processes that were spawned."""


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Starts `nprocs` processes that run `fn(i, *args)`, i from 0; `start_method`: "spawn", "fork" or "forkserver".

    With `join` waits until all have ended, and raises as ProcessContext.join when one has failed; else returns the
    ProcessContext. ValueError for other start methods."""
    context = multiprocessing.get_context(start_method)
    side_by_side = os.environ.get(ENV_VAR_PARALLEL_START, "0") == "1" and start_method != "fork"
    folder = tempfile.gettempdir()
    error_files = []

    def start(i):
        # A name that nobody has; the file is there once the process has failed.
        handle, path = tempfile.mkstemp(prefix="torch-errorfile-", suffix=".pickle", dir=folder)
        os.close(handle)
        os.unlink(path)
        process = context.Process(target=_wrap, args=(fn, i, args, path), daemon=daemon)
        process.start()
        return process, path

    if side_by_side and nprocs > 1:
        with ThreadPoolExecutor(max_workers=nprocs) as pool:
            started = list(pool.map(start, range(nprocs)))
    else:
        started = [start(i) for i in range(nprocs)]
    error_files = [path for _, path in started]
    result = ProcessContext([process for process, _ in started], error_files)
    if not join:
        return result
    while not result.join():
        pass


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Spawns `nprocs` processes that run `fn(i, *args)`, i from 0; `fn` is a function of a module, since it is pickled.

    With `join` waits until all have ended: None, or ProcessRaisedException with the traceback of one that raised, or
    ProcessExitedException (`exit_code`, `signal_name`) of one that ended otherwise; the others are ended then. Without it
    returns the ProcessContext. Other start methods: `start_processes`."""
    if start_method != "spawn":
        warnings.warn(
            f"This method only supports start_method=spawn (got: {start_method}).\n"
            "To use a different start_method use:\n\t\t torch.multiprocessing.start_processes(...)",
            FutureWarning,
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
