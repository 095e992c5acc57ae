"""fully_shard() over four ranks against the plain module on the joined batch."""

import copy

import pytest
import ranks
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def model():
    torch.manual_seed(0)
    made = nn.Sequential(
        nn.Linear(6, 13), nn.GELU(), nn.Sequential(nn.Linear(13, 9), nn.LayerNorm(9)), nn.ReLU(), nn.Linear(9, 3)
    )
    return made.double()


def sharded(plain, outer=None, **options):
    from torch.distributed.fsdp import fully_shard

    made = copy.deepcopy(plain)
    fully_shard(made[0], **options)
    fully_shard(made[2], **options)
    return fully_shard(made, **options | (outer or {}))


def batch(step):
    return torch.rand(8, 6, generator=torch.Generator().manual_seed(step), dtype=torch.float64)


def loss(module, inputs):
    return module(inputs).square().mean()


def steps_agree(**options):
    rank, size = dist.get_rank(), dist.get_world_size()
    plain = model()
    module = sharded(plain, **options)
    count = sum(p.numel() for p in plain.parameters())
    held = sum(p.to_local().numel() for p in module.parameters())
    assert held < count * 0.65 and sum(p.numel() for p in module.parameters()) == count
    one = torch.optim.AdamW(plain.parameters(), lr=0.01)
    many = torch.optim.AdamW(module.parameters(), lr=0.01)
    for step in range(3):
        inputs = batch(step)
        loss(plain, inputs).backward()
        loss(module, inputs.chunk(size)[rank]).backward()
        for a, b in zip(plain.parameters(), module.parameters()):
            torch.testing.assert_close(b.grad.full_tensor(), a.grad)
        want = nn.utils.clip_grad_norm_(plain.parameters(), 0.01)
        got = nn.utils.clip_grad_norm_(module.parameters(), 0.01)
        torch.testing.assert_close(got.full_tensor() if hasattr(got, "full_tensor") else got, want)
        for optimizer in (one, many):
            optimizer.step()
            optimizer.zero_grad()
    for (name, a), b in zip(plain.state_dict().items(), module.state_dict().values()):
        torch.testing.assert_close(b.full_tensor(), a, msg=name)
    return plain, module


def whole_is_let_go_of():
    from torch.distributed.fsdp._group import _whole

    module = sharded(model())
    result = loss(module, batch(dist.get_rank()))
    assert all(group is module._fsdp_group for group, _ in _whole.values())  # the outermost alone keeps its own
    result.backward()
    assert not _whole and all(p.grad is not None for p in module.parameters())
    with pytest.raises(RuntimeError, match="shape|size"):
        module(torch.ones(2, 5).double())
    assert not _whole
    with torch.no_grad():
        module(batch(0))
    assert not _whole


def later_gradients():
    rank, size = dist.get_rank(), dist.get_world_size()
    plain = model()
    module = sharded(plain)
    module[0].set_modules_to_forward_prefetch([module[2]])
    module[2].set_modules_to_backward_prefetch([module[0]])
    for step in range(2):
        loss(plain, batch(step)).backward()
        module.set_requires_gradient_sync(step == 1)
        loss(module, batch(step).chunk(size)[rank]).backward()
        assert step == 1 or all(p.grad is None for p in module.parameters())
    for a, b in zip(plain.parameters(), module.parameters()):
        torch.testing.assert_close(b.grad.full_tensor(), a.grad)


def lower_precision():
    from torch.distributed.fsdp import MixedPrecisionPolicy

    policy = MixedPrecisionPolicy(torch.float32, torch.float64)
    outer = {"mp_policy": MixedPrecisionPolicy(torch.float32, torch.float64, torch.float64)}
    plain = model()
    module = sharded(plain, outer, mp_policy=policy)
    rank, size = dist.get_rank(), dist.get_world_size()
    result = module(batch(0).chunk(size)[rank])
    assert result.dtype == torch.float64
    result.square().mean().backward()
    loss(plain, batch(0)).backward()
    for a, b in zip(plain.parameters(), module.parameters()):
        assert b.grad.dtype == torch.float64
        torch.testing.assert_close(b.grad.full_tensor(), a.grad, rtol=1e-4, atol=1e-6)


def checkpointed(module, folder):
    import torch.distributed.checkpoint as dcp

    dcp.save({"model": module.state_dict()}, checkpoint_id=folder)
    other = sharded(model())
    state = {"model": other.state_dict()}
    dcp.load(state, checkpoint_id=folder)
    other.load_state_dict(state["model"])
    for a, b in zip(module.parameters(), other.parameters()):
        assert torch.equal(a.to_local(), b.to_local())


def everything(folder):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import FSDPModule, fully_shard

    _, module = steps_agree()
    assert isinstance(module, FSDPModule) and isinstance(module, nn.Sequential)
    checkpointed(module, folder)
    steps_agree(reshard_after_forward=False)
    steps_agree(mesh=init_device_mesh("cpu", (2, 2)))
    whole_is_let_go_of()
    later_gradients()
    lower_precision()
    with pytest.raises(ValueError, match="has been called"):
        fully_shard(module)


def test_against_one_process(tmp_path):
    ranks.run(everything, 4, str(tmp_path))
