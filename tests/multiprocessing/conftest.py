"""What all tests here check in the end: that nothing is left in /dev/shm."""

import os
import pathlib
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # for `workers`, in spawned processes, too


def segments():
    """Names of shared storages in /dev/shm; of processes of other users and sessions, too."""
    return {name for name in os.listdir("/dev/shm") if name.startswith("torch_")}


def soon(condition, seconds=1.0):
    """Whether it becomes true within a second."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


@pytest.fixture(autouse=True)
def nothing_left_behind():
    import gc

    before = segments()
    yield
    gc.collect()
    mine = f"torch_{os.getpid()}_"
    assert soon(lambda: not any(name.startswith(mine) for name in segments() - before)), segments() - before


@pytest.fixture(params=["file_descriptor", "file_system"])
def strategy(request):
    import torch.multiprocessing as mp

    before = mp.get_sharing_strategy()
    mp.set_sharing_strategy(request.param)
    yield request.param
    mp.set_sharing_strategy(before)
