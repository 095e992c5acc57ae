"""Sparse tensors whose indices lie, made without `check_invariants`, and what cannot be done: operators raise, or
answer, and neither reach memory that is not theirs nor change anything. Types of exceptions are PyTorch's."""

import builtins
import io
import pickle
import warnings

import pytest
import torch

REFUSALS = (RuntimeError, IndexError, TypeError, ValueError, BufferError, AttributeError)
V = [1.0, -2.0, 3.0]
FAR = 2**40


def coo(places, size=(3, 4), values=V, **more):
    values = torch.tensor(values, dtype=torch.float64)
    return torch.sparse_coo_tensor(torch.tensor(places), values, size, check_invariants=False, **more)


def csr(begins, places, size=(3, 4), layout=torch.sparse_csr, values=V):
    values = torch.tensor(values, dtype=torch.float64)
    begins, places = torch.tensor(begins), torch.tensor(places)
    return torch.sparse_compressed_tensor(begins, places, values, size, layout=layout, check_invariants=False)


BLOCK = [[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]
# Indices that lead out of the tensor.
OUTSIDE = {
    "row -1": lambda: coo([[0, -1, 2], [1, 2, 3]]),
    "column -1": lambda: coo([[0, 1, 2], [1, -1, 3]]),
    "row too far": lambda: coo([[0, 1, 3], [1, 2, 3]]),
    "column too far": lambda: coo([[0, 1, 2], [4, 2, 3]]),
    "very far": lambda: coo([[0, FAR, 2], [1, 2, 3]]),
    "very far below": lambda: coo([[0, 1, -FAR], [1, 2, 3]]),
    "called coalesced": lambda: coo([[0, 1, 7], [1, 2, 3]], is_coalesced=True),
    "no rows": lambda: coo([[0, 0, 0], [1, 2, 3]], (0, 4)),
    "hybrid": lambda: coo([[0, 9, 1]], (3, 2), [[1.0, 2.0]] * 3),
    "csr column too far": lambda: csr([0, 1, 2, 3], [1, 2, 4]),
    "csr column -1": lambda: csr([0, 1, 2, 3], [1, -1, 2]),
    "csr very far": lambda: csr([0, 1, 2, 3], [1, FAR, 2]),
    "csr begins at 1": lambda: csr([1, 1, 2, 3], [1, 2, 3]),
    "csr ends early": lambda: csr([0, 1, 2, 2], [1, 2, 3]),
    "csr ends late": lambda: csr([0, 1, 2, 9], [1, 2, 3]),
    "csr descends": lambda: csr([0, 3, 1, 3], [1, 2, 3]),
    "csr goes far and comes back": lambda: csr([0, 1000, 1, 3], [1, 2, 3], (3, 5000)),
    "csr negative beginning": lambda: csr([0, -5, 1, 3], [1, 2, 3]),
    "csc row too far": lambda: csr([0, 1, 2, 3, 3], [1, 2, 3], layout=torch.sparse_csc),
    "csc descends": lambda: csr([0, 3, 2, 1, 3], [0, 1, 2], layout=torch.sparse_csc),
    "bsr column too far": lambda: csr([0, 1, 2, 3], [0, 2, 1], layout=torch.sparse_bsr, values=BLOCK),
    "bsc ends late": lambda: csr([0, 1, 30], [0, 2, 1], layout=torch.sparse_bsc, values=BLOCK),
    "int32": lambda: torch.sparse_csr_tensor(
        torch.tensor([0, 1, 2, 3]).int(), torch.tensor([1, 2, 70]).int(), torch.tensor(V).double(), (3, 4)
    ),
    "batch": lambda: torch.sparse_csr_tensor(
        torch.tensor([[0, 1, 2], [0, 5, 2]]), torch.tensor([[0, 1], [0, 1]]), torch.ones(2, 2).double(), (2, 2, 4)
    ),
}
# Places that are no set in order: nothing is out of bounds, but there is more than one answer.
CONFUSED = {
    "twice, called coalesced": lambda: coo([[1, 1, 1], [2, 2, 2]], is_coalesced=True),
    "in no order, called coalesced": lambda: coo([[2, 0, 1], [0, 3, 1]], is_coalesced=True),
    "csr columns in no order": lambda: csr([0, 3, 3, 3], [2, 0, 1]),
    "csr columns twice": lambda: csr([0, 3, 3, 3], [1, 1, 1]),
    "csr more entries than columns": lambda: csr([0, 3], [0, 0, 0], (1, 1)),
}
DENSE = torch.arange(12.0, dtype=torch.float64).reshape(3, 4)
FULL = torch.ones(4, 4, dtype=torch.float64)


def dense_like(t):
    return torch.ones(t.shape, dtype=t.dtype)


# What reads places: of OUTSIDE they raise.
READERS = {
    "to_dense": lambda t: t.to_dense(),
    "coalesce": lambda t: t.to_sparse().coalesce(),
    "added to dense": lambda t: dense_like(t) + t,
    "added to dense in place": lambda t: dense_like(t).add_(t),
    "subtracted in place": lambda t: dense_like(t).sub_(t, alpha=2),
    "product of elements": lambda t: t * dense_like(t),
    "sum": lambda t: t + t.clone(),
    "joined": lambda t: torch.cat([t, t]),
    "stack": lambda t: torch.stack([t, t]),
    "reshape": lambda t: t.reshape(-1),
    "flip": lambda t: t.flip(0),
    "repeat": lambda t: t.repeat(*[2] * t.dim()),
    "sum of a dimension": lambda t: t.sum(0),
    "amax": lambda t: t.amax(1),
    "softmax": lambda t: torch.sparse.softmax(t, 1),
    "select": lambda t: t[0],
    "slice": lambda t: t[1:2],
    "list": lambda t: t[[0, 0]],
    "unbind": lambda t: t.unbind(0),
    "kron": lambda t: torch.kron(t, t),
    "mask": lambda t: dense_like(t).sparse_mask(t),
    "nonzero": lambda t: t.nonzero(),
    "to csr": lambda t: t.to_sparse_csr() if t.layout != torch.sparse_csr else t.to_sparse_csc(),
    "to blocks": lambda t: t.to_sparse(layout=torch.sparse_bsr, blocksize=(1, 1)),
    "comparison": lambda t: torch.equal(t, t.clone()),
    "function": lambda t: t.abs(),
    "function in place": lambda t: t.neg_(),
    "times a number in place": lambda t: t.mul_(2),
}
MATRIX_READERS = {
    "from the left": lambda t: t @ torch.ones(t.shape[-1], 3, dtype=t.dtype),
    "from the right": lambda t: torch.ones(2, t.shape[-2], dtype=t.dtype) @ t,
    "vector": lambda t: t @ torch.ones(t.shape[-1], dtype=t.dtype),
    "turned": lambda t: t.t() @ torch.ones(t.shape[0], 3, dtype=t.dtype),
    "addmm": lambda t: torch.addmm(torch.ones(1, 3).double(), t, torch.ones(t.shape[1], 3).double()),
    "sparse": lambda t: t @ t.t(),
    "sampled": lambda t: torch.sparse.sampled_addmm(
        t, torch.ones(t.shape[0], 2).double(), torch.ones(2, t.shape[1]).double()
    ),
    "rows": lambda t: torch.hspmm(t, torch.ones(t.shape[1], 2).double()),
    "triangle": lambda t: t.tril(),
    "diagonal": lambda t: t.diagonal(),
    "transposed": lambda t: t.transpose(0, 1).to_dense(),
    "gradient": lambda t: torch.autograd.grad((t.requires_grad_() @ torch.ones(t.shape[1], 2).double()).sum(), t),
    "solved": lambda t: torch.triangular_solve(torch.ones(t.shape[0], 1).double(), t.to_sparse_csr()),
}


def parts(t):
    """All that a sparse tensor is, as it is."""
    if t.layout == torch.strided:
        return [t.tolist()]
    if t.layout == torch.sparse_coo:
        members = t._indices(), t._values()
    elif t.layout in (torch.sparse_csr, torch.sparse_bsr):
        members = t.crow_indices(), t.col_indices(), t.values()
    else:
        members = t.ccol_indices(), t.row_indices(), t.values()
    return [t.layout, t.shape, *(m.detach().tolist() for m in members)]


@pytest.mark.parametrize("lie", OUTSIDE)
def test_indices_that_lead_out(lie):
    for name, read in {**READERS, **MATRIX_READERS}.items():
        t = OUTSIDE[lie]()
        if name in MATRIX_READERS and (t.dim() != 2 or lie == "hybrid"):
            continue
        before = parts(t)
        try:
            result = read(t)
        except REFUSALS:
            pass
        else:  # all of it is the same lie
            assert parts(result) == before, f"{name} is {result}"
        assert parts(t) == before, name
    t = OUTSIDE[lie]()
    with pytest.raises(RuntimeError):
        torch._validate_sparse_tensor(t)
    assert repr(t) and (not t.is_sparse or not t.is_coalesced() or t.indices().tolist())  # it can be looked at


@pytest.mark.parametrize("lie", CONFUSED)
def test_places_that_are_confused(lie):
    """Whatever the answer is, it comes without a crash."""
    for read in [*READERS.values(), *MATRIX_READERS.values()]:
        t = CONFUSED[lie]()
        try:
            read(t)
        except REFUSALS:
            pass
    with pytest.raises(RuntimeError):
        torch._validate_sparse_tensor(CONFUSED[lie]())


def test_strided_tensors_stay_as_they_are():
    for lie in OUTSIDE.values():
        start = dense_like(lie())
        for write in (start.add_, start.sub_, start.mul_, start.copy_):
            with pytest.raises(RuntimeError):
                write(lie())
        assert torch.equal(start, dense_like(start))
    with pytest.raises(RuntimeError, match="found negative index -1 for dim 0"):
        torch.zeros(3, 4).double().add_(OUTSIDE["row -1"]())


def test_indices_that_are_changed_later():
    for t, indices in (
        (DENSE.to_sparse(), lambda t: t._indices()),
        (DENSE.to_sparse_csr(), lambda t: t.col_indices()),
    ):
        assert torch.equal(t @ FULL, DENSE @ FULL)  # looked at, and found to be in bounds
        indices(t)[..., 1] = 77
        with pytest.raises(RuntimeError):
            t @ FULL


@pytest.mark.parametrize(
    ("size", "sparse_dim"), [((2**40, 2**40), 2), ((2**62, 4), 2), ((2**31, 2**31, 2), 3), ((2**63 - 1, 2), 1)], ids=str
)
def test_sizes_that_overflow(size, sparse_dim):
    places, values = torch.zeros(sparse_dim, 1, dtype=torch.int64), torch.ones(1, *size[sparse_dim:][:0])
    with pytest.raises((RuntimeError, ValueError, OverflowError)):
        torch.sparse_coo_tensor(places, values, size)
    with pytest.raises((RuntimeError, ValueError, OverflowError)):
        torch.sparse_coo_tensor(size)
    t = torch.eye(2).to_sparse()
    for change in (t.sparse_resize_, t.sparse_resize_and_clear_):
        with pytest.raises((RuntimeError, ValueError, OverflowError)):
            change(size, sparse_dim, len(size) - sparse_dim)
    assert torch.equal(t.to_dense(), torch.eye(2))


def test_sizes_that_nearly_overflow():
    """Places are numbers of 63 bits."""
    n = 2**31 - 1
    t = torch.sparse_coo_tensor([[n - 1, 0, n - 1], [n - 1, 5, n - 1]], [1.0, 2.0, 3.0], (n, n)).coalesce()
    assert t.indices().tolist() == [[0, n - 1], [5, n - 1]] and t.values().tolist() == [2, 4]
    assert (t + t.t()).coalesce()._nnz() == 3 and t.sum(0)._nnz() == 2 and float(t.sum()) == 6
    for function in (lambda: t.to_dense(), lambda: torch.cat([t] * 8, 1).repeat(2**3, 1), lambda: torch.kron(t, t)):
        with pytest.raises((RuntimeError, MemoryError)):
            function()


A = DENSE.to_sparse()
R = DENSE.to_sparse_csr()
# What PyTorch 2.13 raises, too, in the same class of exceptions. Names: a, r of DENSE; h has a dense dimension, v one dimension.
REFUSED = """
IndexError: a.index_select(0, torch.tensor([0.5])) | a.index_select(0, torch.tensor([3]))
IndexError: a.index_select(0, torch.tensor([[0]])) | a.index_select(0, torch.tensor([True]))
IndexError: a.index_select(2, torch.tensor([0])) | a.index_select(0, a) | a[3] | a[-4] | a[0, 0, 0] | a[:, 4] | a[1.5]
IndexError: a[2**62] | a.select(0, 3) | a.narrow(2, 0, 1) | a.unsqueeze(3) | a.squeeze(2) | torch.sum(a, 5)
RuntimeError: r.stride() | r.stride(0) | r.is_contiguous() | a.narrow(0, 0, 4) | a.permute(0) | a.permute(0, 0)
RuntimeError: h.transpose(0, 2) | a + 1 | 1 + a | a.add_(1) | a + o | a.add_(o) | a * o | a / a | o @ a | a.add_(d)
RuntimeError: d.add_(o) | a.copy_(d) | d.copy_(a) | i.add_(a) | i.mul_(1.5) | i.div_(2) | d.long().add_(a) | u.abs_()
RuntimeError: u.sin_() | u.values() | u.indices() | d.indices() | d.values() | d.crow_indices() | r.ccol_indices()
RuntimeError: r.indices() | d._coalesced_(True) | r._coalesced_(True) | torch.cat([a, d]) | torch.cat([a, h])
RuntimeError: torch.cat([a, o], 1) | torch.stack([a, o]) | torch.add(a, a, out=d.long()) | a.view(-1)
RuntimeError: a.as_strided((2,), (1,)) | a.storage() | a.untyped_storage() | a.data_ptr() | a.share_memory_()
RuntimeError: a.item() | a.sparse_resize_((2, 4), 2, 0) | a.sparse_resize_((3, 4), 1, 1)
RuntimeError: a.sparse_resize_((-3, 4), 2, 0) | a.fill_(1) | a.normal_() | a.masked_fill_(d > 0, 1)
RuntimeError: a.index_add_(0, torch.tensor([0]), d[:1]) | a.scatter_(0, torch.tensor([[0]]), 1.0) | a.sort()
RuntimeError: a.cumsum(0) | torch.fft.fft(a) | torch.linalg.svd(a) | torch.where(d > 0, a, d) | d.masked_select(a)
RuntimeError: a.exp() | r.cos() | d.to_sparse_bsr((2, 2)) | d.to_sparse_bsr((0, 1)) | d.to_sparse(3)
RuntimeError: v.to_sparse_csr() | d.sparse_mask(d) | d.sparse_mask(o) | torch.mm(a, v) | torch.mm(a, a)
RuntimeError: torch.mm(a, FULL.float()) | torch.hspmm(d, d) | torch.sparse.sampled_addmm(d, d, d.t())
RuntimeError: torch.add(i, i, alpha=0.5) | a.to_sparse(3) | torch.sparse.softmax(i, 0) | a.reshape(5) | a.expand(2, 3)
RuntimeError: a.repeat(2)
TypeError: a.numpy() | a.add_(None) | a * "x" | torch.cat([a, 3]) | hash_of([a]) | a.index_select(0, [0])
ValueError: a[::-1] | torch.cat([])
"""
CASES = [
    (kind, case)
    for line in REFUSED.strip().splitlines()
    for kind, cases in [line.split(": ", 1)]
    for case in cases.split(" | ")
]


def hash_of(t):
    return hash(t)


def operands():
    d = DENSE.clone()
    return {
        "torch": torch,
        "hash_of": hash_of,
        "FULL": FULL,
        "d": d,
        "a": d.to_sparse(),
        "i": d.long().to_sparse(),
        "r": d.to_sparse_csr(),
        "o": FULL.to_sparse(),
        "v": d[0].to_sparse(),
        "h": torch.stack([d, d], -1).to_sparse(2),
        "u": coo([[1, 1, 0], [2, 2, 0]]),
    }


@pytest.mark.parametrize(("kind", "case"), CASES, ids=[case for _, case in CASES])
def test_what_cannot_be_done(kind, case):
    names = operands()
    before = {name: parts(t) for name, t in names.items() if isinstance(t, torch.Tensor)}
    with pytest.raises(getattr(builtins, kind)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        eval(case, names)
    assert {name: parts(names[name]) for name in before} == before


def test_in_place_a_size_stays():
    """A strided tensor does not become as large as the sparse one that it is multiplied by."""
    for write in ("mul_", "add_", "sub_", "maximum", "ne_", "lerp_"):
        start = torch.ones(4, dtype=torch.float64)
        with pytest.raises(RuntimeError):
            if write == "maximum":
                start.copy_(torch.maximum(start, A))
            elif write == "lerp_":
                start.lerp_(A, 0.5)
            else:
                getattr(start, write)(A)
        assert torch.equal(start, torch.ones(4, dtype=torch.float64))


def test_tensors_of_other_dimensions_are_not_joined():
    """No size is read that is not there."""
    hybrid = torch.ones(2, 3, 4).to_sparse(1)
    with pytest.raises(RuntimeError, match="same shape"):
        torch.cat([hybrid, torch.ones(3).to_sparse()], -1)
    with pytest.raises(RuntimeError, match="same shape"):
        torch.stack([hybrid, torch.ones(3).to_sparse()], -1)


def test_files_that_lie_with_checks_on():
    """They are refused when they are read, and the mode is as it was."""
    lie = OUTSIDE["row too far"]()
    file = io.BytesIO()
    torch.save(lie, file)
    with torch.sparse.check_sparse_tensor_invariants():
        file.seek(0)
        with pytest.raises(RuntimeError, match="found index 3"):
            torch.load(file)
        with pytest.raises(RuntimeError, match="found index 3"):
            pickle.loads(pickle.dumps(lie))
        assert torch.sparse.check_sparse_tensor_invariants.is_enabled()
        assert torch.sparse_coo_tensor([[9]], [1.0], (3,), check_invariants=False)._nnz() == 1


def test_checks_look_at_results():
    """The debug mode: every tensor that is made is looked at, whoever makes it."""
    members = torch.tensor([[5]]), torch.ones(1), (3,)
    assert torch._sparse_coo_tensor_unsafe(*members)._nnz() == 1
    with torch.sparse.check_sparse_tensor_invariants():
        with pytest.raises(RuntimeError, match="found index 5"):
            torch._sparse_coo_tensor_unsafe(*members)
        with pytest.raises(RuntimeError, match="uncoalesced"):
            coo([[1, 1, 0], [2, 2, 0]])._coalesced_(True)
        with pytest.raises(RuntimeError, match="uncoalesced"):
            torch.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (3,), is_coalesced=True)
        with pytest.raises(RuntimeError, match="sorted and distinct"):
            torch._sparse_compressed_tensor_unsafe(torch.tensor([0, 2]), torch.tensor([1, 0]), torch.ones(2), (1, 2), 2)
        assert (A + A).t().coalesce()._nnz() == A._nnz()
    again = coo([[1, 1, 0], [2, 2, 0]])
    again._coalesced_(True)
    assert again.is_coalesced()
