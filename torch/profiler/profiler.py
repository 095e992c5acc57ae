"""profile: a profile over a program's steps, recorded in those that a schedule names."""

from __future__ import annotations

import os
import socket
import time
from enum import Enum
from warnings import warn

import torch.autograd.profiler as prof
from torch.autograd._profiler_kinds import ProfilerActivity
from torch.autograd.profiler import kineto_available  # noqa: F401

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Self


__all__ = [
    "ExecutionTraceObserver",
    "ProfilerAction",
    "profile",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]

PROFILER_STEP_NAME = "ProfilerStep"


def supported_activities():
    """What can be timed: {ProfilerActivity.CPU}."""
    return prof._supported_activities()


class _ExperimentalConfig:
    """Switches of Kineto's that PyTorch does not promise to keep. Those that would change what is recorded are refused."""

    def __init__(
        self,
        profiler_metrics=(),
        profiler_measure_per_kernel=False,
        verbose=False,
        performance_events=(),
        enable_cuda_sync_events=False,
        adjust_profiler_step=False,
        disable_external_correlation=False,
        profile_all_threads=False,
        capture_overload_names=False,
        record_python_gc_info=False,
        expose_kineto_event_metadata=False,
        custom_profiler_config="",
        adjust_timestamps=False,
    ):
        self.verbose = verbose
        self._refused = [
            name
            for name, value in (
                ("profiler_metrics", profiler_metrics),
                ("profiler_measure_per_kernel", profiler_measure_per_kernel),
                ("performance_events", performance_events),
                ("profile_all_threads", profile_all_threads),
                ("record_python_gc_info", record_python_gc_info),
            )
            if value
        ]

    def _check(self):
        if self._refused:
            raise NotImplementedError(
                f"_ExperimentalConfig: {', '.join(self._refused)} is not there in this torch's profiler"
            )


class _KinetoProfile:
    """A profile from `start()` to `stop()`. See torch.autograd.profiler.profile for what the arguments mean."""

    def __init__(
        self,
        *,
        activities=None,
        record_shapes=False,
        profile_memory=False,
        with_stack=False,
        with_flops=False,
        with_modules=False,
        experimental_config=None,
        execution_trace_observer=None,
        acc_events=False,
        custom_trace_id_callback=None,
        post_processing_timeout_s=None,
    ):
        self.activities = set(supported_activities() if activities is None else activities)
        if not self.activities:
            raise AssertionError("No valid profiler activities found")
        for activity in self.activities:
            if not isinstance(activity, ProfilerActivity):
                raise TypeError(f"activities have to be torch.profiler.ProfilerActivity, not {activity!r}")
        self.record_shapes, self.with_flops, self.profile_memory = record_shapes, with_flops, profile_memory
        self.with_stack, self.with_modules = with_stack, with_modules
        self.experimental_config = experimental_config
        if execution_trace_observer is not None:
            raise NotImplementedError("profile: execution traces are not recorded by this torch's profiler")
        self.execution_trace_observer = None
        self.acc_events, self.custom_trace_id_callback = acc_events, custom_trace_id_callback
        self.profiler = None
        self.use_device = None
        self.preset_metadata, self._metadata = {}, {}
        for activity in sorted(self.activities - supported_activities(), key=lambda activity: activity.value):
            prof._without_device(activity.name.lower())

    def start(self):
        """Begins."""
        self.prepare_trace()
        self.start_trace()

    def stop(self):
        """Ends."""
        self.stop_trace()

    def prepare_trace(self):
        """Makes what records ready."""
        if self.profiler is None or not self.acc_events:
            self.profiler = prof.profile(
                record_shapes=self.record_shapes,
                with_flops=self.with_flops,
                profile_memory=self.profile_memory,
                with_stack=self.with_stack,
                with_modules=self.with_modules,
                experimental_config=self.experimental_config,
                acc_events=self.acc_events,
                custom_trace_id_callback=self.custom_trace_id_callback,
            )
        self.profiler._prepare_trace()

    def start_trace(self):
        """Records from now on."""
        self._need("starting trace")
        self.profiler._start_trace()

    def stop_trace(self):
        """Records no more."""
        self._need("stopping trace")
        self.profiler.__exit__(None, None, None)

    def _need(self, what):
        if self.profiler is None:
            raise AssertionError(f"Profiler must be initialized before {what}")

    def export_chrome_trace(self, path):
        """Writes the events as JSON for Perfetto and chrome://tracing; compressed if the path ends in .gz."""
        self._need("exporting chrome trace")
        return self.profiler.export_chrome_trace(path, metadata={**self.preset_metadata, **self._metadata})

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes stacks and their times, as flame graphs are made of."""
        self._need("exporting stacks")
        return self.profiler.export_stacks(path, metric)

    def toggle_collection_dynamic(self, enable, activities):
        """Records nothing for a while, or again."""
        if self.profiler is not None:
            self.profiler.toggle_collection_dynamic(enable, activities)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """Averages of the events: EventList.key_averages."""
        self._need("getting key averages")
        return self.profiler.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def events(self):
        """The events."""
        self._need("accessing events")
        return self.profiler.function_events

    def add_metadata(self, key, value):
        """A str that stands in the trace beside the events."""
        self._metadata[key] = str(value).replace('"', '\\"') if not isinstance(value, str) else value

    def add_metadata_json(self, key, value):
        """The same of a value in JSON."""
        import json

        self._metadata[key] = json.loads(value)

    def preset_metadata_json(self, key, value):
        """The same before it begins."""
        import json

        self.preset_metadata[key] = json.loads(value)

    def export_memory_timeline(self, path, device=None):
        """Raises NotImplementedError."""
        raise NotImplementedError(
            "export_memory_timeline: there is no timeline by category here; export_chrome_trace writes what came and went, "
            "with profile_memory=True"
        )


class ProfilerAction(Enum):
    """What is done in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable:
    """A function from a step's number to what is done in it: after `skip_first` steps, again and again (or `repeat` times)
    `wait` steps of nothing, `warmup` steps that are not kept, `active` steps that are; after the last of them the
    trace is ready. `skip_first_wait`: not 0: the first time nothing is waited for."""
    if not (wait >= 0 and warmup >= 0 and active > 0 and repeat >= 0 and skip_first >= 0):
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got {wait=} (need >= 0), {warmup=} (need >= 0), {active=} (need > 0), "
            f"{repeat=} (need >= 0), {skip_first=} (need >= 0)."
        )
    if warmup == 0:
        warn(
            "Profiler won't be using warmup, this can skew profiler results. For more information, see the documentation "
            "on Profiler",
            stacklevel=2,
        )

    def schedule_fn(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        cycle = wait + warmup + active
        if repeat > 0 and step / cycle >= repeat:
            return ProfilerAction.NONE
        step %= cycle
        if step < wait:
            return ProfilerAction.NONE
        if step < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if step < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return schedule_fn


def _default_schedule_fn(_):
    """Every step is recorded."""
    return ProfilerAction.RECORD


def tensorboard_trace_handler(dir_name: str, worker_name: str | None = None, use_gzip: bool = False):
    """A function for `on_trace_ready` that writes each trace into the folder, for TensorBoard. `worker_name`: has to be
    another one in each process; "host_pid" if it is not given."""

    def handler(profile):
        try:
            os.makedirs(dir_name, exist_ok=True)
        except OSError as error:
            raise RuntimeError(f"Can't create directory: {dir_name}") from error
        name = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        suffix = ".pt.trace.json.gz" if use_gzip else ".pt.trace.json"
        profile.export_chrome_trace(os.path.join(dir_name, f"{name}.{time.time_ns()}{suffix}"))

    return handler


_NONE, _WARMUP, _RECORD, _SAVE = ProfilerAction


class profile(_KinetoProfile):  # noqa: N801 - torch's name
    """A context that records what its thread computes, in the steps that `schedule` names; `step()` says that one is over.

    `activities`: what is timed; this torch times ProfilerActivity.CPU. `on_trace_ready`: called with this object when a
    trace is complete. `record_shapes`, `profile_memory`, `with_stack`, `with_flops`, `with_modules`: see
    torch.autograd.profiler.profile. `acc_events`: events of all cycles are kept, not those of the last.
    """

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity | dict[ProfilerActivity, list[str]]] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: _ExperimentalConfig | None = None,
        execution_trace_observer=None,
        acc_events: bool = False,
        use_cuda: bool | None = None,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
    ) -> None:
        chosen = set(activities) if activities is not None else supported_activities()
        if use_cuda is not None:
            warn("`use_cuda` is deprecated, use `activities` argument instead", FutureWarning, stacklevel=2)
            chosen = chosen | {ProfilerActivity.CUDA} if use_cuda else chosen - {ProfilerActivity.CUDA}
        super().__init__(
            activities=chosen,
            record_shapes=record_shapes,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_flops=with_flops,
            with_modules=with_modules,
            experimental_config=experimental_config,
            execution_trace_observer=execution_trace_observer,
            acc_events=acc_events,
            custom_trace_id_callback=custom_trace_id_callback,
        )
        self.schedule = schedule or _default_schedule_fn
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.current_action = self.schedule(0)
        self.step_rec_fn = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.stop()
        prof.KinetoStepTracker.erase_step_count(PROFILER_STEP_NAME)

    def start(self) -> None:
        """Begins with the first step."""
        self._transit_action(_NONE, self.current_action)
        self._begin_step()

    def stop(self) -> None:
        """Ends; a trace that is being recorded is complete."""
        self._end_step()
        self._transit_action(self.current_action, None)

    def step(self) -> None:
        """The next step begins."""
        self._end_step()
        before = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        self._transit_action(before, self.current_action)
        prof.KinetoStepTracker.increment_step(PROFILER_STEP_NAME)
        self._begin_step()

    def _begin_step(self):
        if self.record_steps:
            self.step_rec_fn = prof.record_function(f"ProfilerStep#{self.step_num}")
            self.step_rec_fn.__enter__()

    def _end_step(self):
        if self.record_steps and self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)

    def _transit_action(self, before, after):
        """What is to be done between two steps; `after` None: at the end."""
        recording = before in (_RECORD, _SAVE)
        saved = before is _SAVE
        if after in (_RECORD, _SAVE):
            if saved:
                self._complete()
                recording = False
            if not recording:
                if before is not _WARMUP:
                    self.prepare_trace()
                self.start_trace()
            return
        if recording:
            if not saved and after in (_NONE, _WARMUP):
                warn("Incorrect schedule: RECORD followed by NONE" if after is _NONE else "Incorrect schedule: RECORD followed by WARMUP", stacklevel=3)  # fmt: skip
            self._complete()
        if after is _WARMUP and before is not _WARMUP:
            self.prepare_trace()

    def _complete(self):
        self.stop_trace()
        self._trace_ready()

    def _trace_ready(self):
        if self.on_trace_ready:
            self.on_trace_ready(self)

    def set_custom_trace_id_callback(self, callback) -> None:
        """Who makes numbers of traces."""
        self.custom_trace_id_callback = callback

    def get_trace_id(self):
        """The number of the trace, None before there is one."""
        return self.profiler.trace_id if self.profiler is not None else None


class ExecutionTraceObserver:
    """Execution traces of PyTorch's, which this torch does not record: beginning one raises NotImplementedError."""

    def __init__(self) -> None:
        self._output_file_path = None

    def register_callback(self, output_file_path: str) -> Self:
        """Raises NotImplementedError."""
        raise NotImplementedError("ExecutionTraceObserver: execution traces are not recorded by this torch")

    def unregister_callback(self) -> None:
        """Nothing is registered."""

    def start(self) -> None:
        """Raises NotImplementedError."""
        self.register_callback(None)

    def stop(self) -> None:
        """Nothing has begun."""

    def cleanup(self) -> None:
        """Nothing is there."""

    @property
    def is_registered(self):
        """False."""
        return False

    def is_running(self):
        """False."""
        return False

    def get_output_file_path(self) -> str | None:
        """None."""
        return None
