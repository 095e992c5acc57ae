"""Sizes of parts, under PyTorch's name."""

from torch.distributed.tensor._dtensor_spec import local_shape_and_offset

__all__ = ["compute_local_shape_and_global_offset"]


def compute_local_shape_and_global_offset(global_shape, mesh, placements):
    """(sizes of this rank's part, where it begins in the whole)."""
    return local_shape_and_offset(global_shape, mesh, placements)
