"""Dtypes of losses: what comes of a pair of dtypes, and which gradients, for shapes that broadcast and that do not.

    cd /tmp && /tmp/oracle/bin/python …/tests/nn/nn_losses.py

writes data/loss_dtypes.json with PyTorch's answers.
"""

import json
import pathlib
import warnings

import torch
import torch.nn.functional as F

DATA = pathlib.Path(__file__).resolve().parent / "data" / "loss_dtypes.json"
DTYPES = ("bool", "int64", "float16", "float32", "float64", "complex64")
SHAPES = {"- -": ((), ()), "3 -": ((3,), ()), "- 3": ((), (3,)), "3 3": ((3,), (3,)), "2x3 2": ((2, 3), (2,))}
LOSSES = (
    "l1_loss mse_loss smooth_l1_loss huber_loss soft_margin_loss kl_div binary_cross_entropy "
    "binary_cross_entropy_with_logits poisson_nll_loss hinge_embedding_loss multilabel_soft_margin_loss multi_margin_loss "
    "nll_loss cross_entropy"
).split()


def operand(dtype, shape):
    return torch.full(shape, 0.0 if dtype == "bool" else 0.5).to(getattr(torch, dtype))


def attempt(function):
    try:
        return function()
    except Exception as error:
        return f"!{type(error).__name__}"


def answer(loss, shapes, dtypes, recorded):
    """The result's dtype, then those of the gradients where the inputs are recorded; or an exception's name."""
    operands = [operand(dtype, shape) for dtype, shape in zip(dtypes, shapes)]
    inexact = [x for x in operands if x.is_floating_point() or x.is_complex()] if recorded else []
    for x in inexact:
        x.requires_grad_()

    def gradients():
        result.sum().backward()
        return " ".join("-" if x.grad is None else str(x.grad.dtype)[6:] for x in inexact)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = attempt(lambda: getattr(F, loss)(*operands, reduction="mean"))
        if isinstance(result, str) or not result.requires_grad:
            return result if isinstance(result, str) else str(result.dtype)[6:]
        return f"{str(result.dtype)[6:]} / {attempt(gradients)}"


def answers(loss, shapes):
    """Of each input's dtype: what comes of it and of each target's; after a semicolon what does where they are recorded."""
    return {
        a: [
            "; ".join(dict.fromkeys(answer(loss, SHAPES[shapes], (a, b), recorded) for recorded in (False, True)))
            for b in DTYPES
        ]
        for a in DTYPES
    }


if __name__ == "__main__":
    table = {f"{loss} {shapes}": answers(loss, shapes) for loss in LOSSES for shapes in SHAPES}
    rows = [
        f'"{case}": {{\n' + ",\n".join(f'"{a}": {json.dumps(row)}' for a, row in of.items()) + "}"
        for case, of in table.items()
    ]
    DATA.write_text("{\n" + ",\n".join(rows) + "\n}\n")
