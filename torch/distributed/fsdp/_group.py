"""The parameters of one module that fully_shard() has divided: gathered before use, and their gradients added up after.

Gathering is a node of the graph from this rank's parts to whole tensors, whose backward is the reduction; so gradients reach
the parts as any tensor's do. What operators save of whole tensors is not kept: the graph's hooks keep where it is from, and
gather it again in backward.

Reductions end where gradients are asked for, not where they begin: by a node of its own, which is made before all others of
the pass, so that the engine comes to it when it has nothing else to do.
"""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch.autograd import Function
from torch.distributed import ReduceOp
from torch.distributed.fsdp import _two_ways

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
    def forward(ctx, group, later, *parts):
        ctx.group, ctx.later = group, later
        whole = tuple(group.gathered())
        frozen = [each for each, part in zip(whole, group.parts) if not part.parameter.requires_grad]
        ctx.mark_non_differentiable(*frozen)
        return whole

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *ctx.group.reduced(grads, ctx.later)


class _Later(Function):
    """Gives parts on as they are; in backward, gradients whose reduction has been begun."""

    @staticmethod
    def forward(ctx, later, *parts):
        ctx.later = later
        ctx.set_materialize_grads(False)
        return tuple(part.view_as(part) for part in parts)

    @staticmethod
    def backward(ctx, *grads):
        found, ctx.later.found = ctx.later.found, None
        return None, *(found.grads() if found is not None else [None] * len(grads))


class _Reduction:
    """A reduction that has been begun; rows are kept until its end."""

    def __init__(self, group, mine, rows, work, parts):
        self.group, self.mine, self.rows, self.work, self.parts = group, mine, rows, work, parts
        self.made = None

    def finish(self):
        """Waits, and adds replicas' up."""
        if self.work is None:
            return
        self.work.wait()
        self.work = self.rows = None
        self.made = self.group.divided(self.mine)

    def grads(self):
        """Gradients of this rank's parts."""
        self.finish()
        if self.made is None:
            return [None] * len(self.group.parts)
        found, at = [], 0
        for part in self.group.parts:
            if part not in self.parts:
                found.append(None)
                continue
            local = part.parameter._local_tensor
            shape = local.movedim(part.dim, 0).shape
            mine = self.made[at : at + local.numel()].view(shape).movedim(0, part.dim)
            found.append(mine.to(local.dtype).contiguous())
            at += part.length
        return found


class _Ticket:
    """What a node of _Later waits for."""

    found = None


class Part:
    """One parameter: the modules that hold it, and its place in what is gathered. `spec`: of the DTensor that it was before,
    of which this rank had a tensor of `shape`."""

    def __init__(self, holders, parameter, parts, dim=0, shape=None, spec=None):
        self.holders, self.parameter, self.dim, self.spec = holders, parameter, dim, spec
        self.shape = parameter.shape if shape is None else shape
        self.rows = -(-self.shape[dim] // parts)
        self.inner = self.shape[:dim].numel() * self.shape[dim + 1 :].numel()
        self.length = self.rows * self.inner

    def padded(self, local, dtype):
        """This rank's part as one row, of the length that all ranks' have."""
        flat = local.detach().movedim(self.dim, 0).reshape(-1).to(dtype)
        return flat if flat.numel() == self.length else torch.nn.functional.pad(flat, (0, self.length - flat.numel()))

    def whole(self, rows):
        """The whole tensor of all ranks' rows."""
        moved = [self.shape[self.dim], *self.shape[: self.dim], *self.shape[self.dim + 1 :]]
        made = rows.reshape(rows.shape[0] * self.rows, *moved[1:])[: moved[0]].movedim(0, self.dim)
        return made.contiguous()

    def look(self, strictly):
        """Takes the DTensor that a module has under the parameter's name now: to_empty() and load_state_dict(assign=True) put
        another one there. strictly: ValueError where it is something else."""
        for module, name in self.holders:
            found = module._parameters.get(name)
            if found is self.parameter or found is None:
                continue
            mine, its = self.parameter, getattr(found, "_spec", None)
            like = (mine._spec.mesh, mine._spec.placements, mine.shape)
            if its is None or (its.mesh, its.placements, its.shape) != like:
                if not strictly:
                    return  # somebody else's, for a while: summon_full_params()
                raise ValueError(
                    f"{name} was put in the place of a parameter that fully_shard() has divided, and is no DTensor of its "
                    f"shape {list(mine.shape)} and placements {mine.placements}"
                )
            self.parameter = found
            self.put(found)
            return

    def other_groups(self):
        """Those that had divided the parameter before."""
        ways = enumerate(self.spec.placements if self.spec is not None else ())
        return [self.spec.mesh.get_group(i) for i, placement in ways if placement.is_shard()]

    def put(self, tensor):
        """What the modules find under the parameter's name."""
        for module, name in self.holders:
            module._parameters[name] = tensor


def groups_of(module):
    """Groups of a module and of those inside, outermost first."""
    return list(dict.fromkeys(each._fsdp_group for each in module.modules() if "_fsdp_group" in each.__dict__))


def order_of(module):
    """The Order of the outermost module that this one is in, which is the module itself before any pass."""
    group = module._fsdp_group
    if group.order is None:
        order = Order(module)
        for each in groups_of(module):
            each.order = order
    return group.order


class Order:
    """Groups of one outermost module in the order in which they are used, which the next pass is taken to have, too."""

    def __init__(self, root):
        self.root = root
        self.before, self.now, self.forwarded = [], [], []
        self.backward, self.at, self.ahead, self.ahead_backward = False, 0, True, True
        self.reductions = []

    def groups(self):
        """All of them."""
        return groups_of(self.root)

    def enter(self):
        """The outermost module's forward() begins."""
        self.backward = False
        self.reductions.clear()
        self.before, self.now, self.forwarded = self.now, [], []
        for group in self.groups():
            if group.whole is not None and group.reshard_after_backward and not group.asked:
                group.reshard()  # left by a pass without backward(): parts may have changed since
            group.look()
            group.kept_rows, group.in_backward, group.left = None, 0, set()
            if torch.is_grad_enabled() and group.trains():
                group.later = group.ticket()

    def leave(self):
        """It has ended."""
        for group in self.groups():
            group.later = None
        self.drop(self.before)

    @staticmethod
    def drop(groups):
        """Lets go of what has been gathered ahead and not been used."""
        for group in groups:
            if group.pending is not None and group.whole is None:
                group.reshard()

    def used(self, group):
        """forward() of the group's module begins: the next one's parameters are gathered meanwhile."""
        if self.backward:
            return
        k = len(self.now)
        self.now.append(group)
        if self.ahead and k + 1 < len(self.before) and self.before[k] is group and not group.before_forward:
            self.before[k + 1].begin()

    def settle(self):
        """Where backward() has failed: what it left is let go of."""
        if self.backward and torch._C._current_graph_task_id() < 0:
            self.end_backward()
            for group in self.groups():
                group.reshard()

    def done(self, group):
        """forward() of the group's module has ended."""
        if not self.backward and torch.is_grad_enabled():
            self.forwarded.append(group)

    def needed(self, group):
        """Backward has come to a group: the one that was used before it is gathered meanwhile."""
        self.begin_backward()
        if group.before_backward:
            for each in group.before_backward:
                each.begin()
        elif self.ahead_backward and group.in_backward and group.in_backward - 1 < self.at:
            self.at = group.in_backward - 1
            each = self.forwarded[self.at - 1] if self.at else None
            if each is not None and each.unshard_in_backward and each.trains():
                each.begin()

    def begin_backward(self):
        """Called by what happens in backward."""
        if self.backward or torch._C._current_graph_task_id() < 0:
            return
        self.backward, self.at = True, len(self.forwarded)
        for i, group in enumerate(self.forwarded):
            group.in_backward = i + 1
        torch._C._queue_callback(self.end_backward)

    def end_backward(self):
        """The backward pass has ended."""
        self.backward = False
        self.reductions.clear()
        self.drop(self.forwarded)
        for group in self.forwarded:
            group.in_backward = 0


class Group:
    """All parameters of one fully_shard()."""

    def __init__(self, parts, shard_group, replicas, policy, reshard, smaller=None):
        self.parts, self.shard_group, self.replicas, self.policy = parts, shard_group, replicas, policy
        self.size, self.reduce_group = shard_group.size(), shard_group
        self.smaller, self.kept_rows = smaller, None
        self.reshard_after_forward, self.reshard_after_backward = reshard, True
        self.sync, self.all_reduce, self.factor = True, True, None
        self.whole = self.pending = self.waiting = self.partial = self.order = self.later = None
        self.before_forward, self.before_backward, self.in_backward = [], [], 0
        self.unshard_in_backward, self.max_reductions = True, 1
        self.asked = False  # unshard() was called
        self.modules, self.left = (), set()  # of several modules with one group, those whose forward() is still to come
        self.reduced_hook = self.hook = None
        self.gather, self.scatter = None, None

    def trains(self):
        """Whether a gradient is asked for."""
        return any(part.parameter.requires_grad for part in self.parts)

    def ticket(self):
        """(ticket, parts): parts with a node that waits for reductions."""
        ticket = _Ticket()
        return ticket, _Later.apply(ticket, *(part.parameter._local_tensor for part in self.parts))

    def look(self, strictly=False):
        """Finds parameters that others have been put in the place of."""
        if self.whole is None and self.pending is None:
            for part in self.parts:
                part.look(strictly)

    # ---- whole ---------------------------------------------------------------------------------------------
    def begin(self):
        """Starts to gather, unless that is done or under way."""
        if self.whole is not None or self.pending is not None or not self.parts:
            return
        self.look(strictly=True)
        for part in self.parts:
            if part.parameter.device.type == "meta":
                raise RuntimeError(
                    f"{part.holders[0][1]} of {list(part.shape)} has no elements: it is on the device meta; "
                    'module.to_empty(device="cpu") gives it some'
                )
        dtype = self.policy.param_dtype or self.parts[0].parameter.dtype
        group = self.shard_group
        with torch.no_grad():
            if self.kept_rows is not None:
                row, group = self.kept_rows, self.smaller
            else:
                row = torch.cat([part.padded(part.parameter._local_tensor, dtype) for part in self.parts])
            length = row.numel() * group.size()
            if self.gather is not None:
                rows = self.gather.allocate((length,), dtype=row.dtype, device=row.device)
                work = self.gather(output_tensor=rows, input_tensor=row, group=group, async_op=True)
            else:
                rows = row.new_empty(length)
                work = dist.all_gather_into_tensor(rows, row, group=group, async_op=True)
        self.pending = rows, work

    def _come(self):
        self.begin()
        rows, work = self.pending
        self.pending = None
        if work is not None:
            work.wait()
        rows = rows.view(self.size, -1)
        if self.smaller is not None:
            count, mine = self.size // self.smaller.size(), self.smaller.rank()
            self.kept_rows = rows[mine * count : (mine + 1) * count].flatten().clone()
        whole, at = [], 0
        for part in self.parts:
            mine = part.whole(rows[:, at : at + part.length])
            # Each parameter has a storage of its own: by that it is known.
            whole.append(
                mine.clone() if mine.untyped_storage().data_ptr() == rows.untyped_storage().data_ptr() else mine
            )
            at += part.length
        return whole

    def gathered(self):
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
        if torch.is_grad_enabled() and self.trains():
            (ticket, parts), self.later = self.later or self.ticket(), None
        else:
            ticket, parts = None, [part.parameter._local_tensor for part in self.parts]
        for part, whole in zip(self.parts, _Unshard.apply(self, ticket, *parts)):
            part.put(whole if part.spec is None else _two_ways.put_together(whole, part.spec))

    def again(self):
        """Whole tensors in backward."""
        self.begin()
        if self.order is not None:
            self.order.needed(self)
        if self.whole is not None:
            return self.whole
        whole = self._come()
        # reduced() lets go of them, which is not called where nobody asks for gradients: nothing is kept then.
        if self.trains():
            self.keep(whole)
        return whole

    def reset(self):
        """As it was before a pass that has failed; gradients that were not given out are lost."""
        self.reshard()
        self.waiting = self.partial = self.later = None
        self.in_backward = 0
        self.left.clear()

    def reshard(self, *, forget=True):
        """This rank's parts where modules look for parameters; whole tensors are let go of. forget: what is kept of them on
        fewer ranks, too."""
        self.look()
        if self.pending is not None:
            if self.pending[1] is not None:
                self.pending[1].wait()
            self.pending = None
        for each in self.whole or ():
            _whole.pop(each.untyped_storage().data_ptr(), None)
        self.whole, self.asked = None, False
        if forget:
            self.kept_rows = None
        for part in self.parts:
            part.put(part.parameter)

    # ---- gradients -----------------------------------------------------------------------------------------
    def reduced(self, grads, later):
        """Begins to add up gradients; gives what stands for them until _Later has them, or None where ranks do not speak now."""
        order = self.order
        if order is not None:
            order.begin_backward()
        if self.reshard_after_backward:
            self.reshard()
        parts = [part for part in self.parts if part.parameter.requires_grad]
        grads = [grad for part, grad in zip(self.parts, grads) if part.parameter.requires_grad]
        if self.waiting is not None:
            grads = [a + b for a, b in zip(self.waiting, grads)]
            self.waiting = None
        if not self.sync:
            self.waiting = grads
            return [None] * len(self.parts)
        dtype = self.policy.reduce_dtype or grads[0].dtype
        length = self.size * sum(part.length for part in parts)
        if self.scatter is not None:
            rows = self.scatter.allocate((length,), dtype=dtype, device=grads[0].device).zero_().view(self.size, -1)
        else:
            rows = grads[0].new_zeros(self.size, length // self.size, dtype=dtype)
        at = 0
        for part, grad in zip(parts, grads):
            filled = rows[:, at : at + part.length].unflatten(1, (part.rows, part.inner))
            moved = grad.movedim(part.dim, 0)
            for rank in range(-(-moved.shape[0] // part.rows) if part.rows else 0):
                of = moved[rank * part.rows : (rank + 1) * part.rows]
                filled[rank, : of.shape[0]] = of.reshape(of.shape[0], part.inner)
            at += part.length
        mine = rows.new_empty(rows.shape[1])
        flying = order.reductions if order is not None else []
        while len(flying) >= self.max_reductions:
            flying.pop(0).finish()
        if self.hook is not None:
            self.hook(rows.flatten(), mine)
            later.found = _Reduction(self, mine, None, None, parts)
            later.found.made = mine
            return self._standing()
        scatter = self.scatter or dist.reduce_scatter_tensor
        names = {
            "output_tensor" if self.scatter else "output": mine,
            "input_tensor" if self.scatter else "input": rows.flatten(),
        }
        work = scatter(**names, group=self.reduce_group, op=ReduceOp.SUM, async_op=True)
        later.found = _Reduction(self, mine, rows, work, parts)
        if work is None:
            later.found.work = _Done()
        flying.append(later.found)
        return self._standing()

    def _standing(self):
        """What stands for gradients that are not there yet."""
        locals_ = [part.parameter._local_tensor.detach() for part in self.parts]
        return [
            local.new_zeros(()).expand(local.shape) if part.parameter.requires_grad else None
            for part, local in zip(self.parts, locals_)
        ]

    def divided(self, mine):
        """The mean over ranks of what has been added up over parts' ranks; None: replicas are added up another time."""
        ranks = self.size
        if self.replicas is not None:
            ranks *= self.replicas.size()
            if self.partial is not None:
                mine += self.partial
                self.partial = None
            if not self.all_reduce:
                self.partial = mine
                return None
            dist.all_reduce(mine, group=self.replicas)
        mine /= self.factor or ranks
        if self.reduced_hook is not None:
            self.reduced_hook(mine)
        return mine


class _Done:
    def wait(self):
        """Nothing is to be waited for."""
