"""What an operation asks of the CUDA runtime: on the host CUDA, which counts its calls."""

import os
import subprocess
import sys

import pytest

CODE = """
import ctypes, sys
import torch

a, b = torch.ones(1, device="cuda"), torch.ones(1, device="cuda")
try:
    count = ctypes.CDLL("libcudart.so.13").hostcudaCalls
except (AttributeError, OSError):
    sys.exit(77)
count.restype, count.argtypes = ctypes.c_ulonglong, [ctypes.c_char_p]
for run in (lambda: a + b, lambda: a.add_(b), lambda: a * 2, lambda: a.view(1), lambda: torch.empty(3, device="cuda")):
    run(), run()  # what is made once is there
    before = [count(b"cudaLaunchKernel"), count(None)]
    run()
    print(count(b"cudaLaunchKernel") - before[0], count(None) - before[1])
"""


def test_one_launch_and_nothing_else():
    # With several devices each operator asks which one is current.
    environment = {**os.environ, "HOST_CUDA_DEVICES": "1"}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip("this runtime counts nothing")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == ["1 1", "1 1", "1 1", "0 0", "0 0"]
