"""What NVIDIA's management library knows of a GPU, by way of the Python package nvidia-ml-py (pynvml), which the user
installs. Each function takes a device as the rest of torch.cuda does."""

from __future__ import annotations

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.types import Device


def _of(device):
    """(pynvml, its handle of a device). ModuleNotFoundError without pynvml, RuntimeError without a driver."""
    try:
        import pynvml
    except ImportError as error:
        raise ModuleNotFoundError(
            f"nvidia-ml-py does not seem to be installed or it can't be imported: {error}", name="pynvml"
        ) from error
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError_DriverNotLoaded as error:
        raise RuntimeError(f"cuda driver can't be loaded, is cuda enabled? ({error})") from error
    # By its identity: NVML counts GPUs in another order than CUDA, and sees those that CUDA_VISIBLE_DEVICES hides.
    uuid = torch.cuda.get_device_properties(torch.cuda._index_of(device)).uuid
    return pynvml, pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{uuid}")


def clock_rate(device: Device = None) -> int:
    """The clock rate of a GPU's multiprocessors, in MHz."""
    nvml, handle = _of(device)
    return nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM)


def device_memory_used(device: Device = None) -> int:
    """Bytes in use on a GPU, by whatever process."""
    nvml, handle = _of(device)
    return nvml.nvmlDeviceGetMemoryInfo(handle).used


def memory_usage(device: Device = None) -> int:
    """The share of time in which memory was read or written lately, in percent."""
    nvml, handle = _of(device)
    return nvml.nvmlDeviceGetUtilizationRates(handle).memory


def power_draw(device: Device = None) -> int:
    """The power that a GPU takes, in mW."""
    nvml, handle = _of(device)
    return nvml.nvmlDeviceGetPowerUsage(handle)


def temperature(device: Device = None) -> int:
    """A GPU's temperature, in degrees Celsius."""
    nvml, handle = _of(device)
    return nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU)


def utilization(device: Device = None) -> int:
    """The share of time in which a GPU was computing lately, in percent."""
    nvml, handle = _of(device)
    return nvml.nvmlDeviceGetUtilizationRates(handle).gpu


def list_gpu_processes(device: Device = None) -> str:
    """The processes that compute on a GPU, and the memory that each holds: text for people. Without pynvml or a driver it
    says so."""
    try:
        nvml, handle = _of(device)
    except ModuleNotFoundError:
        return "pynvml module not found, please install nvidia-ml-py"
    except RuntimeError as error:
        if "driver can't be loaded" not in str(error):
            raise
        return str(error)
    found = nvml.nvmlDeviceGetComputeRunningProcesses(handle)
    lines = [f"GPU:{torch.cuda._index_of(device)}"]
    lines += ["no processes are running"] if not found else []
    lines += [f"process {p.pid:>10d} uses {(p.usedGpuMemory or 0) / 2**20:>12.3f} MB GPU memory" for p in found]
    return "\n".join(lines)


for _function in (
    clock_rate,
    device_memory_used,
    list_gpu_processes,
    memory_usage,
    power_draw,
    temperature,
    utilization,
):
    _function.__module__ = "torch.cuda"
del _function
