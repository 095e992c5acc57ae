"""Writes sharded-2.13 beside this file: run by PyTorch 2.13, without another torch on sys.path.

python generate_sharded.py STORE; two ranks train a model by fully_shard() for two steps and write it and its optimiser,
which test_state_dict.py loads and goes on with; then they make one step more and write the losses and the parameters.
"""

import pathlib
import shutil
import sys

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, get_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

FOLDER = pathlib.Path(__file__).parent / "sharded-2.13"


def write(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))
    mesh = init_device_mesh("cpu", (2,))
    fully_shard(model[0], mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    rows = torch.arange(12.0).reshape(4, 3) / 12

    def step():
        model(rows.chunk(2)[rank]).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    step()
    step()
    state, optimizer_state = get_state_dict(model, optimizer)
    dcp.save({"model": state, "optimizer": optimizer_state}, checkpoint_id=FOLDER)
    step()
    after = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    if rank == 0:
        torch.save(dict(after), FOLDER / "after.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    mp.spawn(write, (sys.argv[1],), nprocs=2)
