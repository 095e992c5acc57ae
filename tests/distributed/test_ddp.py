"""DistributedDataParallel in processes, against one process that has the whole batch."""

import pytest
import ranks
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.nn.parallel import DistributedDataParallel as DDP


def make(seed=0):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 3))


def batch(n=8, features=6):
    generator = torch.Generator().manual_seed(7)
    return torch.randn(n, features, generator=generator), torch.randn(n, 3, generator=generator)


def mine(tensor):
    return tensor.chunk(dist.get_world_size())[dist.get_rank()]


def same_on_all(tensors):
    flat = torch.cat([t.detach().reshape(-1) for t in tensors])
    others = [torch.empty_like(flat) for _ in range(dist.get_world_size())]
    dist.all_gather(others, flat)
    return all(torch.equal(flat, other) for other in others)


def train(module, inputs, targets, steps=3):
    optimizer = torch.optim.SGD(module.parameters(), 0.1, momentum=0.9)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.mse_loss(module(inputs), targets).backward()
        optimizer.step()
    return [p.detach().clone() for p in module.parameters()]


def equals_one_process():
    x, y = batch()
    want = train(make(), x, y)
    for options in (
        {},
        {"bucket_cap_mb": 0.0005},
        {"gradient_as_bucket_view": True, "bucket_cap_mb": 0.0005},
        {"static_graph": True, "bucket_cap_mb": 0.0005},
        {"find_unused_parameters": True, "bucket_cap_mb": 0.0005},
        {"bucket_cap_mb_list": [0.0001, 0.001]},
    ):
        ddp = DDP(make(seed=dist.get_rank()), **options)  # rank 0's module counts
        got = train(ddp, mine(x), mine(y))
        again = train(DDP(make(seed=dist.get_rank()), **options), mine(x), mine(y))
        for a, b, c in zip(got, want, again, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
            assert torch.equal(a, c), options
        assert same_on_all(got)
        log = ddp._get_ddp_logging_data()
        assert log["num_iterations"] == 3 and log["world_size"] == dist.get_world_size()
        rebuilt = not options.get("find_unused_parameters", False)
        assert log["has_rebuilt_buckets"] == rebuilt, log
        if "bucket_cap_mb" in options:
            assert len(ddp.reducer._buckets()) > 1


@pytest.mark.parametrize("size", [1, 2])
def test_equals_one_process(size):
    ranks.run(equals_one_process, size)


def equals_three():
    x, y = batch(9)
    want = train(make(), x, y)
    got = train(DDP(make(seed=dist.get_rank()), bucket_cap_mb=0.0005), mine(x), mine(y))
    for a, b in zip(got, want, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
    assert same_on_all(got)


def test_equals_one_process_three():
    ranks.run(equals_three, 3)


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.first, self.left, self.right, self.never = (nn.Linear(4, 4) for _ in range(4))

    def forward(self, x, left, right=False):
        h = self.first(x)
        return (self.left(h) if left else 0) + (self.right(h) if right or not left else 0)


def unused():
    rank = dist.get_rank()
    ddp = DDP(Branches(), find_unused_parameters=True)
    plain = Branches()
    x = torch.ones(2, 4)
    for ways in ([True, False], [True, True], [False, True]):
        left = ways[rank]
        ddp.zero_grad()
        plain.zero_grad()
        ddp(x, left).sum().backward()
        for way in ways:
            (plain(x, way).sum() / 2).backward()
        for (name, a), b in zip(ddp.module.named_parameters(), plain.parameters(), strict=True):
            assert (a.grad is None) == (b.grad is None), (name, ways)
            if a.grad is not None:
                torch.testing.assert_close(a.grad, b.grad)
    strict = DDP(Branches())
    strict(x, True).sum().backward()
    with pytest.raises(
        RuntimeError, match=r"no gradient came for them: right.weight, right.bias, never.weight.*find_unused"
    ):
        strict(x, True)
    fixed = DDP(Branches(), static_graph=True)
    for _ in range(3):
        fixed.zero_grad()
        fixed(x, True).sum().backward()
        assert fixed.module.never.weight.grad is None and fixed.module.right.weight.grad is None
        plain.zero_grad()
        plain(x, True).sum().backward()
        torch.testing.assert_close(fixed.module.left.weight.grad, plain.left.weight.grad)
    # An output that the loss leaves out.
    two = DDP(nn.ModuleDict({"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)}), find_unused_parameters=True)
    two.module.forward = lambda x: (two.module["a"](x), two.module["b"](x))
    for i in range(3):
        two.zero_grad()
        two(x)[i % 2].sum().backward()
        grads = [two.module[name].weight.grad for name in "ab"]
        assert grads[i % 2] is not None and grads[1 - i % 2] is None


def test_unused():
    ranks.run(unused, 2)


def accumulating():
    x, y = batch()
    for view in (False, True):
        ddp, plain = DDP(make(), gradient_as_bucket_view=view), make()
        for _ in range(3):
            ddp.zero_grad()
            plain.zero_grad()
            with ddp.no_sync():
                nn.functional.mse_loss(ddp(mine(x)), mine(y)).backward()
            if dist.get_rank() == 1:
                assert not torch.equal(ddp.module[0].weight.grad, torch.zeros(20, 6))
            nn.functional.mse_loss(ddp(mine(x + 1)), mine(y)).backward()
            for each in (x, x + 1):
                nn.functional.mse_loss(plain(each), y).backward()
            for a, b in zip(ddp.parameters(), plain.parameters(), strict=True):
                torch.testing.assert_close(a.grad, b.grad, rtol=1e-5, atol=1e-6)


def test_no_sync():
    ranks.run(accumulating, 2)


def uneven():
    rank = dist.get_rank()
    for static in (True, False):
        ddp = DDP(nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)), bucket_cap_mb=0.00001)
        plain = nn.Linear(3, 2)
        optimizer = torch.optim.SGD(ddp.parameters(), 0.1)
        seen = []
        with ddp.join(divide_by_initial_world_size=static):
            for i in range(2 + 3 * rank):
                ddp.zero_grad()
                # The mean of (sum of the output's bias gradient): 1 a row, of two rows.
                (ddp.module[1].bias.sum() * 0 + ddp(torch.ones(2, 3) * i)).sum().backward()
                seen.append(ddp.module[1].bias.grad[0].item())
                optimizer.step()
        assert seen == [2.0] * 2 + [1.0 if static else 2.0] * (3 * rank), seen
        assert same_on_all(ddp.state_dict()[name].float() for name in ddp.state_dict())
        assert plain is not None
    ddp = DDP(nn.Linear(3, 2))
    with pytest.raises(RuntimeError, match="out of inputs"):
        with ddp.join(throw_on_early_termination=True):
            for _ in range(2 + rank):
                ddp(torch.ones(2, 3)).sum().backward()


def test_join():
    ranks.run(uneven, 2)


def states():
    plain = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    ddp = DDP(nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)))
    assert list(ddp.state_dict()) == ["module." + name for name in plain.state_dict()]
    plain.load_state_dict({name.removeprefix("module."): t for name, t in ddp.state_dict().items()})
    ddp.load_state_dict({"module." + name: t for name, t in plain.state_dict().items()})
    ddp(torch.full((4, 3), dist.get_rank() + 1.0) * torch.randn(4, 3))
    assert ddp.train(False) is ddp and not ddp.module.training
    ddp.train()
    ddp(torch.ones(4, 3))  # begins with rank 0's running means
    ddp.eval()
    with torch.no_grad():
        ddp(torch.ones(4, 3))
    assert ddp.module[1].num_batches_tracked == 2
    kept = nn.Sequential(nn.Linear(3, 2))
    nn.init.constant_(kept[0].weight, dist.get_rank())
    DDP._set_params_and_buffers_to_ignore_for_model(kept, ["0.weight"])
    DDP(kept)
    assert (kept[0].weight == dist.get_rank()).all()
    embedding = DDP(nn.Embedding(5, 2, sparse=True))
    embedding(torch.tensor([0, 1 + dist.get_rank()])).sum().backward()
    assert embedding.module.weight.grad.to_dense()[:, 0].tolist() == [1.0, 0.5, 0.5, 0.0, 0.0]
    low = DDP(make(), mixed_precision=torch.nn.parallel.distributed._MixedPrecision(param_dtype=torch.bfloat16))
    x, y = batch()
    out = low(mine(x))
    assert out.dtype == torch.bfloat16 and low.module[0].weight.dtype == torch.float32
    nn.functional.mse_loss(out.float(), mine(y)).backward()
    plain = make()
    nn.functional.mse_loss(plain(x), y).backward()
    for a, b in zip(low.parameters(), plain.parameters(), strict=True):
        assert a.grad.dtype == torch.float32 and type(a) is nn.Parameter
        torch.testing.assert_close(a.grad, b.grad, rtol=0.1, atol=0.01)
    delayed = make()
    names = [(n, p) for n, p in delayed.named_parameters() if n != "0.weight"]
    ddp = DDP(delayed, delay_all_reduce_named_params=names, param_to_hook_all_reduce=delayed[0].weight)
    ddp.zero_grad()
    assert ddp(mine(x)).shape == (4, 3)


def test_states():
    ranks.run(states, 2)


def mistakes():
    rank = dist.get_rank()
    with pytest.raises(RuntimeError, match=r"parameter 0 .* has the shape \[2, 3\] on rank 0 and \[2, 4\] on rank 1"):
        DDP(nn.Linear(3 + rank, 2))
    with pytest.raises(RuntimeError, match="rank 0 has 1 parameters that require grad, rank 1 has 2"):
        DDP(nn.Linear(3, 2, bias=rank == 1))
    with pytest.raises(RuntimeError, match="requires grad"):
        DDP(nn.ReLU())
    with pytest.raises(ValueError, match="one element"):
        DDP(nn.Linear(1, 1), device_ids=[0, 1])
    with pytest.raises(ValueError, match="one GPU"):
        DDP(nn.Linear(1, 1), device_ids=[0])
    with pytest.raises(RuntimeError, match="uninitialized"):
        DDP(nn.Sequential(nn.Linear(1, 1), nn.LazyLinear(1)))
    twice = DDP(nn.Linear(2, 2, bias=False))
    out = twice(torch.ones(1, 2))
    out.sum().backward()
    ddp = DDP(nn.Linear(2, 2))
    ddp.register_comm_hook(None, lambda state, bucket: 3)
    with pytest.raises(RuntimeError, match="must return a torch.futures.Future, not int"):
        ddp(torch.ones(1, 2)).sum().backward()
    with pytest.raises(RuntimeError, match="registered already"):
        ddp.register_comm_hook(None, lambda state, bucket: None)


def test_mistakes():
    ranks.run(mistakes, 2)
