"""torch.mps, Apple's GPUs: this torch has no library for them. Questions answer so; what needs a device raises
RuntimeError."""

from torch._no_device import Raises, Returns, classes, functions

_refuse = Raises(RuntimeError, "cannot execute torch.mps.{name}() without MPS backend, which this torch does not have")
_refuse_program = Raises(RuntimeError, "torch.mps.{name}: MPS is not available, this torch is built without it")

globals().update(
    functions(
        __name__,
        {
            "is_available": Returns(bool),
            "device_count": Returns(int),
            """current_allocated_memory driver_allocated_memory empty_cache get_rng_state recommended_max_memory seed
            set_rng_state synchronize()""": _refuse,
            "compile_shader load_metallib": _refuse_program,
        },
    )
)
globals().update(classes(__name__, {"Event(enable_timing=False)": "A mark in the stream of work."}, _refuse))


def manual_seed(seed):
    """Seeds the device's generator with an int; no effect where there is no device."""


def set_per_process_memory_fraction(fraction):
    """Limits the share of memory that this process may take, a float. RuntimeError here."""
    if not isinstance(fraction, float):
        raise TypeError(f"set_per_process_memory_fraction expects a float, but got {type(fraction).__name__}")
    _refuse("set_per_process_memory_fraction")


from torch.mps import event, profiler  # noqa: E402, F401
