"""Tables learned by sparse gradients: embeddings, and the optimisers that take them."""

import json
import pathlib
import subprocess
import sys

import pytest
import torch
from torch import nn
from torch.nn import functional as F

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import generate_optimizers

GOLDEN = json.loads((pathlib.Path(__file__).parent / "data/optimizers.json").read_text())["tables"]
INDICES = torch.tensor([[1, 2, 1], [0, 2, 4]])


def table(dtype=torch.float64):
    return nn.Parameter(torch.linspace(-1, 1, 15, dtype=dtype).view(5, 3))


# ---- embeddings ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize("padding_idx", [None, 2, -3])
def test_embedding(padding_idx, dtype):
    sparse, plain = table(), table()
    weights = torch.linspace(1, 2, 18, dtype=torch.float64).view(2, 3, 3)
    for t in (sparse, plain):
        (F.embedding(INDICES.to(dtype), t, padding_idx, sparse=t is sparse) * weights).sum().backward()
    grad = sparse.grad
    assert grad.layout == torch.sparse_coo and grad.sparse_dim() == 1 and grad.dense_dim() == 1
    assert not grad.is_coalesced() and grad._nnz() == (6 if padding_idx is None else 4)
    kept = INDICES.view(-1) if padding_idx is None else INDICES[INDICES != 2]
    assert torch.equal(grad._indices(), kept.view(1, -1))
    assert torch.allclose(grad.to_dense(), plain.grad)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("padding_idx", [None, 2])
@pytest.mark.parametrize("mode", ["sum", "mean"])
def test_embedding_bag(mode, padding_idx, weighted):
    if weighted and mode != "sum":
        pytest.skip("factors are those of sums")
    found = []
    for sparse in (True, False):
        t = table()
        factors = torch.linspace(0.5, 1, 6, dtype=torch.float64).view(2, 3).requires_grad_() if weighted else None
        bags = F.embedding_bag(
            INDICES, t, mode=mode, sparse=sparse, per_sample_weights=factors, padding_idx=padding_idx
        )
        (bags * torch.arange(1, 4)).sum().backward()
        found.append((t.grad, None if factors is None else factors.grad))
    (grad, of_factors), (plain, of_plain_factors) = found
    assert grad.layout == torch.sparse_coo and grad._nnz() == (6 if padding_idx is None else 4)
    assert torch.allclose(grad.to_dense(), plain)
    assert of_factors is None or torch.equal(of_factors, of_plain_factors)


def test_modules():
    for module, given in (
        (nn.Embedding(5, 3, padding_idx=0, sparse=True), (INDICES,)),
        (nn.EmbeddingBag(5, 3, mode="sum", sparse=True), (INDICES,)),
        (nn.EmbeddingBag(5, 3, sparse=True, include_last_offset=True), (INDICES.view(-1), torch.tensor([0, 2, 6]))),
        (nn.Embedding.from_pretrained(torch.rand(5, 3), freeze=False, sparse=True), (INDICES,)),
        (nn.EmbeddingBag.from_pretrained(torch.rand(5, 3), mode="sum", sparse=True), (INDICES,)),
    ):
        if not module.weight.requires_grad:
            module.weight.requires_grad_()
        module(*given).sum().backward()
        assert module.weight.grad.layout == torch.sparse_coo


def test_an_empty_batch():
    t = table()
    F.embedding(torch.empty(0, dtype=torch.int64), t, sparse=True).sum().backward()
    assert t.grad._nnz() == 0 and t.grad.shape == (5, 3)
    torch.optim.SparseAdam([t]).step()
    assert torch.equal(t.detach(), table().detach())


def test_refusals_of_embeddings():
    for run in (
        lambda t: F.embedding(INDICES, t, sparse=True, scale_grad_by_freq=True),
        lambda t: F.embedding_bag(INDICES, t, sparse=True, scale_grad_by_freq=True),
    ):
        with pytest.raises(RuntimeError, match="scale_grad_by_freq not supported with sparse gradients"):
            run(table()).sum().backward()
    with pytest.raises(ValueError, match="max mode does not support sparse weights"):
        F.embedding_bag(INDICES, table(), mode="max", sparse=True)
    with pytest.raises(RuntimeError, match="not of maxima"):
        torch.embedding_bag(table(), INDICES.view(-1), torch.tensor([0, 3]), False, 2, True)[0].sum().backward()


# ---- optimisers ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", generate_optimizers.CASES)
def test_values_of_torch(name):
    tables, _ = generate_optimizers.trained(torch, *generate_optimizers.CASES[name])
    for step, (ours, theirs) in enumerate(zip(tables, GOLDEN[name], strict=True)):
        assert torch.allclose(torch.tensor(ours), torch.tensor(theirs), rtol=1e-12, atol=1e-14), f"{name}: step {step}"


@pytest.mark.parametrize("name", generate_optimizers.CASES)
def test_rows_that_are_not_named_stay(name):
    tables, _ = generate_optimizers.trained(torch, *generate_optimizers.CASES[name])
    assert tables[-1][5] == torch.linspace(-1, 1, 12, dtype=torch.float64).view(6, 2)[5].tolist()


def test_buffers_do_not_grow():
    _, made = generate_optimizers.trained(torch, "SGD", {"lr": 0.1, "momentum": 0.9})
    (state,) = made.state.values()
    assert state["momentum_buffer"].layout == torch.sparse_coo and state["momentum_buffer"]._nnz() == 5


@pytest.mark.parametrize("kind", ["SGD", "Adagrad"])
def test_sparse_and_strided_gradients_side_by_side(kind):
    def run(sparse):
        one, other = table(), table()
        optimizer = getattr(torch.optim, kind)([other, one], lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            (F.embedding(INDICES, one, sparse=sparse) ** 2).sum().backward()
            (other**2).sum().backward()
            optimizer.step()
        return one.detach(), other.detach()

    for ours, plain in zip(run(True), run(False)):
        assert torch.allclose(ours, plain, rtol=1e-12)


def test_sparse_parameters():
    places, values = torch.tensor([[0, 1, 3]]), torch.tensor([1.0, 2.0, 3.0])
    param = torch.sparse_coo_tensor(places, values, (4,)).coalesce().requires_grad_()
    optimizer = torch.optim.SGD([param], lr=0.1)
    (param * 2).to_dense().sum().backward()
    optimizer.step()
    assert torch.allclose(param.detach().to_dense(), torch.tensor([0.8, 1.8, 0, 2.8]))


def test_state_of_sparse_adam_is_saved():
    _, first = generate_optimizers.trained(torch, "SparseAdam", {"lr": 0.1})
    _, second = generate_optimizers.trained(torch, "SparseAdam", {"lr": 0.1})
    second.load_state_dict(first.state_dict())
    (state,) = second.state.values()
    assert state["step"] == 5 and set(state) == {"step", "exp_avg", "exp_avg_sq"}


REFUSED = ["Adadelta", "Adamax", "ASGD", "NAdam", "RAdam", "RMSprop", "Rprop", "Adafactor", "Muon"]


@pytest.mark.parametrize("kind", REFUSED + ["Adam", "AdamW"])
def test_the_others_refuse(kind):
    t = table()
    F.embedding(INDICES, t, sparse=True).sum().backward()
    said = f"{kind} does not support sparse gradients$"
    if kind.startswith("Adam") and kind != "Adamax":
        said = "Adam does not support sparse gradients, please consider SparseAdam instead"
    with pytest.raises(RuntimeError, match=said):
        getattr(torch.optim, kind)([t]).step()
    assert torch.equal(t.detach(), table().detach())


@pytest.mark.parametrize(
    "kind, options, said",
    [
        ("SGD", {"weight_decay": 0.1}, "weight_decay=0.1 is not supported with sparse gradients"),
        ("SGD", {"fused": True}, "`_fused_sgd` does not support sparse gradients"),
        ("Adagrad", {"weight_decay": 0.1}, "weight_decay option is not compatible with sparse gradients"),
        ("Adagrad", {"fused": True}, "`fused` does not support sparse grad or complex param"),
    ],
)
def test_refused_options(kind, options, said):
    t = table()
    F.embedding(INDICES, t, sparse=True).sum().backward()
    with pytest.raises(RuntimeError, match=said):
        getattr(torch.optim, kind)([t], lr=0.1, **options).step()
    assert torch.equal(t.detach(), table().detach())


def test_refusals_of_sparse_adam():
    sparse = torch.sparse_coo_tensor([[0]], [1.0], (3,)).requires_grad_()
    with pytest.raises(ValueError, match=r"Sparse params at indices \[\[0, 1\]\]: SparseAdam requires dense parameter"):
        torch.optim.SparseAdam([table(), sparse])
    with pytest.raises(ValueError, match=r"Complex params at indices \[\[0, 0\]\]"):
        torch.optim.SparseAdam([nn.Parameter(torch.ones(2, dtype=torch.complex64))])
    one, other = table(), table()
    F.embedding(INDICES, one, sparse=True).sum().backward()
    other.sum().backward()
    with pytest.raises(RuntimeError, match="SparseAdam does not support dense gradients, please consider Adam instead"):
        torch.optim.SparseAdam([one, other]).step()
    assert torch.equal(one.detach(), table().detach())


def test_lbfgs_takes_them():
    t = table()
    optimizer = torch.optim.LBFGS([t])

    def loss():
        optimizer.zero_grad()
        value = (F.embedding(INDICES, t, sparse=True) ** 2).sum()
        value.backward()
        return value

    before = loss().item()
    optimizer.step(loss)
    assert loss().item() < before / 10


def test_a_step_needs_no_memory_of_the_tables_size():
    program = """
import pathlib, torch
rows, width = 60_000, 128
def peak():
    return int(pathlib.Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
torch.set_num_threads(1)
table = torch.nn.Parameter(torch.ones(rows, width))
def step(optimizer):
    optimizer.zero_grad()
    torch.nn.functional.embedding(torch.arange(0, rows, 5000), table, sparse=True).sum().backward()
    torch.nn.utils.clip_grad_norm_([table], 1.0)
    optimizer.step()
# In the order of what they remember: the peak is each one's own.
for kind, options in (("SGD", {"lr": 0.1, "momentum": 0.9}), ("Adagrad", {}), ("SparseAdam", {})):
    optimizer = getattr(torch.optim, kind)([table], **options)
    for state in optimizer.state.values():
        state["sum"].fill_(1)
    step(optimizer)
    for state in optimizer.state.values():
        for name in ("exp_avg", "exp_avg_sq"):
            if name in state:
                state[name].fill_(1)
    before = peak()
    for _ in range(3):
        step(optimizer)
    print(kind, peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        kind, more = line.split()
        assert float(more) < 10, f"{kind}: {more} MiB beside a table of 29"


@pytest.mark.parametrize("bad", [1.0, float("inf")])
def test_scaled_gradients(bad):
    t = table()
    optimizer = torch.optim.SGD([t], lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    scaler.scale((F.embedding(INDICES, t, sparse=True) * bad).sum()).backward()
    scaler.unscale_(optimizer)
    if bad == 1:
        assert t.grad.layout == torch.sparse_coo and t.grad.to_dense()[:, 0].tolist() == [1, 2, 2, 0, 1]
    before = t.detach().clone()
    scaler.step(optimizer)
    scaler.update()
    assert torch.equal(before, t.detach()) is (bad != 1) and scaler.get_scale() == (8 if bad == 1 else 4)


# ---- clipping ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("norm", [1.0, 2.0, float("inf")])
def test_clip_grad_norm(norm):
    found = []
    for sparse in (True, False):
        one, other = table(), table()
        (F.embedding(INDICES, one, sparse=sparse) ** 2).sum().backward()
        (other**2).sum().backward()
        total = nn.utils.clip_grad_norm_([one, other], 0.5, norm)
        found.append((total, one.grad.to_dense(), other.grad))
        assert (one.grad.layout == torch.sparse_coo) is sparse
    for ours, plain in zip(*found):
        assert torch.allclose(ours, plain, rtol=1e-12)


def test_clip_grad_value():
    one, plain = table(), table()
    for t in (one, plain):
        (F.embedding(INDICES, t, sparse=t is one) ** 2).sum().backward()
        nn.utils.clip_grad_value_([t], 0.6)
    assert one.grad.layout == torch.sparse_coo and torch.allclose(one.grad.to_dense(), plain.grad)
    empty = table()
    F.embedding(torch.empty(0, dtype=torch.int64), empty, sparse=True).sum().backward()
    nn.utils.clip_grad_value_([empty], 0.6)
    assert float(nn.utils.clip_grad_norm_([empty], 1.0, float("inf"))) == 0
