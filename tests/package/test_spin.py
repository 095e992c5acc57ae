"""Threads of OpenMP that wait for work soon sleep, unless the user wants otherwise; no other process hears of it.

(Of ours alone: no statement about PyTorch.)
"""

import os
import re
import subprocess
import sys

import pytest
from package_copy import copied
from torch._spin import ROUNDS

NAMES = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")


def run(program, folder=None, **variables):
    """What a Python process prints, and what it says on standard error."""
    inherited = {name: value for name, value in os.environ.items() if name not in NAMES}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**inherited, **variables},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def rounds(**variables):
    """What the runtime says that it has read."""
    said = run("import torch", OMP_DISPLAY_ENV="verbose", **variables)[1]
    return re.findall(r"GOMP_SPINCOUNT = '(\d+)'", said)[-1]


def test_bounded_by_default():
    assert rounds() == ROUNDS


@pytest.mark.parametrize(
    "variables, expected",
    [
        ({"GOMP_SPINCOUNT": "77"}, "77"),
        ({"GOMP_SPINCOUNT": "300000"}, "300000"),
        ({"OMP_WAIT_POLICY": "passive"}, "0"),
        ({"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "5"}, "5"),
    ],
)
def test_the_user_decides(variables, expected):
    assert rounds(**variables) == expected
    program = f"import os, torch; print([os.environ.get(name, '') for name in {NAMES}])"
    assert run(program, **variables)[0] == f"{[variables.get(name, '') for name in NAMES]}\n"


def test_active_waiting_is_left_alone():
    assert int(rounds(OMP_WAIT_POLICY="active")) > 10**6


CHILDREN = """
import os, subprocess, sys
{before}
assert "GOMP_SPINCOUNT" not in os.environ
for command in (["env"], [sys.executable, "-c", "import os; print(*os.environ)"]):
    print(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    print(subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ)).stdout)
sys.stdout.flush()
os.system("env")
"""


def test_children_inherit_nothing():
    inherited = run(CHILDREN.format(before="import torch; torch.ones(10**6).exp()"))[0]
    assert "PATH" in inherited and "GOMP" not in inherited


def test_children_inherit_nothing_of_an_import_that_failed(tmp_path):
    package = copied(tmp_path)
    (package / "lib" / "libTH.so.1").unlink()
    before = "try:\n    import torch\nexcept ImportError: print('failed')"
    inherited = run(CHILDREN.format(before=before), package.parent, PYTHONPATH=str(package.parent))[0]
    assert inherited.startswith("failed") and "GOMP" not in inherited


WAITING = """
import time, torch
torch.set_num_threads(2)
a, x, w = torch.rand(512, 512), torch.rand(16, 32, 32, 32), torch.rand(32, 32, 3, 3)
spent = 0
for _ in range(30):
    {region}
    start = time.process_time()
    time.sleep(0.005)
    spent += time.process_time() - start
print(spent)
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core: no thread waits for another")
@pytest.mark.parametrize(
    "region", ["x.exp()", "a @ a", "torch.nn.functional.conv2d(x, w)"], ids=["TH", "OpenBLAS", "oneDNN"]
)
def test_threads_sleep_after_a_region(region):
    """Of 150 ms after parallel regions they are awake for a few, unless they are told to wait actively."""
    program = WAITING.format(region=region)
    awake = float(run(program)[0])
    assert awake < 0.03
    assert float(run(program, OMP_WAIT_POLICY="active")[0]) > 3 * awake
