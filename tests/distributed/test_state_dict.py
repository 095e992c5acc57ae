"""torch.distributed.checkpoint.state_dict: what one wrapping of a model gives, another takes."""

import copy
import pathlib

import pytest
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_optimizer_state_dict,
    get_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
    set_state_dict,
)

BASE = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.BatchNorm1d(7), nn.Linear(7, 3)).double()
ROWS = torch.rand(8, 5).double()
WHOLE = StateDictOptions(full_state_dict=True)


def plain(base):
    return base


def ddp(base):
    return nn.parallel.DistributedDataParallel(base)


def sharded(base):
    from torch.distributed.fsdp import fully_shard

    fully_shard(base[0])
    return fully_shard(base)


def once(base):
    from torch.distributed.fsdp import fully_shard

    return fully_shard(base)


def fsdp(base):
    from torch.distributed.fsdp import FullyShardedDataParallel

    return FullyShardedDataParallel(base, auto_wrap_policy=lambda module, **_: True)


WRAPPINGS = [plain, ddp, sharded, once, fsdp]


def made(wrap, fill=None):
    base = copy.deepcopy(BASE)
    if fill is not None:
        with torch.no_grad():
            for each in (*base.parameters(), base[2].running_mean):
                each.fill_(fill)
    module = wrap(base)
    return module, torch.optim.AdamW(module.parameters(), lr=0.01)


def step(module, optimizer):
    module.eval()  # statistics of a batch are not those of its parts
    rows = ROWS if type(module) is nn.Sequential else ROWS.chunk(dist.get_world_size())[dist.get_rank()]
    module(rows).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()


def compare(a, b):
    if isinstance(b, dict):
        assert list(a) == list(b)
        for key in b:
            compare(a[key], b[key])
    elif isinstance(b, torch.Tensor):
        torch.testing.assert_close(a, b)
    else:
        assert a == b


def between(wraps):
    rank = dist.get_rank()
    reference = made(plain)
    step(*reference)
    step(*reference)
    want = copy.deepcopy(get_state_dict(*reference))
    step(*reference)
    after = get_model_state_dict(reference[0])
    for one in wraps:
        source = made(one)
        step(*source)
        step(*source)
        given = get_state_dict(*source, options=WHOLE)
        compare(given[0], want[0])
        compare(given[1], want[1])
        for other in wraps:
            for options in (WHOLE, StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)):
                target = made(other, 0.5)
                here = copy.deepcopy(given) if rank == 0 or not options.broadcast_from_rank0 else ({}, {})
                found = set_state_dict(*target, model_state_dict=here[0], optim_state_dict=here[1], options=options)
                assert not found.missing_keys and not found.unexpected_keys
                step(*target)
                compare(get_model_state_dict(target[0], options=WHOLE), after)


def test_between_wrappings():
    _threads.run(between, 4, WRAPPINGS, timeout=20)


def parts():
    """Without full_state_dict: this rank's parts, loaded by who has the same and by who has others."""
    source = made(sharded)
    step(*source)
    model, optimizer = get_state_dict(*source)
    assert model["0.weight"].to_local().shape == (2 if dist.get_rank() < 3 else 1, 5)
    assert optimizer["state"]["0.weight"]["exp_avg"].placements == model["0.weight"].placements
    for other in (sharded, once, plain):
        target = made(other, 0.5)
        set_state_dict(*target, model_state_dict=model, optim_state_dict=optimizer)
        compare(get_model_state_dict(target[0], options=WHOLE), get_model_state_dict(source[0], options=WHOLE))
    flat = StateDictOptions(flatten_optimizer_state_dict=True)
    found = get_optimizer_state_dict(*source, options=flat)
    assert {"state.0.weight.exp_avg", "param_groups.3.bias.lr"} < found.keys() and "state" not in found
    target = made(once, 0.5)
    target[1].param_groups[0]["lr"] = 3.0
    set_optimizer_state_dict(*target, found, options=flat)
    assert target[1].param_groups[0]["lr"] == 0.01
    compare(get_optimizer_state_dict(*target, options=WHOLE), get_optimizer_state_dict(*source, options=WHOLE))
    alone = get_state_dict(*source, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    assert all(bool(each) == (dist.get_rank() == 0) for each in alone)


def test_parts():
    _threads.run(parts, 4, timeout=20)


def test_what_is_left_out():
    model, optimizer = made(plain)
    model[0].requires_grad_(False)
    trained = StateDictOptions(ignore_frozen_params=True)
    found = get_state_dict(model, optimizer, options=trained)
    assert "0.weight" not in found[0] and "2.running_mean" in found[0]
    assert found[1]["param_groups"][0]["params"] == ["2.weight", "2.bias", "3.weight", "3.bias"]
    other = made(plain, 0.5)
    other[0][0].requires_grad_(False)
    set_state_dict(*other, model_state_dict=found[0], optim_state_dict=found[1], options=trained)
    assert (other[0][0].weight == 0.5).all() and torch.equal(other[0][3].weight, model[3].weight)
    with pytest.warns(FutureWarning, match="submodules"):
        names = list(get_model_state_dict(model, submodules={model[3]}))
    assert names == ["3.weight", "3.bias"]
    with pytest.warns(FutureWarning, match="submodules"):
        short = get_model_state_dict(
            model, submodules={model[3]}, options=StateDictOptions(keep_submodule_prefixes=False)
        )
    assert list(short) == ["weight", "bias"]


def test_an_optimizer_that_has_made_no_step():
    model, optimizer = made(plain)
    before = copy.deepcopy(model.state_dict())
    found = get_optimizer_state_dict(model, optimizer)
    assert found["state"]["0.weight"]["exp_avg"].shape == (7, 5) and optimizer.param_groups[0]["lr"] == 0.01
    compare(model.state_dict(), before)
    assert all(p.grad is None for p in model.parameters())


def test_several_optimizers_and_groups():
    model = copy.deepcopy(BASE)
    groups = [{"params": model[0].parameters()}, {"params": model[3].parameters(), "momentum": 0.5}]
    optimizers = [torch.optim.SGD(groups, lr=0.1, momentum=0.9), torch.optim.Adam(model[2].parameters())]
    found = copy.deepcopy(get_optimizer_state_dict(model, optimizers))
    assert [group["params"] for group in found["param_groups"]] == [[f"{i}.weight", f"{i}.bias"] for i in (0, 3, 2)]
    optimizers[0].param_groups[1]["momentum"] = 0.1
    optimizers[1].param_groups[0]["lr"] = 5.0
    set_optimizer_state_dict(model, optimizers, found)
    assert optimizers[0].param_groups[1]["momentum"] == 0.5 and optimizers[1].param_groups[0]["lr"] == 0.001


def test_what_does_not_fit():
    model, optimizer = made(plain)
    state = get_state_dict(model, optimizer)
    short = {name: value for name, value in state[0].items() if name != "3.bias"}
    with pytest.raises(RuntimeError, match=r"3\.bias"):
        set_model_state_dict(model, short)
    loose = StateDictOptions(strict=False)
    assert set_model_state_dict(model, short, options=loose).missing_keys == ["3.bias"]
    with pytest.raises(ValueError, match="full_state_dict must be True"):
        get_model_state_dict(model, options=StateDictOptions(broadcast_from_rank0=True))
    with pytest.raises(RuntimeError, match="none of the model's"):
        get_optimizer_state_dict(model, torch.optim.SGD([torch.ones(2)], lr=0.1))
    lacks = copy.deepcopy(state[1])
    lacks["param_groups"][0]["params"].remove("3.bias")
    with pytest.raises(RuntimeError, match=r"no parameter '3\.bias'"):
        set_optimizer_state_dict(model, optimizer, lacks)
    with pytest.raises(RuntimeError, match="is empty"):
        set_optimizer_state_dict(model, optimizer, {})


GOLDEN = pathlib.Path(__file__).parent / "data" / "sharded-2.13"
FOUR = torch.arange(12.0).reshape(4, 3) / 12


def goes_on(wrap):
    """What 2.13 wrote after two steps of fully_shard() over two ranks, and its third step."""
    import torch.distributed.checkpoint as dcp

    module = wrap(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2)))
    optimizer = torch.optim.AdamW(module.parameters(), lr=0.9)
    model, state = get_state_dict(module, optimizer)
    dcp.load({"model": model, "optimizer": state}, checkpoint_id=GOLDEN)
    set_state_dict(module, optimizer, model_state_dict=model, optim_state_dict=state)
    assert optimizer.param_groups[0]["lr"] == 0.05
    rows = FOUR if type(module) is nn.Sequential else FOUR.chunk(dist.get_world_size())[dist.get_rank()]
    module(rows).square().mean().backward()
    optimizer.step()
    compare(dict(get_model_state_dict(module, options=WHOLE)), torch.load(GOLDEN / "after.pt"))


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("wrap", [plain, ddp, sharded, fsdp])
def test_checkpoints_of_another_torch(wrap, size):
    _threads.run(goes_on, size, wrap, timeout=20)
