"""fully_shard() of modules whose parameters tensor parallelism has divided, and tensors that lie as theirs do."""

import copy

import pytest
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 8)
        self.norm = nn.LayerNorm(8)
        self.one = nn.Linear(8, 14)
        self.two = nn.Linear(14, 8, bias=False)
        self.out = nn.Linear(8, 5)

    def forward(self, x):
        x = self.table(x)
        return self.out(x + self.two(torch.relu(self.one(self.norm(x)))))


BLOCK = Block().double()  # made once: ranks are threads, which draw from one generator


def block():
    return copy.deepcopy(BLOCK)


def parallel(plain, mesh):
    """A copy divided over mesh["tp"]."""
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.parallel import (
        ColwiseParallel,
        RowwiseParallel,
        SequenceParallel,
        parallelize_module,
    )

    made = copy.deepcopy(plain)
    plan = {
        "table": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False),
        "norm": SequenceParallel(),
        "one": ColwiseParallel(input_layouts=Shard(1)),
        "two": RowwiseParallel(output_layouts=Shard(1), use_local_output=False),
        "out": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
    }
    return parallelize_module(made, mesh["tp"], plan)


def spread(plain, mesh, data, inside=("one", "out"), **options):
    """A copy divided over mesh["tp"], and then over mesh[data]."""
    from torch.distributed.fsdp import fully_shard

    made = parallel(plain, mesh)
    for name in inside:
        fully_shard(getattr(made, name), mesh=mesh[data], **options)
    return fully_shard(made, mesh=mesh[data], **options)


def meshes():
    from torch.distributed.device_mesh import init_device_mesh

    if dist.get_world_size() == 4:
        return init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp")), "dp"
    return init_device_mesh("cpu", (2, 2, 2), mesh_dim_names=("again", "dp", "tp")), ("again", "dp")


def loss(module, rows):
    return module(rows).square().mean()


def batch(step):
    return torch.randint(10, (8, 4), generator=torch.Generator().manual_seed(step))


def train(plain, module, mesh, data, steps=3):
    places = mesh[data].mesh.flatten().tolist()
    mine = places.index(dist.get_rank())
    one = torch.optim.AdamW(plain.parameters(), lr=0.01)
    many = torch.optim.AdamW(module.parameters(), lr=0.01)
    for step in range(steps):
        rows = batch(step)
        loss(plain, rows).backward()
        loss(module, rows.chunk(len(places))[mine]).backward()
        for (name, a), b in zip(plain.named_parameters(), module.parameters()):
            assert b.grad.placements == b.placements, name
            torch.testing.assert_close(b.grad.full_tensor(), a.grad, msg=name)
        want = nn.utils.clip_grad_norm_(plain.parameters(), 0.01)
        clip = getattr(module, "clip_grad_norm_", None)
        got = clip(0.01) if clip else nn.utils.clip_grad_norm_(module.parameters(), 0.01).full_tensor()
        torch.testing.assert_close(got, want)
        for optimizer in (one, many):
            optimizer.step()
            optimizer.zero_grad()
    same(plain, module)
    return one, many


def same(plain, module):
    for (name, a), b in zip(plain.state_dict().items(), module.state_dict().values()):
        torch.testing.assert_close(b.full_tensor() if hasattr(b, "full_tensor") else b, a, msg=name)


def as_one_process():
    from torch.distributed.fsdp._group import _whole

    mesh, data = meshes()
    for options in ({}, {"reshard_after_forward": False}):
        plain = block()
        module = spread(plain, mesh, data, **options)
        same(plain, module)
        train(plain, module, mesh, data)
        groups = [module._fsdp_group, module.one._fsdp_group, module.out._fsdp_group]
        assert not any(group in groups for group, _ in _whole.values())


def by_the_wrapper():
    from torch.distributed.fsdp import FullyShardedDataParallel, StateDictType

    mesh, data = meshes()
    plain = block()
    other = copy.deepcopy(plain)
    if mesh.get_local_rank("dp"):  # the first one's count
        torch.nn.init.zeros_(other.one.weight)
    module = FullyShardedDataParallel(parallel(other, mesh), device_mesh=mesh[data], sync_module_states=True)
    one, many = train(plain, module, mesh, data, 2)
    with FullyShardedDataParallel.state_dict_type(module, StateDictType.SHARDED_STATE_DICT):
        lies = module.state_dict()
        assert lies["one.weight"].placements == module.module.one.weight.placements
        with torch.no_grad():
            half = {name: value * 0.5 for name, value in lies.items()}
        module.load_state_dict(half)
    plain.load_state_dict({name: value * 0.5 for name, value in plain.state_dict().items()})
    same(plain, module)
    with FullyShardedDataParallel.summon_full_params(module):
        torch.testing.assert_close(module.module.out.weight, plain.out.weight)
        with torch.no_grad():
            module.module.out.weight.add_(1)
    torch.testing.assert_close(module.module.out.weight.full_tensor(), plain.out.weight + 1)
    state = FullyShardedDataParallel.optim_state_dict(module, many)["state"]
    for name, parameter in plain.named_parameters():
        torch.testing.assert_close(state[name]["exp_avg"], one.state[parameter]["exp_avg"])


def flat_and_in_groups():
    """Two dimensions of the mesh that are one; parameters that stay whole among fewer ranks; lower precision."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy

    mesh = init_device_mesh("cpu", (2, 2, 2), mesh_dim_names=("one", "two", "tp"))
    mesh["one", "two"]._flatten("dp")
    plain = block()
    module = spread(plain, mesh, "dp", reshard_after_forward=2)
    assert module.norm.weight.device_mesh.mesh_dim_names == ("dp", "tp")
    assert module.norm.weight.device_mesh.mesh.tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    train(plain, module, mesh, "dp", 2)
    policy = MixedPrecisionPolicy(torch.float32, torch.float64, torch.float64)
    low = spread(plain, mesh, "dp", inside=(), mp_policy=policy)
    rows = batch(0)
    loss(low, rows).backward()
    loss(plain, rows).backward()
    for a, b in zip(plain.parameters(), low.parameters()):
        assert b.grad.dtype == torch.float64
        torch.testing.assert_close(b.grad.full_tensor(), a.grad, rtol=1e-4, atol=1e-6)


def lie_as_they_are_to():
    from torch.distributed.tensor import DTensor, Replicate, Shard
    from torch.distributed.tensor.placement_types import _StridedShard

    mesh, data = meshes()
    plain = block()
    module = spread(plain, mesh, data)
    found = {name: (p.placements, tuple(p.to_local().shape)) for name, p in module.named_parameters()}
    assert found == {
        "table.weight": ((_StridedShard(0, split_factor=2), Shard(0)), (3 - mesh.get_local_rank("dp"), 8)),
        "norm.weight": ((Shard(0), Replicate()), (4,)),
        "norm.bias": ((Shard(0), Replicate()), (4,)),
        "one.weight": ((_StridedShard(0, split_factor=2), Shard(0)), (4 - mesh.get_local_rank("dp"), 8)),
        "one.bias": ((_StridedShard(0, split_factor=2), Shard(0)), (4 - mesh.get_local_rank("dp"),)),
        "two.weight": ((Shard(0), Shard(1)), (4, 7)),
        "out.weight": (
            (_StridedShard(0, split_factor=2), Shard(0)),
            ((2, 1)[mesh.get_local_rank("dp")] if mesh.get_local_rank("tp") == 0 else 1, 8),
        ),
        "out.bias": (
            (_StridedShard(0, split_factor=2), Shard(0)),
            ((2, 1)[mesh.get_local_rank("dp")] if mesh.get_local_rank("tp") == 0 else 1,),
        ),
    }
    assert all(p.device_mesh == mesh for p in module.parameters())
    rows = plain.one.weight.detach().chunk(2)[mesh.get_local_rank("tp")].chunk(2)[mesh.get_local_rank("dp")]
    assert torch.equal(module.one.weight.to_local(), rows)  # tensor parallelism's rows, and of these the part
    module.unshard()
    assert isinstance(module.table.weight, DTensor) and module.table.weight.placements == (Shard(0),)
    assert module.table.weight.device_mesh == mesh["tp"] and module.table.weight.to_local().shape == (5, 8)
    module.reshard()
    other = spread(plain, mesh, data, shard_placement_fn=lambda p: Shard(1) if p.shape == (14, 8) else None)
    assert other.one.weight.placements == (Shard(1), Shard(0))
    assert other.norm.weight.placements == (Shard(0), Replicate())


def saved_and_loaded(folder):
    import torch.distributed.checkpoint as dcp
    from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
    from torch.distributed.fsdp import fully_shard

    mesh, data = meshes()
    plain = block()
    module = spread(plain, mesh, data)
    one, many = train(plain, module, mesh, data, 2)
    dcp.save(dict(zip(("model", "optimizer"), get_state_dict(module, many))), checkpoint_id=folder)
    for other in (spread(block(), mesh, data), fully_shard(block())):  # and over all ranks in one way
        optimizer = torch.optim.AdamW(other.parameters(), lr=0.1)
        state = dict(zip(("model", "optimizer"), get_state_dict(other, optimizer)))
        dcp.load(state, checkpoint_id=folder)
        set_state_dict(other, optimizer, model_state_dict=state["model"], optim_state_dict=state["optimizer"])
        same(plain, other)
        for a, b in zip(plain.parameters(), other.parameters()):
            for name in ("exp_avg", "exp_avg_sq"):
                torch.testing.assert_close(optimizer.state[b][name].full_tensor(), one.state[a][name])
        assert optimizer.param_groups[0]["lr"] == 0.01
    again = spread(block(), mesh, data)
    again.load_state_dict(module.state_dict())
    same(plain, again)


def what_is_refused():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module
    from torch.distributed.tensor.placement_types import _StridedShard

    mesh, data = meshes()
    module = parallelize_module(nn.Linear(4, 4), mesh["tp"], ColwiseParallel())
    before = module.weight
    other = init_device_mesh("cpu", (4,), mesh_dim_names=("all",))
    for wrong, message in ((other, "slices by names of one mesh"), (mesh["tp"], "no dimension in common")):
        with pytest.raises(ValueError, match=message):
            fully_shard(module, mesh=wrong)
    assert module.weight is before and type(module) is nn.Linear
    for placements in ((_StridedShard(0, split_factor=2), Replicate()), (_StridedShard(0, split_factor=4), Shard(0))):
        with pytest.raises(NotImplementedError, match="later dimensions"):
            distribute_tensor(torch.ones(8), mesh, placements)
    with pytest.raises(ValueError, match="at least 1, not 0"):
        _StridedShard(0, split_factor=0)


def strided_parts():
    """Redistributed every way, and computed with; sizes that are not even."""
    from itertools import product

    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
    from torch.distributed.tensor.placement_types import _StridedShard

    mesh, _ = meshes()
    whole = torch.arange(35.0).double().reshape(7, 5)
    plain = [Replicate(), Shard(0), Shard(1)]
    ways = [*product(plain, plain), *((_StridedShard(d, split_factor=2), Shard(d)) for d in (0, 1))]
    weights = torch.arange(35.0).double().sin().reshape(7, 5)
    for one, two in product(ways, ways):
        tensor = distribute_tensor(whole, mesh, one, src_data_rank=None).requires_grad_()
        moved = tensor.redistribute(placements=two)
        assert torch.equal(moved.to_local(), distribute_tensor(whole, mesh, two, src_data_rank=None).to_local())
        (moved * distribute_tensor(weights, mesh, two, src_data_rank=None)).sum().full_tensor().backward()
        assert torch.equal(tensor.grad.full_tensor(), weights), (one, two)
    for way in ways[-2:]:
        strided = distribute_tensor(whole, mesh, way, src_data_rank=None)
        for other in ways[2:5]:
            both = strided + distribute_tensor(weights, mesh, other, src_data_rank=None)
            torch.testing.assert_close(both.full_tensor(), whole + weights)
            into = distribute_tensor(weights, mesh, other, src_data_rank=None)
            assert into.mul_(strided).placements == other
            torch.testing.assert_close(into.full_tensor(), whole * weights)
        torch.testing.assert_close((strided @ strided.t()).full_tensor(), whole @ whole.t())
        torch.testing.assert_close(strided.norm().full_tensor(), whole.norm())
        torch.testing.assert_close(strided.sum(0).full_tensor(), whole.sum(0))
        torch.testing.assert_close(strided.flatten().full_tensor(), whole.flatten())
        torch.testing.assert_close(strided[1:4].full_tensor(), whole[1:4])
        assert (strided * 2).placements == way and torch.zeros_like(strided).placements == way
        copied = copy.deepcopy(strided)
        assert copied.placements == way and copied.add_(1).placements == way
    term = DTensor.from_local(whole.clone(), mesh, [Partial(), Replicate()]).redistribute(placements=ways[-2])
    torch.testing.assert_close(term.full_tensor(), whole * 2)


@pytest.mark.parametrize(
    "function", [as_one_process, by_the_wrapper, lie_as_they_are_to, what_is_refused, strided_parts]
)
def test_two_ways(function):
    from torch.distributed import _threads

    _threads.run(function, 4, timeout=15)


@pytest.mark.parametrize("function", [as_one_process, flat_and_in_groups])
def test_of_three(function):
    from torch.distributed import _threads

    _threads.run(function, 8, timeout=15)


def test_checkpoint(tmp_path):
    from torch.distributed import _threads

    _threads.run(saved_and_loaded, 4, str(tmp_path), timeout=15)
