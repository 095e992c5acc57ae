"""Reading handwriting with tensor arithmetic alone: the k nearest neighbours of 8x8 images of digits.

    python examples/digits_knn.py digits.csv.gz [--png doubtful.png]

The data are 1,797 handwritten digits (UCI, optical recognition of handwritten digits), one line each: 64 pixels from
0 to 16, then the label. The file comes with scikit-learn: sklearn/datasets/data/digits.csv.gz.
"""

import argparse
import gzip
import os
import pathlib
import struct
import sys
import time
import zlib

import numpy as np
import torch

NEIGHBOURS = 3
SHADES = " ░▒▓█"
DOUBTFUL = 10
HELP = """Give the path of the data, or set TORCH_DIGITS to it:
    python examples/digits_knn.py /path/to/digits.csv.gz
The file is part of scikit-learn (sklearn/datasets/data/digits.csv.gz)."""


def load(path):
    """Images (n, 64) and labels (n,) of the file."""
    with gzip.open(path, "rt") as lines:
        table = torch.from_numpy(np.loadtxt(lines, delimiter=","))
    return table[:, :64].float(), table[:, 64].long()


def split(images, labels):
    """Every fourth image is for testing; the others are known."""
    test = torch.arange(len(images)) % 4 == 3
    return images[~test], labels[~test], images[test], labels[test]


def distances(a, b):
    """Squared distance of every row of a to every row of b: |x - y|² = |x|² + |y|² - 2 x·y."""
    return (a * a).sum(1, keepdim=True) + (b * b).sum(1) - 2 * a.mm(b.t())


def classify(known, labels, images):
    """For every image its digit, and how far ahead of the next digit the neighbours' votes put it (0 to 1)."""
    nearest, who = distances(images, known).topk(NEIGHBOURS, dim=1, largest=False)
    weights = (1 / (nearest + 1)).unsqueeze(2)  # closer neighbours count for more
    votes = (weights * (labels[who].unsqueeze(2) == torch.arange(10))).sum(1)
    shares = votes / votes.sum(1, keepdim=True)
    best = shares.topk(2, dim=1).values
    return shares.argmax(1), best[:, 0] - best[:, 1]


def drawing(images, captions):
    """The images side by side, two characters to a pixel, captions below."""
    levels = (images.view(-1, 8, 8) / 16 * (len(SHADES) - 1)).round().long()
    lines = [
        "  ".join("".join(2 * SHADES[level] for level in row) for row in across.tolist()) for across in levels.unbind(1)
    ]
    return "\n".join([*lines, "  ".join(caption.center(16) for caption in captions)])


def mosaic(images, right, scale=12, gap=2):
    """The images in one row of a colour picture (height, width, 3), with a green bar if right, else a red one."""
    tiles = []
    for image, good in zip(images.view(-1, 8, 8), right.tolist()):
        large = image.unsqueeze(1).unsqueeze(3).expand(8, scale, 8, scale).reshape(8 * scale, 8 * scale)
        grey = (large / 16 * 255).unsqueeze(2).expand(8 * scale, 8 * scale, 3)
        bar = torch.tensor([40.0, 160.0, 70.0] if good else [210.0, 50.0, 40.0]).expand(scale // 2, 8 * scale, 3)
        tile = torch.cat([grey, bar])
        tiles += [tile, torch.full((len(tile), gap, 3), 255.0)]
    return torch.cat(tiles[:-1], dim=1).round().byte()


def write_png(path, picture):
    """A (height, width, 3) tensor of bytes as a PNG file."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = picture.shape
    rows = b"".join(b"\0" + bytes(row) for row in picture.view(height, width * 3).tolist())
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pathlib.Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("TORCH_DIGITS"), help="digits.csv.gz (or set TORCH_DIGITS)"
    )
    parser.add_argument("--png", metavar="FILE", help="also draw the doubtful digits into this file")
    options = parser.parse_args()
    if not options.data or not pathlib.Path(options.data).is_file():
        sys.exit((f"There is no file {options.data}. " if options.data else "") + HELP)

    known, labels, images, truth = split(*load(options.data))
    start = time.perf_counter()
    read, margin = classify(known, labels, images)
    took = time.perf_counter() - start
    right = read == truth
    share = right.float().mean().item()
    print(f"{right.sum().item()} of {len(truth)} digits read correctly: {share:.2%}, in {took * 1000:.1f} ms")

    doubtful = margin.topk(DOUBTFUL, largest=False).indices
    print(f"\nthe {DOUBTFUL} most doubtful:")
    captions = [
        f"read {r}" + ("" if r == t else f", is {t}") for r, t in zip(read[doubtful].tolist(), truth[doubtful].tolist())
    ]
    for i in range(0, DOUBTFUL, 5):
        print("\n" + drawing(images[doubtful[i : i + 5]], captions[i : i + 5]))
    if options.png:
        write_png(options.png, mosaic(images[doubtful], right[doubtful]))
        print(f"\ndrawn in {options.png}")


if __name__ == "__main__":
    main()
