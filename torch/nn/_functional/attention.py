"""Attention of several heads."""

from __future__ import annotations

import math
import warnings

import torch
from torch._nn import linear, scaled_dot_product_attention
from torch.nn._functional._protocol import overridable
from torch.nn._functional.dropout import dropout
from torch.nn._functional.padding import pad

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


# ---- several heads -----------------------------------------------------------------------------------------
def _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Whether there is a batch: query (L, N, E) or (L, E)."""
    if query.dim() not in (2, 3):
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {query.dim()}-D query tensor"
        )
    batched = query.dim() == 3
    word = "batched (3-D)" if batched else "unbatched (2-D)"
    if key.dim() != query.dim() or value.dim() != query.dim():
        raise AssertionError(
            f"For {word} `query`, expected `key` and `value` to be {query.dim()}-D but found {key.dim()}-D and "
            f"{value.dim()}-D tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.dim() != query.dim() - 1:
        raise AssertionError(
            f"For {word} `query`, expected `key_padding_mask` to be `None` or {query.dim() - 1}-D but found "
            f"{key_padding_mask.dim()}-D tensor instead"
        )
    if attn_mask is not None:
        if attn_mask.dim() not in (2, 3):
            raise AssertionError(
                f"For {word} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor "
                "instead"
            )
        if not batched and attn_mask.dim() == 3 and attn_mask.shape != (num_heads, query.size(0), key.size(0)):
            expected = (num_heads, query.size(0), key.size(0))
            raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}")
    return batched


def canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """A mask as numbers that are added: -inf where a mask of truth values is True."""
    if mask is None:
        return None
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise RuntimeError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead.",
            stacklevel=3,
        )
    if mask.is_floating_point():
        return mask
    return torch.zeros_like(mask, dtype=target_type).masked_fill_(mask, -math.inf)


def _projected(query, key, value, weight, bias):
    """The three inputs times the parts of one weight: in one product where they are one tensor."""
    size = query.size(-1)
    if query is key and key is value:
        return linear(query, weight, bias).view([*query.shape[:-1], 3, size]).unbind(-2)
    biases = (None, None, None) if bias is None else bias.chunk(3)
    return tuple(linear(x, w, b) for x, w, b in zip((query, key, value), weight.chunk(3), biases))


def _split_heads(x, batch, heads):
    """(S, N, heads·D) to (N·heads, S, D)"""
    return x.reshape(x.size(0), batch * heads, -1).transpose(0, 1)


def _check_static(name, given, batch_heads, head_dim):
    if given.size(0) != batch_heads:
        raise AssertionError(f"expecting {name}.size(0) of {batch_heads}, but got {given.size(0)}")
    if given.size(2) != head_dim:
        raise AssertionError(f"expecting {name}.size(2) of {head_dim}, but got {given.size(2)}")
    return given


@overridable
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What nn.MultiheadAttention computes, of its weights: (output, shares or None). query: (L, N, E) or (L, E), key and
    value: (S, N, …) or (S, …). AssertionError and RuntimeError for shapes that do not fit."""
    batched = _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same = query is key, key is value
        query = query.unsqueeze(1)
        key = query if same[0] else key.unsqueeze(1)
        value = key if same[1] else value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, embed_dim = query.shape
    key_padding_mask = canonical_mask(
        key_padding_mask, "key_padding_mask", None if attn_mask is None else attn_mask.dtype, "attn_mask", query.dtype
    )
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    attn_mask = canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
    if embed_dim != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed_dim}")
    head_dim = embed_dim // num_heads
    if head_dim * num_heads != embed_dim:
        raise AssertionError(f"embed_dim {embed_dim} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        if key.shape[:2] != value.shape[:2]:
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            )
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        weights = q_proj_weight, k_proj_weight, v_proj_weight
        q, k, v = (linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases))
    else:
        if key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        if attn_mask.dim() == 2:
            if attn_mask.shape != (length, key.size(0)):
                raise RuntimeError(
                    f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be {(length, key.size(0))}."
                )
            attn_mask = attn_mask.unsqueeze(0)
        elif attn_mask.shape != (batch * num_heads, length, key.size(0)):
            raise RuntimeError(
                f"The shape of the 3D attn_mask is {attn_mask.shape}, but should be "
                f"{(batch * num_heads, length, key.size(0))}."
            )
    more = 0  # keys beyond those given
    if bias_k is not None and bias_v is not None:
        k = torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = torch.cat([v, bias_v.repeat(1, batch, 1)])
        more += 1
    q = _split_heads(q, batch, num_heads)
    k = (
        _split_heads(k, batch, num_heads)
        if static_k is None
        else _check_static("static_k", static_k, batch * num_heads, head_dim)
    )
    v = (
        _split_heads(v, batch, num_heads)
        if static_v is None
        else _check_static("static_v", static_v, batch * num_heads, head_dim)
    )
    if add_zero_attn:
        nothing = k.new_zeros(batch * num_heads, 1, head_dim)
        k, v = torch.cat([k, nothing], 1), torch.cat([v, nothing], 1)
        more += 1
    if more:
        attn_mask = None if attn_mask is None else pad(attn_mask, (0, more))
        key_padding_mask = None if key_padding_mask is None else pad(key_padding_mask, (0, more))
    sources = k.size(1)
    if key_padding_mask is not None:
        if key_padding_mask.shape != (batch, sources):
            raise AssertionError(
                f"expecting key_padding_mask shape of {(batch, sources)}, but got {key_padding_mask.shape}"
            )
        padding = key_padding_mask.view(batch, 1, 1, sources).expand(-1, num_heads, -1, -1)
        padding = padding.reshape(batch * num_heads, 1, sources)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    if need_weights:
        scores = torch.matmul(q * (1 / math.sqrt(head_dim)), k.transpose(1, 2))
        shares = (scores if attn_mask is None else scores + attn_mask).softmax(-1)
        shares = dropout(shares, dropout_p, training) if dropout_p > 0 else shares
        output = torch.matmul(shares, v).transpose(0, 1)
    else:
        if is_causal and key_padding_mask is None and not more:
            attn_mask = None
        elif attn_mask is not None:
            is_causal = False
            shared = attn_mask.size(0) == 1 and attn_mask.dim() == 3
            attn_mask = (
                attn_mask.unsqueeze(0) if shared else attn_mask.view(batch, num_heads, attn_mask.size(1), sources)
            )
        heads = (x.view(batch, num_heads, x.size(1), head_dim) for x in (q, k, v))
        output = scaled_dot_product_attention(*heads, attn_mask, dropout_p if training else 0.0, is_causal)
        output = output.permute(2, 0, 1, 3)
    output = output.reshape(length * batch, embed_dim)
    output = linear(output, out_proj_weight, out_proj_bias).view(length, batch, -1)
    if not batched:
        output = output.squeeze(1)
    if not need_weights:
        return output, None
    shares = shares.view(batch, num_heads, length, sources)
    if average_attn_weights:
        shares = shares.mean(1)
    return output, shares if batched else shares.squeeze(0)
