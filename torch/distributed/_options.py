"""What collective operations are asked for by: reductions, and the options of each operation."""

from __future__ import annotations

import datetime
import enum

# An operation that names no timeout has its group's.
NO_TIMEOUT = datetime.timedelta(milliseconds=-1)


class ReduceOp:
    """How the tensors of several processes become one: ReduceOp.SUM and the others."""

    class RedOpType(enum.IntEnum):
        """The reductions by number."""

        SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = range(9)

        __str__ = enum.Enum.__str__

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = RedOpType

    def __init__(self, op, factor=None):
        self.op = self.RedOpType(getattr(op, "op", op))
        self.factor = factor

    def __eq__(self, other):
        return self.op == getattr(other, "op", other)

    def __hash__(self):
        return int(self.op)

    def __repr__(self):
        return f"<{self.op}: {int(self.op)}>"


class _ReduceOpOfOld:
    """The reductions under the name of 2018."""

    def __getattr__(self, name):
        return getattr(ReduceOp, name)


reduce_op = _ReduceOpOfOld()


def supports_complex(reduceOp: ReduceOp) -> bool:  # noqa: N803 - torch's name
    """Whether the reduction is one of complex numbers, too."""
    without = (ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PRODUCT, ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)
    return getattr(reduceOp, "op", reduceOp) not in without


def _make_premul_sum(factor):
    """The sum of all ranks' tensors, each times `factor` first."""
    return ReduceOp(ReduceOp.PREMUL_SUM, float(factor))


def reduction(op):
    """(number, factor) of a ReduceOp or one of its numbers."""
    kind, factor = getattr(op, "op", op), getattr(op, "factor", None)
    if not isinstance(kind, ReduceOp.RedOpType):
        raise TypeError(f"a reduction is one of torch.distributed.ReduceOp, as ReduceOp.SUM, not {op!r}")
    if kind == ReduceOp.PREMUL_SUM and factor is None:
        raise TypeError("ReduceOp.PREMUL_SUM lacks its factor")
    return int(kind), 1.0 if factor is None else float(factor)


class _Options:
    """Attributes with what they are at first."""

    asyncOp, timeout = True, NO_TIMEOUT  # noqa: N815 - torch's name
    device_ids = ()

    def __init__(self):
        self.device_ids = []


def _options(name, what, **first):
    return type(name, (_Options,), first | {"__doc__": f"Options of {what}.", "__module__": "torch.distributed"})


class _DistributedBackendOptions:
    """What a backend that was registered with extended_api is made by."""

    def __init__(self):
        self.store, self.group_rank, self.group_size = None, 0, 0
        self.timeout, self.group_id, self.global_ranks_in_group = NO_TIMEOUT, "", []


_SUM = ReduceOp(ReduceOp.SUM)
AllreduceOptions = _options("AllreduceOptions", "all_reduce", reduceOp=_SUM)
AllreduceCoalescedOptions = _options("AllreduceCoalescedOptions", "all_reduce of several tensors", reduceOp=_SUM)
AllgatherOptions = _options("AllgatherOptions", "all_gather")
AllToAllOptions = _options("AllToAllOptions", "all_to_all")
BarrierOptions = _options("BarrierOptions", "barrier", device=None)
BroadcastOptions = _options("BroadcastOptions", "broadcast", rootRank=0, rootTensor=0)
GatherOptions = _options("GatherOptions", "gather", rootRank=0)
ReduceOptions = _options("ReduceOptions", "reduce", reduceOp=_SUM, rootRank=0, rootTensor=0)
ReduceScatterOptions = _options("ReduceScatterOptions", "reduce_scatter", reduceOp=_SUM)
ScatterOptions = _options("ScatterOptions", "scatter", rootRank=0)
