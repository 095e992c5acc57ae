"""Runs a function as several processes of one group: ranks.run(function, size, *args).

The function is one of a test module's; each process imports that module, joins the default group over a store in a file and
calls it. What ranks write while failing is in the failure here. Where some are to fail: Ranks(function, size, *args).
"""

import ast
import datetime
import importlib
import multiprocessing
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

TIMEOUT = 90


# Ranks are forks of a process that has imported what they need: to import it takes most of a short test's time.
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["pytest", "torch", "torch.distributed.tensor", "torch.nn.parallel.distributed"])


class _Fork:
    """A fork that calls main(), with what is used here of subprocess.Popen."""

    def __init__(self, arguments, variables):
        reads, writes = _FORKS.Pipe(duplex=False)
        self.process = _FORKS.Process(target=_forked, args=(arguments, variables, writes))
        self.process.start()
        writes.close()
        self.pid = self.process.pid
        self.stdout = open(os.dup(reads.fileno()), errors="replace")  # noqa: SIM115 - as long as this
        reads.close()

    returncode = property(lambda self: self.process.exitcode)

    def poll(self):
        return self.returncode

    def kill(self):
        self.process.kill()

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout=None):
        self.process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("ranks", timeout)
        return self.returncode

    def communicate(self, timeout=None):
        end, said = time.monotonic() + (TIMEOUT if timeout is None else timeout), b""
        while True:
            if not select.select([self.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise subprocess.TimeoutExpired("ranks", timeout)
            data = os.read(self.stdout.fileno(), 65536)
            if not data:
                break
            said += data
        self.wait(max(0, end - time.monotonic()))
        return said.decode(errors="replace"), None


def _forked(arguments, variables, writes):
    for number in (1, 2):
        os.dup2(writes.fileno(), number)
    writes.close()
    os.environ.update(variables)
    import torch

    torch.set_num_threads(1)  # OMP_NUM_THREADS was read when torch was loaded
    try:
        main(*arguments)
    finally:
        sys.stdout.flush()


class Ranks:
    """The processes, in a `with`, which leaves none behind. `timeout`: the group's, in seconds; `alone`: they join none.

    They are no forks with forks=False, with `prefixes`, words that stand before each one's command, and with an `environment`,
    which may be read as torch is imported.
    """

    def __init__(self, function, size, *args, timeout=30.0, alone=False, prefixes=None, environment=(), forks=True):
        self.folder = tempfile.TemporaryDirectory()
        join = "" if alone else f"{self.folder.name}/store"
        calls = [
            (function.__module__, function.__name__, str(rank), str(size), join, str(timeout), repr(args))
            for rank in range(size)
        ]
        if forks and not prefixes and not environment:
            self.processes = [_Fork(call, dict(os.environ)) for call in calls]
            return
        variables = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
        self.processes = [
            subprocess.Popen(
                [*(prefixes[rank] if prefixes else ()), sys.executable, __file__, *call],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=variables | dict(environment),
            )
            for rank, call in enumerate(calls)
        ]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.communicate()
        self.folder.cleanup()

    def finish(self, limit=TIMEOUT):
        """[(exit status, what it wrote)]; a status of None: it has not come to an end."""
        found = []
        for process in self.processes:
            try:
                said = process.communicate(timeout=limit)[0]
                found.append((process.returncode, said))
            except subprocess.TimeoutExpired:
                process.kill()
                found.append((None, process.communicate()[0] + "\nhas not come to an end"))
        return found


def run(function, size, *args, **options):
    with Ranks(function, size, *args, **options) as started:
        found = started.finish()
    failed = [rank for rank, (status, _) in enumerate(found) if status != 0]
    assert not failed, "\n".join(f"== rank {rank} of {size}\n{found[rank][1]}" for rank in failed)
    return [said for _, said in found]


def main(module, name, rank, size, path, timeout, args):
    import torch.distributed as dist

    if path:
        limit = datetime.timedelta(seconds=float(timeout))
        dist.init_process_group(
            "gloo", init_method=f"file://{path}", rank=int(rank), world_size=int(size), timeout=limit
        )
        getattr(importlib.import_module(module), name)(*ast.literal_eval(args))
    else:
        getattr(importlib.import_module(module), name)(int(rank), int(size), *ast.literal_eval(args))
    if dist.is_initialized():
        dist.barrier()  # nobody leaves while others speak to it
        dist.destroy_process_group()


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main(*sys.argv[1:])
