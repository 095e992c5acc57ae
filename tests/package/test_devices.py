"""Questions about devices, on a machine without them: ours answers what PyTorch's build for the CPU alone answers, call by
call (tests/golden/device_calls.json)."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

if torch.backends.cuda.is_built() or not hasattr(torch._C, "_storage_filename"):
    pytest.skip("of our build without CUDA", allow_module_level=True)
GOLDEN = Path(__file__).parents[1] / "golden"
PROGRAM = f"""
import sys; sys.path.insert(0, {str(GOLDEN)!r}); sys.path.insert(0, {str(Path(torch.__file__).parents[1])!r})
import importlib, warnings; warnings.simplefilter("ignore")
import device_calls, torch
for path in sorted({{call.partition("(")[0].rpartition(".")[0] for call, _ in device_calls.recorded()}}):
    if path.startswith("torch."):
        try:
            importlib.import_module(path)
        except ImportError:
            pass
differs, seen = device_calls.differs(), set()
for call, wanted in device_calls.recorded():
    what = device_calls.disagreement(call, wanted, {{"torch": torch}})
    if what and call in differs:
        seen.add(call)
    elif what:
        print(call, what, sep=": ")
for call in differs.keys() - seen:
    print(call, "agrees now: take it out of devices_differ.toml", sep=": ")
"""


def test_answers_are_those_of_pytorch():
    """In a process of its own: settings are changed."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not done.stdout, done.stdout
