"""A small GPT that learns to write one character after another, from the King James Bible.

    python examples/char_gpt.py [text] [--out FOLDER] [--minutes 2.5] [--resume] [--quick]

The text is given as a file, or by the variable TORCH_BIBLE. Writes char_gpt.pt, a checkpoint from which --resume goes
on, and char_gpt.png with the loss; prints a sample. Ends with an error if the validation loss is not below 1.8 nats per
character.
"""

import argparse
import math
import pathlib
import re
import sys
import time
from dataclasses import asdict, dataclass

import torch
from common import BIBLE, Progress, data_path, draw_curves
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, RandomSampler

GOAL = 1.8
REFERENCE = re.compile(r"^\w+:\d+ ")  # "Ge1:1 In the beginning" without where it stands


class CharDataset(Dataset):
    """Windows of `block` characters of a text, and the same moved on by one."""

    def __init__(self, codes, block):
        self.codes, self.block = codes, block

    def __len__(self):
        return len(self.codes) - self.block

    def __getitem__(self, index):
        window = self.codes[index : index + self.block + 1].long()
        return window[:-1], window[1:]


class Tokenizer:
    """Characters as numbers."""

    def __init__(self, characters):
        self.characters = characters
        self.numbers = {character: number for number, character in enumerate(characters)}

    def encode(self, text):
        return torch.tensor([self.numbers[character] for character in text], dtype=torch.uint8)

    def decode(self, codes):
        return "".join(self.characters[code] for code in codes.tolist())


@dataclass
class Config:
    characters: int
    block: int = 64
    layers: int = 3
    heads: int = 4
    width: int = 128
    dropout: float = 0.0


class SelfAttention(nn.Module):
    """Several heads that look at what stands before."""

    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.attend = nn.Linear(config.width, 3 * config.width)
        self.project = nn.Linear(config.width, config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.attend(x).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind()
        y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.dropout(self.project(y.transpose(1, 2).reshape(batch, length, width)))


class Block(nn.Module):
    """Attention, then a perceptron of one hidden layer, each added to what came in."""

    def __init__(self, config):
        super().__init__()
        self.norm1 = nn.LayerNorm(config.width)
        self.attention = SelfAttention(config)
        self.norm2 = nn.LayerNorm(config.width)
        self.mlp = nn.Sequential(
            nn.Linear(config.width, 4 * config.width),
            nn.GELU(),
            nn.Linear(4 * config.width, config.width),
            nn.Dropout(config.dropout),
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """From characters (batch, length) to scores (batch, length, characters) of the next one."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.character = nn.Embedding(config.characters, config.width)
        self.position = nn.Embedding(config.block, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, config.characters, bias=False)
        self.apply(self.initialize)
        for name, parameter in self.named_parameters():
            if name.endswith(("project.weight", "mlp.2.weight")):  # each block adds twice to the sum
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * config.layers))

    @staticmethod
    def initialize(module):
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def configure_optimizers(self, rate, decay):
        """AdamW in which only the matrices of linear layers decay."""
        decays = {
            f"{name}.weight" if name else "weight" for name, m in self.named_modules() if isinstance(m, nn.Linear)
        }
        parameters = dict(self.named_parameters())
        return torch.optim.AdamW(
            [
                {"params": [p for name, p in parameters.items() if name in decays], "weight_decay": decay},
                {"params": [p for name, p in parameters.items() if name not in decays], "weight_decay": 0.0},
            ],
            lr=rate,
            betas=(0.9, 0.95),
        )

    def forward(self, characters, targets=None):
        """Scores, and the mean loss if the characters that follow are given."""
        places = torch.arange(characters.shape[1], device=characters.device)
        x = self.character(characters) + self.position(places)
        for block in self.blocks:
            x = block(x)
        scores = self.head(self.norm(x))
        if targets is None:
            return scores, None
        return scores, F.cross_entropy(scores.flatten(0, 1), targets.flatten())

    @torch.no_grad()
    def generate(self, characters, count, temperature=0.8, top=20):
        """`count` characters more, drawn from the `top` likeliest."""
        self.eval()
        for _ in range(count):
            scores, _ = self(characters[:, -self.config.block :])
            best, which = (scores[:, -1] / temperature).topk(top)
            drawn = torch.multinomial(F.softmax(best, dim=-1), 1)
            characters = torch.cat([characters, which.gather(1, drawn)], dim=1)
        return characters


class Trainer:
    """Steps over a data set until the time is up; knows how to stop and to go on."""

    def __init__(self, model, training, validation, options):
        self.model, self.validation, self.options = model, validation, options
        self.optimizer = model.configure_optimizers(options.rate, decay=0.1)
        self.training = training
        self.step = 0
        self.curves = {"training": [], "validation": []}

    def loader(self, steps):
        sampler = RandomSampler(
            self.training,
            replacement=True,
            num_samples=steps * self.options.batch,
            # other windows after a resume than at the start
            generator=torch.Generator().manual_seed(self.options.seed + self.step),
        )
        return DataLoader(
            self.training,
            sampler=sampler,
            batch_size=self.options.batch,
            num_workers=self.options.workers,
            pin_memory=torch.cuda.is_available(),
        )

    def rate(self):
        """Learning rate: up in the first hundred steps, then down as a cosine to a tenth."""
        warm, last = min(100, self.options.steps // 10), self.options.steps
        if self.step < warm:
            return self.options.rate * (self.step + 1) / warm
        share = (self.step - warm) / max(1, last - warm)
        return self.options.rate * (0.1 + 0.45 * (1 + math.cos(math.pi * share)))

    @torch.no_grad()
    def evaluate(self, batches=40):
        """Mean loss over windows spread evenly over the validation text."""
        self.model.eval()
        size = self.options.batch
        places = torch.linspace(0, len(self.validation) - 1, batches * size).long().tolist()
        total = 0.0
        for i in range(batches):
            pairs = [self.validation[place] for place in places[i * size : (i + 1) * size]]
            inputs, targets = (torch.stack(part) for part in zip(*pairs))
            total += self.model(inputs, targets)[1].item()
        self.model.train()
        return total / batches

    def run(self):
        """Train up to the last step, or until the time is up; seconds."""
        if self.step >= self.options.steps:
            print(f"the checkpoint has had {self.step} steps already; --steps with a larger number goes on")
            return 0.0
        begin, every = time.perf_counter(), max(1, self.options.steps // 12)
        progress = Progress(self.options.steps, "steps", self.step)
        self.model.train()
        for (inputs, targets), _ in zip(self.loader(self.options.steps - self.step), progress):
            for group in self.optimizer.param_groups:
                group["lr"] = self.rate()
            _, loss = self.model(inputs, targets)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.step += 1
            if self.step % 10 == 0:
                self.curves["training"].append((self.step, loss.item()))
            if self.step % every == 0:
                self.curves["validation"].append((self.step, self.evaluate(5)))
            if self.step % 10 == 0 and self.curves["validation"]:
                progress.note(f"loss {loss.item():.3f}, validation {self.curves['validation'][-1][1]:.3f}")
            if time.perf_counter() - begin > 60 * self.options.minutes:
                progress.clear()
                print(f"stopped by the clock after step {self.step} of {self.options.steps}")
                break
        return time.perf_counter() - begin

    def save(self, path, tokenizer):
        torch.save(
            {
                "config": asdict(self.model.config),
                "characters": tokenizer.characters,
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "step": self.step,
                "curves": self.curves,
            },
            path,
        )

    def load(self, path):
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.curves = state["step"], state["curves"]


def read_text(path):
    lines = pathlib.Path(path).read_text("utf-8").splitlines()
    return "\n".join(REFERENCE.sub("", line) for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("text", nargs="?", help="a text (or set TORCH_BIBLE)")
    parser.add_argument("--out", metavar="FOLDER", default=".", type=pathlib.Path, help="where the files go")
    parser.add_argument("--steps", type=int, help="1200, or 60 with --quick")
    parser.add_argument("--minutes", type=float, default=2.5, help="stop after so long, wherever it is")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    parser.add_argument("--quick", action="store_true", help="a tiny model and few steps, to see that it works")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint = options.out / "char_gpt.pt"
    small = {}
    if options.quick:
        small = {"layers": 1, "width": 32, "heads": 2, "block": 32}
        options.batch, options.rate = 16, 1e-2
    options.steps = options.steps or (60 if options.quick else 1200)

    torch.manual_seed(options.seed)
    text = read_text(data_path(options.text, BIBLE))
    tokenizer = Tokenizer("".join(sorted(set(text))))
    codes = tokenizer.encode(text)
    border = len(codes) * 9 // 10
    model = GPT(Config(len(tokenizer.characters), **small))
    block = model.config.block
    trainer = Trainer(model, CharDataset(codes[:border], block), CharDataset(codes[border:], block), options)
    if options.resume:
        trainer.load(checkpoint)
    count = sum(parameter.numel() for parameter in model.parameters())
    print(f"{len(codes):,} characters, {len(tokenizer.characters)} different; {count:,} parameters")

    took = trainer.run()
    loss = trainer.evaluate()
    print(f"validation loss {loss:.3f} nats per character after {trainer.step} steps, {took:.1f} s")
    trainer.save(checkpoint, tokenizer)
    start = tokenizer.encode("And ").long().unsqueeze(0)
    print("\n" + tokenizer.decode(model.generate(start, 60 if options.quick else 400)[0]) + "\n")
    draw_curves(options.out / "char_gpt.png", "GPT on the King James Bible", trainer.curves, y="nats per character")
    goal = 3.2 if options.quick else GOAL
    if loss >= goal:
        sys.exit(f"char_gpt: validation loss {loss:.3f} is not below {goal}")


if __name__ == "__main__":
    main()
