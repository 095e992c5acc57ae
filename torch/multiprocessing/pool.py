"""A pool whose workers let go of shared memory when they end."""

import gc
import multiprocessing.pool
import multiprocessing.util

from torch.multiprocessing.queue import SimpleQueue

__all__ = ["Pool", "clean_worker"]


def clean_worker(*args, **kwargs):
    """What a worker runs. Results in cycles would keep their memory until the process has ended."""
    multiprocessing.pool.worker(*args, **kwargs)
    gc.collect()


class Pool(multiprocessing.pool.Pool):
    """multiprocessing.pool.Pool over queues of torch.multiprocessing."""

    def _setup_queues(self):
        self._inqueue = SimpleQueue(ctx=self._ctx)
        self._outqueue = SimpleQueue(ctx=self._ctx)
        self._quick_put = self._inqueue._writer.send
        self._quick_get = self._outqueue._reader.recv

    @staticmethod
    def _repopulate_pool_static(ctx, Process, processes, pool, inqueue, outqueue, *rest):
        initializer, initargs, maxtasksperchild, wrap_exception = rest
        for _ in range(processes - len(pool)):
            worker = Process(
                ctx,
                target=clean_worker,
                args=(inqueue, outqueue, initializer, initargs, maxtasksperchild, wrap_exception),
            )
            worker.name = worker.name.replace("Process", "PoolWorker")
            worker.daemon = True
            worker.start()
            pool.append(worker)
            multiprocessing.util.debug("added worker")
