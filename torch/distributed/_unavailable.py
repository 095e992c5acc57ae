"""Process groups, of which this torch has none: their names, the numbers of reductions, and functions that say so.

What is asked of the default group raises ValueError, as in PyTorch before init_process_group(), and NotImplementedError,
since no group can be made here.
"""

from __future__ import annotations

from torch._absent import reason_of, refuse, rest_of
from torch.distributed import _backends
from torch.distributed._backends import *  # noqa: F403
from torch.distributed._options import ReduceOp, reduce_op, supports_complex  # noqa: F401 - distributed_c10d has reduce_op

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch
    from torch import Tensor


__all__ = [  # noqa: PLE0604 - strings
    *_backends.__all__,
    "GroupMember",
    "P2POp",
    "ProcessGroup",
    "ReduceOp",
    "Work",
    "get_global_rank",
    "get_pg_count",
    "group",
    "init_process_group",
    "supports_complex",
]


# ---- questions ---------------------------------------------------------------------------------------------
def is_initialized() -> bool:
    """Whether the process has joined a group."""
    return False


def get_pg_count() -> int:
    """How many groups the process has joined."""
    return 0


# ---- classes without instances ---------------------------------------------------------------------------
class ProcessGroup:
    """Processes that exchange tensors. There are none here: no object is an instance."""

    def __new__(cls, *args, **kwargs):
        refuse("torch.distributed.ProcessGroup")


class Work:
    """An exchange under way. There are none here: no object is an instance."""

    def __new__(cls, *args, **kwargs):
        refuse("torch.distributed.Work")


class GroupMember:
    """WORLD: the default group, None where there is none. NON_GROUP_MEMBER: what who is not in a new group gets."""

    WORLD = None
    NON_GROUP_MEMBER = -100


class group:  # noqa: N801 - torch's name
    """group.WORLD: the default group; None, since there is none."""

    WORLD = None


_pg_map = {}


# ---- what needs a group ------------------------------------------------------------------------------------
class _NoProcessGroup(NotImplementedError, ValueError):
    """PyTorch raises ValueError before init_process_group()."""


def _no_group(who):
    raise _NoProcessGroup(
        "Default process group has not been initialized, please make sure to call init_process_group. "
        f"torch.distributed.{who}: {reason_of('torch.distributed')}"
    )


def _get_default_group():
    """The default group: there is none."""
    _no_group("_get_default_group")


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    timeout=None,
    world_size: int = -1,
    rank: int = -1,
    store=None,
    group_name: str = "",
    pg_options: Any | None = None,
    device_id: torch.device | int | None = None,
    _ranks: list[int] | None = None,
) -> None:
    """Joins the default group. NotImplementedError here: no group can be made."""
    refuse("torch.distributed.init_process_group")


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """Of the default group, None, `group_rank` itself."""
    return group_rank if group is None else _no_group("get_global_rank")


class P2POp:
    """A tensor to be sent or received, for batch_isend_irecv()."""

    def __new__(
        cls,
        op: Callable,
        tensor: Tensor,
        peer: int | None = None,
        group: ProcessGroup | None = None,
        tag: int = 0,
        group_peer: int | None = None,
    ):
        _no_group("P2POp")


def _of_a_group(name, parameters):
    def function(*args, **kwargs):
        _no_group(name)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = "Asks the default group. ValueError here: there is none."
    function.__wrapped__ = eval(f"lambda {parameters}: None")
    return function


_OF_A_GROUP = {
    "all_gather": "tensor_list, tensor, group=None, async_op=False",
    "all_gather_into_tensor": "output_tensor, input_tensor, group=None, async_op=False",
    "all_gather_object": "object_list, obj, group=None",
    "all_reduce": "tensor, op=ReduceOp.SUM, group=None, async_op=False",
    "all_to_all": "output_tensor_list, input_tensor_list, group=None, async_op=False",
    "all_to_all_single": "output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False",
    "barrier": "group=None, async_op=False, device_ids=None, timeout=None",
    "batch_isend_irecv": "p2p_op_list",
    "broadcast": "tensor, src=None, group=None, async_op=False, group_src=None",
    "broadcast_object_list": "object_list, src=None, group=None, device=None, group_src=None",
    "destroy_process_group": "group=None",
    "gather": "tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None",
    "gather_object": "obj, object_gather_list=None, dst=None, group=None, group_dst=None",
    "get_backend": "group=None",
    "get_backend_config": "group=None",
    "get_group_rank": "group, global_rank",
    "get_process_group_ranks": "group",
    "get_rank": "group=None",
    "get_world_size": "group=None",
    "irecv": "tensor, src=None, group=None, tag=0, group_src=None",
    "isend": "tensor, dst=None, group=None, tag=0, group_dst=None",
    "monitored_barrier": "group=None, timeout=None, wait_all_ranks=False",
    "new_group": "ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, "
    "group_desc=None, device_id=None, sort_ranks=True",
    "recv": "tensor, src=None, group=None, tag=0, group_src=None",
    "recv_object_list": "object_list, src=None, group=None, device=None, group_src=None, use_batch=False",
    "reduce": "tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None",
    "reduce_scatter": "output, input_list, op=ReduceOp.SUM, group=None, async_op=False",
    "reduce_scatter_tensor": "output, input, op=ReduceOp.SUM, group=None, async_op=False",
    "scatter": "tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None",
    "scatter_object_list": "scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, "
    "group_src=None",
    "send": "tensor, dst=None, group=None, tag=0, group_dst=None",
    "send_object_list": "object_list, dst=None, group=None, device=None, group_dst=None, use_batch=False",
}
globals().update({name: _of_a_group(name, parameters) for name, parameters in _OF_A_GROUP.items()})
__all__ += list(_OF_A_GROUP)

__getattr__, __dir__ = rest_of(__name__)
