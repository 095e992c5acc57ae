"""The device that tensors are made on: names that no backend stands behind raise at their first use. Of meta:
test_device.py."""

import threading

import pytest
import torch

pytestmark = pytest.mark.usefixtures("cpu_again")

A = torch.arange(4.0)

MAKERS = [
    lambda: torch.ones(2),
    lambda: torch.tensor([1]),
    lambda: torch.as_tensor([1]),
    lambda: torch.arange(3),
    lambda: torch.full((2,), 1.0),
    lambda: torch.eye(2),
    lambda: torch.randperm(3),
    lambda: torch.hann_window(3),
    lambda: torch.tril_indices(2, 2),
    lambda: torch.rand(2),
    lambda: torch.get_default_device(),
]
OTHERS = [
    lambda: torch.ones(2, device="cpu"),
    lambda: torch.ones_like(A),
    lambda: A.new_ones(2),
    lambda: A + 1,
    lambda: torch.from_numpy(A.numpy()),
    lambda: torch.Generator(),
    lambda: A.sum(),
    lambda: torch.cat([A, A]),
]


@pytest.mark.parametrize("function", MAKERS)
def test_an_absent_device_raises_at_first_use(function):
    torch.set_default_device("cuda")
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        function()
    torch.set_default_device("mps" if function is not MAKERS[-1] else "cuda")
    with pytest.raises((NotImplementedError, RuntimeError, AssertionError)):
        function()
    torch.set_default_device("cpu")
    function()


@pytest.mark.parametrize("function", OTHERS)
def test_what_has_a_device_does_not_mind(function):
    torch.set_default_device("cuda")
    function()


def test_setting_and_asking():
    assert torch.get_default_device() == torch.device("cpu")
    torch.set_default_device("cpu:0")
    assert torch.get_default_device() == torch.device("cpu", 0)
    torch.set_default_device(torch.device("cpu"))
    assert torch.get_default_device() == torch.device("cpu") and torch.ones(2).tolist() == [1, 1]
    for wrong in ("foo", "cpu:x", ""):
        with pytest.raises(RuntimeError):
            torch.set_default_device(wrong)
    with pytest.raises((TypeError, RuntimeError)):
        torch.set_default_device(1.5)
    assert torch.get_default_device() == torch.device("cpu")


def test_as_a_context():
    with torch.device("cpu") as device:
        assert device == torch.device("cpu") and torch.ones(2).device == device
    with pytest.raises(AssertionError), torch.device("cuda"):
        torch.ones(2)
    assert torch.ones(2).tolist() == [1, 1]
    torch.set_default_device("cuda")
    with torch.device("cpu"):
        assert torch.ones(1).item() == 1
        with pytest.raises(AssertionError), torch.device("cuda"):
            torch.zeros(1)
        assert torch.get_default_device() == torch.device("cpu")
    with pytest.raises(AssertionError):
        torch.ones(1)


def test_a_thread_has_its_own():
    torch.set_default_device("cuda")
    seen = []
    thread = threading.Thread(target=lambda: seen.append(torch.ones(1).item()))
    thread.start()
    thread.join()
    assert seen == [1]
