"""Transformers ("Attention Is All You Need"): layers, stacks of them, and both with one another."""

import copy
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.init import xavier_uniform_
from torch.nn.modules.activation import GELU, MultiheadAttention, ReLU
from torch.nn.modules.container import ModuleList
from torch.nn.modules.dropout import Dropout
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module
from torch.nn.modules.normalization import LayerNorm

__all__ = [
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


def _causal(size, device=None, dtype=None):
    """Numbers to add to scores: -inf above the diagonal."""
    dtype = torch.get_default_dtype() if dtype is None else dtype
    return torch.full((size, size), float("-inf"), dtype=dtype, device=device).triu(1)


def _detect_causal(mask, is_causal, size):
    """Whether a mask is the causal one; is_causal, unless None, says so without a look."""
    if is_causal is not None:
        return is_causal
    if mask is None or (size is not None and mask.shape[-2:] != (size, size)) or mask.dim() != 2:
        return False
    if mask.dtype == torch.bool:
        causal = torch.ones_like(mask).triu(1)
    else:
        causal = _causal(mask.size(0), mask.device, mask.dtype)
    return mask.shape == causal.shape and bool((mask == causal).all())


def _sequence_length(source, batch_first):
    if source.dim() == 2:
        return source.size(0)
    return source.size(1 if batch_first else 0)


def _get_activation_fn(activation: str) -> Callable[[Tensor], Tensor]:
    if isinstance(activation, str):
        if activation not in ("relu", "gelu"):
            raise RuntimeError(f"activation should be relu/gelu, not {activation}")
        return getattr(F, activation)
    return activation


def _get_clones(module, count):
    return ModuleList([copy.deepcopy(module) for _ in range(count)])


class _Layer(Module):
    """What the layers share: norms, dropouts, and the feed-forward block."""

    def _make_common(self, d_model, dim_feedforward, dropout, activation, eps, norm_first, bias, norms, factory):
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **factory)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **factory)
        self.norm_first = norm_first
        for i in range(1, norms + 1):
            setattr(self, f"norm{i}", LayerNorm(d_model, eps=eps, bias=bias, **factory))
        for i in range(1, norms + 1):
            setattr(self, f"dropout{i}", Dropout(dropout))
        self.activation = _get_activation_fn(activation)

    def __setstate__(self, state):
        super().__setstate__(state)
        if "activation" not in self.__dict__ and "activation" not in self._modules:
            self.activation = F.relu

    def _attended(self, attention, dropout, x, memory, attn_mask, key_padding_mask, is_causal):
        found = attention(
            x,
            memory,
            memory,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            is_causal=is_causal,
            need_weights=False,
        )
        return dropout(found[0])

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return self._attended(self.self_attn, self.dropout1, x, x, attn_mask, key_padding_mask, is_causal)


class TransformerEncoderLayer(_Layer):
    """Self-attention and a feed-forward block, each added to its input and normalised: (S, N, d_model) to the same, or with
    N first if batch_first. norm_first: normalised before the blocks. activation: "relu", "gelu" or a function."""

    __constants__ = ["norm_first"]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        factory = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **factory
        )
        self._make_common(d_model, dim_feedforward, dropout, activation, layer_norm_eps, norm_first, bias, 2, factory)
        # Which kernel could take it: what PyTorch asks of a pickle from here.
        is_relu = self.activation is F.relu or isinstance(self.activation, ReLU)
        is_gelu = self.activation is F.gelu or isinstance(self.activation, GELU)
        self.activation_relu_or_gelu = 1 if is_relu else 2 if is_gelu else 0

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        padding = F._canonical_mask(
            src_key_padding_mask,
            "src_key_padding_mask",
            None if src_mask is None else src_mask.dtype,
            "src_mask",
            src.dtype,
        )
        mask = F._canonical_mask(src_mask, "src_mask", None, "", src.dtype, False)
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask, padding, is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, mask, padding, is_causal))
        return self.norm2(x + self._ff_block(x))

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's result `memory`, and a feed-forward block; as TransformerEncoderLayer."""

    __constants__ = ["norm_first"]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        factory = {"device": device, "dtype": dtype}
        for name in ("self_attn", "multihead_attn"):
            attention = MultiheadAttention(
                d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **factory
            )
            setattr(self, name, attention)
        self._make_common(d_model, dim_feedforward, dropout, activation, layer_norm_eps, norm_first, bias, 3, factory)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        x = tgt
        own = tgt_mask, tgt_key_padding_mask, tgt_is_causal
        others = memory_mask, memory_key_padding_mask, memory_is_causal
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), memory, *others)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, memory, *others))
        return self.norm3(x + self._ff_block(x))

    def _mha_block(
        self, x: Tensor, mem: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        return self._attended(self.multihead_attn, self.dropout2, x, mem, attn_mask, key_padding_mask, is_causal)

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def _not_nested(layer):
    """Why an encoder of such layers leaves no places out; None if it does."""
    if not isinstance(layer, TransformerEncoderLayer):
        return "encoder_layer is no TransformerEncoderLayer"
    if layer.norm_first:
        return "encoder_layer.norm_first was True"
    if not layer.self_attn.batch_first:
        return "encoder_layer.self_attn.batch_first was not True"
    if layer.self_attn.in_proj_bias is None:
        return "encoder_layer.self_attn was passed bias=False"
    if not layer.activation_relu_or_gelu:
        return "encoder_layer.activation_relu_or_gelu was not True"
    if layer.norm1.eps != layer.norm2.eps:
        return "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps"
    return "num_head is odd" if layer.self_attn.num_heads % 2 else None


class TransformerEncoder(Module):
    """num_layers copies of a layer, one after the other, and `norm` of the result if it is given.

    enable_nested_tensor: where the layers can, places of padding become zero (before `norm`) when nothing is trained or
    recorded: their attribute use_nested_tensor tells, and a warning says why not. mask_check: only if each row's padding
    is at its end."""

    __constants__ = ["norm"]

    def __init__(
        self,
        encoder_layer: "TransformerEncoderLayer",
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        hindrance = _not_nested(encoder_layer)
        if enable_nested_tensor and hindrance:
            self.use_nested_tensor = False
            warnings.warn(
                f"enable_nested_tensor is True, but self.use_nested_tensor is False because {hindrance}", stacklevel=2
            )

    def _leaves_out(self, src, mask, padding):
        """Whether places of padding are to be zero."""
        if not self.use_nested_tensor or padding is None or mask is not None or src.dim() != 3:
            return False
        if self.training or self.layers[0].training or torch.is_autocast_enabled(src.device.type):
            return False
        if torch.is_grad_enabled() and (src.requires_grad or any(p.requires_grad for p in self.layers[0].parameters())):
            return False
        return not self.mask_check or bool((padding[:, 1:].ne(0) >= padding[:, :-1].ne(0)).all())

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        src_key_padding_mask = F._canonical_mask(
            src_key_padding_mask,
            "src_key_padding_mask",
            None if mask is None else mask.dtype,
            "mask",
            src.dtype,
        )
        mask = F._canonical_mask(mask, "mask", None, "", src.dtype, False)
        batch_first = getattr(getattr(self.layers[0], "self_attn", None), "batch_first", False)
        is_causal = _detect_causal(mask, is_causal, _sequence_length(src, batch_first))
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=src_key_padding_mask)
        if self._leaves_out(src, mask, src_key_padding_mask):
            output = output.masked_fill(src_key_padding_mask.ne(0).unsqueeze(-1), 0)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    """num_layers copies of a layer, one after the other, and `norm` of the result if it is given."""

    __constants__ = ["norm"]

    def __init__(self, decoder_layer: "TransformerDecoderLayer", num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        batch_first = getattr(getattr(self.layers[0], "self_attn", None), "batch_first", False)
        tgt_is_causal = _detect_causal(tgt_mask, tgt_is_causal, _sequence_length(tgt, batch_first))
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder and a decoder: src (S, N, d_model) and tgt (T, N, d_model) to (T, N, d_model), or without N, or with N first
    if batch_first. custom_encoder and custom_decoder take their places. RuntimeError for sizes that do not fit."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        custom_encoder: Any | None = None,
        custom_decoder: Any | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        factory = {"device": device, "dtype": dtype}
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)

        def norm():
            return LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **factory)

        if custom_encoder is None:
            layer = TransformerEncoderLayer(*options, **factory)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm())
        else:
            self.encoder = custom_encoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*options, **factory)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, norm())
        else:
            self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        batch_dim = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch_dim) != tgt.size(batch_dim):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int, device: torch.device | None = None, dtype: torch.dtype | None = None
    ) -> Tensor:
        """A causal mask (sz, sz): -inf above the diagonal, 0 elsewhere."""
        return _causal(sz, device, dtype)

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                xavier_uniform_(parameter)
