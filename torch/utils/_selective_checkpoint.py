"""Checkpoints some of whose operators are not computed again: their results are kept from the first run.

Both runs ask a mode below recording (csrc/python/module/dispatch_mode.cpp) before an operator is computed. In the first one it
keeps what the policy says, by the operator and how many calls of it came before; in the second it gives that back.
"""

from __future__ import annotations

import enum

import torch
from torch import _C
from torch._ops import OpOverload, ops, overload_of

# What is never kept: it computes nothing.
SAC_IGNORED_OPS = {ops.aten.detach.default}


class CheckpointPolicy(enum.Enum):
    """What becomes of an operator's results: kept, computed again, or kept in the memory of the CPU. Of an operator that is not
    computed by a compiler, MUST_ and PREFER_ mean the same."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


_KEPT = {CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE, True}
_OFFLOADED = {CheckpointPolicy.MUST_CPU_OFFLOAD, CheckpointPolicy.PREFER_CPU_OFFLOAD}


class SelectiveCheckpointContext:
    """What a policy is told besides the call: `is_recompute`, whether it is the second run, and the results, `op_output`."""

    def __init__(self, *, is_recompute, op_output=None) -> None:
        self.is_recompute = is_recompute
        self.op_output = op_output


class _Kept:
    """One tensor of a result."""

    def __init__(self, tensor, offload):
        self.device = tensor.device
        self.tensor = tensor.detach().cpu() if offload else tensor.detach()
        self.version = self.tensor._version

    def get(self, may_be_written):
        if self.tensor._version != self.version and not may_be_written:
            raise RuntimeError("Tensor cached during selective activation checkpoint has been mutated")
        return self.tensor.to(self.device).detach()


class _Mode:
    """A context in which `asked` is the thread's mode."""

    def __enter__(self):
        self.counts = {}
        _C._enter_dispatch_mode(self.asked)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        _C._leave_dispatch_mode()

    def call(self, function, args):
        """(operator, how many calls of it came before)"""
        op = overload_of(function, args)
        number = self.counts.get(op, 0)
        self.counts[op] = number + 1
        return op, number


class _FirstRun(_Mode):
    def __init__(self, policy, storage):
        self.policy, self.storage = policy, storage

    def asked(self, function, args):
        op, number = self.call(function, args)
        if op in SAC_IGNORED_OPS:
            return None
        # Normalisations fill tensors that they are given empty, too, for their gradients.
        empty = [i for i, arg in enumerate(args) if isinstance(arg, torch.Tensor) and not arg.numel()]

        def keep(results):
            output = results[0] if len(results) == 1 else tuple(results)
            context = SelectiveCheckpointContext(is_recompute=False, op_output=output)
            policy = self.policy(context, op, *args)
            offload = policy in _OFFLOADED
            # A view costs nothing to make again, and has to be one of the second run's tensor; so has what is written.
            if (offload or policy in _KEPT) and not _shares_memory(results, args):
                kept = [None if result is None else _Kept(result, offload) for result in results]
                filled = {i: _Kept(args[i], offload) for i in empty if args[i].numel()}
                self.storage[op, number] = kept, filled

        return keep


class _SecondRun(_Mode):
    def __init__(self, storage, may_be_written):
        self.storage, self.may_be_written = storage, may_be_written
        self.used = False

    def __enter__(self):
        if self.used:
            raise RuntimeError(
                "Trying to backward an extra time. A region under selective activation checkpoint can be passed only once, "
                "since what was kept of it is given back then."
            )
        self.used = True
        return super().__enter__()

    def asked(self, function, args):
        found = self.storage.pop(self.call(function, args), None)
        if found is None:
            return None
        kept, filled = found
        for i, one in filled.items():
            tensor = one.get(self.may_be_written)
            args[i].resize_(tensor.shape).copy_(tensor)
        return tuple(None if one is None else one.get(self.may_be_written) for one in kept)


def _shares_memory(results, args):
    def addresses(values):
        for value in values:
            if isinstance(value, torch.Tensor):
                yield value.untyped_storage()._cdata
            elif isinstance(value, (list, tuple)):
                yield from addresses(value)

    return not {*addresses(results)}.isdisjoint(addresses(args))


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """Two contexts for `checkpoint(…, use_reentrant=False, context_fn=…)`, between which results of operators are kept.

    `policy_fn_or_list`: the operators whose results are to be kept, a list such as ``[torch.ops.aten.mm.default]``, or a
    function that is called as ``policy(context, op, *args)`` after each operator of the first run, with a
    `SelectiveCheckpointContext`, the operator and its arguments as it was given them, and answers with a
    `CheckpointPolicy` (or bool: True keeps). Results that share memory with an argument are never kept.
    `allow_cache_entry_mutation`: what was kept may be written before it is used; RuntimeError otherwise. ValueError for a
    list that holds something other than overloads, TypeError for neither a list nor a function.
    """
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, OpOverload):
                hint = f"; its overloads: {', '.join(op.overloads())}" if hasattr(op, "overloads") else ""
                raise ValueError(f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}{hint}")
        listed = frozenset(policy_fn_or_list)

        def policy(context, op, *args, **kwargs):
            return CheckpointPolicy.MUST_SAVE if op in listed else CheckpointPolicy.PREFER_RECOMPUTE

    elif callable(policy_fn_or_list):
        policy = policy_fn_or_list
    else:
        raise TypeError(
            f"policy_fn_or_list must be either a function or a list of ops, not {type(policy_fn_or_list).__name__}"
        )
    storage = {}
    return _FirstRun(policy, storage), _SecondRun(storage, allow_cache_entry_mutation)
