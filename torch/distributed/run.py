"""torchrun, also `python -m torch.distributed.run`: starts a script as several processes of one group.

    torchrun --nproc-per-node 4 train.py --epochs 10
    torchrun --nnodes 2 --nproc-per-node 8 --rdzv-endpoint host0:29400 --rdzv-backend c10d train.py
    torchrun --nnodes 2 --node-rank 1 --master-addr host0 --nproc-per-node 8 train.py

Each process has RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and others in its environment, as init_process_group() wants them.
When one fails all are ended, and started again up to --max-restarts times. The exit code is 1 if it was of no use, with a
table of what failed first.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import uuid

from torch._absent import rest_of
from torch.distributed._launcher import launch
from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, SignalException, Std
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.launcher.api import LaunchConfig, plan_of


def parse_min_max_nnodes(nnodes: str) -> tuple[int, int]:
    """(least, most) machines of "N" or "LEAST:MOST". ValueError: it is neither."""
    least, _, most = str(nnodes).partition(":")
    try:
        numbers = int(least), int(most or least)
    except ValueError:
        numbers = 0, 0
    if not 1 <= numbers[0] <= numbers[1]:
        raise ValueError(f"machines are a number, or LEAST:MOST, not {nnodes!r}")
    return numbers


def determine_local_world_size(nproc_per_node: str) -> int:
    """How many processes of "auto", "cpu", "gpu" or a number. ValueError: it is none, or there is no GPU."""
    text = str(nproc_per_node)
    if text.isdecimal() and int(text):
        return int(text)
    if text not in ("auto", "cpu", "gpu"):
        raise ValueError(f"processes of a machine are a number, cpu, gpu or auto, not {text!r}")
    gpus = 0
    if text != "cpu":
        import torch

        gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if text == "gpu" and not gpus:
        raise ValueError("--nproc-per-node gpu: there is none")
    return gpus or os.cpu_count()


def get_args_parser() -> argparse.ArgumentParser:
    """The command line. What it does not say, the environment may: PET_NNODES for --nnodes, and so on."""
    parser = argparse.ArgumentParser("torchrun", description="Start a script as several processes of one group.")

    def add(*names, default=None, action=None, **options):
        names = [spelling for name in names for spelling in dict.fromkeys((name, "--" + name[2:].replace("-", "_")))
                 if name.startswith("--") or spelling == name]  # fmt: skip
        said = os.environ.get("PET_" + next(n for n in names if n.startswith("--"))[2:].replace("-", "_").upper())
        if action:
            parser.add_argument(*names, action=action, default=said == "1", **options)
        else:
            parser.add_argument(*names, default=default if said is None else said, **options)

    add("--nnodes", default="1:1", help="machines, N or LEAST:MOST")
    add("--nproc-per-node", default="1", help="processes of each: a number, cpu, gpu or auto")
    add("--rdzv-backend", default="static", help="how machines meet: static, c10d")
    add("--rdzv-endpoint", default="", help="HOST:PORT at which they do")
    add("--rdzv-id", default="none", help="a name of this run")
    add("--rdzv-conf", default="", help="join_timeout=SECONDS,last_call_timeout=SECONDS")
    add("--standalone", action="store_true", help="this machine alone, at a free port")
    add("--max-restarts", type=int, default=0, help="how often all are started again when one fails")
    add("--monitor-interval", type=float, default=0.1, help="seconds between looks at the processes")
    add(
        "--start-method",
        default="spawn",
        choices=["spawn", "fork", "forkserver"],
        help="of functions; scripts have none",
    )
    add("--role", default="default", help="what the processes are called")
    add("-m", "--module", action="store_true", help="the script is a module's name")
    add("--no-python", action="store_true", help="the script is a program")
    add("--run-path", action="store_true", help="the script is run as by runpy, as it is anyway")
    add("--log-dir", help="a folder for what is redirected; without it a temporary one")
    add("-r", "--redirects", default="0", help="1 stdout, 2 stderr, 3 both, to files; or RANK:WHAT,...")
    add("-t", "--tee", default="0", help="the same, and shown here as well")
    add("--local-ranks-filter", default="", help="local ranks whose output is shown: 0,1")
    add("--node-rank", type=int, default=0, help="this machine's number, where it is given")
    add("--master-addr", default="127.0.0.1", help="the address of machine 0")
    add("--master-port", type=int, default=29500, help="a port of it")
    add("--local-addr", default="", help="what others reach this machine by")
    add("--signals-to-handle", default="SIGTERM,SIGINT,SIGHUP,SIGQUIT", help="signals that are passed on")
    add("--shutdown-timeout", type=int, default=30, help="seconds from the signal to SIGKILL")
    parser.add_argument("training_script")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER)
    return parser


def parse_args(args) -> argparse.Namespace:
    """A command line, as get_args_parser() reads it."""
    return get_args_parser().parse_args(args)


def config_from_args(args):
    """(LaunchConfig, program, its arguments) of what parse_args() returns. ValueError: it contradicts itself."""
    least, most = parse_min_max_nnodes(args.nnodes)
    if args.no_python:
        if args.module:
            raise ValueError("--module and --no-python contradict each other")
        program, arguments = args.training_script, []
    else:
        program = os.environ.get("PYTHON_EXEC", sys.executable)
        arguments = ["-u", *(["-m"] if args.module else []), args.training_script]
    conf = dict(pair.split("=", 1) for pair in args.rdzv_conf.split(",") if "=" in pair)
    redirects, tee = Std.from_str(str(args.redirects)), Std.from_str(str(args.tee))
    shown = {int(rank) for rank in str(args.local_ranks_filter or "").split(",") if rank.strip()}
    logs = None
    if args.log_dir or redirects or tee or shown:
        folder = args.log_dir
        if not folder and (redirects or tee):
            folder = tempfile.mkdtemp(prefix="torchrun-logs-")
            sys.stderr.write(f"torchrun: output goes to {folder}\n")
        logs = DefaultLogsSpecs(folder, redirects, tee, shown or None)
    backend, endpoint, run_id = args.rdzv_backend, args.rdzv_endpoint, args.rdzv_id
    if args.standalone or (most == 1 and not endpoint):
        if most != 1:
            raise ValueError(f"--standalone is for one machine, not {most}")
        endpoint, run_id = "", uuid.uuid4().hex if run_id == "none" else run_id
    elif backend == "static":
        conf["rank"] = args.node_rank
        endpoint = endpoint or f"{args.master_addr}:{args.master_port}"
    config = LaunchConfig(
        least, most, determine_local_world_size(args.nproc_per_node), logs_specs=logs, run_id=run_id, role=args.role,
        rdzv_endpoint=endpoint, rdzv_backend=backend, rdzv_configs=conf, max_restarts=int(args.max_restarts),
        monitor_interval=float(args.monitor_interval), start_method=args.start_method,
        log_line_prefix_template=os.environ.get("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE"), local_addr=args.local_addr,
        signals_to_handle=args.signals_to_handle, shutdown_timeout=args.shutdown_timeout,
    )  # fmt: skip
    return config, program, [*arguments, *args.training_script_args]


def run(args) -> None:
    """Runs what parse_args() returns. Raises as torch.distributed.launcher.launch_agent() does."""
    config, program, arguments = config_from_args(args)
    plan = plan_of(config, program, arguments)
    plan.name = args.training_script
    launch(plan)


def main(args=None) -> None:
    """The program."""
    parser = get_args_parser()
    options = parser.parse_args(args)
    if not options.module:
        os.environ.pop("PYTHONSAFEPATH", None)  # said of this program; a script finds its neighbours
    try:
        run(options)
    except ValueError as error:
        parser.error(str(error))
    except ChildFailedError as failed:
        sys.exit(f"torchrun: {failed}")
    except SignalException as told:
        sys.stderr.write(f"torchrun: {told}\n")
        sys.exit(128 + told.sigval)
    except (OSError, RuntimeError, TimeoutError) as error:
        sys.exit(f"torchrun: {error}")


__getattr__, __dir__ = rest_of(__name__)

if __name__ == "__main__":
    main()
