"""Tests of a build with CUDA: they are skipped where there is no device. Those of two devices ask for `second`."""

import pytest
import torch


def pytest_collection_modifyitems(items):
    if torch.cuda.is_available():
        return
    here = pytest.mark.skip(reason="needs a GPU")
    for item in items:
        if "tests/cuda/" in str(item.path).replace("\\", "/"):
            item.add_marker(here)


@pytest.fixture
def second():
    """The device cuda:1."""
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    return torch.device("cuda:1")


@pytest.fixture(autouse=True)
def first_again():
    """Each test begins on the first device, in its default stream."""
    yield
    if torch.cuda.is_available():
        for device in range(torch.cuda.device_count()):
            torch.cuda.set_stream(torch.cuda.default_stream(device))
        torch.cuda.set_device(0)
