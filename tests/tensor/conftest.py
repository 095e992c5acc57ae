import pytest
import torch


@pytest.fixture
def m():
    return torch.empty(2, 3, device="meta")


@pytest.fixture
def cpu_again():
    """The default device is the CPU's afterwards, whatever the test has set."""
    yield
    torch.set_default_device(None)
