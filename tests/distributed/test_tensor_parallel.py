"""Modules spread over ranks against the same in one process: forwards, gradients and a step."""

import copy

import pytest
import torch
import torch.distributed as dist
import torch.nn.functional as F  # noqa: N812
from torch import nn

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(6, 8), nn.Linear(8, 6)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Block(nn.Module):
    def __init__(self, heads=4):
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(8), nn.LayerNorm(8)
        self.q, self.k, self.v, self.o = (nn.Linear(8, 8) for _ in range(4))
        self.mlp = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))

    def attend(self, x):
        def split(t):
            return t.unflatten(-1, (-1, 2)).transpose(1, 2)

        made = F.scaled_dot_product_attention(split(self.q(x)), split(self.k(x)), split(self.v(x)), is_causal=True)
        return self.o(made.transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attend(self.before(x))
        return x + self.mlp(self.after(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(12, 8)
        self.block, self.norm, self.head = Block(), nn.LayerNorm(8), nn.Linear(8, 12)

    def forward(self, index):
        return self.head(self.norm(self.block(self.table(index))))


def agree(plain, spread, rows):
    for (name, a), b in zip(plain.named_parameters(), spread.parameters()):
        for of in rows:
            one, two = (a, b) if of == "value" else (a.grad, b.grad)
            two = two.full_tensor() if hasattr(two, "full_tensor") else two
            torch.testing.assert_close(two.detach(), one.detach(), msg=lambda m, n=name, o=of: f"{o} of {n}: {m}")


def train(plain, spread, step):
    optimizers = [torch.optim.AdamW(m.parameters(), 0.01) for m in (plain, spread)]
    for _ in range(2):
        losses = []
        for module, optimizer in zip((plain, spread), optimizers):
            optimizer.zero_grad()
            loss = step(module)
            loss.backward()
            losses.append(loss.full_tensor() if hasattr(loss, "full_tensor") else loss)
        torch.testing.assert_close(losses[1], losses[0])
        agree(plain, spread, ["gradient"])
        for optimizer in optimizers:
            optimizer.step()
        agree(plain, spread, ["value"])


def mlp(plain, x, y):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.parallel import (
        ColwiseParallel,
        PrepareModuleInput,
        PrepareModuleOutput,
        RowwiseParallel,
        parallelize_module,
    )

    size = dist.get_world_size()
    mesh = init_device_mesh("cpu", (size,))
    plain = copy.deepcopy(plain)  # each thread trains its own
    spread = parallelize_module(copy.deepcopy(plain), mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
    assert spread.up.weight.placements == (Shard(0),) and spread.down.weight.placements == (Shard(1),)
    assert spread.up.weight.to_local().shape == (8 // size, 6)
    train(plain, spread, lambda m: F.mse_loss(m(x), y))
    # an input and an output that are split along the batch
    spread = parallelize_module(
        copy.deepcopy(plain), mesh,
        {"up": ColwiseParallel(input_layouts=Shard(0)), "down": RowwiseParallel(output_layouts=Shard(0))},
    )  # fmt: skip
    rank = dist.get_rank()
    own = x.chunk(size)[rank].clone().requires_grad_()
    found = spread(own)
    torch.testing.assert_close(found, plain(x).chunk(size)[rank])
    found.sum().backward()
    whole = x.clone().requires_grad_()
    plain.zero_grad()
    plain(whole).sum().backward()
    torch.testing.assert_close(own.grad, whole.grad.chunk(size)[rank])
    agree(plain, spread, ["gradient"])
    inside = parallelize_module(
        nn.Identity(), mesh, PrepareModuleInput(input_layouts=Shard(0), desired_input_layouts=Replicate())
    )
    assert torch.equal(inside(own).to_local(), x)
    outside = parallelize_module(
        nn.Identity(), mesh, PrepareModuleOutput(output_layouts=Replicate(), desired_output_layouts=Shard(0))
    )
    assert torch.equal(outside(x), x.chunk(size)[rank])


@pytest.mark.parametrize("size", [2, 4])
def test_mlp(size):
    x, y = torch.randn(2, 4, 6, dtype=torch.float64)
    _threads.run(mlp, size, MLP().double(), x, y)


def refusals():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

    mesh = init_device_mesh("cpu", (1,))
    with pytest.raises(NotImplementedError, match="LayerNorm"):
        parallelize_module(nn.LayerNorm(3), mesh, ColwiseParallel())
    with pytest.warns(UserWarning, match="no child"):
        parallelize_module(MLP(), mesh, {"side": ColwiseParallel()})
    with pytest.raises(TypeError, match="a plan is"):
        parallelize_module(MLP(), mesh, 3)


def test_refusals():
    _threads.run(refusals, 1)


def transformer(plain, index, labels):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.parallel import (
        ColwiseParallel,
        PrepareModuleInput,
        RowwiseParallel,
        SequenceParallel,
        loss_parallel,
        parallelize_module,
    )

    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    plain = copy.deepcopy(plain)
    columns = {f"block.{n}": ColwiseParallel() for n in "qkv"}
    plan = columns | {
        "table": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False),
        "block.before": SequenceParallel(),
        "block.q": ColwiseParallel(input_layouts=Shard(1)),
        "block.k": ColwiseParallel(input_layouts=Shard(1)),
        "block.v": ColwiseParallel(input_layouts=Shard(1)),
        "block.o": RowwiseParallel(output_layouts=Shard(1), use_local_output=False),
        "block.after": SequenceParallel(),
        "block.mlp.0": ColwiseParallel(input_layouts=Shard(1)),
        "block.mlp.2": RowwiseParallel(output_layouts=Shard(1), use_local_output=False),
        "norm": SequenceParallel(),
        "head": ColwiseParallel(input_layouts=Shard(1), use_local_output=False),
    }
    assert PrepareModuleInput is not None
    spread = parallelize_module(copy.deepcopy(plain), mesh, plan)

    def step(module):
        logits = module(index)
        with loss_parallel():
            return F.cross_entropy(logits.flatten(0, 1), labels.flatten())

    train(plain, spread, step)


@pytest.mark.parametrize("size", [2, 4])
def test_transformer(size):
    index, labels = torch.randint(12, (2, 3, 8))
    _threads.run(transformer, size, Model().double(), index, labels)
