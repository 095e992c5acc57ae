"""Profiles of programs, over their steps.

    with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=1, active=3),
                                on_trace_ready=torch.profiler.tensorboard_trace_handler("log")) as prof:
        for batch in batches:
            train(batch)
            prof.step()
    print(prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=10))

What the CPU does is timed; an operator costs less than a microsecond more, and nothing where nobody profiles.
"""

from torch.autograd._profiler_kinds import DeviceType, ProfilerActivity, RecordScope  # noqa: F401
from torch.autograd.profiler import KinetoStepTracker, kineto_available, record_function  # noqa: F401
from torch.profiler import itt
from torch.profiler.profiler import (  # noqa: F401
    ExecutionTraceObserver,
    ProfilerAction,
    _ExperimentalConfig,
    _KinetoProfile,
    profile,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)

__all__ = [
    "DeviceType",
    "ExecutionTraceObserver",
    "ProfilerAction",
    "ProfilerActivity",
    "itt",
    "kineto_available",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]
