"""Matrices."""

import torch
from torch.autograd._functions._made import classes, methods

globals().update(
    classes(
        __name__,
        {
            **methods("Diag diag Tril tril Triu triu Trace trace Inverse inverse"),
            "Cross": lambda input, other, dim=-1: torch.linalg.cross(input, other, dim=dim),
            "Gesv": lambda b, a: torch.gesv(b, a),
            "Potrf": lambda a, upper=True: torch.linalg.cholesky(a, upper=upper),
        },
    )
)
