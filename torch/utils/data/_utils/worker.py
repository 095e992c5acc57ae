"""What a worker process runs: take indices, send batches, until the parent's end closes."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import random
import select
import sys
from importlib.util import find_spec

import torch
from torch._utils import ExceptionWrapper
from torch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe
from torch.utils.data.graph_settings import apply_random_seed, apply_sharding

from . import MP_STATUS_CHECK_INTERVAL
from .transport import Closed


@dataclasses.dataclass(frozen=True)
class WorkerInfo:
    """What get_worker_info() returns in a worker: its number (`id`, from 0), how many there are, the seed of its random
    numbers, and its copy of the dataset, whose attributes may be changed there."""

    id: int
    num_workers: int
    seed: int
    dataset: object
    rng: object = None  # None: the process's own generators are the worker's
    worker_method: str = "multiprocessing"


_worker_info = None


def get_worker_info() -> WorkerInfo | None:
    """The WorkerInfo of this process, or None where it is no worker of a DataLoader."""
    return _worker_info


@dataclasses.dataclass(frozen=True)
class _IterableDatasetStopIteration:
    """Sent instead of a batch: the worker's copy of an IterableDataset has ended."""

    worker_id: int


@dataclasses.dataclass(frozen=True)
class _ResumeIteration:
    """Sent to persistent workers, and by them in answer: a new pass begins, of a pipe with this seed."""

    seed: int | None = None


def import_numpy():
    """NumPy, or None where it is not installed. Its legacy generator is seeded in each worker."""
    if "numpy" not in sys.modules and find_spec("numpy") is None:
        return None
    import numpy.random  # a part that numpy itself imports at first use

    return numpy


def _generate_state(base_seed, worker_id):
    """Four 32-bit words, the seed of NumPy's legacy generator in a worker: those of numpy.random.SeedSequence over the
    worker's number and both halves of the base seed, so that workers' streams have nothing in common."""
    entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32]
    return import_numpy().random.SeedSequence(entropy).generate_state(4).tolist()


def _seed(base_seed, rng, worker_id):
    """Start the process's random numbers, of the parent's kind. Returns the worker's seed."""
    torch._C._set_cpu_rng(rng)
    seed = base_seed + worker_id
    random.seed(seed)
    torch.manual_seed(seed)
    if import_numpy() is not None:
        import_numpy().random.seed(_generate_state(base_seed, worker_id))
    return seed


class _Parent:
    """The parent process, as its workers watch it."""

    def __init__(self, channel):
        self._ppid = os.getppid()  # with forkserver that server, which ends with the parent
        self._channel = channel
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)
        parent = multiprocessing.parent_process()
        if parent is not None:
            self._poll.register(parent.sentinel, select.POLLIN)

    def alive(self):
        return os.getppid() == self._ppid

    def receive(self):
        """The parent's next message. Raises Closed when it has closed its end or has died."""
        while True:
            ready = [fd for fd, _ in self._poll.poll(1000 * MP_STATUS_CHECK_INTERVAL)]
            if self._channel.fileno() in ready:
                return self._channel.receive()
            if ready or not self.alive():
                raise Closed

    def send(self, index, data):
        self._channel.send((index, data), self.alive)


class _Worker:
    """Turns indices into batches. An error at the start is the answer to every index."""

    def __init__(self, info, create_fetcher, init_fn):
        self._where = f"in DataLoader worker process {info.id}"
        self._id = info.id
        self._dataset = info.dataset
        self._create_fetcher = create_fetcher
        self._error = self._fetcher = None
        try:
            if isinstance(info.dataset, (IterDataPipe, MapDataPipe)):
                apply_sharding(info.dataset, info.num_workers, info.id)
            if init_fn is not None:
                init_fn(info.id)
        except Exception:
            self._error = ExceptionWrapper(where=self._where)
        self._initialized = self._error is None
        self.resume()

    def resume(self, pipe_seed=None):
        """Begin a new pass, of a pipe with this seed; for the first one the parent has told a pipe its seeds."""
        if not self._initialized:
            return
        if pipe_seed is not None:
            apply_random_seed(self._dataset, torch.Generator().manual_seed(pipe_seed))
        try:
            self._fetcher, self._error = self._create_fetcher(), None
        except Exception:
            self._error = ExceptionWrapper(where=self._where)

    def result(self, index, iterable):
        if self._error is not None:
            return self._error
        try:
            return self._fetcher.fetch(index)
        except Exception as error:
            if iterable and isinstance(error, StopIteration):
                return _IterableDatasetStopIteration(self._id)
            return ExceptionWrapper(where=self._where)

    def unsent(self, result):
        """What to send instead of a `result` whose sending has just raised."""
        if not isinstance(result, ExceptionWrapper):
            return ExceptionWrapper(where=self._where)
        result.exc_type = RuntimeError  # its type was what could not be sent; its text can be
        return result


def _serve(parent, worker, iterable):
    """Answer the parent's messages until there is none to come."""
    ended = False
    while True:
        message = parent.receive()
        if isinstance(message, _ResumeIteration):
            worker.resume(message.seed)
            ended = False
            parent.send(message, None)
            continue
        if ended:
            continue  # the parent sent it before it knew
        number, index = message
        result = worker.result(index, iterable)
        del index
        ended = isinstance(result, _IterableDatasetStopIteration)
        try:
            parent.send(number, result)
        except Closed:
            raise
        except Exception:  # a batch that cannot be pickled, or for which there is no memory
            parent.send(number, worker.unsent(result))
        del result  # not to be kept while the next one is made


def worker_loop(channel, kind, dataset, auto_collation, collate_fn, drop_last, seed, init_fn, worker_id, count):
    """The whole life of a worker process. `channel` is its end of a pair, `kind` a _DatasetKind."""
    from ..dataloader import _DatasetKind

    global _worker_info
    try:
        torch.set_num_threads(1)
        seed = _seed(*seed, worker_id)
        _worker_info = WorkerInfo(worker_id, count, seed, dataset)

        def create_fetcher():
            return _DatasetKind.create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last)

        worker = _Worker(_worker_info, create_fetcher, init_fn)
        _serve(_Parent(channel), worker, kind == _DatasetKind.Iterable)
    except (Closed, KeyboardInterrupt):
        pass  # Ctrl-C goes to the parent too, which reports it
    finally:
        channel.close()
