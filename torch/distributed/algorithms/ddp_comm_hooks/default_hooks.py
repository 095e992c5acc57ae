"""Means of gradients, sent as they are or in 16 bits."""

from __future__ import annotations

import torch
from torch._distributed import GradBucket
from torch.distributed import _collectives as collectives
from torch.distributed._world import resolved

__all__ = [
    "allreduce_hook",
    "bf16_compress_hook",
    "bf16_compress_wrapper",
    "fp16_compress_hook",
    "fp16_compress_wrapper",
]


def _first(future):
    return future.value()[0]


def _allreduce_fut(process_group, tensor):
    """A Future of the mean of the ranks' tensors, which lies in the tensor."""
    group = resolved(process_group)
    tensor.div_(group.size())
    return collectives.all_reduce(tensor, group=group, async_op=True).get_future().then(_first)


def allreduce_hook(process_group, bucket: GradBucket) -> torch.futures.Future[torch.Tensor]:
    """The mean, as without a hook."""
    return _allreduce_fut(process_group, bucket.buffer())


def _compress_hook(dtype, process_group, bucket):
    group = resolved(process_group)
    buffer = bucket.buffer()
    small = buffer.to(dtype).div_(group.size())
    future = collectives.all_reduce(small, group=group, async_op=True).get_future()

    def decompress(future):
        return buffer.copy_(_first(future))

    return future.then(decompress)


def fp16_compress_hook(process_group, bucket: GradBucket) -> torch.futures.Future[torch.Tensor]:
    """The mean, of gradients sent as float16."""
    return _compress_hook(torch.float16, process_group, bucket)


def bf16_compress_hook(process_group, bucket: GradBucket) -> torch.futures.Future[torch.Tensor]:
    """The mean, of gradients sent as bfloat16."""
    return _compress_hook(torch.bfloat16, process_group, bucket)


def _wrapped(dtype, hook):
    def wrapper(state, bucket):
        before = bucket.buffer()
        bucket.set_buffer(before.to(dtype))

        def decompress(future):
            value = future.value()
            return before.copy_(value[0] if isinstance(value, (list, tuple)) else value)

        return hook(state, bucket).then(decompress)

    return wrapper


def fp16_compress_wrapper(hook):
    """The hook, of a bucket in float16; what it gives is converted back."""
    return _wrapped(torch.float16, hook)


def bf16_compress_wrapper(hook):
    """The hook, of a bucket in bfloat16; what it gives is converted back."""
    return _wrapped(torch.bfloat16, hook)
