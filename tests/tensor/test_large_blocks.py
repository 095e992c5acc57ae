"""Memory of results of 32 KiB to 32 MiB: it stays with the process, within bounds, and begins at different places of a page."""

import gc
import os
import subprocess
import sys
import threading

import pytest
import torch
from memory import megabytes

# One size in a new process, so that no other one has taught the C library what to keep.
TURNS = """
import resource, torch
a = torch.rand({count})
def turn():
    return (torch.relu(a) + 1).neg().abs()
kept = [turn() for _ in range(3)]
del kept
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    turn()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer sees every block and its end")
@pytest.mark.parametrize("count", [10_000, 2**18 - 100, 2**20, 2**22, 5_000_000])
def test_results_in_turn_touch_no_new_pages(count):
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-c", TURNS.format(count=count)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 200  # a page each would be thousands


def test_not_much_is_kept():
    before = megabytes()
    for count in (7_000_000, 5_000_000, 2_000_000, 300_000):
        tensors = [torch.ones(count) for _ in range(10)]
        del tensors
    gc.collect()
    assert megabytes() - before < 100


def test_blocks_begin_at_different_places_of_a_page():
    tensors = [torch.empty(2**20) for _ in range(6)]
    assert len({tensor.data_ptr() % 4096 for tensor in tensors}) > 1
    assert all(tensor.data_ptr() % 64 == 0 for tensor in tensors)


def test_blocks_never_overlap():
    """Whichever sizes come and go, in whichever thread: each tensor keeps its number."""
    sizes = [9_000, 10_000, 33_000, 520_000, 524_288, 600_000, 1_100_000]
    failures = []

    def work(seed):
        kept = {}
        for turn in range(120):
            slot, size = (turn * 7 + seed) % 5, sizes[(turn * 3 + seed) % len(sizes)]
            if slot in kept and not bool((kept[slot][0] == kept[slot][1]).all()):
                failures.append((seed, turn))
            number = seed * 1000 + turn
            kept[slot] = torch.full((size,), float(number)), number

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
