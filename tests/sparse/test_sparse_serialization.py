"""Sparse tensors in pickles and in files, of PyTorch's and for PyTorch (file_cases.py), and their copies."""

import copy
import io
import pickle
import zipfile

import file_cases
import pytest
import torch

NAMES = list(file_cases.tensors())


def parts(x):
    """All that a sparse tensor is."""
    if x.layout == torch.sparse_coo:
        members = x._indices(), x._values()
    elif x.layout in (torch.sparse_csr, torch.sparse_bsr):
        members = x.crow_indices(), x.col_indices(), x.values()
    else:
        members = x.ccol_indices(), x.row_indices(), x.values()
    coalesced = x.is_coalesced() if x.is_sparse else None
    return x.layout, x.shape, x.requires_grad, coalesced, [(m.dtype, m.tolist()) for m in members]


def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize("file", ["sparse.pt", "sparse_legacy.pt"])
def test_files_of_pytorch(file, weights_only):
    loaded = torch.load(file_cases.DATA / file, weights_only=weights_only)
    expected = file_cases.tensors()
    assert list(loaded) == list(expected)
    for name, x in expected.items():
        assert parts(loaded[name]) == parts(x), name


def test_files_for_pytorch():
    """The pickle is PyTorch's, byte by byte, and so are the storages."""
    with zipfile.ZipFile(file_cases.DATA / "sparse.pt") as theirs, zipfile.ZipFile(saved(file_cases.tensors())) as ours:
        folder = "sparse/"
        names = [n.removeprefix(folder) for n in theirs.namelist() if "/data/" in n or n.endswith("data.pkl")]
        for name in names:
            assert ours.read("archive/" + name) == theirs.read(folder + name), name
        assert len(names) > 20


def test_there_and_back():
    made = file_cases.tensors()
    again = torch.load(saved(made), weights_only=True)
    assert [parts(x) for x in again.values()] == [parts(x) for x in made.values()]


@pytest.mark.parametrize("name", file_cases.lies())
def test_a_file_that_lies(name):
    arguments, says = file_cases.lies()[name]
    lie = file_cases.Rebuilt(arguments)
    for weights_only in (True, False):
        with pytest.raises((RuntimeError, pickle.UnpicklingError), match=says):
            torch.load(saved({"x": lie}), weights_only=weights_only)
    with pytest.raises(RuntimeError, match=says):
        pickle.loads(pickle.dumps(lie))
    # What comes later is not taken for part of it.
    assert torch.load(saved(torch.eye(2).to_sparse()), weights_only=True).is_coalesced()


@pytest.mark.parametrize("weights_only", [True, False])
def test_an_old_file_that_lies(weights_only):
    """Its indices come behind its pickle."""
    with pytest.raises(RuntimeError, match="found index 5"):
        torch.load(file_cases.DATA / "beyond_legacy.pt", weights_only=weights_only)
    assert not torch._utils._sparse_tensors_to_validate


@pytest.mark.parametrize(
    "arguments",
    [
        (torch.sparse_coo, "data"),
        (torch.sparse_coo, (torch.zeros(1, 1), torch.ones(1))),
        (torch.sparse_coo, (torch.zeros(1, 1).long(), [1.0], (1,))),
        (torch.sparse_coo, (torch.zeros(1, 1).long(), torch.ones(1), ("a",))),
        (torch.sparse_csr, (torch.tensor([0, 0]), torch.ones(1), (1,))),
    ],
    ids=str,
)
def test_a_file_of_something_else(arguments):
    with pytest.raises(pickle.UnpicklingError):
        torch.load(saved(file_cases.Rebuilt(arguments)), weights_only=True)


@pytest.mark.parametrize("name", NAMES)
def test_pickles_and_copies(name):
    x = file_cases.tensors()[name]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert parts(pickle.loads(pickle.dumps(x, protocol))) == parts(x)
    values = (lambda t: t._values()) if x.is_sparse else (lambda t: t.values())
    shallow, deep = copy.copy(x), copy.deepcopy(x)
    assert parts(shallow) == parts(deep) == parts(x)
    if x._nnz():
        assert values(shallow).data_ptr() == values(x).data_ptr() != values(deep).data_ptr()


def test_attributes_and_parameters():
    x = torch.eye(2, dtype=torch.float64).to_sparse()
    x.name = "eye"
    for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert again.name == "eye" and parts(again) == parts(x)
    leaf = torch.eye(2).to_sparse().requires_grad_()
    leaf.grad = torch.eye(2).to_sparse()
    deep = copy.deepcopy(leaf)
    assert deep.requires_grad and deep.grad.is_sparse and deep.grad is not leaf.grad
    twice = copy.deepcopy([leaf, leaf])
    assert twice[0] is twice[1]
    with pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(leaf.to_dense().to_sparse())
    parameter = torch.nn.Parameter(leaf.detach())
    again = torch.load(saved(parameter), weights_only=True)
    assert type(again) is torch.nn.Parameter and again.requires_grad and again.is_sparse


def test_members_share_a_storage():
    """One storage in the file, and again one afterwards."""
    values = torch.arange(3.0)
    made = [torch.sparse_coo_tensor([[0, 1, 2]], values, (3,)), values]
    for load in (lambda: torch.load(saved(made)), lambda: copy.deepcopy(made)):
        x, v = load()
        assert x._values().data_ptr() == v.data_ptr()


def test_to_another_process():
    from torch.multiprocessing import reductions

    for x in file_cases.tensors().values():
        rebuild, arguments = reductions.reduce_tensor(x)
        assert parts(rebuild(*arguments)) == parts(x)
    leaf = torch.eye(2).to_sparse().requires_grad_()
    rebuild, arguments = reductions.reduce_tensor(leaf)
    assert rebuild(*arguments).requires_grad
    with pytest.raises(RuntimeError, match="non-leaf"):
        reductions.reduce_tensor(leaf.to_dense().to_sparse())


def test_on_meta():
    x = torch.sparse_coo_tensor((3, 4), device="meta")
    for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert again.is_meta and again.is_sparse and again.shape == (3, 4)
