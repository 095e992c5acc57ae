"""torch.cuda in a build without CUDA: queries say that there is no device, seeds and caches are accepted and
have no effect, and what needs a device raises AssertionError.

Whether the build has CUDA is answered here alone: `_is_compiled`.
"""

import torch
from torch import _tensor_types, storage
from torch._device_module import device_index, refusing, refusing_class, without_devices


def _is_compiled():
    """Whether this torch was built with CUDA."""
    return torch.version.cuda is not None


def _refuse(name=None):
    raise AssertionError("Torch not compiled with CUDA enabled")


# ---- questions ---------------------------------------------------------------------------------------------
has_half = True
has_magma = False


def is_available():
    """Whether there is a device to compute on: a build with CUDA, a driver and a GPU."""
    return _is_compiled() and device_count() > 0


def device_count():
    """The number of GPUs, 0 without CUDA."""
    return 0


def init():
    """Prepares the process for CUDA; other functions do so by themselves. AssertionError without CUDA."""
    _refuse()


def _lazy_init():
    _refuse()


def _lazy_call(callback, **options):
    """`callback` is to run when CUDA is first used, which never happens here."""


def _is_in_bad_fork():
    """Whether this process is a fork of one that has used CUDA."""
    return False


# ---- devices and streams -----------------------------------------------------------------------------------
def set_device(device):
    """Makes `device`, an index or torch.device, the current one. A negative index: no change."""
    if device_index(device, "cuda") >= 0:
        _refuse()


class device:  # noqa: N801 - torch's name
    """The context in which a device, an index or torch.device, is the current one. A negative index: no change."""

    def __init__(self, device):
        self.idx = device_index(device, "cuda")

    def __enter__(self):
        if self.idx >= 0:
            raise RuntimeError(
                f"cuda:{self.idx} cannot become the current device: Torch not compiled with CUDA enabled"
            )

    def __exit__(self, *error):
        return False


class device_of(device):  # noqa: N801 - torch's name
    """The same for the device of a tensor or storage; none for one on the CPU."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else -1)


def _refuse_class(name):
    raise RuntimeError(f"torch.cuda.{name} requires CUDA support, and this torch is built without")


for _name, _doc in {
    "Stream": "A queue of work on a GPU.",
    "ExternalStream": "A Stream that another library has made.",
    "Event": "A mark in a stream: to wait for, and to measure time between.",
    "CUDAGraph": "Work on a GPU that was recorded once and is replayed as a whole.",
    "MemPool": "A pool of GPU memory of its own.",
    "graph_pool_handle": "A name for memory that several graphs share.",
}.items():
    globals()[_name] = refusing_class(__name__, _name, f"{_doc} RuntimeError without CUDA.", _refuse_class)


class CudaError(RuntimeError):
    """An error that the CUDA runtime has reported."""


class DeferredCudaCallError(Exception):
    """What was to be done at CUDA's first use, such as seeding, has failed."""


class OutOfMemoryError(RuntimeError):
    """A device has no memory left."""


globals().update(without_devices(__name__, _refuse))
memory_cached = memory_reserved  # noqa: F821 - their names of 2018
max_memory_cached = max_memory_reserved  # noqa: F821


# ---- what needs a device -----------------------------------------------------------------------------------
_NEEDS_A_DEVICE = {
    "can_device_access_peer": "Whether one GPU reads another's memory directly.",
    "clock_rate": "The clock rate of a GPU's multiprocessors, in MHz.",
    "cudart": "The CUDA runtime's functions.",
    "current_blas_handle": "The cuBLAS handle of the current stream, an int.",
    "current_device": "The index of the current GPU.",
    "current_stream": "The current Stream of a GPU.",
    "default_stream": "The Stream of a GPU that is current unless another is chosen.",
    "device_memory_used": "Bytes in use on a GPU, by whatever process.",
    "get_allocator_backend": 'The allocator\'s name: "native" or "cudaMallocAsync".',
    "get_device_capability": "A GPU's compute capability, (major, minor).",
    "get_device_name": "A GPU's name.",
    "get_device_properties": "A GPU's name, memory, number of multiprocessors and so on, as attributes.",
    "get_per_process_memory_fraction": "The share of a GPU's memory that this process may take.",
    "get_rng_state": "The state of a GPU's generator, a uint8 tensor.",
    "get_stream_from_external": "A Stream for a cudaStream_t of another library, given as an int.",
    "get_sync_debug_mode": "What `set_sync_debug_mode` has set.",
    "initial_seed": "The seed of the current GPU's generator.",
    "ipc_collect": "Frees memory that other processes were given and have left.",
    "is_current_stream_capturing": "Whether the current stream is being recorded into a graph.",
    "make_graphed_callables": "Functions that replay a graph of what the given ones do.",
    "mem_get_info": "(free bytes, all bytes) of a GPU.",
    "memory_snapshot": "What every block of GPU memory holds: a list of dicts.",
    "memory_summary": "The allocator's counters as a table for people.",
    "memory_usage": "The share of time in which memory was read or written lately, in percent.",
    "power_draw": "The power that a GPU takes, in mW.",
    "reset_accumulated_memory_stats": "Sets counters of what was allocated and freed to 0.",
    "reset_max_memory_allocated": "Starts `max_memory_allocated` anew.",
    "reset_max_memory_cached": "Starts `max_memory_cached` anew.",
    "reset_peak_memory_stats": "Starts all maxima anew.",
    "set_per_process_memory_fraction": "Limits the share of a GPU's memory that this process may take.",
    "set_sync_debug_mode": "What to do when an operation waits for the GPU: nothing, warn or raise.",
    "synchronize": "Waits until all work on a GPU is done.",
    "temperature": "A GPU's temperature, in degrees Celsius.",
    "utilization": "The share of time in which a GPU was computing lately, in percent.",
}
globals().update(
    refusing(__name__, {n: f"{doc} AssertionError without CUDA." for n, doc in _NEEDS_A_DEVICE.items()}, _refuse)
)


# ---- types of 2017 -----------------------------------------------------------------------------------------
def _refuse_type(name):
    raise TypeError(f"type torch.cuda.{name} not available. Torch not compiled with CUDA enabled.")


class _TensorType(type):
    """The type of torch.cuda.FloatTensor and its like. No tensor is an instance of them."""

    layout = torch.strided
    is_cuda, is_sparse = True, False

    def __call__(cls, *data, **options):
        _refuse_type(cls.__name__)

    def __instancecheck__(cls, instance):
        return isinstance(instance, torch.Tensor) and instance.is_cuda and instance.dtype == cls.dtype


for _name, _dtype in _tensor_types.NAMES.items():
    if not _dtype.is_complex:
        _doc = f"Tensors of {_dtype} on a GPU. TypeError without CUDA."
        globals()[_name] = _TensorType(_name, (), {"dtype": _dtype, "__module__": __name__, "__doc__": _doc})
for _name, _dtype in storage.DTYPES.items():
    globals()[_name] = refusing_class(__name__, _name, f"Memory on a GPU as elements of {_dtype}.", _refuse)
    globals()[_name].dtype = _dtype
del _name, _doc, _dtype
