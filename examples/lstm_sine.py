"""An LSTM that has seen sine waves goes on with others by itself.

    python examples/lstm_sine.py [--out FOLDER] [--quick]

It is trained with LBFGS, in double precision, to say the next value of each wave; then it is fed with its own answers.
Writes lstm_sine.png. Ends with an error if what it says of the next values, and of the waves that it makes up, is too
far from the truth.
"""

import argparse
import math
import pathlib
import sys
import time

import torch
from common import Progress, pyplot
from torch import nn

PERIOD = 20  # samples of one wave
SETTLE = 5  # the first samples, after which alone a wave cannot be told from another: not counted
LENGTH = 200  # samples that are known
FUTURE = 200  # samples that are made up


class Sequence(nn.Module):
    """Two LSTM cells and a line: (waves, time) to the next values (waves, time + future)."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.first = nn.LSTMCell(1, width)
        self.second = nn.LSTMCell(width, width)
        self.line = nn.Linear(width, 1)

    def forward(self, waves, future=0):
        state1, state2 = (
            tuple(torch.zeros(len(waves), self.width, dtype=waves.dtype) for _ in range(2)) for _ in range(2)
        )
        answers = []
        for step in range(waves.shape[1] + future):
            value = waves[:, step : step + 1] if step < waves.shape[1] else answers[-1]
            state1 = self.first(value, state1)
            state2 = self.second(state1[0], state2)
            answers.append(self.line(state2[0]))
        return torch.cat(answers, dim=1)


def sines(phases, length):
    """Waves (len(phases), length) that begin somewhere."""
    return torch.sin(2 * math.pi / PERIOD * (torch.arange(length, dtype=torch.double) + phases.unsqueeze(1)))


def draw(path, truth, told):
    plt = pyplot()
    if plt is None:
        return
    figure, axes = plt.subplots(len(truth), figsize=(9, 5), sharex=True, layout="constrained")
    for axis, right, made in zip(axes, truth.tolist(), told.tolist()):
        axis.plot(right, color="silver", label="truth")
        axis.plot(range(LENGTH - 1), made[: LENGTH - 1], color="tab:blue", label="next value")
        axis.plot(range(LENGTH - 1, len(made)), made[LENGTH - 1 :], "--", color="tab:orange", label="made up")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"drawn in {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", metavar="FOLDER", default=".", type=pathlib.Path, help="where the picture goes")
    parser.add_argument("--steps", type=int, default=8, help="steps of LBFGS, of 20 evaluations each")
    parser.add_argument("--waves", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="few steps and waves, to see that it works")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.quick:
        options.steps, options.waves = 1, 4

    torch.manual_seed(options.seed)
    waves = sines(torch.rand(options.waves, dtype=torch.double) * PERIOD, LENGTH)
    tests = sines(torch.rand(3, dtype=torch.double) * PERIOD, LENGTH + FUTURE)
    model = Sequence(24).double()
    optimizer = torch.optim.LBFGS(model.parameters(), lr=1.0, history_size=20, line_search_fn="strong_wolfe")
    criterion = nn.MSELoss()
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = criterion(model(waves[:, :-1])[:, SETTLE:], waves[:, SETTLE + 1 :])
        loss.backward()
        losses.append(loss.item())
        return loss

    begin = time.perf_counter()
    progress = Progress(options.steps, "steps")
    for _ in progress:
        optimizer.step(closure)
        progress.note(f"loss {losses[-1]:.2e}")
    took = time.perf_counter() - begin

    with torch.no_grad():
        told = model(tests[:, : LENGTH - 1], future=FUTURE)
    wrong = (told - tests[:, 1 : told.shape[1] + 1]).square()
    known, made_up = (p.mean().sqrt().item() for p in (wrong[:, SETTLE : LENGTH - 1], wrong[:, LENGTH - 1 :]))
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.2e} in {len(losses)} evaluations, {took:.1f} s")
    print(f"waves that it has not seen: off by {known:.4f} where known, by {made_up:.3f} over {FUTURE} values made up")
    draw(options.out / "lstm_sine.png", tests[:, 1:], told)
    if losses[-1] > losses[0] / 2 or (not options.quick and (known > 0.01 or made_up > 0.1)):
        sys.exit("lstm_sine: too far from the truth")


if __name__ == "__main__":
    main()
