"""Sparse tensors on a GPU: each kernel of libTHCS beside that of the CPU, in every dtype; moves between devices, mixed ones,
bad indices, streams, memory, training. (tests/sparse/test_sparse_cuda.py runs all sparse programs there.)"""

import copy
import ctypes
import io
import pickle

import pytest
import torch

REAL = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
        torch.float64]  # fmt: skip
NUMBERS = [*REAL, torch.complex64, torch.complex128]
LAPACK = [torch.float32, torch.float64, torch.complex64, torch.complex128]
LAYOUTS = [torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc]


def numbers(*size, dtype=torch.float64, seed=1):
    made = torch.randn(*size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * 3
    if dtype == torch.bool:
        return made > 0
    if dtype.is_complex:
        return torch.complex(made, made.flip(0)).to(dtype)
    return made.abs().to(dtype) if dtype == torch.uint8 else made.to(dtype)


def coo(rows, columns, entries, dtype=torch.float64, seed=1):
    """Entries in any order, some at one place."""
    places = torch.randint(0, 1 << 30, (2, entries), generator=torch.Generator().manual_seed(seed))
    places %= torch.tensor([[rows], [columns]])
    return torch.sparse_coo_tensor(places, numbers(entries, dtype=dtype, seed=seed), (rows, columns))


def of_layout(tensor, layout):
    blocks = {"blocksize": (2, 3)} if layout in (torch.sparse_bsr, torch.sparse_bsc) else {}
    return tensor.to_sparse(layout=layout, **blocks)


def members(tensor):
    if tensor.layout == torch.strided:
        return [tensor]
    if tensor.layout == torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    return [tensor.ccol_indices(), tensor.row_indices(), tensor.values()]


def same(want, got):
    """Whether a tensor on a GPU has the very members of one on the CPU."""
    assert got.is_cuda and all(member.is_cuda for member in members(got))
    flags = want.layout == torch.sparse_coo
    return (
        want.layout == got.layout
        and want.shape == got.shape
        and (not flags or want.is_coalesced() == got.is_coalesced())
        and all(torch.equal(a, b.cpu()) for a, b in zip(members(want), members(got)))
    )


def alike(function, *tensors):
    want = function(*tensors)
    got = function(*(tensor.cuda() for tensor in tensors))
    assert same(want, got), (want, got.cpu())


@pytest.mark.parametrize("dtype", [torch.bool, *NUMBERS])
def test_coalesce_and_sums(dtype):
    a, b = coo(9, 8, 60, dtype), coo(9, 8, 30, dtype, seed=2)
    alike(lambda a: a.coalesce(), a)
    alike(lambda a, b: a.coalesce() + b.coalesce(), a, b)
    alike(lambda a, b: a + b, a, b)
    alike(lambda a, b: a.coalesce() * b.coalesce(), a, b)  # find


@pytest.mark.parametrize("dtype", NUMBERS)
def test_products(dtype):
    a, b = coo(20, 30, 200, dtype), coo(30, 25, 150, dtype, seed=2)
    x, start = numbers(30, 7, dtype=dtype), numbers(20, 7, dtype=dtype, seed=3)
    for layout in (torch.sparse_coo, torch.sparse_csr):
        alike(lambda a, x: a @ x, of_layout(a, layout), x)
        alike(lambda s, a, x: torch.addmm(s, a, x, beta=2, alpha=3), start, of_layout(a, layout), x)
        alike(lambda a, b: a @ b, of_layout(a, layout), of_layout(b, layout))
        pattern = of_layout(a, layout)
        alike(lambda p, x, y: torch.sparse.sampled_addmm(p, x, y), pattern, numbers(20, 6, dtype=dtype),
              numbers(6, 30, dtype=dtype, seed=4))  # fmt: skip


@pytest.mark.parametrize("dtype", LAPACK)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_triangular_systems(dtype, upper, unit):
    a = (coo(40, 40, 120, dtype).to_dense() * 0.1 + 4 * torch.eye(40)).to(dtype).to_sparse_csr()
    b = numbers(40, 3, dtype=dtype)
    alike(lambda a, b: torch.triangular_solve(b, a, upper=upper, unitriangular=unit).solution, a, b)


def test_spsolve():
    """By SciPy, on the host."""
    pytest.importorskip("scipy.sparse")
    a, b = (torch.eye(4) * 3 + torch.ones(4, 4).triu(1)).double().to_sparse_csr(), numbers(4, 2)
    alike(torch.sparse.spsolve, a, b)
    matrix, right = a.cuda().requires_grad_(), b.cuda().requires_grad_()
    torch.sparse.spsolve(matrix, right).sum().backward()
    assert matrix.grad.is_cuda and right.grad.is_cuda and matrix.grad.layout == torch.sparse_csr
    with pytest.raises(RuntimeError, match="one device, got cuda:0 and cpu"):
        torch.sparse.spsolve(a.cuda(), b)


def test_rows():
    a = coo(30, 20, 200).coalesce()
    alike(lambda a: a.to_sparse_csr(), a)
    alike(lambda a: a.to_sparse_csc(), a)
    alike(lambda a: torch.sparse.sum(a, 0), a)
    for dim in (0, 1):
        want, got = torch.sparse.softmax(a, dim), torch.sparse.softmax(a.cuda(), dim)
        assert torch.equal(want._indices(), got._indices().cpu())
        assert torch.allclose(want._values(), got._values().cpu(), rtol=1e-13)


def test_a_row_with_most_of_the_entries():
    n = 50000
    rows = torch.full((n,), 3)
    rows[:500] = torch.arange(500) % 3
    a = torch.sparse_coo_tensor(torch.stack([rows, torch.arange(n)]), numbers(n, dtype=torch.float32), (5, n))
    alike(lambda a, x: a @ x, a.coalesce(), numbers(n, 1, dtype=torch.float32, seed=2))


# ---- devices -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_moves(layout, second):
    a = of_layout(coo(6, 9, 20).coalesce(), layout)
    there = a.cuda()
    assert same(a, there) and there.device == torch.device("cuda:0") and there.cuda() is there
    back = there.cpu()
    assert back.device.type == "cpu" and all(torch.equal(x, y) for x, y in zip(members(a), members(back)))
    assert same(a, a.to(second)) and a.to(second).device == second and same(a, there.to(second))
    assert same(a.float(), a.to("cuda", torch.float32)) and same(a, there.clone()) and same(a, copy.deepcopy(there))
    written = torch.zeros_like(there)
    written.copy_(a)
    assert same(a, written)
    assert same(a.to_dense(), there.to_dense())
    assert str(there) == str(a).replace(", size=", ", device='cuda:0', size=") or "device='cuda:0'" in str(there)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_files(layout, second):
    a = of_layout(coo(6, 9, 20).coalesce(), layout)
    file = io.BytesIO()
    torch.save(a.cuda(), file)
    for where, device in ((None, "cuda:0"), ("cpu", "cpu"), ("cuda:1", "cuda:1")):
        file.seek(0)
        assert torch.load(file, map_location=where).device == torch.device(device)
    assert same(a, pickle.loads(pickle.dumps(a.cuda())))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_pinned_members(layout):
    a = of_layout(coo(6, 9, 20).coalesce(), layout)
    pinned = a.pin_memory()
    assert pinned.is_pinned() and not a.is_pinned() and pinned.pin_memory() is pinned
    assert all(member.is_pinned() for member in members(pinned)) and not pinned.cuda().is_pinned()
    there = pinned.to("cuda", non_blocking=True)
    there.record_stream(torch.cuda.Stream())
    assert same(a, there) and same(a.to_dense(), pinned.cuda().to_dense())
    (batch,) = torch.utils.data.DataLoader([a], batch_size=None, pin_memory=True)
    assert batch.is_pinned() and batch.layout == layout
    with pytest.raises(NotImplementedError, match="record_stream"):
        a.record_stream(torch.cuda.Stream())


def test_made_on_a_device():
    places, values = torch.tensor([[0, 1], [2, 0]]), torch.tensor([1.0, 2.0])
    want = torch.sparse_coo_tensor(places, values, (2, 3))
    assert same(want, torch.sparse_coo_tensor(places, values, (2, 3), device="cuda"))
    assert same(want, torch.sparse_coo_tensor(places.cuda(), values.cuda()))
    assert same(want, torch.sparse_coo_tensor(places.tolist(), values.tolist(), (2, 3), device="cuda"))
    begins, columns = torch.tensor([0, 1, 2]), torch.tensor([2, 0])
    assert same(
        torch.sparse_csr_tensor(begins, columns, values, (2, 3)),
        torch.sparse_csr_tensor(begins, columns, values, (2, 3), device="cuda"),
    )
    assert torch.zeros(2, 3, layout=torch.sparse_coo, device="cuda")._values().is_cuda
    assert torch.empty(2, 3, layout=torch.sparse_csr, device="cuda").values().is_cuda


def test_types_of_2017(second):
    types = torch.cuda.sparse
    a = torch.eye(3).to_sparse().cuda()
    assert a.type() == "torch.cuda.sparse.FloatTensor" and isinstance(a, types.FloatTensor)
    assert not isinstance(a, types.DoubleTensor) and not isinstance(a.cpu(), types.FloatTensor)
    assert not isinstance(a.to_dense(), types.FloatTensor)
    made = types.DoubleTensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0]).double(), (2, 3))
    assert made.is_cuda and made.dtype == torch.float64 and made.shape == (2, 3)
    with torch.cuda.device(second):
        assert types.IntTensor(2, 3).device == second
    assert a.cpu().type("torch.cuda.sparse.DoubleTensor").device.type == "cuda"
    with pytest.raises(RuntimeError, match="expects device type: cuda"):
        types.FloatTensor(2, device="cpu")


MIXED = {
    "add": lambda there, here, x: there + here,
    "mul": lambda there, here, x: there * here,
    "mm": lambda there, here, x: there @ x,
    "addmm": lambda there, here, x: torch.addmm(x, there, x),
    "spgemm": lambda there, here, x: there.to_sparse_csr() @ here.to_sparse_csr(),
    "sampled_addmm": lambda there, here, x: torch.sparse.sampled_addmm(there, x, x),
    "mask": lambda there, here, x: x.sparse_mask(there),
    "cat": lambda there, here, x: torch.cat([there, here]),
}


@pytest.mark.parametrize("name", MIXED)
def test_mixed_devices_are_refused_by_name(name):
    here, x = coo(5, 5, 9).coalesce(), numbers(5, 5)
    there = here.cuda()
    with pytest.raises(RuntimeError, match="cuda:0.* cpu|cpu.*cuda:0"):
        MIXED[name](there, here, x)
    assert same(here, there)


def test_two_gpus_are_refused_by_name(second):
    a = coo(5, 5, 9).coalesce()
    with pytest.raises(RuntimeError, match="two devices, cuda:0 and cuda:1"):
        a.cuda() + a.to(second)
    with pytest.raises(RuntimeError, match="two devices, cuda:[01] and cuda:[01]"):
        a.cuda() @ numbers(5, 2).to(second)


def test_another_gpu_computes(second):
    a, x = coo(20, 30, 200), numbers(30, 4)
    got = a.to(second) @ x.to(second)
    assert got.device == second and torch.equal(got.cpu(), a @ x)
    assert same((a + a).coalesce(), (a.to(second) + a.to(second)).coalesce())


def test_between_several(second):
    dense, a, z = numbers(4), coo(6, 5, 9), torch.eye(3, dtype=torch.complex128).to_sparse()
    here = [dense.cuda(), a.cuda(), a.to_sparse_csr().cuda(), z.cuda()]
    for there in torch.cuda.comm.broadcast_coalesced(here, [0, 1]):
        assert all(same(x.cpu(), y) for x, y in zip(here, there, strict=True))
    inputs = [here, [tensor.to(second) for tensor in here]]
    for want, got in zip(here, torch.cuda.comm.reduce_add_coalesced(inputs), strict=True):
        assert got.device == want.device and torch.equal(got.to_dense(), 2 * want.to_dense())


def test_tables_on_several(second):
    rows = torch.tensor([1, 3, 1, 7])
    gradients = []
    for wrapped in (False, True):
        torch.manual_seed(1)
        table = torch.nn.Embedding(10, 2, sparse=True).cuda()
        model = torch.nn.DataParallel(table, [0, 1]) if wrapped else table
        (model(rows.cuda()) ** 2).sum().backward()
        gradients.append(table.weight.grad)
    assert gradients[1].layout == torch.sparse_coo and torch.equal(*(g.to_dense() for g in gradients))


# ---- bad input -----------------------------------------------------------------------------------------------------------
def said(function):
    with pytest.raises(Exception) as raised:
        function()
    return type(raised.value), str(raised.value)


BAD = [[[0, 1], [0, 3]], [[0, -1], [0, 0]], [[0, 2], [0, 0]]]


@pytest.mark.parametrize("places", BAD, ids=str)
@pytest.mark.parametrize("checked", [False, True])
def test_places_out_of_bounds(places, checked):
    def made(device):
        indices = torch.tensor(places, device=device)
        a = torch.sparse_coo_tensor(indices, torch.ones(2, device=device), (2, 3), check_invariants=checked)
        return a.coalesce()

    assert said(lambda: made("cuda")) == said(lambda: made("cpu"))
    assert torch.ones(3, device="cuda").sum().item() == 3  # the device goes on


@pytest.mark.parametrize("begins", [[1, 1, 2], [0, 2, 1], [0, 1, 1], [0, 3, 2]], ids=str)
def test_rows_out_of_bounds(begins):
    def made(device):
        tensors = torch.tensor(begins, device=device), torch.tensor([0, 1], device=device), torch.ones(2, device=device)
        a = torch.sparse_csr_tensor(*tensors, (2, 3), check_invariants=False)
        return a @ torch.ones(3, 2, device=device)

    assert said(lambda: made("cuda")) == said(lambda: made("cpu"))


def test_indices_are_looked_at_once():
    """What they say the host has to wait for; a product of a matrix that has been looked at does not wait."""
    try:
        count = ctypes.CDLL("libcudart.so.13").hostcudaCalls
    except (AttributeError, OSError):
        pytest.skip("this runtime counts nothing")
    count.restype, count.argtypes = ctypes.c_ulonglong, [ctypes.c_char_p]
    a, x = coo(20, 30, 200).to_sparse_csr().cuda(), numbers(30, 4).cuda()

    def waits():
        before = count(b"cudaStreamSynchronize")
        a @ x
        return count(b"cudaStreamSynchronize") - before

    assert waits() > 0
    assert [waits(), waits()] == [0, 0]


# ---- order of work, memory, training -------------------------------------------------------------------------------------
def test_a_stream_of_its_own():
    a, x = coo(50, 60, 900), numbers(60, 5)
    stream = torch.cuda.Stream()
    there, dense = a.cuda(), x.cuda()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        got = (there + there).coalesce() @ dense
    torch.cuda.current_stream().wait_stream(stream)
    assert torch.equal(got.cpu(), (a + a).coalesce() @ x)


def test_memory_goes_back():
    before = torch.cuda.memory_allocated()
    a = coo(50, 60, 900).cuda()
    assert torch.cuda.memory_allocated() > before
    got = (a + a).coalesce() @ numbers(60, 5).cuda(), a.to_sparse_csr() @ a.t().to_sparse_csr()
    del a, got
    assert torch.cuda.memory_allocated() == before


def trained(device, optimizer, **options):
    torch.manual_seed(5)
    table = torch.nn.Embedding(30, 4, sparse=True)
    table.to(device)
    steps = optimizer(table.parameters(), **options)
    for step in range(3):
        steps.zero_grad()
        rows = torch.tensor([1, 3, 1, step, 20 + step], device=device)
        (table(rows) ** 2).sum().backward()
        assert table.weight.grad.layout == torch.sparse_coo and table.weight.grad.device.type == device
        steps.step()
    return table.weight.detach().cpu()


@pytest.mark.parametrize(
    ("optimizer", "options"),
    [(torch.optim.SparseAdam, {"lr": 0.1}), (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}),
     (torch.optim.Adagrad, {"lr": 0.1})],
)  # fmt: skip
def test_tables_are_trained_alike(optimizer, options):
    want, got = (trained(device, optimizer, **options) for device in ("cpu", "cuda"))
    assert torch.allclose(want, got, rtol=1e-6, atol=1e-7)


def graph(device):
    """Two steps of a graph convolution."""
    torch.manual_seed(6)
    edges = coo(40, 40, 160, torch.float32).coalesce().to(device)
    features = numbers(40, 8, dtype=torch.float32).to(device)
    weight = numbers(8, 3, dtype=torch.float32, seed=2).to(device).requires_grad_()
    labels = (torch.arange(40) % 3).to(device)
    for _ in range(2):
        loss = torch.nn.functional.cross_entropy(edges @ (torch.relu(edges @ features) @ weight), labels)
        (gradient,) = torch.autograd.grad(loss, weight)
        weight = (weight - 0.01 * gradient).detach().requires_grad_()
    return loss.item(), weight.detach().cpu()


def test_graphs_are_learnt_alike():
    (want, weight), (got, other) = graph("cpu"), graph("cuda")
    assert abs(want - got) < 1e-5 * abs(want) and torch.allclose(weight, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr], ids=str)
def test_gradients(layout):
    a = of_layout(coo(6, 5, 12).coalesce(), layout).cuda().requires_grad_()
    x = numbers(5, 3).cuda().requires_grad_()
    assert torch.autograd.gradcheck(lambda a, x: torch.sparse.mm(a, x), (a, x), masked=True)
