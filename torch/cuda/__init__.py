"""NVIDIA's GPUs. Nothing of CUDA is loaded before the first use of a device: then torch._cuda is imported, which only a
build with CUDA has. Without it queries say that there is no device, seeds and caches are accepted and have no effect, and
what needs a device raises AssertionError; with it, but without a driver or a card, RuntimeError with the reason.

streams.py memory.py random.py nvtx.py  what their names say
nccl.py comm.py                         tensors on several devices: collectives, copies
_types.py                               torch.cuda.FloatTensor and its like
_nvml.py                                temperature, utilization: what pynvml tells
_absent.py                              what this build does not have, and raises by name
graphs.py green_contexts.py gds.py tunable.py profiler.py jiterator.py sparse.py  the same, in modules of their own
_utils.py                               kernels compiled in the running process
_exchange.py                            memory of other libraries on a device
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import threading
from typing import Any

import torch
from torch._device_module import device_index as device_index


@functools.cache
def _is_compiled() -> bool:
    """Whether this torch was built with CUDA: answered here alone."""
    return importlib.util.find_spec("torch._cuda") is not None


class CudaError(RuntimeError):
    """An error that the CUDA runtime has reported, by its number."""

    def __init__(self, code: int) -> None:
        super().__init__(f"{_utils.error_text(code)} ({code})")


class DeferredCudaCallError(Exception):
    """What was to be done at CUDA's first use, such as seeding, has failed."""


OutOfMemoryError = torch.OutOfMemoryError

# ---- the first use -----------------------------------------------------------------------------------------
default_generators = ()  # one for each device, once CUDA is in use
_lock = threading.RLock()  # held by who starts it, until the queue is empty; whoever else comes waits
_started = _starting = _forked = False
_queued = []  # (is a seed, callback): what is to be done at the first use


def _after_fork():
    global _forked, _lock
    _forked = _forked or _started or _starting
    _lock = threading.RLock()  # the thread that held it is not here


os.register_at_fork(after_in_child=_after_fork)


def _is_in_bad_fork():
    """Whether this process is a fork of one that has used CUDA."""
    return _forked


def _native():
    """torch._cuda. ImportError where its libraries cannot be loaded."""
    import torch._cuda

    return sys.modules["torch._cuda"]  # which another thread that imports it may not have made torch's attribute yet


def init():
    """Prepares the process for CUDA; other functions do so by themselves. AssertionError in a build without CUDA,
    RuntimeError with the reason where there is no device."""
    _lazy_init()


def _lazy_init():
    global _started, _starting, default_generators
    if _started and not _forked:
        return
    if not _is_compiled():
        raise AssertionError("Torch not compiled with CUDA enabled")
    if _forked:
        raise RuntimeError(
            "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' "
            "start method"
        )
    with _lock:
        if _started or _starting:  # by another thread; by this one, which what has been queued brought here
            return
        _starting = True
        failed = None
        try:
            _native().start()
            default_generators = tuple(
                torch._C._device_generator(torch.device("cuda", i)) for i in range(_native().device_count())
            )
            while _queued:  # all of it, also behind a call that fails
                _, callback = _queued.pop(0)
                try:
                    callback()
                except Exception as error:
                    failed = failed or error
            _started = True
        except ImportError as error:
            raise RuntimeError(f"CUDA's libraries cannot be loaded: {error}") from error
        finally:
            _starting = False
        if failed:
            raise DeferredCudaCallError(f"what was to be done at the first use of CUDA failed: {failed}") from failed


def _ready():
    """torch._cuda, after the first use."""
    _lazy_init()
    return _native()


def _lazy_call(callback, *, seeds=False, seeds_all=False):
    """Calls it now, or if no device is in use yet, then. `seeds_all`: seeds that wait are ignored."""
    if not _is_compiled() or _forked:
        return
    if not _started:
        with _lock:
            if not _started and not _starting:
                if seeds_all:
                    _queued[:] = [call for call in _queued if not call[0]]
                _queued.append((seeds or seeds_all, callback))
                return
    callback()


# ---- questions ---------------------------------------------------------------------------------------------
has_half = True
has_magma = False


def is_available() -> bool:
    """Whether there is a device to compute on: a build with CUDA, a driver and a GPU."""
    return device_count() > 0


def is_initialized():
    """Whether the process has used such a device."""
    return _started and not _forked


def device_count() -> int:
    """The number of GPUs; 0 without CUDA, without a driver, and in a fork of a process that has used CUDA."""
    if not _is_compiled() or _forked:
        return 0
    try:
        return _native().device_count()
    except ImportError:
        return 0


def get_arch_list() -> list[str]:
    """The architectures that the kernels were compiled for: a list of str."""
    if not is_available():
        return []
    return _native().architectures().split()


def get_gencode_flags() -> str:
    """The compiler's options for `get_arch_list()`, one str."""
    flags = [f"-gencode compute=compute_{arch.partition('_')[2]},code={arch}" for arch in get_arch_list()]
    return " ".join(flags)


def is_bf16_supported(including_emulation: bool = True):
    """Whether the current device computes in bfloat16: with `including_emulation`, be it by way of float32."""
    return is_available() and (including_emulation or get_device_capability()[0] >= 8)


def is_tf32_supported() -> bool:
    """Whether the current device multiplies in TF32."""
    return is_available() and get_device_capability()[0] >= 8


def is_current_stream_capturing() -> bool:
    """Whether the current stream is being recorded into a graph: this build has no graphs."""
    _absent._check_build("is_current_stream_capturing")
    _lazy_init()
    return False


# ---- devices -----------------------------------------------------------------------------------------------
def _index_of(device=None):
    """The index of a device, the current one's for None and "cuda". Uses CUDA."""
    if not isinstance(device, (int, type(None))) and torch.device(device) == torch.device("cuda"):
        device = None
    index = device_index(device, "cuda")
    native = _ready()
    if index < 0:
        return native.get_device()
    if index >= native.device_count():
        raise RuntimeError(
            f"CUDA error: invalid device ordinal: there is no cuda:{index} among {native.device_count()}"
        )
    return index


def current_device() -> int:
    """The index of the current GPU."""
    return _ready().get_device()


def set_device(device: Device) -> None:
    """Makes `device`, an index or torch.device, the current one. A negative index: no change."""
    index = device_index(device, "cuda")
    if index >= 0:
        _ready().set_device(_index_of(index))


def _exchange_device(index):
    """Makes a device the current one and returns the index of the one before; a negative one: -1, and no change."""
    if index < 0:
        return -1
    before = current_device()
    if before != index:
        set_device(index)
    return before


class device:  # noqa: N801 - torch's name
    """The context in which a device, an index or torch.device, is the current one. A negative index: no change."""

    def __init__(self, device: Any) -> None:
        whole = isinstance(device, (str, torch.device)) and torch.device(device) == torch.device("cuda")
        self.idx = -1 if whole else device_index(device, "cuda")
        self.prev_idx = -1

    def __enter__(self):
        if self.idx >= 0 and not _is_compiled():
            raise RuntimeError(
                f"cuda:{self.idx} cannot become the current device: Torch not compiled with CUDA enabled"
            )
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, *error):
        _exchange_device(self.prev_idx)
        return False


class device_of(device):  # noqa: N801 - torch's name
    """The same for the device of a tensor or storage; none for one on the CPU."""

    def __init__(self, obj) -> None:
        super().__init__(obj.get_device() if obj.is_cuda else -1)


class _Properties:
    """What there is to know of a GPU, as attributes."""

    def __init__(self, found):
        self.__dict__.update(found)
        del self.uuid
        self.uuid = _uuid(found["uuid"])

    def __repr__(self):
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 2**20}MB, multi_processor_count={self.multi_processor_count}, "
            f"uuid={self.uuid}, L2_cache_size={self.L2_cache_size // 2**20}MB)"
        )


def _uuid(data):
    import uuid

    return uuid.UUID(bytes=data)


def get_device_properties(device: Device = None):
    """A GPU's name, memory, number of multiprocessors and so on, as attributes."""
    index = _index_of(device)
    return _Properties(_native().properties(index))


def get_device_name(device: Device = None) -> str:
    """A GPU's name."""
    return get_device_properties(device).name


def get_device_capability(device: Device = None) -> tuple[int, int]:
    """A GPU's compute capability, (major, minor)."""
    found = get_device_properties(device)
    return found.major, found.minor


def can_device_access_peer(device: Device, peer_device: Device) -> bool:
    """Whether one GPU reads another's memory directly."""
    _lazy_init()
    return _native().can_access_peer(_index_of(device), _index_of(peer_device))


def synchronize(device: Device = None) -> None:
    """Waits until all work on a GPU is done. Raises what its kernels have met, such as an index out of bounds."""
    _ready().synchronize(_index_of(device))


def current_blas_handle():
    """The cuBLAS handle of the current stream, an int."""
    return _ready().blas_handle(current_device())


def _compile_kernel(
    kernel_source: str,
    kernel_name: str,
    compute_capability: str | None = None,
    cuda_include_dirs: list | None = None,
    nvcc_options: list | None = None,
):
    """Compiles a kernel of CUDA C++ in the running process: a function of a grid, a block and a list of arguments.

        add = torch.cuda._compile_kernel(source, "add")  # extern "C" __global__ void add(float *to, float by, int n)
        add(grid=(4, 1, 1), block=(256, 1, 1), args=[x, 2.5, x.numel()])

    kernel_name: of the kernel, or an expression such as "fill<float>". compute_capability: "86"; None: that of the current
    device, to which the kernel then belongs. Tensors are passed as addresses, ints and floats as what the parameter has
    room for. RuntimeError with the compiler's messages if it does not compile."""
    _lazy_init()
    image, name = _utils._nvrtc_compile(kernel_source, kernel_name, compute_capability, cuda_include_dirs, nvcc_options)
    return _utils._cuda_load_module(image, [name])[name]


def _sleep(cycles):
    """Keeps the current stream busy for that many clock cycles of the device, an int, and does not wait."""
    _ready()
    _utils.keep_busy(cycles)


class cudaStatus:  # noqa: N801 - CUDA's name
    """Two results of the CUDA runtime's functions, by number."""

    SUCCESS = 0
    ERROR_NOT_READY = 34


def check_error(res: int) -> None:
    """Raises CudaError unless `res`, a result of the CUDA runtime's functions, is 0."""
    if int(res) != cudaStatus.SUCCESS:
        raise CudaError(int(res))


def ipc_collect():
    """Frees memory that other processes were given and have left. There is none: tensors on a GPU are not shared between
    processes here."""
    _lazy_init()


from torch.cuda import (  # noqa: E402
    _absent,
    _nvml,
    _utils,
    comm as comm,
    memory as memory,
    nccl as nccl,
    nvtx as nvtx,
    random as random,
    streams as streams,
)
from torch.cuda._exchange import from_array_interface as _from_array_interface  # noqa: E402
from torch.cuda._nvml import (  # noqa: E402
    clock_rate as clock_rate,
    device_memory_used as device_memory_used,
    list_gpu_processes as list_gpu_processes,
    memory_usage as memory_usage,
    power_draw as power_draw,
    temperature as temperature,
    utilization as utilization,
)
from torch.cuda._types import (  # noqa: E402
    STORAGES as _STORAGES,
    TENSORS as _TENSORS,
)
from torch.cuda.memory import (  # noqa: E402
    caching_allocator_alloc as caching_allocator_alloc,
    caching_allocator_delete as caching_allocator_delete,
    empty_cache as empty_cache,
    get_allocator_backend as get_allocator_backend,
    get_per_process_memory_fraction as get_per_process_memory_fraction,
    max_memory_allocated as max_memory_allocated,
    max_memory_cached as max_memory_cached,
    max_memory_reserved as max_memory_reserved,
    mem_get_info as mem_get_info,
    memory_allocated as memory_allocated,
    memory_cached as memory_cached,
    memory_reserved as memory_reserved,
    memory_snapshot as memory_snapshot,
    memory_stats as memory_stats,
    memory_stats_as_nested_dict as memory_stats_as_nested_dict,
    memory_summary as memory_summary,
    reset_accumulated_memory_stats as reset_accumulated_memory_stats,
    reset_max_memory_allocated as reset_max_memory_allocated,
    reset_max_memory_cached as reset_max_memory_cached,
    reset_peak_memory_stats as reset_peak_memory_stats,
    set_per_process_memory_fraction as set_per_process_memory_fraction,
)
from torch.cuda.random import (  # noqa: E402
    get_rng_state as get_rng_state,
    get_rng_state_all as get_rng_state_all,
    initial_seed as initial_seed,
    manual_seed as manual_seed,
    manual_seed_all as manual_seed_all,
    seed as seed,
    seed_all as seed_all,
    set_rng_state as set_rng_state,
    set_rng_state_all as set_rng_state_all,
)
from torch.cuda.streams import (  # noqa: E402
    Event as Event,
    ExternalStream as ExternalStream,
    Stream as Stream,
    StreamContext as StreamContext,
    current_stream as current_stream,
    default_stream as default_stream,
    get_stream_from_external as get_stream_from_external,
    set_stream as set_stream,
    stream as stream,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.types import Device

_MODULES = "amp gds graphs green_contexts jiterator profiler sparse tunable".split()  # loaded at first use
globals().update(_absent.ALL)  # CUDAGraph, cudart, …
globals().update(_TENSORS)  # FloatTensor, …
globals().update(_STORAGES)  # FloatStorage, …

# What torch.manual_seed has said before this module was there.
if torch.random._for_devices is not None:
    manual_seed_all(torch.random._for_devices)


def __getattr__(name):
    if name in _MODULES:
        import importlib

        return importlib.import_module(f"torch.cuda.{name}")
    if name == "_initialized":  # what libraries ask that keep random states for a second forward pass
        return is_initialized()
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")
