"""Datasets: what has items by index, what can only be walked through, and what is made of other datasets."""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import torch
from torch import default_generator

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "Dataset",
    "IterableDataset",
    "TensorDataset",
    "StackDataset",
    "ConcatDataset",
    "ChainDataset",
    "Subset",
    "random_split",
]

_T_co = TypeVar("_T_co", covariant=True)
_T = TypeVar("_T")


class Dataset(Generic[_T_co]):
    """What has an item for each index: subclasses define `__getitem__`, and `__len__` where a sampler has to know it.

    A subclass may also define `__getitems__(indices)`, which returns the items of a whole batch at once; the
    DataLoader calls it instead of `__getitem__` where there is one. `a + b` is ConcatDataset([a, b])."""

    def __getitem__(self, index) -> _T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    # There is no __len__ here on purpose: one that raised would make list() and bool() of a dataset fail.

    def __add__(self, other: Dataset[_T_co]) -> ConcatDataset[_T_co]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T_co], Iterable[_T_co]):
    """What can only be walked through: subclasses define `__iter__`.

    With worker processes every one of them has a copy of the dataset and walks through all of it; `get_worker_info()`
    inside `__iter__` says which part is this worker's. `a + b` is ChainDataset([a, b])."""

    def __add__(self, other: Dataset[_T_co]):
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[torch.Tensor, ...]]):
    """Item i is the tuple of the tensors' rows i. Raises AssertionError if their first sizes differ."""

    def __init__(self, *tensors: Tensor) -> None:
        assert all(tensors[0].size(0) == tensor.size(0) for tensor in tensors), "Size mismatch between tensors"
        self.tensors = tensors

    def __getitem__(self, index) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    """Datasets of one length side by side: item i is a tuple of their items i (datasets given as arguments) or a dict
    of them (given by keyword). Raises ValueError for none, for both kinds, and for lengths that differ."""

    def __init__(self, *args: Dataset[_T_co], **kwargs: Dataset[_T_co]) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, "
                "but both types are given."
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = kwargs or args
        lengths = [len(dataset) for dataset in self._members()]
        self._length = lengths[0]
        if any(length != self._length for length in lengths):
            raise ValueError("Size mismatch between datasets")

    def _members(self):
        return self.datasets.values() if isinstance(self.datasets, dict) else self.datasets

    def _item(self, parts):
        return dict(zip(self.datasets, parts)) if isinstance(self.datasets, dict) else tuple(parts)

    def __getitem__(self, index):
        return self._item([dataset[index] for dataset in self._members()])

    def __getitems__(self, indices: list):
        """The items at `indices`, a list. Raises ValueError if a dataset's __getitems__ returns another number."""
        columns = []
        for dataset in self._members():
            if callable(getattr(dataset, "__getitems__", None)):
                column = dataset.__getitems__(indices)
                if len(column) != len(indices):
                    raise ValueError(
                        f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(column)}"
                    )
            else:
                column = [dataset[index] for index in indices]
            columns.append(column)
        return [self._item(row) for row in zip(*columns)]

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[_T_co]):
    """Datasets one after another; `cumulative_sizes` are the ends of each. Raises AssertionError for none at all and
    for an IterableDataset."""

    @staticmethod
    def cumsum(sequence):
        """The running sums of the lengths of the datasets in `sequence`."""
        return list(itertools.accumulate(len(dataset) for dataset in sequence))

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = list(datasets)
        assert len(self.datasets) > 0, "datasets should not be an empty iterable"
        for dataset in self.datasets:
            assert not isinstance(dataset, IterableDataset), "ConcatDataset does not support IterableDataset"
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        # The dataset whose end is the first above idx. An index past all of them is the last one's to refuse.
        which = min(bisect.bisect_right(self.cumulative_sizes, idx), len(self.datasets) - 1)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]

    @property
    def cummulative_sizes(self):
        """The old spelling of cumulative_sizes."""
        warnings.warn(
            "`cummulative_sizes` attribute is renamed to `cumulative_sizes`", category=FutureWarning, stacklevel=2
        )
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """IterableDatasets one after another, each opened when the one before has ended."""

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = datasets

    def _checked(self):
        for dataset in self.datasets:
            assert isinstance(dataset, IterableDataset), "ChainDataset only supports IterableDataset"
            yield dataset

    def __iter__(self):
        for dataset in self._checked():
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self._checked())


class Subset(Dataset[_T_co]):
    """The items of `dataset` at `indices`, a sequence, in that order."""

    def __init__(self, dataset: Dataset[_T_co], indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx) -> _T_co:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[_T_co]:
        """The items at `indices`, a list: one call where the dataset has __getitems__ too."""
        chosen = [self.indices[index] for index in indices]
        if callable(getattr(self.dataset, "__getitems__", None)):
            return self.dataset.__getitems__(chosen)
        return [self.dataset[index] for index in chosen]

    def __len__(self) -> int:
        return len(self.indices)


def _lengths_of(fractions, total):
    """Whole lengths for fractions of `total`: each rounded down, what is left over dealt out one by one from the front."""
    lengths = []
    for i, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        lengths.append(math.floor(total * fraction))
    for i in range(total - sum(lengths)):
        lengths[i % len(lengths)] += 1
    for i, length in enumerate(lengths):
        if length == 0:
            warnings.warn(
                f"Length of split at index {i} is 0. This might result in an empty dataset.", UserWarning, stacklevel=3
            )
    return lengths


def random_split(
    dataset: Dataset[_T], lengths: Sequence[int | float], generator: torch.Generator | None = default_generator
) -> list[Subset[_T]]:
    """Divide `dataset` at random into Subsets that do not overlap.

    `lengths` are whole numbers that sum to len(dataset), or fractions that sum to 1: then each split has
    floor(fraction * len(dataset)) items, and what is left over is dealt out one by one from the first split on.
    `generator` is the torch.Generator that one permutation is drawn from.
    Raises ValueError for lengths of another sum and for a fraction outside of [0, 1]."""
    lengths = list(lengths)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _lengths_of(lengths, len(dataset))
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = torch.randperm(sum(lengths), generator=generator).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths)]
