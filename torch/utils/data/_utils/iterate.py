"""What iter(DataLoader) returns: batches made in this process, or in workers."""

import itertools
import multiprocessing
import warnings
import weakref

import torch
from torch._utils import ExceptionWrapper
from torch.utils.data.datapipes.datapipe import IterDataPipe
from torch.utils.data.graph_settings import apply_random_seed

from . import pin_memory
from .worker import _IterableDatasetStopIteration, _ResumeIteration
from .workers import Workers


def _pins(loader):
    """Whether batches go to pinned memory. Without an accelerator there is none, and a warning says so."""
    if not loader.pin_memory:
        return False
    if loader.pin_memory_device:
        warnings.warn(
            "pin_memory_device is deprecated, the current accelerator will be used as the device,"
            f"ignore pin_memory_device='{loader.pin_memory_device}'.",
            stacklevel=6,
        )
    if torch.accelerator.is_available():
        return True
    warnings.warn(
        "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.",
        stacklevel=6,
    )
    return False


class _BaseDataLoaderIter:
    """One pass over a loader. Takes the base seed of the workers from the loader's generator when it begins."""

    def __init__(self, loader):
        self._dataset = loader.dataset
        self._dataset_kind = loader._dataset_kind
        self._auto_collation = loader._auto_collation
        self._drop_last = loader.drop_last
        self._index_sampler = loader._index_sampler
        self._num_workers = loader.num_workers
        self._pin_memory = _pins(loader)
        self._timeout = loader.timeout
        self._collate_fn = loader.collate_fn
        self._persistent_workers = loader.persistent_workers
        self._base_seed = None
        self._begin(loader)

    def _fetched(self):
        """What _DatasetKind.create_fetcher takes, here or in a worker."""
        return self._dataset_kind, self._dataset, self._auto_collation, self._collate_fn, self._drop_last

    def _begin(self, loader):
        self._sampler_iter = iter(self._index_sampler)
        # Of a pipe every worker's copy is in the same order: its seeds follow from one number.
        self._shared_seed = None
        self._draw_shared_seed(loader)
        # Drawn even where there are no workers: with and without them the generator moves on alike. Persistent
        # workers keep their seeds.
        if self._base_seed is None:
            drawn = torch.empty((), dtype=torch.int64).random_(generator=loader.generator)
            self._base_seed = drawn.item()
        self._num_yielded = 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called

    def _draw_shared_seed(self, loader):
        if isinstance(self._dataset, IterDataPipe):
            self._shared_seed = torch.empty((), dtype=torch.int64).random_(generator=loader.generator).item()
            apply_random_seed(self._dataset, torch.Generator().manual_seed(self._shared_seed))

    def __iter__(self):
        return self

    def __len__(self):
        return len(self._index_sampler)

    def __next__(self):
        if torch._C._profiler_on():
            with torch.autograd.profiler.record_function(f"enumerate(DataLoader)#{type(self).__name__}.__next__"):
                return self._next()
        return self._next()

    def _next(self):
        data = self._next_data()
        self._num_yielded += 1
        promised = self._IterableDataset_len_called
        if promised is not None and self._num_yielded > promised:
            self._warn_of_length(promised)
        return data

    def _warn_of_length(self, promised):
        text = (
            f"Length of IterableDataset {self._dataset} was reported to be {promised}(when accessing len(dataloader)), "
            f"but {self._num_yielded} samples have been fetched. "
        )
        if self._num_workers > 0:
            text += (
                "For multiprocessing data-loading, this could be caused by not properly configuring the "
                "IterableDataset replica at each worker: each of them walks through all of the dataset unless its "
                "__iter__ asks get_worker_info() which part to take."
            )
        warnings.warn(text, stacklevel=3)

    def _next_data(self):
        raise NotImplementedError

    def _pinned(self, data):
        return pin_memory.pin_memory(data) if self._pin_memory else data

    def __getstate__(self):
        raise NotImplementedError(f"{type(self).__name__} cannot be pickled")


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Makes each batch when it is asked for."""

    def __init__(self, loader):
        assert loader.timeout == 0, "_SingleProcessDataLoaderIter requires timeout == 0: a timeout is for workers"
        super().__init__(loader)
        from ..dataloader import _DatasetKind  # it imports this file

        self._dataset_fetcher = _DatasetKind.create_fetcher(*self._fetched())

    def _next_data(self):
        return self._pinned(self._dataset_fetcher.fetch(next(self._sampler_iter)))


class _Task:
    """What was sent to a worker, and what came back."""

    __slots__ = ("worker", "done", "data")

    def __init__(self, worker):
        self.worker = worker
        self.done = False
        self.data = None


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Keeps `prefetch_factor` tasks per worker on their way and yields the results, in the order of the sampler unless
    loader.in_order is False.

    Task k is numbered k; with in_order the workers take turns, so that which worker makes a batch, and with which
    random numbers, does not depend on speed. `_tasks` holds those not yet yielded, in the order of their numbers."""

    def __init__(self, loader):
        super().__init__(loader)
        assert self._num_workers > 0
        assert loader.prefetch_factor > 0, "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter"
        self._per_worker = loader.prefetch_factor
        self._in_order = loader.in_order
        context = loader.multiprocessing_context or multiprocessing

        def arguments(i):
            seed = self._base_seed, torch._C._cpu_rng()
            return *self._fetched(), seed, loader.worker_init_fn, i, self._num_workers

        self._pool = Workers(context, self._num_workers, arguments, self._timeout)
        # Runs when the iterator goes, at the latest when the program ends; multiprocessing's own clean-up comes later.
        weakref.finalize(self, self._pool.close)
        self._workers = self._pool.processes
        self._draw_shared_seed(loader)  # as PyTorch does, though the workers have theirs: equal draws in later passes
        self._start()

    def _start(self):
        self._tasks = {}
        self._numbers = itertools.count()
        self._outstanding = [0] * self._num_workers  # tasks of each worker that have not come back
        self._active = [True] * self._num_workers  # False: the worker's IterableDataset has ended
        self._turns = itertools.cycle(range(self._num_workers))
        for _ in range(self._per_worker * self._num_workers):
            self._send_next()

    @property
    def _shutdown(self):
        return self._pool.closed

    def _reset(self, loader):
        """Begin another pass with the same workers. What is still on its way from the last one is thrown away."""
        self._begin(loader)
        for i in range(self._num_workers):
            self._pool.send(i, _ResumeIteration(self._shared_seed))
        answers = 0
        while answers < self._num_workers:
            number, _ = self._pool.receive()
            answers += isinstance(number, _ResumeIteration)
        self._start()

    def _send_next(self):
        """Give the sampler's next value to the worker whose turn it is."""
        try:
            index = next(self._sampler_iter)
        except StopIteration:
            return
        worker = self._next_worker()
        if worker is None:
            return
        number = next(self._numbers)
        self._tasks[number] = _Task(worker)
        self._outstanding[worker] += 1
        self._pool.send(worker, (number, index))

    def _next_worker(self):
        """The next active worker; without in_order one that has no more than its share to do. None if there is none."""
        share = self._per_worker * self._num_workers // max(1, sum(self._active))
        for worker in itertools.islice(self._turns, self._num_workers):
            if self._active[worker] and (self._in_order or self._outstanding[worker] < share):
                return worker
        return None

    def _next_data(self):
        if self._pool.closed and self._tasks:
            raise RuntimeError("the workers of this DataLoader have been stopped: begin a new pass with iter(loader)")
        while True:
            number = self._drop_those_of_ended_workers()
            if number is None:
                if not self._persistent_workers:
                    self._pool.close()
                raise StopIteration
            if self._tasks[number].done:
                return self._yielded(number)
            came = self._receive()
            if came is not None and not self._in_order:
                return self._yielded(came)

    def _drop_those_of_ended_workers(self):
        """The number of the first task that has a result or will have one, or None."""
        for number, task in list(self._tasks.items()):
            if task.done or self._active[task.worker]:
                return number
            del self._tasks[number]
        return None

    def _receive(self):
        """Take the next result. Returns its number, or None where it was the end of a worker's dataset."""
        number, data = self._pool.receive()
        task = self._tasks[number]
        self._outstanding[task.worker] -= 1
        if isinstance(data, _IterableDatasetStopIteration):
            self._active[task.worker] = False
            if not self._persistent_workers:
                self._pool.stop(task.worker)
            self._send_next()
            return None
        task.done, task.data = True, data
        return number

    def _yielded(self, number):
        data = self._tasks.pop(number).data
        self._send_next()
        if isinstance(data, ExceptionWrapper):
            data.reraise()
        return self._pinned(data)
