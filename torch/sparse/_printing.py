"""How a sparse tensor looks on the screen: its members, each as the strided tensor that it is, then what it is itself."""

import torch
from torch import _tensor_str


def _member(name, tensor, indent):
    opening = f"{name}=tensor("
    if tensor.is_meta:
        body = "..."
        suffix = f", size={tuple(tensor.shape)}"
    else:
        body = _tensor_str._tensor_str(tensor, indent + len(opening))
        suffix = f", size={tuple(tensor.shape)}" if tensor.numel() == 0 else ""
    return f"{opening}{body}{suffix})"


def text(tensor, prefix, suffixes, gradient):
    """What repr() says. `suffixes`: what comes before the size; `gradient`: what comes last."""
    indent = len(prefix)
    plain = tensor.detach()
    if tensor.layout == torch.sparse_coo:
        members = {"indices": plain._indices(), "values": plain._values()}
    elif tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        members = {"crow_indices": plain.crow_indices(), "col_indices": plain.col_indices(), "values": plain.values()}
    else:
        members = {"ccol_indices": plain.ccol_indices(), "row_indices": plain.row_indices(), "values": plain.values()}
    body = f",\n{' ' * indent}".join(_member(name, member, indent) for name, member in members.items())
    after = [*suffixes, f"size={tuple(tensor.shape)}"]
    if not tensor.is_meta:
        after.append(f"nnz={tensor._nnz()}")
    default = torch.get_default_dtype()
    complex_default = torch.complex128 if default == torch.float64 else torch.complex64
    if tensor.dtype not in (default, complex_default, torch.int64, torch.bool):
        after.append(f"dtype={tensor.dtype}")
    after += [f"layout={tensor.layout}", *gradient]
    return _tensor_str._add_suffixes(prefix + body, after, indent, force_newline=tensor.layout == torch.sparse_coo)
