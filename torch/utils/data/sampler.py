"""Samplers: the order in which a DataLoader visits a dataset's indices.

Which random numbers they draw, from which generator and when, is part of their behaviour: programs with a fixed seed
depend on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Generic, TypeVar

import torch

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]

_T_co = TypeVar("_T_co", covariant=True)


class Sampler(Generic[_T_co]):
    """What yields indices, or lists of them (a batch sampler): subclasses define `__iter__`, and `__len__` where
    len(DataLoader) has to be known."""

    def __iter__(self) -> Iterator[_T_co]:
        raise NotImplementedError

    # No __len__ here, for the reason given in Dataset.


def _positive(value, name):
    """`value` where it is a whole number above 0. A bool is none."""
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")
    return value


class SequentialSampler(Sampler[int]):
    """0, 1, …, len(data_source) - 1."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """`num_samples` indices below len(data_source), by default as many as there are: independent ones with
    `replacement`, otherwise permutations one after another. Without a `generator` each pass has one of its own, whose
    seed is drawn from the default one.

    Raises TypeError for a `replacement` that is no bool, ValueError for a `num_samples` that is no positive int."""

    _PER_DRAW = 32  # indices with replacement come in blocks of so many, which decides the stream

    def __init__(
        self, data_source: Sized, replacement: bool = False, num_samples: int | None = None, generator=None
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(self.replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={self.replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self) -> int:
        """How many indices a pass yields. The dataset's length where none was given, asked for each time."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n = len(self.data_source)
        generator = self.generator
        if generator is None:
            seed = int(torch.empty((), dtype=torch.int64).random_().item())
            generator = torch.Generator()
            generator.manual_seed(seed)
        # The last draw of either kind comes even where nothing is left to yield: it moves the generator on.
        if self.replacement:
            for _ in range(self.num_samples // self._PER_DRAW):
                yield from self._with_replacement(n, self._PER_DRAW, generator)
            yield from self._with_replacement(n, self.num_samples % self._PER_DRAW, generator)
        else:
            for _ in range(self.num_samples // n):
                yield from torch.randperm(n, generator=generator).tolist()
            yield from torch.randperm(n, generator=generator).tolist()[: self.num_samples % n]

    @staticmethod
    def _with_replacement(n, count, generator):
        return torch.randint(high=n, size=(count,), dtype=torch.int64, generator=generator).tolist()

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """The elements of `indices`, a sequence, in the order of a permutation drawn from `generator`."""

    def __init__(self, indices: Sequence[int], generator=None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in torch.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """`num_samples` of the indices 0 … len(weights) - 1, each chosen with a probability in proportion to its weight.

    weights: a one-dimensional sequence, kept as a float64 tensor; they need not sum to 1.
    replacement: whether an index may come twice.
    Raises ValueError for other arguments; RuntimeError, when a pass begins, for weights that are negative or too few."""

    def __init__(self, weights: Sequence[float], num_samples: int, replacement: bool = True, generator=None) -> None:
        _positive(num_samples, "num_samples")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        weights = torch.as_tensor(weights, dtype=torch.double)
        if weights.dim() != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {tuple(weights.shape)}")
        self.weights = weights
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = torch.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list]):
    """Lists of `batch_size` indices of `sampler`, which may be any iterable; with `drop_last` a last, shorter list is
    left out. Raises ValueError for a batch size that is no positive int and a `drop_last` that is no bool."""

    def __init__(self, sampler: Sampler[int] | Iterable[int], batch_size: int, drop_last: bool) -> None:
        _positive(batch_size, "batch_size")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        batches, rest = divmod(len(self.sampler), self.batch_size)
        return batches + (rest > 0 and not self.drop_last)
