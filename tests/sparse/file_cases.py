"""Sparse tensors in files. `python file_cases.py`, with PyTorch's torch, writes data/*.pt; test_sparse_serialization.py reads them."""

import pathlib

import torch

DATA = pathlib.Path(__file__).parent / "data"


def tensors():
    i, v = torch.tensor([[0, 1, 1], [2, 0, 0]]), torch.tensor([1.0, 2.5, 3.0])
    return {
        "coo": torch.sparse_coo_tensor(i, v, (3, 4)),
        "coalesced": torch.sparse_coo_tensor(i[:, :2], v[1:], (3, 4), is_coalesced=True),
        "hybrid": torch.sparse_coo_tensor(i, torch.arange(6).reshape(3, 2), (3, 4, 2)),
        "empty": torch.sparse_coo_tensor((3, 4), dtype=torch.complex64),
        "csr": torch.sparse_csr_tensor([0, 1, 2], [2, 0], v[:2].half(), (2, 3)),
        "csc": torch.sparse_csc_tensor([0, 1, 2], [2, 0], v[:2].double(), (3, 2)),
        "bsr": torch.sparse_bsr_tensor([0, 1, 2], [1, 0], torch.arange(8.0).reshape(2, 2, 2), (4, 4)),
        "bsc": torch.sparse_bsc_tensor([0, 1, 2], [1, 0], torch.arange(12.0).reshape(2, 2, 3), (4, 6)),
        "int32": torch.sparse_csr_tensor(torch.tensor([0, 1]).int(), torch.tensor([2]).int(), [True], (1, 3)),
        "batch": torch.sparse_csr_tensor([[0, 1, 2], [0, 2, 2]], [[2, 0], [0, 1]], torch.ones(2, 2), (2, 2, 3)),
    }


# What is no tensor: the arguments of torch._utils._rebuild_sparse_tensor, and what they are refused for.
def lies():
    i, v = torch.tensor([[0, 5], [2, 0]]), torch.tensor([1.0, 2.0])
    rows = torch.tensor([0, 1, 2])
    return {
        "beyond": ((torch.sparse_coo, (i, v, (3, 4), False)), "found index 5"),
        "negative": ((torch.sparse_coo, (-i, v, (3, 4), False)), "negative index -5"),
        "repeated": ((torch.sparse_coo, (i * 0, v, (3, 4), True)), "cannot set is_coalesced to true"),
        "count": ((torch.sparse_coo, (i, v[:1], (3, 4), False)), "same nnz"),
        "columns": ((torch.sparse_csr, (rows, torch.tensor([0, 7]), v, (2, 3))), "col_indices < ncols"),
        "rows": ((torch.sparse_csr, (torch.tensor([0, 1, 9]), rows[:2], v, (2, 3))), "== nnz"),
        "order": (
            (torch.sparse_csr, (torch.tensor([0, 2, 2]), torch.tensor([1, 0]), v, (2, 3))),
            "sorted and distinct",
        ),
        "strided": ((torch.strided, (rows, rows[:2], v, (2, 3))), "layout torch.strided"),
    }


class Rebuilt:
    """What pickles as a call of torch._utils._rebuild_sparse_tensor."""

    def __init__(self, arguments):
        self.arguments = arguments

    def __reduce__(self):
        return torch._utils._rebuild_sparse_tensor, self.arguments


if __name__ == "__main__":
    torch.save(tensors(), DATA / "sparse.pt")
    torch.save(tensors(), DATA / "sparse_legacy.pt", _use_new_zipfile_serialization=False)
    lie = Rebuilt(lies()["beyond"][0])
    torch.save([lie], DATA / "beyond_legacy.pt", _use_new_zipfile_serialization=False)
