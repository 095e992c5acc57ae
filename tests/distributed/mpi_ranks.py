"""Runs a function as several processes of one group over MPI: mpi_ranks.run(function, size), as ranks.run() over gloo.

mpirun starts them. `python mpi_ranks.py 2` prints the words that start two processes.
"""

import ast
import datetime
import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 90
# One machine, which may have fewer processors than there are ranks, and no network but its own.
SETTINGS = {
    "OMPI_MCA_btl": "self,sm,tcp",
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_plm": "^slurm",
    "PRTE_MCA_ras": "^slurm,gridengine",
}


def available():
    """Whether there is an mpirun."""
    return shutil.which("mpirun") is not None


def command(size):
    """Words that start `size` processes."""
    root = ("--allow-run-as-root",) if os.getuid() == 0 else ()
    return ("mpirun", *root, "--oversubscribe", "--bind-to", "none", "-np", str(size))


def start(function, size, *args, timeout=30.0, environment=(), alone=False):
    """(exit status, what all wrote). `alone`: the processes join no group."""
    module, name = function.__module__, function.__name__
    with tempfile.TemporaryDirectory() as folder:
        variables = os.environ | SETTINGS | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        # Sockets have short names.
        variables |= {"OMP_NUM_THREADS": "1", "TMPDIR": folder} | dict(environment)
        words = [*command(size), sys.executable, __file__, module, name, "" if alone else str(timeout), repr(args)]
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables, start_new_session=True
        )
        try:
            said = process.communicate(timeout=TIMEOUT)[0]
            return process.returncode, said
        except subprocess.TimeoutExpired:
            process.terminate()  # it ends the ranks
            try:
                said = process.communicate(timeout=10)[0]
            except subprocess.TimeoutExpired:
                process.kill()
                said = process.communicate()[0]
            return None, said + "\nhas not come to an end"


def run(function, size, *args, **options):
    status, said = start(function, size, *args, **options)
    assert status == 0, f"{size} ranks ended with {status}\n{said}"
    return said


def main(module, name, timeout, args):
    import torch.distributed as dist

    if timeout:
        dist.init_process_group("mpi", timeout=datetime.timedelta(seconds=float(timeout)))
    getattr(importlib.import_module(module), name)(*ast.literal_eval(args))
    if dist.is_initialized():
        dist.barrier()  # nobody leaves while others speak to it
        dist.destroy_process_group()


if __name__ == "__main__":
    if len(sys.argv) == 2 and re.fullmatch("[0-9]+", sys.argv[1]):
        print(*command(sys.argv[1]))
    else:
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        main(*sys.argv[1:])
