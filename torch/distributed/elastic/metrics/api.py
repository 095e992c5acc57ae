"""Numbers of a run: put_metric() gives one to the handler that configure() has set for its group."""

from __future__ import annotations

import abc
import functools
import time
from typing import NamedTuple

from torch._absent import rest_of

__all__ = [
    "ConsoleMetricHandler",
    "MetricData",
    "MetricHandler",
    "MetricStream",
    "MetricsConfig",
    "NullMetricHandler",
    "configure",
    "getStream",
    "get_elapsed_time_ms",
    "prof",
    "profile",
    "publish_metric",
    "put_metric",
]


class MetricData(NamedTuple):
    """A number: when (seconds), of which group, its name, its value."""

    timestamp: float
    group_name: str
    name: str
    value: int


class MetricsConfig:
    """Words for whoever initialises handlers: `params`."""

    __slots__ = ("params",)

    def __init__(self, params: dict[str, str] | None = None):
        self.params = {} if params is None else params


class MetricHandler(abc.ABC):
    """What is done with numbers: emit()."""

    @abc.abstractmethod
    def emit(self, metric_data: MetricData):
        """Takes one."""


class ConsoleMetricHandler(MetricHandler):
    """Prints them."""

    def emit(self, metric_data: MetricData):
        """Prints a line."""
        print(f"[{metric_data.timestamp}][{metric_data.group_name}]: {metric_data.name}={metric_data.value}")


class NullMetricHandler(MetricHandler):
    """Forgets them."""

    def emit(self, metric_data: MetricData):
        """Nothing."""


class MetricStream:
    """A group of numbers, and its handler."""

    def __init__(self, group_name: str, handler: MetricHandler):
        self.group_name, self.handler = group_name, handler

    def add_value(self, metric_name: str, metric_value: int):
        """Gives a number, of now, to the handler."""
        self.handler.emit(MetricData(time.time(), self.group_name, metric_name, metric_value))


_metrics_map: dict[str, MetricHandler] = {}
_default_metrics_handler: MetricHandler = NullMetricHandler()


def configure(handler: MetricHandler, group: str | None = None):
    """Sets the handler of a group; without one, of all groups that have none of their own."""
    global _default_metrics_handler
    if group is None:
        _default_metrics_handler = handler
    else:
        _metrics_map[group] = handler


def getStream(group: str):  # noqa: N802 - torch's name
    """The MetricStream of a group."""
    return MetricStream(group, _metrics_map.get(group, _default_metrics_handler))


def put_metric(metric_name: str, metric_value: int, metric_group: str = "torchelastic"):
    """Gives a number to its group's handler."""
    getStream(metric_group).add_value(metric_name, metric_value)


def publish_metric(metric_group: str, metric_name: str, metric_value: int):
    """put_metric(), by its older name."""
    put_metric(metric_name, metric_value, metric_group)


def get_elapsed_time_ms(start_time_in_seconds: float):
    """Milliseconds since a time of time.time()."""
    return int((time.time() - start_time_in_seconds) * 1000)


def _get_metric_name(fn):
    """A method's class and name, or a function's module and name."""
    *_, owner, name = [fn.__module__.rpartition(".")[2], *fn.__qualname__.split(".")]
    return f"{owner}.{name}"


def prof(fn=None, group: str = "torchelastic"):
    """Decorates a function: each call puts NAME.duration.ms, and NAME.success or NAME.failure.

    @prof
    def f(): ...

    @prof(group="mine")
    def g(): ...
    """

    def decorated(function):
        name = _get_metric_name(function)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            start = time.time()
            ended = "failure"
            try:
                result = function(*args, **kwargs)
                ended = "success"
                return result
            finally:
                put_metric(f"{name}.{ended}", 1, group)
                put_metric(f"{name}.duration.ms", get_elapsed_time_ms(start), group)

        return wrapper

    return decorated if fn is None else decorated(fn)


def profile(group=None):
    """prof(), by its older name: @profile("group")."""
    return prof(group="torchelastic" if group is None else group)


__getattr__, __dir__ = rest_of(__name__)
