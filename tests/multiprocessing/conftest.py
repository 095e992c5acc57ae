"""What all tests here check in the end: that nothing is left in /dev/shm."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # for `workers`, in spawned processes, too

from segments import segments, soon  # noqa: E402


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
