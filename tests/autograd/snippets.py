"""Runs the snippets of data/snippets.txt, here and with PyTorch (generate_behaviour.py), and writes down what they do.

A snippet calls `out(…)` with what is to be compared; `leaf(3)` is a tensor 1, 2, 3 that requires a gradient, `dleaf(3)` one
of float64. An exception is its type and the first clause of its text: the rest is each
side's own.
"""

import copy
import math
import pathlib
import re
import warnings

import numpy as np
import torch

TEXT = pathlib.Path(__file__).with_name("data") / "snippets.txt"


def snippets():
    """Their source texts."""
    return TEXT.read_text().rstrip("\n").split("\n----\n")


def _rounded(value):
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    if isinstance(value, complex):
        return f"{value.real:.3f}{value.imag:+.3f}j"
    if isinstance(value, float):
        return f"{value:.4g}"
    return value


def _shown(value):
    if isinstance(value, torch.Tensor):
        recorded = " recorded" if value.requires_grad else ""
        return f"{str(value.dtype)[6:]}{tuple(value.shape)} {_rounded(value.detach().tolist())}{recorded}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(_shown, value))})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_shown(part)}" for name, part in value.items()) + "}"
    if isinstance(value, float):
        return _rounded(value)
    return repr(value).split(" at 0x")[0]


def _refused(error):
    first, *more = re.split(r"[.:,(\n;]\s", str(error).rstrip("."))
    if len(first) < 12 and more:  # "add(): argument 'other' …"
        first += " " + more[0]
    return f"{type(error).__name__}: {first}"[:80].lower()


def leaf(*size):
    """1, 2, 3, … of that size."""
    return torch.arange(1.0, 1 + math.prod(size)).reshape(size).clone().requires_grad_()


def dleaf(*size):
    """Thirds of them in float64."""
    return (torch.arange(1, 1 + math.prod(size)).double().reshape(size) / 3).requires_grad_()


def record(code):
    """What the snippet shows, line by line; its exception, if there is one, is the last."""
    lines = []
    names = {"torch": torch, "np": np, "copy": copy, "leaf": leaf, "dleaf": dleaf}
    names["out"] = lambda *values: lines.append("; ".join(map(_shown, values)))
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(code, names)
        except Exception as error:
            lines.append(_refused(error))
        finally:
            torch.set_grad_enabled(True)
            torch.autograd.set_detect_anomaly(False)
    return lines
