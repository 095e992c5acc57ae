"""What torch costs beside computing: importing it, and a profiler around operators.

    python benchmarks/overheads.py [--interpreter PYTHON ...] [--repeat 20]

For each interpreter, in turn: the least processor time and wall time of `import torch` beyond those of an interpreter that
imports nothing, the memory that it adds, and the modules; then the least time of an addition of two numbers, and what a
profiler adds to it that has been left, and one that records. Times in milliseconds and microseconds.
"""

import argparse
import json
import os
import subprocess
import sys
import time

OPERATORS = 5000  # that a profiler sees


def started(interpreter, program):
    """(seconds of wall time, of processor time, bytes of memory at most) of a process that runs `program`."""
    begin = time.perf_counter()
    process = subprocess.Popen([interpreter, "-I", "-c", program])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{interpreter}: {program!r} failed")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def of_import(interpreter, repeat):
    """Milliseconds and megabytes of `import torch`, the least of `repeat` processes."""
    programs = ("pass", "import torch")
    samples = {program: [started(interpreter, program) for _ in range(repeat)] for program in programs}
    least = {program: [min(column) for column in zip(*rows)] for program, rows in samples.items()}
    wall, processor, memory = (after - before for before, after in zip(*least.values()))
    count = "import sys, torch; print(sum(name.partition('.')[0] == 'torch' for name in sys.modules))"
    modules = int(subprocess.check_output([interpreter, "-I", "-c", count]))
    return {"wall_ms": wall * 1e3, "processor_ms": processor * 1e3, "memory_MB": memory / 1e6, "modules": modules}


def of_profiler(repeat):
    """Microseconds of an operator: as it is, after a profiler has been left, and in one."""
    import torch

    torch.set_num_threads(1)
    x, y = torch.ones(()), torch.ones(())

    def once():
        begin = time.perf_counter()
        for _ in range(OPERATORS):
            x + y
        return (time.perf_counter() - begin) / OPERATORS * 1e6

    def recorded():
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
            return once()

    before = min(once() for _ in range(repeat))
    during = min(recorded() for _ in range(repeat))
    after = min(once() for _ in range(repeat))
    return {"operator_us": before, "after_a_profile_us": after, "in_a_profile_us": during}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interpreter", action="append", help="with torch; the default is this one")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--profiler", action="store_true", help=argparse.SUPPRESS)  # the process that has one
    arguments = parser.parse_args()
    if arguments.profiler:
        print(json.dumps(of_profiler(arguments.repeat)))
        return
    for interpreter in arguments.interpreter or [sys.executable]:
        found = of_import(interpreter, arguments.repeat)
        words = [interpreter, "-I", __file__, "--profiler", "--repeat", str(arguments.repeat)]
        found |= json.loads(subprocess.check_output(words))
        print(interpreter, json.dumps({key: round(value, 3) for key, value in found.items()}))


if __name__ == "__main__":
    main()
