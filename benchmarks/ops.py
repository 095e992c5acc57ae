"""Time per call of single operations: our library, PyTorch and NumPy side by side.

    python benchmarks/ops.py --ours PYTHON --torch PYTHON [--ours-path DIR] [--only exp] [--rounds 7] [--json FILE]
        [--svg FILE]

Each library lives in a process of its own and is asked in turn, case by case, round after round, so that a machine that
gets slower meanwhile slows all of them. The table shows medians; a ratio above 1 means that ours is slower. The cases
are in op_cases.py, the picture in picture.py.
"""

import argparse
import functools
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time
import timeit

import report
from op_cases import CASES
from picture import picture

HERE = pathlib.Path(__file__).resolve()
SAMPLE = 0.002  # seconds that one sample lasts at least
REPEAT = 3  # short samples are taken so often at once, and the least disturbed one counts
LIBRARIES = ("ours", "torch", "numpy")
IMPORT = "import"  # the name of the case that times `import torch`


# The worker: one library, answering requests on standard input.


@functools.cache
def scope(setup, library):
    """What the statements of one table see."""
    import numpy as np

    names = {"np": np, "x": np.ones(3, "f4")}
    if library != "numpy":
        import torch

        names["torch"] = torch
    exec(setup, names)
    return names


def prepare(case, library):
    """A timer for the case, and how many calls make one sample."""
    setup, run = (case.numpy_setup, case.numpy_run) if library == "numpy" else (case.torch_setup, case.torch_run)
    timer = timeit.Timer(run, globals=scope(setup, library))
    timer.timeit(1)  # makes the pages of its result and whatever else a process makes once, be it for milliseconds
    count = 1
    while (took := min(timer.repeat(2, count))) < SAMPLE and count < 10**6:
        count = max(2 * count, math.ceil(count * SAMPLE / max(took, 1e-9)))
    return timer, count


def worker(library):
    """Read case numbers, write seconds per call or the error, one JSON value a line."""
    ready = {}
    for line in sys.stdin:
        number = int(line)
        try:
            if number not in ready:
                ready[number] = prepare(CASES[number], library)
            timer, count = ready[number]
            answer = min(timer.repeat(REPEAT if count > 1 else 1, count)) / count
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


# The driver.


def environment(threads, path):
    """Variables of a worker: so many threads, and where to look for the library first."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    extra = {"PYTHONPATH": str(pathlib.Path(path).resolve())} if path else {}
    return {**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, **dict.fromkeys(names, str(threads)), **extra}


class Library:
    """A worker process, started anew when an operation has brought it down."""

    def __init__(self, name, python, threads, path=None, script=HERE, more=()):
        self.name, self.python, self.environment = name, python, environment(threads, path)
        self.command = [self.python, str(script), "--worker", self.name, *more]
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command,
            env=self.environment,
            cwd="/",
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def seconds(self, number):
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        status = self.process.wait()
        self.start()
        return f"the process ended with status {status}"

    def import_seconds(self):
        module = "numpy" if self.name == "numpy" else "torch"
        start = time.perf_counter()
        subprocess.run([self.python, "-c", f"import {module}"], env=self.environment, cwd="/", check=True)
        return time.perf_counter() - start

    def version(self):
        module = "numpy" if self.name == "numpy" else "torch"
        code = f"import {module} as m; print(m.__version__, m.__file__)"
        return subprocess.run(
            [self.python, "-c", code], env=self.environment, cwd="/", capture_output=True, text=True
        ).stdout.strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def progress(done, spent):
    """How far we are and how long it will take, for whoever watches."""
    if sys.stderr.isatty():
        text = f"{done:5.0%}, {spent * (1 - done) / done:4.0f} s left" if done < 1 else " " * 20
        print(f"\r{text}\r", end="", file=sys.stderr, flush=True)


def measure(libraries, numbers, rounds):
    """{case number: {library: [seconds] or error}}"""
    results = {number: {library.name: [] for library in libraries} for number in numbers}
    start = time.monotonic()
    for turn in range(rounds):
        for position, number in enumerate(numbers):
            for library in libraries:
                if library.name == "numpy" and not CASES[number].numpy_run:
                    continue
                samples = results[number][library.name]
                if isinstance(samples, str):
                    continue
                answer = library.seconds(number)
                if isinstance(answer, str):
                    results[number][library.name] = answer
                else:
                    samples.append(answer)
            progress((turn * len(numbers) + position + 1) / (rounds * len(numbers)), time.monotonic() - start)
    return results


def median(samples):
    return statistics.median(samples) if samples and not isinstance(samples, str) else None


def entry(group, name, samples):
    """One row of the report: medians, ratios, errors."""
    row = {"group": group, "name": name, **{library: median(s) for library, s in samples.items()}}
    row["errors"] = {library: s for library, s in samples.items() if isinstance(s, str)}
    for other in ("torch", "numpy"):
        row[f"ours/{other}"] = row["ours"] / row[other] if row.get("ours") and row.get(other) else None
    return row


def duration(seconds):
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def ratio(value):
    return "-" if value is None else f"{value:.2f}"


def geometric_mean(rows, key):
    logs = [math.log(row[key]) for row in rows if row[key]]
    return math.exp(sum(logs) / len(logs)) if logs else None


def show(rows):
    print(f"{'':24}{'ours':>10}{'torch':>10}{'numpy':>10}{'/torch':>9}{'/numpy':>9}")
    for row in rows:
        cells = "".join(f"{duration(row.get(name)):>10}" for name in LIBRARIES)
        note = "  slower" if row["ours/torch"] and row["ours/torch"] > 1.2 else ""
        print(f"{row['name']:24}{cells}{ratio(row['ours/torch']):>9}{ratio(row['ours/numpy']):>9}{note}")
        for library, error in row["errors"].items():
            print(f"    {library}: {error[:120]}")
    for key in ("ours/torch", "ours/numpy"):
        print(f"geometric mean {key}: {ratio(geometric_mean(rows, key))}")
    worst = sorted((row for row in rows if row["ours/torch"]), key=lambda row: -row["ours/torch"])[:5]
    print("worst against torch: " + ", ".join(f"{row['name']} ({ratio(row['ours/torch'])})" for row in worst))


def argument_parser(text):
    """What every program is told that has libraries side by side; `text`: its docstring."""
    parser = argparse.ArgumentParser(description=text.partition("\n")[0])
    parser.add_argument("--ours", metavar="PYTHON", help="interpreter that imports our torch")
    parser.add_argument("--torch", metavar="PYTHON", help="interpreter that imports PyTorch")
    parser.add_argument("--only", metavar="TEXT", default="", help="cases whose group or name contains this")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", metavar="FILE", help="also write the rows here")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    return parser


def parsed(parser):
    options = parser.parse_args()
    if not (options.worker or options.ours or options.torch):
        parser.error("give --ours PYTHON, --torch PYTHON or both")
    return options


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument(
        "--numpy", metavar="PYTHON", help="interpreter for NumPy (default: PyTorch's, then ours; '': none)"
    )
    parser.add_argument(
        "--ours-path", metavar="DIR", help="folder put first on our interpreter's path, such as a checkout"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--svg", metavar="FILE", help="also draw the ratios here")
    return parsed(parser)


def cpu_model():
    with open("/proc/cpuinfo") as lines:
        return next(
            (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
        )


def main():
    options = arguments()
    if options.worker:
        return worker(options.worker)
    numpy = options.numpy if options.numpy is not None else options.torch or options.ours
    pythons = {"ours": options.ours, "torch": options.torch, "numpy": numpy}
    libraries = [
        Library(name, python, options.threads, options.ours_path if name == "ours" else None)
        for name, python in pythons.items()
        if python
    ]
    versions = {library.name: library.version() for library in libraries}
    for name, version in versions.items():
        print(f"{name:6} {version}")
    print(f"{options.threads} thread(s), median of {options.rounds} rounds\n")

    numbers = [i for i, case in enumerate(CASES) if options.only in f"{case.group} {case.name}"]
    results = measure(libraries, numbers, options.rounds)
    empty = dict.fromkeys(LIBRARIES, ())
    rows = [entry(CASES[i].group, CASES[i].name, {**empty, **results[i]}) for i in numbers]
    if options.only in IMPORT:
        loadable = [library for library in libraries if versions[library.name]]
        samples = {library.name: [] for library in loadable}
        for _ in range(3):
            for library in loadable:
                samples[library.name].append(library.import_seconds())
        rows.append(entry(IMPORT, "import", {**empty, **samples}))
    for library in libraries:
        library.close()
    show(rows)
    if options.svg:
        title = f"{cpu_model()}, {options.threads} thread(s)"
        pathlib.Path(options.svg).write_text(picture(rows, title))
    if options.json:
        report.write(
            options.json,
            {
                "machine": f"{cpu_model()}, {os.cpu_count()} cores",
                "threads": options.threads,
                "versions": {name: version.split()[0] for name, version in versions.items() if version},
                "rows": rows,
            },
        )
    return None


if __name__ == "__main__":
    main()
