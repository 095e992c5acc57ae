"""Attention of sequences of several lengths that lie one after the other, without padding."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

__all__ = ["AuxRequest", "varlen_attn", "varlen_attn_out"]


class AuxRequest(NamedTuple):
    """What varlen_attn() shall return besides: lse, (heads, tokens), the logarithm of each query's sum of exponentials."""

    lse: bool = False


def _sequence_of(tokens, ends):
    """The number of the sequence that each token belongs to."""
    return torch.searchsorted(ends, tokens, right=True)


def varlen_attn(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seq_q: Tensor,
    cu_seq_k: Tensor | None,
    max_q: int,
    max_k: int,
    *,
    return_aux: AuxRequest | None = None,
    scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    enable_gqa: bool = False,
    seqused_k: Tensor | None = None,
    block_table: Tensor | None = None,
    num_splits: int | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Attention within each sequence: of tokens (T, heads, E), where sequence i is that from cu_seq[i] to cu_seq[i + 1].

    window_size: how many keys before and after its own place a query sees, -1 for all: (-1, 0) is causal. Places are counted
    from the ends of a sequence's queries and keys. seqused_k: how many of each sequence's keys count.
    """
    if block_table is not None:
        raise NotImplementedError("varlen_attn: keys in pages (block_table) are not built")
    if query.dim() != 3 or key.dim() != 3 or value.dim() != 3:
        raise ValueError(
            f"varlen_attn takes (tokens, heads, width), got {[tuple(t.shape) for t in (query, key, value)]}"
        )
    cu_seq_k = cu_seq_q if cu_seq_k is None else cu_seq_k
    starts_q, starts_k = cu_seq_q.long(), cu_seq_k.long()
    for name, starts, tokens in (("cu_seq_q", starts_q, len(query)), ("cu_seq_k", starts_k, len(key))):
        if starts.dim() != 1 or len(starts) < 2 or starts[0] != 0 or starts[-1] != tokens or (starts.diff() < 0).any():
            raise ValueError(f"{name} must rise from 0 to the {tokens} tokens, got {starts.tolist()}")
    if len(starts_q) != len(starts_k):
        raise ValueError(f"cu_seq_q has {len(starts_q) - 1} sequences and cu_seq_k {len(starts_k) - 1}")
    of_q = _sequence_of(torch.arange(len(query), device=query.device), starts_q[1:])
    of_k = _sequence_of(torch.arange(len(key), device=key.device), starts_k[1:])
    lengths = starts_k.diff() if seqused_k is None else seqused_k.long()
    # The place of a query among the keys of its sequence, and that of each key.
    place_q = torch.arange(len(query), device=query.device) - starts_q[of_q] + (lengths - starts_q.diff())[of_q]
    place_k = torch.arange(len(key), device=key.device) - starts_k[of_k]
    before, after = window_size

    def seen(b, h, q, k):
        mask = (of_q[q] == of_k[k]) & (place_k[k] < lengths[of_k][k])
        distance = place_k[k] - place_q[q]
        if before >= 0:
            mask = mask & (distance >= -before)
        return mask & (distance <= after) if after >= 0 else mask

    mask = create_block_mask(seen, None, None, len(query), len(key), device=query.device)
    operands = (t.transpose(0, 1).unsqueeze(0) for t in (query, key, value))
    lse = return_aux is not None and return_aux.lse
    found = flex_attention(*operands, block_mask=mask, scale=scale, enable_gqa=enable_gqa, return_lse=lse)
    output = (found[0] if lse else found).squeeze(0).transpose(0, 1)
    return (output, found[1].squeeze(0)) if lse else output


def varlen_attn_out(out: Tensor, *args, **kwargs) -> Tensor | tuple[Tensor, Tensor]:
    """varlen_attn(), whose result is written to `out`."""
    found = varlen_attn(*args, **kwargs)
    result, rest = found if isinstance(found, tuple) else (found, None)
    if out.shape != result.shape:
        raise ValueError(f"out has the shape {tuple(out.shape)}, and the result {tuple(result.shape)}")
    out.copy_(result)
    return out if rest is None else (out, rest)
