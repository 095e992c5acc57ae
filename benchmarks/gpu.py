"""Time per call on a GPU: our library, PyTorch, and the card itself, side by side.

    python benchmarks/gpu.py --ours PYTHON [--torch PYTHON] [--only sort] [--rounds 7] [--json FILE] [--smoke]

Each library lives in a process of its own and is asked in turn, case by case, round after round (benchmarks/ops.py has
the driver). "card" is what no library can beat: a copy on the device that moves the bytes of a pointwise kernel, and
cuBLAS called directly. Calls are queued, and the clock stops when the device has done them all. A ratio above 1 means
that ours is faster; gpu_cases.py has the cases and the least ratios that are wanted.

The status is 1 if a call of ours raised.

`--smoke`: tiny sizes, one round, whatever the device; the times mean nothing. `--device cpu` tries the program itself.
"""

import ctypes
import functools
import glob
import itertools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

import report
from gpu_cases import CASES, GOALS
from ops import Library, argument_parser, cpu_model, duration, geometric_mean, median, parsed, progress

HERE = pathlib.Path(__file__).resolve()
LIBRARIES = ("ours", "torch", "card")
SAMPLE = 0.02  # seconds that one sample lasts at least
REPEAT = 3


def sizes(smoke):
    """N and M of the cases."""
    return (2560, 8) if smoke else (25_600_000, 8192)


# The worker of a library.


@functools.cache
def scope(setup, device, smoke):
    """What the statements of one table see."""
    import torch

    n, m = sizes(smoke)
    names = {"torch": torch, "D": torch.device(device), "N": n, "M": m}
    exec(setup, names)
    return names


def library_call(case, device, smoke):
    """A function that makes the case's call so many times, and returns when all are done."""
    import torch

    wait = torch.cuda.synchronize if device == "cuda" else (lambda: None)
    names = scope(case.setup, device, smoke)
    code = compile(f"def calls(count):\n    for _ in range(count):\n        {case.run}", case.name, "exec")
    exec(code, names)
    calls = names["calls"]

    def run(count):
        calls(count)
        wait()

    return run


# The worker of the card: the CUDA runtime and cuBLAS, by ctypes.


def load(name):
    """A library of CUDA, from where the toolkit or Python's packages have it."""
    places = [name, f"/usr/local/cuda/lib64/{name}"]  # LD_LIBRARY_PATH first
    for site in sys.path:
        places += sorted(glob.glob(f"{site}/nvidia/**/lib/{name}", recursive=True))
    errors = []
    for place in places:
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            errors.append(str(error))
    raise OSError(errors[-1])


def check(status, call):
    if status != 0:
        raise RuntimeError(f"{call} returned {status}")


class Card:
    """Memory of the device and what NVIDIA's own libraries do with it."""

    # cudaDataType_t and cublasComputeType_t of cublasGemmEx, and bytes of an element.
    TYPES = {"S": (0, 68, 4), "D": (1, 70, 8), "H": (2, 68, 2), "B": (14, 68, 2)}

    def __init__(self):
        self.runtime, self.memory = load("libcudart.so.13"), {}

    def allocate(self, name, nbytes):
        """A buffer by name, allocated once for each size."""
        if (name, nbytes) not in self.memory:
            pointer = ctypes.c_void_p()
            check(self.runtime.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(nbytes)), f"cudaMalloc({nbytes})")
            check(self.runtime.cudaMemset(pointer, 0, ctypes.c_size_t(nbytes)), "cudaMemset")
            self.memory[name, nbytes] = pointer
        return self.memory[name, nbytes]

    def wait(self):
        check(self.runtime.cudaDeviceSynchronize(), "cudaDeviceSynchronize")

    def copies(self, nbytes):
        """Copies on the device that read and write `nbytes` together."""
        half = ctypes.c_size_t(max(1, int(nbytes) // 2))
        source, target = self.allocate("source", half.value), self.allocate("target", half.value)

        def run(count):
            for _ in range(count):
                check(self.runtime.cudaMemcpyAsync(target, source, half, 3, None), "cudaMemcpyAsync")
            self.wait()

        return run

    @functools.cached_property
    def blas(self):
        library, handle = load("libcublas.so.13"), ctypes.c_void_p()
        check(library.cublasCreate_v2(ctypes.byref(handle)), "cublasCreate_v2")
        return library, handle

    def products(self, kind, side):
        """Products of two square matrices by cublasGemmEx."""
        library, handle = self.blas
        dtype, compute, width = self.TYPES[kind]
        a, b, c = (self.allocate(name, side * side * width) for name in "abc")
        number = ctypes.c_double if kind == "D" else ctypes.c_float
        one, zero = number(1), number(0)

        def run(count):
            for _ in range(count):
                status = library.cublasGemmEx(
                    handle, 0, 0, side, side, side, ctypes.byref(one), a, dtype, side, b, dtype, side,
                    ctypes.byref(zero), c, dtype, side, compute, -1,
                )  # fmt: skip
                check(status, "cublasGemmEx")
            self.wait()

        return run


@functools.cache
def card():
    return Card()


def card_call(case, smoke):
    n, m = sizes(smoke)
    return card().products(case.product, m) if case.product else card().copies(case.moved * n)


def prepare(case, library, device, smoke):
    """The timed function, and how many calls make one sample."""
    run = card_call(case, smoke) if library == "card" else library_call(case, device, smoke)
    run(1)  # compiles, allocates, wakes the device
    count = 1
    while not smoke and seconds(run, count) < SAMPLE and count < 10**6:
        count *= 2
    return run, count


def seconds(run, count):
    start = time.perf_counter()
    run(count)
    return time.perf_counter() - start


def worker(library, device, smoke):
    """Read case numbers, write seconds per call or the error, one JSON value a line."""
    ready = {}
    for line in sys.stdin:
        number = int(line)
        try:
            if number not in ready:
                ready[number] = prepare(CASES[number], library, device, smoke)
            run, count = ready[number]
            answer = min(seconds(run, count) for _ in range(1 if smoke else REPEAT)) / count
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


# The driver.


def measure(libraries, numbers, rounds):
    """{case number: {library: [seconds] or error}}"""
    results, start = {number: {} for number in numbers}, time.monotonic()
    for done, (_, number) in enumerate(itertools.product(range(rounds), numbers), 1):
        for library in libraries:
            if library.name == "card" and not (CASES[number].moved or CASES[number].product):
                continue
            samples = results[number].setdefault(library.name, [])
            if isinstance(samples, str):
                continue
            answer = library.seconds(number)
            if isinstance(answer, str):
                results[number][library.name] = answer
            else:
                samples.append(answer)
        progress(done / (rounds * len(numbers)), time.monotonic() - start)
    return results


def entry(case, samples, smoke):
    """One row of the report: medians, ratios (other/ours), the goal and whether it is met (not for tiny sizes)."""
    row = {"group": case.group, "name": case.name, **{name: median(samples.get(name, ())) for name in LIBRARIES}}
    row["errors"] = {name: taken for name, taken in samples.items() if isinstance(taken, str)}
    for other in ("torch", "card"):
        row[f"{other}/ours"] = row[other] / row["ours"] if row["ours"] and row[other] else None
    other, least = GOALS[case.group]
    ratio = row[f"{other}/ours"]
    row["goal"] = f"{other}/ours >= {least:g}"
    row["met"] = None if smoke or ratio is None else ratio >= least
    return row


def show(rows):
    print(f"{'':22}" + "".join(f"{name:>11}" for name in LIBRARIES) + f"{'torch/ours':>12}{'card/ours':>11}")
    for row in rows:
        cells = "".join(f"{duration(row[name]):>11}" for name in LIBRARIES)
        ratios = [row["torch/ours"], row["card/ours"]]
        shown = "".join(f"{'-' if r is None else format(r, '.2f'):>{w}}" for r, w in zip(ratios, (12, 11), strict=True))
        print(f"{row['name']:22}{cells}{shown}" + (f"  missed: {row['goal']}" if row["met"] is False else ""))
        for library, error in row["errors"].items():
            print(f"    {library}: {error[:120]}")
    for key in ("torch/ours", "card/ours"):
        if mean := geometric_mean(rows, key):
            print(f"geometric mean {key}: {mean:.2f}")
    judged = [row["met"] for row in rows if row["met"] is not None]
    print(f"{sum(judged)} of {len(judged)} goals met, {len(rows) - len(judged)} not measured")


def device_name():
    """The card and its driver, as nvidia-smi says; None without it."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes: tries the program itself")
    return parsed(parser)


def main():
    options = arguments()
    if options.worker:
        return worker(options.worker, options.device, options.smoke)
    more = ["--device", options.device, *(["--smoke"] if options.smoke else [])]
    pythons = {
        "ours": options.ours,
        "torch": options.torch,
        "card": sys.executable if options.device == "cuda" else None,
    }
    libraries = [
        Library(name, python, os.cpu_count(), script=HERE, more=more) for name, python in pythons.items() if python
    ]
    versions = {library.name: library.version() for library in libraries if library.name != "card"}
    for name, version in versions.items():
        print(f"{name:6} {version}")
    machine = f"{device_name() or 'no GPU'}; {cpu_model()}, {os.cpu_count()} cores"
    rounds = 1 if options.smoke else options.rounds
    print(f"{machine}, median of {rounds} rounds{', tiny sizes: no figures' if options.smoke else ''}\n")

    numbers = [i for i, case in enumerate(CASES) if options.only in f"{case.group} {case.name}"]
    results = measure(libraries, numbers, rounds)
    for library in libraries:
        library.close()
    rows = [entry(CASES[i], results[i], options.smoke) for i in numbers]
    show(rows)
    if options.json:
        report.write(
            options.json,
            {
                "machine": machine,
                "command": shlex.join(["python", *sys.argv]),
                "smoke": options.smoke,
                "versions": {name: version.split()[0] for name, version in versions.items() if version},
                "rows": rows,
            },
        )
    return any("ours" in row["errors"] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
