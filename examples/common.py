"""What the examples share: a line of progress, pictures of curves, the digits, where data lie."""

import gzip
import os
import pathlib
import sys
import time

import torch

DIGITS = "the handwritten digits (scikit-learn's sklearn/datasets/data/digits.csv.gz)", "TORCH_DIGITS"
BIBLE = "the King James Bible, one verse a line (Debian's bible-kjv-text)", "TORCH_BIBLE"


def data_path(given, kind):
    """The file that was given on the command line, else the one that the variable names; ends the program if neither."""
    what, variable = kind
    path = given or os.environ.get(variable)
    if not path or not pathlib.Path(path).is_file():
        missing = f"There is no file {path}. " if path else ""
        sys.exit(f"{missing}Give the path of {what}, or set {variable} to it.")
    return path


def digits(path):
    """Images (1797, 1, 8, 8) from 0 to 1 and labels (1797,) of the file."""
    with gzip.open(path, "rt") as lines:
        table = torch.tensor([[float(cell) for cell in line.split(",")] for line in lines])
    return table[:, :64].view(-1, 1, 8, 8) / 16, table[:, 64].long()


class Progress:
    """A line on stderr with speed and time left, where stderr is a terminal.

    for step in Progress(1000, "steps"):
        ...
        progress.note(f"loss {loss:.3f}")
    """

    def __init__(self, total, unit, start=0):
        self.total, self.unit, self.start = total, unit, start
        self.text, self.width, self.shown = "", 0, 0.0
        self.terminal = sys.stderr.isatty()

    def note(self, text):
        """What the line says besides."""
        self.text = text

    def __iter__(self):
        self.begin = time.perf_counter()
        for step in range(self.start, self.total):
            yield step
            self.show(step + 1)
        self.clear()

    def show(self, done):
        now = time.perf_counter()
        if not self.terminal or now - self.shown < 0.1:
            return
        self.shown = now
        speed = (done - self.start) / (now - self.begin)
        line = f"{done / self.total:4.0%}  {speed:.3g} {self.unit}/s, {(self.total - done) / speed:.0f} s left  {self.text}"
        print("\r" + line.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(line)

    def clear(self):
        if self.terminal:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)


def pyplot():
    """matplotlib's pyplot, which draws into files, or None where there is no matplotlib."""
    try:
        import matplotlib
    except ImportError:
        print("no matplotlib here, so nothing is drawn", file=sys.stderr)
        return None
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


def draw_curves(path, title, curves, x="step", y="loss"):
    """A PNG with curves {label: [(x, y), ...]}."""
    plt = pyplot()
    if plt is None:
        return
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for label, points in curves.items():
        if points:
            axes.plot(*zip(*points), label=label)
    axes.set(title=title, xlabel=x, ylabel=y)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"drawn in {path}")
