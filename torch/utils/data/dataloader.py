"""DataLoader: a dataset's items in batches, in the order of a sampler, made here or in worker processes."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import torch
from torch.utils.data import _utils
from torch.utils.data._utils.collate import default_collate, default_convert
from torch.utils.data._utils.iterate import (
    _BaseDataLoaderIter,
    _MultiProcessingDataLoaderIter,
    _SingleProcessDataLoaderIter,
)
from torch.utils.data._utils.worker import get_worker_info
from torch.utils.data.datapipes.datapipe import IterDataPipe
from torch.utils.data.dataset import Dataset, IterableDataset
from torch.utils.data.graph_settings import apply_shuffle_settings
from torch.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]

_T_co = TypeVar("_T_co", covariant=True)


class _DatasetKind:
    """How a dataset is read: by index, or walked through."""

    Map = 0
    Iterable = 1

    @staticmethod
    def create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last):
        """What fetches batches of a dataset of this kind."""
        if kind == _DatasetKind.Map:
            return _utils.fetch._MapDatasetFetcher(dataset, auto_collation, collate_fn, drop_last)
        return _utils.fetch._IterableDatasetFetcher(dataset, auto_collation, collate_fn, drop_last)


class _InfiniteConstantSampler(Sampler):
    """None for ever: the sampler of an IterableDataset, which has no indices."""

    def __iter__(self):
        return itertools.repeat(None)


def _checked_context(value, num_workers):
    """A context of multiprocessing, from itself or from the name of a start method."""
    if value is None:
        return None
    if num_workers <= 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
            f"but got num_workers={num_workers}"
        )
    if isinstance(value, str):
        names = multiprocessing.get_all_start_methods()
        if value not in names:
            raise ValueError(
                f"multiprocessing_context option should specify a valid start method in {names!r}, "
                f"but got multiprocessing_context={value!r}"
            )
        return multiprocessing.get_context(value)
    if not isinstance(value, multiprocessing.context.BaseContext):
        raise TypeError(
            "multiprocessing_context option should be a valid context object or a string specifying the start "
            f"method, but got multiprocessing_context={value}"
        )
    return value


class DataLoader(Generic[_T_co]):
    """The items of `dataset` in batches. Each `iter(loader)` is a pass of its own.

    dataset: a Dataset, or any object with `__getitem__` and `__len__`; or an IterableDataset, which is walked through
        and takes no sampler; or an IterDataPipe, whose shufflers and sharding filters are told what `shuffle` says,
        seeds, and each worker's part.
    batch_size: items per batch; None for single items, which are converted but not collated.
    shuffle: a new random order in each pass.
    sampler: the order, an iterable of indices. batch_sampler: an iterable of lists of indices, instead of batch_size,
        shuffle, sampler and drop_last.
    num_workers: processes that make the batches; 0: this one does.
    collate_fn: makes a batch of a list of items; default_collate unless told.
    pin_memory: put batches where an accelerator copies from fastest. Without one this does nothing and warns.
    drop_last: leave out a last batch that is not full.
    timeout: seconds to wait for a worker's batch before RuntimeError; 0: no limit.
    worker_init_fn: called with the worker's number in each worker, after its random numbers have been seeded.
    multiprocessing_context: how processes start: "fork", "spawn", "forkserver", or a context of multiprocessing.
    generator: the torch.Generator that the order and the workers' seeds are drawn from.
    prefetch_factor: batches that each worker has under way, 2 unless told.
    persistent_workers: keep the processes, and their datasets, between passes.
    in_order: yield batches in the order of the sampler; False: as they come.

    Worker w of a pass seeds torch and random with base_seed + w and NumPy with words derived from both; base_seed is
    drawn from `generator` when the pass begins. In a worker torch uses one thread.

    Raises ValueError or TypeError for arguments that contradict each other. An exception in a worker is raised here,
    with the same type and the worker's traceback in its text; RuntimeError if a worker dies."""

    _KEPT = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")
    __initialized = False

    def __init__(
        self,
        dataset: Dataset[_T_co],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Sampler | Iterable | None = None,
        batch_sampler: Sampler[list] | Iterable[list] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context=None,
        generator: torch.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self.generator = generator
        if isinstance(dataset, IterableDataset):
            self._dataset_kind = _DatasetKind.Iterable
            if isinstance(dataset, IterDataPipe):  # whose shufflers make the order
                self.dataset = apply_shuffle_settings(dataset, shuffle)
                shuffle = None
            self._refuse_orders(shuffle, sampler, batch_sampler)
        else:
            self._dataset_kind = _DatasetKind.Map
            shuffle = bool(shuffle)
        self._set_samplers(batch_size, shuffle, sampler, batch_sampler, drop_last)
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers
        self.__initialized = True
        self._IterableDataset_len_called = None  # what the last len() of an IterableDataset was
        self._iterator = None  # the one whose workers persist
        self.check_worker_number_rationality()

    @staticmethod
    def _refuse_orders(shuffle, sampler, batch_sampler):
        expected = "DataLoader with IterableDataset: expected unspecified {0} option, but got {0}={1}"
        if shuffle not in (False, None):
            raise ValueError(expected.format("shuffle", shuffle))
        if sampler is not None:
            raise ValueError(expected.format("sampler", sampler))
        if batch_sampler is not None:
            raise ValueError(expected.format("batch_sampler", batch_sampler))

    def _set_samplers(self, batch_size, shuffle, sampler, batch_sampler, drop_last):
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if self._dataset_kind == _DatasetKind.Iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(self.dataset, generator=self.generator)
            else:
                sampler = SequentialSampler(self.dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler

    @property
    def multiprocessing_context(self):
        """The context that starts workers, or None for the default one. Set it to a context or the name of a method."""
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, value):
        self.__multiprocessing_context = _checked_context(value, self.num_workers)

    def __setattr__(self, attr, val) -> None:
        if self.__initialized and attr in self._KEPT:
            raise ValueError(f"{attr} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(attr, val)

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        """What a pass takes its indices, or lists of them, from."""
        return self.batch_sampler if self._auto_collation else self.sampler

    def _get_iterator(self):
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    def __iter__(self) -> _BaseDataLoaderIter:
        if not self.persistent_workers or self.num_workers == 0:
            return self._get_iterator()
        if self._iterator is None or self._iterator._shutdown:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    def __len__(self) -> int:
        """The number of batches of a pass. For an IterableDataset it is computed from what its __len__ says, which may
        be wrong: a pass that yields more warns."""
        if self._dataset_kind != _DatasetKind.Iterable:
            return len(self._index_sampler)
        items = self._IterableDataset_len_called = len(self.dataset)
        if self.batch_size is None:
            return items
        batches, rest = divmod(items, self.batch_size)
        return batches + (rest > 0 and not self.drop_last)

    def check_worker_number_rationality(self) -> None:
        """Warn where there are more workers than processors that this process may use."""
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        if processors is not None and self.num_workers > processors:
            warnings.warn(
                f"This DataLoader will create {self.num_workers} worker processes in total. Our suggested max number "
                f"of worker in current system is {processors}, which is smaller than what this DataLoader is going to "
                "create. More workers than processors only wait for each other; lower num_workers.",
                stacklevel=3,
            )
