"""The parameters of one module that fully_shard() has divided: gathered before use, and their gradients added up after.

Gathering is a node of the graph from this rank's parts to whole tensors, whose backward is the reduction; so gradients reach
the parts as any tensor's do. What operators save of whole tensors is not kept: the graph's hooks keep where it is from, and
gather it again in backward.
"""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch.autograd import Function
from torch.distributed import ReduceOp

_whole = {}  # the groups whose tensors are whole now, by address of their elements: (group, which)


def pack(tensor):
    """What is kept of a tensor that backward needs."""
    if tensor.layout != torch.strided or tensor.device.type != "cpu":
        return tensor
    found = _whole.get(tensor.untyped_storage().data_ptr())
    if found is None:
        return tensor
    return *found, tensor.shape, tensor.stride(), tensor.storage_offset(), tensor.dtype


def unpack(kept):
    """The tensor, of parameters that are gathered again."""
    if isinstance(kept, torch.Tensor):
        return kept
    group, which, shape, stride, offset, dtype = kept
    return group.again()[which].as_strided(shape, stride, offset)


class _Unshard(Function):
    @staticmethod
    def forward(ctx, group, *parts):
        ctx.group = group
        return tuple(group.gathered(parts))

    @staticmethod
    def backward(ctx, *grads):
        return None, *ctx.group.reduced(grads)


class Part:
    """One parameter: the modules that hold it, and its place in what is gathered."""

    def __init__(self, holders, parameter, parts):
        self.holders, self.parameter, self.shape = holders, parameter, parameter.shape
        self.rows = -(-self.shape[0] // parts)
        self.inner = self.shape[1:].numel()
        self.length = self.rows * self.inner

    def padded(self, local, dtype):
        """This rank's part as one row, of the length that all ranks' have."""
        flat = local.detach().reshape(-1).to(dtype)
        return flat if flat.numel() == self.length else torch.nn.functional.pad(flat, (0, self.length - flat.numel()))

    def put(self, tensor):
        """What the modules find under the parameter's name."""
        for module, name in self.holders:
            module._parameters[name] = tensor


class Group:
    """All parameters of one fully_shard()."""

    def __init__(self, parts, shard_group, replicas, policy, reshard):
        self.parts, self.shard_group, self.replicas, self.policy = parts, shard_group, replicas, policy
        self.size = shard_group.size()
        self.reshard_after_forward, self.reshard_after_backward = reshard, True
        self.sync, self.all_reduce, self.factor = True, True, None
        self.whole = self.pending = self.waiting = None
        self.before_backward = []

    # ---- whole ---------------------------------------------------------------------------------------------
    def begin(self):
        """Starts to gather, unless that is done or under way."""
        if self.whole is not None or self.pending is not None or not self.parts:
            return
        dtype = self.policy.param_dtype or self.parts[0].parameter.dtype
        with torch.no_grad():
            row = torch.cat([part.padded(part.parameter.to_local(), dtype) for part in self.parts])
            rows = row.new_empty(self.size * row.numel())
            work = dist.all_gather_into_tensor(rows, row, group=self.shard_group, async_op=True)
        self.pending = rows, work

    def _come(self):
        self.begin()
        rows, work = self.pending
        self.pending = None
        work.wait()
        rows = rows.view(self.size, -1)
        whole, at = [], 0
        for part in self.parts:
            mine = rows[:, at : at + part.length].reshape(self.size * part.rows, *part.shape[1:])[: part.shape[0]]
            whole.append(mine.clone() if self.size == 1 else mine)
            at += part.length
        return whole

    def gathered(self, _):
        """Whole tensors, for the graph."""
        whole = self.whole or self._come()
        self.keep(whole)
        return [each.view_as(each) for each in whole]

    def keep(self, whole):
        """Remembers whose the elements are."""
        self.whole = whole
        for which, each in enumerate(whole):
            _whole[each.untyped_storage().data_ptr()] = self, which

    def unshard(self):
        """Whole parameters where modules look for them."""
        if not self.parts:
            return
        for part, whole in zip(
            self.parts, _Unshard.apply(self, *(part.parameter._local_tensor for part in self.parts))
        ):
            part.put(whole)

    def again(self):
        """Whole tensors in backward."""
        if self.whole is not None:
            return self.whole
        whole = self._come()
        # reduced() lets go of them, which is not called where nobody asks for gradients: nothing is kept then.
        if any(part.parameter.requires_grad for part in self.parts):
            self.keep(whole)
        for group in self.before_backward:
            group.begin()
        return whole

    def after_backward(self):
        """Lets go of whole tensors."""
        if self.reshard_after_backward:
            self.reshard()

    def reshard(self):
        """This rank's parts where modules look for parameters; whole tensors are let go of."""
        if self.pending is not None:
            self.pending[1].wait()
            self.pending = None
        for each in self.whole or ():
            _whole.pop(each.untyped_storage().data_ptr(), None)
        self.whole = None
        for part in self.parts:
            part.put(part.parameter)

    # ---- gradients -----------------------------------------------------------------------------------------
    def reduced(self, grads):
        """Gradients of this rank's parts, of the mean of all ranks' losses; none yet where ranks do not speak now."""
        self.after_backward()
        if self.waiting is not None:
            grads = [a + b for a, b in zip(self.waiting, grads)]
            self.waiting = None
        if not self.sync:
            self.waiting = list(grads)
            return [None] * len(grads)
        dtype = self.policy.reduce_dtype or grads[0].dtype
        rows = grads[0].new_zeros(self.size, sum(part.length for part in self.parts), dtype=dtype)
        at = 0
        for part, grad in zip(self.parts, grads):
            filled = rows[:, at : at + part.length].unflatten(1, (part.rows, part.inner))
            for rank in range(-(-part.shape[0] // part.rows) if part.rows else 0):
                of = grad[rank * part.rows : (rank + 1) * part.rows]
                filled[rank, : of.shape[0]] = of.reshape(of.shape[0], part.inner)
            at += part.length
        mine = rows.new_empty(rows.shape[1])
        dist.reduce_scatter_tensor(mine, rows.flatten(), ReduceOp.SUM, self.shard_group)
        ranks = self.size
        if self.replicas is not None:
            ranks *= self.replicas.size()
            if self.all_reduce:
                dist.all_reduce(mine, group=self.replicas)
        mine /= self.factor or ranks
        found, at = [], 0
        for part in self.parts:
            local = part.parameter.to_local().detach()
            found.append(mine[at : at + local.numel()].view(local.shape).to(local.dtype))
            at += part.length
        return found
