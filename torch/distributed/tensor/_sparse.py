"""Moves of COO tensors: what each rank has goes to all as its indices and values, of which ranks may have different numbers."""

from __future__ import annotations

import torch
import torch.distributed as dist


def gathered(local, mesh, i):
    """The COO tensors that ranks along dimension i of the mesh have, coalesced."""
    parts, group = mesh.size(i), mesh.get_group(i)
    local = local.detach().coalesce()
    indices, values = local.indices(), local.values()
    sizes = torch.tensor([indices.size(1), *local.shape])
    found = [torch.empty_like(sizes) for _ in range(parts)]
    dist.all_gather(found, sizes, group=group)
    most = max(int(f[0]) for f in found)

    def all_of(own, dim):
        padded = own.new_zeros([*own.shape[:dim], most, *own.shape[dim + 1 :]])
        padded.narrow(dim, 0, own.size(dim)).copy_(own)
        received = [torch.empty_like(padded) for _ in range(parts)]
        dist.all_gather(received, padded, group=group)
        return [r.narrow(dim, 0, int(f[0])) for r, f in zip(received, found)]

    return [
        torch.sparse_coo_tensor(own, value, tuple(f[1:].tolist()), is_coalesced=True)
        for own, value, f in zip(all_of(indices, 1), all_of(values, 0), found)
    ]


def whole_of_parts(local, mesh, i, dim):
    """Parts one behind another along `dim`."""
    return torch.cat(gathered(local, mesh, i), dim)


def sum_of_terms(local, mesh, i, op):
    """All ranks' terms joined; `op` is sum or avg."""
    if op not in ("sum", "avg"):
        raise NotImplementedError(f"COO tensors of {mesh.size(i)} ranks are not joined by {op}")
    terms = gathered(local, mesh, i)
    made = terms[0]
    for term in terms[1:]:
        made = made + term
    return made / len(terms) if op == "avg" else made


def copied(tensor):
    """A tensor of its own, strided ones in order."""
    if tensor.layout is torch.strided:
        return tensor.clone(memory_format=torch.contiguous_format)
    return tensor.clone()
