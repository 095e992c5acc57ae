"""examples/ddp_digits.py in two processes: the same bits in two runs, and about as many digits read as by one process.

python tests/examples/ddp.py EXAMPLES [mpirun …]

Words behind EXAMPLES start two processes that talk by MPI; without them torchrun does, and they talk by gloo.
"""

import os
import pathlib
import re
import subprocess
import sys

TIMEOUT = 300


def said(*command):
    """(hash of the parameters, percentage of digits read) of one run."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    run = subprocess.run([*command, "--quick"], env=environment, timeout=TIMEOUT, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    found = re.search(r"parameters (\w+), ([\d.]+)% read", run.stdout)
    return found[1], float(found[2])


def main():
    script = str(pathlib.Path(sys.argv[1]) / "ddp_digits.py")
    if len(sys.argv) > 2:
        together = (*sys.argv[2:], sys.executable, script, "--backend", "mpi")
    else:
        together = (sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", script)
    alone, first, second = said(sys.executable, script), said(*together), said(*together)
    assert first == second, f"two runs of two processes differ: {first} and {second}"
    assert abs(first[1] - alone[1]) < 3, f"two processes read {first[1]}% of the digits, one reads {alone[1]}%"
    print(f"ddp_digits: two processes {first[1]}% with the same bits twice, one process {alone[1]}%")


if __name__ == "__main__":
    main()
