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


BASE = nn.Sequential(*[nn.Linear(8, 8) for _ in range(4)], nn.Linear(8, 3)).double()
ROWS = torch.rand(8, 8).double()


def part_by_part(base=BASE, **options):
    """fully_shard() of each module of a sequence, and of the whole."""
    from torch.distributed.fsdp import fully_shard

    made = copy.deepcopy(base)
    for child in made:
        fully_shard(child, **options)
    return fully_shard(made, **options)


def gradients_agree(module, plain, steps=2):
    from torch.distributed.fsdp._group import _whole

    rows = ROWS.chunk(dist.get_world_size())[dist.get_rank()]
    groups = [child._fsdp_group for child in module]
    for _ in range(steps):
        loss(module, rows).backward()
        loss(plain, ROWS).backward()
        for a, b in zip(module.parameters(), plain.parameters()):
            torch.testing.assert_close(a.grad.full_tensor(), b.grad)
        assert not any(group in groups for group, _ in _whole.values())
        module.zero_grad()
        plain.zero_grad()


def recorded(module):
    """What is gathered, in its order: a list that grows."""
    events = []
    for i, child in enumerate(module):
        group = child._fsdp_group

        def begin(i=i, group=group, old=group.begin):
            if group.whole is None and group.pending is None:
                events.append(i)
            old()

        group.begin = begin
        child.register_forward_hook(lambda *_, i=i: events.append(f"{i} done"))
    return events


def is_gathered_ahead():
    module, plain = part_by_part(), copy.deepcopy(BASE)
    events = recorded(module)
    gradients_agree(module, plain, 1)
    first = [0, "0 done", 1, "1 done", 2, "2 done", 3, "3 done", 4, "4 done"]
    assert events == [*first, 4, 3, 2, 1, 0]
    events.clear()
    gradients_agree(module, plain, 1)  # one is gathered while the one before it computes, as the first pass had them
    assert events == [0, 1, "0 done", 2, "1 done", 3, "2 done", 4, "3 done", "4 done", 4, 3, 2, 1, 0]
    with torch.no_grad():
        module(ROWS)
        module[:2](ROWS)  # another order: what was gathered ahead in vain is let go of
        module(ROWS)
    assert all(child._fsdp_group.pending is None and child._fsdp_group.whole is None for child in module)


def reductions_go_on_beside():
    """A reduction begins before the one before it has been waited for."""
    module, plain = part_by_part(), copy.deepcopy(BASE)
    module.set_reduce_scatter_max_input_buffers(2)
    events = []
    for i, child in enumerate(module):
        group = child._fsdp_group
        group.reduced = lambda *args, i=i, old=group.reduced: events.append(f"begin {i}") or old(*args)
        group.divided = lambda mine, i=i, old=group.divided: events.append(f"end {i}") or old(mine)
    gradients_agree(module, plain, 1)
    assert events.index("begin 3") < events.index("end 4") < events.index("begin 1")
    assert sorted(events) == sorted(f"{what} {i}" for what in ("begin", "end") for i in range(5))
    with pytest.raises(ValueError, match="not True"):
        module.set_reduce_scatter_max_input_buffers(True)


def other_ways_to_divide():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Shard

    for options in (
        {"reshard_after_forward": 2},
        {"reshard_after_forward": 1},
        {"reshard_after_forward": 4},
        {"shard_placement_fn": lambda p: Shard(1) if p.dim() == 2 else None},
        {"mesh": init_device_mesh("cpu", (2, 2)), "reshard_after_forward": 2},
    ):
        module = part_by_part(**options)
        module.set_separate_reduce_scatter_group()
        gradients_agree(module, copy.deepcopy(BASE))
    assert part_by_part(shard_placement_fn=lambda p: Shard(p.dim() - 1))[0].weight.to_local().shape == (8, 2)
    for options, message in (
        ({"reshard_after_forward": 3}, "divisor of 4"),
        ({"shard_placement_fn": lambda p: Shard(2)}, "of 2 dimensions"),
        ({"shard_placement_fn": lambda p: 1}, "a Shard or None"),
    ):
        with pytest.raises(ValueError, match=message):
            part_by_part(**options)
    odd = nn.Sequential(nn.Linear(6, 4))
    with pytest.raises(ValueError, match="not divided evenly along 1 by 4"):
        part_by_part(odd, shard_placement_fn=lambda p: Shard(1) if p.dim() == 2 else None)
    assert type(odd[0].weight) is nn.Parameter


def part_after_forward_is_small():
    module = part_by_part(reshard_after_forward=2)
    module(ROWS)
    groups = [child._fsdp_group for child in module]
    assert all(group.whole is None for group in groups)
    assert [group.kept_rows.numel() for group in groups] == [36] * 4 + [18]  # half of 8 x (8 + 1), and of 4 x (8 + 1)


def replicas_later():
    from torch.distributed.device_mesh import init_device_mesh

    module, plain = part_by_part(mesh=init_device_mesh("cpu", (2, 2))), copy.deepcopy(BASE)
    rows = ROWS.chunk(4)[dist.get_rank()]
    for last in (False, True):
        module.set_requires_all_reduce(last)
        loss(module, rows).backward()
        loss(plain, ROWS).backward()
        assert last or all(p.grad is None for p in module.parameters())
    for a, b in zip(module.parameters(), plain.parameters()):
        torch.testing.assert_close(a.grad.full_tensor(), b.grad)


class Comm:
    def __init__(self):
        self.calls = 0

    def allocate(self, size, *, dtype, device):
        return torch.empty(size, dtype=dtype, device=device)

    def __call__(self, output_tensor, input_tensor, group, op=None, async_op=False):
        self.calls += 1
        if op is None:
            return dist.all_gather_into_tensor(output_tensor, input_tensor, group, async_op)
        return dist.reduce_scatter_tensor(output_tensor, input_tensor, op, group, async_op)


def settings():
    from torch.distributed.fsdp import share_comm_ctx

    module, plain = part_by_part(), copy.deepcopy(BASE)
    gather, scatter, seen = Comm(), Comm(), []
    module[0].set_custom_all_gather(gather)
    module[0].set_custom_reduce_scatter(scatter)
    module[1].set_all_reduce_hook(lambda gradients: seen.append(gradients.numel()))
    module[2].set_unshard_in_backward(False)
    gradients_agree(module, plain, 1)
    assert gather.calls == 2 and scatter.calls == 1 and seen == [18]
    module[3].set_gradient_divide_factor(2.0)
    loss(module, ROWS.chunk(4)[dist.get_rank()]).backward()
    loss(plain, ROWS).backward()
    torch.testing.assert_close(module[3].weight.grad.full_tensor(), plain[3].weight.grad * 2)
    module.zero_grad()
    plain.zero_grad()
    module[3].set_gradient_divide_factor(4.0)
    with pytest.raises(RuntimeError, match="shape|size"):
        module(torch.rand(3, 5).double())
    module.reset_iter_state()
    gradients_agree(module, plain)
    with pytest.raises(RuntimeError, match="outermost"):
        module[0].reset_iter_state()
    share_comm_ctx([module])
    with pytest.raises(TypeError, match="not Sequential"):
        share_comm_ctx([plain])


def passes_that_do_not_come_to_an_end():
    module, plain = part_by_part(), copy.deepcopy(BASE)
    module(ROWS)  # without backward(): the outermost module's parameters stay whole
    before = {name: value.full_tensor() for name, value in module.state_dict().items()}
    module(ROWS)
    half = {name: value * 0.5 for name, value in module.state_dict().items()}
    module.load_state_dict(half)
    plain.load_state_dict({name: value * 0.5 for name, value in before.items()})
    torch.testing.assert_close(module(ROWS), plain(ROWS))

    def fails(_):
        raise ArithmeticError("in backward")

    handle = module[1].register_full_backward_hook(lambda *_: fails(_))
    with pytest.raises(ArithmeticError):
        loss(module, ROWS).backward()
    handle.remove()
    module.zero_grad()
    gradients_agree(module, plain)
    module.unshard()
    gradients_agree(module, plain, 1)


def several_with_one_group():
    from torch.distributed.fsdp import FSDPModule, fully_shard

    module, plain = copy.deepcopy(BASE), copy.deepcopy(BASE)
    assert fully_shard([module[1], module[2]]) == [module[1], module[2]]
    fully_shard([module[0], module[3], module[4]])
    fully_shard(module)
    group = module[1]._fsdp_group
    assert group is module[2]._fsdp_group and isinstance(module[2], FSDPModule)
    seen = []
    for i in (1, 2):
        module[i].register_forward_hook(lambda *_: seen.append(group.whole is not None))
    gradients_agree(module, plain)
    assert seen == [True, False] * 2
    with pytest.raises(RuntimeError, match="shape|size"):
        module[2](torch.ones(2, 5).double())
    gradients_agree(module, plain)
    module.forward = lambda x: module[1](x)  # the other one is not used
    module(ROWS).sum().backward()
    module.zero_grad()
    del module.forward
    gradients_agree(module, plain)
    with pytest.raises(AssertionError, match="not copied"):
        copy.deepcopy(module)
    with pytest.raises(ValueError, match="at least one"):
        fully_shard([])


def some_are_frozen():
    base = copy.deepcopy(BASE)
    base[0].requires_grad_(False)
    base[2].weight.requires_grad_(False)
    module = part_by_part(base)
    loss(module, ROWS.chunk(4)[dist.get_rank()]).backward()
    loss(base, ROWS).backward()
    for a, b in zip(module.parameters(), base.parameters()):
        assert (a.grad is None) == (b.grad is None)
        if b.grad is not None:
            torch.testing.assert_close(a.grad.full_tensor(), b.grad)


def checkpointed_activations():
    from torch.utils.checkpoint import checkpoint

    class Whole(nn.Module):
        def __init__(self, parts, reentrant):
            super().__init__()
            self.parts, self.reentrant = parts, reentrant

        def forward(self, x):
            for part in self.parts:
                x = checkpoint(part, x, use_reentrant=self.reentrant)
            return x

    from torch.distributed.fsdp import fully_shard

    for reentrant in (False, True):
        module, plain = part_by_part(), copy.deepcopy(BASE)
        made = fully_shard(Whole(module, reentrant))
        rows = ROWS.chunk(4)[dist.get_rank()].clone().requires_grad_()
        for _ in range(2):
            loss(made, rows).backward()
            loss(plain, ROWS).backward()
        for a, b in zip(made.parameters(), plain.parameters()):
            torch.testing.assert_close(a.grad.full_tensor(), b.grad)


def made_without_elements():
    """A model of the device meta is divided first, and gets its elements part by part."""
    from torch.distributed.fsdp import fully_shard

    with torch.device("meta"):
        module = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 3))
    fully_shard(module[0])
    fully_shard(module)
    with pytest.raises(RuntimeError, match=r"weight of \[3, 6\] has no elements.*to_empty"):
        module(torch.ones(2, 6))
    module.to_empty(device="cpu")
    for layer in (module[0], module[2]):
        layer.reset_parameters()
    plain = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 3))
    plain.load_state_dict({name: value.full_tensor() for name, value in module.state_dict().items()})
    optimizers = [torch.optim.SGD(each.parameters(), lr=0.1) for each in (module, plain)]
    rows = torch.arange(24.0).view(4, 6) / 10
    for _ in range(2):
        for each, optimizer in zip((module, plain), optimizers):
            optimizer.zero_grad()
            each(rows).pow(2).mean().backward()
            optimizer.step()
    for a, b in zip(module.parameters(), plain.parameters()):
        torch.testing.assert_close(a.full_tensor(), b)
    other = {name: torch.zeros_like(value) for name, value in module.state_dict().items()}
    module.load_state_dict(other, assign=True)
    assert module(rows).eq(0).all()
    module[0].weight = nn.Parameter(torch.ones(6, 6))
    with pytest.raises(ValueError, match="weight was put in the place of a parameter that fully_shard"):
        module(rows)


@pytest.mark.parametrize(
    "function",
    [
        made_without_elements,
        is_gathered_ahead,
        reductions_go_on_beside,
        other_ways_to_divide,
        part_after_forward_is_small,
        replicas_later,
        settings,
        passes_that_do_not_come_to_an_end,
        several_with_one_group,
        some_are_frozen,
        checkpointed_activations,
    ],
)
def test_by_threads(function):
    from torch.distributed import _threads

    _threads.run(function, 4, timeout=15)


def test_against_one_process(tmp_path):
    ranks.run(everything, 4, str(tmp_path))
