"""A variational autoencoder of handwritten digits: 64 pixels become two numbers, and any two numbers a digit.

    python examples/vae.py [digits.csv.gz] [--out FOLDER] [--quick]

Writes vae.png: the loss, what the network makes of digits that it has not seen, and the digits on a grid of the two
numbers. Ends with an error if the loss on held-out digits is too high.
"""

import argparse
import pathlib
import sys
import time

import torch
from common import DIGITS, Progress, data_path, digits, pyplot
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

GOAL = 26.0  # nats per image; 64 pixels that are all guessed to be grey cost 44
QUICK_GOAL = 30.0


class VAE(nn.Module):
    """Images (n, 64) of values from 0 to 1 to logits of their pixels, by way of `latent` numbers."""

    def __init__(self, latent=2, width=256):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.mean = nn.Linear(width, latent)
        self.log_variance = nn.Linear(width, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, width),
            nn.SiLU(),
            nn.Linear(width, width),
            nn.SiLU(),
            nn.Linear(width, 64),
        )

    def encode(self, images):
        hidden = self.encoder(images)
        return self.mean(hidden), self.log_variance(hidden)

    def forward(self, images):
        mean, log_variance = self.encode(images)
        drawn = mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
        return self.decoder(drawn), mean, log_variance


def loss_of(model, images):
    """Nats per image: the pixels given the numbers, and how far the numbers are from normally distributed ones."""
    logits, mean, log_variance = model(images)
    pixels = F.binary_cross_entropy_with_logits(logits, images, reduction="sum")
    divergence = 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum()
    return (pixels + divergence) / len(images)


def train(model, images, held_out, epochs):
    loader = DataLoader(TensorDataset(images), batch_size=64, shuffle=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    curves = {"training": [], "held out": []}
    progress = Progress(epochs, "epochs")
    for epoch in progress:
        total = 0.0
        for (batch,) in loader:
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        scheduler.step()
        with torch.no_grad():
            curves["held out"].append((epoch + 1, loss_of(model, held_out).item()))
        curves["training"].append((epoch + 1, total / len(images)))
        progress.note(f"loss {total / len(images):.2f}, held out {curves['held out'][-1][1]:.2f}")
    return curves


def framed(images):
    """Digits (n, 9, 9), with a line below and one beside that keep them apart."""
    return F.pad(images.reshape(-1, 8, 8), (0, 1, 0, 1), value=0.25)


@torch.no_grad()
def plane(model, side=15):
    """The digits (side·9, side·9) on a grid of the two numbers, each from -2.5 to 2.5."""
    line = torch.linspace(-2.5, 2.5, side)
    points = torch.stack(torch.meshgrid(line, line, indexing="ij"), dim=-1).view(-1, 2)
    tiles = framed(model.decoder(points).sigmoid()).view(side, side, 9, 9)
    return tiles.permute(0, 2, 1, 3).reshape(side * 9, side * 9)


@torch.no_grad()
def pairs(model, images):
    """Images in a row, and below each what becomes of it."""
    again = model.decoder(model.encode(images)[0]).sigmoid()
    return torch.cat([framed(part).transpose(0, 1).reshape(9, -1) for part in (images, again)])


def draw(path, curves, model, images):
    plt = pyplot()
    if plt is None:
        return
    figure = plt.figure(figsize=(11, 6), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=[1, 1.2])
    loss, seen, map_ = (figure.add_subplot(place) for place in (grid[0, 0], grid[1, 0], grid[:, 1]))
    for name, points in curves.items():
        loss.plot(*zip(*points), label=name)
    loss.set(xlabel="epoch", ylabel="nats per image")
    loss.legend()
    seen.imshow(pairs(model, images).numpy(), cmap="gray_r")
    seen.set(title="held-out digits, and what became of them", xticks=[], yticks=[])
    map_.imshow(plane(model).numpy(), cmap="gray_r")
    map_.set(title="digits by two numbers", xticks=[], yticks=[])
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"drawn in {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", nargs="?", help="digits.csv.gz (or set TORCH_DIGITS)")
    parser.add_argument("--out", metavar="FOLDER", default=".", type=pathlib.Path, help="where the picture goes")
    parser.add_argument("--epochs", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few epochs, to see that it works")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    epochs = 5 if options.quick else options.epochs

    torch.manual_seed(options.seed)
    images = digits(data_path(options.data, DIGITS))[0].flatten(1)
    test = torch.arange(len(images)) % 4 == 3
    model = VAE()
    begin = time.perf_counter()
    curves = train(model, images[~test], images[test], epochs)
    loss = curves["held out"][-1][1]
    print(f"{loss:.2f} nats per held-out image after {epochs} epochs, {time.perf_counter() - begin:.1f} s")
    draw(options.out / "vae.png", curves, model, images[test][:12])
    goal = QUICK_GOAL if options.quick else GOAL
    if loss > goal:
        sys.exit(f"vae: {loss:.2f} is above {goal}")


if __name__ == "__main__":
    main()
