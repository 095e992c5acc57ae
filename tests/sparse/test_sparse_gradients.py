"""Gradients of and through sparse tensors: against finite differences, as functions of values; what leaves accumulate."""

import gc
import weakref

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

ROWS, COLUMNS = 3, 4
COORDINATES = [[0, 0, 1, 2], [0, 2, 1, 3]]


def coo(values, places=COORDINATES, coalesced=True):
    size = (ROWS, COLUMNS, *values.shape[1:])
    return torch.sparse_coo_tensor(torch.tensor(places), values, size, is_coalesced=coalesced)


def twice(values):
    """The first and the last entry have one place, and none is where it is sorted."""
    return coo(values, [[2, 0, 1, 2], [3, 0, 1, 3]], False)


def csr(values):
    return torch.sparse_csr_tensor(torch.tensor([0, 2, 3, 4]), torch.tensor([0, 2, 1, 3]), values, (ROWS, COLUMNS))


def csc(values):
    return torch.sparse_csc_tensor(torch.tensor([0, 1, 2, 3, 4]), torch.tensor([0, 1, 0, 2]), values, (ROWS, COLUMNS))


LAYOUTS = {"coo": coo, "twice": twice, "csr": csr, "csc": csc}
OTHER = (
    torch.sparse_coo_tensor([[0, 1, 1, 2], [0, 0, 1, 2]], [0.3, -0.7, 1.1, 0.4], (ROWS, COLUMNS)).double().coalesce()
)
WIDE = torch.linspace(-1, 1, COLUMNS * 2, dtype=torch.float64).view(COLUMNS, 2)
SAME = torch.linspace(0.5, 2, ROWS * COLUMNS, dtype=torch.float64).view(ROWS, COLUMNS)

UNARY = """abs neg sin tan sinh tanh asin atan asinh atanh sqrt expm1 log1p erf deg2rad rad2deg relu""".split()
# Functions of a sparse tensor (ROWS, COLUMNS) and a strided one of the size that stands beside.
WITH_DENSE = {
    "mm": (lambda s, d: torch.mm(s, d), WIDE),
    "sparse.mm": (lambda s, d: torch.sparse.mm(s, d), WIDE),
    "mm of strided and sparse": (lambda s, d: torch.mm(d, s), WIDE.view(2, 4)[:, :3]),
    "mv": (lambda s, d: torch.mv(s, d), WIDE[:, 0]),
    "matmul": (lambda s, d: s @ d, WIDE),
    "addmm": (lambda s, d: torch.addmm(SAME[:, :2], s, d, beta=0.5, alpha=2), WIDE),
    "sparse.addmm": (lambda s, d: torch.sparse.addmm(SAME[:, :2], s, d), WIDE),
    "mul": (lambda s, d: s * d, SAME),
    "div": (lambda s, d: s / d, SAME),
    "add": (lambda s, d: d + s, SAME),
    "add alpha": (lambda s, d: torch.add(d, s, alpha=3), SAME),
    "sub": (lambda s, d: d - s, SAME),
    "sparse_mask": (lambda s, d: d.sparse_mask(s) * 2, SAME),
}
ALONE = {
    "to_dense": lambda s: s.to_dense(),
    "clone": lambda s: s.clone(),
    "times a number": lambda s: s * 3,
    "through a number": lambda s: s / 3,
    "pow": lambda s: s**2,
    "t": lambda s: s.t(),
    "transpose": lambda s: s.transpose(0, 1),
    "add": lambda s: s + s,
    "sum": lambda s: s.sum(),
    "to_sparse": lambda s: s.to_sparse(),
    "to_sparse_csr": lambda s: s.to_sparse_csr(),
    "to_sparse_csc": lambda s: s.to_sparse_csc(),
    "to another dtype": lambda s: s.to(torch.complex128).to_dense().real,
    "times itself": lambda s: s * s,
}
BY_COORDINATES = {
    "coalesce": lambda s: s.coalesce(),
    "permute": lambda s: s.permute(1, 0),
    "unsqueeze": lambda s: s.unsqueeze(1),
    "select": lambda s: s[0],
    "select the last": lambda s: s[2, 3],
    "narrow": lambda s: torch.narrow(s, 1, 1, 3),
    "narrow_copy": lambda s: s.narrow_copy(1, 1, 3),
    "index_select": lambda s: s.index_select(1, torch.tensor([3, 0, 3])),
    "cat": lambda s: torch.cat([s, s * 2], 1),
    "stack": lambda s: torch.stack([s, s]),
    "add of another": lambda s: s + OTHER,
    "sub of another": lambda s: torch.sub(OTHER, s, alpha=2),
    "mul by another": lambda s: s * OTHER,
    "mm with another": lambda s: torch.mm(s, OTHER.t()),
    "mm of another": lambda s: torch.sparse.mm(OTHER.t(), s),
    "sum over rows": lambda s: torch.sparse.sum(s, 0),
    "sum over columns": lambda s: torch.sparse.sum(s, 1),
    "sum, kept": lambda s: s.sum(1, keepdim=True),
    "sparse_mask": lambda s: s.sparse_mask(OTHER),
    "to_sparse_bsr": lambda s: s.to_sparse_bsr((3, 2)),
    "to_sparse_bsc": lambda s: s.to_sparse_bsc((1, 2)),
}


def numbers():
    return torch.tensor([0.4, 0.8, 0.3, 0.5], dtype=torch.float64, requires_grad=True)


def dense(t):
    return t if t.layout == torch.strided else t.to_dense()


def check(function, *inputs):
    assert gradcheck(function, inputs)
    assert gradgradcheck(function, inputs)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", UNARY)
def test_of_functions_of_values(layout, name):
    check(lambda v: dense(getattr(torch, name)(LAYOUTS[layout](v))), numbers())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ALONE)
def test_of_a_sparse_tensor(layout, name):
    check(lambda v: dense(ALONE[name](LAYOUTS[layout](v))), numbers())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", WITH_DENSE)
def test_with_a_strided_tensor(layout, name):
    function, other = WITH_DENSE[name]
    made = other.clone().requires_grad_()
    check(lambda v, d: dense(function(LAYOUTS[layout](v), d)), numbers(), made)


@pytest.mark.parametrize("layout", ["coo", "twice"])
@pytest.mark.parametrize("name", BY_COORDINATES)
def test_by_coordinates(layout, name):
    check(lambda v: dense(BY_COORDINATES[name](LAYOUTS[layout](v))), numbers())


@pytest.mark.parametrize("name", ["to_dense", "times a number", "sum", "t", "clone", "add"])
def test_of_hybrids(name):
    values = torch.linspace(0.2, 0.9, 8, dtype=torch.float64).view(4, 2).requires_grad_()
    function = {**ALONE, "t": lambda s: s.transpose(0, 1)}[name]
    for coalesced in (True, False):
        check(lambda v, c=coalesced: dense(function(coo(v, coalesced=c))), values)


def test_of_complex_values():
    values = torch.tensor([1 + 2j, 0.5j, -1, 0.3 - 0.1j], dtype=torch.complex128, requires_grad=True)
    matrix = (WIDE + 1j * WIDE.flip(0)).requires_grad_()
    for layout in ("coo", "twice", "csr"):
        check(lambda v, d, make=LAYOUTS[layout]: torch.mm(make(v), d), values, matrix)
        check(lambda v, make=LAYOUTS[layout]: (make(v) * (2 - 1j)).to_dense(), values)


# ---- gradients of leaves -------------------------------------------------------------------------------------
def leaf(layout="coo"):
    return LAYOUTS[layout](numbers().detach()).requires_grad_()


@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_layout_of_gradients(layout):
    a = leaf(layout)
    a.to_dense().sum().backward()
    assert a.grad.layout == a.layout and a.grad._nnz() == 4
    assert torch.equal(a.grad.to_dense(), (a.detach().to_dense() != 0).double())
    a.grad = None
    torch.sparse.mm(a, WIDE).sum().backward()
    assert a.grad.layout == a.layout and a.grad._nnz() == 4


CONVERTED = {
    "coo": lambda d: d.to_sparse(),
    "hybrid": lambda d: d.to_sparse(1),
    "csr": lambda d: d.to_sparse_csr(),
    "csc": lambda d: d.to_sparse_csc(),
    "bsr": lambda d: d.to_sparse_bsr((1, 2)),
    "bsc": lambda d: d.to_sparse_bsc((3, 2)),
}


@pytest.mark.parametrize("layout", CONVERTED)
def test_leaves_of_every_layout_accumulate(layout):
    start = torch.tensor([[1.0, 0, 2, 0], [0, 0, 0, 0], [3, 0, 0, 4]], dtype=torch.float64)
    a = CONVERTED[layout](start).requires_grad_()
    for use in (
        lambda a: (a.to_dense() * SAME).sum(),
        lambda a: (a * 2).to_dense().sum(),
        lambda a: a.clone().to_dense().sum() + a.sum(),
        lambda a: torch.sparse.sum(a, 0).to_dense().sum(),
    ):
        use(a).backward()
    assert a.grad.layout == a.layout
    assert torch.allclose(a.grad.to_dense()[start != 0], SAME[start != 0] + 5)


def test_a_gradient_of_all_elements():
    a = leaf()
    a.to_dense(masked_grad=False).sum().backward()
    assert torch.equal(dense(a.grad), torch.ones(ROWS, COLUMNS).double())


def test_gradients_of_entries_of_one_place():
    a = leaf("twice")
    a.to_dense().backward(SAME)
    assert a.grad._nnz() == 3 and torch.equal(a.grad.to_dense(), SAME * (a.detach().to_dense() != 0))
    values = numbers()
    (twice(values) * 2).to_dense().backward(SAME)
    assert torch.allclose(values.grad, 2 * SAME[[2, 0, 1, 2], [3, 0, 1, 3]])


def test_accumulation():
    a = leaf()
    (a * 2).to_dense().sum().backward()
    first = a.grad
    (a * 3).to_dense().sum().backward()
    assert a.grad is first and a.grad.layout == torch.sparse_coo
    assert torch.equal(a.grad.coalesce().values(), torch.full((4,), 5.0).double())
    (a.to_dense() * a.to_dense()).sum().backward()
    assert torch.allclose(a.grad.coalesce().values(), 5 + 2 * numbers())


ROWS_OF_TABLE = torch.tensor([[1, 2, 1], [0, 2, 4]])


def table():
    return torch.linspace(-1, 1, 15, dtype=torch.float64).view(5, 3).requires_grad_()


def sparse_use(t):
    return torch.nn.functional.embedding(ROWS_OF_TABLE, t, sparse=True).sum()


def times():
    return torch.tensor([1.0, 2, 2, 0, 1], dtype=torch.float64).view(5, 1).expand(5, 3)


@pytest.mark.parametrize("sparse_first", [True, False])
def test_sparse_and_strided_gradients_of_one_leaf(sparse_first):
    t = table()
    uses = [sparse_use, lambda t: (3 * t).sum()]
    for use in uses if sparse_first else reversed(uses):
        use(t).backward()
    assert t.grad.layout == torch.strided and torch.equal(t.grad, times() + 3)
    t.grad = None
    (uses[0](t) + uses[1](t)).backward()
    assert t.grad.layout == torch.strided and torch.equal(t.grad, times() + 3)


def test_sparse_gradients_of_one_leaf():
    t = table()
    (sparse_use(t) + sparse_use(t)).backward()
    assert t.grad.layout == torch.sparse_coo and torch.equal(t.grad.to_dense(), 2 * times())
    kept = t.grad
    sparse_use(t).backward()
    assert t.grad is kept and t.grad._nnz() == 6 and torch.equal(t.grad.to_dense(), 3 * times())


def test_what_the_gradient_came_from_stays():
    t = table()
    given = torch.ones(2, 3, 3, dtype=torch.float64)
    torch.nn.functional.embedding(ROWS_OF_TABLE, t, sparse=True).backward(given)
    places = t.grad._indices().clone()
    t.grad._values().mul_(7)
    assert torch.equal(given, torch.ones(2, 3, 3))
    moved = ROWS_OF_TABLE.clone()
    moved.fill_(0)
    assert torch.equal(t.grad._indices(), places)


def test_hooks_and_retained_gradients():
    a, seen = leaf(), []
    a.register_hook(lambda grad: seen.append(grad.layout) or grad * 2)
    a.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.layout))
    middle = a * 3
    middle.retain_grad()
    middle.to_dense().sum().backward()
    assert seen == [torch.sparse_coo] * 2
    assert torch.equal(dense(middle.grad), (a.detach().to_dense() != 0).double())
    assert torch.equal(dense(a.grad), 6 * (a.detach().to_dense() != 0).double())


def test_zero_grad_keeps_the_layout():
    t = torch.nn.Parameter(table().detach())
    optimizer = torch.optim.SGD([t], lr=1.0)
    sparse_use(t).backward()
    kept = t.grad
    optimizer.zero_grad(set_to_none=False)
    assert t.grad is kept and t.grad.layout == torch.sparse_coo and t.grad._nnz() == 0
    sparse_use(t).backward()
    assert torch.equal(t.grad.to_dense(), times())
    optimizer.zero_grad()
    assert t.grad is None


def test_create_graph():
    a = leaf()
    (grad,) = torch.autograd.grad((a.to_dense() ** 3).sum(), a, create_graph=True)
    assert grad.layout == torch.sparse_coo and grad.requires_grad
    (second,) = torch.autograd.grad(grad.to_dense().sum(), a)
    assert torch.allclose(second.to_dense(), 6 * a.detach().to_dense())
    (a.to_dense() ** 2).sum().backward(create_graph=True)
    assert a.grad.requires_grad
    t = table()
    (grad,) = torch.autograd.grad(
        (torch.nn.functional.embedding(ROWS_OF_TABLE, t, sparse=True) ** 2).sum(), t, create_graph=True
    )
    (second,) = torch.autograd.grad(grad.to_dense().sum(), t)
    assert second.layout == torch.sparse_coo and torch.equal(second.to_dense(), 2 * times())


def test_checkpoints():
    from torch.utils.checkpoint import checkpoint

    for reentrant in (True, False):
        a, d = leaf(), WIDE.clone().requires_grad_()
        checkpoint(lambda a, d: torch.tanh(torch.sparse.mm(a, d)), a, d, use_reentrant=reentrant).sum().backward()
        b, e = leaf(), WIDE.clone().requires_grad_()
        torch.tanh(torch.sparse.mm(b, e)).sum().backward()
        assert torch.equal(dense(a.grad), dense(b.grad)) and torch.equal(d.grad, e.grad)


def test_what_is_not_recorded():
    a = leaf()
    assert not a.detach().requires_grad and a.detach().layout == a.layout
    with torch.no_grad():
        assert not (a * 2).requires_grad
        a.mul_(2)
    assert torch.equal(a.detach().coalesce().values(), 2 * numbers())
    with pytest.raises((RuntimeError, NotImplementedError)):
        a.mul_(2)
    assert torch.equal(a.detach().coalesce().values(), 2 * numbers())
    assert a.is_leaf and not (a * 2).is_leaf
    pattern, d = leaf(), SAME.clone()
    assert d.sparse_mask(pattern.detach()).requires_grad is False


@pytest.mark.parametrize(
    "step",
    [
        lambda a, d: torch.sparse.mm(a, d),
        lambda a, d: (a * 2 + a).to_dense(),
        lambda a, d: sparse_use(d.repeat(2, 1)),
    ],
)
def test_steps_without_backward_leave_nothing(step):
    a, d = leaf(), WIDE.clone().requires_grad_()
    freed = []
    for _ in range(3):
        out = step(a, d)
        weakref.finalize(out, freed.append, 1)
        del out
    gc.collect()
    assert len(freed) == 3


# ---- gradcheck of sparse inputs ------------------------------------------------------------------------------
@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradcheck_masked(layout):
    a, d = leaf(layout), WIDE.clone().requires_grad_()
    for fast in (False, True):
        assert gradcheck(torch.sparse.mm, (a, d), masked=True, fast_mode=fast)
        assert gradcheck(lambda a: a.to_dense(), (a,), masked=True, fast_mode=fast)
    assert gradgradcheck(torch.sparse.mm, (a, d), masked=True)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradcheck_of_all_elements(layout):
    a = leaf(layout)
    assert gradcheck(lambda a: a.to_dense(masked_grad=False), (a,), masked=False)
    assert not gradcheck(lambda a: a.to_dense(), (a,), masked=False, raise_exception=False)
    assert not gradcheck(lambda a: a.to_dense(masked_grad=False), (a,), masked=True, raise_exception=False)


def test_gradcheck_refuses_sparse_outputs():
    with pytest.raises(ValueError, match="Sparse output is not supported at gradcheck yet"):
        gradcheck(lambda a: a * 2, (leaf(),), masked=True)
