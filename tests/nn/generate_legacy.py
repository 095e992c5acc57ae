"""Writes tests/nn/data/legacy.pt.gz with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate_legacy.py"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import nn_legacy  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from generate import save  # noqa: E402


def drawn(shape, distinct=False):
    """Numbers of few digits, so that half types have them and the file stays small."""
    size = nn_legacy.sizes(shape)
    if not distinct:
        return (torch.randn(size, dtype=torch.float64) * 16).round() / 16
    n = torch.Size(size).numel()
    return ((torch.randperm(n, dtype=torch.float64) - n // 2) / 64).reshape(size)


def answered(case):
    """Inputs, the output, and the gradients of its sum weighted by gy."""
    shapes = {name: getattr(case, name) for name in "xwb" if getattr(case, name)}
    row = {name: drawn(shape, distinct=not case.w).requires_grad_() for name, shape in shapes.items()}
    if case.samples:
        row["samples"] = (torch.rand(nn_legacy.sizes(case.samples), dtype=torch.float64) * 8).floor() / 8
    space = {"F": F, "dense": nn_legacy.dense, "table": nn_legacy.TABLE, "w": None, "b": None}
    if case.before:
        x, row["indices"] = eval(case.before, {**space, **row})
        row["x"] = x.detach().requires_grad_()
    y = eval(case.call, {**space, **row})
    if isinstance(y, tuple):
        y, row["indices"] = y
    gy = (torch.randn_like(y) * 16).round() / 16
    gradients = torch.autograd.grad(y, [row[name] for name in shapes], gy)
    row |= {f"g{name}": g for name, g in zip(shapes, gradients, strict=True)}
    row |= {"y": y, "gy": gy}
    return {name: t.detach().contiguous() for name, t in row.items()}


def main():
    torch.manual_seed(3)
    save("legacy", {name: [answered(case) for case in found] for name, found in nn_legacy.FUNCTIONS.items()})


if __name__ == "__main__":
    main()
