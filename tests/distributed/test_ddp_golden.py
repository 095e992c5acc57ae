"""Every module of the golden nn data that has parameters, as DistributedDataParallel over two ranks.

Rank 1 gets rank 0's inputs times 0.9. The gradients must be the mean of those that one process has of the two inputs, one
after the other: what the mean of the two losses, the joined batch's, gives."""

import pathlib
import sys
import warnings

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

NN = pathlib.Path(__file__).resolve().parent.parent / "nn"


def backward(module, own, inputs, factor, oracle):
    """Runs it on its inputs times `factor`; whether anything came out that has a gradient."""
    torch.manual_seed(3)
    scaled = [x.detach() * factor if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in inputs]
    outputs = [t for t in oracle._tensors(module(*scaled)) if t.requires_grad]
    if not outputs or not any(p.requires_grad for p in own.parameters()):
        return False
    sum((t * oracle._weights(t, 0.37 + i)).sum() for i, t in enumerate(outputs)).backward()
    return True


def walk():
    sys.path.insert(0, str(NN))
    import nn_oracle as oracle
    from nn_golden import stored
    from torch.nn.parallel import DistributedDataParallel as DDP

    warnings.simplefilter("ignore")
    rank, walked = dist.get_rank(), 0
    for constructor, row in stored("modules").items():
        plain, module = oracle.made(constructor), oracle.made(constructor)
        for each in (plain, module):
            each.load_state_dict(row["before"])
            each.train()
        lazy = any(isinstance(p, torch.nn.parameter.UninitializedParameter) for p in plain.parameters())
        if lazy or not any(p.requires_grad for p in plain.parameters()):
            continue
        state = {name: x.clone() for name, x in plain.state_dict().items()}
        if not backward(plain, plain, row["inputs"], 1.0, oracle):
            continue
        plain.load_state_dict(state)
        backward(plain, plain, row["inputs"], 0.9, oracle)
        ddp = DDP(module, find_unused_parameters=True, gradient_as_bucket_view=walked % 2 == 1)
        for _ in range(2):
            module.load_state_dict(state)
            ddp.zero_grad()
            backward(ddp, module, row["inputs"], 1.0 if rank == 0 else 0.9, oracle)
            for (name, a), b in zip(module.named_parameters(), plain.parameters(), strict=True):
                assert (a.grad is None) == (b.grad is None), (constructor, name)
                if a.grad is not None:
                    torch.testing.assert_close(
                        a.grad, b.grad / 2, rtol=1e-7, atol=1e-9, equal_nan=True, msg=f"{constructor}: {name}"
                    )
        assert list(ddp.state_dict()) == ["module." + name for name in plain.state_dict()]
        walked += 1
    assert walked > 30, walked
    if rank == 0:
        print(walked, "modules")


def test_walk():
    ranks.run(walk, 2)
