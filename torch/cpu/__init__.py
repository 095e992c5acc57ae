"""torch.cpu: the CPU by the functions that other devices have, for programs written for any device. Work is done when a
function returns, so there is nothing to wait for."""

from __future__ import annotations

import functools
import types

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import torch


def is_available() -> bool:
    """True."""
    return True


def is_initialized() -> bool:
    """True."""
    return True


def device_count() -> int:
    """1: the CPU counts as one device."""
    return 1


def current_device() -> str:
    """ "cpu": the one device there is."""
    return "cpu"


def set_device(device: torch.types.Device) -> None:
    """No effect: there is one device."""


def synchronize(device: torch.types.Device = None) -> None:
    """No effect: work is done when a function returns."""


class Stream:
    """The one queue of work, which is always empty."""

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream) -> None:
        """No effect: there is nothing to wait for."""

    def wait_event(self, event) -> None:
        """No effect: there is nothing to wait for."""

    def record_event(self, event=None) -> None:
        """No effect: there is nothing to wait for."""


class Event:
    """A mark in a Stream, which is always reached."""

    def query(self) -> bool:
        """True: it is reached."""
        return True

    def record(self, stream=None) -> None:
        """No effect: there is nothing to wait for."""

    def synchronize(self) -> None:
        """No effect: there is nothing to wait for."""

    def wait(self, stream=None) -> None:
        """No effect: there is nothing to wait for."""


_default = _current = Stream()


def current_stream(device: torch.types.Device = None) -> Stream:
    """The current Stream."""
    return _current


class StreamContext:
    """What `torch.cpu.stream(stream)` returns."""

    def __init__(self, stream) -> None:
        self.stream = stream

    def __enter__(self):
        global _current
        self.before = _current
        if self.stream is not None:
            _current = self.stream

    def __exit__(self, *error) -> None:
        global _current
        _current = self.before


def stream(stream: Stream) -> AbstractContextManager:
    """The context in which `stream` is the current one; None: no change."""
    return StreamContext(stream)


# ---- the processor -----------------------------------------------------------------------------------------
# Linux's names of instruction sets where they are not ours.
_LINUX_NAMES = {
    "sha": "sha_ni",
    "lzcnt": "abm",
    "fma3": "fma",
    "sse3": "pni",
    "bmi": "bmi1",
    "avx512_f": "avx512f",
    "avx512_bw": "avx512bw",
    "avx512_cd": "avx512cd",
    "avx512_dq": "avx512dq",
    "avx512_vl": "avx512vl",
    "avx512_vbmi": "avx512vbmi",
    "avx512_ifma": "avx512ifma",
}
_SETS = (
    *("sse", "sse2", "sse3", "ssse3", "sse4_1", "sse4_2", "sse4a", "avx", "avx2", "avx_vnni", "f16c", "fma3", "fma4"),
    *("avx512_f", "avx512_cd", "avx512_bw", "avx512_dq", "avx512_vl", "avx512_ifma", "avx512_vbmi", "avx512_vbmi2"),
    *("avx512_vnni", "avx512_bitalg", "avx512_vpopcntdq", "avx512_bf16", "avx512_fp16", "avx512_vp2intersect"),
    *("amx_tile", "amx_int8", "amx_bf16", "amx_fp16", "aes", "sha", "bmi", "bmi2", "popcnt", "lzcnt"),
    *("clflush", "clflushopt", "clwb"),
)
# What Highway's targets of these names ask for.
_TARGETS = {
    "AVX512": ("avx512_f", "avx512_cd", "avx512_bw", "avx512_dq", "avx512_vl"),
    "AVX2": ("avx2", "fma3", "f16c", "bmi", "bmi2", "lzcnt"),
}


@functools.cache
def _processor():
    """The first processor's entry of /proc/cpuinfo, {str: str}; empty where there is no such file."""
    try:
        with open("/proc/cpuinfo") as file:
            lines = file.read().partition("\n\n")[0].splitlines()
    except OSError:
        return {}
    return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}


def get_capabilities():
    """What the processor can do, a read-only dict: {"avx2": True, …, "architecture": str, "cpu_name": str,
    "num_logical_cores": int}."""
    import os
    import platform

    flags = set(_processor().get("flags", "").split())
    found = {name: _LINUX_NAMES.get(name, name) in flags for name in _SETS}
    found["architecture"] = platform.machine()
    found["cpu_name"] = _processor().get("model name", "")
    found["num_logical_cores"] = os.cpu_count() or 1
    return types.MappingProxyType(found)


def _capability():
    """torch.backends.cpu.get_cpu_capability()"""
    import os

    has = get_capabilities()
    wish = os.environ.get("TH_CPU_CAPABILITY", "")
    allowed = {"default": (), "avx2": ("AVX2",)}.get(wish, ("AVX512", "AVX2"))
    return next((name for name in allowed if all(has[flag] for flag in _TARGETS[name])), "DEFAULT")


def __getattr__(name):
    if name == "amp":
        import importlib

        return importlib.import_module("torch.cpu.amp")
    raise AttributeError(f"module 'torch.cpu' has no attribute '{name}'")
