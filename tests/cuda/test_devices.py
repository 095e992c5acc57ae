"""Devices: which there are, which is the current one, and what a wrong one raises."""

import uuid

import pytest
import torch


def test_questions():
    count = torch.cuda.device_count()
    assert count >= 1 and torch.cuda.is_available() and torch.backends.cuda.is_built()
    assert torch.accelerator.is_available() and torch.accelerator.device_count() == count
    assert torch.accelerator.current_accelerator() == torch.device("cuda")
    assert torch.get_device_module("cuda") is torch.cuda
    assert torch.device(0) == torch.device("cuda:0")


def test_properties():
    found = torch.cuda.get_device_properties(0)
    assert found.name == torch.cuda.get_device_name() == torch.cuda.get_device_name("cuda:0")
    assert (found.major, found.minor) == torch.cuda.get_device_capability(torch.device("cuda", 0))
    assert found.total_memory > 0 and found.multi_processor_count > 0 and found.warp_size == 32
    assert isinstance(found.uuid, uuid.UUID) and found.name in repr(found)
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total == torch.cuda.mem_get_info("cuda")[1]
    assert all(arch.startswith(("sm_", "compute_")) for arch in torch.cuda.get_arch_list())
    assert torch.cuda.get_gencode_flags().count("-gencode") == len(torch.cuda.get_arch_list())


def test_the_current_device(second):
    assert torch.cuda.current_device() == 0
    assert torch.empty(1, device="cuda").device == torch.device("cuda:0")
    with torch.cuda.device(second):
        assert torch.cuda.current_device() == 1 == torch.accelerator.current_device_index()
        assert torch.empty(1, device="cuda").device == second
        with torch.cuda.device(-1), torch.cuda.device("cuda"):
            assert torch.cuda.current_device() == 1
        with torch.accelerator.device_index(0):
            assert torch.cuda.current_device() == 0
    assert torch.cuda.current_device() == 0
    torch.cuda.set_device(second)
    assert torch.ones(2).cuda().device == second
    with torch.cuda.device_of(torch.empty(1, device="cuda:0")):
        assert torch.cuda.current_device() == 0
    with torch.cuda.device_of(torch.empty(1)):
        assert torch.cuda.current_device() == 1
    torch.cuda.synchronize()
    torch.accelerator.synchronize("cuda:0")


def test_the_default_device(second):
    with second:
        assert torch.arange(3).device == second
        assert torch.tensor([1.0]).device == second and torch.rand(2).device == second
    with torch.device("cuda"):
        assert torch.zeros(3).device == torch.device("cuda:0")


def test_peers(second):
    assert torch.cuda.can_device_access_peer(0, 1) in (True, False)
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.cuda.can_device_access_peer(0, 99)


@pytest.mark.parametrize(
    "call",
    [
        lambda: torch.empty(1, device="cuda:99"),
        lambda: torch.ones(1).cuda(99),
        lambda: torch.ones(1).to("cuda:99"),
        lambda: torch.cuda.set_device(99),
        lambda: torch.cuda.get_device_name(99),
        lambda: torch.cuda.synchronize(99),
        lambda: torch.Generator(device="cuda:99"),
        lambda: torch.UntypedStorage(3, device="cuda:99"),
    ],
)
def test_an_index_that_there_is_not(call):
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        call()
    assert torch.cuda.current_device() == 0
    assert torch.ones(2, device="cuda").tolist() == [1, 1]


def test_wrong_devices():
    for call in (torch.cuda.set_device, torch.cuda.get_device_name, torch.cuda.device):
        with pytest.raises(ValueError, match="Expected a cuda device"):
            call("cpu")
    with pytest.raises(RuntimeError, match="Invalid device, must be cuda device"):
        torch.ones(1).cuda("cpu")
    with pytest.raises(TypeError, match="must be torch.device"):
        torch.ones(1).cuda([1])


def test_tensors_of_a_call_are_on_one_device(second):
    here, there, host = torch.ones(2, device="cuda:0"), torch.ones(2, device=second), torch.ones(2)
    for a, b in ((here, there), (here, host), (host, here)):
        with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
            a + b
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        here.add_(there)
    assert here.tolist() == [1, 1]
    assert (here + torch.tensor(2.0)).tolist() == [3, 3]  # a 0-dim tensor of the CPU is a number
    assert (torch.tensor(2.0) * here).device == here.device
