"""Agents: each starts the workers of its machine, watches them, and starts them anew when one fails or machines come.

    spec = WorkerSpec("trainer", 2, handler, entrypoint=train, args=(3,), max_restarts=1)
    result = LocalElasticAgent(spec, DefaultLogsSpecs()).run()
    if result.is_failed():
        ...

torchrun does without: torch.distributed.launcher is its Python.
"""

from torch._absent import rest_of
from torch.distributed.elastic.agent.server.api import (
    ElasticAgent,
    RunResult,
    SimpleElasticAgent,
    Worker,
    WorkerGroup,
    WorkerSpec,
    WorkerState,
)

__all__ = ["ElasticAgent", "RunResult", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"]
__getattr__, __dir__ = rest_of(__name__)
