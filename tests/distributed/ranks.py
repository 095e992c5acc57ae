"""Runs a function as several processes of one group: ranks.run(function, size, *args).

The function is one of a test module's; each process imports that module, joins the default group over a store in a file and
calls it. What ranks write while failing is in the failure here. Where some are to fail: Ranks(function, size, *args).
"""

import ast
import datetime
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile

TIMEOUT = 90


class Ranks:
    """The processes, in a `with`, which leaves none behind. `timeout`: the group's, in seconds; `alone`: they join none."""

    def __init__(self, function, size, *args, timeout=30.0, alone=False, prefixes=None, environment=()):
        self.folder = tempfile.TemporaryDirectory()
        command = [sys.executable, __file__, function.__module__, function.__name__]
        variables = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
        self.processes = [
            subprocess.Popen(
                [
                    *(prefixes[rank] if prefixes else ()),
                    *command,
                    str(rank),
                    str(size),
                    "" if alone else f"{self.folder.name}/store",
                    str(timeout),
                    repr(args),
                ],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=variables | dict(environment),
            )
            for rank in range(size)
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
