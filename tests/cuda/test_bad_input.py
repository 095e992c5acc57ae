"""Machines and calls that are wrong: each in a process of its own, which goes on as far as it can."""

import pytest
import torch
from test_loading import run


@pytest.fixture
def host():
    """The stand-in of tests/host-cuda, which can be told to lack things."""
    if torch.cuda.get_device_name() != "Host CUDA device":
        pytest.skip("needs a driver that can be taken away")


ASK = (
    "import torch\n"
    "print(torch.cuda.is_available())\n"
    "try: torch.ones(2, device='cuda')\n"
    "except RuntimeError as error: print(error)\n"
    "print(torch.ones(2).sum().item())"
)


def test_no_driver(host):
    available, said, rest = run(ASK, HOST_CUDA_DRIVER="none")
    assert available == "False" and rest == "2.0"
    assert "no NVIDIA driver" in said


def test_a_driver_that_is_too_old(host):
    available, said, rest = run(ASK, HOST_CUDA_DRIVER="old")
    assert available == "False" and rest == "2.0"
    assert "too old" in said and "12.4" in said and "13.0" in said


def test_no_device(host):
    available, said, rest = run(ASK, HOST_CUDA_DEVICES="0")
    assert available == "False" and rest == "2.0" and said == "No CUDA GPUs are available"


def test_a_capability_that_is_not_compiled_in(host):
    _, said, rest = run(ASK, HOST_CUDA_CAPABILITY="75")
    assert rest == "2.0"
    assert "no kernel image is available" in said and "7.5" in said
    assert all(arch in said for arch in torch.cuda.get_arch_list())


def test_a_kernel_that_asserts_names_its_operator():
    """What the host only learns at the next wait is raised by the call itself where launches block."""
    code = (
        "import torch\n"
        "a, i = torch.zeros(3, device='cuda'), torch.tensor([7], device='cuda')\n"
        "try: a.index_select(0, i)\n"
        "except Exception as error: print(type(error).__name__, error)\n"
        "print((a + 1).tolist())"
    )
    said, rest = run(code, CUDA_LAUNCH_BLOCKING="1")
    assert "index out of range" in said and "index_select on cuda:0" in said and rest == "[1.0, 1.0, 1.0]"
    later = code.replace("a.index_select(0, i)", "a.index_select(0, i); print('queued'); torch.cuda.synchronize()")
    queued, said, rest = run(later, CUDA_LAUNCH_BLOCKING="0")
    assert queued == "queued" and "index_select on cuda:0" in said and rest == "[1.0, 1.0, 1.0]"


def test_out_of_memory_frees_everything():
    free, total = torch.cuda.mem_get_info()
    torch.cuda.empty_cache()
    before = torch.cuda.memory_allocated()
    with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory"):
        kept = [torch.empty(total // 4, dtype=torch.uint8, device="cuda") for _ in range(8)]
        del kept
    assert torch.cuda.memory_allocated() == before
    assert torch.empty(total // 8, dtype=torch.uint8, device="cuda").nbytes == total // 8
    assert torch.ones(3, device="cuda").sum().item() == 3


def test_nvml_is_asked_by_name():
    try:
        import pynvml  # noqa: F401
    except ImportError:
        pass
    else:
        pytest.skip("pynvml is there")
    for name in ("clock_rate", "device_memory_used", "memory_usage", "power_draw", "temperature", "utilization"):
        with pytest.raises(ModuleNotFoundError, match="nvidia-ml-py"):
            getattr(torch.cuda, name)()
    assert "nvidia-ml-py" in torch.cuda.list_gpu_processes()


def test_results_of_the_runtime():
    torch.cuda.check_error(0)
    with pytest.raises(torch.cuda.CudaError, match=r"out of memory \(2\)"):
        torch.cuda.check_error(2)


def test_what_this_build_does_not_have():
    for call in (
        torch.cuda.CUDAGraph,
        torch.cuda.MemPool,
        torch.cuda.GreenContext,
        torch.cuda.cudart,
        torch.cuda.host_memory_stats,
        torch.cuda.get_sync_debug_mode,
        torch.cuda.current_solver_handle,
        lambda: torch.cuda.caching_allocator_enable(False),
    ):
        with pytest.raises(RuntimeError, match="built without"):
            call()
    torch.cuda.caching_allocator_enable()
    torch.cuda.ipc_collect()
