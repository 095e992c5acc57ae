"""Optimisers of which each rank has a part, and those that average modules."""

import copy

import pytest
import ranks
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from test_ddp import batch, make, mine, same_on_all
from torch.distributed.algorithms.join import Join
from torch.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
from torch.distributed.optim import PostLocalSGDOptimizer, ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP


def steps(module, optimizer, x, y, n=3):
    for _ in range(n):
        optimizer.zero_grad()
        nn.functional.mse_loss(module(x), y).backward()
        optimizer.step()


def equals_whole():
    x, y = batch()
    for view in (False, True):
        plain = make()
        adam = torch.optim.Adam(plain.parameters(), 0.01)
        ddp = DDP(make())
        zero = ZeroRedundancyOptimizer(ddp.parameters(), torch.optim.Adam, parameters_as_bucket_view=view, lr=0.01)
        schedule = torch.optim.lr_scheduler.StepLR(zero, 1, 0.5)
        steps(ddp, zero, mine(x), mine(y))
        steps(plain, adam, x, y)
        for a, b in zip(ddp.parameters(), plain.parameters(), strict=True):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
        assert 0 < len(zero.optim.state) < 6 and same_on_all(ddp.parameters())
        with pytest.raises(RuntimeError, match="consolidate_state_dict"):
            zero.state_dict()
        for to in range(2):
            zero.consolidate_state_dict(to)
            if dist.get_rank() != to:
                continue
            got, want = zero.state_dict(), adam.state_dict()
            assert list(got["state"]) == list(want["state"])
            for i, state in want["state"].items():
                torch.testing.assert_close(got["state"][i]["exp_avg"], state["exp_avg"], rtol=1e-4, atol=1e-6)
            assert got["param_groups"][0]["params"] == want["param_groups"][0]["params"]
        # The state of one process goes on in two.
        zero.load_state_dict(copy.deepcopy(adam.state_dict()))
        ddp.module.load_state_dict(plain.state_dict())
        steps(ddp, zero, mine(x), mine(y))
        steps(plain, adam, x, y)
        for a, b in zip(ddp.parameters(), plain.parameters(), strict=True):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
        schedule.step()
        assert zero.param_groups[0]["lr"] == 0.005
        extra = nn.Parameter(torch.ones(2))
        zero.add_param_group({"params": [extra], "lr": 1.0})
        extra.grad = torch.ones(2)
        zero.step()
        assert (extra < 0.5).all() and same_on_all([extra])
    with pytest.raises(ValueError, match="overlap_with_ddp"):
        ZeroRedundancyOptimizer(make().parameters(), torch.optim.SGD, overlap_with_ddp=True)
    single = nn.Parameter(torch.ones(1))
    zero = ZeroRedundancyOptimizer([single], torch.optim.SGD, lr=1.0)
    single.grad = torch.ones(1)
    zero.step()
    assert single.item() == 0


def test_zero():
    ranks.run(equals_whole, 2)


def uneven():
    ddp = DDP(nn.Linear(3, 2))
    zero = ZeroRedundancyOptimizer(ddp.parameters(), torch.optim.SGD, lr=0.1)
    done = 0
    with Join([ddp, zero]):
        for _ in range(2 + dist.get_rank()):
            zero.zero_grad()
            ddp(torch.ones(2, 3)).sum().backward()
            zero.step()
            done += 1
    assert done == 2 + dist.get_rank() and same_on_all(ddp.parameters())


def test_zero_joins():
    ranks.run(uneven, 2)


def averaged():
    rank = dist.get_rank()
    module = nn.Linear(2, 1, bias=False)
    nn.init.constant_(module.weight, rank)
    optimizer = PostLocalSGDOptimizer(
        torch.optim.SGD(module.parameters(), 1.0), PeriodicModelAverager(2, warmup_steps=1)
    )
    seen = []
    for _ in range(4):
        optimizer.zero_grad()
        (module.weight.sum() * rank).backward()
        optimizer.step()
        seen.append(module.weight[0, 0].item())
    assert seen == ([0.0, -0.5, -0.5, -1.5] if rank == 0 else [0.0, -0.5, -1.5, -1.5]), seen
    state = optimizer.state_dict()
    assert state["step"] == 4
    optimizer.averager.step = 0
    optimizer.load_state_dict(state)
    assert optimizer.averager.step == 4


def test_post_local_sgd_optimizer():
    ranks.run(averaged, 2)


def test_distributed_optimizer_is_refused():
    import torch.distributed.optim as optim

    with pytest.raises(NotImplementedError):
        optim.DistributedOptimizer(None, None)
