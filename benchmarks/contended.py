"""Time per call with as many threads as there are cores, while nobody else and while other processes want them.

    python benchmarks/contended.py --ours PYTHON [--ours-path DIR] [--torch PYTHON] [--spins default,2000,300000]
        [--busy 4] [--threads N] [--only step] [--rounds 5] [--json FILE]

A thread of OpenMP that has no work waits in a loop before it sleeps: waking a sleeper costs time, and so does a loop on
a core that somebody else could use. `--spins` says how many rounds of that loop our library is to be measured with
(GOMP_SPINCOUNT), `default` being what it chooses. Each is measured idle, by the least disturbed moment of half a
second, then beside `--busy` processes that this program starts and ends, by the mean: what disturbs is the question.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import time
import timeit
from typing import NamedTuple

from ops import Library, argument_parser, cpu_model, duration, median, parsed

HERE = pathlib.Path(__file__).resolve()
SAMPLE = 0.5  # seconds
PIECE = 0.02
BUSY = "while True: pass"


class Case(NamedTuple):
    name: str
    setup: str
    run: str


STEP = """
class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a, self.b = nn.Conv2d(n, n, 3, padding=1), nn.Conv2d(n, n, 3, padding=1)
        self.c, self.d = nn.BatchNorm2d(n), nn.BatchNorm2d(n)
    def forward(self, x):
        return torch.relu(x + self.d(self.b(torch.relu(self.c(self.a(x))))))
model = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), *(Block(32) for _ in range(4)), nn.AdaptiveAvgPool2d(1),
                      nn.Flatten(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
x, y = torch.randn(32, 3, 32, 32), torch.randint(10, (32,))
def step():
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
"""
CASES = [
    Case("exp of 10^5", "x = torch.randn(10**5)", "torch.exp(x)"),
    Case(
        "add of 10^6",
        "x = torch.randn(10**6); y = torch.randn(10**6); z = torch.empty(10**6)",
        "torch.add(x, y, out=z)",
    ),
    Case("sum of 10^6", "x = torch.randn(10**6)", "x.sum()"),
    Case("mm 256 (OpenBLAS)", "x = torch.randn(256, 256); z = torch.empty(256, 256)", "torch.mm(x, x, out=z)"),
    Case("linalg.inv 256", "x = torch.randn(256, 256)", "torch.linalg.inv(x)"),
    Case(
        "conv 8x64x28x28 (oneDNN)",
        "x = torch.randn(8, 64, 28, 28); w = torch.randn(64, 64, 3, 3)",
        "nn.functional.conv2d(x, w, padding=1)",
    ),
    Case(
        "MLP step",
        """
model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(256, 256), torch.randint(10, (256,))
def step():
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
""",
        "step()",
    ),
    Case("ResNet-like step", STEP, "step()"),
]


def prepare(case):
    import torch
    from torch import nn

    names = {"torch": torch, "nn": nn, "__name__": "case"}
    torch.manual_seed(0)
    exec(case.setup, names)
    timer = timeit.Timer(case.run, globals=names)
    timer.timeit(3)
    return timer


def seconds(timer, contended):
    """Of a call: the mean over SAMPLE seconds, or without company that over the least disturbed piece of them."""
    count, calls, best, start = 1, 0, math.inf, time.perf_counter()
    while True:
        piece = timer.timeit(count) / count
        calls, best, took = calls + count, min(best, piece), time.perf_counter() - start
        if took >= SAMPLE:
            return took / calls if contended else best
        count = max(1, round(PIECE / piece))


def worker(spin):
    """Read case numbers and how many processes are busy, write seconds per call or the error, one JSON value a line."""
    if spin != "default":
        os.environ["GOMP_SPINCOUNT"] = spin
    ready = {}
    for line in sys.stdin:
        number, busy = map(int, line.split())
        case = CASES[number]
        try:
            answer = seconds(ready.get(case) or ready.setdefault(case, prepare(case)), busy > 0)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


def measure(libraries, numbers, busy, rounds):
    """{case number: [seconds of each library]}"""
    samples = {number: [[] for _ in libraries] for number in numbers}
    for _ in range(rounds):
        for number in numbers:
            for library, taken in zip(libraries, samples[number], strict=True):
                taken.append(library.seconds(f"{number} {busy}"))
    for number in numbers:
        for taken in samples[number]:
            if wrong := [answer for answer in taken if isinstance(answer, str)]:
                sys.exit(f"{CASES[number].name}: {wrong[0]}")
    return {number: [median(taken) for taken in samples[number]] for number in numbers}


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument(
        "--ours-path", metavar="DIR", help="folder put first on our interpreter's path, such as a checkout"
    )
    parser.add_argument("--spins", default="default,2000,300000", help="rounds of the waiting loop, by commas")
    parser.add_argument("--busy", type=int, default=4, help="processes that want the cores, too")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    return parsed(parser)


def main():
    options = arguments()
    if options.worker:
        return worker(options.worker)
    libraries = []
    if options.ours:
        for spin in options.spins.split(","):
            libraries.append(Library(spin, options.ours, options.threads, options.ours_path, script=HERE))
    if options.torch:
        libraries.append(Library("default", options.torch, options.threads, script=HERE))
        libraries[-1].name = "torch"
    numbers = [number for number, case in enumerate(CASES) if options.only in case.name]
    rows, load = [], os.getloadavg()[0]
    for busy in dict.fromkeys((0, options.busy)):
        others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
        try:
            results = measure(libraries, numbers, busy, options.rounds)
        finally:
            for process in others:
                process.kill()
                process.wait()
        print(f"{busy} busy processes".ljust(28) + "".join(f"{library.name:>12}" for library in libraries))
        for number in numbers:
            print(CASES[number].name.ljust(28) + "".join(f"{duration(taken):>12}" for taken in results[number]))
            taken = dict(zip((library.name for library in libraries), results[number], strict=True))
            rows.append({"busy": busy, "name": CASES[number].name, **taken})
        print(flush=True)
    versions = {library.name: library.version().split()[0] for library in libraries}
    for library in libraries:
        library.close()
    if options.json:
        report = {
            "date": time.strftime("%Y-%m-%d"),
            "machine": f"{cpu_model()}, {os.cpu_count()} cores",
            "load": [load, os.getloadavg()[0]],
            "threads": options.threads,
            "versions": versions,
            "rows": rows,
        }
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n")
    return None


if __name__ == "__main__":
    main()
