"""torch._inductor: PyTorch's code generator. This torch has none; directions to it have no effect."""

from torch._absent import rest_of
from torch.compiler import cudagraph_mark_step_begin

__all__ = ["cudagraph_mark_step_begin", "list_mode_options", "list_options"]


def list_mode_options(mode=None, dynamic=None):
    """The settings that a mode of torch.compile stands for, {mode: {setting: value}}, or of one mode: none have an effect."""
    modes = {name: {} for name in ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")}
    if mode is not None and mode not in modes:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(modes)}")
    return modes if mode is None else modes[mode]


def list_options():
    """The names of the code generator's settings: none."""
    return []


__getattr__, __dir__ = rest_of(__name__)
