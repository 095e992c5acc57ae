"""Numbers of a run: how long, how often.

from torch.distributed.elastic import metrics

metrics.configure(metrics.ConsoleMetricHandler())
metrics.put_metric("batches", 3, "training")
"""

from __future__ import annotations

from torch._absent import rest_of
from torch.distributed.elastic.metrics.api import (
    ConsoleMetricHandler,
    MetricData,
    MetricHandler,
    MetricsConfig,
    NullMetricHandler,
    configure,
    get_elapsed_time_ms,
    getStream,
    prof,
    profile,
    publish_metric,
    put_metric,
)

__all__ = [
    "ConsoleMetricHandler",
    "MetricData",
    "MetricHandler",
    "MetricsConfig",
    "NullMetricHandler",
    "configure",
    "getStream",
    "get_elapsed_time_ms",
    "initialize_metrics",
    "prof",
    "profile",
    "publish_metric",
    "put_metric",
]


def initialize_metrics(cfg: MetricsConfig | None = None):
    """For packages that set handlers as a run begins; those that are set stay."""


__getattr__, __dir__ = rest_of(__name__)
