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
