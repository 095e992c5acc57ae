"""torch.mtia, Meta's processors: this torch has no library for them. Questions answer so; what needs a device raises
RuntimeError, or AssertionError, as PyTorch does."""

import torch
from torch._no_device import Raises, Returns, classes, device_context, functions

_refuse = Raises(
    RuntimeError, "cannot execute torch.mtia.{name}() without MTIA backend, which this torch does not have"
)
_refuse_start = Raises(AssertionError, "Torch not compiled with MTIA enabled")


class DeferredMtiaCallError(Exception):
    """What was to be done at the first use of a device, such as seeding, has failed."""


globals().update(
    functions(
        __name__,
        {
            "is_available is_initialized": Returns(bool),
            "is_bf16_supported": Returns(lambda: True),
            "device_count max_memory_allocated memory_allocated": Returns(int),
            "memory_stats": Returns(dict),
            "get_rng_state_all": Returns(list),
            "record_memory_history reset_peak_memory_stats seed seed_all set_rng_state_all": Returns(),
            """attach_out_of_memory_observer current_device empty_cache get_device_capability get_device_properties
            graph_pool_handle set_device snapshot stream synchronize""": _refuse,
            "get_rng_state init initial_seed": _refuse_start,
        },
    )
)
globals().update(
    classes(
        __name__,
        {
            "MTIAGraph(keep_graph=False)": "Work that was recorded once and is replayed.",
            "graph(mtia_graph, pool=None, stream=None)": "The context in which work is recorded into a graph.",
            "StreamContext(stream)": "What `stream(stream)` returns.",
        },
        _refuse,
    )
)
Stream, Event = torch.Stream, torch.Event
default_generators = ()


class device(device_context(__name__, "mtia", _refuse)):  # noqa: N801 - torch's name
    """The context in which a device is the current one. None: the current one, of which there is none. RuntimeError here,
    but for an index below 0: no change."""

    def __init__(self, device):
        if device is None:
            _refuse("device(None)")
        super().__init__(device)

    def __enter__(self):
        if self.idx >= 0:
            super().__enter__()


def _is_compiled():
    """Whether this torch was built for these devices."""
    return False


# ---- seeds and streams -------------------------------------------------------------------------------------
def manual_seed(seed):
    """Seeds the current device's generator with an int; no effect where there is no device."""
    int(seed)


def manual_seed_all(seed):
    """Seeds the generators of all devices with an int; no effect where there is no device."""
    int(seed)


def set_rng_state(new_state, device="mtia"):
    """Sets the state of a device's generator; no effect on one of which the index is given. RuntimeError here for the
    current one."""
    if not isinstance(device, int) and torch.device("mtia" if device is None else device).index is None:
        _refuse("set_rng_state")


def _of(name, device):
    # PyTorch asks for the current device first, which is another error than that of the missing library.
    (_refuse if device is None else _refuse_start)(name)


def current_stream(device=None):
    """The current Stream of a device. RuntimeError here, AssertionError for a device that is named."""
    _of("current_stream", device)


def default_stream(device=None):
    """The default Stream of a device. RuntimeError here, AssertionError for a device that is named."""
    _of("default_stream", device)


def set_stream(stream):
    """Makes `stream` the current one; None: no change."""
    if stream is not None:
        _refuse("set_stream")


from torch.mtia import memory, mtia_graph  # noqa: E402, F401
