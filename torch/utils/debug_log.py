"""Gradients' norms in the log of backward passes."""

import logging

import torch

log = logging.getLogger(__name__)


def debug_grad_log(*tensors):
    """In each backward pass, when the gradients of all these tensors are there, their norms go to this module's log at the
    level INFO: "[rank 0][bwd] t0_grad_norm=1.7321 …"; tensors that require no gradient are left out."""
    for tensor in tensors:
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"debug_grad_log takes tensors, not {type(tensor).__name__}")
    places = [i for i, tensor in enumerate(tensors) if tensor.requires_grad]

    def write(gradients):
        if log.isEnabledFor(logging.INFO):
            known = [(i, g) for i, g in zip(places, gradients) if g is not None]
            norms = " ".join(f"t{i}_grad_norm={float(g.detach().norm()):.4f}" for i, g in known)
            log.info("[rank %d][bwd] %s", _rank(), norms)

    if places:
        torch.autograd.graph.register_multi_grad_hook([tensors[i] for i in places], write)


def _rank():
    """This process' number; 0 where there is one process."""
    return (
        torch.distributed.get_rank() if torch.distributed.is_available() and torch.distributed.is_initialized() else 0
    )
