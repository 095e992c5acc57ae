"""What operators of sparse tensors leave behind: nothing, not even for the garbage collector; and their bits do not depend on threads."""

import gc
import pathlib
import resource

import pytest
import torch

SIDE, ENTRIES, TIMES = 90, 5_000, 50
# A tensor has 120 kB of members. What is forgotten once in a call is 6 MB in the end.
FORGOTTEN = 3
LARGE = 300, 80_000  # more entries than one thread's share


def occupied():
    """What the process occupies, in MB, before anything is collected."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def matrix(seed=0, side=SIDE, entries=ENTRIES):
    """By coordinates, each of which is there once."""
    generator = torch.Generator().manual_seed(seed)
    places = torch.randperm(side * side, generator=generator)[:entries].sort()[0]
    values = torch.rand(entries, generator=generator, dtype=torch.float64) + 0.5
    return torch.sparse_coo_tensor(
        torch.stack([places // side, places % side]), values, (side, side), is_coalesced=True
    )


def uncoalesced(t):
    t = t.detach()
    order = torch.arange(2 * t._nnz()).flip(0)
    places, values = torch.cat([t._indices()] * 2, 1), torch.cat([t._values()] * 2)
    return torch.sparse_coo_tensor(places[:, order], values[order], t.shape)


def hybrid(t):
    return torch.sparse_coo_tensor(t._indices(), torch.stack([t._values(), t._values()], 1), (*t.shape, 2))


LAYOUTS = {
    "coo": lambda t: t.clone(),
    "csr": lambda t: t.to_sparse_csr(),
    "csc": lambda t: t.to_sparse_csc(),
    "bsr": lambda t: t.to_sparse_bsr((3, 2)),
    "bsc": lambda t: t.to_sparse_bsc((3, 2)),
}
OPERATORS = {
    "functions": lambda t, o, d: (
        t.abs().sin().sqrt(),
        t.neg(),
        t * 2,
        t / 3,
        t**2,
        t.clamp(-1, 1),
        t > 1,
        t.to(torch.float32),
    ),
    "sums": lambda t, o, d: (t + o, t - o, t + d, d + t, torch.add(t, o, alpha=2), t + t),
    "products": lambda t, o, d: (t * o, t * d, t * t, torch.maximum(t, o), torch.ne(t, o), torch.lerp(t, o, 0.5)),
    "matrices": lambda t, o, d: (t @ d, d @ t, t @ d[0], torch.addmm(d, t, d), t.t() @ d, t @ o),
    "reductions": lambda t, o, d: (
        t.sum(),
        t.sum(0),
        t.sum(1),
        t.mean(),
        t.norm(),
        t.amax(),
        t.amax(1),
        t.any(),
        t.to_sparse().prod(0),
    ),
    "shapes": lambda t, o, d: (
        t.t(),
        t[3],
        t[:, 5],
        t[2:9],
        t[[4, 1, 1]],
        t.flip(0),
        t.reshape(100, -1),
        t.unsqueeze(0),
    ),
    "joined": lambda t, o, d: (
        torch.cat([t, t]),
        torch.stack([t, t]),
        t.tril(),
        t.triu(),
        t.diagonal(),
        t.index_select(1, torch.arange(9)),
    ),
    "layouts": lambda t, o, d: (
        t.to_dense(),
        t.to_sparse(),
        t.to_sparse_csr(),
        t.to_sparse_csc(),
        t.to_sparse_bsr((2, 3)),
        t.values(),
    ),
    "softmax": lambda t, o, d: (
        torch.sparse.softmax(t, 1),
        torch.sparse.log_softmax(t, 0),
        torch.sparse.sum(t.to_sparse(), 0),
    ),
    "masks": lambda t, o, d: (d.sparse_mask(t), torch.equal(t, o), t.clone(), t.detach(), torch.zeros_like(t), repr(t)),
    "sampled": lambda t, o, d: (
        torch.sparse.sampled_addmm(t, d, d),
        torch.triangular_solve(d[:, :2], t.to_sparse_csr(), upper=False),
    ),
    "unbound": lambda t, o, d: (t.unbind(0)[:2], t.split(40), t.chunk(3, 1)),
}
IN_PLACE = {
    "functions": lambda t, o, d: (t.abs_(), t.neg_(), t.sqrt_(), t.mul_(2), t.div_(3), t.clamp_(-1, 1)),
    "sums": lambda t, o, d: (t.add_(t), t.sub_(o), d.add_(t), d.sub_(t, alpha=2)),
    "others": lambda t, o, d: (
        t.mul_(o),
        t.copy_(t.clone()),
        torch.neg(t, out=t),
        torch.mul(t, 2, out=t),
        t.zero_(),
        t.t_(),
    ),
}


def run(call):
    """What can be refused of a layout is, and leaves nothing behind either."""
    try:
        call()
    except RuntimeError:
        pass


def forgotten(call):
    for _ in range(5):
        run(call)
    gc.collect()
    gc.disable()
    try:
        before = occupied()
        for _ in range(TIMES):
            run(call)
        return occupied() - before
    finally:
        gc.enable()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name, layout):
    t, dense = LAYOUTS[layout](matrix()), torch.rand(SIDE, SIDE, dtype=torch.float64) + 0.5
    other = LAYOUTS[layout](matrix(1))
    assert forgotten(lambda: OPERATORS[name](t, other, dense)) < FORGOTTEN


@pytest.mark.parametrize("make", [uncoalesced, hybrid])
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_of_other_tensors(name, make):
    t, other, dense = make(matrix()), make(matrix(1)), torch.rand(SIDE, SIDE, dtype=torch.float64)
    assert forgotten(lambda: OPERATORS[name](t, other, dense)) < FORGOTTEN


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", IN_PLACE)
def test_operators_in_place(name, layout):
    t, dense = LAYOUTS[layout](matrix()), torch.rand(SIDE, SIDE, dtype=torch.float64)
    other = LAYOUTS[layout](matrix(1))
    assert forgotten(lambda: IN_PLACE[name](t, other, dense)) < FORGOTTEN


@pytest.mark.parametrize("layout", ["coo", "csr", "bsc"])
@pytest.mark.parametrize("name", OPERATORS)
def test_recorded_operators(name, layout):
    """With a backward pass through what can be added up, and without one."""
    t = LAYOUTS[layout](matrix()).requires_grad_()
    dense = (torch.rand(SIDE, SIDE, dtype=torch.float64) + 0.5).requires_grad_()
    other = LAYOUTS[layout](matrix(1)).requires_grad_()

    def step():
        t.grad = other.grad = dense.grad = None
        results = [r for r in OPERATORS[name](t, other, dense) if isinstance(r, torch.Tensor) and r.requires_grad]
        if results:
            sum(r.to_dense().sum() if r.layout != torch.strided else r.sum() for r in results).backward()

    assert forgotten(step) < FORGOTTEN
    assert forgotten(lambda: OPERATORS[name](t, other, dense)) < FORGOTTEN


def test_gradients_that_are_added_up():
    """Sparse to sparse, sparse to dense, dense to sparse; twice through one graph, and through that of a gradient."""
    t = matrix().requires_grad_()
    dense = torch.rand(SIDE, SIDE, dtype=torch.float64, requires_grad=True)
    table = torch.rand(SIDE, SIDE, dtype=torch.float64, requires_grad=True)
    rows = torch.arange(0, SIDE, 2)
    seen = []
    hook = t.register_hook(lambda g: seen.append(g.layout) or g * 2)

    def step():
        t.grad = dense.grad = table.grad = None
        result = (t * 2).to_dense() * dense
        result.sum().backward(retain_graph=True)
        result.sum().backward()
        (t * t).to_dense().sum().backward()
        (first,) = torch.autograd.grad((t * t).to_dense().sum(), t, create_graph=True)
        first.to_dense().sum().backward()
        for _ in range(2):
            torch.nn.functional.embedding(rows, table, sparse=True).sum().backward()
        (table * dense).sum().backward()
        torch.nn.functional.embedding(rows, table, sparse=True).sum().backward()

    assert forgotten(step) < FORGOTTEN
    hook.remove()
    assert set(seen) == {torch.sparse_coo} and t.grad.layout == torch.sparse_coo and table.grad.layout == torch.strided


def test_gradients_that_cannot_be_computed():
    t = matrix().requires_grad_()

    def step():
        result = (t * 2).to_dense().sum()
        result.backward()
        with pytest.raises(RuntimeError, match="second time"):
            result.backward()
        with pytest.raises(RuntimeError, match="leaf"):
            t.mul_(2)

    assert forgotten(step) < FORGOTTEN


def members(t):
    if not isinstance(t, torch.Tensor) or t.layout == torch.strided:
        return [t]
    if t.layout == torch.sparse_coo:
        return [t._indices(), t._values()]
    by_rows = t.layout in (torch.sparse_csr, torch.sparse_bsr)
    return (
        [t.crow_indices(), t.col_indices(), t.values()] if by_rows else [t.ccol_indices(), t.row_indices(), t.values()]
    )


def bits(result):
    """Everything that a result is made of."""
    if isinstance(result, (tuple, list)):
        return [b for r in result for b in bits(r)]
    return [
        m.detach().contiguous().view(torch.uint8) if isinstance(m, torch.Tensor) and m.dim() else m
        for m in members(result)
    ]


@pytest.mark.parametrize("layout", [*LAYOUTS, "uncoalesced", "hybrid"])
@pytest.mark.parametrize("name", OPERATORS)
def test_the_same_bits_with_one_thread_and_two(name, layout):
    makers = {**LAYOUTS, "uncoalesced": uncoalesced, "hybrid": hybrid}
    threads, found = torch.get_num_threads(), []
    try:
        for n in (1, 2):
            torch.set_num_threads(n)
            t, other = makers[layout](matrix(0, *LARGE)), makers[layout](matrix(1, *LARGE))
            dense = torch.rand(t.shape[:2], dtype=torch.float64, generator=torch.Generator().manual_seed(2)) + 0.5
            try:
                result = OPERATORS[name](t, other, dense)
            except RuntimeError as error:
                result = str(error)
            leaf = makers[layout](matrix(0, *LARGE)).requires_grad_()
            gradient = torch.autograd.grad(((leaf * 2).to_dense() * (leaf.to_dense() + 1)).sum(), leaf)
            found.append(bits([result, gradient]))
    finally:
        torch.set_num_threads(threads)
    assert len(found[0]) == len(found[1])
    for one, two in zip(*found):
        assert torch.equal(one, two) if isinstance(one, torch.Tensor) else one == two
