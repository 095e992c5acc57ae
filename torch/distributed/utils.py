"""What trainers use of DistributedDataParallel's own parts: states of modules that ranks agree upon, and arguments that move
to a device."""

from __future__ import annotations

from torch._absent import rest_of
from torch.distributed import is_available

__all__ = []


def _pack_kwargs(*args, **kwargs):
    """(positional and keyword arguments in one tuple, the names of the latter)"""
    return (*args, *kwargs.values()), tuple(kwargs)


def _unpack_kwargs(flat_args, kwarg_keys):
    """(args, kwargs) of what _pack_kwargs() gave. AssertionError: there are more names than arguments."""
    if len(kwarg_keys) > len(flat_args):
        raise AssertionError(f"{len(kwarg_keys)} names of {len(flat_args)} arguments")
    at = len(flat_args) - len(kwarg_keys)
    return flat_args[:at], dict(zip(kwarg_keys, flat_args[at:]))


def _p_assert(cond, s: str, raise_assertion_error: bool = True) -> None:
    """AssertionError(s) unless `cond`, and a line of stderr, since autograd's threads may hide the error."""
    if not cond:
        import sys
        import traceback

        sys.stderr.write(f"{s}\n")
        traceback.print_stack()
        if raise_assertion_error:
            raise AssertionError(s)


def _apply_to_tensors(fn, container):
    """A container with fn(tensor) in the place of each tensor."""
    import torch
    from torch.utils._pytree import tree_map_only

    return tree_map_only(torch.Tensor, fn, container)


def _cast_forward_inputs(dtype, *args, **kwargs):
    """(args, kwargs) with floating tensors in a dtype; None: as they are."""
    if dtype is None:
        return args, kwargs
    return _apply_to_tensors(lambda t: t.to(dtype) if t.is_floating_point() else t, (args, kwargs))


if is_available():
    from torch.nn.parallel import _ddp

    def _sync_module_states(
        module,
        process_group,
        broadcast_bucket_size: int,
        src: int,
        params_and_buffers_to_ignore,
        broadcast_buffers: bool = True,
    ) -> None:
        """src's parameters and buffers, for all of the group, about broadcast_bucket_size bytes at a time; src is a place in
        the group."""
        _ddp.sync_module_states(
            module, process_group, broadcast_bucket_size, src, set(params_and_buffers_to_ignore), broadcast_buffers
        )

    def _sync_params_and_buffers(process_group, module_states, broadcast_bucket_size: int, src: int) -> None:
        """src's tensors, for all of the group."""
        _ddp.broadcast_coalesced(process_group, module_states, broadcast_bucket_size, src)

    def _verify_param_shape_across_processes(process_group, tensors, logger=None):
        """RuntimeError on every rank where ranks' tensors differ in number, shapes or dtypes."""
        tensors = list(tensors)
        _ddp.verify_parameters(process_group, tensors, [f"tensor {i}" for i in range(len(tensors))])


__getattr__, __dir__ = rest_of(__name__)
