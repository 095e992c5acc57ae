"""Time of training, our library and PyTorch side by side: backward passes, whole steps, optimisers, loaders, functions.

    python benchmarks/train.py --ours PYTHON --torch PYTHON [--ours-path DIR] [--only GPT] [--rounds 5] [--json FILE]

As in ops.py each library lives in a process of its own and is asked in turn, case by case, round after round. `speed`
says how many times PyTorch's speed ours is; what is below its goal is marked. Peak memory is that of a fresh process
which runs the case alone, libraries included. The cases are in train_cases.py, their models for images in
vision_models.py, and two in examples/.
"""

import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import timeit
import warnings

import report
from ops import (
    REPEAT,
    SAMPLE,
    Library,
    argument_parser,
    cpu_model,
    duration,
    geometric_mean,
    measure,
    median,
    parsed,
    ratio,
)
from train_cases import CASES

HERE = pathlib.Path(__file__).resolve()
EXAMPLES = HERE.parent.parent / "examples"
CALLS = 20  # whose memory is asked for


# The worker: one library, answering case numbers on standard input.


def prepare(case):
    """A timer for the case, and how many calls make one sample."""
    import torch
    from torch import nn
    from torch.nn import functional

    warnings.simplefilter("ignore")
    names = {"torch": torch, "nn": nn, "F": functional, "__name__": "case"}
    torch.manual_seed(0)
    exec(case.setup, names)
    timer = timeit.Timer(case.run, globals=names)
    timer.timeit(1)  # what happens only once
    count = 1
    while (took := timer.timeit(count)) < SAMPLE and count < 10**5:
        count = max(2 * count, math.ceil(count * SAMPLE / max(took, 1e-9)))
    return timer, count


def worker():
    """Read case numbers, write seconds per item or the error, one JSON value a line."""
    ready = {}
    for line in sys.stdin:
        case = CASES[int(line)]
        try:
            timer, count = ready.get(case) or ready.setdefault(case, prepare(case))
            answer = min(timer.repeat(REPEAT if count > 1 else 1, count)) / count / case.items
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


def memory(number):
    """Print the peak memory of this process, in bytes, after some calls of the case."""
    timer, _ = prepare(CASES[number])
    timer.timeit(1 if CASES[number].items > 1 else CALLS)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


# The driver.


def peak(library, number):
    """Peak memory of a case in a process of its own, or None if it fails."""
    command = [library.python, str(HERE), "--worker", library.name, "--memory", str(number)]
    done = subprocess.run(command, env=library.environment, cwd="/", capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else None


def entry(case, samples, peaks):
    """One row of the report."""
    times = {name: median(taken) for name, taken in samples.items()}
    ours, torch = times.get("ours"), times.get("torch")
    return {
        "group": case.group,
        "name": case.name,
        **times,
        "speed": torch / ours if ours and torch else None,
        "goal": case.goal,
        "peak": peaks,
        "errors": {name: taken for name, taken in samples.items() if isinstance(taken, str)},
    }


def megabytes(size):
    return "-" if size is None else f"{size / 1e6:.0f} MB"


def show(rows):
    print(f"{'':44}{'ours':>10}{'torch':>10}{'speed':>8}{'goal':>6}{'peak':>9}{'torch':>9}")
    for row in rows:
        cells = "".join(f"{duration(row.get(name)):>10}" for name in ("ours", "torch"))
        note = "  short" if row["speed"] and row["speed"] < row["goal"] else ""
        if row["peak"].get("ours") and row["peak"].get("torch") and row["peak"]["ours"] > row["peak"]["torch"]:
            note += "  more memory"
        peaks = "".join(f"{megabytes(row['peak'].get(name)):>9}" for name in ("ours", "torch"))
        print(f"{row['name']:44}{cells}{ratio(row['speed']):>8}{row['goal']:>6}{peaks}{note}")
        for library, error in row["errors"].items():
            print(f"    {library}: {error[:120]}")
    print()
    for group in dict.fromkeys(row["group"] for row in rows):
        members = [row for row in rows if row["group"] == group]
        short = sum(1 for row in members if row["speed"] and row["speed"] < row["goal"])
        compared = sum(1 for row in members if row["speed"])
        mean = ratio(geometric_mean(members, "speed"))
        print(f"{group:12} geometric mean of speeds {mean}; {short} of {compared} short of their goals")
    print(f"{'all':12} geometric mean of speeds {ratio(geometric_mean(rows, 'speed'))}")


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument(
        "--ours-path", metavar="DIR", help="folder put first on our interpreter's path, such as a checkout"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--no-memory", action="store_true", help="do not ask for peak memory")
    parser.add_argument("--memory", type=int, help="for workers: the case")
    return parsed(parser)


def main():
    options = arguments()
    if options.worker:
        sys.path.append(str(EXAMPLES))
        return worker() if options.memory is None else memory(options.memory)
    libraries = [
        Library(name, python, options.threads, path, script=HERE)
        for name, python, path in (("ours", options.ours, options.ours_path), ("torch", options.torch, None))
        if python
    ]
    versions = {library.name: library.version() for library in libraries}
    for name, version in versions.items():
        print(f"{name:6} {version}")
    print(f"{options.threads} thread(s), median of {options.rounds} rounds\n")

    numbers = [i for i, case in enumerate(CASES) if options.only in f"{case.group} {case.name}"]
    load = os.getloadavg()[0]
    results = measure(libraries, numbers, options.rounds)
    rows = []
    for number in numbers:
        peaks = {} if options.no_memory else {library.name: peak(library, number) for library in libraries}
        rows.append(entry(CASES[number], results[number], peaks))
    for library in libraries:
        library.close()
    show(rows)
    if options.json:
        report.write(
            options.json,
            {
                "machine": f"{cpu_model()}, {os.cpu_count()} cores",
                "load": [load, os.getloadavg()[0]],  # of the machine, before and after: above 0 it was not ours alone
                "threads": options.threads,
                "versions": {name: version.split()[0] for name, version in versions.items() if version},
                "rows": rows,
            },
        )
    return None


if __name__ == "__main__":
    main()
