"""Sparse tensors as pickles have them, in PyTorch's format, and their copies."""

import torch
from torch.sparse import _construct
from torch.sparse._construct import BY_ROWS, NUMBERS


def _members(tensor):
    """The strided tensors that it is made of: indices first, values last."""
    plain = tensor.detach()
    if tensor.layout == torch.sparse_coo:
        return plain._indices(), plain._values()
    if tensor.layout in BY_ROWS:
        return plain.crow_indices(), plain.col_indices(), plain.values()
    return plain.ccol_indices(), plain.row_indices(), plain.values()


def reduced(tensor, members):
    """What `rebuild` makes that tensor of, with those members: (layout, data)."""
    coalesced = (tensor.is_coalesced(),) if tensor.layout == torch.sparse_coo else ()
    return tensor.layout, (*members, tensor.size(), *coalesced)


def reduce(tensor):
    """The layout and the members, as files have them."""
    return reduced(tensor, _members(tensor))


def unchecked(layout, data):
    """The tensor of a layout and its members, of which only sizes are checked."""
    if layout == torch.sparse_coo:
        indices, values, size, *coalesced = data  # files before PyTorch 2.1 do not say whether it is
        known = bool(coalesced and coalesced[0])
        return _construct.unchecked(torch._sparse_coo_tensor_unsafe, indices, values, tuple(size), known)
    if layout in NUMBERS:
        begins, places, values, size = data
        members = begins, places, values
        return _construct.unchecked(torch._sparse_compressed_tensor_unsafe, *members, tuple(size), NUMBERS[layout])
    raise NotImplementedError(f"rebuilding sparse tensor for layout {layout}")


def validate(tensor):
    """RuntimeError where a file's indices are out of bounds, or not as the layout, or a coalesced tensor, has them."""
    if not tensor.is_meta:
        torch._validate_sparse_tensor(tensor)


def deepcopy(tensor, memo):
    """A copy whose members are copies."""
    import copy

    return unchecked(*reduced(tensor, [copy.deepcopy(member, memo) for member in _members(tensor)]))


def check_data(layout, data):
    """TypeError for what a file without trust must not hand to `unchecked`."""
    members = 2 if layout == torch.sparse_coo else 3
    fits = type(data) is tuple and len(data) in (members + 1, members + 2)
    if not fits or not all(
        type(member) is torch.Tensor and member.layout == torch.strided for member in data[:members]
    ):
        raise TypeError(f"a sparse tensor of layout {layout} is made of {members} strided tensors and a size")
    size = data[members]
    if type(size) not in (tuple, torch.Size) or not all(type(n) is int for n in size):
        raise TypeError("sizes are ints")
