"""Datasets of the tests, where processes that were spawned find them too."""

import faulthandler
import multiprocessing
import os
import random
import signal
import time

import torch
from torch.utils.data import Dataset, IterableDataset, get_worker_info

DTYPES = [
    *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool, torch.float16, torch.bfloat16),
    *(torch.float32, torch.float64, torch.complex64, torch.complex128),
]


class Squares(Dataset):
    """Item i: its square, as a number and as a row of `width`."""

    def __init__(self, n, width=3):
        self.n = n
        self.width = width

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return {"number": i * i, "row": torch.full((self.width,), float(i * i)), "name": f"item {i}"}


class Tensors(Dataset):
    """Tensors of every kind that a batch may be made of."""

    def __init__(self):
        a = torch.arange(24.0)
        self.items = [
            *(torch.arange(5).to(dtype) for dtype in DTYPES),
            *(a.view(2, 3, 4), a.view(4, 6).t(), a[::3], a[5:9], a.view(4, 6)[:, 2:5], a[:1].expand(3, 7)),
            *(torch.tensor(3.5), torch.empty(0), torch.empty(2, 0, 3), torch.empty(0, dtype=torch.bool)),
            *(torch.arange(3.0).to(torch.complex64).conj(), a.view(1, 24, 1), a.view(2, 3, 4).permute(2, 0, 1)),
            torch.arange(1 << 17),
        ]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Numbers(IterableDataset):
    """0 … n - 1, divided among the workers; each waits `pause` seconds times its number."""

    def __init__(self, n, pause=0.0):
        self.n = n
        self.pause = pause

    def __iter__(self):
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        for i in range(first, self.n, step):
            time.sleep(self.pause * first)
            yield i


class Chance(Dataset):
    """What a worker's generators say: [worker, seed, torch's seed, Python's, NumPy's, torch's number]."""

    def __len__(self):
        return 4

    def __getitem__(self, i):
        import numpy

        info = get_worker_info()
        drawn = [random.random(), numpy.random.rand(), torch.rand(1).item()]
        return [info.id, info.seed, torch.initial_seed(), *drawn]


class About(Dataset):
    """What a worker knows of itself."""

    state = 0

    def __len__(self):
        return 6

    def __getitem__(self, i):
        info = get_worker_info()
        info.dataset.state += 1
        return os.getpid(), info.id, info.num_workers, torch.get_num_threads(), self.state, info.dataset is self


class TwoArguments(Exception):
    def __init__(self, one, two):
        super().__init__(one, two)


ERRORS = {
    "value": lambda: ValueError("boom"),
    "key": lambda: KeyError("a key"),
    "two": lambda: TwoArguments(1, 2),
    "file": lambda: FileNotFoundError(2, "No such file or directory", "x.png"),
    "unicode": lambda: UnicodeDecodeError("utf8", b"a", 0, 1, "x"),
    "index": lambda: IndexError("past the end"),
    "memory": lambda: MemoryError("full"),
}


class Faulty(Dataset):
    """Item 2 fails: raises one of ERRORS, or ends the process."""

    def __init__(self, how):
        self.how = how

    def __len__(self):
        return 4

    def __getitem__(self, i):
        if i == 2:
            if self.how in ERRORS:
                raise ERRORS[self.how]()
            if self.how == "exit":
                os._exit(3)
            if self.how == "sleep":
                time.sleep(60)
            faulthandler.disable()  # pytest's; its report of what is meant to happen would only confuse
            os.kill(os.getpid(), getattr(signal, self.how))
        return i


class FaultyWalk(IterableDataset):
    """Fails at once, or after one item."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        if not self.items:
            raise ValueError("no start")
        return self._walk()

    def _walk(self):
        yield from range(self.items)
        raise ValueError("half way")


class Counted(Dataset):
    """Counts the items that have been asked for, in all processes."""

    def __init__(self, n):
        self.n = n
        self.count = multiprocessing.Value("i", 0)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        with self.count.get_lock():
            self.count.value += 1
        return i


def first(batch):
    """A collate_fn: the only item, as it is."""
    return batch[0]


def fail_at_start(worker):
    raise ValueError(f"worker {worker} does not start")


def mark(worker):
    """A worker_init_fn that leaves a trace in the worker's dataset."""
    get_worker_info().dataset.state = 100 * (worker + 1)
