"""nn.SyncBatchNorm in processes, against BatchNorm on the joined batch."""

import pytest
import ranks
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def joined():
    rank, size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    for shape, rows, options in (
        ((5,), [3, 4, 2], {}),
        ((3, 4, 4), [2, 1, 2], {"momentum": None}),
        ((3, 6), [2, 0, 3], {"affine": False}),
        ((3, 2, 2, 2), [1, 2, 1], {"track_running_stats": False}),
    ):
        rows = rows[:size]
        whole = torch.randn(sum(rows), *shape, dtype=torch.float64) * 3 + 10
        weights = torch.randn_like(whole)
        kind = {1: nn.BatchNorm1d, 2: nn.BatchNorm1d, 3: nn.BatchNorm2d, 4: nn.BatchNorm3d}[len(shape)]
        plain = kind(shape[0], dtype=torch.float64, **options)
        if plain.affine:
            nn.init.uniform_(plain.weight)
            nn.init.uniform_(plain.bias)
        sync = nn.SyncBatchNorm.convert_sync_batchnorm(kind(shape[0], dtype=torch.float64, **options))
        assert type(sync) is nn.SyncBatchNorm
        sync.load_state_dict(plain.state_dict())
        for _ in range(2):
            x = whole.clone().requires_grad_()
            mine = whole.split(rows)[rank].clone().requires_grad_()
            plain.zero_grad()
            sync.zero_grad()
            want, got = plain(x), sync(mine)
            (want * weights).sum().backward()
            (got * weights.split(rows)[rank]).sum().backward()
            torch.testing.assert_close(got, want.split(rows)[rank])
            torch.testing.assert_close(mine.grad, x.grad.split(rows)[rank])
            for a, b in zip(sync.parameters(), plain.parameters(), strict=True):
                total = a.grad.clone()
                dist.all_reduce(total)
                torch.testing.assert_close(total, b.grad)
        for a, b in zip(sync.buffers(), plain.buffers(), strict=True):
            torch.testing.assert_close(a, b)
        if plain.track_running_stats:
            torch.testing.assert_close(sync.eval()(whole), plain.eval()(whole))
    half = nn.SyncBatchNorm(3)
    assert half(torch.randn(4, 3).bfloat16()).dtype == torch.bfloat16
    with pytest.raises(ValueError, match="at least 2D"):
        half(torch.randn(3))


@pytest.mark.parametrize("size", [2, 3])
def test_equals_the_joined_batch(size):
    ranks.run(joined, size)


def of_a_group():
    rank = dist.get_rank()
    groups = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    sync = nn.SyncBatchNorm(2, process_group=groups[rank // 2])
    x = torch.arange(16.0).view(2, 4, 2)[rank // 2].split(2)[rank % 2] * (1 + rank // 2)
    sync(x)
    mean = torch.arange(16.0).view(2, 4, 2)[rank // 2].mean(0) * (1 + rank // 2)
    torch.testing.assert_close(sync.running_mean, mean * 0.1)


def test_of_a_group():
    ranks.run(of_a_group, 4)
