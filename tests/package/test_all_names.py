"""PyTorch's public names, all of them: there, or refused or missing with a reason."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

if not hasattr(torch._C, "_storage_filename"):
    pytest.skip("of ours alone", allow_module_level=True)
GOLDEN = Path(__file__).parents[1] / "golden"
AT_LEAST = 3340  # of those that are there: raise it when more are


@pytest.fixture(scope="module")
def lines():
    """What all_names.py says of the names that are missing or refuse, and its last line; in a process of its own, since it
    imports everything."""
    program = f"""
import sys; sys.path.insert(0, {str(GOLDEN)!r}); sys.path.insert(0, {str(Path(torch.__file__).parents[1])!r})
import collections, warnings; warnings.simplefilter("ignore")
import all_names
found, patterns = all_names.states(), all_names.reasons()
for name, state in found.items():
    if state != "there":
        print(state, name, all_names.reason_of(name, patterns), sep="\\t")
print(collections.Counter(found.values())["there"], len(found))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_enough_are_there(lines):
    there, count = map(int, lines[-1].split())
    assert there >= AT_LEAST and count > 5500


def test_each_that_is_left_out_has_a_reason(lines):
    assert not [line for line in lines[:-1] if line.endswith("\tNone")]


def test_nothing_that_is_there_is_in_the_way(lines):
    """torch.nn, optim and the like are whole."""
    whole = (
        "torch.nn.functional.",
        "torch.nn.init.",
        "torch.optim.",
        "torch.nn.modules.",
        "torch.amp.",
        "torch.func.functional_",
    )
    out = [line.split("\t")[1] for line in lines[:-1]]
    assert not [name for name in out if name.startswith(whole)]
