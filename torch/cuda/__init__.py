"""torch.cuda in a build without CUDA: whoever asks is told that there is no device, seeds and caches are accepted and
have no effect, and what needs a device raises AssertionError.

Whether the build has CUDA is answered here alone: `_is_compiled`.
"""

import torch
from torch import _tensor_types, storage
from torch._device_module import device_index, refusing, refusing_class


def _is_compiled():
    """Whether this torch was built with CUDA."""
    return torch.version.cuda is not None


def _refuse(name=None):
    raise AssertionError("Torch not compiled with CUDA enabled")


# ---- questions ---------------------------------------------------------------------------------------------
has_half = True
has_magma = False
default_generators = ()


def is_available():
    """Whether there is a device to compute on: a build with CUDA, a driver and a GPU."""
    return _is_compiled() and device_count() > 0


def device_count():
    """The number of GPUs, 0 without CUDA."""
    return 0


def is_initialized():
    """Whether the process has used CUDA."""
    return False


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


def is_bf16_supported(including_emulation=True):
    """Whether the current GPU computes in bfloat16."""
    return False


def is_tf32_supported():
    """Whether the current GPU multiplies in TF32."""
    return False


def get_arch_list():
    """The architectures that the kernels were compiled for, "sm_90" and so on: a list of str."""
    return []


def get_gencode_flags():
    """The compiler's options for `get_arch_list()`, one str."""
    return ""


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


def stream(stream):
    """The context in which `stream` is the current one; None: no change."""
    return StreamContext(stream)


class StreamContext:
    """What `torch.cuda.stream(stream)` gives."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            _refuse()

    def __exit__(self, *error):
        return False


def set_stream(stream):
    """Makes `stream` the current one; None: no change."""
    if stream is not None:
        _refuse()


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


# ---- random numbers ----------------------------------------------------------------------------------------
def manual_seed(seed):
    """Seeds the current GPU's generator with an int; no effect without CUDA."""
    int(seed)


def manual_seed_all(seed):
    """Seeds the generators of all GPUs with an int; no effect without CUDA."""
    int(seed)


def seed():
    """Seeds the current GPU's generator from the system; no effect without CUDA."""


def seed_all():
    """Seeds the generators of all GPUs from the system; no effect without CUDA."""


def get_rng_state_all():
    """The states of all GPUs' generators: a list of uint8 tensors."""
    return []


def set_rng_state(new_state, device="cuda"):
    """Sets the state of a GPU's generator, as `get_rng_state` has given it; no effect without CUDA."""


def set_rng_state_all(new_states):
    """Sets the states of the generators, one for each GPU; no effect without CUDA."""


# ---- memory ------------------------------------------------------------------------------------------------
def empty_cache():
    """Gives memory that is kept for later tensors back to the driver."""


def memory_stats(device=None):
    """Counters of the allocator, {str: int}; empty without CUDA."""
    return {}


def memory_stats_as_nested_dict(device=None):
    """The same as dicts of dicts."""
    return {}


def _nothing_allocated(name, doc):
    def function(device=None):
        return 0

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


memory_allocated = _nothing_allocated("memory_allocated", "Bytes that tensors take on a GPU.")
max_memory_allocated = _nothing_allocated("max_memory_allocated", "The most that `memory_allocated` has been.")
memory_reserved = _nothing_allocated("memory_reserved", "Bytes that torch holds on a GPU, in use or kept for later.")
max_memory_reserved = _nothing_allocated("max_memory_reserved", "The most that `memory_reserved` has been.")
memory_cached = _nothing_allocated("memory_cached", "`memory_reserved` by its older name.")
max_memory_cached = _nothing_allocated("max_memory_cached", "`max_memory_reserved` by its older name.")


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
    globals()[_name] = refusing_class(__name__, _name, f"Memory on a GPU, seen as elements of {_dtype}.", _refuse)
    globals()[_name].dtype = _dtype
del _name, _doc, _dtype
