"""What PyTorch prints of sparse tensors. `python printing_cases.py`, with PyTorch's torch, writes data/printing.json."""

import json
import pathlib

import torch

PATH = pathlib.Path(__file__).parent / "data" / "printing.json"

i, v = torch.tensor([[0, 1], [2, 0]]), torch.tensor([1.0, 2.5])
MADE = {
    "coo": torch.sparse_coo_tensor(i, v, (3, 4)),
    "empty": torch.sparse_coo_tensor((3, 4)),
    "hybrid": torch.sparse_coo_tensor(i, torch.arange(6.0).reshape(2, 3), (3, 4, 3)),
    "no_dims": torch.sparse_coo_tensor(torch.empty(0, 1, dtype=torch.int64), torch.tensor([5.0]), ()),
    "csr": torch.sparse_csr_tensor([0, 1, 2], [2, 0], v, (2, 3)),
    "csc": torch.sparse_csc_tensor([0, 1, 2], [2, 0], v, (3, 2)),
    "bsr": torch.sparse_bsr_tensor([0, 1, 2], [1, 0], torch.arange(8.0).reshape(2, 2, 2), (4, 4)),
    "bsc": torch.sparse_bsc_tensor([0, 1, 2], [1, 0], torch.arange(12.0).reshape(2, 2, 3), (4, 6)),
    "batch": torch.sparse_csr_tensor([[0, 1, 2], [0, 2, 2]], [[2, 0], [0, 1]], torch.ones(2, 2), (2, 2, 3)),
    "dense": torch.sparse_csr_tensor([0, 1, 2], [2, 0], torch.ones(2, 3), (2, 3, 3)),
    "empty_csr": torch.sparse_csr_tensor(torch.zeros(3, dtype=torch.int64), [], [], (2, 3)),
    "int32": torch.sparse_csr_tensor(
        torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([2, 0], dtype=torch.int32), v, (2, 3)
    ),
    "large": torch.sparse_coo_tensor(torch.arange(2000).reshape(1, -1), torch.arange(2000) / 7.0, (2000,)),
    "long": torch.sparse_coo_tensor(torch.arange(40).reshape(2, 20), torch.arange(20) / 3.0, (20, 40)),
    "wide": torch.sparse_coo_tensor(i, v, (1000000000, 2000000000)),
}
DTYPES = "float16 bfloat16 float64 complex64 complex128 int64 int32 uint8 bool".split()


def coo_of(dtype, **options):
    return torch.sparse_coo_tensor(i, torch.tensor([1, 0]).to(dtype), (3, 4), **options)


def csr_of(dtype, **options):
    return torch.sparse_csr_tensor([0, 1, 2], [2, 0], torch.tensor([1, 0]).to(dtype), (2, 3), **options)


EXPRESSIONS = [
    *MADE,
    *(f"{make}_of(torch.{dtype})" for make in ("coo", "csr") for dtype in DTYPES),
    *(f"{make}_of(torch.{dtype}, requires_grad=True)" for make in ("coo", "csr") for dtype in ("float32", "float64")),
    "coo_of(torch.float32, requires_grad=True).to_dense()",
    "MADE['coo'].clone().requires_grad_().coalesce()",
    "[MADE['coo'], MADE['csr']]",
    "{'a': MADE['bsr']}",
    "torch.sparse_coo_tensor((3, 4), device='meta')",
    "torch.zeros(2, 3, layout=torch.sparse_csr, dtype=torch.float64, device='meta')",
    "str(MADE['csc'])",
    "f\"{MADE['coo']}\"",
    "torch.nn.Parameter(MADE['coo'])",
    "torch.nn.ParameterList([torch.nn.Parameter(MADE['coo'])])",
    "MADE['coo'].coalesce()",
    "MADE['hybrid'].to(torch.complex64)",
]


def evaluate(expression):
    return eval(expression, {**globals(), **MADE})


if __name__ == "__main__":
    texts = {expression: repr(evaluate(expression)) for expression in EXPRESSIONS}
    PATH.write_text(json.dumps(texts, indent=0) + "\n")
