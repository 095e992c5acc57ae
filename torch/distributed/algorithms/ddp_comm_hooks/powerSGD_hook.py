"""PowerSGD: of a gradient, as a matrix, a product of two thin ones is sent (Vogels et al., 2019); what it lacks is added
to the next gradient."""

from __future__ import annotations

import torch
from torch.distributed import _collectives as collectives
from torch.distributed._world import resolved
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks

__all__ = ["PowerSGDState", "batched_powerSGD_hook", "powerSGD_hook"]


class PowerSGDState:
    """What the hooks keep between steps.

    Args:
        process_group: whose ranks take part; None: the default group.
        matrix_approximation_rank: columns of the thin matrices.
        start_powerSGD_iter: the first steps send means as they are; more than 1 with error feedback or a warm start, since
            buckets change after the first step.
        min_compression_rate: matrices are sent whole that would not shrink by this factor.
        use_error_feedback: what was not sent is added to the next gradient.
        warm_start: iterations begin with the last step's matrix.
        orthogonalization_epsilon: added to lengths of columns before these divide.
        random_seed: of the first matrices, the same on all ranks.
        compression_stats_logging_frequency, batch_tensors_with_same_shape: how often what is saved is counted; whether
            matrices of one shape are multiplied together.
    """

    def __init__(
        self,
        process_group,
        matrix_approximation_rank=1,
        start_powerSGD_iter=1_000,
        min_compression_rate=2,
        use_error_feedback=True,
        warm_start=True,
        orthogonalization_epsilon=0,
        random_seed=0,
        compression_stats_logging_frequency=10_000,
        batch_tensors_with_same_shape=False,
    ):
        if (use_error_feedback or warm_start) and start_powerSGD_iter <= 1:
            raise ValueError(
                "start_powerSGD_iter must be more than 1 with error feedback or a warm start, since buckets change after the "
                f"first step: {start_powerSGD_iter}"
            )
        self.process_group = process_group
        self.matrix_approximation_rank = matrix_approximation_rank
        self.start_powerSGD_iter = start_powerSGD_iter
        self.min_compression_rate = min_compression_rate
        self.use_error_feedback, self.warm_start = use_error_feedback, warm_start
        self.orthogonalization_epsilon = orthogonalization_epsilon
        self.compression_stats_logging_frequency = max(1, compression_stats_logging_frequency)
        self.batch_tensors_with_same_shape = batch_tensors_with_same_shape
        self.rng = torch.Generator().manual_seed(random_seed)
        self.error_dict, self.p_memory_dict, self.q_memory_dict = {}, {}, {}
        self.iter = self.next_stats_report = 0
        self.total_numel_before_compression = self.total_numel_after_compression = 0

    def maybe_increase_iter(self, bucket):
        """Counts a step, with its last bucket."""
        if bucket.is_last():
            self.iter += 1

    def compression_stats(self):
        """(factor by which numbers of elements shrank, elements before, elements sent)"""
        before, after = self.total_numel_before_compression, self.total_numel_after_compression
        return before / after if after else 0, before, after

    def __getstate__(self):
        return {**self.__dict__, "process_group": None, "rng": self.rng.get_state()}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.rng = torch.Generator()
        self.rng.set_state(state["rng"])


def _orthogonalize(matrices, epsilon=0):
    """Makes the columns of each matrix orthogonal and as long as 1, in place: matrices: [n, rows, rank]."""
    for i in range(matrices.size(-1)):
        column = matrices[..., i : i + 1]
        for _ in range(2):  # a second time takes away what rounding has left
            if i:
                before = matrices[..., :i]
                column.sub_(before @ (before.transpose(-1, -2) @ column))
        length = column.norm(dim=-2, keepdim=True) + epsilon
        column.div_(length.clamp_min(torch.finfo(column.dtype).tiny))


def _step(state, group, matrices, start):
    """What ranks' matrices [n, rows, columns] have for a mean, in the rank that the state says; start: [n, columns, rank]."""
    _orthogonalize(start, state.orthogonalization_epsilon)
    p = matrices @ start
    collectives.all_reduce(p, group=group)
    _orthogonalize(p, state.orthogonalization_epsilon)
    q = matrices.transpose(-1, -2) @ p
    collectives.all_reduce(q.div_(group.size()), group=group)
    return p, q


def _random(state, *size, like):
    return torch.randn(*size, generator=state.rng).to(like)


def _completed(tensor):
    future = torch.futures.Future()
    future.set_result(tensor)
    return future


def _count(state, before, after):
    state.total_numel_before_compression += before
    state.total_numel_after_compression += after


def powerSGD_hook(state, bucket):
    """Each gradient of two dimensions or more as a product of two thin matrices; others are sent as they are."""
    group = resolved(state.process_group)
    buffer = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return default_hooks._allreduce_fut(group, buffer)
    index = bucket.index()
    if state.use_error_feedback:
        error = state.error_dict.get(index)
        if error is not None and error.numel() == buffer.numel():
            buffer.add_(error)
        wanted = buffer.clone()
    whole, shapes = [], {}
    for gradient in bucket.gradients():
        rows = gradient.size(0) if gradient.dim() > 1 else 0
        columns = gradient.numel() // rows if rows else 0
        rank = min(rows, columns, state.matrix_approximation_rank)
        if rank and (rows + columns) * rank * state.min_compression_rate < rows * columns:
            key = (rows, columns) if state.batch_tensors_with_same_shape else (rows, columns, len(shapes))
            shapes.setdefault(key, []).append(gradient)
            _count(state, gradient.numel(), (rows + columns) * rank)
        else:
            whole.append(gradient)
            _count(state, gradient.numel(), gradient.numel())
    if whole:
        flat = torch.cat([gradient.reshape(-1) for gradient in whole]).div_(group.size())
        collectives.all_reduce(flat, group=group)
        for gradient, mean in zip(whole, flat.split([g.numel() for g in whole]), strict=True):
            gradient.copy_(mean.view(gradient.shape))
    for number, ((rows, columns, *_), gradients) in enumerate(shapes.items()):
        matrices = torch.stack([gradient.reshape(rows, columns) for gradient in gradients])
        rank = min(rows, columns, state.matrix_approximation_rank)
        start = state.q_memory_dict.get((index, number)) if state.warm_start else None
        if start is None or start.shape != (len(gradients), columns, rank):
            start = _random(state, len(gradients), columns, rank, like=matrices)
        p, q = _step(state, group, matrices, start)
        if state.warm_start:
            state.q_memory_dict[index, number] = q.clone()
            state.p_memory_dict[index, number] = p
        for gradient, product in zip(gradients, p @ q.transpose(-1, -2), strict=True):
            gradient.copy_(product.view(gradient.shape))
    if state.use_error_feedback:
        state.error_dict[index] = wanted.sub_(buffer)
    state.maybe_increase_iter(bucket)
    return _completed(buffer)


def batched_powerSGD_hook(state, bucket):
    """The whole bucket as one square matrix, and that as a product of two thin ones: faster and less exact."""
    group = resolved(state.process_group)
    buffer = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return default_hooks._allreduce_fut(group, buffer)
    index, n = bucket.index(), buffer.numel()
    side = int(n**0.5)
    side += side * side < n
    square = torch.cat([buffer, buffer.new_zeros(side * side - n)])
    if state.use_error_feedback:
        error = state.error_dict.get(index)
        if error is not None and error.shape == square.shape:
            square.add_(error)
    matrix = square.view(1, side, side)
    rank = min(side, state.matrix_approximation_rank)
    start = state.q_memory_dict.get(index) if state.warm_start else None
    if start is None or start.shape != (1, side, rank):
        start = _random(state, 1, side, rank, like=matrix)
    p, q = _step(state, group, matrix, start)
    if state.warm_start:
        state.p_memory_dict[index], state.q_memory_dict[index] = p, q.clone()
    _count(state, n, 2 * side * rank)
    mean = (p @ q.transpose(-1, -2)).view(-1)
    if state.use_error_feedback:
        state.error_dict[index] = square - mean
    state.maybe_increase_iter(bucket)
    return _completed(buffer.copy_(mean[:n]))
