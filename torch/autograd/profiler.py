"""Profiles of what a thread computes: how long operators take, the backward pass among them, with how much memory.

    with torch.autograd.profiler.profile() as prof:
        loss.backward()
    print(prof.key_averages().table(sort_by="self_cpu_time_total"))

torch.profiler has schedules besides. A profile is of the thread that makes it. The recording is csrc/python/autograd's.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import defaultdict
from contextlib import ContextDecorator as _ContextDecorator
from time import perf_counter_ns
from warnings import warn

import torch
from torch import _C
from torch.autograd import _profiler_events
from torch.autograd._profiler_kinds import DeviceType, ProfilerActivity, ProfilerConfig, ProfilerState  # noqa: F401
from torch.autograd.profiler_util import (  # noqa: F401
    MEMORY_EVENT_NAME,
    OUT_OF_MEMORY_EVENT_NAME,
    EventList,
    FunctionEvent,
    MemRecordsAcc,
    _filter_name,
    _filter_stack_entry,
    _rewrite_name,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


__all__ = [
    "EnforceUnique",
    "EventList",
    "FunctionEvent",
    "KinetoStepTracker",
    "MemRecordsAcc",
    "emit_itt",
    "emit_nvtx",
    "load_nvprof",
    "parse_nvprof_trace",
    "profile",
    "record_function",
]

_is_profiler_enabled = False


def _set_is_profiler_enabled(enable):
    global _is_profiler_enabled
    _is_profiler_enabled = enable


def kineto_available():
    """Whether profiles can be made as torch.profiler makes them: always."""
    return True


def _supported_activities():
    return {ProfilerActivity.CPU}


class profile:  # noqa: N801 - torch's name
    """A context that records what its thread computes.

    `record_shapes`: shapes and values of arguments. `with_flops`: how many operations products and convolutions are.
    `profile_memory`: memory of the CPU that comes and goes; what was there before is not seen to go. `with_stack`: calls
    of Python, which makes everything slower; `with_modules`: calls of modules. Devices are not timed: `use_device` says so.
    """

    def __init__(
        self,
        enabled=True,
        *,
        use_cuda=False,
        use_device=None,
        record_shapes=False,
        with_flops=False,
        profile_memory=False,
        with_stack=False,
        with_modules=False,
        use_kineto=False,
        use_cpu=True,
        experimental_config=None,
        acc_events=False,
        custom_trace_id_callback=None,
        post_processing_timeout_s: float | None = None,
        activity_filters: dict[ProfilerActivity, set[str]] | None = None,
    ) -> None:
        self.enabled = enabled
        if not enabled:
            return
        self.use_cuda = use_cuda
        self.use_device = use_device or ("cuda" if use_cuda else None)
        if self.use_device:
            self.use_device = _without_device(self.use_device)
        if experimental_config is not None:
            experimental_config._check()
        self.record_shapes = record_shapes or with_flops
        self.with_flops = with_flops
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.with_modules = with_modules
        self.acc_events = acc_events
        self.use_cpu = use_cpu
        self.custom_trace_id_callback = custom_trace_id_callback
        self.trace_id = ""
        self.entered = False
        self._function_events = None
        self._modules = _profiler_events.Modules() if with_modules or with_stack else None
        self.profiling_start_time_ns = self.profiling_end_time_ns = 0

    @property
    def kineto_activities(self):
        """What is timed."""
        return {ProfilerActivity.CPU}

    def _prepare_trace(self):
        self.entered = True

    def _start_trace(self):
        self.entered = True
        self._python_profile = sys.getprofile() if self.with_stack else None
        if _C._profiler_on():
            raise RuntimeError("Profiler is already enabled on this thread")
        _set_is_profiler_enabled(True)
        _run_on_profiler_start()
        if self._modules:
            self._modules.begin()
        _C._profiler_start(self.record_shapes, self.profile_memory, self.with_stack)

    def _stop_trace(self):
        recorded = _C._profiler_stop()
        if self._modules:
            self._modules.end()
        _set_is_profiler_enabled(False)
        _run_on_profiler_stop()
        if self._python_profile is not None:
            sys.setprofile(self._python_profile)
        before = self._function_events if self.acc_events else None
        self._function_events = _profiler_events.Made(self, recorded, threading.get_native_id(), before)

    def __enter__(self):
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        self._prepare_trace()
        self._start_trace()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        if not self.enabled:
            return None
        self.profiling_end_time_ns = perf_counter_ns()
        self._stop_trace()
        return False

    def __repr__(self):
        return repr(self.function_events) if self._finished() else "<unfinished torch.autograd.profile>"

    def __str__(self):
        return str(self.function_events) if self._finished() else "<unfinished torch.autograd.profile>"

    def _finished(self):
        return self.enabled and self._function_events is not None

    @property
    def function_events(self):
        """The events, an EventList. RuntimeError before the end."""
        if not self._finished():
            raise RuntimeError("Profiler didn't finish running")
        return self._function_events.events()

    def _ensure_function_events(self):
        self.function_events  # noqa: B018 - raises

    def table(
        self,
        sort_by=None,
        row_limit=100,
        max_src_column_width=75,
        max_name_column_width=55,
        max_shapes_column_width=80,
        header=None,
        top_level_events_only=False,
    ):
        """As EventList.table."""
        return self.function_events.table(
            sort_by=sort_by,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            header=header,
            top_level_events_only=top_level_events_only,
        )

    def export_chrome_trace(self, path, metadata=None, use_python_export=False):
        """As EventList.export_chrome_trace. `metadata`: values that stand beside the events."""
        events = self.function_events
        if metadata:
            events._trace.metadata.update(metadata)
        events.export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total"):
        """As EventList.export_stacks. AssertionError without `with_stack`."""
        events = self.function_events
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        return events.export_stacks(path, metric)

    def toggle_collection_dynamic(self, enabled: bool, activities: Iterable[ProfilerActivity]):
        """Records nothing for a while, or again, between beginning and end."""
        if any(activity is not ProfilerActivity.CPU for activity in activities):
            warn("only what the CPU does is recorded, and can be switched", stacklevel=2)
        _C._profiler_watch(bool(enabled))

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """As EventList.key_averages."""
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self):
        """As EventList.total_average."""
        return self.function_events.total_average()

    @property
    def self_cpu_time_total(self):
        """Microseconds of all events, each counted once."""
        return self.function_events.self_cpu_time_total

    def config(self, create_trace_id=False):
        """What it is asked for, a ProfilerConfig."""
        return ProfilerConfig(
            ProfilerState.KINETO,
            self.record_shapes,
            self.profile_memory,
            self.with_stack,
            self.with_flops,
            self.with_modules,
            trace_id=self.create_trace_id() if create_trace_id else self.trace_id,
        )

    def default_trace_id(self):
        """A new number for a trace."""
        return os.urandom(16).hex().upper()

    def create_trace_id(self):
        """The number that the user's function makes, or a new one."""
        self.trace_id = (self.custom_trace_id_callback or self.default_trace_id)()
        return self.trace_id


def _without_device(device):
    """None, and a warning that says that the device's own time is not recorded."""
    if device == "cuda" and not torch.cuda.is_available():
        warn("CUDA is not available, disabling CUDA profiling", stacklevel=4)
    else:
        warn(f"this torch's profiler times what the CPU does; kernels of '{device}' are not timed", stacklevel=4)


class record_function(_ContextDecorator):  # noqa: N801 - torch's name
    """A context, or decorator, that is an event of its own in a profile, by this name. Costs next to nothing where nobody
    profiles. `args`: a text that is shown as its argument."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name
        self.args = args
        self.run_callbacks_on_exit = True
        self.record = None

    def __enter__(self):
        if not isinstance(self.name, str):
            raise RuntimeError(
                f"record_function: Expected a value of type 'str' for argument 'name' but got {self.name!r}"
            )
        self.record = _C._profiler_begin(self.name, self.args)
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any):
        if self.run_callbacks_on_exit and self.record is not None:
            _C._profiler_end(self.record)

    def _recreate_cm(self):
        return type(self)(self.name, self.args)

    def _call_end_callbacks_on_future(self, fut):
        """Ends when the future does; a future with the same value."""
        if not self.run_callbacks_on_exit:
            raise RuntimeError("_call_end_callbacks_on_future can only be called once.")
        self.run_callbacks_on_exit = False
        record = self.record

        def end(done):
            _C._profiler_end(record)
            return done.value()

        return fut.then(end)


class emit_itt(_ContextDecorator):  # noqa: N801 - torch's name
    """Ranges for Intel's VTune, which this torch does not write: entering it raises RuntimeError."""

    def __init__(self, enabled=True, record_shapes=False) -> None:
        self.enabled, self.record_shapes = enabled, record_shapes

    def __enter__(self):
        if not self.enabled:
            return None
        raise RuntimeError("emit_itt: this torch is built without Intel's ITT, so there are no ranges for VTune")

    def __exit__(self, exc_type, exc_val, exc_tb):
        return None


class emit_nvtx(_ContextDecorator):  # noqa: N801 - torch's name
    """Ranges of operators for NVIDIA's tools, which this torch does not write: entering it raises. (torch.cuda.nvtx marks
    ranges by hand.)"""

    def __init__(self, enabled=True, record_shapes=False) -> None:
        self.enabled, self.record_shapes = enabled, record_shapes

    def __enter__(self):
        if not self.enabled:
            return None
        if not torch.cuda.is_available():
            torch.cuda.init()  # raises what a torch without CUDA raises
        raise RuntimeError(
            "emit_nvtx: operators are no NVTX ranges in this torch; torch.cuda.nvtx.range marks them by hand"
        )

    def __exit__(self, exc_type, exc_val, exc_tb):
        return None


def load_nvprof(path):
    """Raises NotImplementedError: nvprof, which wrote such files, is gone from CUDA."""
    raise NotImplementedError(
        f"load_nvprof: files of nvprof cannot be read here ({path!r}); NVIDIA has replaced it by Nsight"
    )


def parse_nvprof_trace(path):
    """Raises NotImplementedError, as load_nvprof does."""
    return load_nvprof(path)


class EnforceUnique:
    """Raises RuntimeError at a key that it has seen."""

    def __init__(self) -> None:
        self.seen = set()

    def see(self, *key):
        """One more."""
        if key in self.seen:
            raise RuntimeError(f"duplicate key: {key}")
        self.seen.add(key)


class KinetoStepTracker:
    """The number of the step that a program is in, where several of its parts count steps: the largest."""

    _current_step = 0
    _step_dict = defaultdict(int)

    @classmethod
    def init_step_count(cls, requester: str):
        """A part begins to count, where the others are."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester: str) -> bool:
        """A part counts no more. Whether it has counted."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester: str) -> int:
        """A part's next step; the number of the program's."""
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        new_step = max(cls._step_dict.values())
        if new_step > cls._current_step:
            if new_step - cls._current_step > 1:
                warn(
                    f"Profiler step count has increased more than 1 - current_step = {cls._current_step} step dict =  "
                    f"{dict(cls._step_dict)}",
                    stacklevel=2,
                )
            cls._current_step = new_step
        return cls._current_step

    @classmethod
    def current_step(cls) -> int:
        """The number of the program's step."""
        return cls._current_step


def _run_on_profiler_start():
    """A place for libraries that want to know."""


def _run_on_profiler_stop():
    """The same at the end."""
