"""Attention with functions of one's own: score_mod changes the score of a query and a key, mask_mod hides keys from
queries.

They are composed of operators: what a BlockMask leaves out is not computed, block by block of queries, and gradients are
autograd's, those of tensors that score_mod has captured, too.
"""

import math
from typing import Any, NamedTuple, TypedDict

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.attention._flex_index import called, positions
from torch.nn.attention._flex_mask import (
    _DEFAULT_SPARSE_BLOCK_SIZE,  # noqa: F401 - libraries ask for it
    BlockMask,
    and_masks,
    create_block_mask,
    create_mask,
    noop_mask,
    or_masks,
)

__all__ = [
    "AuxOutput",
    "AuxRequest",
    "BlockMask",
    "FlexKernelOptions",
    "and_masks",
    "create_block_mask",
    "create_mask",
    "flex_attention",
    "noop_mask",
    "or_masks",
]


class FlexKernelOptions(TypedDict, total=False):
    """Settings of PyTorch's generated kernels, which change no result: they are taken, and not read here."""

    num_warps: int
    num_stages: int
    BLOCK_M: int
    BLOCK_N: int
    PRESCALE_QK: bool
    ROWS_GUARANTEED_SAFE: bool
    BLOCKS_ARE_CONTIGUOUS: bool
    WRITE_DQ: bool
    FORCE_USE_FLEX_ATTENTION: bool
    BACKEND: str


class AuxRequest(NamedTuple):
    """What flex_attention shall return besides: lse, the logarithm of the sum of exponentials of each query's scores, and
    max_scores, the greatest of them."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """What was asked for by an AuxRequest; None for the rest."""

    lse: Tensor | None = None
    max_scores: Tensor | None = None


def _check(query, key, value, block_mask, enable_gqa):
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor.dim() != 4:
            raise NotImplementedError(f"query, key, and value must be 4D tensors, got {name} of {tuple(tensor.shape)}")
    batch, heads, queries, width = query.shape
    key_batch, key_heads, keys, key_width = key.shape
    if batch != key_batch and (block_mask is None or key_batch != 1):
        raise ValueError(
            "Expect query and key/value to have the same batch size, or non-none block_mask and one batch of keys, but got "
            f"block_mask={block_mask}, Bq={batch}, and Bkv={key_batch}"
        )
    if value.shape[:3] != key.shape[:3]:
        raise ValueError(f"key {tuple(key.shape)} and value {tuple(value.shape)} differ before the last dimension")
    if heads != key_heads and not enable_gqa:
        raise ValueError(
            f"Expect query and key/value to have the same number of heads but got Hq={heads} and Hkv={key_heads}. "
            "Try setting enable_gqa=True for GQA."
        )
    if heads % key_heads:
        raise ValueError(
            f"Expect number of query heads to be a multiple of kv heads for GQA but got Hq={heads} and Hkv={key_heads}."
        )
    if width != key_width:
        raise ValueError(
            f"Expect query and key/value to have the same embedding dimension but got E={width} and E={key_width}."
        )
    if block_mask is not None:
        _check_mask(block_mask, batch, heads, queries, keys)


def _check_mask(block_mask, batch, heads, queries, keys):
    if not isinstance(block_mask, BlockMask):
        raise TypeError(
            f"block_mask must be a BlockMask, got {type(block_mask).__name__}: create_block_mask() makes one"
        )
    mask_queries, mask_keys = block_mask.seq_lengths
    if (mask_queries, mask_keys) != (queries, keys):
        larger = mask_queries >= queries and mask_keys >= keys
        raise ValueError(
            f"block_mask was created for block_mask.shape={block_mask.shape} but got q_len={queries} and kv_len={keys}. "
            + ("Its _adjust(q_len, kv_len) makes the smaller one." if larger else "Create a new block mask.")
        )
    places = block_mask.shape[:-2]
    for name, have, want in zip(("batches", "heads"), places, (batch, heads)):
        if have not in (1, want):
            raise ValueError(
                f"block_mask was created for {have} {name} but got {want}: block_mask.shape={block_mask.shape}"
            )


def flex_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    score_mod: Any = None,
    block_mask: BlockMask | None = None,
    scale: float | None = None,
    enable_gqa: bool = False,
    return_lse: bool = False,
    kernel_options: FlexKernelOptions | None = None,
    *,
    return_aux: AuxRequest | None = None,
) -> Any:
    """softmax(score_mod(query @ key.T * scale, b, h, q_idx, kv_idx)) @ value, of (B, H, L, E), (B, H, S, E) and (B, H, S, V).

    score_mod returns another score; its indices stand for single numbers, and it is called once for all of them, so it is
    made of operators that broadcast. block_mask: which keys a query sees, from create_block_mask(); what sees nothing is 0.
    scale: 1/√E unless told. enable_gqa: fewer heads of keys than of queries, each shared by as many. return_lse: also the
    logarithm of the sum of each query's exponentials, -inf where it sees nothing.
    """
    if return_lse and return_aux is not None:
        raise ValueError("return_lse and return_aux ask for the same: please use return_aux=AuxRequest(lse=True) alone")
    _check(query, key, value, block_mask, enable_gqa)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    wants_rest = return_lse or return_aux is not None
    if key.shape[0] != query.shape[0]:
        key, value = (t.expand(query.shape[0], -1, -1, -1) for t in (key, value))
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = (t.repeat_interleave(groups, dim=1) for t in (key, value))
    attend = _Attention(query, key, value, scale, score_mod, block_mask, wants_rest)
    parts = [attend.rows(*part) for part in attend.parts()]
    output, lse, most = (torch.cat(each, dim=2) if each[0] is not None else None for each in zip(*parts))
    if return_lse:
        return output, lse
    if return_aux is not None:
        return output, AuxOutput(lse if return_aux.lse else None, most if return_aux.max_scores else None)
    return output


class _Attention:
    """What one call computes, by blocks of queries."""

    def __init__(self, query, key, value, scale, score_mod, block_mask, wants_rest):
        self.query, self.key, self.value, self.scale = query, key, value, scale
        self.score_mod, self.block_mask, self.wants_rest = score_mod, block_mask, wants_rest
        self.dtype = torch.float64 if query.dtype == torch.float64 else torch.float32

    def parts(self):
        """(first query, end, keys: a slice or a tensor, whether mask_mod has to be asked) of each part."""
        queries, keys = self.query.shape[2], self.key.shape[2]
        if self.block_mask is None or queries == 0:
            yield 0, queries, slice(0, keys), False
            return
        rows, columns = self.block_mask.BLOCK_SIZE
        seen = self.block_mask.to_dense().flatten(0, -3)
        used = seen.any(0).tolist()
        whole = self._whole(seen)
        for i, blocks in enumerate(used):
            found = [j for j, is_used in enumerate(blocks) if is_used]
            asks = not all(whole[i][j] for j in found)
            if found == list(range(found[0], found[-1] + 1) if found else []):
                first, last = (found[0], found[-1] + 1) if found else (0, 0)
                where = slice(first * columns, min(last * columns, keys))
            else:
                steps = (torch.arange(j * columns, min(j * columns + columns, keys)) for j in found)
                where = torch.cat(list(steps)).to(self.query.device)
            yield i * rows, min(i * rows + rows, queries), where, asks

    def _whole(self, seen):
        """[row][column]: whether a block is full in all batches and heads."""
        mask = self.block_mask
        if mask.full_kv_num_blocks is None:
            return torch.zeros(seen.shape[1:], dtype=torch.bool).tolist()
        full = BlockMask.from_kv_blocks(mask.full_kv_num_blocks, mask.full_kv_indices, compute_q_blocks=False)
        return full.to_dense().flatten(0, -3).all(0).tolist()

    def rows(self, first, end, where, asks):
        """(output, lse, greatest score) of some queries."""
        query = self.query[:, :, first:end]
        if isinstance(where, slice):
            key, value = self.key[:, :, where], self.value[:, :, where]
            keys = torch.arange(where.start, where.stop, device=query.device)
        else:
            key, value, keys = self.key.index_select(2, where), self.value.index_select(2, where), where
        at = positions(*query.shape[:2], torch.arange(first, end, device=query.device), keys)
        mask = self._mask(at, seen_of=(first, keys)) if asks else None
        if self.score_mod is None and not self.wants_rest and key.shape[2]:
            return F.scaled_dot_product_attention(query, key, value, mask, scale=self.scale), None, None
        scores = query.to(self.dtype) @ key.to(self.dtype).transpose(-2, -1) * self.scale
        if self.score_mod is not None:
            scores = called(self.score_mod, at, scores).expand(scores.shape)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return self._sums(scores, value.to(self.dtype))

    def _mask(self, at, seen_of):
        """What mask_mod says, but in blocks of which another batch or head alone sees something."""
        mask = called(self.block_mask.mask_mod, at)
        dense = self.block_mask.to_dense()
        if dense.shape[:-2].numel() > 1 or self.block_mask.mask_mod is noop_mask:
            first, keys = seen_of
            rows, columns = self.block_mask.BLOCK_SIZE
            mask = mask & dense[..., first // rows, :].bool()[..., None, :].index_select(-1, keys // columns)
        return mask

    def _sums(self, scores, value):
        shape = scores.shape[:3]
        if scores.shape[3] == 0:
            nothing = scores.new_full(shape, -math.inf)
            zeros = self.query.new_zeros((*shape, value.shape[-1]))
            return zeros, nothing, nothing
        most = scores.detach().amax(-1)
        base = most.masked_fill(torch.isneginf(most), 0)
        shares = (scores - base.unsqueeze(-1)).exp()
        total = shares.sum(-1)
        empty = total == 0
        total = total.masked_fill(empty, 1)
        output = (shares @ value) / total.unsqueeze(-1)
        lse = (total.log() + base).masked_fill(empty, -math.inf)
        return output.to(self.query.dtype), lse, most
