"""Communication hooks of DistributedDataParallel, and means of modules."""

import pytest
import ranks
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from test_ddp import batch, make, mine, same_on_all
from torch.distributed.algorithms import ddp_comm_hooks
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks, post_localSGD_hook, powerSGD_hook
from torch.distributed.algorithms.model_averaging import averagers, hierarchical_model_averager
from torch.nn.parallel import DistributedDataParallel as DDP


def gradients(ddp, steps=1):
    x, y = batch()
    for _ in range(steps):
        ddp.zero_grad()
        nn.functional.mse_loss(ddp(mine(x)), mine(y)).backward()
    return [p.grad.clone() for p in ddp.parameters()]


def means():
    want = gradients(DDP(make()))
    kinds = ddp_comm_hooks.DDPCommHookType
    for view in (False, True):
        for kind, tolerance in ((kinds.ALLREDUCE, 1e-6), (kinds.FP16_COMPRESS, 2e-3), (kinds.BF16_COMPRESS, 2e-2)):
            ddp = DDP(make(), bucket_cap_mb=0.0005, gradient_as_bucket_view=view)
            ddp_comm_hooks.register_ddp_comm_hook(kind, ddp)
            got = gradients(ddp, steps=3)
            assert same_on_all(got)
            for a, b in zip(got, want, strict=True):
                torch.testing.assert_close(a, b, rtol=tolerance, atol=tolerance)
            assert ddp._get_ddp_logging_data()["comm_hook"].endswith("_hook")
    ddp = DDP(make())
    ddp.register_comm_hook(None, default_hooks.bf16_compress_wrapper(default_hooks.allreduce_hook))
    for a, b in zip(gradients(ddp), want, strict=True):
        torch.testing.assert_close(a, b, rtol=2e-2, atol=2e-2)
    ddp = DDP(make())
    ddp_comm_hooks.register_ddp_comm_hook(kinds.NOOP, ddp)
    assert not same_on_all(gradients(ddp))

    seen = []

    def hook(state, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:
        seen.append((bucket.index(), bucket.is_last(), len(bucket.parameters()), bucket.buffer().numel()))
        assert sum(g.numel() for g in bucket.gradients()) == bucket.buffer().numel()
        future = torch.futures.Future()
        future.set_result(torch.full_like(bucket.buffer(), state))
        return future

    ddp = DDP(make())
    ddp.register_comm_hook(5.0, hook)
    assert all((g == 5).all() for g in gradients(ddp)) and seen == [(0, True, 6, 623)], seen


def test_means():
    ranks.run(means, 2)


def power():
    want = gradients(DDP(make()))
    for hook in (powerSGD_hook.powerSGD_hook, powerSGD_hook.batched_powerSGD_hook):
        # With as many columns as the matrix has, nothing is lost.
        state = powerSGD_hook.PowerSGDState(None, 30, start_powerSGD_iter=2, min_compression_rate=0)
        ddp = DDP(make())
        ddp.register_comm_hook(state, hook)
        got = gradients(ddp, 5)
        for a, b in zip(got, want, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)
        # With one, what was lost comes later: the mean of many steps is the gradient.
        state = powerSGD_hook.PowerSGDState(None, 1, start_powerSGD_iter=2, min_compression_rate=1)
        ddp = DDP(make())
        ddp.register_comm_hook(state, hook)
        gradients(ddp, 2)
        total = [torch.zeros_like(g) for g in want]
        for _ in range(60):
            for t, g in zip(total, gradients(ddp), strict=True):
                t += g / 60
        assert same_on_all(total) and state.compression_stats()[0] > 1
        for a, b in zip(total, want, strict=True):
            torch.testing.assert_close(a, b, rtol=0.2, atol=0.05)
    with pytest.raises(ValueError, match="start_powerSGD_iter must be more than 1"):
        powerSGD_hook.PowerSGDState(None, start_powerSGD_iter=1)


def test_power_sgd():
    ranks.run(power, 2)


def local():
    state = post_localSGD_hook.PostLocalSGDState(None, None, 2, post_local_gradient_allreduce=False)
    ddp = DDP(make())
    ddp.register_comm_hook(state, post_localSGD_hook.post_localSGD_hook)
    assert [same_on_all(gradients(ddp)) for _ in range(4)] == [True, True, False, False]
    rank = dist.get_rank()
    module = nn.Linear(2, 2)
    averager = averagers.PeriodicModelAverager(period=3, warmup_steps=2)
    means = []
    for _ in range(6):
        with torch.no_grad():
            module.weight.fill_(rank)
        module.weight.grad = torch.zeros(2, 2)
        averager.average_parameters(module.parameters())
        means.append(module.weight[0, 0].item())
    assert [mean == 0.5 for mean in means] == [False, False, True, False, False, True] and averager.step == 6
    tiers = hierarchical_model_averager.HierarchicalModelAverager({2: 1, 4: 2})
    means = []
    for _ in range(5):
        with torch.no_grad():
            module.weight.fill_(rank)
        tiers.average_parameters(module.parameters())
        means.append(module.weight[0, 0].item() == 0.5)
    assert means == [True, False, False, False, True]
    with pytest.raises(ValueError, match="period must be at least 1"):
        averagers.PeriodicModelAverager(0)


def test_local_sgd():
    ranks.run(local, 2)
