"""Convolutions over a grid of shapes, our library and PyTorch side by side: forward, and the gradients for input and weight.

    python benchmarks/conv_grid.py --ours PYTHON --torch PYTHON [--ours-path DIR] [--points 200] [--seed 0]
        [--shape BATCH,IN,OUT,IMAGE,KERNEL,STRIDE,PADDING,GROUPS]… [--rounds 5] [--json FILE]

The grid has more points than anybody can measure: batches of 1 to 256, 1 to 1,024 channels, images of 1² to 224², kernels
of 1² to 7², strides, padding, groups. `--points` are drawn from it, the same ones for one seed, of at most 10^9
multiplications; `--shape` names one. The table has the least of all rounds, in which the libraries take turns, and the
slowest shapes first; `speed` below 0.9 is marked.
"""

import json
import math
import pathlib
import random
import sys
import time
import timeit
from typing import NamedTuple

from ops import Library, argument_parser, cpu_model, duration, geometric_mean, parsed, progress, ratio

HERE = pathlib.Path(__file__).resolve()
SAMPLE = 0.003  # seconds that one sample lasts at least
MOST = 10**9  # multiplications of a point
GOAL = 0.9
PASSES = ("forward", "input", "weight")


class Shape(NamedTuple):
    batch: int
    inputs: int
    outputs: int
    image: int
    kernel: int
    stride: int
    padding: int
    groups: int

    def __str__(self):
        text = f"{self.batch}x{self.inputs}x{self.image}² to {self.outputs} by {self.kernel}²"
        more = (("stride", 1), ("padding", 0), ("groups", 1))
        return text + "".join(f", {key} {getattr(self, key)}" for key, usual in more if getattr(self, key) != usual)

    def multiplications(self):
        positions = (self.image + 2 * self.padding - self.kernel) // self.stride + 1
        return self.batch * self.outputs * self.inputs // self.groups * self.kernel**2 * positions**2


def drawn(points, seed):
    """So many different points of the grid."""
    choose = random.Random(seed).choice
    shapes = {}
    while len(shapes) < points:
        channels = [1, 2, 3, 4, 8, 12, 16, 24, 32, 64, 96, 128, 256, 512, 1024]
        inputs, outputs, kernel = choose(channels), choose(channels), choose([1, 1, 2, 3, 3, 3, 4, 5, 7])
        groups = choose([1, 1, 1, 2, 4, 8, inputs])
        if groups == inputs:
            outputs = inputs * choose([1, 1, 2])
        if inputs % groups or outputs % groups:
            continue
        image = choose([1, 1, 2, 3, 4, 5, 7, 8, 14, 16, 28, 32, 56, 64, 112, 224])
        padding = choose([0, kernel // 2, kernel // 2, kernel - 1])
        if image + 2 * padding < kernel:
            continue
        shape = Shape(
            choose([1, 2, 4, 8, 16, 32, 64, 128, 256]),
            inputs,
            outputs,
            image,
            kernel,
            choose([1, 1, 1, 2, 2, 3, kernel]),
            padding,
            groups,
        )
        elements = shape.batch * max(inputs, outputs) * image**2
        if shape.multiplications() <= MOST and elements <= 2**25:
            shapes[shape] = None
    return list(shapes)


# The worker: one library, answering "batch,…,groups pass" on standard input.


def prepare(shape, what):
    """A timer for a pass over the shape, and how many calls make one sample."""
    import torch
    from torch.nn import functional

    x = torch.randn(shape.batch, shape.inputs, shape.image, shape.image, requires_grad=what == "input")
    w = torch.randn(
        shape.outputs, shape.inputs // shape.groups, shape.kernel, shape.kernel, requires_grad=what == "weight"
    )
    names = {"torch": torch, "F": functional, "x": x, "w": w, "s": (None, shape.stride, shape.padding, 1, shape.groups)}
    run = "F.conv2d(x, w, *s)"
    if what != "forward":
        names["y"] = functional.conv2d(x, w, *names["s"])
        names["g"] = torch.randn(names["y"].shape)
        run = f"torch.autograd.grad(y, {'x' if what == 'input' else 'w'}, g, retain_graph=True)"
    timer = timeit.Timer(run, globals=names)
    timer.timeit(1)
    took = min(timer.repeat(2, 1))
    return timer, max(1, math.ceil(SAMPLE / took))


def worker():
    """Write seconds per call or the error, one JSON value a line. Nothing is kept: the grid is larger than the memory."""
    for line in sys.stdin:
        sizes, what = line.split()
        try:
            timer, count = prepare(Shape(*map(int, sizes.split(","))), what)
            answer = min(timer.repeat(3, count)) / count
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


# The driver.


def measure(libraries, shapes, rounds):
    """{(shape, pass): {library: seconds}}, the least of all rounds."""
    keys = [(shape, what) for shape in shapes for what in PASSES]
    results = {key: {library.name: math.inf for library in libraries} for key in keys}
    start = time.monotonic()
    for turn in range(rounds):
        for place, (shape, what) in enumerate(keys):
            for library in libraries:
                answer = library.seconds(f"{','.join(map(str, shape))} {what}")
                if isinstance(answer, str):
                    sys.exit(f"{library.name}, {shape}, {what}: {answer}")
                taken = results[shape, what]
                taken[library.name] = min(taken[library.name], answer)
            progress((turn * len(keys) + place + 1) / (rounds * len(keys)), time.monotonic() - start)
    return results


def show(rows):
    print(f"{'':56}{'pass':>8}{'ours':>10}{'torch':>10}{'speed':>8}")
    for row in sorted(rows, key=lambda row: row["speed"] or 0):
        note = "  slower" if row["speed"] and row["speed"] < GOAL else ""
        cells = "".join(f"{duration(row.get(name)):>10}" for name in ("ours", "torch"))
        print(f"{row['shape']:56}{row['pass']:>8}{cells}{ratio(row['speed']):>8}{note}")
    for what in PASSES:
        members = [row for row in rows if row["pass"] == what]
        slower = sum(1 for row in members if row["speed"] and row["speed"] < GOAL)
        print(f"{what:8} geometric mean of speeds {ratio(geometric_mean(members, 'speed'))}; {slower} below {GOAL}")


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument(
        "--ours-path", metavar="DIR", help="folder put first on our interpreter's path, such as a checkout"
    )
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--shape", action="append", default=[], help="a point by its eight numbers, instead of the drawn"
    )
    parser.add_argument("--threads", type=int, default=1)
    return parsed(parser)


def main():
    options = arguments()
    if options.worker:
        return worker()
    libraries = [
        Library(name, python, options.threads, path, script=HERE)
        for name, python, path in (("ours", options.ours, options.ours_path), ("torch", options.torch, None))
        if python
    ]
    shapes = [Shape(*map(int, text.split(","))) for text in options.shape] or drawn(options.points, options.seed)
    results = measure(libraries, shapes, options.rounds)
    versions = {library.name: library.version().split()[0] for library in libraries}
    for library in libraries:
        library.close()
    rows = []
    for (shape, what), taken in results.items():
        speed = taken["torch"] / taken["ours"] if len(taken) == 2 else None
        rows.append({"shape": str(shape), "pass": what, **taken, "speed": speed})
    show(rows)
    if options.json:
        report = {
            "date": time.strftime("%Y-%m-%d"),
            "machine": cpu_model(),
            "threads": options.threads,
            "points": options.points,
            "seed": options.seed,
            "versions": versions,
            "rows": rows,
        }
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n")
    return None


if __name__ == "__main__":
    main()
