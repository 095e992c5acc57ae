"""Apple's GPUs."""

from torch._no_device import Raises, Returns, functions

_refuse = Raises(
    RuntimeError, "cannot execute torch.backends.mps.{name}() without MPS backend, which this torch does not have"
)
globals().update(
    functions(
        __name__,
        {
            "is_built is_available": Returns(bool),
            "get_core_count get_name is_macos13_or_newer is_macos_or_newer": _refuse,
        },
    )
)
