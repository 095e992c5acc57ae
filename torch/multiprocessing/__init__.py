"""multiprocessing, whose queues, pipes and pools send tensors without a copy: their memory moves into shared memory, and
both processes see it from then on.

    import torch.multiprocessing as mp

    def work(queue):
        queue.get().mul_(2)

    if __name__ == "__main__":
        queue, x = mp.Queue(), torch.ones(3)
        worker = mp.Process(target=work, args=(queue,))
        worker.start()
        queue.put(x)
        worker.join()
        print(x)  # tensor([2., 2., 2.])

What is sent is the memory, a storage: tensors over one storage stay that on the other side, also if they are sent one
after the other. Gradients are not sent, but `requires_grad` is; a tensor that was computed with gradients is refused. A
sender has to live until what it has sent has been received.

How memory is shared is the strategy. "file_descriptor", the default: by a file that has no name; each shared storage has a
file open. "file_system": by a name in /dev/shm, for programs that share more than they may have files open; the program
torch_shm_manager removes the names when nobody has them, however processes end.
"""

import multiprocessing
import multiprocessing.reduction as reducer
from multiprocessing import *  # noqa: F403

from torch.multiprocessing import reductions
from torch.multiprocessing.reductions import init_reductions
from torch.multiprocessing.spawn import (
    ENV_VAR_PARALLEL_START,
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    spawn,
    start_processes,
)

__all__ = ["get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy"]
__all__ += multiprocessing.__all__

_all_sharing_strategies = {"file_descriptor", "file_system"}
_sharing_strategy = "file_descriptor"


def set_sharing_strategy(new_strategy):
    """How memory is shared from now on: "file_descriptor" or "file_system". What is shared already stays as it is.
    AssertionError for others. A process that is spawned starts with the default."""
    global _sharing_strategy
    if new_strategy not in _all_sharing_strategies:
        raise AssertionError(f"invalid sharing strategy {new_strategy!r}, expected one of {_all_sharing_strategies}")
    _sharing_strategy = new_strategy


def get_sharing_strategy():
    """The strategy by which memory is shared."""
    return _sharing_strategy


def get_all_sharing_strategies():
    """The set of the strategies that there are on this system."""
    return _all_sharing_strategies


init_reductions()
