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
import signal
import sys
import uuid

from torch.distributed._launcher import Failed, Interrupted, Plan, launch


def _machines(text):
    least, _, most = text.partition(":")
    try:
        numbers = int(least), int(most or least)
    except ValueError:
        numbers = 0, 0
    if not 1 <= numbers[0] <= numbers[1]:
        raise argparse.ArgumentTypeError(f"a number of machines, or LEAST:MOST, not {text!r}")
    return numbers


def _processes(text):
    if text.isdecimal() and int(text):
        return int(text)
    import torch

    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if text == "gpu" and not gpus:
        raise argparse.ArgumentTypeError("gpu: there is none")
    counts = {"cpu": os.cpu_count(), "gpu": gpus, "auto": gpus or os.cpu_count()}
    if text not in counts:
        raise argparse.ArgumentTypeError(f"a number, cpu, gpu or auto, not {text!r}")
    return counts[text]


def _streams(text):
    """{local rank, or -1 for all: 1 stdout, 2 stderr, 3 both}"""
    try:
        if text.isdecimal():
            return {-1: int(text)}
        return {int(rank): int(what) for rank, what in (pair.split(":") for pair in text.split(","))}
    except ValueError:
        raise argparse.ArgumentTypeError(f"0 to 3, or RANK:WHAT,..., not {text!r}") from None


def _signals(text):
    try:
        return tuple(signal.Signals[name.strip()] for name in text.split(","))
    except KeyError as error:
        raise argparse.ArgumentTypeError(f"there is no signal {error}") from None


def get_args_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser("torchrun", description="Start a script as several processes of one group.")

    def add(name, **options):
        spellings = [f"--{name}"] + ([f"--{name.replace('-', '_')}"] if "-" in name else [])
        parser.add_argument(*spellings, **options)

    add("nnodes", type=_machines, default=(1, 1), help="machines, N or LEAST:MOST")
    add("nproc-per-node", type=_processes, default=1, help="processes of each: a number, cpu, gpu or auto")
    add("rdzv-backend", default="static", choices=["static", "c10d"], help="how machines meet")
    add("rdzv-endpoint", default="", help="HOST:PORT at which they do")
    add("rdzv-id", default="none", help="a name of this run")
    add("rdzv-conf", default="", help="join_timeout=SECONDS,last_call_timeout=SECONDS")
    add("standalone", action="store_true", help="this machine alone, at a free port")
    add("max-restarts", type=int, default=0, help="how often all are started again when one fails")
    add("monitor-interval", type=float, default=0.1, help="seconds between looks at the processes")
    add("role", default="default", help="what the processes are called")
    parser.add_argument("-m", "--module", action="store_true", help="the script is a module's name")
    add("no-python", action="store_true", help="the script is a program")
    add("log-dir", default="", help="a folder for what is redirected")
    parser.add_argument("-r", "--redirects", type=_streams, default={}, help="1 stdout, 2 stderr, 3 both, to files")
    add("local-ranks-filter", default="", help="local ranks whose output is shown: 0,1")
    add("node-rank", type=int, default=0, help="this machine's number, where it is given")
    add("master-addr", default="127.0.0.1", help="the address of machine 0")
    add("master-port", type=int, default=29500, help="a port of it")
    add("local-addr", default="", help="what others reach this machine by")
    add("signals-to-handle", type=_signals, default=Plan.signals, help="signals that are passed on")
    add("shutdown-timeout", type=float, default=30, help="seconds from SIGTERM to SIGKILL")
    parser.add_argument("training_script")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER)
    return parser


def plan_of(options) -> Plan:
    """What the command line says. ValueError: it contradicts itself."""
    least, most = options.nnodes
    script = options.training_script
    if options.no_python:
        if options.module:
            raise ValueError("--module and --no-python contradict each other")
        command = [script]
    else:
        command = [sys.executable, "-u", *(["-m"] if options.module else []), script]
    said = dict(pair.split("=", 1) for pair in options.rdzv_conf.split(",") if "=" in pair)
    plan = Plan(
        [*command, *options.training_script_args],
        options.nproc_per_node,
        least,
        most,
        run_id=options.rdzv_id,
        local_address=options.local_addr,
        max_restarts=options.max_restarts,
        interval=options.monitor_interval,
        patience=options.shutdown_timeout,
        join_timeout=float(said.get("join_timeout", 600)),
        last_call=float(said.get("last_call_timeout", 5)),
        role=options.role,
        signals=options.signals_to_handle,
        log_folder=options.log_dir,
        redirects=options.redirects,
    )
    if options.local_ranks_filter:
        plan.shown = {int(rank) for rank in options.local_ranks_filter.split(",")}
    if options.redirects and not options.log_dir:
        raise ValueError("--redirects needs --log-dir, a folder for the files")
    if options.standalone or (most == 1 and not options.rdzv_endpoint):
        if most != 1:
            raise ValueError(f"--standalone is for one machine, not {most}")
        plan.endpoint, plan.run_id = "127.0.0.1:0", options.rdzv_id if options.rdzv_id != "none" else uuid.uuid4().hex
    elif options.rdzv_backend == "c10d":
        if not options.rdzv_endpoint:
            raise ValueError("machines that meet by c10d need --rdzv-endpoint HOST:PORT")
        plan.endpoint = options.rdzv_endpoint
    else:
        if least != most:
            raise ValueError("with LEAST:MOST machines there is no number for each: use --rdzv-backend c10d")
        if not 0 <= options.node_rank < most:
            raise ValueError(f"--node-rank is 0 to {most - 1}, not {options.node_rank}")
        plan.static_rank = options.node_rank
        plan.endpoint = options.rdzv_endpoint or f"{options.master_addr}:{options.master_port}"
    return plan


def main(args=None) -> None:
    """The program."""
    parser = get_args_parser()
    options = parser.parse_args(args)
    try:
        plan = plan_of(options)
    except ValueError as error:
        parser.error(str(error))
    try:
        launch(plan)
    except Failed as failed:
        sys.exit(f"torchrun: {failed}")
    except Interrupted as interruption:
        sys.stderr.write(f"torchrun: {interruption}\n")
        sys.exit(128 + interruption.number)
    except (RuntimeError, TimeoutError) as error:
        sys.exit(f"torchrun: {error}")


if __name__ == "__main__":
    main()
