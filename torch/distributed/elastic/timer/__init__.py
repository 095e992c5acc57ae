"""Timers that end a process which hangs.

from torch.distributed.elastic import timer

timer.configure(timer.LocalTimerClient(queue))
with timer.expires(after=60):
    train_one_batch()
"""

from torch._absent import rest_of
from torch.distributed.elastic.timer.api import TimerClient, TimerRequest, TimerServer, configure, expires
from torch.distributed.elastic.timer.file_based_local_timer import FileTimerClient, FileTimerRequest, FileTimerServer
from torch.distributed.elastic.timer.local_timer import LocalTimerClient, LocalTimerServer

__all__ = [
    "FileTimerClient",
    "FileTimerRequest",
    "FileTimerServer",
    "LocalTimerClient",
    "LocalTimerServer",
    "TimerClient",
    "TimerRequest",
    "TimerServer",
    "configure",
    "expires",
]
__getattr__, __dir__ = rest_of(__name__)
