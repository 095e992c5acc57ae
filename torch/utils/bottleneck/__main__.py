"""Runs a script twice: under cProfile, and under torch.autograd.profiler."""

import argparse
import cProfile
import os
import pstats
import sys

import torch
from torch.autograd import profiler
from torch.utils import collect_env

_LINE = "-" * 80


def _compiled(path):
    with open(path, "rb") as file:
        return compile(file.read(), path, "exec")


def _names(path):
    return {"__file__": path, "__name__": "__main__", "__package__": None, "__cached__": None}


def _section(title):
    print(f"{_LINE}\n  {title}\n{_LINE}")


def _environment():
    info = collect_env.get_env_info()
    cuda = f"CUDA {info.cuda_compiled_version}" if torch.cuda.is_available() else "no CUDA device"
    print(f"torch {info.torch_version}, {cuda}, {info.threads} threads, Python {sys.version.split()[0]}")


def _python_profile(code, path):
    measured = cProfile.Profile()
    measured.enable()
    try:
        exec(code, _names(path))
    finally:
        measured.disable()
    _section("cProfile: the 15 functions with most time, those they call counted in")
    pstats.Stats(measured, stream=sys.stdout).strip_dirs().sort_stats("cumulative").print_stats(15)


def _torch_profile(code, path):
    with profiler.profile() as measured:
        exec(code, _names(path))
    _section("torch.autograd.profiler: the 15 operators with most time of their own")
    print(measured.key_averages().table(sort_by="self_cpu_time_total", row_limit=15))
    if torch.cuda.is_available():
        print("Kernels of CUDA are not timed: where the device is waited for, that operator has the time.")


def main():
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m torch.utils.bottleneck",
        description="Where a script spends its time. It is run several times, and has to end by itself.",
    )
    parser.add_argument("scriptfile", help="the script")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args()
    path = options.scriptfile
    try:
        code = _compiled(path)
    except OSError as error:
        parser.error(f"cannot read {path}: {error.strerror}")
    sys.argv = [path, *options.args]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    _section("Environment")
    _environment()
    print(f"Running {path} under cProfile")
    _python_profile(code, path)
    print(f"Running {path} under torch.autograd.profiler")
    _torch_profile(code, path)


if __name__ == "__main__":
    main()
