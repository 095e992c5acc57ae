"""Writes checkpoint-2.13 beside this file: run by PyTorch 2.13, without another torch on sys.path.

python generate_checkpoint.py; two ranks write what test_checkpoint.py reads.
"""

import pathlib
import sys

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor


def write(rank, folder, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    state = {
        "sharded": distribute_tensor(torch.arange(15.0).reshape(5, 3), mesh, [Shard(0)]),
        "nested": {"half": torch.arange(4).bfloat16(), "list": [1, torch.tensor([True, False]), {"text": "x"}]},
        "scalar": torch.tensor(2.5, dtype=torch.float64),
        "empty": torch.empty(0, 3),
        "step": 7,
        "plain": [1, (2, "three")],
    }
    dcp.save(state, checkpoint_id=folder)
    dist.destroy_process_group()


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent / "checkpoint-2.13"
    mp.spawn(write, (folder, sys.argv[1]), nprocs=2)
