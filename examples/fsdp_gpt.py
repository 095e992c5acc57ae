"""The GPT of char_gpt.py with its parameters in parts on several processes.

    torchrun --nproc-per-node 4 examples/fsdp_gpt.py [text] [--steps 60] [--width 128]

Each process holds its part of parameters, gradients and the optimiser's state; a block's parameters are whole while it is
used. Prints the loss, and what a process holds against what one alone would. Ends with an error if the loss has not fallen,
or if the share is not close to 1 / processes.
"""

import argparse
import sys

import torch
import torch.distributed as dist
from char_gpt import GPT, CharDataset, Config, Tokenizer, read_text
from common import BIBLE, data_path
from torch import nn
from torch.distributed.fsdp import fully_shard


def held(model, optimizer, local):
    """Bytes of parameters, gradients and the optimiser's state; `local`: of this process's parts."""
    tensors = [t for p in model.parameters() for t in (p, p.grad, *optimizer.state[p].values())]
    parts = [t.to_local() if local and hasattr(t, "to_local") else t for t in tensors if isinstance(t, torch.Tensor)]
    return sum(t.numel() * t.element_size() for t in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("text", nargs="?", help="a text (or set TORCH_BIBLE)")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--batch", type=int, default=4, help="windows for each process and step")
    options = parser.parse_args()

    dist.init_process_group("gloo")
    rank, size = dist.get_rank(), dist.get_world_size()
    text = read_text(data_path(options.text, BIBLE))
    tokenizer = Tokenizer("".join(sorted(set(text))))
    torch.manual_seed(1)  # the same model on all
    model = GPT(Config(len(tokenizer.characters), width=options.width))
    data = CharDataset(tokenizer.encode(text), model.config.block)
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    optimizer = model.configure_optimizers(1e-2, decay=0.1)
    drawn = torch.Generator().manual_seed(rank)  # windows of its own for each

    losses, peak, whole = [], 0, 1
    for step in range(options.steps):
        places = torch.randint(len(data), (options.batch,), generator=drawn).tolist()
        inputs, targets = (torch.stack(part) for part in zip(*(data[place] for place in places)))
        _, loss = model(inputs, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        peak = max(peak, held(model, optimizer, local=True))
        whole = held(model, optimizer, local=False)
        optimizer.zero_grad()
        mean = loss.detach().clone()
        dist.all_reduce(mean, dist.ReduceOp.AVG)
        losses.append(mean.item())
        if rank == 0 and (step % 20 == 0 or step == options.steps - 1):
            print(f"step {step}: loss {losses[-1]:.3f}", flush=True)
    share = peak / whole
    print(f"rank {rank}: {peak:,} bytes at most, {share:.1%} of {whole:,}", flush=True)
    dist.barrier()
    dist.destroy_process_group()
    if losses[-1] > losses[0] - 0.5:
        sys.exit(f"fsdp_gpt: the loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
    if share > 1.1 / size:
        sys.exit(f"fsdp_gpt: a process holds {share:.1%}, with {size} of them")


if __name__ == "__main__":
    main()
