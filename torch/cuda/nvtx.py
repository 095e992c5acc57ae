"""Marks for NVIDIA's profilers. This torch is built without their library, so each function raises RuntimeError."""

from torch._device_module import refusing


def _refuse(name):
    raise RuntimeError(f"torch.cuda.nvtx.{name}: NVTX functions not installed: this torch is built without NVTX")


_NAMES = {
    "mark": "A mark at this moment, with a text.",
    "range": "The context of a range with a text.",
    "range_end": "Ends the range of that number.",
    "range_pop": "Ends the innermost range of the thread.",
    "range_push": "Begins a range of the thread, with a text.",
    "range_start": "Begins a range and returns its number.",
}
globals().update(refusing(__name__, {n: f"{doc} RuntimeError here." for n, doc in _NAMES.items()}, _refuse))
