"""Constructors of sparse tensors, and factories with a layout: PyTorch's answers (construct_cases.py)."""

import json
import threading

import construct_cases
import pytest
import torch

ANSWERS = json.loads(construct_cases.PATH.read_text())
checks = torch.sparse.check_sparse_tensor_invariants

# Where this torch answers otherwise, and with what.
DIFFERS = {
    # Members whose sizes do not fit are refused, always.
    "R(cr,co,v,(2,))": "RuntimeError: tensor dimensionality must be sum of batch, base, and dense",
    "R(cr,co,v,(2,3,4))": "RuntimeError: tensor dimensionality must be sum of batch, base, and dense",
    "R(L([0,1]),co,v,(2,3))": "RuntimeError: crow_indices.shape[-1] must be equal to the number of rows + 1",
    "R(cr,L([2]),v,(2,3))": "RuntimeError: col_indices.shape[-1] must be equal to nnz (=2) as defined by",
    "B(cr,co,v,(2,3))": "RuntimeError: values must have dimensionality > sum of batch and block",
    "K(cr,co,v,(2,3),layout=csc)": "RuntimeError: ccol_indices.shape[-1] must be equal to the number of columns + 1",
    # Compressed indices are int32 or int64, both of one type.
    "R(cr,co.int(),v)": "torch.sparse_csr (2, 3) torch.float32 cpu requires_grad=False is_leaf=True 2+0 [0, 1, 2] [2, 0] torch.int64",
    "R(cr.to(torch.int16),co.to(torch.int16),v)": "torch.sparse_csr (2, 3) torch.float32 cpu requires_grad=False is_leaf=True "
    "2+0 [0, 1, 2] [2, 0] torch.int64",
    "R(cr.float(),co.float(),v)": "RuntimeError: compressed_indices have to be integers, got torch.float32",
    "R(cr.float(),co.float(),v,check_invariants=True)": "RuntimeError: compressed_indices have to be integers",
    "R([0,0,0],[],[])": "torch.sparse_csr (2, 0) torch.float32 cpu requires_grad=False is_leaf=True 2+0 [0, 0, 0] [] torch.int64",
    "R([0,0,0],[],[],(2,2))": "torch.sparse_csr (2, 2) torch.float32 cpu requires_grad=False is_leaf=True 2+0 [0, 0, 0] [] torch.int64",
    "torch.empty(2,3,layout=csc)": "torch.sparse_csc (2, 3) torch.float32 cpu requires_grad=False is_leaf=True 2+0 [0, 0, 0, 0] []",
    # Indices go where the values are; what is None counts as left out.
    "S(i,v.to('meta'),(3,4))": "torch.sparse_coo (3, 4) torch.float32 meta requires_grad=False is_leaf=True",
    "S(i,None,(3,4))": "TypeError: sparse_coo_tensor(): indices and values, or a size",
    "S(i,v,None)": "torch.sparse_coo (2, 3) torch.float32 cpu requires_grad=False is_leaf=True 2+0 False [[0, 1], [2, 0]]",
}
EQUAL = [expression for expression in construct_cases.EXPRESSIONS if expression not in DIFFERS]


@pytest.mark.parametrize("expression", EQUAL)
def test_as_in_pytorch(expression):
    expected, answer = ANSWERS[expression], construct_cases.answer(expression)
    kind = expected.partition(":")[0]
    assert answer.partition(":")[0] == kind if kind.endswith("Error") else answer == expected


@pytest.mark.parametrize("expression", DIFFERS)
def test_otherwise(expression):
    assert construct_cases.answer(expression).startswith(DIFFERS[expression])


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        (
            "S(i,L([1.,2.,3.]))",
            "indices and values must have same nnz, but got nnz from indices: 2, nnz from values: 3",
        ),
        ("S(i,v,(3,))", "'len(size) == sparse_dim + dense_dim' is not satisfied"),
        ("S(i,torch.ones(2,5),(3,4,6))", "values has incorrect size, expected [2, 6], got [2, 5]"),
        ("S(-i,v)", "found negative index -1 for dim 0"),
        (
            "S(i,v,(1,1),check_invariants=True)",
            "size is inconsistent with indices: for dim 0, size is 1 but found index 1",
        ),
        ("S(L([[1,1]]),v,(3,),is_coalesced=True,check_invariants=True)", "cannot set is_coalesced to true if indices"),
        ("R(L([1,1,2]),co,v,(2,3),check_invariants=True)", "`crow_indices[..., 0] == 0` is not satisfied."),
        ("R(L([0,1,1]),co,v,(2,3),check_invariants=True)", "`crow_indices[..., -1] == nnz` is not satisfied."),
        ("R(L([0,2,2]),co,v,(2,3),check_invariants=True)", "sorted and distinct"),
        ("R(cr,co.int(),v,check_invariants=True)", "crow_indices and col_indices must have the same dtype"),
        ("R(cr,co,v,layout=csc)", "sparse_csr_tensor: layout must be SparseCsr but got SparseCsc"),
        ("S(S(i,v),v)", "expected indices to be a dense tensor, but got indices of layout Sparse"),
        (
            "torch.zeros(3,layout=csr)",
            "Only batched sparse compressed (non-block) tensors are supported, but got size [3]",
        ),
        ("torch.ones(2,3,layout=coo)", "full(...) is not implemented for sparse layout"),
        ("torch.sparse.FloatTensor([3,4])", "only accepts sizes"),
    ],
)
def test_what_is_said(expression, says):
    assert says in construct_cases.answer(expression)
    assert expression in DIFFERS or says in ANSWERS[expression]


def test_members_are_shared():
    indices, values = torch.tensor([[0, 1], [2, 0]]), torch.ones(2)
    x = torch.sparse_coo_tensor(indices, values, (3, 3))
    assert x._values().data_ptr() == values.data_ptr() and x._indices().data_ptr() == indices.data_ptr()
    begins, places = torch.tensor([0, 1, 2]), torch.tensor([2, 0])
    x = torch.sparse_csr_tensor(begins, places, values, (2, 3))
    members = x.crow_indices(), x.col_indices(), x.values()
    assert [m.data_ptr() for m in members] == [begins.data_ptr(), places.data_ptr(), values.data_ptr()]


def test_values_keep_their_history():
    values = torch.tensor([1.0, 2.0], requires_grad=True)
    for x in (
        torch.sparse_coo_tensor([[0, 1], [2, 0]], values, (2, 3)),
        torch.sparse_csr_tensor([0, 1, 2], [2, 0], values, (2, 3)),
    ):
        values.grad = None
        (x.to_dense() * torch.arange(6.0).reshape(2, 3)).sum().backward()
        assert not x.is_leaf and values.grad.tolist() == [2, 3]


def test_checks_are_asked_for():
    unsorted = [0, 2], [1, 0], [1.0, 2.0], (1, 2)
    assert not checks.is_enabled() and torch.sparse_csr_tensor(*unsorted)._nnz() == 2
    with checks() as entered:
        assert checks.is_enabled() and isinstance(entered, checks)
        with pytest.raises(RuntimeError, match="sorted and distinct"):
            torch.sparse_csr_tensor(*unsorted)
        with checks(enable=False):
            assert torch.sparse_csr_tensor(*unsorted)._nnz() == 2
        torch.sparse_csr_tensor(*unsorted, check_invariants=False)
        assert checks.is_enabled()
    assert not checks.is_enabled()

    @checks()
    def inside(x, *, y):
        return checks.is_enabled(), x, y

    assert inside(1, y=2) == (True, 1, 2) and inside.__name__ == "inside" and not checks.is_enabled()
    with pytest.raises(ValueError), checks():
        raise ValueError
    try:
        checks.enable()
        assert checks.is_enabled()
    finally:
        checks.disable()


def test_checks_that_are_entered_twice():
    again = checks()
    with again, pytest.raises(RuntimeError, match="already activated"), again:
        pass
    assert not checks.is_enabled()


def test_bounds_are_looked_at_by_what_uses_them():
    for x in (torch.sparse_coo_tensor([[7]], [1.0], (3,)), torch.sparse_csr_tensor([0, 1], [7], [1.0], (1, 3))):
        with pytest.raises((RuntimeError, IndexError)):
            x.to_dense()


def test_types_of_2017():
    x = torch.eye(2).to_sparse()
    assert isinstance(x, torch.sparse.FloatTensor) and not isinstance(x, (torch.FloatTensor, torch.sparse.DoubleTensor))
    assert not isinstance(torch.ones(2), torch.sparse.FloatTensor)
    assert not isinstance(x.to_sparse_csr(), (torch.FloatTensor, torch.sparse.FloatTensor))
    kind = torch.sparse.FloatTensor
    assert (kind.is_sparse, kind.is_cuda, kind.layout, kind.dtype) == (True, False, torch.sparse_coo, torch.float32)
    assert repr(kind) == "<class 'torch.sparse.FloatTensor'>"
    assert x.type() == "torch.sparse.FloatTensor" and x.bool().type() == "torch.sparse.BoolTensor"
    for wanted in ("torch.sparse.DoubleTensor", torch.sparse.DoubleTensor, "torch.DoubleTensor", torch.float64):
        assert x.type(wanted).type() == "torch.sparse.DoubleTensor"
    assert torch.ones(2).type("torch.sparse.DoubleTensor").type() == "torch.DoubleTensor"
    with pytest.raises(RuntimeError, match="Unimplemented backend"):
        x.to_sparse_csr().type()
    with pytest.raises(TypeError, match="only dense types are supported as the default type"):
        torch.set_default_tensor_type(torch.sparse.FloatTensor)


def test_threads_make_tensors():
    made = []
    threads = [
        threading.Thread(target=lambda: made.append(torch.zeros(2, 2, layout=torch.sparse_coo))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [x.layout for x in made] == [torch.sparse_coo] * 4


@pytest.mark.parametrize("number", [0, 1, 6, -2, 2**40])
def test_numbers_that_are_no_compressed_layout(number):
    rows, columns, values = torch.tensor([0, 1]), torch.tensor([0]), torch.ones(1)
    with pytest.raises(ValueError, match=f"2 to 5, got {number}"):
        torch._to_sparse_compressed(torch.ones(2, 2), number)
    with pytest.raises(ValueError, match=f"2 to 5, got {number}"):
        torch._sparse_compressed_tensor_unsafe(rows, columns, values, (1, 1), number)
