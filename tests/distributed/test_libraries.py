"""What libraries that train take from beside the documented names: operations that are gathered, stores' barriers, states of
modules that ranks agree upon."""

import datetime
import threading

import pytest
import ranks
import torch
import torch.distributed as dist
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)


def gathered_operations():
    from torch.distributed import distributed_c10d as c10d

    rank, size, group = dist.get_rank(), dist.get_world_size(), c10d._get_default_group()
    tensors = [torch.full((n,), rank + 1.0) for n in range(1, 5)]
    with dist._coalescing_manager(group, async_ops=True) as manager:
        for tensor in tensors:
            assert dist.all_reduce(tensor) is None
        received = torch.empty(2 * size)
        dist.all_gather_into_tensor(received, torch.tensor([rank, -rank]).float())
        with pytest.raises(ValueError, match="within another one"), dist._coalescing_manager():
            pass
    assert len(manager.works) == 5
    manager.wait()
    total = size * (size + 1) / 2
    assert all((tensor == total).all() for tensor in tensors)
    assert received.tolist() == [sign * r for r in range(size) for sign in (1, -1)]
    with dist._coalescing_manager():
        part = torch.empty(1)
        dist._reduce_scatter_base(part, torch.arange(size).float())
    assert part.item() == size * rank
    with pytest.raises(ZeroDivisionError), dist._coalescing_manager():
        1 / 0  # noqa: B018
    assert dist.all_reduce(tensors[0], async_op=True).wait()  # nothing is gathered any more

    # Several tensors, in each of the group's own forms.
    inputs = [torch.tensor([float(rank)]), torch.full((2, 2), float(rank))]
    lists = [[torch.empty_like(t) for t in inputs] for _ in range(size)]
    work = group.allgather_coalesced(lists, inputs)
    assert work.wait() and work.is_completed() and work.is_success() and work.exception() is None
    assert all((t == r).all() for r, tensors in enumerate(lists) for t in tensors)
    outputs = [t.new_empty(size * len(t), *t.shape[1:]) for t in inputs]
    done = group.allgather_into_tensor_coalesced(outputs, inputs).get_future().wait()
    assert len(done) == 2 and all((t.view(size, -1) == torch.arange(size)[:, None]).all() for t in outputs)
    assert group.reduce_scatter_tensor_coalesced(inputs, outputs).wait()
    assert all((t == size * rank).all() for t in inputs)
    lists = [[torch.empty(3)] for _ in range(size)]
    dist.all_gather_coalesced(lists, [torch.full((3,), float(rank))], async_op=True).wait()
    assert all((t == r).all() for r, (t,) in enumerate(lists))

    # Names with an underscore.
    assert not dist._rank_not_in_group(None) and dist._rank_not_in_group(dist.GroupMember.NON_GROUP_MEMBER)
    assert c10d._get_group_size(None) == size and c10d._get_pg_default_device().type == "cpu"
    assert dist._get_process_group_name(group) == group.group_name
    data, count = c10d._object_to_tensor({"rank": rank}, torch.device("cpu"), None)
    assert c10d._tensor_to_object(torch.cat([data, data]), count, None) == {"rank": rank}
    c10d._set_pg_timeout(datetime.timedelta(seconds=20), group)
    c10d._get_default_store().barrier("here", size)

    # States of modules.
    from torch.distributed import utils

    torch.manual_seed(rank)
    module = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    module(torch.randn(4, 2))
    own = module[0].bias.detach().clone()
    utils._sync_module_states(module, group, 2**20, src=1, params_and_buffers_to_ignore={"0.bias"})
    for name, tensor in module.state_dict().items():
        others = [torch.empty_like(tensor) for _ in range(size)]
        dist.all_gather(others, tensor)
        assert all(torch.equal(t, others[1]) for t in others) == (name != "0.bias"), name
    assert torch.equal(module[0].bias, own)
    utils._verify_param_shape_across_processes(group, [torch.empty(2, 3)])
    with pytest.raises(RuntimeError, match="differ|shape"):
        utils._verify_param_shape_across_processes(group, [torch.empty(2 + rank)])


def test_gathered_operations():
    ranks.run(gathered_operations, 2)


def test_stores_know_when_all_have_come():
    store, passed = dist.HashStore(), []

    def comes(name):
        for turn in range(3):  # a key is of use more than once
            store.barrier("key", 3, datetime.timedelta(seconds=20))
            passed.append(turn)

    threads = [threading.Thread(target=comes, args=(name,)) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert passed == sorted(passed) and len(passed) == 9
    with pytest.raises(dist.DistStoreError):
        store.barrier("alone", 2, datetime.timedelta(milliseconds=50))
    with pytest.raises(ValueError, match="at least 1, not 0"):
        store.barrier("key", 0)


# ---- activations that are computed again -------------------------------------------------------------------
class Counted(nn.Linear):
    calls = 0

    def forward(self, x, *, scale=1.0):
        self.calls += 1
        return super().forward(x) * scale


@pytest.mark.parametrize("reentrant", [False, True])
def test_wrapped_modules_compute_again(reentrant):
    from torch.distributed.algorithms._checkpoint import checkpoint_wrapper as again

    how = again.CheckpointImpl.REENTRANT if reentrant else again.CheckpointImpl.NO_REENTRANT
    plain = nn.Sequential(Counted(3, 3), nn.Sequential(Counted(3, 3), nn.ReLU()))
    wrapped = nn.Sequential(Counted(3, 3), nn.Sequential(Counted(3, 3), nn.ReLU()))
    wrapped.load_state_dict(plain.state_dict())
    again.apply_activation_checkpointing(
        wrapped, lambda m: again.checkpoint_wrapper(m, how), lambda m: isinstance(m, Counted)
    )
    assert isinstance(wrapped[0], again.CheckpointWrapper) and isinstance(wrapped[1][0], again.CheckpointWrapper)
    assert list(wrapped.state_dict()) == list(plain.state_dict())
    wrapped.load_state_dict(plain.state_dict())
    assert [name for name, _ in wrapped[0].named_parameters()] == ["weight", "bias"]
    x = torch.randn(2, 3, requires_grad=True)
    for module in (plain, wrapped):
        module(x).sum().backward()
    assert all(torch.equal(p.grad, q.grad) for p, q in zip(plain.parameters(), wrapped.parameters()))
    assert (plain[0].calls, wrapped[0].calls, wrapped[1][0].calls) == (1, 2, 2)
    assert torch.equal(wrapped[0](x, scale=2.0), plain[0](x, scale=2.0))


def test_kept_in_the_memory_of_the_cpu():
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import ActivationWrapper, offload_wrapper

    plain = nn.Linear(3, 3)
    wrapped = offload_wrapper(plain)
    x = torch.randn(2, 3)
    wrapped(x).sum().backward()
    grad, plain.weight.grad = plain.weight.grad, None
    plain(x).sum().backward()
    assert torch.equal(grad, plain.weight.grad) and list(wrapped.state_dict()) == ["weight", "bias"]
    assert wrapped.in_features == 3 and wrapped.weight is plain.weight
    with pytest.raises(NotImplementedError, match="has no forward"):
        ActivationWrapper(plain)(x)
