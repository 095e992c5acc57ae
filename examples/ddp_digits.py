"""The digits of digits_cnn.py, read by several processes that train one network together.

    torchrun --nproc-per-node 2 examples/ddp_digits.py [digits.csv.gz] [--quick]
    mpirun -np 2 python examples/ddp_digits.py [--backend mpi] …

Alone it trains in one process. Each rank has its part of every batch; the first one prints a hash of the parameters, which
is the same in every run of as many processes, and how many of the held-out digits are read correctly.
"""

import argparse
import hashlib
import os
import sys

import torch
import torch.distributed as dist
from common import DIGITS, data_path, digits
from digits_cnn import GOAL, QUICK_GOAL, Net, evaluate, shifted
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def join(backend):
    """Joins the processes that torchrun or mpirun has started; (rank, how many)."""
    if backend == "mpi":  # it knows
        dist.init_process_group(backend)
        return dist.get_rank(), dist.get_world_size()
    for rank, size in (("RANK", "WORLD_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")):
        if rank in os.environ:
            os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
            os.environ.setdefault("MASTER_PORT", "29500")
            dist.init_process_group(backend, rank=int(os.environ[rank]), world_size=int(os.environ[size]))
            return dist.get_rank(), dist.get_world_size()
    return 0, 1


def train(model, images, labels, epochs, rank, size, batch=64):
    """Every rank draws the same order and the same shifts, and takes its part of each batch."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
    steps = len(images) // batch
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=steps)
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for part in torch.randperm(len(images))[: steps * batch].view(steps, batch):
            mine = slice(rank, None, size)
            loss = nn.functional.cross_entropy(
                model(shifted(images[part])[mine]), labels[part][mine], label_smoothing=0.05
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        if rank == 0:
            print(f"epoch {epoch + 1}: loss {total / steps:.3f}", file=sys.stderr)


def fingerprint(model):
    """A hash of all parameters' bits."""
    digest = hashlib.sha256()
    for parameter in model.parameters():
        digest.update(parameter.detach().contiguous().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", nargs="?", help="digits.csv.gz (or set TORCH_DIGITS)")
    parser.add_argument("--backend", default="gloo", help="what the processes talk by: gloo, mpi")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--quick", action="store_true", help="a few epochs, to see that it works")
    options = parser.parse_args()
    epochs = 3 if options.quick else options.epochs

    images, labels = digits(data_path(options.data, DIGITS))
    test = torch.arange(len(images)) % 4 == 3
    rank, size = join(options.backend)
    torch.manual_seed(1)
    # Without dropout, whose random numbers depend on a rank's part; statistics are those of the whole batch.
    model = nn.SyncBatchNorm.convert_sync_batchnorm(Net(dropout=0.0)) if size > 1 else Net(dropout=0.0)
    if size > 1:
        model = DistributedDataParallel(model)
    train(model, images[~test], labels[~test], epochs, rank, size)
    module = model.module if size > 1 else model
    if rank == 0:
        _, read = evaluate(module, images[test], labels[test])
        right = (read == labels[test]).float().mean().item()
        print(f"{size} processes: parameters {fingerprint(module)}, {right:.2%} read correctly", flush=True)
        goal = QUICK_GOAL if options.quick else GOAL
        if right < goal:
            sys.exit(f"ddp_digits: {right:.2%} is below {goal:.1%}")
    if size > 1:
        dist.barrier()
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
