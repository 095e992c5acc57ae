"""torchrun from Python: elastic_launch(LaunchConfig(min_nodes=1, max_nodes=1, nproc_per_node=2), function)(arguments)."""

from __future__ import annotations

import dataclasses
import signal
import uuid

from torch._absent import rest_of
from torch.distributed._launcher import Plan, launch
from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, LogsSpecs

__all__ = ["LaunchConfig", "elastic_launch", "launch_agent"]


@dataclasses.dataclass
class LaunchConfig:
    """What torchrun's options say: from min_nodes to max_nodes machines, nproc_per_node processes of each.

    rdzv_backend: "c10d", or "static" with the machine's number as rdzv_configs["rank"]. rdzv_endpoint: HOST:PORT; "" with
    one machine: a free port of it. start_method: how processes that run a function are made.
    """

    min_nodes: int
    max_nodes: int
    nproc_per_node: int
    logs_specs: LogsSpecs | None = None
    run_id: str = ""
    role: str = "default_role"
    rdzv_endpoint: str = ""
    rdzv_backend: str = "etcd"
    rdzv_configs: dict = dataclasses.field(default_factory=dict)
    rdzv_timeout: int = -1
    max_restarts: int = 3
    monitor_interval: float = 0.1
    start_method: str = "spawn"
    log_line_prefix_template: str | None = None
    metrics_cfg: dict = dataclasses.field(default_factory=dict)
    local_addr: str | None = None
    event_log_handler: str = "null"
    numa_options: object = None
    signals_to_handle: str = "SIGTERM,SIGINT,SIGHUP,SIGQUIT"
    duplicate_stdout_filters: list[str] | None = None
    duplicate_stderr_filters: list[str] | None = None
    virtual_local_rank: bool = False
    shutdown_timeout: int | None = None  # 30

    def __post_init__(self):
        if self.rdzv_timeout != -1:
            self.rdzv_configs["timeout"] = self.rdzv_timeout
        self.rdzv_configs.setdefault("timeout", 900)
        self._unasked = DefaultLogsSpecs()
        if self.logs_specs is None:
            self.logs_specs = self._unasked


def signals_of(text):
    """Signals by their names, with commas between. ValueError: there is no such signal."""
    try:
        return tuple(signal.Signals[name.strip()] for name in text.split(",") if name.strip())
    except KeyError as error:
        raise ValueError(f"there is no signal {error}") from None


def plan_of(config: LaunchConfig, entrypoint, args) -> Plan:
    """The same in the launcher's words. ValueError: it contradicts itself, or names a backend that is not there."""
    least, most, said = config.min_nodes, config.max_nodes, config.rdzv_configs
    if not 1 <= least <= most:
        raise ValueError(f"a run has 1 machine or more, not {least} to {most}")
    if config.nproc_per_node < 1:
        raise ValueError(f"a machine has 1 process or more, not {config.nproc_per_node}")
    plan = Plan(
        entrypoint,
        tuple(args),
        name=entrypoint if isinstance(entrypoint, str) else entrypoint.__qualname__,
        start_method=config.start_method,
        processes=config.nproc_per_node,
        least_machines=least,
        most_machines=most,
        endpoint=config.rdzv_endpoint,
        run_id=config.run_id or uuid.uuid4().hex,
        local_address=config.local_addr or "",
        max_restarts=config.max_restarts,
        interval=config.monitor_interval,
        patience=30 if config.shutdown_timeout is None else config.shutdown_timeout,
        join_timeout=float(said.get("join_timeout", 600)),
        last_call=float(said.get("last_call_timeout", 5)),
        role=config.role,
        signals=signals_of(config.signals_to_handle),
        logs=None
        if config.logs_specs is config._unasked
        else config.logs_specs,  # None: a folder that goes with the run
        line_prefix=config.log_line_prefix_template or "",
    )
    if most == 1 and not config.rdzv_endpoint:
        plan.endpoint = "127.0.0.1:0"
    elif config.rdzv_backend == "static":
        if least != most:
            raise ValueError("with a range of machines there is no number for each: rdzv_backend must be c10d")
        plan.static_rank = int(said.get("rank", 0))
        if not 0 <= plan.static_rank < most:
            raise ValueError(f"a machine's number is 0 to {most - 1}, not {plan.static_rank}")
    elif config.rdzv_backend != "c10d":
        raise ValueError(f"machines meet by c10d or static here, not by {config.rdzv_backend!r}")
    elif not config.rdzv_endpoint:
        raise ValueError("machines that meet by c10d need an endpoint, HOST:PORT")
    return plan


def launch_agent(config: LaunchConfig, entrypoint, args, health_check_server=None) -> dict:
    """Runs a program (a path) or a function, with arguments `args`, in the processes that `config` says.

    Returns what each returned, by rank: of a program None. ChildFailedError: it failed, and no restart is left;
    SignalException: this process was told to end. No process is left then. Nothing asks for a health_check_server here.
    """
    if health_check_server is not None:
        raise NotImplementedError("there are no health checks here: leave out health_check_server")
    return launch(plan_of(config, entrypoint, args))


class elastic_launch:  # noqa: N801 - torch's name
    """launch_agent() with the arguments last: elastic_launch(config, function)(*args)."""

    def __init__(self, config: LaunchConfig, entrypoint, health_check_server=None):
        self._config, self._entrypoint, self._health_check_server = config, entrypoint, health_check_server

    def __call__(self, *args):
        return launch_agent(self._config, self._entrypoint, list(args), self._health_check_server)


__getattr__, __dir__ = rest_of(__name__)
