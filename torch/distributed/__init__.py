"""torch.distributed: processes that compute together. is_available() says whether this torch was built with it; without,
names are there for whoever imports them, and functions that need a process group say that there is none."""

from __future__ import annotations

import os
import sys

from torch._absent import GROUPS_BUILT, rest_of
from torch.distributed import constants, distributed_c10d
from torch.distributed.constants import default_pg_timeout
from torch.distributed.distributed_c10d import *  # noqa: F403
from torch.distributed.distributed_c10d import Work, is_initialized, reduce_op

if GROUPS_BUILT:
    from torch.distributed._api import (  # noqa: F401 - trainers use them
        _all_gather_base,
        _coalescing_manager,
        _CoalescingManager,
        _get_process_group_name,
        _rank_not_in_group,
        _reduce_scatter_base,
    )
    from torch.distributed.rendezvous import register_rendezvous_handler, rendezvous  # noqa: F401

__all__ = [  # noqa: PLE0604 - strings
    *distributed_c10d.__all__,
    *(("register_rendezvous_handler", "rendezvous") if GROUPS_BUILT else ()),
    "constants",
    "default_pg_timeout",
    "distributed_c10d",
    "is_available",
    "is_initialized",
    "reduce_op",
]


def is_available() -> bool:
    """Whether this torch was built with torch.distributed."""
    return GROUPS_BUILT


__getattr__, __dir__ = rest_of(__name__)
