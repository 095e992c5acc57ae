"""data/optimizers.json: what PyTorch's optimisers make of a table by sparse gradients.

python tests/sparse/generate_optimizers.py        (with PyTorch 2.13)
"""

import json
import pathlib

# {name: (optimiser, options)}
CASES = {
    "SGD": ("SGD", {"lr": 0.1}),
    "SGD, maximize": ("SGD", {"lr": 0.1, "maximize": True}),
    "SGD, momentum": ("SGD", {"lr": 0.1, "momentum": 0.9}),
    "SGD, dampening": ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3}),
    "SGD, nesterov": ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "Adagrad": ("Adagrad", {"lr": 0.1}),
    "Adagrad, options": ("Adagrad", {"lr": 0.1, "lr_decay": 0.1, "initial_accumulator_value": 0.2, "eps": 1e-3}),
    "Adagrad, maximize": ("Adagrad", {"lr": 0.1, "maximize": True}),
    "SparseAdam": ("SparseAdam", {"lr": 0.1}),
    "SparseAdam, options": ("SparseAdam", {"lr": 0.1, "betas": (0.5, 0.8), "eps": 1e-3}),
    "SparseAdam, maximize": ("SparseAdam", {"lr": 0.1, "maximize": True}),
}
# The rows of each step; row 5 is never named.
STEPS = [[0, 2, 2], [1, 2], [4], [0, 4, 0, 1], [3, 3, 3]]


def trained(torch, optimizer, options):
    """(the table after each step, the optimiser)"""
    table = torch.nn.Parameter(torch.linspace(-1, 1, 12, dtype=torch.float64).view(6, 2))
    made = getattr(torch.optim, optimizer)([table], **options)
    tables = []
    for rows in STEPS:
        made.zero_grad()
        used = torch.nn.functional.embedding(torch.tensor(rows), table, sparse=True)
        (used**2 - used).sum().backward()
        made.step()
        tables.append(table.detach().tolist())
    return tables, made


def main():
    import torch

    found = {name: trained(torch, *case)[0] for name, case in CASES.items()}
    path = pathlib.Path(__file__).with_name("data") / "optimizers.json"
    path.write_text(json.dumps({"torch": torch.__version__.partition("+")[0], "tables": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
