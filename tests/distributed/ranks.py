"""Runs a function as several processes of one group: ranks.run(function, size, *args).

The function is one of a test module's; each process imports that module, joins the default group over a store in a file and
calls it. What ranks write while failing is in the failure here.
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


def run(function, size, *args):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, function.__module__, function.__name__]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
        processes = [
            subprocess.Popen(
                [*command, str(rank), str(size), f"{folder}/store", repr(args)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=environment,
            )
            for rank in range(size)
        ]
        said = []
        for process in processes:
            try:
                said.append(process.communicate(timeout=TIMEOUT)[0])
            except subprocess.TimeoutExpired:
                for each in processes:
                    each.kill()
                said.append(process.communicate()[0] + "\nhas not come to an end")
        failed = [rank for rank, process in enumerate(processes) if process.returncode]
        assert not failed, "\n".join(f"== rank {rank} of {size}\n{said[rank]}" for rank in failed)


def main(module, name, rank, size, path, args):
    import torch.distributed as dist

    timeout = datetime.timedelta(seconds=30)
    dist.init_process_group("gloo", init_method=f"file://{path}", rank=int(rank), world_size=int(size), timeout=timeout)
    getattr(importlib.import_module(module), name)(*ast.literal_eval(args))
    if dist.is_initialized():
        dist.barrier()  # nobody leaves while others speak to it
        dist.destroy_process_group()


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main(*sys.argv[1:])
