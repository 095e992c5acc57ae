"""DTensor: from every placement to every other one, parts of unequal sizes, gradients, parameters and optimisers."""

import copy
import io
import itertools
import math
import pickle

import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads


def transitions(shape):
    from test_dtensor_rules import _lain, _ways
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor._dtensor_spec import local_shape_and_offset

    mesh = init_device_mesh("cpu", shape)
    for size in ((6, 5), (1, 3), (5, 4))[len(shape) - 1 :]:
        x = torch.randn(size, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
        weights = torch.arange(x.numel(), dtype=x.dtype).view(size)
        for source, target in itertools.product(_ways(mesh, 2), repeat=2):
            if any(t.is_partial() and s != t for s, t in zip(source, target)):
                continue
            d = _lain(x, mesh, source)
            e = d.redistribute(mesh, target)
            assert e.placements == target and e.shape == x.shape
            if not any(p.is_partial() for p in target):
                part, offset = local_shape_and_offset(x.shape, mesh, target)
                assert e.to_local().shape == part
                own = x[offset[0] : offset[0] + part[0], offset[1] : offset[1] + part[1]]
                torch.testing.assert_close(e.to_local(), own)
            whole = e.full_tensor()
            torch.testing.assert_close(whole, x)
            (whole * weights).sum().backward()
            torch.testing.assert_close(d.grad.full_tensor(), weights)


@pytest.mark.parametrize("shape", [(2,), (3,), (2, 2)])
def test_transitions(shape):
    size = 1
    for n in shape:
        size *= n
    _threads.run(transitions, size, shape)


def as_objects():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor, empty, full, ones, zeros

    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (2,))
    x = torch.arange(10.0).view(5, 2)
    d = distribute_tensor(x, mesh, [Shard(-2)])
    assert d.placements == (Shard(0),) and d.device_mesh is mesh and isinstance(d, torch.Tensor)
    assert (
        d.shape == (5, 2)
        and d.size(0) == 5
        and d.stride() == (2, 1)
        and d.numel() == 10
        and len(d) == 5
        and d.dim() == 2
    )
    assert d.to_local().shape == ((3, 2), (2, 2))[rank] and "Shard(dim=0)" in repr(d)
    assert d.sum().item() == 45 and bool((d >= 0).sum() == 10)
    # this rank's part, and gradients that reach it
    local = torch.full((2, 2), float(rank), requires_grad=True)
    made = DTensor.from_local(local, mesh, [Shard(0)])
    assert made.shape == (4, 2) and not made.is_leaf
    (made * 3).to_local().sum().backward()
    assert local.grad.tolist() == [[3, 3]] * 2
    whole = distribute_tensor(torch.ones(2), mesh, [Replicate()]).requires_grad_()
    (whole.to_local(grad_placements=[Partial()]) * (rank + 1)).sum().backward()
    assert whole.grad.to_local().tolist() == [3, 3]
    # a source's elements count
    assert distribute_tensor(torch.full((2,), float(rank)), mesh, [Replicate()]).to_local().tolist() == [0, 0]
    assert (
        distribute_tensor(torch.full((2,), rank), mesh, [Replicate()], src_data_rank=None).to_local().tolist()
        == [rank] * 2
    )
    for made, value in ((zeros(5, 2, device_mesh=mesh, placements=[Shard(0)]), 0), (ones((5, 2), device_mesh=mesh), 1),
                        (full((5, 2), 7.0, device_mesh=mesh, placements=[Shard(1)]), 7)):  # fmt: skip
        assert made.full_tensor().eq(value).all() and made.shape == (5, 2)
    with mesh:
        assert empty(3, dtype=torch.int32).dtype is torch.int32
    # hooks hear DTensors; gradients add up
    w = torch.nn.Parameter(distribute_tensor(torch.ones(2, 3), mesh, [Replicate()]))
    assert isinstance(w, torch.nn.Parameter) and isinstance(w, DTensor) and w.is_leaf and w.requires_grad
    heard = []
    w.register_hook(lambda g: heard.append(type(g)))
    w.register_post_accumulate_grad_hook(lambda p: heard.append(p is w))
    for _ in range(2):
        ((d @ w) * (d @ w)).sum().backward()
    plain = torch.ones(2, 3, requires_grad=True)
    (2 * (x @ plain) ** 2).sum().backward()
    torch.testing.assert_close(w.grad.full_tensor(), plain.grad)
    assert heard == [DTensor, True] * 2 and type(w.grad) is DTensor and w.grad is w.grad
    (g,) = torch.autograd.grad((d @ w).sum(), w)
    assert type(g) is DTensor and torch.equal(g.full_tensor(), x.sum(0)[:, None].expand(2, 3))
    w.grad = None
    assert w.grad is None
    w.grad = distribute_tensor(torch.ones(2, 3), mesh, [Shard(0)])
    assert w.grad.placements == (Replicate(),)
    # copied and stored
    stored = io.BytesIO()
    torch.save(w, stored)
    stored.seek(0)
    for other in (copy.deepcopy(w), pickle.loads(pickle.dumps(w)), torch.load(stored)):
        assert isinstance(other, torch.nn.Parameter) and type(other) is DTensor and other.placements == w.placements
        assert torch.equal(other.to_local(), w.to_local()) and other.requires_grad
    for wrong, kind in (
        (lambda: distribute_tensor(x, mesh, [Shard(2)]), IndexError),
        (lambda: distribute_tensor(x, mesh, [Shard(0)] * 2), ValueError),
        (lambda: distribute_tensor(x, mesh, [Partial()]), RuntimeError),
        (lambda: distribute_tensor(x, mesh, ["S"]), TypeError),
        (lambda: d.redistribute(mesh, [Partial()]), RuntimeError),
        (lambda: DTensor.from_local(d, mesh, [Replicate()]), RuntimeError),
        (lambda: DTensor.from_local(x, mesh, [Replicate()], shape=(5, 2)), RuntimeError),
        (lambda: Partial("most"), ValueError),
        (lambda: Shard(1.5), TypeError),
    ):
        with pytest.raises(kind):
            wrong()


def initialised():
    """torch.nn.init fills DTensors: in bounds that the whole shape gives, all of one tensor, parts unlike each other."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    from torch.nn import init

    mesh = init_device_mesh("cpu", (2,))
    bound = math.sqrt(6 / 4)  # of kaiming_uniform_ with 4 inputs
    for placement, (fill, low, high) in itertools.product(
        (Shard(0), Shard(1), Replicate()),
        (
            (lambda t: init.uniform_(t, 1, 2), 1, 2),
            (lambda t: init.normal_(t, mean=30), 15, 45),
            (lambda t: init.kaiming_uniform_(t), -bound, bound),
            (lambda t: init.constant_(t, 7), 7, 7),
        ),
    ):
        t = torch.nn.Parameter(distribute_tensor(torch.zeros(6, 4), mesh, [placement]))
        assert fill(t) is t and t.is_leaf and t.requires_grad
        whole = t.full_tensor()
        assert whole.min() >= low and whole.max() <= high
        assert low == high or len(whole.detach().unique()) > 20
        others = [torch.empty(6, 4) for _ in range(2)]
        dist.all_gather(others, whole.detach())
        assert torch.equal(*others)


def test_as_objects():
    _threads.run(as_objects, 2)


def test_initialised():
    _threads.run(initialised, 2)


def optimisers():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor

    mesh = init_device_mesh("cpu", (2,))
    x, start = torch.randn(4, 3, generator=torch.Generator().manual_seed(1)), torch.ones(3, 5) / 3
    for make in (
        lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, weight_decay=0.1),
        lambda p: torch.optim.Adam(p, 0.1),
        lambda p: torch.optim.AdamW(p, 0.1, amsgrad=True),
        lambda p: torch.optim.RMSprop(p, 0.1),
        lambda p: torch.optim.Adagrad(p, 0.1),
    ):
        plain = torch.nn.Parameter(start.clone())
        wanted = make([plain])
        parts = [torch.nn.Parameter(distribute_tensor(start, mesh, [way])) for way in (Shard(0), Shard(1), Replicate())]
        found = make(parts)
        d = distribute_tensor(x, mesh, [Replicate()])
        for _ in range(3):
            for optimizer, params, given in ((wanted, [plain], x), (found, parts, d)):
                optimizer.zero_grad()
                for p in params:
                    ((given @ p) ** 2).sum().backward()
                norm = torch.nn.utils.clip_grad_norm_(params[:1], 1.0)
                for p in params[1:]:
                    torch.nn.utils.clip_grad_norm_([p], 1.0)
                optimizer.step()
        assert float(norm) > 0
        for p in parts:
            torch.testing.assert_close(p.full_tensor(), plain)


def test_optimisers():
    _threads.run(optimisers, 2)


def modules(heads, batch, images, kernel):
    from torch import nn
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_module, distribute_tensor
    from torch.utils.checkpoint import checkpoint

    mesh = init_device_mesh("cpu", (2,))
    x = torch.randn(6, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

    def lain(t, way=None):
        return distribute_tensor(t, mesh, [way or Shard(0)])

    parameter = nn.Parameter(lain(x))
    with torch.no_grad():
        parameter.copy_(lain(x * 2, Replicate()))
    assert torch.equal(parameter.full_tensor(), x * 2) and type(parameter.data) is DTensor
    assert (
        torch.equal(lain(x), lain(x))
        and torch.allclose(lain(x), lain(x, Shard(1)))
        and f"{lain(x * 0).sum():.2f}" == "0.00"
    )
    # without a rule: whole tensors
    found = nn.functional.conv2d(lain(images), lain(kernel, Replicate()))
    torch.testing.assert_close(found.full_tensor(), nn.functional.conv2d(images, kernel), check_stride=False)
    one, two = (distribute_module(nn.Linear(5, 3), mesh) for _ in range(2))
    two.load_state_dict(one.state_dict())
    assert torch.equal(two.weight.full_tensor(), one.weight.full_tensor())
    for fill in (nn.init.xavier_uniform_, nn.init.kaiming_normal_, nn.init.trunc_normal_):
        made = fill(nn.Parameter(lain(x)))
        whole = made.full_tensor().detach()
        first = whole.clone()
        dist.broadcast(first, 0)
        assert torch.equal(first, whole) and whole.std() > 0
    # gradients of gradients, and of what is computed again
    given, plain = lain(x).requires_grad_(), x.clone().requires_grad_()
    for t in (given, plain):
        (g,) = torch.autograd.grad((t**3).sum(), t, create_graph=True)
        (g**2).sum().backward()
        checkpoint(lambda t: (t.relu() @ t.t()).sum(), t, use_reentrant=False).backward()
    torch.testing.assert_close(given.grad.full_tensor(), plain.grad)
    wanted = heads(batch, batch, batch)[0]
    heads = distribute_module(copy.deepcopy(heads), mesh)
    torch.testing.assert_close(heads(*[lain(batch)] * 3)[0].full_tensor(), wanted, check_stride=False)


def test_modules():
    heads = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    _threads.run(modules, 2, heads, torch.rand(2, 3, 8), torch.rand(2, 3, 8, 8), torch.rand(4, 3, 3, 3))
