"""Attention with several heads."""

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.init import constant_, xavier_normal_, xavier_uniform_
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter

__all__ = [
    "MultiheadAttention",
]


class MultiheadAttention(Module):
    """F.multi_head_attention_forward() with weights that are learned.

    embed_dim is divided among num_heads heads; kdim and vdim are the sizes of keys and values, embed_dim unless given;
    add_bias_kv adds a learned key and value, add_zero_attn zeros. query (L, N, E), key (S, N, kdim), value (S, N, vdim), or
    without N, or with N first if batch_first, to (output of the query's shape, shares (N, L, S) or None). ValueError for
    sizes that are not positive, AssertionError if the heads do not divide embed_dim.
    """

    __constants__ = ["batch_first"]
    bias_k: torch.Tensor | None
    bias_v: torch.Tensor | None

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        def parameter(wanted, *shape):
            return Parameter(torch.empty(*shape, device=device, dtype=dtype)) if wanted else None

        same = self._qkv_same_embed_dim
        shapes = {"q": embed_dim, "k": self.kdim, "v": self.vdim}
        if same:
            self.in_proj_weight = parameter(True, 3 * embed_dim, embed_dim)
        for name, size in shapes.items():
            self.register_parameter(f"{name}_proj_weight", parameter(not same, embed_dim, size))
        if not same:
            self.register_parameter("in_proj_weight", None)
        self.register_parameter("in_proj_bias", parameter(bias, 3 * embed_dim))
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            self.bias_k = parameter(True, 1, 1, embed_dim)
            self.bias_v = parameter(True, 1, 1, embed_dim)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        if self._qkv_same_embed_dim:
            xavier_uniform_(self.in_proj_weight)
        else:
            for weight in (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
                xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            constant_(self.in_proj_bias, 0.0)
            constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                xavier_normal_(bias)

    def __setstate__(self, state):
        state.setdefault("_qkv_same_embed_dim", True)  # pickles of before 1.1
        super().__setstate__(state)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """(output, shares or None). key_padding_mask: (N, S), True for keys that do not count; attn_mask: (L, S) or
        (N·heads, L, S), True for what may not be looked at; or numbers that are added to the scores. is_causal: a hint that
        attn_mask is the causal one. average_attn_weights: the shares' mean over the heads, otherwise all of them."""
        swap = self.batch_first and query.dim() == 3
        if swap:
            same = key is query, value is key
            query = query.transpose(1, 0)
            key = query if same[0] else key.transpose(1, 0)
            value = key if same[1] else value.transpose(1, 0)
        separate = not self._qkv_same_embed_dim
        output, shares = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=separate,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return output.transpose(1, 0) if swap else output, shares

    def merge_masks(
        self, attn_mask: Tensor | None, key_padding_mask: Tensor | None, query: Tensor
    ) -> tuple[Tensor | None, int | None]:
        """(one mask (N, heads, L, S) of both, its kind: 0 attn_mask alone, 1 key_padding_mask alone, 2 both), or of None."""
        kind = None
        merged = None
        if key_padding_mask is not None:
            kind, merged = 1, key_padding_mask
        if attn_mask is not None:
            batch, length = query.shape[:2]
            kind = 0 if kind is None else 2
            shaped = (
                attn_mask.view(batch, -1, length, length)
                if attn_mask.dim() == 3
                else attn_mask.view(1, 1, length, length).expand(batch, self.num_heads, -1, -1)
            )
            if key_padding_mask is None:
                merged = shaped
            else:
                merged = shaped + key_padding_mask.view(batch, 1, 1, length).expand(-1, self.num_heads, -1, -1)
        return merged, kind


MultiheadAttention.__module__ = "torch.nn.modules.activation"  # where pickles, PyTorch's among them, find it
