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
    """The file given on the command line, else the one that the variable names; ends the program if neither."""
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
    """A line on stderr with speed and time left: on a terminal in place, elsewhere a new one every ten seconds.

    for step in Progress(1000, "steps"):
        ...
        progress.note(f"loss {loss:.3f}")
    """

    def __init__(self, total, unit, start=0):
        self.total, self.unit, self.start = total, unit, start
        self.text, self.width = "", 0
        self.terminal = sys.stderr.isatty()
        self.pause = 0.1 if self.terminal else 10.0

    def note(self, text):
        """What the line says besides."""
        self.text = text

    def __iter__(self):
        self.begin = self.shown = time.perf_counter()
        for step in range(self.start, self.total):
            yield step
            self.show(step + 1)
        self.clear()

    def show(self, done):
        now = time.perf_counter()
        if done == self.start + 1:  # the first step starts worker processes and fills caches: it tells no speed
            self.begin = now
            return
        if now - self.shown < self.pause:
            return
        self.shown = now
        speed = (done - self.start - 1) / max(now - self.begin, 1e-9)
        left = (self.total - done) / speed
        line = f"{done / self.total:4.0%}  {speed:.3g} {self.unit}/s, {left:.0f} s left  {self.text}"
        before, after = ("\r", "") if self.terminal else ("", "\n")
        print(before + line.ljust(self.width), end=after, file=sys.stderr, flush=True)
        self.width = len(line) if self.terminal else 0

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


def draw_curves(path, title, curves, x="step", y="loss", shares=()):
    """A PNG with curves {label: [(x, y), ...]}; those of `shares`, which are no losses, have an axis of their own."""
    plt = pyplot()
    if plt is None:
        return
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    right = axes.twinx() if shares else None
    for number, (label, points) in enumerate(curves.items()):
        if points:
            (right if label in shares else axes).plot(*zip(*points), f"C{number}", label=label)
    axes.set(title=title, xlabel=x, ylabel=y)
    axes.grid(alpha=0.3)
    if right:
        right.set(ylabel=", ".join(shares), ylim=(0, None))
        right.yaxis.set_major_formatter("{x:.0%}")
    figure.legend(loc="outside lower center", ncols=len(curves))
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"drawn in {path}")
