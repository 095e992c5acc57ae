"""A convolutional network that reads handwritten digits: 1,797 images of 8x8 pixels, every fourth held out.

    python examples/digits_cnn.py [digits.csv.gz] [--out FOLDER] [--quick]

Writes digits_cnn.png (loss and errors) and digits_confusion.png. Ends with an error if fewer than 98.5 % of the digits
that it has not seen are read correctly.
"""

import argparse
import pathlib
import sys
import time

import torch
from common import DIGITS, Progress, data_path, digits, draw_curves, pyplot
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

GOAL = 0.985
QUICK_GOAL = 0.9


class Net(nn.Module):
    """Two blocks of two convolutions each, the second of stride 2; then an average over what is left of the image."""

    def __init__(self, width=32, dropout=0.3):
        super().__init__()
        self.features = nn.Sequential(
            *self.block(1, width),
            *self.block(width, 2 * width),
        )
        self.classify = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(2 * width * 4, 10))

    @staticmethod
    def block(channels, width):
        return (
            nn.Conv2d(channels, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, stride=2, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )

    def forward(self, images):
        return self.classify(self.features(images))


def shifted(images):
    """Every image moved by -1, 0 or 1 pixels in both directions: more handwriting than there is."""
    n = len(images)
    padded = F.pad(images, (1, 1, 1, 1))
    windows = padded.unfold(2, 8, 1).unfold(3, 8, 1)  # (n, 1, 3, 3, 8, 8)
    across, down = torch.randint(3, (2, n))
    return windows[torch.arange(n), :, down, across]


@torch.no_grad()
def evaluate(model, images, labels):
    """Mean loss and predicted digits."""
    model.eval()
    scores = model(images)
    return F.cross_entropy(scores, labels).item(), scores.argmax(1)


def train(model, images, labels, test_images, test_labels, epochs):
    """Curves {name: [(epoch, value)]} of the training."""
    loader = DataLoader(TensorDataset(images, labels), batch_size=64, shuffle=True, drop_last=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=len(loader))
    curves = {"training loss": [], "held-out loss": [], "held-out errors": []}
    progress = Progress(epochs, "epochs")
    for epoch in progress:
        model.train()
        total = 0.0
        for batch, digit in loader:
            loss = F.cross_entropy(model(shifted(batch)), digit, label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        held_out, read = evaluate(model, test_images, test_labels)
        wrong = (read != test_labels).float().mean().item()
        for name, value in zip(curves, (total / len(loader), held_out, wrong)):
            curves[name].append((epoch + 1, value))
        progress.note(f"loss {total / len(loader):.3f}, held-out errors {wrong:.2%}")
    return curves


def confusion(truth, read):
    """How often (10, 10) digit i was read as j."""
    return torch.bincount(10 * truth + read, minlength=100).view(10, 10)


def draw_confusion(path, counts):
    plt = pyplot()
    if plt is None:
        return
    figure, axes = plt.subplots(figsize=(5, 5), layout="constrained")
    axes.imshow(counts.float().log1p().numpy(), cmap="Blues")
    for i, row in enumerate(counts.tolist()):
        for j, count in enumerate(row):
            if count:
                axes.text(j, i, count, ha="center", va="center", color="white" if i == j else "firebrick")
    axes.set(title="digits that were not seen in training", xlabel="read as", ylabel="is")
    axes.set(xticks=range(10), yticks=range(10))
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"drawn in {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", nargs="?", help="digits.csv.gz (or set TORCH_DIGITS)")
    parser.add_argument("--out", metavar="FOLDER", default=".", type=pathlib.Path, help="where pictures go")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few epochs, to see that it works")
    options = parser.parse_args()
    epochs = 3 if options.quick else options.epochs
    options.out.mkdir(parents=True, exist_ok=True)

    torch.manual_seed(options.seed)
    images, labels = digits(data_path(options.data, DIGITS))
    test = torch.arange(len(images)) % 4 == 3
    model = Net()
    print(model)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {(~test).sum()} images, {test.sum()} held out")
    start = time.perf_counter()
    curves = train(model, images[~test], labels[~test], images[test], labels[test], epochs)
    took = time.perf_counter() - start

    _, read = evaluate(model, images[test], labels[test])
    right = (read == labels[test]).float().mean().item()
    print(f"{right:.2%} of the held-out digits read correctly after {epochs} epochs, {took:.1f} s")
    draw_curves(options.out / "digits_cnn.png", "digits", curves, x="epoch", shares=["held-out errors"])
    draw_confusion(options.out / "digits_confusion.png", confusion(labels[test], read))
    goal = QUICK_GOAL if options.quick else GOAL
    if right < goal:
        sys.exit(f"digits_cnn: {right:.2%} is below {goal:.1%}")


if __name__ == "__main__":
    main()
