"""torch.distributed in a build without it: is_available() says so. Names are there for whoever imports them; functions
that need a process group say that there is none."""

from __future__ import annotations

import os
import sys

from torch._absent import rest_of
from torch.distributed import constants, distributed_c10d
from torch.distributed.constants import default_pg_timeout
from torch.distributed.distributed_c10d import *  # noqa: F403
from torch.distributed.distributed_c10d import Work, is_initialized, reduce_op

__all__ = [  # noqa: PLE0604 - strings
    *distributed_c10d.__all__,
    "constants",
    "default_pg_timeout",
    "distributed_c10d",
    "is_available",
    "is_initialized",
    "reduce_op",
]


def is_available() -> bool:
    """Whether this torch was built with torch.distributed."""
    return False


__getattr__, __dir__ = rest_of(__name__)
