"""The agent whose workers are processes of this machine."""

from __future__ import annotations

import signal
import string
import uuid

from torch._absent import rest_of
from torch.distributed.elastic.agent.server.api import (
    RunResult,
    SimpleElasticAgent,
    WorkerGroup,
    WorkerSpec,
    WorkerState,
)
from torch.distributed.elastic.multiprocessing import LogsSpecs, PContext, start_processes
from torch.distributed.elastic.utils.api import macros

__all__ = ["LocalElasticAgent"]


class LocalElasticAgent(SimpleElasticAgent):
    """Workers find in their environment what init_process_group() wants, as torchrun's do.

    logs_specs: what becomes of their output. start_method: how a function's processes are made. log_line_prefix_template:
    words that stand before lines which are shown: ${role_name}, ${local_rank}, ${rank}.
    """

    def __init__(
        self,
        spec: WorkerSpec,
        logs_specs: LogsSpecs,
        start_method="spawn",
        exit_barrier_timeout: float = 300,
        log_line_prefix_template: str | None = None,
        shutdown_timeout: int = 30,
        health_check_server=None,
        uninterruptible_state_timeout: float | None = None,
    ):
        super().__init__(spec, exit_barrier_timeout, shutdown_timeout)
        if health_check_server is not None:
            raise NotImplementedError("there are no health checks here: leave out health_check_server")
        self._logs_specs, self._start_method, self._prefix = logs_specs, start_method, log_line_prefix_template
        self._pcontext: PContext | None = None
        self._run_id = spec.rdzv_handler.get_run_id() or uuid.uuid4().hex

    def _environment(self, group, worker):
        spec = group.spec
        return {
            "LOCAL_RANK": str(worker.local_rank),
            "RANK": str(worker.global_rank),
            "GROUP_RANK": str(group.group_rank),
            "ROLE_RANK": str(worker.role_rank),
            "ROLE_NAME": spec.role,
            "LOCAL_WORLD_SIZE": str(spec.local_world_size),
            "WORLD_SIZE": str(worker.world_size),
            "GROUP_WORLD_SIZE": str(group.group_world_size),
            "ROLE_WORLD_SIZE": str(worker.role_world_size),
            "MASTER_ADDR": group.master_addr,
            "MASTER_PORT": str(group.master_port),
            "TORCHELASTIC_RESTART_COUNT": str(spec.max_restarts - self._remaining_restarts),
            "TORCHELASTIC_MAX_RESTARTS": str(spec.max_restarts),
            "TORCHELASTIC_RUN_ID": self._run_id,
            "TORCHELASTIC_USE_AGENT_STORE": str(spec.rdzv_handler.use_agent_store),
        }

    def _start_workers(self, worker_group: WorkerGroup) -> dict[int, object]:
        spec = worker_group.spec
        envs = {worker.local_rank: self._environment(worker_group, worker) for worker in worker_group.workers}
        template = string.Template(self._prefix or "[${role_name}${local_rank}]:")
        prefixes = {
            local: template.safe_substitute(role_name=spec.role, local_rank=local, rank=env["RANK"])
            for local, env in envs.items()
        }
        args = {local: tuple(macros.substitute(list(spec.args), str(local))) for local in envs}
        self._pcontext = start_processes(
            spec.role, spec.entrypoint, args, envs, self._logs_specs, prefixes, self._start_method
        )
        return self._pcontext.pids()

    def _stop_workers(self, worker_group: WorkerGroup) -> None:
        self._shutdown()

    def _shutdown(self, death_sig: signal.Signals = signal.SIGTERM) -> None:
        if self._pcontext is not None:
            self._pcontext.close(death_sig, self._shutdown_timeout)
            self._pcontext = None

    def _monitor_workers(self, worker_group: WorkerGroup) -> RunResult:
        result = self._pcontext.ended()
        if result is None:
            return RunResult(WorkerState.HEALTHY)
        ranks = {worker.local_rank: worker.global_rank for worker in worker_group.workers}
        if result.is_failed():
            failures = {ranks[local]: failure for local, failure in result.failures.items()}
            return RunResult(WorkerState.FAILED, failures=failures)
        returned = {ranks[local]: value for local, value in result.return_values.items()}
        return RunResult(WorkerState.SUCCEEDED, returned)


__getattr__, __dir__ = rest_of(__name__)
