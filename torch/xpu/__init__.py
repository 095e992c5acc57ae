"""torch.xpu, Intel's GPUs: this torch has no library for them. Questions answer so; what needs a device raises
AssertionError."""

import contextlib

from torch._no_device import Raises, Returns, classes, device_context, functions, pluggable_allocator

_refuse = Raises(AssertionError, "Torch not compiled with XPU enabled")
_refuse_class = Raises(RuntimeError, "torch.xpu.{name} requires XPU support, which this torch does not have")


def _is_compiled():
    """Whether this torch was built for these devices."""
    return False


default_generators = ()
globals().update(
    functions(
        __name__,
        {
            "is_available is_bf16_supported is_initialized is_tf32_supported": Returns(bool),
            "device_count max_memory_allocated max_memory_reserved memory_allocated memory_reserved": Returns(int),
            "memory_stats memory_stats_as_nested_dict": Returns(dict),
            "get_arch_list get_rng_state_all memory_snapshot": Returns(list),
            "get_gencode_flags": Returns(str),
            "empty_cache seed seed_all set_rng_state set_rng_state_all": Returns(),
            """can_device_access_peer change_current_allocator current_device current_stream get_device_capability
            get_device_name get_device_properties get_per_process_memory_fraction get_rng_state get_stream_from_external
            init initial_seed mem_get_info reset_accumulated_memory_stats reset_peak_memory_stats set_device
            synchronize""": _refuse,
            "graph_pool_handle is_current_stream_capturing make_graphed_callables": _refuse_class,
        },
    )
)
globals().update(
    classes(
        __name__,
        {
            "Stream(device=None, priority=0, **kwargs)": "A queue of work on a device.",
            "Event(enable_timing=False)": "A mark in a stream.",
            "MemPool(allocator=None, use_on_oom=False)": "A pool of a device's memory.",
            "XPUGraph(keep_graph=False)": "Work that was recorded once and is replayed.",
            "graph(xpu_graph, pool=None, stream=None)": "The context in which work is recorded into a graph.",
        },
        _refuse_class,
    )
)
device = device_context(
    __name__, "xpu", Raises(NotImplementedError, "{name} cannot become the current device: there is no XPU support")
)


class device_of(device):  # noqa: N801 - torch's name
    """The same for the device of a tensor or storage."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if getattr(obj, "is_xpu", False) else -1)


# ---- seeds, streams, memory --------------------------------------------------------------------------------
def manual_seed(seed):
    """Seeds the current device's generator with an int; no effect where there is no device."""
    int(seed)


def manual_seed_all(seed):
    """Seeds the generators of all devices with an int; no effect where there is no device."""
    int(seed)


class StreamContext:
    """What `stream(stream)` returns."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        set_stream(self.stream)

    def __exit__(self, *error):
        pass


def stream(stream):
    """The context in which `stream` is the current one; None: no change."""
    return StreamContext(stream)


def set_stream(stream):
    """Makes `stream` the current one; None: no change."""
    if stream is not None:
        _refuse("set_stream")


def set_per_process_memory_fraction(fraction, device=None):
    """Limits the share of a device's memory that this process may take. AssertionError here."""
    _refuse("set_per_process_memory_fraction")


@contextlib.contextmanager
def use_mem_pool(pool, device=None):
    """The context in which memory comes from a pool. AssertionError here."""
    _refuse("use_mem_pool")
    yield


XPUPluggableAllocator = pluggable_allocator(__name__, "XPUPluggableAllocator", _refuse)


# ---- what the driver says, by the package pyzes ------------------------------------------------------------
class _Driver:
    note = " ModuleNotFoundError without the package pyzes, else AssertionError."

    def __call__(self, name):
        try:
            import pyzes  # noqa: F401
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(f"pyzes is required for torch.xpu.{name}: pip install pyzes") from error
        _refuse(name)


globals().update(
    functions(__name__, {"clock_rate device_memory_used memory_usage power_draw temperature utilization": _Driver()})
)

from torch.xpu import graphs, memory, random, streams  # noqa: E402, F401
