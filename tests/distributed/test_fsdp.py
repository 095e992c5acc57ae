"""FullyShardedDataParallel over four ranks, threads of this process, against the plain module on the joined batch."""

import copy
import functools

import pytest
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads
from torch.distributed.fsdp import (
    CPUOffload,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    FullyShardedDataParallel as FSDP,
    MixedPrecision,
    OptimStateKeyType,
    ShardingStrategy,
    StateDictType,
    wrap,
)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(6, 6)
        self.norm = nn.LayerNorm(6)

    def forward(self, x):
        return x + self.norm(self.inner(x)).relu()


BASE = nn.Sequential(nn.Linear(5, 6), Block(), Block(), nn.BatchNorm1d(6), nn.Linear(6, 3)).double().eval()
ROWS = torch.rand(8, 5).double()
WHOLE = StateDictType.FULL_STATE_DICT


def mine(rows=ROWS):
    return rows.chunk(dist.get_world_size())[dist.get_rank()]


def loss(module, rows):
    return module(rows).square().mean()


def wrapped(base=BASE, **options):
    options = {"auto_wrap_policy": wrap.ModuleWrapPolicy({Block})} | options
    return FSDP(copy.deepcopy(base), **options)


def same(a, b):
    if isinstance(b, dict):
        assert list(a) == list(b)
        for key in b:
            same(a[key], b[key])
    elif isinstance(b, list):
        assert len(a) == len(b)
        for one, other in zip(a, b):
            same(one, other)
    elif isinstance(b, torch.Tensor):
        torch.testing.assert_close(a, b)
    else:
        assert a == b


def trains_as_one(**options):
    plain, module = copy.deepcopy(BASE), wrapped(**options)
    one = torch.optim.AdamW(plain.parameters(), lr=0.01)
    many = torch.optim.AdamW(module.parameters(), lr=0.01)
    for _ in range(3):
        loss(plain, ROWS).backward()
        loss(module, mine()).backward()
        want = nn.utils.clip_grad_norm_(plain.parameters(), 0.05)
        torch.testing.assert_close(module.clip_grad_norm_(0.05), want)
        for optimizer in (one, many):
            optimizer.step()
            optimizer.zero_grad()
    same(module.state_dict(), plain.state_dict())
    return plain, module, one, many


@pytest.mark.parametrize("strategy", list(ShardingStrategy))
def test_strategies(strategy):
    def ranks():
        from torch.distributed.device_mesh import init_device_mesh

        hybrid = "HYBRID" in strategy.name
        options = {"device_mesh": init_device_mesh("cpu", (2, 2))} if hybrid else {}
        _, module, _, _ = trains_as_one(sharding_strategy=strategy, cpu_offload=CPUOffload(True), **options)
        count = sum(p.numel() for p in BASE.parameters())
        held = sum(p.to_local().numel() for p in module.parameters())
        most = {ShardingStrategy.NO_SHARD: 1.0}.get(strategy, 0.6 if hybrid else 0.4)
        assert held <= count * most and isinstance(module.module, nn.Sequential)
        groups = [each._fsdp_group for each in FSDP.fsdp_modules(module)]
        module(mine())
        kept = [group.whole is not None for group in groups]
        assert kept == [True, *[strategy not in (ShardingStrategy.FULL_SHARD, ShardingStrategy.HYBRID_SHARD)] * 2]

    _threads.run(ranks, 4, timeout=20)


def groups_of_processes():
    rank = dist.get_rank()
    pairs = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    across = [dist.new_group([0, 2]), dist.new_group([1, 3])]
    hybrid = wrapped(
        process_group=(pairs[rank // 2], across[rank % 2]), sharding_strategy=ShardingStrategy.HYBRID_SHARD
    )
    half = wrapped(process_group=pairs[rank // 2])
    loss(hybrid, mine()).backward()
    loss(half, ROWS[:4].chunk(2)[rank % 2]).backward()
    plain = copy.deepcopy(BASE)
    loss(plain, ROWS).backward()
    for a, b in zip(hybrid.parameters(), plain.parameters()):
        torch.testing.assert_close(a.grad.full_tensor(), b.grad)
    plain.zero_grad()
    loss(plain, ROWS[:4]).backward()
    for a, b in zip(half.parameters(), plain.parameters()):
        torch.testing.assert_close(a.grad.full_tensor(), b.grad)
    for options, message in (
        ({"sharding_strategy": ShardingStrategy.HYBRID_SHARD, "process_group": pairs[0]}, "two process groups"),
        ({"process_group": (pairs[0], pairs[1])}, "one process group"),
        ({"ignored_modules": [], "ignored_states": []}, "without ignored_modules"),
    ):
        with pytest.raises(ValueError, match=message):
            wrapped(**options)


def policies():
    def units(policy):
        made = FSDP(copy.deepcopy(BASE), auto_wrap_policy=policy)
        return [type(each.module).__name__ for each in FSDP.fsdp_modules(made)]

    transformer = functools.partial(wrap.transformer_auto_wrap_policy, transformer_layer_cls={Block})
    assert units(transformer) == units(wrap.ModuleWrapPolicy({Block})) == ["Sequential", "Block", "Block"]
    sized = functools.partial(wrap.size_based_auto_wrap_policy, min_num_params=40)
    assert units(sized) == ["Sequential", "Linear", "Linear"]  # what is left of a block is small
    chosen = functools.partial(wrap.lambda_auto_wrap_policy, lambda_fn=lambda each: isinstance(each, nn.LayerNorm))
    assert units(chosen) == ["Sequential", "LayerNorm", "LayerNorm"]
    both = functools.partial(wrap._or_policy, policies=[transformer, chosen])
    assert units(both) == ["Sequential", "Block", "LayerNorm", "Block", "LayerNorm"]
    custom = wrap.CustomPolicy(
        lambda each: {"sharding_strategy": ShardingStrategy.SHARD_GRAD_OP} if isinstance(each, Block) else False
    )
    made = FSDP(copy.deepcopy(BASE), auto_wrap_policy=custom)
    assert [each.sharding_strategy.name for each in FSDP.fsdp_modules(made)] == ["FULL_SHARD", *["SHARD_GRAD_OP"] * 2]
    same(made.state_dict(), BASE.state_dict())
    if dist.get_rank() == 0:  # what says it is one for the process
        with wrap.enable_wrap(wrapper_cls=lambda module, **options: (module, options), a=1):
            assert wrap.wrap(BASE, b=2) == (BASE, {"a": 1, "b": 2})
        assert wrap.wrap(BASE) is BASE


def later_and_frozen():
    base = copy.deepcopy(BASE)
    base[1].inner.requires_grad_(False)
    plain, module = copy.deepcopy(base), wrapped(base, use_orig_params=True)
    with module.no_sync():
        loss(module, mine()).backward()
    assert all(p.grad is None for p in module.parameters())
    loss(module, mine()).backward()
    for _ in range(2):
        loss(plain, ROWS).backward()
    for a, b in zip(module.parameters(), plain.parameters()):
        assert (a.grad is None) == (b.grad is None)
        if b.grad is not None:
            torch.testing.assert_close(a.grad.full_tensor(), b.grad)
    with pytest.raises(RuntimeError, match="outermost"), module.module[1].no_sync():
        pass
    assert module.check_is_root() and not module.module[1].check_is_root()
    assert FSDP.fsdp_modules(module, root_only=True) == [module]


def whole_parameters():
    module, plain = wrapped(), copy.deepcopy(BASE)
    loss(module, mine()).backward()
    loss(plain, ROWS).backward()
    held = [p.to_local().clone() for p in module.parameters()]
    with FSDP.summon_full_params(module, with_grads=True):
        for (name, a), (other, b) in zip(module.named_parameters(), plain.named_parameters()):
            assert name == other and type(a) is nn.Parameter and torch.equal(a, b)
            torch.testing.assert_close(a.grad, b.grad)
        with torch.no_grad():
            module[0].weight += 1
    assert torch.equal(module.state_dict()["0.weight"], plain[0].weight + 1)
    with FSDP.summon_full_params(module, writeback=False), torch.no_grad():
        module[0].weight += 5
    assert torch.equal(module.state_dict()["0.weight"], plain[0].weight + 1)
    with FSDP.summon_full_params(module, writeback=False, rank0_only=True):
        assert (module[4].weight.shape == (3, 6)) and (type(module[4].weight) is nn.Parameter) == (dist.get_rank() == 0)
    with pytest.raises(NotImplementedError, match="written back"), FSDP.summon_full_params(module, rank0_only=True):
        pass
    module.apply(lambda each: nn.init.ones_(each.weight) if isinstance(each, nn.Linear) else None)
    found = module.state_dict()
    assert (found["1.inner.weight"] == 1).all() and torch.equal(found["1.norm.bias"], plain[1].norm.bias)
    assert all(a.to_local().shape == b.shape for a, b in zip(module.parameters(), held))


def lower_precision():
    class Looks(nn.Module):
        def forward(self, x):
            seen.append(x.dtype)
            return x

    seen = []
    base = nn.Sequential(nn.Linear(5, 6), Looks(), nn.BatchNorm1d(6), Looks(), nn.Linear(6, 3))
    precision = MixedPrecision(torch.bfloat16, torch.float32, torch.float16)
    module = FSDP(base, mixed_precision=precision, auto_wrap_policy=wrap.ModuleWrapPolicy({nn.Conv1d}))
    result = module(torch.rand(4, 5))
    assert result.dtype == torch.bfloat16 and seen == [torch.bfloat16] * 2
    result.sum().backward()
    assert all(p.dtype == p.grad.dtype == torch.float32 for p in module.parameters())
    assert type(module[2]) is FSDP and module[2].module.running_mean.dtype == torch.float32  # wrapped as it is
    lower = FSDP(nn.Sequential(nn.BatchNorm1d(4)), mixed_precision=precision)
    assert lower[0].running_mean.dtype == torch.float16
    assert all(value.dtype in (torch.float32, torch.int64) for value in lower.state_dict().values())


def what_stays():
    base = copy.deepcopy(BASE)
    module = FSDP(base, ignored_modules=[base[1]], sync_module_states=True)
    assert type(base[1].inner.weight) is nn.Parameter and type(base[0].weight) is not nn.Parameter
    same(module.state_dict(), BASE.state_dict())
    loss(module, mine()).backward()
    norm = module.clip_grad_norm_(1e9)
    assert norm > 0
    other = FSDP(copy.deepcopy(BASE), ignored_states=[])
    assert len(list(other.parameters())) == len(list(BASE.parameters()))
    with torch.device("meta"):
        empty = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 8))
    filled = FSDP(empty, sync_module_states=True)
    whole = filled.state_dict()
    everyone = [None] * 4
    dist.all_gather_object(everyone, whole)
    assert all(torch.equal(each["1.weight"], whole["1.weight"]) and whole["1.weight"].any() for each in everyone)
    for base, message in (
        (nn.ParameterList([torch.ones(())]), "no dimension"),
        (nn.ParameterList([torch.ones(2), torch.ones(2).double()]), "one dtype"),
    ):
        with pytest.raises(ValueError, match=message):
            FSDP(base)


def state_dicts():
    plain, module, _, _ = trains_as_one()
    want, rank = plain.state_dict(), dist.get_rank()
    fresh = wrapped(process_group=None)
    fresh.load_state_dict(want)
    same(fresh.state_dict(), want)
    short = dict(list(want.items())[1:])
    with pytest.raises(RuntimeError, match=r"0\.weight"):
        fresh.load_state_dict(short)
    with pytest.raises(RuntimeError, match="size mismatch"):
        fresh.load_state_dict(want | {"0.weight": torch.ones(2, 2)})
    with FSDP.state_dict_type(module, WHOLE, FullStateDictConfig(offload_to_cpu=True, rank0_only=True)):
        found = module.state_dict()
        same(dict(found), dict(want) if rank == 0 else {})
    for kind in (StateDictType.SHARDED_STATE_DICT, StateDictType.LOCAL_STATE_DICT):
        fresh = wrapped()
        for each in (module, fresh):
            FSDP.set_state_dict_type(each, kind)
        found = module.state_dict()
        assert list(found) == list(want)
        part = found["0.weight"]
        assert (part if kind is StateDictType.LOCAL_STATE_DICT else part.to_local()).shape == ([2, 2, 2, 0][rank], 5)
        fresh.load_state_dict(found)
        FSDP.set_state_dict_type(fresh, WHOLE)
        same(fresh.state_dict(), want)
        FSDP.set_state_dict_type(module, WHOLE)
    with pytest.raises(RuntimeError, match="takes FullStateDictConfig"):
        FSDP.set_state_dict_type(module, WHOLE, FullOptimStateDictConfig())
    assert FSDP.get_state_dict_type(module).state_dict_type is WHOLE
    holder = nn.ModuleDict({"net": wrapped(), "head": nn.Linear(3, 2)})
    assert "net.1.inner.weight" in holder.state_dict() and "head.bias" in holder.state_dict()
    holder.load_state_dict(holder.state_dict())


def optimizers():
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_state_dict, set_state_dict

    plain, module, one, many = trains_as_one()
    want = get_state_dict(plain, one)
    found = get_state_dict(module, many, options=StateDictOptions(full_state_dict=True))
    same(dict(found[0]), dict(want[0]))
    same(found[1], want[1])
    fully = wrapped()
    fully = fully, torch.optim.AdamW(fully.parameters(), lr=3.0)
    set_state_dict(
        *fully, model_state_dict=found[0], optim_state_dict=found[1], options=StateDictOptions(full_state_dict=True)
    )
    same(dict(fully[0].state_dict()), dict(want[0]))
    same(FSDP.full_optim_state_dict(*fully, rank0_only=False), want[1])
    everyone = FSDP.full_optim_state_dict(module, many)
    assert bool(everyone) == (dist.get_rank() == 0)
    for how in ("full", "sharded", "scattered", "loaded", "by settings", "local"):
        fresh = wrapped()
        optimizer = torch.optim.AdamW(fresh.parameters(), lr=7.0)
        if how == "full":
            given = FSDP.full_optim_state_dict(module, many, rank0_only=False)
            optimizer.load_state_dict(FSDP.shard_full_optim_state_dict(given, fresh, optim=optimizer))
        elif how == "sharded":
            given = FSDP.sharded_optim_state_dict(module, many)
            optimizer.load_state_dict(FSDP.flatten_sharded_optim_state_dict(given, fresh, optimizer))
        elif how == "scattered":
            optimizer.load_state_dict(FSDP.scatter_full_optim_state_dict(everyone or None, fresh, optim=optimizer))
        elif how == "loaded":
            FSDP.optim_state_dict_to_load(fresh, optimizer, FSDP.optim_state_dict(module, many), load_directly=True)
        else:
            kind = StateDictType.LOCAL_STATE_DICT if how == "local" else WHOLE
            config = FullOptimStateDictConfig(rank0_only=True) if how != "local" else None
            with FSDP.state_dict_type(module, kind, None, config), FSDP.state_dict_type(fresh, kind, None, config):
                given = FSDP.optim_state_dict(module, many)
                optimizer.load_state_dict(FSDP.optim_state_dict_to_load(fresh, optimizer, given))
        same(FSDP.full_optim_state_dict(fresh, optimizer, rank0_only=False), want[1])
        assert optimizer.param_groups[0]["lr"] == 0.01
    numbers = FSDP.rekey_optim_state_dict(want[1], OptimStateKeyType.PARAM_ID, module, optim=many)
    assert list(numbers["state"]) == list(range(len(want[1]["state"])))
    same(FSDP.rekey_optim_state_dict(numbers, OptimStateKeyType.PARAM_NAME, module, optim=many), want[1])


def hooks():
    def half(state, rows, part):
        dist.reduce_scatter_tensor(part, rows)
        state.append(part.numel())

    seen, module, plain = [], wrapped(), copy.deepcopy(BASE)
    module.register_comm_hook(seen, half)
    loss(module, mine()).backward()
    loss(plain, ROWS).backward()
    assert len(seen) == 3
    for a, b in zip(module.parameters(), plain.parameters()):
        torch.testing.assert_close(a.grad.full_tensor(), b.grad * 4)
    with pytest.raises(RuntimeError, match="there is a communication hook"):
        module.register_comm_hook(seen, half)
    whole = wrapped(sharding_strategy=ShardingStrategy.NO_SHARD)
    whole.register_comm_hook(None, lambda _, gradients: dist.all_reduce(gradients, dist.ReduceOp.AVG))
    loss(whole, mine()).backward()
    for a, b in zip(whole.parameters(), plain.parameters()):
        torch.testing.assert_close(a.grad.full_tensor(), b.grad)


def scaled():
    from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler

    module = wrapped()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    scaler = ShardedGradScaler("cpu", init_scale=8.0)
    before = copy.deepcopy(module.state_dict())
    for spoilt in (True, False):
        scaler.scale(loss(module, mine())).backward()
        if spoilt and dist.get_rank() == 1:
            next(module.parameters()).grad.to_local()[0, 0] = float("inf")
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        after = module.state_dict()
        assert torch.equal(after["0.weight"], before["0.weight"]) == spoilt
    assert scaler.get_scale() == 4.0
    plain = copy.deepcopy(BASE)
    loss(plain, ROWS).backward()
    torch.testing.assert_close(after["0.weight"], plain[0].weight - 0.1 * plain[0].weight.grad)


@pytest.mark.parametrize(
    "function",
    [
        groups_of_processes,
        policies,
        later_and_frozen,
        whole_parameters,
        lower_precision,
        what_stays,
        state_dicts,
        optimizers,
        hooks,
        scaled,
    ],
)
def test_by_threads(function):
    _threads.run(function, 4, timeout=20)
